package record

import (
	"net/http"
	"strings"
	"testing"
)

// A body whose secrets can't be found is left out whole.
func TestSent(t *testing.T) {
	const form, js = "application/x-www-form-urlencoded", "application/json; charset=utf-8"
	long := "a=" + strings.Repeat("x", longestForm-2)
	for _, tt := range []struct{ name, kind, coding, body, want string }{
		{"no form", "text/plain", "", "password=hush", "password=hush"},
		{"a form", form, "", "user=anna&password=hush", "user=anna&password="},
		{"… that is compressed", form, "gzip", "\x1f\x8bhush", ""},
		{"… as long as it may be", form, "", long, long},
		{"… a byte longer", form, "", long + "x", ""},
		{"JSON", js, "", `{"user": "anna", "pin": 1234}`, `{"user": "anna", "pin": ""}`},
		{"… that is compressed", js, "br", "\x0b\x02hush", ""},
		{"… with a secret that has parts", js, "", `{"token": {"id": "hush"}}`, ""},
		{"… of another kind", "application/ld+json", "", `{"secret": "hush"}`, `{"secret": ""}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := http.Header{"Content-Type": {tt.kind}}
			if tt.coding != "" {
				h.Set("Content-Encoding", tt.coding)
			}
			if got := string(Sent([]byte(tt.body), h)); got != tt.want {
				t.Errorf("%.60q, want %.60q", got, tt.want)
			}
		})
	}
}

// What is written has no transfer coding any more, and says its length once.
func TestWithLength(t *testing.T) {
	const head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\ncontent-length: 9\r\nTrailer: Expires\r\nAccept: */*\r\n\r\n"
	if got, want := string(withLength([]byte(head), 5)), "POST / HTTP/1.1\r\nAccept: */*\r\nContent-Length: 5\r\n\r\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
