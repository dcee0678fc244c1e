package frontier_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/varve-archive/varve/cdx/index/storetest"
	"github.com/varve-archive/varve/crawl/frontier"
)

// What is claimed is handed out to nobody else, and stays in the queue until it is done.
func TestClaims(t *testing.T) {
	on := storetest.NewMemory()
	f := open(t, on, frontier.Breadth)
	found(t, f, page("a", "/queued", 1))
	claim := func(f *frontier.Frontier, item frontier.Item, want bool) frontier.Item {
		t.Helper()
		got, ok, err := f.Claim(t.Context(), item)
		if err != nil || ok != want {
			t.Fatalf("%s: %t, %v", item.Key, ok, err)
		}
		return got
	}
	queued := claim(f, part("a", "/queued"), true)
	if queued.Kind != frontier.Page || queued.Depth != 1 {
		t.Errorf("what waits in the queue is claimed as %+v", queued)
	}
	claim(f, page("a", "/queued", 1), false)
	unknown := claim(f, part("a", "/new"), true)
	claim(f, part("a", "/new"), false)
	if _, key := next(t, f, all); key != "" {
		t.Errorf("%s is handed out beside", key)
	}
	found(t, f, page("a", "/new", 2)) // it is known

	again := open(t, on, frontier.Breadth) // of the next run, after a kill
	for range 2 {
		if _, key := next(t, again, all); key != queued.Key && key != unknown.Key {
			t.Errorf("%q is handed out", key)
		}
	}
	if _, key := next(t, again, all); key != "" {
		t.Errorf("%s is handed out, too", key)
	}

	f.Back(queued)
	claim(f, part("a", "/queued"), true)
	for _, item := range []frontier.Item{queued, unknown} {
		if err := f.Done(t.Context(), item, frontier.Answer{Status: 200}); err != nil {
			t.Fatal(err)
		}
		claim(f, item, false)
	}
	if got := f.Totals(); got.Pages != 1 || got.Parts != 1 {
		t.Errorf("%+v", got)
	}
	if err := f.Found(t.Context(), frontier.Found{Skipped: []frontier.Skip{
		{Key: "a/never", Reason: "robots"}, {Key: "a/later", Reason: "scope", Now: true},
	}}); err != nil {
		t.Fatal(err)
	}
	claim(f, part("a", "/never"), false)
	claim(f, part("a", "/later"), true)
}

func TestOneOfManyClaims(t *testing.T) {
	f := open(t, storetest.NewMemory(), frontier.Breadth)
	var claimed atomic.Int64
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			_, ok, err := f.Claim(t.Context(), part("a", "/x"))
			if err != nil {
				t.Error(err)
			}
			if ok {
				claimed.Add(1)
			}
		})
	}
	wait.Wait()
	if claimed.Load() != 1 || f.Flying() != 1 {
		t.Errorf("%d have it, %d are handed out", claimed.Load(), f.Flying())
	}
}

// What could not be asked for again is counted once, and never queued.
func TestCounts(t *testing.T) {
	f := open(t, storetest.NewMemory(), frontier.Breadth)
	sent := part("a", "/x POST 123")
	for range 2 {
		if err := f.Count(t.Context(), sent, frontier.Answer{Status: 201, Bytes: 7, Digest: "d", Seen: frontier.Seen{URI: "u"}}); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.Totals(); got.Parts != 1 || got.Bytes != 7 || got.Status["201"] != 1 {
		t.Errorf("%+v", got)
	}
	if knows, err := f.Knows(t.Context(), sent.Key); !knows || err != nil {
		t.Errorf("known: %t, %v", knows, err)
	}
	if knows, err := f.Knows(t.Context(), "a/other"); knows || err != nil {
		t.Errorf("another is known: %t, %v", knows, err)
	}
	if seen, ok, err := f.Payload(t.Context(), "d"); !ok || seen.URI != "u" || err != nil {
		t.Errorf("%+v, %t, %v", seen, ok, err)
	}
	if _, key := next(t, f, all); key != "" {
		t.Errorf("%s is handed out", key)
	}
}
