package home_test

import (
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
	"github.com/varve-archive/varve/replay/respond"
)

func TestTheAddressBoxLeadsOn(t *testing.T) {
	const kept = "http://frost.example.org/web/2014/" + replaytest.Site + "/a"
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: replaytest.Site + "/a", Status: 200, Body: replaytest.PageOf("A", "one two three")},
		{Date: "20150101000000", URI: replaytest.Site + "/b", Status: 404, Body: replaytest.PageOf("B", "one two three")},
		{Date: "20150101000000", URI: kept, Status: 200, Body: replaytest.PageOf("C", "four")},
	}))
	for _, tt := range []struct {
		path   string
		status int
		to     string
	}{
		{"/?url=rain.example.org/a", 302, "/web/*/http://rain.example.org/a"},
		{"/?url=rain.example.org/a&at=2015", 302, "/web/20150101000000/http://rain.example.org/a"},
		{"/?url=rain.example.org/a&at=then", 302, "/web/*/http://rain.example.org/a"},
		{"/web/?url=rain.example.org/a", 302, "/web/*/http://rain.example.org/a"},
		{"/web/?url=%3Chttp://rain.example.org/a%3E", 302, "/web/*/http://rain.example.org/a"},
		{"/web/?url=(URL:http://rain.example.org/a_(b))", 302, "/web/*/http://rain.example.org/a_(b)"},
		{"/web/?url=http://rain.example.org/a_(b)", 302, "/web/*/http://rain.example.org/a_(b)"},
		{"/web/?url=%E2%80%9Chttps://rain.example.org/a%E2%80%9D+", 302, "/web/*/https://rain.example.org/a"},
		{"/web/?url=%EF%BB%BF%E2%80%8Erain.example.org/a%E2%80%8B", 302, "/web/*/http://rain.example.org/a"},
		{"/web/?url=view-source:http://rain.example.org/a", 302, "/web/*/http://rain.example.org/a"},
		{"/web/?url=https://web.archive.org/web/2014id_/http://rain.example.org/a", 302, "/web/20140101000000/http://rain.example.org/a"},
		{"/?url=http://127.0.0.1:8080/web/20150101000000/http://rain.example.org/a", 302, "/web/20150101000000/http://rain.example.org/a"},
		{"/web/?url=http://127.0.0.1:8080/web/*/http://rain.example.org/a", 302, "/web/*/http://rain.example.org/a"},
		{"/web/?url=http://127.0.0.1:8080/web/*/http://rain.example.org/*", 200, ""},
		{
			"/web/?url=http://127.0.0.1:8080/web/timemap/link/http://rain.example.org/a", 302,
			"/web/*/http://127.0.0.1:8080/web/timemap/link/http://rain.example.org/a",
		},
		{"/web/?url=" + kept, 302, "/web/*/" + kept},
		{"/web/?url=http://a.example/web/2014/http://b.example/", 302, "/web/*/http://a.example/web/2014/http://b.example/"},
		{"/web/?url=rain", 400, ""},
		{"/web/?url=+", 400, ""},
		{"/?q=+", 400, ""},
		{"/web/?url=rain.example.org/*", 200, ""},
		{"/web/?url=*.example.org", 200, ""},
		{"/web/?url=snow.example.org/*", 404, ""},
		{"/web/", 200, ""},
		{"/", 200, ""},
	} {
		w := replaytest.Get(t, s.Handler(), tt.path, "Accept", "text/html")
		if w.Code != tt.status || w.Header().Get("Location") != tt.to {
			t.Errorf("%s: %d, Location: %s", tt.path, w.Code, w.Header().Get("Location"))
		}
	}
	body := replaytest.Get(t, s.Handler(), "/web/", "Accept", "text/html").Body.String()
	if !strings.Contains(body, `href="/web/20150101000000/`+replaytest.Site+`/a"`) || strings.Contains(body, replaytest.Site+`/b"`) {
		t.Errorf("a collection proposes its pages, not its failures\n%s", body)
	}
}

