package engine_test

import (
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/replay/replaytest"
)

const film = "0123456789abcdefghijklmnopqrstuvwxyz"

// filmPart returns the answer to a player's request for a part of the film.
func filmPart(date, uri string, first, last int) replaytest.Verbatim {
	body := film[first : last+1]
	return replaytest.Verbatim{Date: date, URI: uri, Message: fmt.Sprintf("HTTP/1.1 206 Partial Content\r\nContent-Type: video/mp4\r\n"+
		"Content-Range: bytes %d-%d/%d\r\nContent-Length: %d\r\n\r\n%s", first, last, len(film), len(body), body)}
}

func servesFilm(t *testing.T) http.Handler {
	t.Helper()
	const whole, parts, late = "http://a.example/whole.mp4", "http://a.example/parts.mp4", "http://a.example/late.mp4"
	packed := gzipped(t, film)
	s, _ := replaytest.Serve(t, replaytest.WriteVerbatim(t, []replaytest.Verbatim{
		{Date: "20150101000000", URI: "http://a.example/plain.mp4", Message: "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n" + film},
		filmPart("20150101000000", whole, 0, len(film)-1),
		filmPart("20150101000000", parts, 0, 9),
		filmPart("20150101000001", parts, 20, 29),
		filmPart("20150101000002", parts, 10, 19),
		filmPart("20150101000000", late, 0, 9),
		filmPart("20150301000000", late, 10, 19), // another visit
		{
			Date: "20150101000000", URI: "http://a.example/cut.mp4",
			Message: "HTTP/1.1 206 Partial Content\r\nContent-Type: video/mp4\r\nContent-Range: bytes 0-35/36\r\n\r\n" + film[:20],
		},
		{
			Date: "20150101000000", URI: "http://a.example/gone.mp4",
			Message: "HTTP/1.1 404 Not Found\r\nContent-Type: video/mp4\r\nContent-Range: bytes 0-35/36\r\n\r\n" + film,
		},
		{
			Date: "20150101000000", URI: "http://a.example/whole.css",
			Message: message(206, "Content-Type: text/css\r\nContent-Range: bytes 0-11/12\r\n", "b{color:red}"),
		},
		{
			Date: "20150101000000", URI: "http://a.example/whole.gz",
			Message: message(206, fmt.Sprintf("Content-Type: video/mp4\r\nContent-Encoding: gzip\r\nContent-Range: bytes 0-%d/%d\r\n",
				len(packed)-1, len(packed)), packed),
		},
		{ // part of another film
			Date: "20150101000003", URI: parts,
			Message: "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 30-35/99\r\n\r\nuvwxyz",
		},
	}))
	return s.Handler()
}

