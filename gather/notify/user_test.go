package notify

import (
	"net/url"
	"testing"
	"time"
)

// Name and password leave for the archive alone, and not without TLS if it is known with it.
func TestWhoGetsThePassword(t *testing.T) {
	for _, tt := range []struct {
		archive, address string
		gets             bool
	}{
		{"https://me:secret@a.example/web", "https://a.example/web/feed?page=2", true},
		{"https://me:secret@a.example/web", "http://a.example/web/feed?page=2", false},
		{"http://me:secret@a.example:8080/web", "http://a.example:8080/web/feed", true},
		{"http://me:secret@a.example:8080/web", "http://a.example/web/feed", false},
		{"https://me:secret@a.example/web", "https://b.example/web/feed", false},
		{"https://a.example/web", "https://a.example/web/feed", false},
	} {
		u, err := url.Parse(tt.address)
		if err != nil {
			t.Fatal(err)
		}
		if got := userOf(tt.archive, u); got != nil != tt.gets {
			t.Errorf("%s of %s gets %v", tt.address, tt.archive, got)
		}
	}
}

// Who is told of a feed reads its address without a user; how many entries are asked for is a parameter among others.
func TestAddressesOfFeeds(t *testing.T) {
	for address, want := range map[string][2]string{
		"https://me:secret@a.example:8080/web/feed?q=x%20y#z": {
			"https://a.example:8080/web/feed?q=x%20y#z", "https://me:secret@a.example:8080/web/feed?limit=" + pageEntries + "&q=x+y#z",
		},
		"https://me@a.example/":      {"https://a.example/", "https://me@a.example/?limit=" + pageEntries},
		"https://a.example/?limit=9": {"https://a.example/?limit=9", "https://a.example/?limit=" + pageEntries},
		"someone@example.org":        {"someone@example.org", "someone@example.org?limit=" + pageEntries},
		"http://[":                   {"http://[", "http://["},
	} {
		if got := [2]string{public(address), limited(address)}; got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// After each failure the pause is twice as long, up to six hours.
func TestPauses(t *testing.T) {
	for tries, want := range map[int]time.Duration{
		0: time.Minute, 1: time.Minute, 2: 2 * time.Minute, 9: 256 * time.Minute, 10: 6 * time.Hour, 11: 6 * time.Hour, 1000: 6 * time.Hour,
	} {
		if got := pause(tries); got != want {
			t.Errorf("after %d tries %s, want %s", tries, got, want)
		}
	}
}
