package respond

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Under a name that somebody else made to point at a server on loopback, nothing is answered.
func TestNamed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		public, replay, host string
		want                 bool
	}{
		{"", "", "127.0.0.1:8080", true},
		{"", "", "127.9.9.9", true},
		{"", "", "[::1]:8080", true},
		{"", "", "LocalHost.:8080", true},
		{"", "", "varve.localhost:8080", true},
		{"", "", "192.0.2.1", true},
		{"", "", "varve", true}, // of a server in front
		{"", "", "", true},      // HTTP/1.0
		{"", "", "rebound.example:8080", false},
		{"", "", "rebound.example.", false},
		{"", "", "localhost.rebound.example", false},
		{"", "", "127.0.0.1.rebound.example", false},
		{"", "", "notlocalhost.example", false},
		{"https://archive.example", "", "archive.example", true},
		{"https://archive.example", "", "Archive.example.:443", true},
		{"https://archive.example/varve", "", "archive.example:8080", true},
		{"https://archive.example", "", "rebound.example", false},
		{"https://archive.example", "", "www.archive.example", false},
		{"https://archive.example", "https://replay.example", "replay.example", true},
		{"https://archive.example", "https://*.replay.example", strings.Repeat("a", labelLen) + ".replay.example", true},
		{"https://archive.example", "https://*.replay.example", "evil.replay.example", false},
		{"https://archive.example", "https://*.replay.example", "rebound.example", false},
	} {
		s, err := NewSite(tt.public, tt.replay)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("GET", "/web/", nil)
		r.Host = tt.host
		err = s.Named(r)
		var f *Failure
		if (err == nil) != tt.want || err != nil && (!errors.As(err, &f) || f.Status != http.StatusMisdirectedRequest) {
			t.Errorf("%q %q, asked as %q: %v", tt.public, tt.replay, tt.host, err)
		}
	}
}
