package uploads_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/ingest/upload"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/uploads"
	"github.com/varve-archive/varve/replay/replaytest"
)

const loopback = replaytest.Loopback

var at, token, asWindow = replaytest.At, replaytest.Token, replaytest.AsWindow()

// A shelf indexes what is handed in.
type shelf struct {
	index  *index.Index
	folder *upload.Folder
}

func (s *shelf) Folder(string) (*upload.Folder, error) { return s.folder, s.folder.Prepare() }
func (s *shelf) Files(string, int64) []string          { return nil }
func (s *shelf) Claim(string, string) func()           { return func() {} }

func (s *shelf) Index(ctx context.Context, coll, path string, _ upload.Indexing) error {
	_, err := ingest.Run(ctx, ingest.Config{Index: s.index, Collection: coll}, []string{path})
	return err
}

// queueOf returns a queue that works until the test ends, with the folder to which files go.
func queueOf(t *testing.T, x *index.Index) (*upload.Queue, string) {
	t.Helper()
	s := &shelf{x, &upload.Folder{Dir: t.TempDir(), Owner: "test"}}
	d := upload.NewQueue(s, 100_000, slog.New(slog.DiscardHandler))
	work(t, d)
	return d, s.folder.Dir
}

// work has a queue work until the test ends.
func work(t *testing.T, d *upload.Queue) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { d.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
}

// archived returns the index of an archive of one page.
func archived(t *testing.T) *index.Index {
	t.Helper()
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20140101000000", URI: "http://a.example/", Status: 200, Body: replaytest.PageOf("A", "one two three")},
	}))
	return x
}

// Only the document of a window has the token, on pages that are in no frame and in no cache.
func TestWhoGetsTheToken(t *testing.T) {
	x := archived(t)
	d, _ := queueOf(t, x)
	taking := func(c *replay.Config) { c.Uploads = &uploads.Config{Queue: d, Default: "web"} }
	asked := func(c *replay.Config) {
		c.Uploads, c.PublicURL = &uploads.Config{Queue: d, Default: "web", Asked: true}, "https://archive.example"
	}
	apart := func(c *replay.Config) { asked(c); c.ReplayURL = "https://replay.example" }
	frame := []string{"Accept", "text/html", "Sec-Fetch-Dest", "iframe", "Sec-Fetch-Mode", "navigate"}
	script := []string{"Accept", "text/html", "Sec-Fetch-Dest", "empty", "Sec-Fetch-Mode", "cors"}
	old := []string{"Accept", "text/html"}
	for _, tt := range []struct {
		name   string
		change func(*replay.Config)
		host   string
		header []string
		want   bool
	}{
		{"a window", taking, loopback, asWindow, true},
		{"at localhost", taking, "localhost:8080", asWindow, true},
		{"at another loopback address", taking, "[::1]:8080", asWindow, true},
		{"under a name that may be anybody's", taking, "evil.example", asWindow, false},
		{"a frame", taking, loopback, frame, false},
		{"a script", taking, loopback, script, false},
		{"a browser that doesn't say what it asks for", taking, loopback, old, false},
		{"through another server", taking, loopback, append([]string{"X-Forwarded-For", "192.0.2.1"}, asWindow...), false},
		{"a server that takes nothing", nil, loopback, asWindow, false},
		{"at the public address", asked, "archive.example", asWindow, true},
		{"… by plain http", asked, "archive.example", old, false},
		{"… with archived pages elsewhere", apart, "archive.example", old, true},
	} {
		h := replaytest.Configured(t, x, tt.change)
		for _, path := range []string{"/", "/web/", "/-/uploads"} {
			if got := token(h, tt.host, path, tt.header...) != ""; got != tt.want {
				t.Errorf("%s: %s has a token: %v", tt.name, path, got)
			}
			if !tt.want {
				continue
			}
			head := at(h, "GET", tt.host, path, "", tt.header...).Header()
			if head.Get("Cache-Control") != "no-store" || head.Get("X-Frame-Options") != "DENY" ||
				!strings.Contains(head.Get("Content-Security-Policy"), "frame-ancestors 'none'") ||
				head.Get("Cross-Origin-Opener-Policy") != "same-origin" || !strings.Contains(head.Get("Vary"), "Sec-Fetch-Dest") {
				t.Errorf("%s: %s: %v", tt.name, path, head)
			}
		}
	}
}

