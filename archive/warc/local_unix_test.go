//go:build unix

package warc

import (
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Anything but a file must be refused by name, without waiting for the other end of a pipe.
func TestSpecialFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	pipe, socket := filepath.Join(dir, "pipe.warc"), filepath.Join(dir, "s.warc")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Skipf("no sockets here: %v", err)
	}
	defer l.Close()
	for path, what := range map[string]string{pipe: "a pipe", socket: "a socket", "/dev/null": "a device"} {
		if _, err := (Local{}).Stat(t.Context(), path); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("Stat of %s: %v", path, err)
		}
		if f, err := (Local{}).Open(t.Context(), path); err == nil {
			f.Close()
			t.Errorf("%s was opened", path)
		}
	}
	if f, err := (Local{}).Open(t.Context(), dir); err == nil {
		f.Close()
		t.Error("a folder was opened")
	}
	for e, err := range (Local{}).List(t.Context(), dir, func(string) bool { return true }) {
		if err != nil || !e.Folder {
			t.Errorf("listed: %v, %v", e, err)
		}
	}
}
