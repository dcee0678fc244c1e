package replay_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

func TestTwoOrigins(t *testing.T) {
	_, x := replaytest.Serve(t, replaytest.Write(t,
		[]replaytest.Record{{
			Date: "20140101000000", URI: "http://a.example/", Status: 200, Location: "",
			Body: "<title>t</title><a href=/b>b</a>",
		}}))
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { store.Close() })
	s, err := replay.New(replay.Config{
		Archive:   replaytest.Archive(t, archive.Config{Index: x, Records: store}),
		PublicURL: "http://archive.test", ReplayURL: "http://replay.test",
	})
	if err != nil {
		t.Fatal(err)
	}
	const page, gate = "/web/20140101000000/http://a.example/", "/web/http://a.example/"
	const anim = "/web/animate/20140101000000/20140101000000/http://a.example/"
	tests := []struct {
		name, host, path string
		status           int
		to, policy       string
	}{
		{"a page at the main origin is at the other", "archive.test", page, 302, "http://replay.test" + page, ""},
		{
			"archived bytes too", "archive.test", "/web/20140101000000id_/http://a.example/?a=%2F", 302,
			"http://replay.test/web/20140101000000id_/http://a.example/?a=%2F", "",
		},
		{"a page at the replay origin", "replay.test", page, 200, "", "http://replay.test/web/ http://replay.test/-/static/"},
		{"a host in another case", "Replay.Test", page, 200, "", "http://replay.test/web/"},
		{"the TimeGate is at the main origin", "replay.test", gate, 302, "http://archive.test" + gate, ""},
		{"and answers there", "archive.test", gate, 302, "http://archive.test" + page, ""},
		{"so is the home page", "replay.test", "/", 302, "http://archive.test/", ""},
		{
			"and the calendar, where the banner leads", "replay.test", "/web/*/http://a.example/", 302,
			"http://archive.test/web/*/http://a.example/", "",
		},
		{"and the metrics", "replay.test", "/-/metrics", 302, "http://archive.test/-/metrics", ""},
		{"static files are at both", "replay.test", "/-/static/page.css", 200, "", ""},
		{"at the main one too", "archive.test", "/-/static/page.css", 200, "", ""},
		{"the banner's data comes from where it stands", "replay.test", "/web/changes?url=http://a.example/", 200, "", ""},
		{"an animation is an archived page", "archive.test", anim, 302, "http://replay.test" + anim, ""},
		{"at the replay origin", "replay.test", anim, 200, "", ""},
		{"another host is the main origin", "127.0.0.1:8080", "/web/", 200, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, r := httptest.NewRecorder(), httptest.NewRequest("GET", tt.path, nil)
			r.Host, r.RequestURI = tt.host, tt.path
			s.Handler().ServeHTTP(w, r)
			if w.Code != tt.status || w.Header().Get("Location") != tt.to ||
				!strings.Contains(w.Header().Get("Content-Security-Policy"), tt.policy) {
				t.Errorf("%d to %q, policy %q: %.200s", w.Code, w.Header().Get("Location"), w.Header().Get("Content-Security-Policy"), w.Body)
			}
		})
	}
}

func TestOneOriginIsNotTwo(t *testing.T) {
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	store := warc.NewStore(func(cdx.FileID) (string, bool) { return "", false })
	defer store.Close()
	for _, url := range []string{"http://archive.test", "https://Archive.test/", "http://replay.test/other", "replay.test"} {
		if _, err := replay.New(replay.Config{
			Archive:   replaytest.Archive(t, archive.Config{Index: x, Records: store}),
			PublicURL: "http://archive.test", ReplayURL: url,
		}); err == nil {
			t.Errorf("%s passes for an origin of its own", url)
		}
	}
}

