package frontier_test

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx/index/badger"
	"github.com/varve-archive/varve/cdx/index/store"
	"github.com/varve-archive/varve/cdx/index/storetest"
	"github.com/varve-archive/varve/crawl/frontier"
)

func open(t *testing.T, s store.Store, order frontier.Order) *frontier.Frontier {
	t.Helper()
	f, err := frontier.Open(t.Context(), s, order)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func page(host, path string, depth int) frontier.Item {
	return frontier.Item{Key: host + path, URL: "http://" + host + path, Host: host, Kind: frontier.Page, Depth: depth}
}

func part(host, path string) frontier.Item {
	item := page(host, path, 3)
	item.Kind = frontier.Part
	return item
}

func found(t *testing.T, f *frontier.Frontier, items ...frontier.Item) {
	t.Helper()
	if err := f.Found(t.Context(), frontier.Found{Items: items}); err != nil {
		t.Fatal(err)
	}
}

func all(frontier.Item) bool { return true }

// next returns what is handed out, "" for nothing.
func next(t *testing.T, f *frontier.Frontier, ready func(frontier.Item) bool) (frontier.Item, string) {
	t.Helper()
	item, ok, _, err := f.Next(t.Context(), ready)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return item, ""
	}
	return item, item.Key
}

func rest(t *testing.T, f *frontier.Frontier) string {
	t.Helper()
	var keys []string
	for {
		_, key := next(t, f, all)
		if key == "" {
			return strings.Join(keys, " ")
		}
		keys = append(keys, key)
	}
}

func TestOrder(t *testing.T) {
	for order, want := range map[frontier.Order]string{
		frontier.Breadth: "a/i b/1 a/1 b/2 a/2 a/3 a/4",
		frontier.Depth:   "a/i b/2 a/4 b/1 a/3 a/2 a/1",
	} {
		f := open(t, storetest.NewMemory(), order)
		found(t, f, page("a", "/1", 0), page("a", "/3", 1), page("a", "/2", 0), page("b", "/1", 2), page("b", "/2", 2),
			page("a", "/4", 1), part("a", "/i"))
		if got := rest(t, f); got != want {
			t.Errorf("%s: %s, want %s", order, got, want)
		}
	}
}

// Each key is handed out once, whatever is found again, while its item is asked for and when it is done.
func TestEachKeyOnce(t *testing.T) {
	f := open(t, storetest.NewMemory(), frontier.Breadth)
	found(t, f, page("a", "/1", 0), page("a", "/1", 3), page("a", "/2", 0))
	first, _ := next(t, f, all)
	found(t, f, page("a", "/1", 0))
	if err := f.Done(t.Context(), first, frontier.Answer{Status: 200, Bytes: 10}); err != nil {
		t.Fatal(err)
	}
	found(t, f, page("a", "/1", 0))
	if got := rest(t, f); got != "a/2" {
		t.Errorf("then %s", got)
	}
}

func TestHostsThatHaveToWait(t *testing.T) {
	f := open(t, storetest.NewMemory(), frontier.Breadth)
	found(t, f, page("a", "/1", 0), page("ab", "/1", 0), page("a:80", "/1", 0), page("b", "/1", 0))
	var offered []string
	_, ok, flying, err := f.Next(t.Context(), func(i frontier.Item) bool {
		offered = append(offered, i.Key)
		return false
	})
	slices.Sort(offered)
	if diff := cmp.Diff([]string{"a/1", "a:80/1", "ab/1", "b/1"}, offered); diff != "" || ok || flying != 0 || err != nil {
		t.Errorf("%d handed out, %v\n%s", flying, err, diff)
	}
	if _, key := next(t, f, func(i frontier.Item) bool { return i.Host == "b" }); key != "b/1" {
		t.Errorf("%s instead of b/1", key)
	}
	if f.Flying() != 1 {
		t.Errorf("%d are handed out", f.Flying())
	}
}

