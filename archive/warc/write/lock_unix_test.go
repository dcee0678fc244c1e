//go:build unix

package write_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/varve-archive/varve/archive/warc/write"
)

// A process that was started while the file was open has its descriptor until it runs its own program.
func TestFilesAreGivenUpWhoeverHasThem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := newWriter(t, write.Config{Dir: dir, Mark: "m1"})
	if _, err := w.Write(exchange("http://a.example/", page)); err != nil {
		t.Fatal(err)
	}
	open, err := filepath.Glob("/proc/self/fd/*")
	if err != nil || len(open) == 0 {
		t.Skip("this system does not list the files that a process has open")
	}
	for _, link := range open {
		if name, err := os.Readlink(link); err == nil && filepath.Dir(name) == dir {
			fd, _ := strconv.Atoi(filepath.Base(link))
			other, err := unix.Dup(fd)
			if err != nil {
				t.Fatal(err)
			}
			defer unix.Close(other)
		}
	}
	if err := w.Leave(); err != nil {
		t.Fatal(err)
	}
	left, err := write.Mending{Dir: dir, Name: "test"}.Run(t.Context())
	if err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}
