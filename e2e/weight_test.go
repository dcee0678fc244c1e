package e2e

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// unpacked undoes the Content-Encoding of an answer.
func unpacked(t testing.TB, a *answer) string {
	t.Helper()
	var r io.Reader = strings.NewReader(a.body)
	var err error
	switch a.header.Get("Content-Encoding") {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "zstd":
		var z *zstd.Decoder
		if z, err = zstd.NewReader(r); err == nil {
			defer z.Close()
		}
		r = z
	}
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// heavy is a page, the same gzipped, a style sheet and a picture.
func heavy(t *testing.T) *server {
	long := strings.Repeat("<p>The river stands at two metres and forty.</p>", 200)
	a := &archive{}
	a.page("http://heavy.example/", "20150101000000", "<!doctype html><title>a</title>"+long)
	a.page("http://heavy.example/zipped", "20150101000000", gzipped("<!doctype html><title>z</title>"+long), "Content-Encoding: gzip")
	a.response("http://heavy.example/text", "20150101000000", "200 OK", long, "Content-Type: text/plain")
	a.response("http://heavy.example/picture", "20150101000000", "200 OK", "\x89PNG\r\n\x1a\n"+strings.Repeat("0123456789", 300),
		"Content-Type: image/png")
	a.response("http://heavy.example/gone", "20150101000000", "404 Not Found", long, "Content-Type: text/html")
	return a.serve(t)
}

// Contract, HTTP table, id_: Content-Encoding is kept if the request has no Accept-Encoding or one that accepts it,
// else undone.
// hartator's wayback_machine_downloader 2.3.1 sends "plain", wget 1.24 and Python's http.client send "identity".
func TestArchivedCoding(t *testing.T) {
	s := heavy(t)
	const zipped, plain = "/web/20150101000000id_/http://heavy.example/zipped", "/web/20150101000000id_/http://heavy.example/text"
	kept := s.get(t, zipped).expect(t, 200, "Content-Encoding: gzip", "Vary: Accept-Encoding, Sec-Fetch-Dest",
		"X-Archive-Orig-Content-Encoding:")
	page := unpacked(t, kept)
	for _, tt := range []struct {
		accept string
		kept   bool
	}{
		{"gzip", true},
		{"br, gzip;q=0.1", true},
		{"*", true},
		{"x-gzip, identity", false},
		{"*;q=0, gzip", true},
		{"identity", false},
		{"plain", false},
		{"", false},
		{"br", false},
		{"gzip;q=0", false},
		{"gzip;Q=0.000, *", false},
	} {
		t.Run(tt.accept, func(t *testing.T) {
			a := s.get(t, zipped, "Accept-Encoding: "+tt.accept)
			if tt.kept {
				a.expect(t, 200, "Content-Encoding: gzip", "X-Archive-Orig-Content-Encoding:",
					"Vary: Accept-Encoding, Sec-Fetch-Dest", "ETag: "+kept.header.Get("ETag"))
			} else {
				a.expect(t, 200, "Content-Encoding:", "X-Archive-Orig-Content-Encoding: gzip", "Vary: Accept-Encoding, Sec-Fetch-Dest")
				if a.header.Get("ETag") == kept.header.Get("ETag") {
					t.Error("other bytes have the same strong ETag")
				}
			}
			if unpacked(t, a) != page {
				t.Errorf("got other bytes: %.100q", a.body)
			}
		})
	}
	for _, accept := range []string{"gzip", "zstd", "identity"} { // what was not coded is not coded now
		s.get(t, plain, "Accept-Encoding: "+accept).expect(t, 200, "Content-Encoding:", "Vary:")
	}
	if part := s.get(t, zipped, "Accept-Encoding: identity", "Range: bytes=2-8").expect(t, 206); part.body != page[2:9] {
		t.Errorf("a range of what is undone: got %q, want %q", part.body, page[2:9])
	}
}

// downloaders are programs that undo no coding, and write what they get: wget and Python send Accept-Encoding: identity; curl
// sends none, and gets what was archived.
var downloaders = []struct {
	name  string
	args  []string // what comes before the address
	coded bool
}{
	{"wget", []string{"wget", "-q", "-O", "-"}, false},
	{"Python's http.client", []string{"python3", "-c", httpClient}, false},
	{"Python's urllib", []string{
		"python3", "-c", "import sys, urllib.request as u; sys.stdout.buffer.write(u.urlopen(sys.argv[1]).read())",
	}, false},
	{"curl", []string{"curl", "-s"}, true},
	{"curl that undoes codings", []string{"curl", "-s", "--compressed"}, false},
}

const httpClient = `
import http.client, sys, urllib.parse
u = urllib.parse.urlsplit(sys.argv[1])
c = http.client.HTTPConnection(u.netloc)
c.request("GET", sys.argv[1].split(u.netloc, 1)[1])
sys.stdout.buffer.write(c.getresponse().read())`

func TestDownloadersGetPages(t *testing.T) {
	s := heavy(t)
	const zipped = "/web/20150101000000id_/http://heavy.example/zipped"
	kept := s.get(t, zipped).expect(t, 200, "Content-Encoding: gzip")
	for _, d := range downloaders {
		t.Run(d.name, func(t *testing.T) {
			program, err := exec.LookPath(d.args[0])
			if err != nil {
				t.Skip(d.args[0] + " is not installed: make test does so")
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			got, err := exec.CommandContext(ctx, program, append(d.args[1:], s.url+zipped)...).Output()
			want := kept.body
			if !d.coded {
				want = unpacked(t, kept)
			}
			if err != nil || string(got) != want {
				t.Errorf("%s (%v) writes %.100q", d.name, err, got)
			}
		})
	}
}

// Contract, for clients: id_ answers carry a strong ETag and answer conditional requests with 304, rewritten pages a weak
// one (RFC 9110 §8.8.3, §13).
func TestConditionalRequests(t *testing.T) {
	s := heavy(t)
	for _, tt := range []struct {
		name, target string
		weak         bool
	}{
		{"archived bytes", "/web/20150101000000id_/http://heavy.example/", false},
		{"archived bytes, coded", "/web/20150101000000id_/http://heavy.example/zipped", false},
		{"a picture", "/web/20150101000000im_/http://heavy.example/picture", false},
		{"text that may be compressed", "/web/20150101000000/http://heavy.example/text", true},
		{"a page", "/web/20150101000000/http://heavy.example/", true},
		{"a page without banner", "/web/20150101000000mp_/http://heavy.example/zipped", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			first := s.get(t, tt.target).expect(t, 200)
			tag := first.header.Get("ETag")
			if strings.HasPrefix(tag, "W/") != tt.weak || !strings.HasSuffix(tag, `"`) {
				t.Fatalf("ETag %s", tag)
			}
			opaque := strings.TrimPrefix(tag, "W/")
			for _, list := range []string{tag, "*", `"other", ` + tag, "W/" + opaque, opaque} {
				for _, method := range []string{http.MethodGet, http.MethodHead} {
					a := s.ask(t, method, tt.target, "If-None-Match: "+list).expect(t, 304, "ETag: "+tag, "Content-Length:")
					for _, name := range []string{"Vary", "Cache-Control", "Memento-Datetime", "Link"} {
						if a.header.Get(name) != first.header.Get(name) || a.body != "" {
							t.Errorf("%s %s: %s is %s, of the answer with 200 %s", method, list, name, a.header.Get(name), first.header.Get(name))
						}
					}
				}
			}
			for _, other := range []string{`"other"`, "other", opaque[:len(opaque)-1] + `x"`} {
				s.get(t, tt.target, "If-None-Match: "+other).expect(t, 200, "ETag: "+tag)
			}
			s.ask(t, http.MethodHead, tt.target).expect(t, 200, "ETag: "+tag)
			if tt.weak {
				s.get(t, tt.target, "Range: bytes=0-4", "If-Range: "+tag).expect(t, 200)
				return
			}
			s.get(t, tt.target, "Range: bytes=0-4", "If-Range: "+tag).expect(t, 206, "ETag: "+tag, "Content-Length: 5")
			for _, no := range []string{`"other"`, "W/" + tag, "Thu, 01 Jan 2015 00:00:00 GMT"} {
				s.get(t, tt.target, "Range: bytes=0-4", "If-Range: "+no).expect(t, 200)
			}
		})
	}
	s.get(t, "/web/20150101000000id_/http://heavy.example/gone", "If-None-Match: *").expect(t, 404, "ETag:") // §13.2.1
}

// The ETag of a page changes with the index, because the page's banner and links depend on other captures.
func TestPageETagMovesWithTheIndex(t *testing.T) {
	const page = "http://moving.example/"
	a, b := &archive{}, &archive{}
	a.page(page, "20150101000000", "<p>one</p>")
	b.page(page, "20160101000000", "<p>two</p>")
	s, folder := serve(t, map[string][]byte{"a.warc.gz": a.bytes()})
	old := s.get(t, "/web/20150101000000/"+page).expect(t, 200)
	raw := s.get(t, "/web/20150101000000id_/"+page).expect(t, 200)
	put(t, folder+"/b.warc.gz", b.bytes())
	eventually(t, "the other capture", func() bool { return s.get(t, "/web/20160101000000/"+page).status == 200 })
	s.get(t, "/web/20150101000000id_/"+page, "If-None-Match: "+raw.header.Get("ETag")).expect(t, 304)
	now := s.get(t, "/web/20150101000000/"+page, "If-None-Match: "+old.header.Get("ETag")).expect(t, 200)
	if now.header.Get("ETag") == old.header.Get("ETag") || !strings.Contains(now.body, "/web/20160101000000/"+page) {
		t.Errorf("the page of before: %v", now.header)
	}
	tag := now.header.Get("ETag")
	for _, other := range []string{"Accept-Language: de", "Prefer: rewritten"} {
		s.get(t, "/web/20150101000000/"+page, other, "If-None-Match: "+tag).expect(t, 200)
	}
}

// Contract, for clients: text is compressed as Accept-Encoding allows, ranges and archived bytes are not.
func TestCompression(t *testing.T) {
	s := heavy(t)
	const home = "http://heavy.example/"
	for name, target := range map[string]string{
		"a page": "/web/20150101000000/" + home, "text": "/web/20150101000000/" + home + "text",
		"CDX":        "/web/cdx?url=" + home + "*&fl=" + strings.Repeat("original,", 35),
		"a calendar": "/web/*/" + home, "a missing page": "/web/http://nowhere.example/",
	} {
		t.Run(name, func(t *testing.T) {
			plain := s.get(t, target, "Accept: text/html", "Accept-Encoding: identity")
			if plain.header.Get("Content-Encoding") != "" || !plain.has("Vary", "Accept-Encoding") {
				t.Fatalf("uncompressed: %v", plain.header)
			}
			for accept, coding := range map[string]string{
				"gzip": "gzip", "zstd": "zstd", "gzip, zstd, br": "zstd", "zstd;q=0.5, gzip": "gzip",
				"br": "", "gzip;q=0": "",
			} {
				a := s.get(t, target, "Accept: text/html", "Accept-Encoding: "+accept)
				if a.header.Get("Content-Encoding") != coding || !a.has("Vary", "Accept-Encoding") || unpacked(t, a) != plain.body {
					t.Errorf("%s: %v", accept, a.header)
				}
				if coding != "" && len(a.body) > len(plain.body)*2/3 {
					t.Errorf("%s: %d bytes of %d", accept, len(a.body), len(plain.body))
				}
			}
		})
	}
	s.get(t, "/web/20150101000000im_/"+home+"picture", "Accept-Encoding: gzip").expect(t, 200, "Content-Encoding:", "Vary:")
	part := s.get(t, "/web/20150101000000/"+home+"text", "Accept-Encoding: gzip", "Range: bytes=0-1999").expect(t, 206,
		"Content-Encoding:",
		"Content-Length: 2000")
	if len(part.body) != 2000 {
		t.Errorf("a range has %d bytes", len(part.body))
	}
	s.get(t, "/web/"+home, "Accept-Encoding: gzip").expect(t, 302, "Vary: accept-datetime", "Content-Encoding:")
}

// Contract, for clients: between the comments there is the whole banner and nothing else.
func TestBannerCanBeTakenOut(t *testing.T) {
	const begin, end = "<!-- BEGIN WAYBACK TOOLBAR INSERT -->", "<!-- END WAYBACK TOOLBAR INSERT -->"
	s := heavy(t)
	for _, fields := range []string{"Accept: text/html", "Prefer: banner-only"} {
		page := s.get(t, "/web/20150101000000/http://heavy.example/", fields).expect(t, 200).body
		before, rest, _ := strings.Cut(page, begin)
		between, after, ok := strings.Cut(rest, end)
		if !ok || !strings.Contains(between, "<varve-banner") || strings.Contains(before+after, "<varve-banner") ||
			!strings.HasPrefix(after, "<p>The river") {
			t.Errorf("%s: %.300q … %.100q", fields, page, after)
		}
	}
	for _, target := range []string{"/web/20150101000000mp_/http://heavy.example/", "/web/20150101000000id_/http://heavy.example/"} {
		if page := s.get(t, target).expect(t, 200).body; strings.Contains(page, "TOOLBAR") {
			t.Errorf("%s has a toolbar", target)
		}
	}
}

// A page with nothing in it gets three scripts: the banner's, the safety net, and the client-side runtime as one file.
func TestWeightOfWhatAPageGets(t *testing.T) {
	hasWombat(t)
	s := (&archive{}).page("http://light.example/", "20150101000000", "<!doctype html><title>t</title><p>text").serve(t)
	page := s.get(t, "/web/20150101000000/http://light.example/", "Accept: text/html").expect(t, 200)
	plain, sent := len(page.body), 0
	scripts := regexp.MustCompile(`<script src="([^"]+)"`).FindAllStringSubmatch(page.body, -1)
	for _, script := range scripts {
		a := s.get(t, script[1], "Accept-Encoding: gzip").expect(t, 200, "Content-Encoding: gzip", "Cache-Control: public, "+
			"max-age=31536000, immutable")
		plain, sent = plain+len(unpacked(t, a)), sent+len(a.body)
	}
	t.Logf("%d scripts, %d bytes, %d as sent", len(scripts), plain, sent)
	if len(scripts) != 3 || sent > 64<<10 {
		t.Errorf("the page gets %d scripts and %d bytes", len(scripts), sent)
	}
}