func TestAgainComesLast(t *testing.T) {
	for _, order := range []frontier.Order{frontier.Breadth, frontier.Depth} {
		f := open(t, storetest.NewMemory(), order)
		found(t, f, page("a", "/1", 0), page("a", "/2", 0), page("a", "/3", 5))
		var twice []frontier.Item
		for range 2 {
			item, _ := next(t, f, all)
			twice = append(twice, item)
		}
		for _, item := range twice {
			if err := f.Again(t.Context(), item); err != nil {
				t.Fatal(err)
			}
		}
		last, _ := next(t, f, all)
		if last.Tries != 0 {
			t.Errorf("%s: %+v comes before what wasn't tried", order, last)
		}
		for range 2 {
			if item, _ := next(t, f, all); item.Tries != 1 {
				t.Errorf("%s: %+v", order, item)
			}
		}
	}
}

// What is queued and not done is handed out again by the next process; what is done is not.
func TestTheNextProcess(t *testing.T) {
	dir := t.TempDir()
	openStore := func() store.Store {
		s, err := badger.Open(dir, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	f := open(t, openStore(), frontier.Breadth)
	var items []frontier.Item
	for i := range 1200 { // more than are written at once
		items = append(items, page("a", fmt.Sprintf("/%04d", i), 0))
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if err := f.Begin(t.Context(), frontier.Found{Items: items}, now); err != nil {
		t.Fatal(err)
	}
	first, _ := next(t, f, all)
	second, _ := next(t, f, all)
	seen := frontier.Seen{URI: first.URL, Time: now, File: "x.warc.gz"}
	err := errors.Join(
		f.Found(t.Context(), frontier.Found{
			Skipped: []frontier.Skip{
				{Key: "out", Reason: "scope"},
				{Key: "out", Reason: "scope"},
				{Key: "deep", Reason: frontier.Trap, Trap: "path", Now: true},
				{Key: "deep", Reason: frontier.Trap, Trap: "path", Now: true},
				{Key: "a/0005", Reason: "depth", Now: true},
			},
			Widen: "http://b/", DocKey: first.Key, Doc: []byte(`{"url":"x"}`),
		}),
		f.Done(t.Context(), first, frontier.Answer{Status: 200, Bytes: 10, Digest: "200 X", Seen: seen}),
		f.End(t.Context(), "", 2*time.Second), f.Sync(t.Context()), f.Close(),
	)
	if err != nil {
		t.Fatal(err)
	}
	f = open(t, openStore(), frontier.Breadth)
	defer f.Close()
	want := frontier.Totals{
		Pages: 1, Docs: 1, Bytes: 10, Skipped: map[string]int64{"scope": 1, "trap": 1}, Traps: map[string]int64{"path": 1},
		Status: map[string]int64{"200": 1}, Seconds: 2,
	}
	if diff := cmp.Diff(want, f.Totals()); diff != "" {
		t.Error(diff)
	}
	if !f.Begun().Equal(now) || f.Ended() != "" || !slices.Equal(f.Widens(), []string{"http://b/"}) {
		t.Errorf("begun %s, ended %q, widens %v", f.Begun(), f.Ended(), f.Widens())
	}
	if got, ok, err := f.Payload(t.Context(), "200 X"); err != nil || !ok || got != seen {
		t.Errorf("%+v, %t, %v", got, ok, err)
	}
	if _, ok, err := f.Queued(t.Context(), first.Key); ok || err != nil {
		t.Errorf("what is done is queued: %v", err)
	}
	again, ok, err := f.Queued(t.Context(), second.Key)
	if err != nil || !ok || again.URL != second.URL {
		t.Errorf("%+v, %t, %v", again, ok, err)
	}
	if err := f.Done(t.Context(), again, frontier.Answer{Status: 404}); err != nil {
		t.Fatal(err)
	}
	found(t, f, page("deep", "", 0)) // on another way
	keys := strings.Fields(rest(t, f))
	if len(keys) != 1199 || slices.Contains(keys, first.Key) || slices.Contains(keys, second.Key) || !slices.Contains(keys, "deep") {
		t.Errorf("%d items are left", len(keys))
	}
	if err := f.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := f.Payload(t.Context(), "200 X"); !ok || !f.Begun().IsZero() || rest(t, f) != "" || f.Totals().Pages != 0 {
		t.Error("begun anew, it has more or less than its payloads")
	}
}
