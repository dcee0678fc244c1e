package record

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/client"
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

// Every field that proves who asks is left out, with the lines that it is folded into.
func TestCredentialsAreLeftOut(t *testing.T) {
	for _, name := range []string{"Authorization", "proxy-authorization", "Cookie2"} {
		x := write.Exchange{
			Request:  strings.NewReader("GET / HTTP/1.1\r\n" + name + ": hush\r\n hush\r\nAccept: */*\r\n\r\n"),
			Response: strings.NewReader("HTTP/1.1 200 OK\r\n\r\n"),
		}
		free, err := WithoutSecrets(&x)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(x.Request)
		if err != nil || string(got) != "GET / HTTP/1.1\r\nAccept: */*\r\n\r\n" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if len(x.Metadata) != 1 || x.Metadata[0].Value != strings.ToLower(name) {
			t.Errorf("%s: left out is %v", name, x.Metadata)
		}
		free()
	}
}

func TestIsPage(t *testing.T) {
	for _, tt := range []struct {
		name, dest, accept, kind string
		status                   int
		want                     bool
	}{
		{"a page", "document", "text/html", "text/html; charset=utf-8", 200, true},
		{"XHTML", "document", "text/html", "Application/XHTML+xml", 200, true},
		{"a frame", "iframe", "text/html", "text/html", 200, false},
		{"what a script asked for", "empty", "text/html", "text/html", 200, false},
		{"a browser that doesn't say what for", "", "text/html,*/*", "text/html", 200, true},
		{"… and wants no page", "", "*/*", "text/html", 200, false},
		{"a picture", "document", "text/html", "image/png", 200, false},
		{"an error", "document", "text/html", "text/html", 404, false},
	} {
		req := &http.Request{Header: http.Header{"Sec-Fetch-Dest": {tt.dest}, "Accept": {tt.accept}}}
		e := &client.Exchange{Status: tt.status, Header: http.Header{"Content-Type": {tt.kind}}}
		if got := isPage(req, e); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
