package notify

import (
	"net/url"
	"testing"
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