// An archive of nothing has a home, whatever is typed there.
func TestHomeOfNothing(t *testing.T) {
	h := replaytest.ServeIndex(t, indextest.Open(t, "")).Handler()
	for _, path := range []string{"/", "/?url=http://a.example/", "/?q=word"} {
		if w := replaytest.Get(t, h, path, "Accept", "text/html"); w.Code != 200 || !strings.Contains(w.Body.String(), "<h1>") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// With one collection, home is that collection. Its title and description are what the people who run the archive say.
func TestHomeOfOneCollection(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, nil)
	archivetest.PutBare(t, x, "http://example.org/", 1, 0, 0)
	if _, err := x.PutFile(t.Context(), index.File{Collection: "web", Name: "half.warc"}); err != nil {
		t.Fatal(err)
	}
	s, err := replay.New(replay.Config{
		Archive: replaytest.Archive(t, archive.Config{Index: x, Records: archivetest.NoRecords{}}),
		About: func(coll string) respond.About {
			return respond.About{Title: "Rivers & " + coll, Description: "What was <said> of them."}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", "/web/"} {
		body := replaytest.Get(t, s.Handler(), path, "Accept", "text/html").Body.String()
		for _, want := range []string{
			"<h1>Collection Rivers &amp; web</h1>", "What was &lt;said&gt; of them.", `href="/web/"`, "1 address, 2 files <",
		} {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %s in\n%s", path, want, body)
			}
		}
	}
	if list := replaytest.Get(t, s.Handler(), "/collinfo.json").Body.String(); !strings.Contains(list, `"name":"Rivers`) {
		t.Errorf("clients read %s", list)
	}
}

const shared = replaytest.Shared

// The box of a home with several collections completes addresses of all of them, and opens what several have together.
func TestTheBoxOfSeveralCollections(t *testing.T) {
	h := replaytest.TwoCollections(t).Handler()
	if body := replaytest.Get(t, h, "/", "Accept", "text/html").Body.String(); !strings.Contains(body, `data-suggest="/-/suggest"`) {
		t.Error("the box doesn't complete")
	}
	var got [4]json.RawMessage
	w := replaytest.Get(t, h, "/-/suggest?q=rain.example.org/")
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err, w.Body)
	}
	if want := `["` + replaytest.Site + `/shared","` + replaytest.Site + `/alone"]`; string(got[1]) != want {
		t.Errorf("%s, want %s", got[1], want)
	}
	for typed, to := range map[string]string{
		shared:                     "/-/calendar?url=http%3A%2F%2Frain.example.org%2Fshared",
		replaytest.Site + "/alone": "/second/*/" + replaytest.Site + "/alone",
		shared + "&at=2013":        "/first/2013",
	} {
		w := replaytest.Get(t, h, "/?url="+typed, "Accept", "text/html")
		if got := w.Header().Get("Location"); w.Code != http.StatusFound || !strings.HasPrefix(got, to) {
			t.Errorf("%s: %d to %s", typed, w.Code, got)
		}
	}
}

