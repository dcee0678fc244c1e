package archive_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// Rules of one collection say nothing of another that has the same pages.
func TestRulesPerCollection(t *testing.T) {
	const uri = "http://a.example/"
	shelf := archivetest.Keep(t, days(uri, "one", "two")...)
	path := filepath.Join(t.TempDir(), "other.warc")
	if err := os.WriteFile(path, archivetest.WARC(t, days(uri, "three")...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: shelf.Index, Collection: "other"}, []string{path}); err != nil {
		t.Fatal(err)
	}
	hidden, err := access.New([]access.Rule{{URL: uri, Access: access.Exclude}})
	if err != nil {
		t.Fatal(err)
	}
	policy := &access.Policy{}
	policy.Put(access.PerCollection(map[string]*access.Rules{"web": hidden, "third": nil}))
	a := over(t, archive.Config{Index: shelf.Index, Records: shelf, Access: policy})
	for coll, want := range map[string]int{"web": 0, "other": 1} {
		key := surt.Of(uri)
		tl, err := a.Timelines.Get(t.Context(), coll, key)
		if err != nil || len(tl.Captures) != want {
			t.Errorf("%s: a timeline of %d captures, want %d, %v", coll, len(tl.Captures), want, err)
		}
		n, err := a.Index.Count(t.Context(), cdx.Span{Coll: coll})
		if err != nil || n != int64(want) {
			t.Errorf("%s: %d are counted, want %d, %v", coll, n, want, err)
		}
		if n, err = a.Index.Total(t.Context(), coll); err != nil || n != int64(want) {
			t.Errorf("%s: %d in all, want %d, %v", coll, n, want, err)
		}
		keys := 0
		for range a.Index.Keys(t.Context(), coll, "", "") {
			keys++
		}
		if keys != want {
			t.Errorf("%s: %d keys, want %d", coll, keys, want)
		}
		for c, err := range shelf.Index.Captures(t.Context(), cdx.Span{Coll: coll}) {
			if err != nil {
				t.Fatal(err)
			}
			near := 0
			for range a.Index.Closest(t.Context(), coll, key, c.Time) {
				near++
			}
			if near != want {
				t.Errorf("%s: %d are near, want %d", coll, near, want)
			}
		}
	}
	for pattern, want := range map[string]string{uri: "[other]", "*.example": "[other]", "http://b.example/*": "[]", "no address*": "[]"} {
		if having, err := a.Having(t.Context(), pattern); err != nil || fmt.Sprint(having) != want {
			t.Errorf("%s is in %v, want %s, %v", pattern, having, want, err)
		}
	}
	folder := archivetest.Keep(t, days("http://a.example/f/", "one")...)
	if has, err := over(t, archive.Config{Index: folder.Index, Records: folder}).Captured(t.Context(), "web", "http://a.example/f/*"); !has {
		t.Errorf("a folder lacks its own page: %v", err)
	}
	given, giveUp := context.WithCancel(t.Context())
	giveUp()
	if having, err := a.Having(given, uri); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v, %v", having, err)
	}
}

func TestRulesOfNobodyAreNone(t *testing.T) {
	if !access.PerCollection(map[string]*access.Rules{"a": {}, "b": nil}).Empty() {
		t.Error("sets without rules are not empty")
	}
}