// A browser that doesn't say what it asks for is told why there is no form for files; frames and scripts need no such words.
func TestPagesThatSayWhyFilesCantBeAdded(t *testing.T) {
	x := archived(t)
	d, _ := queueOf(t, x)
	h := replaytest.Configured(t, x, func(c *replay.Config) { c.Uploads = &uploads.Config{Queue: d, Default: "web"} })
	for dest, want := range map[string]bool{"": true, "iframe": false, "empty": false} {
		header := []string{"Accept", "text/html"}
		if dest != "" {
			header = append(header, "Sec-Fetch-Dest", dest)
		}
		body := at(h, "GET", loopback, "/web/", "", header...).Body.String()
		if got := strings.Contains(body, "Files can&#39;t be added here"); got != want {
			t.Errorf("asked as %q: it says why: %t", dest, got)
		}
	}
}

func TestWhoMayHandInFiles(t *testing.T) {
	x := archived(t)
	d, folder := queueOf(t, x)
	h := replaytest.Configured(t, x, func(c *replay.Config) { c.Uploads = &uploads.Config{Queue: d, Default: "web"} })
	public := replaytest.Configured(t, x, func(c *replay.Config) {
		c.Uploads, c.PublicURL = &uploads.Config{Queue: d, Default: "web", Asked: true}, "https://archive.example"
	})
	own := token(h, loopback, "/", asWindow...)
	ownPublic := token(public, "archive.example", "/", asWindow...)
	if own == "" || ownPublic == "" || own == ownPublic {
		t.Fatal("no tokens")
	}
	const here = "http://" + loopback
	for _, tt := range []struct {
		name   string
		h      http.Handler
		host   string
		header []string
		status int
	}{
		{"a client that is no browser", h, loopback, nil, 202},
		{"varve's own page", h, loopback, []string{
			"Origin", here, "Sec-Fetch-Site", "same-origin", "Referer", here + "/", "X-Varve-Token", own,
		}, 202},
		{"… that doesn't say where it is", h, loopback, []string{"Origin", here, "Sec-Fetch-Site", "same-origin", "X-Varve-Token", own}, 403},
		{"… in a browser that says less", h, loopback, []string{"Origin", here, "X-Varve-Token", own}, 202},
		{"… without the token", h, loopback, []string{"Origin", here, "Sec-Fetch-Site", "same-origin"}, 403},
		{"… with another", h, loopback, []string{"Origin", here, "Sec-Fetch-Site", "same-origin", "X-Varve-Token", ownPublic}, 403},
		{"another site", h, loopback, []string{"Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site", "X-Varve-Token", own}, 403},
		{"… whose browser says less", h, loopback, []string{"Origin", "http://evil.example", "X-Varve-Token", own}, 403},
		{"another port", h, loopback, []string{"Origin", "http://127.0.0.1:9090", "Sec-Fetch-Site", "same-site", "X-Varve-Token", own}, 403},
		{"a sandbox", h, loopback, []string{"Origin", "null", "X-Varve-Token", own}, 403},
		{"a name that leads here", h, "evil.example:8080", []string{"Origin", "http://evil.example:8080", "X-Varve-Token", own}, 403},
		{"… by a client that is no browser", h, "evil.example:8080", nil, 403},
		{"… that begins like an address", h, "127.0.0.1.evil.example", nil, 403},
		{"an archived page that says where it is", h, loopback, []string{
			"Origin", here, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Dest", "empty", "X-Varve-Token", own,
			"Referer", here + "/web/20140101000000/http://a.example/",
		}, 403},
		{"the public address", public, "archive.example", []string{"Origin", "https://archive.example", "X-Varve-Token", ownPublic}, 202},
		{"… whatever the server in front calls it", public, "backend:8080", []string{
			"Origin", "https://archive.example", "X-Varve-Token", ownPublic,
		}, 202},
		{"… led to by another name", public, "evil.example", []string{"Origin", "https://evil.example", "X-Varve-Token", ownPublic}, 403},
		{"a server that takes nothing", replaytest.Configured(t, x, nil), loopback, nil, 403},
	} {
		w := at(tt.h, "POST", tt.host, "/-/uploads?name=a.warc", "no archive", tt.header...)
		if w.Code != tt.status || w.Code == 403 && strings.TrimSpace(w.Body.String()) == "" {
			t.Errorf("%s: %d %s", tt.name, w.Code, w.Body)
		}
		if strings.Contains(w.Header().Get("Access-Control-Allow-Headers"), "Varve") {
			t.Errorf("%s: other origins may send the token", tt.name)
		}
	}
	waitFor(t, func() bool { left, _ := os.ReadDir(folder); return len(left) == 0 })
}

