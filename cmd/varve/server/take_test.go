package server

import "testing"

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
