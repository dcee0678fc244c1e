package respond

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// pairs makes a header of names and values in turn.
func pairs(list ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(list); i += 2 {
		h.Add(list[i], list[i+1])
	}
	return h
}

func TestIsNavigation(t *testing.T) {
	const accept = "text/html,application/xhtml+xml;q=0.9"
	for _, tt := range []struct {
		name   string
		header []string
		want   bool
	}{
		{"nothing says so", nil, false},
		{"a window", []string{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, true},
		{"a frame", []string{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, false},
		{"a script that fetches", []string{"Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty"}, false},
		{"a document that is fetched otherwise", []string{"Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "document"}, false},
		{"a mode alone", []string{"Sec-Fetch-Mode", "navigate"}, false},
		{"a destination alone", []string{"Sec-Fetch-Dest", "document"}, false},
		{"plain HTTP", []string{"Upgrade-Insecure-Requests", "1", "Accept", accept}, true},
		{"plain HTTP, no page", []string{"Upgrade-Insecure-Requests", "1", "Accept", "*/*"}, false},
		{"plain HTTP, a page that is fetched", []string{"Accept", accept}, false},
		{"another value", []string{"Upgrade-Insecure-Requests", "0", "Accept", accept}, false},
		{
			"a mode goes before the upgrade", []string{"Upgrade-Insecure-Requests", "1", "Accept", accept, "Sec-Fetch-Mode", "cors"}, false,
		},
		{
			"a destination goes before the upgrade",
			[]string{"Upgrade-Insecure-Requests", "1", "Accept", accept, "Sec-Fetch-Dest", "iframe"},
			false,
		},
		{
			"a site goes before the upgrade", []string{"Upgrade-Insecure-Requests", "1", "Accept", accept, "Sec-Fetch-Site", "none"}, false,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := IsNavigation(&http.Request{Header: pairs(tt.header...)}); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestFillsWindow(t *testing.T) {
	for _, tt := range []struct {
		name   string
		header []string
		want   bool
	}{
		{"a window", []string{"Sec-Fetch-Dest", "document"}, true},
		{"a window, whatever the mode", []string{"Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "document"}, true},
		{"a frame", []string{"Sec-Fetch-Dest", "iframe"}, false},
		{"a frame that would be upgraded", []string{"Sec-Fetch-Dest", "iframe", "Upgrade-Insecure-Requests", "1", "Accept", "text/html"}, false},
		{"plain HTTP", []string{"Upgrade-Insecure-Requests", "1", "Accept", "text/html"}, true},
		{"plain HTTP, no page", []string{"Upgrade-Insecure-Requests", "1", "Accept", "image/png"}, false},
		{"a program", nil, false},
	} {
		if got := IsTopLevel(&http.Request{Header: pairs(tt.header...)}); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

func TestGoesUnasked(t *testing.T) {
	for _, tt := range []struct {
		name, cookie, site string
		want               bool
	}{
		{"no cookie", "", "a.example", false},
		{"another cookie", "other=*", "a.example", false},
		{"for the site", "varve-go=a.example", "a.example", true},
		{"for several", "varve-go=b.example|a.example", "a.example", true},
		{"for others", "varve-go=b.example|c.example", "a.example", false},
		{"for one that begins alike", "varve-go=a.example.org", "a.example", false},
		{"for all", "varve-go=b.example|*", "a.example", true},
		{"for all, a URI-R without a host", "varve-go=*", "", true},
		{"a URI-R without a host", "varve-go=a.example", "", false},
		{"an empty choice", "varve-go=", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &http.Request{Header: http.Header{}}
			if tt.cookie != "" {
				r.Header.Set("Cookie", tt.cookie)
			}
			if got := SkipsLanding(r, tt.site); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestSiteOfIsTheHostAsACookieHoldsIt(t *testing.T) {
	for uriR, want := range map[string]string{
		"http://A.example:8080/x": "a.example",
		"https://bücher.example/": "xn--bcher-kva.example",
		"http://[2001:db8::1]/":   "%5B2001%3Adb8%3A%3A1%5D",
		"urn:isbn:1":              "",
		"no address":              "",
	} {
		if got := SiteOf(uriR); got != want {
			t.Errorf("%s: got %q, want %q", uriR, got, want)
		}
	}
}

func TestFromLandingKnowsTheLandingPageOfItsCollection(t *testing.T) {
	const landing = "/web/landing/20150101000000/http://a.example/x"
	for _, tt := range []struct {
		name      string
		publicURL string
		referer   string
		href      string // "" for none
	}{
		{"no Referer", "", "", ""},
		{"a landing page", "", "http://varve.example" + landing, landing},
		{"below a path", "http://varve.example/p", "http://varve.example/p" + landing, "/p" + landing},
		{"of another origin", "", "http://other.example" + landing, ""},
		{"of another collection", "", "http://varve.example/other/landing/20150101000000/http://a.example/x", ""},
		{"another page", "", "http://varve.example/web/20150101000000/http://a.example/x", ""},
		{"a landing page of nothing", "", "http://varve.example/web/landing/20150101000000/", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := NewSite(tt.publicURL, "")
			if err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequest(http.MethodGet, "http://varve.example/web/2015/http://b.example/", nil)
			if tt.referer != "" {
				r.Header.Set("Referer", tt.referer)
			}
			link, p := s.FromLanding(r, "web")
			switch {
			case tt.href == "":
				if link != nil {
					t.Errorf("got %+v", link)
				}
			case link == nil || link.Href != tt.href || link.Text != "http://a.example/x" || p.From != "20150101000000":
				t.Errorf("got %+v at %+v", link, p)
			}
		})
	}
}
