package replaytest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/landing"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/corpora"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/comparison"
)

// A Record is one response of an archive written for a test.
type Record struct {
	Date, URI string // Date is a ts14
	Status    int
	Location  string
	Body      string
}

// Write writes records as a WARC file.
func Write(tb testing.TB, records []Record) string {
	tb.Helper()
	return writeFile(tb, "landing.warc", records, func(r Record) (date, uri, block string) {
		head := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: text/html; charset=utf-8\r\n", r.Status, http.StatusText(r.Status))
		if r.Location != "" {
			head += "Location: " + r.Location + "\r\n"
		}
		return r.Date, r.URI, head + "\r\n" + r.Body
	})
}

// writeFile writes a WARC file of responses. parts returns the ts14, the URI-R and the HTTP message of each.
func writeFile[T any](tb testing.TB, name string, list []T, parts func(T) (date, uri, block string)) string {
	tb.Helper()
	var b strings.Builder
	for i, r := range list {
		date, uri, block := parts(r)
		ts, err := cdx.ParseTimestamp(date)
		if err != nil {
			tb.Fatal(err)
		}
		fmt.Fprintf(&b, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\nWARC-Date: "+
			"%s\r\nWARC-Target-URI: %s\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: "+
			"%d\r\n\r\n%s\r\n\r\n", i, ts.Time().Format(time.RFC3339), uri, len(block), block)
	}
	path := filepath.Join(tb.TempDir(), name)
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// PageOf returns a page of about 120 words made from seed, in the frame of its site.
func PageOf(title, seed string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><title>%s</title><nav><a href=/>Home</a> <a href=/news>News</a></nav><main><h1>%s</h1>", title, title)
	words := strings.Fields(seed)
	for p := range 4 {
		b.WriteString("<p>")
		for i := range 30 {
			fmt.Fprintf(&b, "%s%c%c ", words[(p*7+i*i+p*i)%len(words)], 'a'+rune((i*3+p)%26), 'a'+rune((i+p*5)%26))
		}
		b.WriteString("</p>")
	}
	return b.String() + "</main><footer>Imprint and contact</footer>"
}

// Moved is an archive with one example of each case of a landing page.
func Moved() []Record {
	acid := PageOf("Acid rain", "acid rain harms lakes forests fish soils and stone")
	fog := PageOf("Fog", "fog is a cloud that touches ground near cold water")
	snow := PageOf("Snow", "snow falls in crystals when air is below freezing point")
	ice := PageOf("Ice", "ice covers rivers in winter and melts in spring floods")
	home := PageOf("Home", "welcome to the weather pages of our small institute")
	gone := "<title>Not found</title><h1>404 Not found</h1>"
	at := func(date, path string, status int, location, body string) Record {
		return Record{date, Site + path, status, location, body}
	}
	return []Record{
		at("20150101000000", "/", 200, "", home), at("20180101000000", "/", 200, "", home),
		// The same page, moved.
		at("20150101000001", "/acid", 200, "", acid), at("20180101000001", "/acid", 301, "/topics/acid-rain", ""),
		at("20180101000002", "/topics/acid-rain", 200, "", acid), at("20200101000000", "/acid", 200, "", fog),
		// Redirected to the home page, while the text lives on elsewhere.
		at("20150101000003", "/fog", 200, "", fog), at("20180101000003", "/fog", 302, "/", ""),
		{"20180101000004", "http://mist.example.net/fog.html", 200, "", fog},
		// A chain, a loop, and a target that was never captured.
		at("20150101000005", "/snow", 200, "", snow), at("20180101000005", "/snow", 301, "/snow2", ""),
		at("20180101000006", "/snow2", 302, "https://rain.example.org/weather/snow", ""), at("20180101000007", "/weather/snow", 200, "", snow),
		at("20180101000008", "/round", 302, "/about", ""), at("20180101000009", "/about", 302, "/round", ""),
		at("20180101000010", "/away", 301, "http://elsewhere.example.com/", ""),
		// Removed, with and without a true 404.
		at("20150101000011", "/ice.html", 200, "", ice), at("20180101000011", "/ice.html", 404, "", gone),
		at("20180101000012", "/winter/ice.html", 200, "", ice),
		at("20150101000013", "/soft.html", 200, "", ice), at("20180101000013", "/soft.html", 200, "", gone),
		// A redirect to another spelling of the same address.
		at("20180101000014", "/secure", 301, "https://rain.example.org/secure", ""),
		{"20180101000015", "https://rain.example.org/secure", 200, "", snow},
	}
}

// Get requests a path with headers, given as pairs of name and value.
func Get(tb testing.TB, h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	tb.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://varve.example"+path, nil)
	r.RequestURI = path
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// A Typed is a response with a media type.
type Typed struct{ Date, URI, Kind, Body string }

// WriteTyped writes responses as a WARC file.
func WriteTyped(tb testing.TB, list []Typed) string {
	tb.Helper()
	return writeFile(tb, "typed.warc", list, func(r Typed) (date, uri, block string) {
		return r.Date, r.URI, "HTTP/1.1 200 OK\r\nContent-Type: " + r.Kind + "\r\n\r\n" + r.Body
	})
}

// A Verbatim is a response as it came over the wire.
type Verbatim struct{ Date, URI, Message string }

// WriteVerbatim writes responses as a WARC file.
func WriteVerbatim(tb testing.TB, list []Verbatim) string {
	tb.Helper()
	return writeFile(tb, "verbatim.warc", list, func(r Verbatim) (date, uri, block string) { return r.Date, r.URI, r.Message })
}

// Serve indexes files, by default those of the sample archive, and returns a server over them.
func Serve(tb testing.TB, paths ...string) (*replay.Server, *index.Index) {
	tb.Helper()
	if len(paths) == 0 {
		paths = []string{Sample(tb)}
	}
	x := indextest.Open(tb, filepath.Join(tb.TempDir(), "index"))
	_, err := ingest.Run(context.Background(), ingest.Config{Index: x, Collection: "web", Report: func(p ingest.Problem) { tb.Log(p) }}, paths)
	if err != nil {
		tb.Fatal(err)
	}
	return ServeIndex(tb, x), x
}

// ServeIndex returns a server over an index.
func ServeIndex(tb testing.TB, x *index.Index) *replay.Server {
	tb.Helper()
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	tb.Cleanup(func() { store.Close() })
	s, err := replay.New(replay.Config{Archive: Archive(tb, archive.Config{Index: x, Records: store})})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// Fetch returns the body of a path. A status of 400 or more fails the test.
func Fetch(tb testing.TB, h http.Handler, path string) []byte {
	tb.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", path, nil)
	r.RequestURI = path
	h.ServeHTTP(w, r)
	if w.Code >= 400 {
		tb.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return w.Body.Bytes()
}

// Archive opens an archive for a test.
func Archive(tb testing.TB, cfg archive.Config) *archive.Archive {
	tb.Helper()
	a, err := archive.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

// Over returns what a server answers from: an archive and its searches.
func Over(tb testing.TB, cfg archive.Config, of searches.Config) replay.Config {
	tb.Helper()
	of.Archive = Archive(tb, cfg)
	return replay.Config{Archive: of.Archive, Searches: searches.New(of)}
}

// Searchable indexes files and builds the search. Each group of paths is a separate run of both.
func Searchable(tb testing.TB, runs ...[]string) *replay.Server {
	tb.Helper()
	x := indextest.Open(tb, filepath.Join(tb.TempDir(), "index"))
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	s, err := replay.New(Over(tb, archive.Config{Index: x, Records: store}, searches.Config{Dir: filepath.Join(tb.TempDir(), "search")}))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Searches().Close(); err != nil {
			tb.Error(err)
		}
		store.Close()
		x.Close()
	})
	for _, paths := range runs {
		if _, err := ingest.Run(tb.Context(), ingest.Config{Index: x, Collection: "web", Report: func(p ingest.Problem) { tb.Log(p) }},
			paths); err != nil {
			tb.Fatal(err)
		}
		if _, err := s.Searches().Build(tb.Context(), "web", false, nil); err != nil {
			tb.Fatal(err)
		}
	}
	return s
}

// Corpora returns the folders of the shared corpora with ground truth. It skips the test if they are missing.
func Corpora(tb testing.TB) []string {
	tb.Helper()
	truths := corpora.Files(tb, ".truth.jsonl.gz")
	for i := range truths {
		truths[i] = filepath.Dir(truths[i])
	}
	return truths
}

// Message writes a WARC file with one given response.
func Message(tb testing.TB, uriR, head, body string) string {
	tb.Helper()
	block := "HTTP/1.1 200 OK\r\n" + head + "\r\n" + body
	path := filepath.Join(tb.TempDir(), "message.warc")
	record := fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: "+
		"<urn:uuid:00000000-0000-4000-8000-000000000001>\r\nWARC-Date: 2018-01-01T00:00:00Z\r\n"+
		"WARC-Target-URI: %s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: "+
		"%d\r\n\r\n%s\r\n\r\n", uriR, len(block), block)
	if err := os.WriteFile(path, []byte(record), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// Paragraphs returns a page of the given paragraphs.
func Paragraphs(list ...string) string {
	return "<!doctype html><title>Air</title><main><p>" + strings.Join(list, "<p>") + "</main>"
}

// RecordText returns a WARC record as text; head has its fields beyond type, ID and length.
func RecordText(kind, id, head, block string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:%s>\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, id, head, len(block), block)
}

// ResponseText returns a response record as text; fields has those beyond the usual ones.
func ResponseText(uri, date, fields, message string) string {
	return RecordText("response", "r",
		"WARC-Target-URI: "+uri+"\r\nWARC-Date: "+date+"\r\nContent-Type: application/http\r\n"+fields, message)
}

// Remove deletes a file.
func Remove(t *testing.T, file string) {
	t.Helper()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
}

// Indexed adds a file to a server's index and updates its search.
func Indexed(t *testing.T, s *replay.Server, path string) {
	t.Helper()
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: s.Archive().Index.Whole, Collection: "web"}, []string{path}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Searches().Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
}

// Value returns what p points to, or nil.
func Value[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// Site is the origin of the made-up archives.
const Site = "http://rain.example.org"

// LandingOf returns the facts of a landing page.
func LandingOf(t *testing.T, h http.Handler, ts, uriR string) landing.Facts {
	t.Helper()
	var l landing.Facts
	w := Get(t, h, "/web/landing/"+ts+"/"+uriR, "Accept", "application/json")
	if err := json.Unmarshal(w.Body.Bytes(), &l); err != nil {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	return l
}

// Sliding returns an answer of the sliding diff.
func Sliding(t *testing.T, h http.Handler, target string) *comparison.SlidingAnswer {
	t.Helper()
	var a comparison.SlidingAnswer
	if w := Get(t, h, target); w.Code != http.StatusOK || json.Unmarshal(w.Body.Bytes(), &a) != nil {
		t.Fatalf("%s: %d %s", target, w.Code, w.Body)
	}
	return &a
}

// FirstImage returns the path of a PNG in the sample archive.
func FirstImage(tb testing.TB, h http.Handler) string {
	rows := strings.Fields(string(Fetch(tb, h,
		"/web/cdx?url=www.riverbend.example/*&filter=mimetype:image/png&filter=statuscode:200&limit=1&fl=timestamp,original")))
	if len(rows) < 2 {
		tb.Fatal("the demo has no PNG")
	}
	return "/web/" + rows[0] + "im_/" + rows[1]
}

// Clients is the number of concurrent requests: enough for two cores, including the load generator.
const Clients = 4

// Remarkable is an archive that deletes and adds the word "lakes" once by an edit, and once in each way that isn't an
// edit.
func Remarkable() []Record {
	acid := PageOf("Acid rain", "acid rain harms lakes forests fish soils and stone") + "<p>Lakes and ponds.</p>"
	empty := "<!doctype html><title>Acid rain</title><p>Soon here."
	at := func(date, path string, status int, location, body string) Record {
		return Record{date, Site + path, status, location, body}
	}
	return []Record{
		at("20150101000000", "/edit", 200, "", acid),
		at("20160101000000", "/edit", 200, "", strings.ReplaceAll(acid, "Lakes and ponds", "Ponds")),
		at("20150101000001", "/missing", 200, "", acid), at("20160101000001", "/missing", 404, "", "<title>Not found</title>"),
		at("20170101000001", "/missing", 200, "", acid),
		at("20150101000002", "/soft", 200, "", acid),
		at("20160101000002", "/soft", 200, "", "<title>404 Not Found</title><h1>404 Not Found</h1><p>The page was not found."),
		at("20150101000003", "/moved", 200, "", acid), at("20160101000003", "/moved", 301, "/edit", ""),
		at("20150101000004", "/empty", 200, "", acid), at("20160101000004", "/empty", 200, "", empty),
		at("20170101000004", "/empty", 200, "", acid),
		at("20150101000005", "/app", 200, "", acid),
		at("20160101000005", "/app", 200, "", "<!doctype html><title>Weather</title><div id=app>Loading …</div><script src=/app.js></script>"),
	}
}
