package index

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/cdx"
)

// listed returns what an index has besides an identity of its own, and besides what counts changes: the file table, its journal and the
// generation.
func listed(t *testing.T, x *Index) map[string]string {
	t.Helper()
	own := []string{string(identityKey.key()), string(generationKey.key())}
	all := dump(t, x)
	maps.DeleteFunc(all, func(k, _ string) bool { return k[0] == journalPrefix || k[0] == filePrefix || slices.Contains(own, k) })
	return all
}

// mixed returns an index with files of two collections: pages, revisits of these, and texts that files share.
func mixed(t *testing.T, open func(testing.TB) *Index) *Index {
	x := open(t)
	for n := range 6 {
		ts := cdx.Timestamp(20140101000000 + n)
		original := cdx.Capture{URL: fmt.Sprint("http://a.example/", n), Time: ts, Digest: fmt.Sprintf("%032d", n), Status: 200}
		revisit := cdx.Capture{
			URL: fmt.Sprint("http://a.example/", (n+1)%6), Time: ts + 100, Digest: fmt.Sprintf("%032d", (n+1)%6), Kind: cdx.Revisit,
		}
		put(t, x, fmt.Sprint("pages", n), original, revisit)
		putTexts(t, x, "web", fmt.Sprint("texts", n), uint64(n+1), uint64(n+2))
		putTexts(t, x, "other", fmt.Sprint("texts", n), uint64(n+2))
	}
	if _, _, err := x.Resolve(t.Context()); err != nil {
		t.Fatal(err)
	}
	return x
}

// Files that are removed at once leave what they leave one after the other, whichever they are.
func TestFilesAreRemovedAtOnce(t *testing.T) { onEachStore(t, testFilesAreRemovedAtOnce) }

func testFilesAreRemovedAtOnce(t *testing.T, open func(testing.TB) *Index) {
	one, many := mixed(t, open), mixed(t, open)
	var ids []cdx.FileID
	for i, f := range one.Files() {
		if i%3 != 0 {
			ids = append(ids, f.ID)
			if err := one.RemoveFiles(t.Context(), f.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := many.RemoveFiles(t.Context(), slices.Concat(ids, []cdx.FileID{999}, ids)...); err != nil {
		t.Fatal(err)
	}
	for range 2 { // before and after the revisits are resolved
		got, want := listed(t, many), listed(t, one)
		if len(want) < 20 || len(got) != len(want) {
			t.Errorf("%d entries at once, %d one after the other", len(got), len(want))
		}
		for k, v := range want {
			if got[k] != v {
				t.Errorf("%q is %q at once, %q one after the other", k, got[k], v)
			}
		}
		for _, x := range []*Index{one, many} {
			if _, _, err := x.Resolve(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !slices.EqualFunc(one.Files(), many.Files(), func(a, b File) bool { return a.ID == b.ID && a.Done && b.Done }) {
		t.Errorf("files: %v at once, %v one after the other", many.Files(), one.Files())
	}
	if err := many.RemoveFiles(t.Context(), ids...); !errors.Is(err, ErrNoFile) {
		t.Errorf("once more: %v, want %v", err, ErrNoFile)
	}
	if err := many.RemoveFiles(t.Context()); err != nil {
		t.Errorf("none: %v", err)
	}
}

// A collection is walked once, however many files go.
func TestManyFilesAreRemovedInOneWalk(t *testing.T) {
	walk := func(files int) int {
		s := kvtest.NewFaulty(kvtest.NewMemory())
		x := openOn(t, s)
		var ids []cdx.FileID
		for n := range 60 {
			ids = append(ids, put(t, x, fmt.Sprint("f", n), page(fmt.Sprint("http://a.example/", n), 20140101)))
		}
		s.FailAt(0)
		if err := x.RemoveFiles(t.Context(), ids[:files]...); err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, step := range s.Steps() {
			if step == "next" {
				seen++
			}
		}
		return seen
	}
	if one, many := walk(1), walk(40); one < 60 || many > 3*one {
		t.Errorf("removing a file walks past %d entries, removing 40 past %d", one, many)
	}
}

// A run asks for each unchanged file whether others go, so that must cost nothing where none do.
func TestNoFilesCostNothing(t *testing.T) {
	s := kvtest.NewFaulty(kvtest.NewMemory())
	x := openOn(t, s)
	s.FailAt(0)
	if err := x.RemoveFiles(t.Context()); err != nil || len(s.Steps()) > 0 {
		t.Errorf("%v, after %q", err, s.Steps())
	}
}

// More files than one pass takes are removed in several.
func TestVeryManyFilesAreRemoved(t *testing.T) {
	x := openOn(t, kvtest.NewMemory())
	var ids []cdx.FileID
	for n := range maxRemoved + 1 {
		id, err := x.PutFile(t.Context(), File{Collection: "web", Name: fmt.Sprint(n)})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := x.RemoveFiles(t.Context(), ids...); err != nil || len(x.Files()) != 0 {
		t.Errorf("%d files are left, %v", len(x.Files()), err)
	}
}
