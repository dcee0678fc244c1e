package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A file that is gone needs no removing; what can't be removed is an error.
func TestRemove(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	write(t, path, "a")
	for range 2 {
		if err := Remove(path); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is there: %v", err)
	}
	write(t, path, "a")
	if err := Remove(dir); err == nil {
		t.Error("a folder with a file was removed")
	}
}

// Of several that give the same name at once one succeeds, with links or without, and what it moved is there.
func TestMoveNew(t *testing.T) {
	t.Parallel()
	unlinked := func(from, to string) error {
		return &os.LinkError{Op: "link", Old: from, New: to, Err: errors.ErrUnsupported}
	}
	for name, link := range map[string]func(from, to string) error{"with links": os.Link, "without": unlinked} {
		t.Run(name, func(t *testing.T) {
			for round := range 50 {
				dir := t.TempDir()
				to := filepath.Join(dir, strings.Repeat("ä", 120)+".warc.gz")
				const all = 8
				for i := range all {
					write(t, filepath.Join(dir, fmt.Sprint(i)), fmt.Sprint(i))
				}
				var moving sync.WaitGroup
				begin := make(chan struct{})
				var won, winner atomic.Int64
				for i := range all {
					moving.Go(func() {
						<-begin
						switch err := moveNew(filepath.Join(dir, fmt.Sprint(i)), to, link); {
						case err == nil:
							won.Add(1)
							winner.Store(int64(i))
						case !errors.Is(err, fs.ErrExist):
							t.Error(err)
						}
					})
				}
				close(begin)
				moving.Wait()
				got, err := os.ReadFile(to)
				left, _ := os.ReadDir(dir)
				if won.Load() != 1 || err != nil || string(got) != fmt.Sprint(winner.Load()) || len(left) != all {
					t.Fatalf("round %d: %d succeeded, %d the last, there is %q, %v, in a folder of %d", round, won.Load(), winner.Load(), got, err,
						len(left))
				}
			}
		})
	}
}

// Who was killed while it gave a name without links leaves what keeps others from giving it, and says what it is.
func TestMoveNewBesideOneThatWasKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	write(t, from, "x")
	killed := errors.New("killed")
	err := naming(to, func() error {
		left, err := filepath.Glob(filepath.Join(dir, Naming+"*"))
		if err != nil || len(left) != 1 {
			t.Fatalf("%q, %v", left, err)
		}
		err = moveNew(from, to, func(string, string) error { return killed })
		if err == nil || errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), left[0]) {
			t.Errorf("%v, want one that names %s", err, left[0])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := moveNew(from, to, func(string, string) error { return killed }); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// What it left goes after an hour.
func TestMoveNewLongAfterOneThatWasKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "To")
	write(t, from, "x")
	err := naming(filepath.Join(dir, "to"), func() error { // of the same name where case is of no account
		left, err := filepath.Glob(filepath.Join(dir, Naming+"*"))
		if err != nil || len(left) != 1 {
			t.Fatalf("%q, %v", left, err)
		}
		before := time.Now().Add(-2 * namingEnded)
		if err := os.Chtimes(left[0], before, before); err != nil {
			t.Fatal(err)
		}
		return moveNew(from, to, func(string, string) error { return errors.New("no links here") })
	})
	if err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 || files[0].Name() != "To" {
		t.Errorf("left are %v, %v", files, err)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
