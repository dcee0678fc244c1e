package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A revisit must be replayed at its own datetime with the status, digest and body of the capture it refers to, and
// with the headers of both; its own win.
func TestRevisits(t *testing.T) {
	const page = "<p>the gauge stands still"
	original := func(uri, ts string) *archive {
		return (&archive{}).page(uri, ts, page, "X-From: original", "X-Only: original")
	}
	head := "HTTP/1.1 200 OK\r\nX-From: revisit\r\nContent-Type: text/html\r\n\r\n"
	later := (&archive{}).revisit("http://later.example/", "20100101000000", page, head,
		"WARC-Refers-To-Target-URI: http://later.example/", "WARC-Refers-To-Date: "+at("20120101000000"))
	agnostic := (&archive{}).revisit("http://copy.example/", "20130101000000", page, head,
		"WARC-Refers-To-Target-URI: http://source.example/", "WARC-Refers-To-Date: "+at("20120101000000"))
	byDigest := (&archive{}).revisit("http://digest.example/", "20130101000000", page, head)
	notModified := original("http://same.example/", "20120101000000").record("revisit", "http://same.example/", "20130101000000",
		"HTTP/1.1 304 Not Modified\r\nX-From: revisit\r\n\r\n", httpResponse,
		"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified",
		"WARC-Refers-To-Target-URI: http://same.example/", "WARC-Refers-To-Date: "+at("20120101000000"))
	orphan := (&archive{}).page("http://orphan.example/", "20200101000000", "a whole one").
		revisit("http://orphan.example/", "20130101000000", "never written", head)
	headless := original("http://headless.example/", "20120101000000").revisit("http://headless.example/", "20130101000000", page, "",
		"WARC-Refers-To-Target-URI: http://headless.example/", "WARC-Refers-To-Date: "+at("20120101000000"))
	s, _ := serve(t, map[string][]byte{
		"a-later.warc.gz": later.bytes(), "z-original.warc.gz": original("http://later.example/", "20120101000000").bytes(),
		"b-agnostic.warc.gz": agnostic.bytes(), "y-source.warc.gz": original("http://source.example/", "20120101000000").bytes(),
		"c-digest.warc.gz": byDigest.bytes(), "d-same.warc.gz": notModified.bytes(), "e-orphan.warc.gz": orphan.bytes(),
		"f-headless.warc.gz": headless.bytes(),
	})
	// Only the body is the original's, unless the server said that nothing was modified (WARC 1.1 §6.7.2).
	tests := []struct{ name, ts, uri, from, only string }{
		{"the original comes later, in another file", "20100101000000", "http://later.example/", "revisit", ""},
		{"the original is another URI-R", "20130101000000", "http://copy.example/", "revisit", ""},
		{"only the digest says which", "20130101000000", "http://digest.example/", "revisit", ""},
		{"server-not-modified answers 200", "20130101000000", "http://same.example/", "revisit", "original"},
		{"without a head of its own", "20130101000000", "http://headless.example/", "original", "original"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := s.get(t, "/web/"+tt.ts+"id_/"+tt.uri).expect(t, 200, "X-From: "+tt.from, "X-Only: "+tt.only)
			if a.body != page {
				t.Errorf("body %q", a.body)
			}
			line := s.get(t, "/web/cdx?url="+tt.uri+"&from="+tt.ts+"&to="+tt.ts+"&fl=statuscode,digest,mimetype").body
			if strings.TrimSpace(line) != "200 "+strings.TrimPrefix(digest(page), "sha1:")+" warc/revisit" {
				t.Errorf("listed as %q", line)
			}
		})
	}
	t.Run("without its original it is passed over", func(t *testing.T) {
		for _, ts := range []string{"20130101000000", "2013"} {
			a := s.get(t, "/web/"+ts+"/http://orphan.example/").expect(t, 302)
			if !strings.HasSuffix(a.header.Get("Location"), "/web/20200101000000/http://orphan.example/") {
				t.Errorf("%s leads to %s", ts, a.header.Get("Location"))
			}
		}
		if a := s.get(t, "/web/cdx?url=http://orphan.example/"); strings.Count(a.body, "\n") != 2 {
			t.Errorf("listed: %s", a.body)
		}
	})
}

// An exact URI-M whose file can't be read answers 503. The answer must name the file without its path, and the other captures. No other
// capture takes its place unsaid: the TimeGate leads to what the index names.
func TestFileGoneAtReplay(t *testing.T) {
	const uri = "http://gone.example/"
	dir := t.TempDir()
	put(t, filepath.Join(dir, "lost.warc.gz"), (&archive{}).page(uri, "20100101000000", "lost").bytes())
	put(t, filepath.Join(dir, "kept.warc.gz"), (&archive{}).page(uri, "20110101000000", "kept").bytes())
	data := filepath.Join(t.TempDir(), "data")
	if _, stderr, code := invoke(t, "index", "--data", data, dir); code != 0 {
		t.Fatal(stderr)
	}
	if err := os.Remove(filepath.Join(dir, "lost.warc.gz")); err != nil {
		t.Fatal(err)
	}
	s, err := launch(data, "serve")
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop()
	for _, accept := range []string{"*/*", "text/html"} {
		a := s.get(t, "/web/20100101000000/"+uri, "Accept: "+accept).expect(t, 503)
		if !strings.Contains(a.body, "lost.warc.gz") || strings.Contains(a.body, dir) {
			t.Errorf("%s: the sentence is %.500q", accept, a.body)
		}
		if links := a.rels(t, "memento"); len(links) == 0 || !strings.Contains(a.header.Get("Link"), "/web/20110101000000/"+uri) {
			t.Errorf("%s: Link: %s", accept, a.header.Get("Link"))
		}
		if accept == "text/html" && !strings.Contains(strings.Join(hrefs(t, a.body), " "), "/web/20110101000000/") {
			t.Error("the page doesn't link to the other capture")
		}
	}
	if a := s.get(t, "/web/2010/"+uri).expect(t, 302); !strings.HasSuffix(a.header.Get("Location"), "/web/20100101000000/"+uri) {
		t.Errorf("the nearest is %s", a.header.Get("Location"))
	}
	if a := s.get(t, "/web/"+uri, "Accept-Datetime: Fri, 01 Jan 2010 00:00:00 GMT").expect(t,
		302); !strings.HasSuffix(a.header.Get("Location"), "/web/20100101000000/"+uri) {
		t.Errorf("the TimeGate leads to %s", a.header.Get("Location"))
	}
}

// A CDX line of a revisit says in which file its original is.
func TestIndexLinesNameTheFileOfAnOriginal(t *testing.T) {
	a := &archive{}
	a.page(host+"/", "20150101000000", "the page")
	a.revisit(host+"/", "20160101000000", "the page", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
		"WARC-Refers-To-Target-URI: "+host+"/", "WARC-Refers-To-Date: "+at("20150101000000"))
	got := a.serve(t).get(t, "/web/cdx?url="+host+"/&resolveRevisits=true&fl=timestamp,orig.filename").body
	if want := "20150101000000 -\n20160101000000 test.warc.gz\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
