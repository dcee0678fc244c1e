package search_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/search"
)

// A byte of the search that is another one since leads to no wrong answer: the search is built anew, or says that it is damaged
// where nothing can be written.
func TestFlippedBytes(t *testing.T) {
	t.Parallel()
	f := &fake{pages: map[string][]string{"org,example)/a": {"one two", "one"}, "org,example)/b": {"two three", "two"}}}
	from := filepath.Join(t.TempDir(), "search")
	x := open(t, from)
	update(t, x, f)
	if why := x.Emptied(); why != nil {
		t.Errorf("a new one was emptied because of %v", why)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	segments, err := filepath.Glob(filepath.Join(from, "terms", "*.zap"))
	if err != nil || len(segments) == 0 {
		t.Fatalf("%v, %v", segments, err)
	}
	for what, dir := range map[string]string{"whole": from, "none": t.TempDir(), "no folder": filepath.Join(from, "none")} {
		if err := search.Verify(dir); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 30 {
		dir := filepath.Join(t.TempDir(), "search [1]")
		if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "terms", filepath.Base(segments[i%len(segments)]))
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		at := random.IntN(len(content))
		content[at] ^= 1 << random.IntN(8)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := search.Verify(dir); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("byte %d of %s: verified: %v", at, filepath.Base(path), err)
		}
		if x, err := search.OpenReadOnly(dir); err == nil || !strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("byte %d of %s: to read only it is opened: %v, %v", at, filepath.Base(path), x, err)
		}
		x := open(t, dir)
		if why := x.Emptied(); why == nil || !strings.Contains(why.Error(), filepath.Base(path)) {
			t.Errorf("byte %d of %s: it was emptied because of %v", at, filepath.Base(path), why)
		}
		if lacks, err := x.Lacks(t.Context(), f); err != nil || !lacks {
			t.Errorf("byte %d of %s: nothing seems to lack: %v", at, filepath.Base(path), err)
		}
		update(t, x, f)
		if a, b := found(t, x, search.Deleted, "two"), found(t, x, search.Deleted, "three"); len(a) != 1 || len(b) != 1 {
			t.Errorf("byte %d of %s: found %v and %v", at, filepath.Base(path), a, b)
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}
