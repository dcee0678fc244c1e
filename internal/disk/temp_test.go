package disk

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A folder stays while its process runs, and goes with the next process after it was killed. What is none of theirs stays.
func TestTempDir(t *testing.T) {
	if os.Getenv("DISK_TEST_TEMPDIR") != "" { // the process that is killed
		dir, _, err := TempDir("varve-test-")
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "file"), "x")
		_, _ = os.Stdout.WriteString(dir + "\n")
		_ = os.Stdout.Sync()
		p, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = p.Kill()
		}
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	killed := exec.Command(os.Args[0], "-test.run", "^TestTempDir$")
	killed.Env = append(os.Environ(), "DISK_TEST_TEMPDIR=1")
	out, err := killed.CombinedOutput()
	left, _ := os.ReadDir(os.TempDir())
	if err == nil || len(left) != 1 {
		t.Fatalf("%d folders are left, %v: %s", len(left), err, out)
	}
	foreign := filepath.Join(os.TempDir(), "varve-test-foreign")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(os.TempDir(), "varve-test-file"), "x")
	stay := map[string]string{"of another program": "other-test", "a link": "target", "of another user": "varve-test-user"}
	for what, name := range stay { // they look like what a killed process has left
		dir := filepath.Join(t.TempDir(), name)
		if what != "a link" {
			dir = filepath.Join(os.TempDir(), name)
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		stay[what] = filepath.Join(dir, tempLock)
		write(t, stay[what], "")
	}
	if err := os.Symlink(filepath.Dir(stay["a link"]), filepath.Join(os.TempDir(), "varve-test-link")); err != nil {
		t.Fatal(err)
	}
	if os.Chown(filepath.Dir(stay["of another user"]), 65534, -1) != nil { // only root can
		delete(stay, "of another user")
	}
	one, releaseOne, err := TempDir("varve-test-")
	if err != nil {
		t.Fatal(err)
	}
	two, releaseTwo, err := TempDir("varve-test-")
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{filepath.Join(os.TempDir(), left[0].Name()): false, foreign: true, one: true, two: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: %v", dir, err)
		}
	}
	for what, lock := range stay {
		if _, err := os.Stat(lock); err != nil {
			t.Errorf("%s is gone: %v", what, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(os.TempDir(), "varve-test-link")); err != nil {
		t.Errorf("the link is gone: %v", err)
	}
	if err := releaseOne(); err != nil {
		t.Error(err)
	}
	if err := releaseTwo(); err != nil {
		t.Error(err)
	}
	for _, dir := range []string{one, two} {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s is left", dir)
		}
	}
}