func TestRangesOfCaptures(t *testing.T) {
	s := servesFilm(t)
	for _, test := range []struct {
		name, path, asked  string
		status             int
		contentRange, body string
		mementoDatetime    string
	}{
		{"a part of a 200", "/web/20150101000000/http://a.example/plain.mp4", "bytes=10-19", 206, "bytes 10-19/36", film[10:20], ""},
		{"to the end", "/web/20150101000000/http://a.example/plain.mp4", "bytes=30-", 206, "bytes 30-35/36", film[30:], ""},
		{"the last bytes", "/web/20150101000000/http://a.example/plain.mp4", "bytes=-5", 206, "bytes 31-35/36", film[31:], ""},
		{"more than there is", "/web/20150101000000/http://a.example/plain.mp4", "bytes=30-99", 206, "bytes 30-35/36", film[30:], ""},
		{"more last bytes than there are", "/web/20150101000000/http://a.example/plain.mp4", "bytes=-99", 206, "bytes 0-35/36", film, ""},
		{"behind the end", "/web/20150101000000/http://a.example/plain.mp4", "bytes=36-", 416, "bytes */36", "", ""},
		{"another unit", "/web/20150101000000/http://a.example/plain.mp4", "lines=1-2", 200, "", film, ""},
		{"bad syntax", "/web/20150101000000/http://a.example/plain.mp4", "bytes=9-3", 200, "", film, ""},
		{
			"more ranges than anybody needs", "/web/20150101000000/http://a.example/plain.mp4",
			"bytes=0-0" + strings.Repeat(",2-2", 16), 200, "", film, "",
		},
		{"a 206 that has all, asked plainly", "/web/20150101000000/http://a.example/whole.mp4", "", 200, "", film, ""},
		{"a 206 that has all, asked badly", "/web/20150101000000/http://a.example/whole.mp4", "bytes=9-3", 200, "", film, ""},
		{"a style sheet", "/web/20150101000000cs_/http://a.example/whole.css", "", 200, "", "b{color:red}", ""},
		{"a style sheet, which is rewritten", "/web/20150101000000cs_/http://a.example/whole.css", "bytes=0-", 200, "", "b{color:red}", ""},
		{"a style sheet raw", "/web/20150101000000id_/http://a.example/whole.css", "bytes=0-", 206, "bytes 0-11/12", "b{color:red}", ""},
		{"what was compressed", "/web/20150101000000/http://a.example/whole.gz", "bytes=0-9", 206, "bytes 0-9/36", film[:10], ""},
		{"what was compressed, asked plainly", "/web/20150101000000/http://a.example/whole.gz", "", 200, "", film, ""},
		{"an error that claims to have all", "/web/20150101000000/http://a.example/gone.mp4", "", 404, "bytes 0-35/36", film, ""},
		{"a whole 206 raw", "/web/20150101000000id_/http://a.example/whole.mp4", "", 206, "bytes 0-35/36", film, ""},
		{"a part of a 206", "/web/20150101000000/http://a.example/whole.mp4", "bytes=10-19", 206, "bytes 10-19/36", film[10:20], ""},
		{"a 206 that was cut off", "/web/20150101000000/http://a.example/cut.mp4", "bytes=10-29", 206, "bytes 10-19/36", film[10:20], ""},
		{"a part of a 206, raw", "/web/20150101000000id_/http://a.example/whole.mp4", "bytes=10-19", 206, "bytes 10-19/36", film[10:20], ""},
		{"a 206 asked plainly", "/web/20150101000000/http://a.example/parts.mp4", "", 206, "bytes 0-9/36", film[:10], ""},
		{"all, of which a part is there", "/web/20150101000000/http://a.example/parts.mp4", "bytes=0-", 206, "bytes 0-9/36", film[:10], ""},
		{"within a part", "/web/20150101000000/http://a.example/parts.mp4", "bytes=3-5", 206, "bytes 3-5/36", film[3:6], ""},
		{
			"in another capture", "/web/20150101000000/http://a.example/parts.mp4", "bytes=12-", 206, "bytes 12-19/36", film[12:20],
			"Thu, 01 Jan 2015 00:00:02 GMT",
		},
		{
			"in a third one", "/web/20150101000000/http://a.example/parts.mp4", "bytes=20-35", 206, "bytes 20-29/36", film[20:30],
			"Thu, 01 Jan 2015 00:00:01 GMT",
		},
		{"in none, for that film has another length", "/web/20150101000000/http://a.example/parts.mp4", "bytes=30-", 416, "bytes */36", "", ""},
		{"raw bytes are those of the capture", "/web/20150101000000id_/http://a.example/parts.mp4", "bytes=12-", 416, "bytes */36", "", ""},
		{"in a capture of another visit", "/web/20150101000000/http://a.example/late.mp4", "bytes=12-", 416, "bytes */36", "", ""},
	} {
		var header []string
		if test.asked != "" {
			header = []string{"Range", test.asked}
		}
		w := replaytest.Get(t, s, test.path, header...)
		if w.Code != test.status || w.Header().Get("Content-Range") != test.contentRange || w.Body.String() != test.body {
			t.Errorf("%s: %d %q %q", test.name, w.Code, w.Header().Get("Content-Range"), w.Body)
		}
		if got := w.Header().Get("Memento-Datetime"); test.mementoDatetime != "" && got != test.mementoDatetime {
			t.Errorf("%s: Memento-Datetime: %s", test.name, got)
		}
	}
}

// Several ranges must be sent as multipart/byteranges, in the requested order (RFC 9110 §15.3.7.2).
func TestSeveralRanges(t *testing.T) {
	s := servesFilm(t)
	for path, want := range map[string][]string{
		"/web/20150101000000/http://a.example/plain.mp4":   {"bytes 30-31/36 uv", "bytes 0-2/36 012", "bytes 35-35/36 z"},
		"/web/20150101000000/http://a.example/whole.mp4":   {"bytes 30-31/36 uv", "bytes 0-2/36 012", "bytes 35-35/36 z"},
		"/web/20150101000000id_/http://a.example/late.mp4": {"bytes 0-2/36 012"},
	} {
		w := replaytest.Get(t, s, path, "Range", "bytes=30-31, 0-2,-1, 77-")
		if w.Code != http.StatusPartialContent {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		if diff := cmp.Diff(want, partsOf(t, w.Header(), w.Body)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

// partsOf returns the parts of an answer, each with its Content-Range.
func partsOf(t *testing.T, h http.Header, body io.Reader) []string {
	t.Helper()
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if kind != "multipart/byteranges" {
		b, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		return []string{h.Get("Content-Range") + " " + string(b)}
	}
	var out []string
	for r := multipart.NewReader(body, params["boundary"]); ; {
		p, err := r.NextPart()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(p)
		if err != nil || p.Header.Get("Content-Type") != "video/mp4" {
			t.Fatal(err, p.Header)
		}
		out = append(out, p.Header.Get("Content-Range")+" "+string(b))
	}
}

// A range holds only if the client has the rest of the same bytes (RFC 9110 §13.1.5).
func TestIfRange(t *testing.T) {
	s := servesFilm(t)
	const path = "/web/20150101000000id_/http://a.example/plain.mp4"
	tag := replaytest.Get(t, s, path).Header().Get("ETag")
	for asked, status := range map[string]int{
		tag: 206, `"another"`: 200, "W/" + tag: 200, "Thu, 01 Jan 2015 00:00:00 GMT": 200,
	} {
		if w := replaytest.Get(t, s, path, "Range", "bytes=0-1", "If-Range", asked); tag == "" || w.Code != status {
			t.Errorf("If-Range: %s: %d, want %d", asked, w.Code, status)
		}
	}
}
