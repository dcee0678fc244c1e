package respond

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestNewSiteRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, public, replay string
		want                 string // what the error begins with; "" for none
	}{
		{"nothing", "", "", ""},
		{"an origin", "https://varve.example", "", ""},
		{"an origin with a slash", "http://varve.example/", "", ""},
		{"with a path", "https://varve.example:8443/p", "", ""},
		{"two hosts", "https://varve.example", "https://replay.example/", ""},
		{"two ports", "http://localhost:1", "http://localhost:2", ""},
		{"two hosts with one path", "https://varve.example/p", "https://replay.example/p/", ""},
		{"a replay origin alone", "", "https://replay.example", ""},
		{"no scheme", "varve.example", "", "PublicURL: "},
		{"another scheme", "ftp://varve.example", "", "PublicURL: "},
		{"no host", "https:///p", "", "PublicURL: "},
		{"a query", "https://varve.example/?a", "", "PublicURL: "},
		{"a fragment", "https://varve.example/#a", "", "PublicURL: "},
		{"no address", "https://varve .example", "", "PublicURL: "},
		{"a replay origin that is none", "", "replay.example", "ReplayURL: "},
		{"the same origin", "https://varve.example", "https://Varve.example/", "ReplayURL: "},
		{"the same origin, with its port", "https://varve.example:443", "https://varve.example", "ReplayURL: "},
		{"another path", "https://varve.example/p", "https://replay.example/q", "ReplayURL: "},
		{"no path", "https://varve.example/p", "https://replay.example", "ReplayURL: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := NewSite(tt.public, tt.replay)
			switch {
			case tt.want == "":
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(s.PublicURL, "/") || strings.HasSuffix(s.ReplayURL, "/") {
					t.Errorf("%q and %q end with a slash", s.PublicURL, s.ReplayURL)
				}
			case err == nil || !strings.HasPrefix(err.Error(), tt.want):
				t.Errorf("got %v, want %s…", err, tt.want)
			}
		})
	}
}

func TestAddressesOfASite(t *testing.T) {
	for _, tt := range []struct {
		name           string
		public, replay string
		host           string
		tls            bool
		base, path     string
	}{
		{"from the request", "", "", "localhost:8080", false, "http://localhost:8080", ""},
		{"from the request, over TLS", "", "", "varve.example", true, "https://varve.example", ""},
		{"given", "https://varve.example", "", "localhost:8080", false, "https://varve.example", ""},
		{"given, below a path", "https://varve.example/p/", "", "localhost:8080", false, "https://varve.example/p", "/p"},
		{"on the replay origin", "https://varve.example", "https://replay.example", "Replay.example", false, "https://replay.example", ""},
		{"on the other", "https://varve.example", "https://replay.example", "varve.example", false, "https://varve.example", ""},
		{"on the replay origin, the other not given", "", "http://replay.example:1", "replay.example:1", true, "http://replay.example:1", ""},
		{"on the replay origin, given with its port", "", "http://replay.example:80", "replay.example", false, "http://replay.example", ""},
		{
			"on the replay origin, given with its port and a path", "https://varve.example:443/p", "https://replay.example:443/p", "replay.example",
			false, "https://replay.example/p", "/p",
		},
		{"on the replay origin, asked with its port", "", "http://replay.example", "Replay.example:80", false, "http://replay.example", ""},
		{"on the other, given with its port", "http://varve.example:80/", "", "localhost:8080", false, "http://varve.example", ""},
		{"another port than the scheme's", "https://varve.example:80", "", "localhost", false, "https://varve.example:80", ""},
		{"on another port", "", "http://replay.example", "replay.example:443", false, "http://replay.example:443", ""},
		{"on the other, not given", "", "http://replay.example:1", "varve.example", false, "http://varve.example", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := NewSite(tt.public, tt.replay)
			if err != nil {
				t.Fatal(err)
			}
			r := &http.Request{Host: tt.host, Header: http.Header{}}
			if tt.tls {
				r.TLS = new(tls.ConnectionState)
			}
			if s.Base(r) != tt.base || s.Path() != tt.path || s.Away() {
				t.Errorf("%s, %q, away: %t", s.Base(r), s.Path(), s.Away())
			}
			if got := s.Absolute(r, "web").Home(); got != tt.base+"/web/" {
				t.Errorf("absolute: %s", got)
			}
			if got := s.Local("web").Home(); got != tt.path+"/web/" {
				t.Errorf("local: %s", got)
			}
			if a := s.Assets(); !strings.HasPrefix(a.PageStyle, tt.path+"/-/static/page.css") {
				t.Errorf("assets: %+v", a)
			}
		})
	}
}

func TestSiteAtLinksToWholeAddresses(t *testing.T) {
	const at = "http://varve.proxy"
	s, r := SiteAt(at), &http.Request{Host: "a.example"}
	if !s.Away() || s.Base(r) != at || s.Path() != at || s.Local("web").Home() != at+"/web/" {
		t.Errorf("%+v", s)
	}
}

