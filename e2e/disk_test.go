package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A full disk must end in a sentence. With room again, the next run must complete the work.
func TestFullDisk(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make a small disk to fill")
	}
	disk := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("no small disk can be made here: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", disk).Run() })
	a := &archive{}
	for i := range 50 {
		a.page("http://full.example/"+strings.Repeat("x", i), day, "text")
	}
	file := filepath.Join(t.TempDir(), "a.warc.gz")
	put(t, file, a.bytes())
	data := filepath.Join(disk, "data")
	for range 2 {
		stdout, stderr, code := invoke(t, "index", "--data", data, file)
		if code != 1 || stdout != "" || !strings.Contains(stderr, "the disk is full") || strings.Contains(stderr, "goroutine") {
			t.Fatalf("exit %d: %.1000s", code, stderr)
		}
	}
	if out, err := exec.Command("mount", "-o", "remount,size=400m", disk).CombinedOutput(); err != nil {
		t.Skipf("the disk can't be made larger: %v: %s", err, out)
	}
	if _, stderr, code := invoke(t, "index", "--data", data, file); code != 0 {
		t.Fatalf("with room again: %d: %s", code, stderr)
	}
	if out, err := exec.Command("mount", "-o", "remount,size=40m", disk).CombinedOutput(); err != nil {
		t.Skipf("the disk can't be made smaller again: %v: %s", err, out)
	}
	if _, stderr, code := invoke(t, "index", "--data", data, "--search"); code != 1 || !strings.Contains(stderr, "is full") {
		t.Errorf("the change-text search on a full disk: exit %d: %s", code, stderr)
	}
	if stdout, _, _ := invoke(t, "cdx", "--data", data); strings.Count(stdout, "\n") != 50 {
		t.Errorf("%d captures", strings.Count(stdout, "\n"))
	}
}
