package replay_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/replay/replaytest"
)

// manyPages is a number of captures of one page above what the page cache holds, so that requesting them in turn
// never hits the cache.
const manyPages = 1200

// BenchmarkPageOf300 replays a page that refers to 300 URIs, two thirds of them archived, without the cache.
func BenchmarkPageOf300(b *testing.B) {
	var body strings.Builder
	body.WriteString("<!doctype html><title>300</title>")
	var list []replaytest.Typed
	for i := range 100 {
		fmt.Fprintf(&body, "<p>Paragraph %d of a page with some words in it <a href=/article/%d>an article</a> <img src=/image/%d.png> <a "+
			"href=http://elsewhere.example/%d>elsewhere</a>\n", i, i, i, i)
		list = append(list,
			replaytest.Typed{Date: "20140101000000", URI: fmt.Sprintf("http://a.example/article/%d", i), Kind: "text/html", Body: "<p>article"},
			replaytest.Typed{Date: "20140101000000", URI: fmt.Sprintf("http://a.example/image/%d.png", i), Kind: "image/png", Body: "\x89PNG"})
	}
	paths := make([]string, manyPages)
	start := time.Date(2014, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range paths {
		ts := start.Add(time.Duration(i) * time.Hour).Format("20060102150405")
		list = append(list, replaytest.Typed{Date: ts, URI: "http://a.example/", Kind: "text/html", Body: body.String()})
		paths[i] = "/web/" + ts + "/http://a.example/"
	}
	s, _ := replaytest.Serve(b, replaytest.WriteTyped(b, list))
	h := s.Handler()
	replaytest.Fetch(b, h, paths[0]) // learns the site, which happens once
	b.ResetTimer()
	load(b, h, paths...)
	b.ReportMetric(float64(body.Len()), "bytes")
}
