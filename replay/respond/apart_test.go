package respond

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Each archived origin of each collection has a host: the same for all its paths, another for another scheme, host, port or
// collection.
func TestEachArchivedOriginHasAHost(t *testing.T) {
	s, err := NewSite("https://archive.example/v", "https://*.replay.example:8443/v")
	if err != nil {
		t.Fatal(err)
	}
	home := func(coll, uriR string) string { return s.replayHome(Path{Kind: Memento, Coll: coll, URIR: uriR}) }
	first := home("web", "http://a.example/")
	for _, same := range []string{"http://a.example/b?c", "HTTP://A.example:80/", "http://a.example"} {
		if got := home("web", same); got != first {
			t.Errorf("%s is at %s, not %s", same, got, first)
		}
	}
	for _, other := range []string{"https://a.example/", "http://a.example:81/", "http://b.example/", "http://www.a.example/", "http://a b/"} {
		if got := home("web", other); got == first {
			t.Errorf("%s is at %s too", other, got)
		}
	}
	if home("other", "http://a.example/") == first {
		t.Error("two collections have one host")
	}
	host := strings.TrimSuffix(strings.TrimPrefix(first, "https://"), "/v")
	asked := httptest.NewRequest("GET", "https://"+host+"/v/web/2010/http://a.example/", nil)
	if got := s.Base(asked); got != first {
		t.Errorf("a request to %s is based on %s", host, got)
	}
	w, r := httptest.NewRecorder(), &http.Request{Method: "GET", Host: host, RequestURI: "/v/web/2010/http://b.example/"}
	if done, err := s.Elsewhere(w, r, ParsePath("/web/2010/http://b.example/")); !done || err != nil ||
		w.Header().Get("Location") != home("web", "http://b.example/")+"/web/2010/http://b.example/" {
		t.Errorf("a page at another's host: %t, %v, %v", done, err, w.Header())
	}
	for _, bad := range []string{
		"x.replay.example:8443", strings.ToUpper(host[:26]) + "x" + host[26:], host[:26] + ".replay.example", host[:26] + ".evil.example:8443",
		host + ".evil.example", "a." + host, strings.Repeat("-", 26) + host[26:],
	} {
		asked.Host = bad
		if got := s.Base(asked); got != "https://archive.example/v" {
			t.Errorf("%s passes for a replay origin: %s", bad, got)
		}
	}
	for origin, want := range map[string]bool{
		"https://" + host: true, "http://" + host: false, "https://archive.example": false, "null": false,
		"https://" + strings.Repeat("8", 26) + host[26:]: false,
		"https://" + host + ".evil.example":              false,
	} {
		if s.IsReplay(origin) != want {
			t.Errorf("%s: %v", origin, !want)
		}
	}
	if !s.SharesWith("web", "http://a.example", "https://"+host) || s.SharesWith("web", "http://b.example", "https://"+host) ||
		s.SharesWith("web", "", "https://"+host) || !s.SharesWith("web", "*", "https://"+host) ||
		s.SharesWith("web", "", home("web", "")) {
		t.Error("what was shared on the live web is not what is shared here")
	}
	one, err := NewSite("https://archive.example", "https://replay.example")
	if evil := "https://replay.example" + strings.Repeat("a", 26); err != nil || one.IsReplay(evil) {
		t.Errorf("%s passes for the one replay origin (%v)", evil, err)
	}
}

func TestArchivedOriginsAtTheSchemesPort(t *testing.T) {
	s, err := NewSite("", "http://*.replay.example:80")
	if err != nil {
		t.Fatal(err)
	}
	home := s.replayHome(Path{Kind: Memento, Coll: "web", URIR: "http://a.example/"})
	host := strings.TrimPrefix(home, "http://")
	for _, asked := range []string{host, host + ":80"} {
		r := httptest.NewRequest("GET", "/web/2010/http://a.example/", nil)
		r.Host = asked
		if got := s.Base(r); got != home || strings.Contains(home, ":80") {
			t.Errorf("a request to %s is based on %s, not %s", asked, got, home)
		}
	}
	if !s.IsReplay(home) {
		t.Errorf("%s is no replay origin", home)
	}
}

func TestReplayURLsThatCannotBe(t *testing.T) {
	for _, bad := range []string{
		"https://a.*.example", "https://*.*.example", "https://*", "https://*.replay.example/other",
		"*.replay.example", "https://x*.replay.example",
	} {
		if _, err := NewSite("https://archive.example", bad); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	if _, err := NewSite("", "https://*.replay.example/v"); err != nil {
		t.Errorf("a path, and nobody knows the main origin: %v", err)
	}
}

func TestWhatReplayedPagesTellOfThemselves(t *testing.T) {
	for _, tt := range []struct{ replayURL, archived, want string }{
		{"https://*.replay.example", "", "unsafe-url"},
		{"https://*.replay.example", "strict-origin", "unsafe-url"},
		{"https://*.replay.example", "no-referrer", "same-origin"},
		{"https://*.replay.example", "Same-Origin", "same-origin"},
		{"https://*.replay.example", "no-referrer, origin", "unsafe-url"},
		{"https://*.replay.example", "no-referrer, nonsense", "same-origin"},
		{"https://replay.example", "no-referrer", ""},
		{"", "", ""},
	} {
		s, err := NewSite("https://archive.example", tt.replayURL)
		if err != nil {
			t.Fatal(err)
		}
		h := http.Header{}
		s.TellReferrer(h, tt.archived)
		if got := h.Get("Referrer-Policy"); got != tt.want {
			t.Errorf("at %q, archived with %q: %q", tt.replayURL, tt.archived, got)
		}
	}
}

func TestRefererOfReplayedPages(t *testing.T) {
	apart, err := NewSite("https://archive.example/v", "https://*.replay.example/v")
	if err != nil {
		t.Fatal(err)
	}
	one, err := NewSite("", "")
	if err != nil {
		t.Fatal(err)
	}
	a := apart.replayHome(Path{Kind: Memento, Coll: "web", URIR: "http://a.example/"})
	b := apart.replayHome(Path{Kind: Memento, Coll: "web", URIR: "http://b.example/"})
	for _, tt := range []struct {
		name        string
		site        *Site
		at, referer string
		rest        string
		fromReplay  bool
	}{
		{"its own page", apart, a, a + "/web/1/x", "web/1/x", true},
		{"a page of another origin", apart, a, b + "/web/1/x", "web/1/x", true},
		{"only an origin", apart, a, b, "", false},
		{"a path of another server's", apart, a, strings.TrimSuffix(b, "/v") + "/web/1/x", "", false},
		{"another site", apart, a, "https://evil.example/v/web/1/x", "", false},
		{"nobody", apart, a, "", "", false},
		{"one origin", one, "http://varve.example", "http://varve.example/web/1/x", "web/1/x", true},
		{"another than the one", one, "http://varve.example", "http://a.varve.example/web/1/x", "", false},
	} {
		r := httptest.NewRequest("GET", tt.at+"/web/2/y", nil)
		r.Header.Set("Referer", tt.referer)
		if rest, ok := tt.site.FromReplay(r); ok != tt.fromReplay || ok && rest != tt.rest {
			t.Errorf("%s: %q, %v", tt.name, rest, ok)
		}
	}
}

func TestLettersOfLabels(t *testing.T) {
	for c := range 256 {
		want := strings.ContainsRune("abcdefghijklmnopqrstuvwxyz234567", rune(c))
		if got := isLabel("a" + string([]byte{byte(c)}) + "7"); got != want {
			t.Errorf("%q: %t", byte(c), got)
		}
	}
}
