package respond

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestTrespass(t *testing.T) {
	const here, page = "http://varve.example", "http://varve.example/web/20100101000000/http://a.example/"
	one, err := NewSite("", "")
	if err != nil {
		t.Fatal(err)
	}
	two, err := NewSite("http://varve.example", "http://replay.example")
	if err != nil {
		t.Fatal(err)
	}
	many, err := NewSite("http://varve.example", "http://*.replay.example")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name         string
		site         *Site
		target       string
		referer      string
		dest, origin string // Sec-Fetch-Dest, Sec-Fetch-Site
		refused      bool
	}{
		{"a page of its collection", one, "/web/2010im_/http://b.example/", page, "image", "same-origin", false},
		{"an endpoint of its collection", one, "/web/changes?url=x", page, "empty", "same-origin", false},
		{"a static file", one, "/-/static/page.css", page, "style", "same-origin", false},
		{"metrics", one, "/-/metrics", page, "empty", "same-origin", true},
		{"metrics as an image", one, "/-/metrics", page, "image", "same-origin", true},
		{"metrics in a frame", one, "/-/metrics", page, "iframe", "same-origin", true},
		{"metrics, by a browser that says little", one, "/-/metrics", page, "", "", true},
		{"metrics without a referrer", one, "/-/metrics", "", "empty", "same-origin", true},
		{"metrics in a window", one, "/-/metrics", page, "document", "same-origin", false},
		{"another collection's captures", one, "/other/cdx?url=x", page, "empty", "same-origin", true},
		{"another collection's page", one, "/other/2010/http://b.example/", page, "iframe", "same-origin", true},
		{"the start page", one, "/", page, "empty", "same-origin", true},
		{"a path that means nothing", one, "/UPPER", page, "empty", "same-origin", false},
		{
			"an animation's frame", one, "/other/2010/http://b.example/", here + "/web/animate/2010/2011/http://a.example/",
			"iframe", "same-origin", true,
		},
		{"the server's own page", one, "/-/api/openapi.json", here + "/web/", "empty", "same-origin", false},
		{"somebody else", one, "/-/metrics", "", "", "", false},
		{"somebody who asks for a capture", one, "/web/20100101000000/http://a.example/", "", "", "", false},
		{"the replay origin's reader", two, "/web/", "", "", "", false},
		{"another site's page", one, "/-/metrics", "http://other.example/", "empty", "cross-site", false},
		{"from the replay origin", two, "/web/cdx?url=x", "http://replay.example/", "empty", "same-site", true},
		{
			"the same where it says which page", two, "/web/cdx?url=x", "http://replay.example/web/2010/http://a.example/",
			"empty", "same-site", true,
		},
		{"from an origin that lacks its slash", two, "/web/cdx?url=x", "http://replay.example", "empty", "same-site", true},
		{"from one that only begins alike", two, "/web/cdx?url=x", "http://replay.example.org/", "empty", "cross-site", false},
		{
			"from an archived origin's own host", many, "/web/cdx?url=x", "http://" + strings.Repeat("a", 26) + ".replay.example/",
			"empty", "same-site", true,
		},
		{"from a host that is none", many, "/web/cdx?url=x", "http://a.replay.example/", "empty", "same-site", false},
		{"a reader from there", two, "/web/", "http://replay.example/", "document", "same-site", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", here+tt.target, nil)
			for name, value := range map[string]string{"Referer": tt.referer, "Sec-Fetch-Dest": tt.dest, "Sec-Fetch-Site": tt.origin} {
				if value != "" {
					r.Header.Set(name, value)
				}
			}
			err := tt.site.CheckOrigin(r, ParsePath(tt.target))
			var f *Failure
			if tt.refused != errors.As(err, &f) || f != nil && f.Status != 403 {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestKeepApart(t *testing.T) {
	one, err := NewSite("", "")
	if err != nil {
		t.Fatal(err)
	}
	apart, err := NewSite("http://varve.example", "http://*.replay.example")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		site    *Site
		kind    Kind
		several bool
		want    string
	}{
		{"a page of varve's own", one, Home, false, "same-origin"},
		{"an archived page of the only collection", one, Memento, false, ""},
		{"an archived page of one of several", one, Memento, true, "noopener-allow-popups"},
		{"a TimeGate of one of several", one, TimeGate, true, "noopener-allow-popups"},
		{"an archived page on an origin of its own", apart, Memento, true, ""},
	} {
		h := make(http.Header)
		tt.site.KeepApart(h, tt.kind, tt.several)
		if got := h.Get("Cross-Origin-Opener-Policy"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
