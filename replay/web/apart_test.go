package web

import (
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
	r := httptest.NewRequest("GET", "https://"+host+"/v/web/2010/http://a.example/", nil)
	if got := s.Base(r); got != first {
		t.Errorf("a request to %s is based on %s", host, got)
	}
	for _, bad := range []string{
		"x.replay.example:8443", strings.ToUpper(host[:26]) + "x" + host[26:], host[:26] + ".replay.example", host[:26] + ".evil.example:8443",
		host + ".evil.example", "a." + host, strings.Repeat("-", 26) + host[26:],
	} {
		r.Host = bad
		if got := s.Base(r); got != "https://archive.example/v" {
			t.Errorf("%s passes for a replay origin: %s", bad, got)
		}
	}
	for origin, want := range map[string]bool{
		"https://" + host: true, "http://" + host: false, "https://archive.example": false, "null": false,
		"https://" + host + ".evil.example": false,
	} {
		if s.IsReplay(origin) != want {
			t.Errorf("%s: %v", origin, !want)
		}
	}
	if !s.SharesWith("web", "http://a.example", "https://"+host) || s.SharesWith("web", "http://b.example", "https://"+host) ||
		s.SharesWith("web", "", "https://"+host) || !s.SharesWith("web", "*", "https://"+host) {
		t.Error("what was shared on the live web is not what is shared here")
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
}
