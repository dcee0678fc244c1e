package proxy

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/respond"
)

func TestIdentify(t *testing.T) {
	basic := func(s string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(s)) }
	long := strings.Repeat("a", 192) // as long in base64 as can be
	for _, tt := range []struct {
		name, address, credentials string
		want                       identity
	}{
		{"by address", "10.0.0.1:5000", "", identity{key: "10.0.0.1"}},
		{"by an address without a port", "unix", "", identity{key: "unix"}},
		{"by collection and address", "10.0.0.1:5000", basic("web:"), identity{key: "10.0.0.1\x00web", coll: "web"}},
		{"by collection and a word", "10.0.0.1:5000", basic("web:me"), identity{key: "\x00web\x00me", coll: "web"}},
		{"a word with a colon", "10.0.0.1:5000", basic("web:me:2"), identity{key: "\x00web\x00me:2", coll: "web"}},
		{"in small letters", "10.0.0.1:5000", "basic " + basic("web:me")[6:], identity{key: "\x00web\x00me", coll: "web"}},
		{"without a collection", "10.0.0.1:5000", basic(":me"), identity{key: "10.0.0.1"}},
		{"in another scheme", "10.0.0.1:5000", "Bearer d2ViOg==", identity{key: "10.0.0.1"}},
		{"not in base64", "10.0.0.1:5000", "Basic ???", identity{key: "10.0.0.1"}},
		{"as long as can be", "10.0.0.1:5000", basic(long), identity{key: "10.0.0.1\x00" + long, coll: long}},
		{"longer", "10.0.0.1:5000", basic(long + "a"), identity{key: "10.0.0.1"}},
	} {
		r := &http.Request{RemoteAddr: tt.address, Header: http.Header{}}
		if tt.credentials != "" {
			r.Header.Set("Proxy-Authorization", tt.credentials)
		}
		if got := identify(r); got != tt.want {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

func TestChoicesAreKeptForEachClient(t *testing.T) {
	c, me, other := newClients(), identity{key: "me"}, identity{key: "other"}
	c.choose(me, choice{coll: "news", datetime: 20140101000000})
	if got := c.choiceOf(me); got != (choice{"news", 20140101000000}) {
		t.Errorf("chosen: %v", got)
	}
	if got := c.choiceOf(other); got != (choice{}) {
		t.Errorf("by another: %v", got)
	}
	c.choose(me, choice{datetime: 20150101000000})
	if got := c.choiceOf(me); got != (choice{"news", 20150101000000}) {
		t.Errorf("without a collection the one before stays: %v", got)
	}
	c.choose(me, choice{coll: "web"})
	if got := c.choiceOf(me); got != (choice{"web", 0}) {
		t.Errorf("without a datetime: %v", got)
	}
	if got := c.choiceOf(identity{key: "me", coll: "mine"}); got != (choice{"mine", 0}) {
		t.Errorf("credentials go first: %v", got)
	}
}

func TestPagesAreRememberedForWhatTheyReferTo(t *testing.T) {
	const ts = cdx.Timestamp(20140101000000)
	p, me := &Proxy{}, identity{key: "me"}
	p.seen, _ = lru.New[string, cdx.Timestamp](maxSeen)
	longest := "http://b.example/" + strings.Repeat("a", 4096-len("http://b.example/"))
	p.remember(me, "http://a.example/page?x", ts, true)
	p.remember(me, "http://c.example/a.css", ts, false)
	p.remember(me, longest, ts, false)
	p.remember(me, longest+"a", ts, false)
	for _, tt := range []struct {
		name, referer string
		want          cdx.Timestamp
	}{
		{"the page", "http://a.example/page?x", ts},
		{"its origin alone", "http://a.example/", ts},
		{"another page of its origin", "http://a.example/other", ts},
		{"another origin", "http://x.example/", 0},
		{"a style sheet", "http://c.example/a.css", ts},
		{"the origin of a style sheet only", "http://c.example/", 0},
		{"the longest address", longest, ts},
		{"one that is longer", longest + "a", 0},
		{"nobody", "", 0},
	} {
		if got := p.recall(me, tt.referer); got != tt.want {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
	if got := p.recall(identity{key: "other"}, "http://a.example/"); got != 0 {
		t.Errorf("by another client: %s", got)
	}
}

func TestOriginOf(t *testing.T) {
	for uriR, want := range map[string]string{
		"http://a.example/b?c": "http://a.example/", "http://a.example": "http://a.example/", "http://a.example?b/c": "http://a.example/",
		"https://a.example:8/b": "https://a.example:8/", "urn:isbn:1": "urn:isbn:1", "http:///b": "http:///", "://a/b": "://a/",
	} {
		if got := originOf(uriR); got != want {
			t.Errorf("%s: %s, want %s", uriR, got, want)
		}
	}
}

func TestWithScheme(t *testing.T) {
	for _, tt := range []struct{ scheme, uriR, want string }{
		{"http", "https://a.example/b", "http://a.example/b"},
		{"https", "http://a.example/b", "https://a.example/b"},
		{"https", "http://a.example:8080/b", "http://a.example:8080/b"},
		{"https", "ftp://a.example/b", "ftp://a.example/b"},
		{"https", "urn:isbn:1", "urn:isbn:1"},
		{"https", "http://[a/", "http://[a/"},
	} {
		if got := withScheme(tt.scheme, tt.uriR); got != tt.want {
			t.Errorf("%s as %s: %s", tt.uriR, tt.scheme, got)
		}
	}
}

func TestQuotedIsShort(t *testing.T) {
	fits := strings.Repeat("a", 40)
	for s, want := range map[string]string{"a": `"a"`, fits: `"` + fits + `"`, fits + "b": `"` + fits + `…"`, "a\nb": `"a\nb"`} {
		if got := quoted(s); got != want {
			t.Errorf("%q: %s", s, got)
		}
	}
}

func TestWhoReads(t *testing.T) {
	for _, tt := range []struct {
		name           string
		header         []string
		reader, window bool
	}{
		{"a program", nil, true, false},
		{"a window", []string{"Sec-Fetch-Dest", "document"}, true, true},
		{"a frame", []string{"Sec-Fetch-Dest", "iframe"}, false, false},
		{"a frame that would be upgraded", []string{"Sec-Fetch-Dest", "iframe", "Upgrade-Insecure-Requests", "1"}, false, false},
		{"a window on plain HTTP", []string{"Upgrade-Insecure-Requests", "1", "Accept", "text/html", "Referer", "http://a.example/"}, true, true},
		{"a part of a page on plain HTTP", []string{"Referer", "http://a.example/"}, false, false},
		{"a script on plain HTTP", []string{"Origin", "http://a.example"}, false, false},
		{"a script that says so", []string{"X-Requested-With", "XMLHttpRequest", "Sec-Fetch-Dest", "document"}, false, true},
	} {
		r := &http.Request{Header: http.Header{}}
		for i := 0; i < len(tt.header); i += 2 {
			r.Header.Set(tt.header[i], tt.header[i+1])
		}
		if forReader(r) != tt.reader || respond.IsTopLevel(r) != tt.window {
			t.Errorf("%s: reader %t, window %t", tt.name, forReader(r), respond.IsTopLevel(r))
		}
	}
}

func TestPreflightsAllowWhatIsAsked(t *testing.T) {
	for _, asked := range []bool{false, true} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodOptions, "/", nil)
		want := [3]string{"*", "", ""}
		if asked {
			r.Header.Set("Origin", "http://a.example")
			r.Header.Set("Access-Control-Request-Method", "PATCH")
			r.Header.Set("Access-Control-Request-Headers", "x-own")
			want = [3]string{"http://a.example", "PATCH", "x-own"}
		}
		new(Proxy).preflight(&request{w: w, r: r})
		h := w.Header()
		got := [3]string{h.Get("Access-Control-Allow-Origin"), h.Get("Access-Control-Allow-Methods"), h.Get("Access-Control-Allow-Headers")}
		_, named := h["Access-Control-Allow-Methods"]
		if w.Code != http.StatusNoContent || got != want || named != asked || (h.Get("Access-Control-Allow-Credentials") == "true") != asked {
			t.Errorf("%d %v", w.Code, h)
		}
	}
}

func TestPoliciesOfPagesShownElsewhereNameTheirOrigin(t *testing.T) {
	for origin, want := range map[string]string{"http://varve.proxy": "script-src http://varve.proxy", "": "script-src 'self'"} {
		w := httptest.NewRecorder()
		p := &policyWriter{w, origin}
		p.Header().Set("Content-Security-Policy", "script-src 'self'")
		p.WriteHeader(404)
		if w.Code != 404 || w.Header().Get("Content-Security-Policy") != want {
			t.Errorf("%q: %d %v", origin, w.Code, w.Header())
		}
	}
}

// A list of renditions is told by its type or by its name; what a site's player reads by the site.
func TestWhatListsRenditions(t *testing.T) {
	for _, tt := range []struct {
		uriR, kind string
		want       bool
	}{
		{"http://a.example/film", "application/vnd.apple.mpegurl", true},
		{"http://a.example/film", "Audio/X-MpegURL; charset=utf-8", true},
		{"http://a.example/film", "application/dash+xml", true},
		{"http://a.example/film.M3U8?a=b", "text/plain", true},
		{"http://a.example/film.mpd", "", true},
		{"http://a.example/film?next=a.m3u8", "text/plain", false},
		{"http://a.example/film", "application/json", false},
		{"https://x.com/i/api", "application/json", true},
		{"https://x.com/a.js", "text/javascript", true},
		{"https://x.com/a", "text/html", true},
		{"https://x.com/a.css", "text/css", false},
	} {
		a := &archive.Response{Header: warc.Fields{{Name: "Content-Type", Value: tt.kind}}, Capture: &cdx.Capture{URL: tt.uriR}}
		if got := listsRenditions(a); got != tt.want {
			t.Errorf("%s of type %q: %t", tt.uriR, tt.kind, got)
		}
	}
}

func TestTimesInFields(t *testing.T) {
	for ts, want := range map[cdx.Timestamp]string{0: "", 20140131235958: "2014-01-31T23:59:58"} {
		if got := fieldTime(ts); got != want {
			t.Errorf("%d: %q, want %q", ts, got, want)
		}
	}
}
