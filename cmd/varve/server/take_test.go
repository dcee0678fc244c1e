package server

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/access/pywb"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/archive/warc/remote"
)

func TestWhatIsWatched(t *testing.T) {
	at := []Place{
		{Coll: "web", Paths: []string{"/data/warcs/web", "/data/one.warc.gz", "/glob/*.warc.gz"}}, {Coll: "news", Paths: []string{"/news"}},
	}
	at[0].Paths = append(at[0].Paths, "s3://bucket/prefix/")
	for file, want := range map[string]bool{
		"s3://bucket/prefix/a.warc.gz": true, "s3://bucket/prefixes/a.warc.gz": false, "/s3:/bucket/prefix/a.warc.gz": false,
		"/data/warcs/web/a.warc.gz": true, "/data/warcs/web/deep/a.warc.gz": true, "/data/one.warc.gz": true,
		"/data/warcs/webs/a.warc.gz": false, "/data/warcs/a.warc.gz": false, "/news/a.warc.gz": false, "/elsewhere/a.warc.gz": false,
	} {
		if got := isWatched(at, "web", file); got != want {
			t.Errorf("%s: %v, want %v", file, got, want)
		}
	}
}

// A command isn't kept waiting for a file that the server watches but doesn't come to.
func TestWaitingForWhatIsWatchedEnds(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir(), nil)
	s.at = []Place{{Coll: "web", Paths: []string{"/watched"}}}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	got, err := s.take(ctx, "web", []string{"/watched/a.warc", "/watched/b.warc"})
	if err != nil || !strings.HasPrefix(got.Message, "the server will index 2 files") {
		t.Errorf("%q, %v", got.Message, err)
	}
}

func TestFilesOfAPywbCollection(t *testing.T) {
	one, two, listed := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "paths")
	for _, path := range []string{filepath.Join(one, "a.warc"), filepath.Join(two, "a.warc"), filepath.Join(two, "b[1].warc")} {
		put(t, path, nil)
	}
	put(t, listed, []byte("c.warc\t"+filepath.Join(two, "a.warc")+"\n"))
	find, err := open(t, t.TempDir(), nil).whereIn(&pywb.Collection{Archives: []string{one, two}, PathIndexes: []string{listed}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"a.warc": filepath.Join(one, "a.warc"), "b[1].warc": filepath.Join(two, "b[1].warc"), "c.warc": filepath.Join(two, "a.warc"),
		"b1.warc": "", "*.warc": "",
	} {
		if got := find(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// That index lines could not be taken over is said, unless the server ends.
func TestIndexLinesThatAreNotTakenOver(t *testing.T) {
	t.Parallel()
	lines := filepath.Join(t.TempDir(), "a.cdxj")
	put(t, lines, []byte(`com,example)/ 20140101000000 {"url":"http://example.com/","filename":"a.warc","offset":"0","length":"9"}`+"\n"))
	ended, end := context.WithCancel(t.Context())
	end()
	for _, ctx := range []context.Context{t.Context(), ended} {
		var said strings.Builder
		s, store := open(t, t.TempDir(), nil), kvtest.NewFaulty(kvtest.NewMemory())
		s.Stderr = &said
		var err error
		if s.index, err = index.New(t.Context(), store); err != nil {
			t.Fatal(err)
		}
		if s.Storage, err = remote.New(remote.Config{}); err != nil {
			t.Fatal(err)
		}
		store.FailAt(1)
		s.takeLines(ctx, Place{Coll: "web", lines: []string{lines}})
		if got := strings.Contains(said.String(), "could not be taken over"); got != (ctx != ended) {
			t.Errorf("ended: %t; said %s", ctx == ended, &said)
		}
		s.takeLines(t.Context(), Place{Coll: "web", lines: []string{lines}})
		if !strings.Contains(said.String(), "took over 1 index line") {
			t.Errorf("again: said %s", &said)
		}
	}
}

func TestWhatIsIndexedIsNotMissing(t *testing.T) {
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	for _, f := range []index.File{
		{Collection: "web", Path: "/done", Done: true, Imported: true},
		{Collection: "web", Path: "/begun"},
		{Collection: "news", Path: "/other", Done: true, Imported: true},
		{Collection: "web", Name: "unknown", Imported: true},
	} {
		if _, err := x.PutFile(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	if n := missing(x, "web", []string{"/done", "/begun", "/other", "/new", "/new"}); n != 3 {
		t.Errorf("%d files are missing", n)
	}
	if got := imported(x, "web"); !slices.Equal(got, []string{"/done"}) {
		t.Errorf("index lines named %q", got)
	}
	if got := allPaths([]Place{{Paths: []string{"a", "b"}}, {}, {Paths: []string{"c"}}}); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("all paths: %q", got)
	}
}
