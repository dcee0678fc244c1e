package client_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/varve-archive/varve/gather/client"
)

// Cookies go back where RFC 6265 has them go, and nowhere else.
func TestWhereCookiesGo(t *testing.T) {
	for _, tt := range []struct{ name, set, from, to, want string }{
		{"to the same host", "a=1", "http://www.a.example/", "http://www.a.example/x", "a=1"},
		{"to no other host", "a=1", "http://www.a.example/", "http://b.a.example/", ""},
		{"to the hosts of a domain", "a=1; Domain=a.example", "http://www.a.example/", "http://b.a.example/", "a=1"},
		{"to no other site", "a=1; Domain=example", "http://www.a.example/", "http://b.example/", ""},
		{"of all sites of a suffix", "a=1; Domain=co.uk", "http://www.a.co.uk/", "http://b.co.uk/", ""},
		{"below a path", "a=1; Path=/x", "http://a.example/x/", "http://a.example/x/y", "a=1"},
		{"not beside it", "a=1; Path=/x", "http://a.example/x/", "http://a.example/y", ""},
		{"only by TLS", "a=1; Secure", "https://a.example/", "http://a.example/", ""},
		{"that are over", "a=1; Max-Age=0", "http://a.example/", "http://a.example/", ""},
		{"of an address", "a=1", "http://192.0.2.1/", "http://192.0.2.1:8080/", "a=1"},
		{"too long", "a=" + strings.Repeat("x", 4096), "http://a.example/", "http://a.example/", ""},
		{"just as long as may be", "a=" + strings.Repeat("x", 4095), "http://a.example/", "http://a.example/", "a=" + strings.Repeat("x", 4095)},
		{"of no address", "a=1", "http://a.example:x/", "http://a.example/", ""},
		{"to no address", "a=1", "http://a.example/", "http://a.example:x/", ""},
	} {
		c := client.NewCookies()
		if got := c.Header(tt.to); got != nil {
			t.Errorf("%s: %v before any was set", tt.name, got)
		}
		c.Set(tt.from, http.Header{"Set-Cookie": {tt.set}})
		if got := c.Header(tt.to).Get("Cookie"); got != tt.want {
			t.Errorf("%s: %.40q, want %.40q", tt.name, got, tt.want)
		}
	}
}

// A site has so many cookies at most, and may change those.
func TestCookiesOfASiteAreBounded(t *testing.T) {
	c, many := client.NewCookies(), http.Header{}
	for i := range 60 {
		many.Add("Set-Cookie", fmt.Sprintf("c%d=1", i))
	}
	const page = "http://a.example/"
	c.Set(page, many)
	c.Set(page, http.Header{"Set-Cookie": {"c0=2", "more=1"}})
	c.Set(page, http.Header{})
	c.Set("http://b.example/", http.Header{"Set-Cookie": {"b=1"}})
	got := c.Header(page).Get("Cookie")
	n := strings.Count(got, "=")
	if n != 50 || !strings.Contains(got, "c0=2") || !strings.Contains(got, "c49=1") || strings.Contains(got, "c50") {
		t.Errorf("%d: %s", n, got)
	}
	if got := c.Header("http://b.example/").Get("Cookie"); got != "b=1" {
		t.Errorf("of another site: %s", got)
	}
}
