package chromium

import (
	"os/exec"
	"syscall"
)

// apart starts a command in a group of its own, which ends with this process, whatever ends it: Debian's Chromium is a script that waits
// for the browser. A Ctrl-C in the terminal is not for the browser, which is closed in order.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