// Where each archived origin has a host, a page asks other origins as it did live, and reads what they let it read.
func TestArchivedPagesAskOtherOriginsAsLive(t *testing.T) {
	t.Parallel()
	const named, all = "http://api.example/named", "http://api.example/all"
	message := func(head string) string {
		return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" + head + "\r\n\r\ntext"
	}
	first, _ := replaytest.Serve(t, replaytest.WriteVerbatim(t, []replaytest.Verbatim{
		{Date: "20140101000000", URI: named, Message: message("Access-Control-Allow-Origin: http://a.example\r\n" +
			"Access-Control-Allow-Credentials: true")},
		{Date: "20140101000000", URI: all, Message: message("Access-Control-Allow-Origin: *")},
	}))
	s, err := replay.New(replay.Config{
		Archive: first.Archive(), Searches: first.Searches(), PublicURL: "http://archive.test", ReplayURL: "http://*.replay.test",
	})
	if err != nil {
		t.Fatal(err)
	}
	home := func(uri string) string { // the host at which a page of an origin is replayed
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/web/20140101000000mp_/"+uri, nil)
		r.Host = "archive.test"
		s.Handler().ServeHTTP(w, r)
		host, _, _ := strings.Cut(strings.TrimPrefix(w.Header().Get("Location"), "http://"), "/")
		return host
	}
	ask := func(method, uri, from string, fields ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "/web/20140101000000wkrf_/"+uri, nil)
		r.Host = home(uri)
		r.Header.Set("Origin", "http://"+home(from))
		for i := 0; i < len(fields); i += 2 {
			r.Header.Set(fields[i], fields[i+1])
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w
	}
	got := func(w *httptest.ResponseRecorder, name string) string {
		return w.Header().Get("Access-Control-Allow-" + name)
	}
	for _, tt := range []struct {
		uri, from   string
		reads, with bool
	}{
		{named, "http://a.example/", true, true}, {named, "http://b.example/", false, false}, {all, "http://b.example/", true, false},
	} {
		w, origin := ask("GET", tt.uri, tt.from), ""
		if tt.reads {
			origin = "http://" + home(tt.from)
		}
		if w.Code != 200 || got(w, "Origin") != origin || (got(w, "Credentials") == "true") != tt.with {
			t.Errorf("%s from %s: %d %v", tt.uri, tt.from, w.Code, w.Header())
		}
	}
	before := ask("OPTIONS", named, "http://a.example/", "Access-Control-Request-Method", "PATCH", "Access-Control-Request-Headers", "x-key")
	if before.Code != 204 || got(before, "Methods") != "PATCH" || got(before, "Headers") != "x-key" || got(before, "Credentials") != "true" {
		t.Errorf("before a request: %d %v", before.Code, before.Header())
	}
	if w := ask("OPTIONS", named, "http://c.example/", "Origin", "http://elsewhere.example", "Access-Control-Request-Method", "PATCH"); got(w,
		"Credentials") != "" || got(w, "Methods") == "PATCH" {
		t.Errorf("from a site that is live: %v", w.Header())
	}
	for _, own := range []string{"/-/uploads", "/-/jobs", "/web/search?q=text", "/web/terms/table"} {
		r := httptest.NewRequest("OPTIONS", own, nil)
		r.Host = "archive.test"
		r.Header.Set("Origin", "http://"+home("http://a.example/"))
		r.Header.Set("Access-Control-Request-Method", "PUT")
		w := httptest.NewRecorder()
		if s.Handler().ServeHTTP(w, r); got(w, "Credentials") != "" || got(w, "Methods") == "PUT" {
			t.Errorf("%s, which is the server's own: %v", own, w.Header())
		}
	}
}

// A name that was made to lead to a server on loopback gets nothing of the archive, whatever it asks for.
func TestReboundNamesReadNothing(t *testing.T) {
	t.Parallel()
	const uriR = "http://a.example/"
	first, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{{Date: "20140101000000", URI: uriR, Status: 200, Body: "text"}}))
	s, err := replay.New(replay.Config{Archive: first.Archive(), Searches: first.Searches(), Loopback: true, Private: true})
	if err != nil {
		t.Fatal(err)
	}
	targets := []string{"/", "/web/", "/-/metrics", "/-/healthz", "/-/static/banner.css", "/nowhere/"}
	for _, some := range routes(uriR) {
		targets = append(targets, some...)
	}
	for _, target := range targets {
		r := httptest.NewRequest("GET", target, nil)
		r.Host = "rebound.example:8080"
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code != http.StatusMisdirectedRequest || !strings.Contains(w.Body.String(), "--public-url") {
			t.Errorf("%s: %d %.200s", target, w.Code, w.Body)
		}
		if got := w.Header().Get("Access-Control-Allow-Origin"); got != "" {
			t.Errorf("%s: others may read it: %s", target, got)
		}
	}
}

// To an archived page the server's own address is one like any other.
func TestArchivedPagesDoNotLeadToTheServersOwn(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20100101000000", URI: replaytest.Site + "/", Status: 302, Location: "http://varve.example/-/metrics", Body: ""},
		{
			Date: "20100101000000", URI: replaytest.Site + "/page", Status: 200, Location: "",
			Body: `<img src="http://varve.example/other/cdx?url=a">`,
		},
	}))
	const at = "/web/20100101000000"
	if got, want := replaytest.Get(t, s.Handler(), at+"/"+replaytest.Site+"/").Header().Get("Location"),
		at+"/http://varve.example/-/metrics"; got != want {
		t.Errorf("leads to %s, want %s", got, want)
	}
	page := replaytest.Get(t, s.Handler(), at+"/"+replaytest.Site+"/page").Body.String()
	if want := at + "im_/http://varve.example/other/cdx?url=a"; !strings.Contains(page, `"`+want+`"`) {
		t.Errorf("the page lacks %s", want)
	}
	if w := replaytest.Get(t, s.Handler(), "/-/metrics", "Referer", "http://varve.example"+at+"/"+replaytest.Site+"/",
		"Sec-Fetch-Dest", "empty"); w.Code != 403 {
		t.Errorf("a page got %d", w.Code)
	}
}
