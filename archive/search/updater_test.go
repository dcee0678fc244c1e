package search

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A build in a server leaves half of the processors to its readers, but never stops.
func TestBuildsInServersLeaveProcessors(t *testing.T) {
	all := runtime.GOMAXPROCS(0)
	if command, server := makers(false), makers(true); command != all || server != max(1, all/2) {
		t.Errorf("of %d processors a command uses %d, a server %d", all, command, server)
	}
}

// pagesOf is an archive that has pages with these signatures.
type pagesOf struct {
	Archive
	pages   map[string]uint64
	touched Touched
	err     error // of Touched, Page and Pages
}

func (a *pagesOf) Touched(context.Context, string) (Touched, error) { return a.touched, nil }

func (a *pagesOf) Page(_ context.Context, key string) (Page, bool, error) {
	n, ok := a.pages[key]
	return Page{key, n}, ok, a.err
}

func (a *pagesOf) Pages(context.Context) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		for _, key := range slices.Sorted(maps.Keys(a.pages)) {
			if !yield(Page{key, a.pages[key]}, nil) {
				return
			}
		}
		if a.err != nil {
			yield(Page{}, a.err)
		}
	}
}

// replacing is an index that notes what is replaced.
type replacing struct {
	held     []Held // ordered by key
	heldErr  error
	panics   bool
	mu       sync.Mutex
	replaced []string
}

func (r *replacing) Held(_ context.Context, keys []string) (map[string]Held, error) {
	out := map[string]Held{}
	for _, h := range r.held {
		if slices.Contains(keys, h.Key) {
			out[h.Key] = h
		}
	}
	return out, r.heldErr
}

func (r *replacing) AllHeld(context.Context) iter.Seq2[Held, error] {
	return func(yield func(Held, error) bool) {
		for _, h := range r.held {
			if !yield(h, nil) {
				return
			}
		}
		if r.heldErr != nil {
			yield(Held{}, r.heldErr)
		}
	}
}

func (r *replacing) Replace(_ context.Context, p StalePage, _ *Step) error {
	if r.panics {
		panic("a segment is damaged")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.replaced = append(r.replaced, fmt.Sprintf("%s %d (%s) gone: %t, exposed: %t", p.Key, p.Signature, p.Held.Key, p.Gone, p.Exposed))
	return nil
}

// An updater has the same pages replaced whether the archive names them or any may have changed.
func TestUpdaterFindsStalePages(t *testing.T) {
	t.Parallel()
	a := &pagesOf{pages: map[string]uint64{"changed": 2, "new": 1, "parts": 1, "same": 1}}
	held := []Held{
		{Key: "changed", Complete: true, Signature: 1},
		{Key: "gone", Complete: true, Signature: 1},
		{Key: "left"}, // parts of a page that is gone
		{Key: "parts"},
		{Key: "same", Complete: true, Signature: 1},
		{Key: "z", Complete: true, Signature: 1},
	}
	want := []string{
		"changed 2 (changed) gone: false, exposed: true", "gone 0 (gone) gone: true, exposed: true", "left 0 (left) gone: true, exposed: true",
		"new 1 () gone: false, exposed: true", "parts 1 (parts) gone: false, exposed: true", "z 0 (z) gone: true, exposed: true",
	}
	for name, touched := range map[string]Touched{
		"all":  {All: true, Exposed: true, State: "s"},
		"some": {Keys: []string{"changed", "gone", "left", "never", "new", "parts", "same", "z"}, Exposed: true, State: "s"},
	} {
		a.touched = touched
		x := &replacing{held: held}
		var p Progress
		got, err := (&Updater{Archive: a, Target: x, Pages: 4, Progress: &p}).Run(t.Context())
		slices.Sort(x.replaced)
		if d := cmp.Diff(want, x.replaced); d != "" || err != nil || got.State != "s" {
			t.Errorf("%s: %+v, %v (-want +got):\n%s", name, got, err, d)
		}
		if pages, done := p.Pages.Load(), p.Done.Load(); pages != 4 || done != 1 {
			t.Errorf("%s: of %d pages %d are up to date", name, pages, done)
		}
	}
}

// What fails ends an update, and nothing of it ends the program.
func TestUpdaterFails(t *testing.T) {
	t.Parallel()
	failure := errors.New("a fault")
	for name, touched := range map[string]Touched{"all": {All: true}, "some": {Keys: []string{"a", "b"}}} {
		for what, x := range map[string]*replacing{"index": {heldErr: failure}, "archive": {}, "panic": {panics: true}} {
			a := &pagesOf{pages: map[string]uint64{"a": 1, "b": 1}, touched: touched}
			if what == "archive" {
				a.err = failure
			}
			_, err := (&Updater{Archive: a, Target: x, Progress: &Progress{}}).Run(t.Context())
			if err == nil || what != "panic" && !errors.Is(err, failure) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
}