// Words in the box lead to a search with the filters of the one before, and an address elsewhere.
func TestWordsInTheBox(t *testing.T) {
	record := func(path, text string) replaytest.Record {
		return replaytest.Record{Date: "20150101000000", URI: replaytest.Site + path, Status: 200, Body: replaytest.PageOf(path, text)}
	}
	path := replaytest.Write(t, []replaytest.Record{record("/a", "tannery"), record("/b", "museum weir")})
	s := replaytest.Searchable(t, []string{path})
	h := s.Handler()
	for path, to := range map[string]string{
		"/web/?q=two+words&change=deleted&domain=": "/web/search?change=deleted&q=two+words",
		"/web/?url=two+words&change=deleted":       "/web/search?q=two+words",
		"/?q=two+words&change=deleted":             "/web/search?change=deleted&q=two+words",
		"/web/?q=rain.example.org/a":               "/web/*/http://rain.example.org/a",
		"/web/?q=%22two+words%22":                  "/web/search?q=%22two+words%22",
		"/web/?q=%3Chttp://rain.example.org/a%3E":  "/web/*/http://rain.example.org/a",
		"/web/?q=info@rain.example.org":            "/web/search?q=info%40rain.example.org",
		"/?q=rain.example.org/a&at=2014":           "/web/20140101000000/http://rain.example.org/a",
	} {
		w := replaytest.Get(t, h, path, "Accept", "text/html")
		if got := w.Header().Get("Location"); w.Code != http.StatusFound || got != to {
			t.Errorf("%s: %d to %s, want %s", path, w.Code, got, to)
		}
	}
	if w := replaytest.Get(t, h, "/web/?url=rain.example.org/a&level=text", "Accept", "text/html"); w.Code != 200 ||
		!strings.Contains(w.Body.String(), "/web/20150101000000/"+replaytest.Site+"/a") {
		t.Errorf("a calendar: %d %s", w.Code, w.Header())
	}
	w := replaytest.Get(t, h, "/web/?url=rain.example.org/a&level=text&at=2015", "Accept", "text/html")
	if w.Code != http.StatusFound {
		t.Errorf("a memento: %d", w.Code)
	}
	body := replaytest.Get(t, h, "/web/", "Accept", "text/html").Body.String()
	for _, want := range []string{
		`href="/web/?since=2015&amp;until=2015&amp;url=%2A"`, `href="/web/monitor"`, `href="/web/duplicates?across=1"`, `href="/web/?url=%2A"`,
		`href="/web/*/http://rain.example.org/*"`, `href="/web/?type=page&amp;url=%2A"`, `href="/web/terms"`, `href="/web/search"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	news := ingest.Config{Index: s.Searches().Archive.Index.Whole, Collection: "news"}
	if _, err := ingest.Run(t.Context(), news, []string{path}); err != nil {
		t.Fatal(err)
	}
	for path, to := range map[string]string{ // the box of the search in all collections sends its filters as well
		"/?q=two+words&change=present&domain=a.example&from=2014&to=": "/-/search?change=present&domain=a.example&from=2014&q=two+words",
		"/?url=two+words&from=2014":                                   "/-/search?q=two+words",
	} {
		w := replaytest.Get(t, h, path, "Accept", "text/html")
		if got := w.Header().Get("Location"); w.Code != http.StatusFound || got != to {
			t.Errorf("%s: %d to %s, want %s", path, w.Code, got, to)
		}
	}
}

// While a large collection is counted, its page says how far that is, and nobody waits. After a change the last count does until there is
// another, without what is gone.
func TestALargeCollectionWhileItIsCounted(t *testing.T) {
	few := map[string]int{"http://a.example/": 2}
	for i := range 64 {
		few["http://a.example/"+strconv.Itoa(i)] = 1
	}
	x, _ := archivetest.CountedIndex(t, few)
	archivetest.PutBare(t, x, "http://b.example/", 20_001, 0, 0)
	if _, err := x.PutFile(t.Context(), index.File{Collection: "news", Name: "none.warc", Done: true}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	halfway, onward, once := make(chan struct{}), make(chan struct{}), sync.Once{}
	h := replaytest.Configured(t, x, func(cfg *replay.Config) {
		cfg.Counts = holdings.New(holdings.Config{Archive: cfg.Archive, Pace: func(context.Context, time.Duration) error {
			once.Do(func() {
				close(halfway)
				<-onward
			})
			return nil
		}})
		kept := make(chan struct{})
		go func() { defer close(kept); cfg.Counts.Keep(ctx) }()
		t.Cleanup(func() { cancel(); <-kept })
	})
	get := func(path string) string {
		w := replaytest.Get(t, h, path, "Accept", "text/html")
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
		return w.Body.String()
	}
	const page, counting = `href="/web/20100101010000/http://a.example/"`, "still being counted"
	<-halfway
	if body := get("/"); !strings.Contains(body, "20,001 captures") || strings.Contains(body, "66 addresses") {
		t.Errorf("its card: %s", body)
	}
	if body := get("/web/"); !strings.Contains(body, counting) || strings.Contains(body, page) {
		t.Errorf("it isn't counted yet: %s", body)
	}
	close(onward)
	for strings.Contains(get("/web/"), counting) {
		time.Sleep(time.Millisecond)
	}
	if body := get("/web/"); !strings.Contains(body, page) || !strings.Contains(body, "66 addresses") {
		t.Errorf("it is counted: %s", body)
	}
	for _, f := range x.Files() {
		if f.Name == "pages.warc.gz" {
			if err := x.RemoveFiles(t.Context(), f.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	if body := get("/web/"); strings.Contains(body, page) {
		t.Errorf("it leads to what is gone: %s", body)
	}
}

// Each of several collections has its figures on the first page.
func TestFiguresOfSeveralCollections(t *testing.T) {
	body := replaytest.Get(t, replaytest.TwoCollections(t).Handler(), "/", "Accept", "text/html").Body.String()
	for _, want := range []string{
		"2 captures, 1 address, 2 versions, 1 file", "from 1 January 2010 to 1 January 2014", "<title>2012: 0 captures</title>",
		"3 captures, 2 addresses, 3 versions, 1 file", "from 1 January 2012 to 1 January 2016", "<title>2016: 2 captures, 2 versions</title>",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
}

// A collection shows the newest picture of a page in the list of collections, and the looks of two pages by itself.
func TestPicturesOfCollections(t *testing.T) {
	store, x := visual.NewStore(t.TempDir()), indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	picture := func(coll, path string, at cdx.Timestamp) {
		p := &visual.Picture{
			Recipe: visual.Recipe, URL: replaytest.Site + path, Time: at, Width: 1280,
			Image: visual.File{Hash: strings.Repeat("a", 64)}, Thumb: visual.File{Width: 240, Height: 150},
		}
		if err := store.Save(visual.At{Coll: coll, Key: surt.Of(p.URL), Time: at, Width: 1280}, p); err != nil {
			t.Fatal(err)
		}
	}
	var web []replaytest.Record
	for _, path := range []string{"/bare", "/one", "/three", "/two"} { // all changed in 2016
		web = append(web,
			replaytest.Record{
				Date: "20150101000000", URI: replaytest.Site + path, Status: 200,
				Body: replaytest.PageOf("Rain", "It rains on the hills since the morning and nobody knows when it will stop."),
			},
			replaytest.Record{
				Date: "20160101000000", URI: replaytest.Site + path, Status: 200,
				Body: replaytest.PageOf("Rain", "It rained on the hills for a whole week, and now the sun shines on the valley again."),
			})
		if path != "/bare" {
			picture("web", path, 20150101000000)
			picture("web", path, 20160101000000)
		}
	}
	picture("still", "/two", 20150101000000)
	for coll, records := range map[string][]replaytest.Record{
		"news": web[:2], "still": append(web[:2:2], web[6]), // there, only what has no picture changed
		"web": web,
	} {
		if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: coll}, []string{replaytest.Write(t, records)}); err != nil {
			t.Fatal(err)
		}
	}
	records := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { _ = records.Close() })
	s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: records, Pictures: store})})
	if err != nil {
		t.Fatal(err)
	}
	shown := func(path string) []string {
		body := replaytest.Get(t, s.Handler(), path, "Accept", "text/html").Body.String()
		return regexp.MustCompile(`[a-z]+/thumb/[^"]*`).FindAllString(body, -1)
	}
	thumb := func(at, path string) string { return "web/thumb/" + at + "/" + replaytest.Site + path }
	const still = "still/thumb/20150101000000/" + replaytest.Site + "/two"
	if got, want := shown("/"), []string{still, thumb("20160101000000", "/one")}; !slices.Equal(got, want) {
		t.Errorf("the collections: %q, want %q", got, want)
	}
	want := []string{thumb("20150101000000", "/one"), thumb("20150101000000", "/three")} // those of 2016 look the same
	if got := shown("/web/"); !slices.Equal(got, want) {
		t.Errorf("the collection: %q, want %q", got, want)
	}
	if got := shown("/still/"); !slices.Equal(got, []string{still}) {
		t.Errorf("a collection in which nothing that has pictures changed: %q", got)
	}
	if got := shown("/news/"); len(got) > 0 {
		t.Errorf("a collection without pictures: %q", got)
	}
}

// Whatever operation of the index's store fails, no answer is wrong.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	replaytest.NewFaults(t, replaytest.Remarkable()).Ask(
		"/", "/web/", "/?url="+replaytest.Site+"/edit", "/web/?url=lakes",
	)
}
