package engine

import (
	"testing"

	"github.com/varve-archive/varve/replay/respond"
)

// Every type that isn't on the list gets a sandbox. Each type on it is a promise that browsers run no script of it.
func TestInertTypes(t *testing.T) {
	for declared, want := range map[string]bool{
		"text/plain": true, "TEXT/Plain; charset=utf-8": true, "application/json": true, "application/pdf": true, "image/gif": true,
		"video/mp4": true, "font/woff2": true,
		"image/svg+xml": false, "IMAGE/SVG+XML": false, "text/xml": false, "application/rss+xml": false, "text/html": false,
		"application/xhtml+xml": false, "multipart/x-mixed-replace": false, "message/rfc822": false, "x": false, "": false,
		"text/plain, text/html": false, "text/plain; a=\"": false, "unknown/unknown": false, "image/svg+xml;x": false,
	} {
		if got := inert([]string{declared}); got != want {
			t.Errorf("%q: got %v", declared, got)
		}
	}
	if inert(nil) || inert([]string{"text/plain", "image/svg+xml"}) {
		t.Error("no type, or two, is inert")
	}
}

func TestReachable(t *testing.T) {
	for _, tt := range []struct{ own, public, replay, want string }{
		{"http://127.0.0.1:8080", "", "", `("http{s}?://:@127.0.0.1:8080/*");redirects=allow`},
		{"https://a.example/archive", "https://a.example/archive", "", `("http{s}?://:@a.example/*");redirects=allow`},
		{
			"https://x.r.example:8443", "https://a.example", "https://*.r.example:8443",
			`("http{s}?://:@x.r.example:8443/*" "http{s}?://:@a.example/*" "http{s}?://:@*.r.example:8443/*");redirects=allow`,
		},
		{"http://[::1]:80", "", "", `(response-origin);redirects=allow`},
		{"http://127.0.0.1:80", "http://[::1]:80", "", ""},
	} {
		site, err := respond.NewSite(tt.public, tt.replay)
		if err != nil {
			t.Fatal(err)
		}
		if got := reachable(tt.own, site); got != tt.want {
			t.Errorf("%s, %s, %s: got %s, want %s", tt.own, tt.public, tt.replay, got, tt.want)
		}
	}
}
