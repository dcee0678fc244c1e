package archive_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, s)
	_ = w.Close()
	return b.String()
}

func read(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestOpenReadsHeadAndBody(t *testing.T) {
	tests := []struct {
		name   string
		record archivetest.Record
		status int
		length int64
		kind   string // Content-Type
		body   string
	}{
		{"a page", archivetest.Record{Body: "<p>text"}, 200, 7, "text/html; charset=utf-8", "<p>text"},
		{"a 404", archivetest.Record{Status: 404, Body: "gone"}, 404, 4, "text/html; charset=utf-8", "gone"},
		{"two types", archivetest.Record{Head: "Content-Type: text/plain\nContent-Type: text/odd\n", Body: "a"}, 200, 1, "text/odd", "a"},
		{
			"a chunked body, whose length nobody knows",
			archivetest.Record{Head: "Transfer-Encoding: chunked\n", Body: "3\r\nabc\r\n0\r\n\r\n"},
			200, -1, "text/html; charset=utf-8", "abc",
		},
		{
			"a resource is its block",
			archivetest.Record{Type: "resource", Fields: "Content-Type: text/plain\n", Block: "notes"},
			200, 5, "text/plain", "notes",
		},
		{
			"a conversion is its block",
			archivetest.Record{Type: "conversion", Fields: "Content-Type: image/png\n", Block: "png"},
			200, 3, "image/png", "png",
		},
		{
			"a response without a head",
			archivetest.Record{Fields: "Content-Type: application/http\n", Block: "<p>bare"},
			200, 7, "", "<p>bare",
		},
		{
			"a head without a status line",
			archivetest.Record{Fields: "Content-Type: application/http\n", Block: "Content-Type: text/html\r\n\r\n<p>bare"},
			200, 7, "text/html", "<p>bare",
		},
		{
			"a status line without a status",
			archivetest.Record{Fields: "Content-Type: application/http\n", Block: "HTTP/1.1 OK\r\nContent-Type: text/html\r\n\r\n<p>bare"},
			200, 7, "text/html", "<p>bare",
		},
		{
			"a response that is no HTTP",
			archivetest.Record{URI: "ftp://a.example/notes", Fields: "Content-Type: text/plain\n", Block: "notes"},
			200, 5, "text/plain", "notes",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.record.Date = day(0); tt.record.URI == "" {
				tt.record.URI = page
			}
			s, shelf := open(t, tt.record)
			a, err := s.Open(t.Context(), shelf.Capture(t, day(0), tt.record.URI))
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			if a.Status != tt.status || a.Length != tt.length || a.Header.Get("Content-Type") != tt.kind {
				t.Errorf("status %d, length %d, type %q", a.Status, a.Length, a.Header.Get("Content-Type"))
			}
			if got := read(t, a.Body); got != tt.body {
				t.Errorf("body %q", got)
			}
		})
	}
}

// Heads are joined where the revisit's says only that nothing has changed.
func TestTheHeadOfARevisit(t *testing.T) {
	const profile = "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/"
	const identical, notModified = profile + "identical-payload-digest\n", profile + "server-not-modified\n"
	const names = "WARC-Refers-To-Target-URI: " + page + "\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\nContent-Type: application/http\n"
	original := archivetest.Record{
		Date: day(0), URI: page, Fields: "Content-Type: application/http\n",
		Block: "HTTP/1.1 302 Found\r\nLocation: /first\r\nRefresh: 1\r\nSet-Cookie: a=1\r\nContent-Type: text/html\r\n\r\n<p>text",
	}
	for name, c := range map[string]struct {
		fields, block string
		status        int
		header        map[string]string
	}{
		"its own": {identical, "HTTP/1.1 301 Moved\r\nLocation: /second\r\n\r\n", 301, map[string]string{"Location": "/second"}},
		"of an answer": {
			identical, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", 200, map[string]string{"Content-Type": "text/plain"},
		},
		"of an error": {identical, "HTTP/1.1 503 Busy\r\nRetry-After: 1\r\n\r\n", 503, map[string]string{"Retry-After": "1"}},
		"not modified": {
			notModified, "HTTP/1.1 304 Not Modified\r\nSet-Cookie: a=2\r\nX-Third: 3\r\n" +
				"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n", 302,
			map[string]string{"Location": "/first", "Refresh": "1", "Set-Cookie": "a=2", "Content-Type": "text/html", "X-Third": "3"},
		},
		"none": {
			identical, "\r\n", 302, map[string]string{"Location": "/first", "Refresh": "1", "Set-Cookie": "a=1", "Content-Type": "text/html"},
		},
	} {
		s, shelf := open(t, original, archivetest.Record{Date: day(1), URI: page, Type: "revisit", Fields: c.fields + names, Block: c.block})
		a, err := s.Open(t.Context(), shelf.Capture(t, day(1), page))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, f := range a.Header {
			got[f.Name] = f.Value
		}
		if body := read(t, a.Body); body != "<p>text" || a.Status != c.status || !maps.Equal(got, c.header) {
			t.Errorf("%s: %d, %q, %q", name, a.Status, got, body)
		}
		a.Close()
	}
}

