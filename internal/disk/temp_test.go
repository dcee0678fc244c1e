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
	if err := releaseOne(); err != nil {
		t.Error(err)
	}
	if err := releaseTwo(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) != 2 {
		t.Errorf("%d are left", len(left))
	}
}