// waitFor waits until what a queue does is done.
func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not happen")
		}
	}
}

func TestFormsWithFiles(t *testing.T) {
	x := archived(t)
	d, _ := queueOf(t, x)
	h := replaytest.Configured(t, x, func(c *replay.Config) { c.Uploads = &uploads.Config{Queue: d, Default: "web"} })
	own := token(h, loopback, "/", asWindow...)
	for _, tt := range []struct {
		name, token, coll string
		files             int
		status            int
	}{
		{"two files", own, "web", 2, 303},
		{"no file", own, "web", 0, 400},
		{"no token", "", "web", 1, 403},
		{"another collection", own, "nowhere", 1, 404},
		{"too many files", own, "web", 101, 400},
	} {
		var b bytes.Buffer
		form := multipart.NewWriter(&b)
		_ = form.WriteField("token", tt.token)
		_ = form.WriteField("collection", tt.coll)
		for range tt.files {
			part, _ := form.CreateFormFile("file", "a.warc")
			_, _ = part.Write([]byte("x"))
		}
		_ = form.Close()
		w := at(h, "POST", loopback, "/-/uploads", b.String(), append([]string{
			"Content-Type", form.FormDataContentType(), "Origin", "http://" + loopback,
		}, asWindow...)...)
		if w.Code != tt.status && !(tt.files > 100 && w.Code == http.StatusServiceUnavailable) {
			t.Errorf("%s: %d %s", tt.name, w.Code, w.Body)
		}
		if w.Code == 303 {
			to := at(h, "GET", loopback, w.Header().Get("Location"), "", asWindow...)
			if to.Code != 200 || strings.Count(to.Body.String(), `class="upload `) != tt.files {
				t.Errorf("%s: %d %s", tt.name, to.Code, to.Body)
			}
		}
	}
	for method, status := range map[string]int{"PUT": 405, "DELETE": 405} {
		if w := at(h, method, loopback, "/-/uploads", ""); w.Code != status || w.Header().Get("Allow") == "" {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
	if w := at(h, "POST", loopback, "/-/uploads/x", ""); w.Code != 405 {
		t.Errorf("to a delivery: %d", w.Code)
	}
	if w := at(h, "GET", loopback, "/-/uploads/x", ""); w.Code != 404 {
		t.Errorf("of no delivery: %d", w.Code)
	}
}

// While a delivery is at work its page comes again by itself, unless a script asks for it. Programs are told the same as data.
func TestHowFarADeliveryIs(t *testing.T) {
	x := archived(t)
	d := upload.NewQueue(&shelf{x, &upload.Folder{Dir: t.TempDir(), Owner: "test"}}, 100_000, slog.New(slog.DiscardHandler))
	h := replaytest.Configured(t, x, func(c *replay.Config) { c.Uploads = &uploads.Config{Queue: d, Default: "new"} })
	v := d.Open("web")
	for _, name := range []string{"a.warc", "b.warc"} {
		if err := v.Receive(t.Context(), name, -1, strings.NewReader("no archive")); err != nil {
			t.Fatal(err)
		}
	}
	to := "/-/uploads/" + v.ID
	for _, over := range []bool{false, true} {
		if over {
			work(t, d)
			waitFor(t, func() bool { s := v.Status(); return s[0].State.Over() && s[1].State.Over() })
		}
		window := at(h, "GET", loopback, to, "", asWindow...).Header()
		script := at(h, "GET", loopback, to, "", "Accept", "text/html", "Sec-Fetch-Dest", "empty").Header()
		if (window.Get("Refresh") == "3") == over || script.Get("Refresh") != "" {
			t.Errorf("over %t: %q to a window, %q to a script", over, window.Get("Refresh"), script.Get("Refresh"))
		}
		data := at(h, "GET", loopback, to, "")
		if !strings.Contains(data.Body.String(), fmt.Sprintf(`"done":%t`, over)) || data.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("over %t: %v %s", over, data.Header(), data.Body)
		}
	}
	want := `{"limit":100000,"collections":["new","web"]}` + "\n"
	if said := at(h, "GET", loopback, "/-/uploads", "").Body.String(); said != want {
		t.Errorf("what is taken: %s", said)
	}
	for path, want := range map[string]string{"": `<option value="new" selected>`, "?collection=web": `name="collection" value="web"`} {
		page := at(h, "GET", loopback, "/-/uploads"+path, "", asWindow...).Body.String()
		if !strings.Contains(page, want) {
			t.Errorf("%s: no %s in %s", path, want, page)
		}
	}
}

// What is refused is read to its end, within bounds: browsers show no answer that arrives while they send.
func TestRefusals(t *testing.T) {
	x := archived(t)
	d, _ := queueOf(t, x)
	h := replaytest.Configured(t, x, func(c *replay.Config) { c.Uploads = &uploads.Config{Queue: d, Default: "web"} })
	body := strings.NewReader(strings.Repeat("x", 200_000))
	r := httptest.NewRequest("POST", "http://"+loopback+"/-/uploads?name=a.warc", body)
	r.RequestURI, r.ContentLength = "/-/uploads?name=a.warc", -1
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != http.StatusRequestEntityTooLarge || body.Len() > 0 {
		t.Errorf("%d, and %d bytes are left", w.Code, body.Len())
	}
	own := token(h, loopback, "/", asWindow...)
	for fields, want := range map[int][2]int{10: {303, 413}, 11: {400, 400}} {
		for i, accept := range []string{"text/html", "application/json"} {
			var b bytes.Buffer
			form := multipart.NewWriter(&b)
			_ = form.WriteField("token", own)
			for n := range fields - 1 {
				_ = form.WriteField(fmt.Sprint("field", n), "x")
			}
			_ = form.WriteField("last", "x")
			part, _ := form.CreateFormFile("file", "large.warc")
			_, _ = part.Write(make([]byte, 200_000))
			_ = form.Close()
			r := httptest.NewRequest("POST", "http://"+loopback+"/-/uploads", &b)
			r.RequestURI = "/-/uploads"
			r.Header = http.Header{
				"Content-Type": {form.FormDataContentType()}, "Origin": {"http://" + loopback}, "Accept": {accept},
			}
			w := httptest.NewRecorder()
			if h.ServeHTTP(w, r); w.Code != want[i] || b.Len() > 0 {
				t.Errorf("%d fields, %s: %d %s, and %d bytes are left", fields, accept, w.Code, w.Body, b.Len())
			}
		}
	}
}

// What access rules exclude is not named among the pages of a file either.
func TestExcludedPagesOfFilesAreNotNamed(t *testing.T) {
	x := indextest.Open(t, "")
	d, _ := queueOf(t, x)
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { store.Close() })
	s, err := replay.New(replay.Config{
		Archive: replaytest.Archive(t, archive.Config{
			Index: x, Records: store, Access: archivetest.Policy(t, `rules: [{url: "http://a.example/secret", access: exclude}]`),
		}),
		Uploads: &uploads.Config{Queue: d, Default: "web"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var records []replaytest.Record
	for _, path := range []string{"", "secret"} {
		records = append(records, replaytest.Record{
			Date: "20140101000000", URI: "http://a.example/" + path, Status: 200, Body: replaytest.PageOf("A", "one two three"),
		})
	}
	content, err := os.ReadFile(replaytest.Write(t, records))
	if err != nil {
		t.Fatal(err)
	}
	to := at(s.Handler(), "POST", loopback, "/-/uploads?name=a.warc", string(content)).Header().Get("Location")
	var said string
	waitFor(t, func() bool {
		said = at(s.Handler(), "GET", loopback, to, "").Body.String()
		return strings.Contains(said, `"done":true`)
	})
	for _, accept := range []string{"application/json", "text/html"} {
		said := at(s.Handler(), "GET", loopback, to, "", "Accept", accept).Body.String()
		if !strings.Contains(said, "http://a.example/") || strings.Contains(said, "secret") {
			t.Errorf("as %s: %s", accept, said)
		}
	}
}

// The names of reasons in package upload.
var reasons = regexp.MustCompile(`\b(?:refuse|refusal)\("([a-z-]+)"`)

// Every reason for which a file is not taken has a text in every language, and no text is for none.
func TestRefusalsAreSaidInEveryLanguage(t *testing.T) {
	used := map[string]bool{}
	for _, file := range []string{"check.go", "queue.go"} {
		source, err := os.ReadFile(filepath.Join("..", "..", "..", "archive", "ingest", "upload", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range reasons.FindAllSubmatch(source, -1) {
			used[string(m[1])] = true
		}
	}
	if want := len(locale.For("en").Uploads.Refused); len(used) != want {
		t.Errorf("%d reasons, and texts for %d: %v", len(used), want, slices.Sorted(maps.Keys(used)))
	}
	for _, tag := range locale.Tags() {
		for why := range used {
			if locale.For(tag).Uploads.Refused[why] == "" {
				t.Errorf("%s: %q is missing", tag, why)
			}
		}
	}
}

// A reader is told in the page's language why a file is not taken; programs are told in English.
func TestReadersAreToldWhyInTheirLanguage(t *testing.T) {
	x := indextest.Open(t, "")
	d, _ := queueOf(t, x)
	h := replaytest.Configured(t, x, func(c *replay.Config) { c.Uploads = &uploads.Config{Queue: d, Default: "web"} })
	v := d.Open("web")
	if err := v.Receive(t.Context(), "a.warc", -1, strings.NewReader("nothing but notes")); err != nil {
		t.Fatal(err)
	}
	if err := v.Receive(t.Context(), "large.warc", 200_000, strings.NewReader("")); err == nil {
		t.Fatal("a large file is taken")
	}
	waitFor(t, func() bool { return v.Status()[0].State.Over() })
	path := "/-/uploads/" + v.ID
	for lang, want := range map[string][]string{
		"en": {"It is neither WARC, ARC nor WACZ.", "It is larger than this server takes: 0 MB."},
		"de": {"Sie ist weder WARC noch ARC noch WACZ.", "größer, als dieser Server annimmt: \u20680\u2069 MB."},
		"fa": {"این پرونده نه WARC است، نه ARC و نه WACZ."},
	} {
		page := at(h, "GET", "127.0.0.1:8080", path, "", "Accept", "text/html", "Accept-Language", lang).Body.String()
		for _, w := range want {
			if !strings.Contains(page, w) {
				t.Errorf("%s: %q is missing in\n%s", lang, w, page)
			}
		}
		said := at(h, "GET", "127.0.0.1:8080", path, "", "Accept-Language", lang).Body.String()
		if !strings.Contains(said, `"it is neither WARC, ARC nor WACZ"`) {
			t.Errorf("to a program: %s", said)
		}
	}
}

func TestWhereNoFileIsTaken(t *testing.T) {
	t.Parallel()
	d, _ := queueOf(t, archived(t))
	replaytest.Forbids(t, "/-/uploads", func(c *replay.Config) { c.Uploads = &uploads.Config{Queue: d, Default: "web"} },
		"takes no files", "--uploads", "hand in files")
}
