package uploads_test

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"mime/multipart"
	"net/http"
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

// desk returns one that works until the test ends, with the folder to which files go.
func desk(t *testing.T, x *index.Index) (*upload.Queue, string) {
	t.Helper()
	s := &shelf{x, &upload.Folder{Dir: t.TempDir(), Owner: "test"}}
	d := upload.NewQueue(s, 100_000, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { d.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	return d, s.folder.Dir
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
	d, _ := desk(t, x)
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
		{"a window", taking, replaytest.Loopback, replaytest.AsWindow(), true},
		{"at localhost", taking, "localhost:8080", replaytest.AsWindow(), true},
		{"at another loopback address", taking, "[::1]:8080", replaytest.AsWindow(), true},
		{"under a name that may be anybody's", taking, "evil.example", replaytest.AsWindow(), false},
		{"a frame", taking, replaytest.Loopback, frame, false},
		{"a script", taking, replaytest.Loopback, script, false},
		{"a browser that doesn't say what it asks for", taking, replaytest.Loopback, old, false},
		{"through another server", taking, replaytest.Loopback, append([]string{"X-Forwarded-For", "192.0.2.1"}, replaytest.AsWindow()...), false},
		{"a server that takes nothing", nil, replaytest.Loopback, replaytest.AsWindow(), false},
		{"at the public address", asked, "archive.example", replaytest.AsWindow(), true},
		{"… by plain http", asked, "archive.example", old, false},
		{"… with archived pages elsewhere", apart, "archive.example", old, true},
	} {
		h := replaytest.Configured(t, x, tt.change)
		for _, path := range []string{"/", "/web/", "/-/uploads"} {
			if got := replaytest.Token(h, tt.host, path, tt.header...) != ""; got != tt.want {
				t.Errorf("%s: %s has a token: %v", tt.name, path, got)
			}
			if !tt.want {
				continue
			}
			head := replaytest.At(h, "GET", tt.host, path, "", tt.header...).Header()
			if head.Get("Cache-Control") != "no-store" || head.Get("X-Frame-Options") != "DENY" ||
				!strings.Contains(head.Get("Content-Security-Policy"), "frame-ancestors 'none'") ||
				head.Get("Cross-Origin-Opener-Policy") != "same-origin" || !strings.Contains(head.Get("Vary"), "Sec-Fetch-Dest") {
				t.Errorf("%s: %s: %v", tt.name, path, head)
			}
		}
	}
}

func TestWhoMayHandInFiles(t *testing.T) {
	x := archived(t)
	d, folder := desk(t, x)
	h := replaytest.Configured(t, x, func(c *replay.Config) { c.Uploads = &uploads.Config{Queue: d, Default: "web"} })
	public := replaytest.Configured(t, x, func(c *replay.Config) {
		c.Uploads, c.PublicURL = &uploads.Config{Queue: d, Default: "web", Asked: true}, "https://archive.example"
	})
	own := replaytest.Token(h, replaytest.Loopback, "/", replaytest.AsWindow()...)
	ownPublic := replaytest.Token(public, "archive.example", "/", replaytest.AsWindow()...)
	if own == "" || ownPublic == "" || own == ownPublic {
		t.Fatal("no tokens")
	}
	const here = "http://" + replaytest.Loopback
	for _, tt := range []struct {
		name   string
		h      http.Handler
		host   string
		header []string
		status int
	}{
		{"a client that is no browser", h, replaytest.Loopback, nil, 202},
		{"varve's own page", h, replaytest.Loopback, []string{
			"Origin", here, "Sec-Fetch-Site", "same-origin", "Referer", here + "/", "X-Varve-Token", own,
		}, 202},
		{"… that doesn't say where it is", h, replaytest.Loopback, []string{"Origin", here, "Sec-Fetch-Site", "same-origin", "X-Varve-Token", own}, 403},
		{"… in a browser that says less", h, replaytest.Loopback, []string{"Origin", here, "X-Varve-Token", own}, 202},
		{"… without the token", h, replaytest.Loopback, []string{"Origin", here, "Sec-Fetch-Site", "same-origin"}, 403},
		{"… with another", h, replaytest.Loopback, []string{"Origin", here, "Sec-Fetch-Site", "same-origin", "X-Varve-Token", ownPublic}, 403},
		{"another site", h, replaytest.Loopback, []string{"Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site", "X-Varve-Token", own}, 403},
		{"… whose browser says less", h, replaytest.Loopback, []string{"Origin", "http://evil.example", "X-Varve-Token", own}, 403},
		{"another port", h, replaytest.Loopback, []string{"Origin", "http://127.0.0.1:9090", "Sec-Fetch-Site", "same-site", "X-Varve-Token", own}, 403},
		{"a sandbox", h, replaytest.Loopback, []string{"Origin", "null", "X-Varve-Token", own}, 403},
		{"a name that leads here", h, "evil.example:8080", []string{"Origin", "http://evil.example:8080", "X-Varve-Token", own}, 403},
		{"… by a client that is no browser", h, "evil.example:8080", nil, 403},
		{"… that begins like an address", h, "127.0.0.1.evil.example", nil, 403},
		{"an archived page that says where it is", h, replaytest.Loopback, []string{
			"Origin", here, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Dest", "empty", "X-Varve-Token", own,
			"Referer", here + "/web/20140101000000/http://a.example/",
		}, 403},
		{"the public address", public, "archive.example", []string{"Origin", "https://archive.example", "X-Varve-Token", ownPublic}, 202},
		{"… whatever the server in front calls it", public, "backend:8080", []string{
			"Origin", "https://archive.example", "X-Varve-Token", ownPublic,
		}, 202},
		{"… led to by another name", public, "evil.example", []string{"Origin", "https://evil.example", "X-Varve-Token", ownPublic}, 403},
		{"a server that takes nothing", replaytest.Configured(t, x, nil), replaytest.Loopback, nil, 403},
	} {
		w := replaytest.At(tt.h, "POST", tt.host, "/-/uploads?name=a.warc", "no archive", tt.header...)
		if w.Code != tt.status || w.Code == 403 && strings.TrimSpace(w.Body.String()) == "" {
			t.Errorf("%s: %d %s", tt.name, w.Code, w.Body)
		}
		if strings.Contains(w.Header().Get("Access-Control-Allow-Headers"), "Varve") {
			t.Errorf("%s: other origins may send the token", tt.name)
		}
	}
	waitFor(t, func() bool { left, _ := os.ReadDir(folder); return len(left) == 0 })
}

// waitFor waits until what a desk does is done.
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
	d, _ := desk(t, x)
	h := replaytest.Configured(t, x, func(c *replay.Config) { c.Uploads = &uploads.Config{Queue: d, Default: "web"} })
	own := replaytest.Token(h, replaytest.Loopback, "/", replaytest.AsWindow()...)
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
		w := replaytest.At(h, "POST", replaytest.Loopback, "/-/uploads", b.String(), append([]string{
			"Content-Type", form.FormDataContentType(), "Origin", "http://" + replaytest.Loopback,
		}, replaytest.AsWindow()...)...)
		if w.Code != tt.status && !(tt.files > 100 && w.Code == http.StatusServiceUnavailable) {
			t.Errorf("%s: %d %s", tt.name, w.Code, w.Body)
		}
		if w.Code == 303 {
			to := replaytest.At(h, "GET", replaytest.Loopback, w.Header().Get("Location"), "", replaytest.AsWindow()...)
			if to.Code != 200 || strings.Count(to.Body.String(), `class="upload `) != tt.files {
				t.Errorf("%s: %d %s", tt.name, to.Code, to.Body)
			}
		}
	}
	for method, status := range map[string]int{"PUT": 405, "DELETE": 405} {
		if w := replaytest.At(h, method, replaytest.Loopback, "/-/uploads", ""); w.Code != status || w.Header().Get("Allow") == "" {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
	if w := replaytest.At(h, "POST", replaytest.Loopback, "/-/uploads/x", ""); w.Code != 405 {
		t.Errorf("to a delivery: %d", w.Code)
	}
	if w := replaytest.At(h, "GET", replaytest.Loopback, "/-/uploads/x", ""); w.Code != 404 {
		t.Errorf("of no delivery: %d", w.Code)
	}
}

// What access rules exclude is not named among the pages of a file either.
func TestExcludedPagesOfFilesAreNotNamed(t *testing.T) {
	x := indextest.Open(t, "")
	d, _ := desk(t, x)
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
	to := replaytest.At(s.Handler(), "POST", replaytest.Loopback, "/-/uploads?name=a.warc", string(content)).Header().Get("Location")
	var said string
	waitFor(t, func() bool {
		said = replaytest.At(s.Handler(), "GET", replaytest.Loopback, to, "").Body.String()
		return strings.Contains(said, `"done":true`)
	})
	for _, accept := range []string{"application/json", "text/html"} {
		said := replaytest.At(s.Handler(), "GET", replaytest.Loopback, to, "", "Accept", accept).Body.String()
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
	d, _ := desk(t, x)
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
		page := replaytest.At(h, "GET", "127.0.0.1:8080", path, "", "Accept", "text/html", "Accept-Language", lang).Body.String()
		for _, w := range want {
			if !strings.Contains(page, w) {
				t.Errorf("%s: %q is missing in\n%s", lang, w, page)
			}
		}
		said := replaytest.At(h, "GET", "127.0.0.1:8080", path, "", "Accept-Language", lang).Body.String()
		if !strings.Contains(said, `"it is neither WARC, ARC nor WACZ"`) {
			t.Errorf("to a program: %s", said)
		}
	}
}