func TestARevisitHasItsOwnHeadersAndTheBodyOfItsOriginal(t *testing.T) {
	original := archivetest.Record{Date: day(0), URI: page, Head: "Server: old\nLast-Modified: then\nContent-Language: de\n", Body: "<p>text"}
	revisit := archivetest.Record{
		Date: day(1), URI: page, Type: "revisit", Body: "<p>text", Head: "Server: new\nContent-Length: 0\nContent-Type: text/odd\nX-Only: 1\n",
		Fields: "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\n",
	}
	headless := archivetest.Record{Date: day(2), URI: page, Type: "revisit", Fields: revisit.Fields +
		"WARC-Refers-To-Target-URI: " + page + "\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\nContent-Type: application/http\n", Block: "\n"}
	s, shelf := open(t, original, revisit, headless)
	a, err := s.Open(t.Context(), shelf.Capture(t, day(1), page))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if got := read(t, a.Body); got != "<p>text" || a.Status != 200 || a.Length != 7 {
		t.Errorf("body %q, status %d, length %d", got, a.Status, a.Length)
	}
	for name, want := range map[string]string{
		"Server": "new", "X-Only": "1", "Last-Modified": "", "Content-Language": "",
		"Content-Type": "text/odd", "Content-Length": "",
	} {
		if got := strings.Join(a.Header.All(name), ","); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	bare, err := s.Open(t.Context(), shelf.Capture(t, day(2), page))
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Close()
	if got := read(t, bare.Body); got != "<p>text" || bare.Header.Get("Server") != "old" {
		t.Errorf("a revisit without a head: body %q, Server %q", got, bare.Header.Get("Server"))
	}
	for _, broken := range []string{day(0), day(1)} {
		shelf.Mend()
		shelf.Break(t, broken, page)
		var unreadable *archive.UnreadableError
		if _, err := s.Open(t.Context(), shelf.Capture(t, day(1), page)); !errors.As(err, &unreadable) || !errors.Is(err, archivetest.ErrBroken) {
			t.Errorf("without the record of %s: error %v", broken, err)
		}
	}
}

func TestACaptureFromAnotherArchiveSaysSo(t *testing.T) {
	const original, revisit = "https://web.archive.example/web/20200101000000/" + page, "https://other.example/1/" + page
	s, shelf := open(
		t,
		archivetest.Record{Date: day(0), URI: page, Body: "<p>text", Fields: "WARC-Source-URI: " + original + "\n"},
		archivetest.Record{
			Date: day(1), URI: page, Type: "revisit", Body: "<p>text", Fields: "WARC-Source-URI: " + revisit +
				"\nWARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\n",
		},
		archivetest.Record{Date: day(2), URI: page, Body: "<p>our own"},
		archivetest.Record{Date: day(3), URI: page, Body: "<p>whose?", Fields: "WARC-Source-URI: http://[\n"},
	)
	for at, want := range map[string][2]string{
		day(0): {original, "web.archive.example"}, day(1): {revisit, "other.example"}, day(2): {}, day(3): {"http://[", ""},
	} {
		a, err := s.Open(t.Context(), shelf.Capture(t, at, page))
		if err != nil {
			t.Fatal(err)
		}
		a.Close()
		if got := [2]string{a.Source, a.SourceHost()}; got != want {
			t.Errorf("%s: source %q, want %q", at, got, want)
		}
	}
}

func TestWhatCannotBeReadSaysWhichFile(t *testing.T) {
	s, shelf := open(t, days(page, "text")...)
	shelf.Break(t, day(0), page)
	c := shelf.Capture(t, day(0), page)
	want := "the file records.warc, which holds this capture, can't be read now: " + archivetest.ErrBroken.Error()
	if _, err := s.Open(t.Context(), c); err == nil || err.Error() != want {
		t.Errorf("open: %v", err)
	}
	if _, err := s.Reread(t.Context(), c, false); err == nil || err.Error() != want {
		t.Errorf("reread: %v", err)
	}
	if err := s.Reopen(t.Context(), &archive.Response{Capture: c}); err == nil || err.Error() != want {
		t.Errorf("reopen: %v", err)
	}
	if _, err := s.Text(t.Context(), c); err == nil || err.Error() != want {
		t.Errorf("text: %v", err)
	}
}

func TestCodingIsTheContentEncoding(t *testing.T) {
	for value, want := range map[string]string{
		"": "", "gzip": "gzip", "GZip": "gzip", " br ,": "br", "identity": "", "Identity, ": "", "gzip, br": "gzip, br",
	} {
		a := &archive.Response{Header: warc.Fields{{Name: "Content-Encoding", Value: value}}}
		if got := a.Coding(); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
	twice := &archive.Response{Header: warc.Fields{{Name: "Content-Encoding", Value: "gzip"}, {Name: "Content-Encoding", Value: "br"}}}
	if got := twice.Coding(); got != "gzip,br" {
		t.Errorf("two fields: %q", got)
	}
}

func TestDecodedBodies(t *testing.T) {
	packed := gzipped("<p>a longer text")
	s, shelf := open(t,
		archivetest.Record{Date: day(0), URI: page, Head: "Content-Encoding: gzip\n", Body: packed},
		archivetest.Record{Date: day(1), URI: page, Body: "plain"},
		archivetest.Record{Date: day(2), URI: page, Head: "Content-Encoding: compress\n", Body: "odd"},
	)
	tests := []struct {
		name, date        string
		raw, decoded      string
		length, decLength int64
	}{
		{"gzip", day(0), packed, "<p>a longer text", int64(len(packed)), -1},
		{"no coding", day(1), "plain", "plain", 5, 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := shelf.Capture(t, tt.date, page)
			a, err := s.Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			if a.Length != tt.length {
				t.Errorf("length %d", a.Length)
			}
			body, err := a.Decoded()
			if err != nil || read(t, body) != tt.decoded || a.Length != tt.decLength {
				t.Errorf("decoded: length %d, %v", a.Length, err)
			}
			if err := s.Reopen(t.Context(), a); err != nil || read(t, a.Body) != tt.raw || a.Length != tt.length {
				t.Errorf("reopened: length %d, %v", a.Length, err)
			}
			for decoded, want := range map[bool]string{false: tt.raw, true: tt.decoded} {
				again, err := s.Reread(t.Context(), c, decoded)
				if err != nil {
					t.Fatal(err)
				}
				if got := read(t, again); got != want {
					t.Errorf("read again, decoded %v: %q", decoded, got)
				}
				if err := again.Close(); err != nil {
					t.Error(err)
				}
				if again, err = s.Reread(t.Context(), c, decoded); err != nil {
					t.Fatal(err)
				}
				_ = again.Close()
				if b, err := io.ReadAll(again); err == nil {
					t.Errorf("read after it was closed: %q", b)
				}
			}
		})
	}
	var unreadable *archive.UnreadableError
	odd := shelf.Capture(t, day(2), page)
	if _, err := s.Reread(t.Context(), odd, true); !errors.As(err, &unreadable) {
		t.Errorf("a coding that nobody undoes: %v", err)
	}
	if body, err := s.Reread(t.Context(), odd, false); err != nil || read(t, body) != "odd" {
		t.Errorf("a coding that nobody undoes, not decoded: %v", err)
	}
}

func TestNewNeedsAnIndexAndRecords(t *testing.T) {
	shelf := archivetest.Keep(t)
	for name, cfg := range map[string]archive.Config{"index": {Records: shelf}, "records": {Index: shelf.Index}} {
		if _, err := archive.New(cfg); err == nil {
			t.Errorf("no error without %s", name)
		}
	}
}

// A capture must not be answered with the record of another one that stands where it was: files get replaced.
func TestAnotherCapturesRecordIsRefused(t *testing.T) {
	const here, there = "http://a.example/", "http://b.example/"
	shelf := archivetest.Keep(t,
		archivetest.Record{Date: "20150101000000", URI: here, Body: "ours"},
		archivetest.Record{Date: "20150101000000", URI: there, Body: "theirs"},
		archivetest.Record{Date: "20160101000000", URI: here, Type: "revisit", Body: "ours"},
		archivetest.Record{Date: "20160101000300", URI: here, Body: "ours, later"},
	)
	a, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf})
	if err != nil {
		t.Fatal(err)
	}
	other, later := shelf.Capture(t, "20150101000000", there), shelf.Capture(t, "20160101000300", here)
	for _, tt := range []struct {
		name   string
		change func(own, again *cdx.Capture) *cdx.Capture
		ok     bool
	}{
		{"its own", func(own, _ *cdx.Capture) *cdx.Capture { return own }, true},
		{"its own under another form of the URI-R", func(own, _ *cdx.Capture) *cdx.Capture {
			own.URL = "https://www.a.example"
			return own
		}, true},
		{"its own, a day later", func(own, _ *cdx.Capture) *cdx.Capture { own.Time = 20150102000000; return own }, true},
		{"its own, two days later", func(own, _ *cdx.Capture) *cdx.Capture { own.Time = 20150103000000; return own }, false},
		{"another's", func(own, _ *cdx.Capture) *cdx.Capture { own.Location = other.Location; return own }, false},
		{"another of the same URI-R and day", func(own, _ *cdx.Capture) *cdx.Capture {
			own.Time, own.Location = 20160101000100, later.Location
			return own
		}, false},
		{"a revisit of the same URI-R, day and payload", func(own, again *cdx.Capture) *cdx.Capture {
			own.Time, own.Location = 20160101000100, again.Location
			return own
		}, false},
		{"its own, of which the index doesn't know that it is a revisit", func(own, again *cdx.Capture) *cdx.Capture {
			own.Time, own.Location = again.Time, again.Location
			return own
		}, true},
		{"a revisit's original that is a revisit", func(_, again *cdx.Capture) *cdx.Capture {
			again.Origin, again.Time = again.Location, 20160101000100
			again.Location = later.Location
			return again
		}, false},
		{"a revisit's original", func(_, again *cdx.Capture) *cdx.Capture { return again }, true},
		{"an original of another URI-R", func(_, again *cdx.Capture) *cdx.Capture { again.Origin = other.Location; return again }, false},
		{"… that the revisit names", func(_, again *cdx.Capture) *cdx.Capture {
			again.Origin, again.RefersToURI = other.Location, there
			return again
		}, true},
		{"… though it names a third", func(_, again *cdx.Capture) *cdx.Capture {
			again.Origin, again.RefersToURI = other.Location, "http://c.example/"
			return again
		}, false},
		{"… of its URI-R with another payload", func(_, again *cdx.Capture) *cdx.Capture {
			again.Digest = other.Digest
			return again
		}, true},
		{"… with its payload", func(_, again *cdx.Capture) *cdx.Capture {
			again.Origin, again.Digest = other.Location, other.Digest
			return again
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			own, again := shelf.Capture(t, "20150101000000", here), shelf.Capture(t, "20160101000000", here)
			r, err := a.Open(t.Context(), tt.change(own, again))
			if err == nil {
				r.Close()
			}
			if (err == nil) != tt.ok || err != nil && !strings.Contains(err.Error(), "index it again") {
				t.Errorf("%v", err)
			}
		})
	}
}
