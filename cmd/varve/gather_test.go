package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWhatIsWatched(t *testing.T) {
	at := []place{
		{coll: "web", paths: []string{"/data/warcs/web", "/data/one.warc.gz", "/glob/*.warc.gz"}}, {coll: "news", paths: []string{"/news"}},
	}
	at[0].paths = append(at[0].paths, "s3://bucket/prefix/")
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

func TestGatheredFilesAreThoseThatAreComplete(t *testing.T) {
	g, err := (&program{common: common{Data: t.TempDir(), Collection: "web"}}).gather(t.Context(), "", "a")
	if err != nil {
		t.Fatal(err)
	}
	if files, err := g.files(t.Context()); len(files) > 0 || err != nil {
		t.Errorf("without a folder: %q, %v", files, err)
	}
	if err := os.MkdirAll(g.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.warc.gz", "b.warc.gz.open", "c.csv"} {
		if err := os.WriteFile(filepath.Join(g.dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := g.files(t.Context())
	if err != nil || len(files) != 1 || !filepath.IsAbs(files[0]) || filepath.Base(files[0]) != "a.warc.gz" {
		t.Errorf("%q, %v", files, err)
	}
}
