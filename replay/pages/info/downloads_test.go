package info_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

// partsServer serves a page with parts that have parts, under access rules.
func partsServer(t *testing.T, rules string) *replay.Server {
	t.Helper()
	ok := func(kind, body string) string { return "HTTP/1.1 200 OK\r\nContent-Type: " + kind + "\r\n\r\n" + body }
	day := func(n int) string { return fmt.Sprintf("2012-01-%02dT00:00:00Z", n) }
	var file string
	for _, r := range [][3]string{
		{"", day(1), ok("text/html", `<!doctype html><title>Outer</title><link rel=stylesheet href=a.css><iframe src=/frame></iframe>`+
			`<img src=moved.png><script src=deep.js></script><a href=/elsewhere>on</a>`)},
		{"a.css", day(2), ok("text/css", `@import "b.css"; p { background: url(p.png) }`)},
		{"b.css", day(3), ok("text/css", `@import "a.css"; q { background: url(never.png) }`)},
		{"p.png", day(9), ok("image/png", "far")},
		{"p.png", day(1), ok("image/png", "near")},
		{"frame", day(20), ok("text/html", `<!doctype html><title>Frame</title><img src=inner.png>`)},
		{"inner.png", day(2), ok("image/png", "old")},
		{"inner.png", day(21), ok("image/png", "of the frame's day")},
		{"moved.png", day(1), "HTTP/1.1 302 Found\r\nLocation: http://a.example/there.png\r\nContent-Length: 0\r\n\r\n"},
		{"there.png", day(1), ok("image/png", "there")},
		{"deep.js", day(1), ok("text/javascript", `import("./module.js")`)},
		{"module.js", day(1), ok("text/javascript", `export default 1`)},
		{"elsewhere", day(1), ok("text/html", `<!doctype html>a page of its own`)},
		{"old", day(1), "HTTP/1.1 301 Moved\r\nLocation: http://a.example/\r\nContent-Length: 0\r\n\r\n"},
		{"cut", day(1), ok("text/html", "cut off")},
	} {
		file += replaytest.ResponseText("http://a.example/"+r[0], r[1], "", r[2])
	}
	policy := &access.Policy{}
	policy.Put(archivetest.Rules(t, rules))
	return serveFile(t, "parts.warc", file[:len(file)-7], policy)
}

func TestPartsOfPartsAreFound(t *testing.T) {
	var got []string
	for _, p := range infoOf(t, partsServer(t, ""), "20120101000000", "http://a.example/").Parts.List {
		at := "never"
		if p.Drift != nil {
			at = fmt.Sprint(*p.Drift / 86400)
		}
		got = append(got, strings.TrimPrefix(p.URIR, "http://a.example/")+" "+at)
	}
	want := []string{
		"a.css 1", "frame 19", "moved.png 0", "deep.js 0", "b.css 2", "p.png 0", "inner.png 20", "module.js 0", "never.png never",
	}
	slices.Sort(got[4:])
	slices.Sort(want[4:])
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestPartsThatMayNotBeReadMayHaveOthers(t *testing.T) {
	s := partsServer(t, `rules: [{url: "http://a.example/frame", access: block}, {url: "http://a.example/deep.js", access: block}]`)
	if p := infoOf(t, s, "20120101000000", "http://a.example/").Parts; p.Total != 7 || p.Unread != 2 || !p.More {
		t.Errorf("%d parts, %d unread, more: %t", p.Total, p.Unread, p.More)
	}
}

// downloaded returns the records of a WARC: type, path of the URI and day.
func downloaded(t *testing.T, content []byte) (records []string) {
	t.Helper()
	for rec, err := range warc.Scan(t.Context(), inMemory{bytes.NewReader(content)}, "out.warc.gz", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, rec.Block); err != nil {
			t.Fatal(err)
		}
		if rec.Type == "response" {
			records = append(records, strings.TrimPrefix(rec.TargetURI, "http://a.example/")+" "+rec.Date.String()[6:8])
		}
	}
	return records
}

type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

const outer = "/web/20120101000000/info?url=http%3A%2F%2Fa.example%2F"