func TestElsewhereSendsEachPathToItsOrigin(t *testing.T) {
	const public, replay = "https://varve.example/p", "https://replay.example/p"
	const memento, changes = "/p/web/2014/http://a.example/?b", "/p/web/changes/http://a.example/"
	const animation = "/p/web/animate/2014/2015/http://a.example/"
	for _, tt := range []struct {
		name           string
		public, replay string
		host, target   string
		accept         string
		to             string // "" where it is answered here
		status         int    // of the failure
	}{
		{"one origin", public, "", "varve.example", memento, "", "", 0},
		{"a memento on the main origin", public, replay, "varve.example", memento, "", "https://replay.example" + memento, 0},
		{"a memento on its own", public, replay, "replay.example", memento, "", "", 0},
		{"an animation on the main origin", public, replay, "varve.example", animation, "", "https://replay.example" + animation, 0},
		{"an animation on its own", public, replay, "replay.example", animation, "", "", 0},
		{"a list on the main origin", public, replay, "varve.example", "/p/web/*/http://a.example/", "", "", 0},
		{
			"a list on the replay origin", public, replay, "replay.example", "/p/web/*/http://a.example/", "",
			"https://varve.example/p/web/*/http://a.example/", 0,
		},
		{"static files on the main origin", public, replay, "varve.example", "/p/-/static/page.css", "", "", 0},
		{"static files on the replay origin", public, replay, "replay.example", "/p/-/static/page.css", "", "", 0},
		{
			"other pages of the server on the replay origin", public, replay, "replay.example", "/p/-/metrics", "",
			"https://varve.example/p/-/metrics", 0,
		},
		{"data for the banner", public, replay, "replay.example", changes, "application/json", "", 0},
		{"the page with the same data", public, replay, "replay.example", changes, "text/html", "https://varve.example" + changes, 0},
		{"other data", public, replay, "replay.example", "/p/web/cdx?url=a", "*/*", "https://varve.example/p/web/cdx?url=a", 0},
		{"a list on the replay origin, nobody knows the main one", "", "https://replay.example", "replay.example", "/web/", "", "", 404},
		{
			"a memento on the main origin, which is not given", "", "https://replay.example", "varve.example", "/web/2014/http://a.example/", "",
			"https://replay.example/web/2014/http://a.example/", 0,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := NewSite(tt.public, tt.replay)
			if err != nil {
				t.Fatal(err)
			}
			w, r := httptest.NewRecorder(), &http.Request{Method: "GET", Host: tt.host, RequestURI: tt.target, Header: pairs("Accept", tt.accept)}
			done, err := s.Elsewhere(w, r, ParsePath(strings.TrimPrefix(tt.target, s.Path())))
			if tt.status != 0 {
				if err == nil || AsFailure(err).Status != tt.status {
					t.Fatalf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if done != (tt.to != "") || w.Header().Get("Location") != tt.to {
				t.Errorf("%t, Location: %s", done, w.Header().Get("Location"))
			}
			if done && (w.Code != http.StatusFound || w.Header().Get("Access-Control-Allow-Origin") != "*") {
				t.Errorf("%d %v", w.Code, w.Header())
			}
		})
	}
}

// A server in front leaves the path of the public address in requests, or removes it.
func TestTargetsWithinThePublicAddress(t *testing.T) {
	s, err := NewSite("https://archive.example/sub/", "")
	if err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]string{
		"/sub/web/http://e.org/?a": "/web/http://e.org/?a", "/web/http://e.org/": "/web/http://e.org/", "/sub": "/", "/sub/": "/", "/": "/",
		"/sub?url=x": "/?url=x", "/subway/http://e.org/": "/subway/http://e.org/",
		"http://archive.example/sub/web/?a": "/web/?a", "http://archive.example/web/http://e.org/": "/web/http://e.org/",
	} {
		if got := s.Within(target); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
	if got := SiteAt("https://archive.example/sub").Within("/web/"); got != "/web/" {
		t.Errorf("elsewhere: %s", got)
	}
}

func TestElsewhereKeepsTheMethod(t *testing.T) {
	s, err := NewSite("https://varve.example", "https://replay.example")
	if err != nil {
		t.Fatal(err)
	}
	const target = "/web/2014/http://a.example/"
	w := httptest.NewRecorder()
	done, err := s.Elsewhere(w, &http.Request{Method: "POST", Host: "varve.example", RequestURI: target}, ParsePath(target))
	if !done || err != nil || w.Code != http.StatusTemporaryRedirect {
		t.Errorf("%t %v %d", done, err, w.Code)
	}
}

func TestAddressesOfThisArchive(t *testing.T) {
	for _, test := range []struct {
		public, uri, coll, from, uriR string
	}{
		{"https://archive.example.org", "https://archive.example.org/web/2010/http://a.example/x", "web", "2010", "http://a.example/x"},
		{
			"https://archive.example.org/", "http://archive.example.org/web/20100101000000id_/http://a.example/", "web", "20100101000000",
			"http://a.example/",
		},
		{"https://archive.example.org", "https://Archive.Example.org:443/web/http://a.example/", "web", "", "http://a.example/"},
		{"https://example.org/archive", "https://example.org/archive/web/2010/http://a.example/", "web", "2010", "http://a.example/"},
		{"https://example.org/archive", "https://example.org/web/2010/http://a.example/", "", "", ""},
		{"https://archive.example.org", "https://archive.example.org/web/", "", "", ""},
		{"https://archive.example.org", "https://archive.example.org/web/timemap/link/http://a.example/", "", "", ""},
		{"https://archive.example.org", "https://archive.example.org/", "", "", ""},
		{"https://archive.example.org", "https://archive.example.org", "", "", ""},
		{"https://archive.example.org", "https://other.example.org/web/2010/http://a.example/", "", "", ""},
		{"", "https://archive.example.org/web/2010/http://a.example/", "", "", ""},
	} {
		s, err := NewSite(test.public, "")
		if err != nil {
			t.Fatal(err)
		}
		p, ok := s.OwnMemento(test.uri)
		if ok != (test.uriR != "") || ok && (p.Coll != test.coll || p.From != test.from || p.URIR != test.uriR) {
			t.Errorf("%s at %s: %v, %+v", test.uri, test.public, ok, p)
		}
	}
}
