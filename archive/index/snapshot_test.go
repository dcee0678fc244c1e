package index

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/cdx"
)

// A snapshot answers as the index does, for more than was prefetched too, and a store that fails makes it fail.
func TestASnapshotAnswersAsTheIndexDoes(t *testing.T) {
	t.Parallel()
	faulty := kvtest.NewFaulty(kvtest.NewMemory())
	x, err := New(t.Context(), faulty)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	f := File{Collection: "web", Name: "a.warc", Path: "/a.warc"}
	if f.ID, err = x.PutFile(ctx, f); err != nil {
		t.Fatal(err)
	}
	w := x.Writer(ctx, "web")
	for i := range 40 {
		c := cdx.Capture{
			Key: "example,a)/", URL: "http://a.example/", Status: 200, Time: cdx.Timestamp(20200101000000 + i/4),
			Location: cdx.Location{File: f.ID, Offset: int64(100 * i), Length: 90},
		}
		if err := w.Add(&c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	f.Done, f.Scanned = true, 1<<20
	if _, err := x.PutFile(ctx, f); err != nil {
		t.Fatal(err)
	}
	name := CacheName{Coll: "web", Key: "example,a)/", Sort: 2}
	err = x.Cache().Put(ctx, &CacheEntry{
		Name: name, Generation: x.Generation(), Head: []byte("head"), Parts: []CachePart{{Number: 1, Value: []byte("part")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	all := cdx.Span{Coll: "web", From: "example,a)/", Exact: true}
	var spans []cdx.Span
	for _, since := range []cdx.Timestamp{0, 20200101000003} {
		for _, until := range []cdx.Timestamp{0, 20200101000007} {
			up := all
			up.Since, up.Until = since, until
			down := up
			down.Reverse = true
			spans = append(spans, up, down)
		}
	}
	prefetch := Prefetch{Cached: []CacheName{name}}
	var want []string
	for i, s := range spans {
		prefetch.Spans = append(prefetch.Spans, PrefetchSpan{Span: s, Most: 1 + i%3, Counted: i%4 == 3})
		want = append(want, said(t, x.Captures(ctx, s)))
		n, err := x.Count(ctx, s)
		want = append(want, fmt.Sprint(n, err))
	}
	want = append(want, "head", "part")
	read := func() (got []string, err error) {
		var cached *Cached
		err = x.Read(ctx, prefetch, func(snap *Snapshot) error {
			for _, s := range spans {
				line := ""
				for c, err := range snap.Captures(s) {
					if err != nil {
						return err
					}
					line += fmt.Sprint(c.Time, ":", c.Offset, " ")
				}
				n, err := snap.Count(s)
				if err != nil {
					return err
				}
				got = append(got, line, fmt.Sprint(n, err))
			}
			k, err := snap.Cached(name)
			if k != nil && k.Fresh() {
				cached = k
			}
			return err
		})
		if err != nil || cached == nil {
			return got, err
		}
		parts := []uint64{1}
		err = x.Cache().Reopen(ctx, cached, parts, func(k *Cached) error {
			return k.Parts(parts, func(_ int, v []byte) error { got = append(got, string(k.Head), string(v)); return nil })
		})
		return got, err
	}
	faulty.FailAt(0)
	got, err := read()
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("got %q, %v\nwant %q", got, err, want)
	}
	for n := range len(faulty.Steps()) {
		faulty.FailAt(n + 1)
		got, err := read()
		if whole := err == nil && slices.Equal(got, want); !whole && !errors.Is(err, kvtest.ErrFault) { // what follows may fail
			t.Errorf("with a fault at step %d: %q, %v", n+1, got, err)
		}
	}
	faulty.FailAt(0)
	if err := x.RemoveFiles(ctx, f.ID); err != nil && !errors.Is(err, kv.ErrNoKey) {
		t.Fatal(err)
	}
	got, err = read()
	if err != nil || slices.ContainsFunc(got, func(s string) bool { return s != "" && s != "0 <nil>" }) {
		t.Errorf("after all was removed: %q, %v", got, err)
	}
}

func said(t *testing.T, captures func(func(*cdx.Capture, error) bool)) (line string) {
	t.Helper()
	for c, err := range captures {
		if err != nil {
			t.Fatal(err)
		}
		line += fmt.Sprint(c.Time, ":", c.Offset, " ")
	}
	return line
}