func TestARecordIsDownloaded(t *testing.T) {
	w := replaytest.Get(t, partsServer(t, "").Handler(), outer+"&download=warc", "Accept", "text/html")
	h := w.Header()
	if w.Code != 200 || h.Get("Content-Type") != "application/gzip" || h.Get("Access-Control-Allow-Origin") != "" ||
		h.Get("Content-Disposition") != `attachment; filename="a.example-20120101000000.warc.gz"` {
		t.Fatalf("%d %v", w.Code, h)
	}
	if got := downloaded(t, w.Body.Bytes()); !slices.Equal(got, []string{" 01"}) {
		t.Errorf("got %q", got)
	}
}

// packaged returns the records of a WACZ, and its list of pages.
func packaged(t *testing.T, content []byte) (records []string, pages string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		switch filepath.Dir(f.Name) {
		case "archive":
			records = downloaded(t, text)
		case "pages":
			pages = string(text)
		}
	}
	return records, pages
}

func TestAPageIsDownloadedWithItsParts(t *testing.T) {
	s := partsServer(t, `rules: [{url: "http://a.example/there.png", access: exclude}, {url: "http://a.example/module.js", access: block}]`)
	parts := []string{"a.css 02", "b.css 03", "deep.js 01", "frame 20", "inner.png 21", "moved.png 01", "p.png 01"}
	for page, first := range map[string]string{outer: " 01", strings.Replace(outer, "example%2F", "example%2Fold", 1): "old 01"} {
		w := replaytest.Get(t, s.Handler(), page+"&download=wacz")
		if w.Code != 200 || !strings.HasSuffix(w.Header().Get("Content-Disposition"), `-20120101000000.wacz"`) {
			t.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
		}
		got, pages := packaged(t, w.Body.Bytes())
		if len(got) == 0 || got[0] != first {
			t.Fatalf("%s: got %q", page, got)
		}
		rest := got[1:]
		if first != " 01" { // a redirect to the page
			rest = rest[1:]
		}
		slices.Sort(rest)
		if !slices.Equal(rest, parts) {
			t.Errorf("%s: got  %q\nwant %q", page, rest, parts)
		}
		if strings.Count(pages, "\n") != 2 || !strings.Contains(pages, `"Outer"`) {
			t.Errorf("%s: pages: %s", page, pages)
		}
	}
}

func TestDownloadsThatCannotBe(t *testing.T) {
	s := partsServer(t, `rules: [{url: "http://a.example/frame", access: block}, {url: "http://a.example/elsewhere", access: exclude}]`)
	for path, want := range map[string]int{
		outer + "&download=exe": 400,
		"/web/20120101000000/info?download=warc&url=http%3A%2F%2Fa.example%2Fcut":       503,
		"/web/20120101000000/info?download=wacz&url=http%3A%2F%2Fa.example%2Fcut":       503,
		"/web/20120120000000/info?download=warc&url=http%3A%2F%2Fa.example%2Fframe":     451,
		"/web/20120101000000/info?download=wacz&url=http%3A%2F%2Fa.example%2Felsewhere": 404,
	} {
		if w := replaytest.Get(t, s.Handler(), path); w.Code != want || strings.HasPrefix(w.Header().Get("Content-Type"), "application/") {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	near := strings.Replace(outer, "20120101", "20120102", 1) + "&download=warc"
	if w := replaytest.Get(t, s.Handler(), near); w.Code != http.StatusFound || w.Header().Get("Location") != outer+"&download=warc" {
		t.Errorf("%s: %d %s", near, w.Code, w.Header().Get("Location"))
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodHead, outer+"&download=wacz", nil))
	if w.Code != http.StatusOK || w.Body.Len() > 0 {
		t.Errorf("HEAD: %d %d bytes", w.Code, w.Body.Len())
	}
}

// Whatever operation of the index's store fails, no answer is wrong.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	replaytest.NewFaults(t, replaytest.Counted()).Ask(
		"/web/2012/info?url=" + replaytest.CountedPage,
	)
	const uriR, date = "http://a.example/", "20120101000000"
	replaytest.NewFaults(t, []replaytest.Record{
		{Date: date, URI: uriR, Status: 200, Body: "<!doctype html><iframe src=outer></iframe>"},
		{Date: date, URI: uriR + "outer", Status: 200, Body: "<!doctype html><iframe src=inner></iframe>"},
		{Date: date, URI: uriR + "inner", Status: 200, Body: "<!doctype html><p>a frame in a frame"},
	}).Ask("/web/"+date+"/info?url="+uriR, "/web/"+date+"/info?download=wacz&url="+uriR)
}
