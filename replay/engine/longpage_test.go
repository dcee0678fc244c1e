package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/engine"
	"github.com/varve-archive/varve/replay/replaytest"
	"github.com/varve-archive/varve/replay/respond"
)

// A page with very many captures reads what is around the one that is asked for, whoever was there before, and whatever has been
// indexed meanwhile.
func TestALongPageReadsItsNeighbourhood(t *testing.T) {
	const captures, most = 20_000, 200_000
	hour := func(i int) string {
		return cdx.FromTime(time.Date(2000, 1, 1, i, 0, 0, 0, time.UTC)).String()
	}
	page := func(from, to int) string {
		var list []replaytest.Record
		for i := from; i < to; i++ {
			body := fmt.Sprintf("<title>River</title><h1>Levels</h1><p>The level number %d was measured here today.", i/3)
			list = append(list, replaytest.Record{Date: hour(i), URI: "http://river.example/", Status: 200, Body: body})
		}
		return replaytest.Write(t, list)
	}
	x, reads := indextest.Counting(t)
	come := func(path string) {
		t.Helper()
		if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "web"}, []string{path}); err != nil {
			t.Fatal(err)
		}
		if err := serving(t, x).Archive().Timelines.Revalidate(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	come(page(0, captures))
	replaytest.Get(t, serving(t, x).Handler(), "/web/changes/http://river.example/") // somebody was there
	for _, arrived := range []int{0, 2, 1} {
		if arrived > 0 {
			come(page(captures+3*arrived, captures+3*arrived+2))
		}
		for _, tt := range []struct {
			path string
			want int
			has  string
		}{
			{"/web/" + hour(9001) + "/http://river.example/", http.StatusOK, `rel="successor-version"`},
			{"/web/" + hour(captures-1) + "/http://river.example/", http.StatusOK, `rel="predecessor-version"`},
			{"/web/" + hour(9001) + "id_/http://river.example/", http.StatusOK, "number 3000 was"},
			{"/web/http://river.example/", http.StatusFound, ""},
			{"/web/changes?url=http://river.example/&at=" + hour(9001), http.StatusOK, `"range":3000,"versions":`},
		} {
			s := serving(t, x)
			reads.Reset()
			a := replaytest.Get(t, s.Handler(), tt.path)
			if a.Code != tt.want || !strings.Contains(a.Body.String(), tt.has) {
				t.Errorf("%s: %d\n%s", tt.path, a.Code, a.Body)
			}
			if n := reads.Bytes.Load(); n > most {
				t.Errorf("%s after %d files: %d bytes read, %d values by key, %d by cursors", tt.path, arrived, n,
					reads.Gets.Load(), reads.Values.Load())
			}
		}
	}
}

// serving returns a server that knows nothing yet.
func serving(t *testing.T, x *index.Index) *replay.Server {
	t.Helper()
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { store.Close() })
	a := replaytest.Archive(t, archive.Config{Index: x, Records: store, Software: "varve of this test"})
	s, err := replay.New(replay.Config{Archive: a})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A page without the banner, because it couldn't be made, is not what others get. A reader who left before it was made gets none.
func TestNoPageWithoutItsBannerIsKept(t *testing.T) {
	srv, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: "http://a.example/", Status: 200, Body: "<!doctype html><p>a"},
	}))
	for name, fails := range map[string]func(context.CancelFunc) func(banner.Embeds) []byte{
		"not made": func(context.CancelFunc) func(banner.Embeds) []byte { return nil },
		"left": func(leave context.CancelFunc) func(banner.Embeds) []byte {
			return func(banner.Embeds) []byte { leave(); return nil }
		},
	} {
		asked := 0
		ctx, leave := context.WithCancel(t.Context())
		s := engine.New(srv.Archive(), respond.SiteAt(""), engine.Hooks{
			Banner: func(*http.Request, *respond.BannerRequest) func(banner.Embeds) []byte {
				if asked++; asked == 1 {
					return fails(leave)
				}
				return func(banner.Embeds) []byte { return []byte("BANNER") }
			},
		})
		get := func(ctx context.Context) *httptest.ResponseRecorder {
			const path = "/web/20150101000000/http://a.example/"
			w, r := httptest.NewRecorder(), httptest.NewRequest("GET", path, nil).WithContext(ctx)
			if err := s.Memento(w, r, respond.ParsePath(path)); err != ctx.Err() {
				t.Errorf("%s: %v", name, err)
			}
			return w
		}
		first, next, last := get(ctx), get(t.Context()), get(t.Context())
		if body := first.Body.String(); strings.Contains(body, "BANNER") || strings.Contains(body, "<p>a") != (name == "not made") {
			t.Errorf("%s: %s", name, body)
		}
		for _, w := range []*httptest.ResponseRecorder{next, last} {
			if !strings.Contains(w.Body.String(), "BANNER") {
				t.Errorf("%s: the next reader gets no banner", name)
			}
		}
		if asked != 2 {
			t.Errorf("%s: %d banners were made", name, asked)
		}
		if tag := first.Header().Get("ETag"); name == "not made" && (tag != "" || next.Header().Get("ETag") == "") {
			t.Errorf("the page without a banner has the tag %q, that with one %q", tag, next.Header().Get("ETag"))
		}
		if hold := first.Header().Get("Cache-Control"); name == "not made" && hold != "no-store" {
			t.Errorf("caches hold the page without a banner as %q allows", hold)
		}
		leave()
	}
}
