package chromium

import (
	"os/exec"
	"syscall"
)

// apart starts a command in its own process group, which is killed when this process ends: Debian's Chromium is a script that waits for the
// browser. Ctrl-C in the terminal doesn't reach the browser, which is closed properly.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
