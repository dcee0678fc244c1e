package client_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/gather/client"
)

// An answer has the media type that browsers take from its head, and its fields may go over several lines.
func TestHeadsAreReadAsBrowsersDo(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		"": "", "Content-Type: text/html\r\n": "text/html", "content-type: text/html; charset=utf-8\r\n": "text/html; charset=utf-8",
		"X-Content-Type-Options: nosniff\r\nContent-Type: image/png\r\n": "image/png",
		"Content-Type: text/plain\r\nContent-Type: text/html\r\n":        "text/html",
		"Content-Type: text/html;\r\n charset=utf-8\r\n":                 "text/html; charset=utf-8",
		"Content-Type: text/html;\r\n\tcharset=utf-8\r\n":                "text/html; charset=utf-8",
		"no field\r\n\tcharset=utf-8\r\nContent-Type: text/css\r\n":      "text/css",
	} {
		server, _ := wire(t, map[string]string{"/": "HTTP/1.1 200 OK\r\n" + head + "Content-Length: 0\r\n\r\n"})
		if got := get(t, newClient(t, client.Config{}), server+"/").ContentType(); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
}

// A coding that can't be undone is an error. Of a body that breaks off, or isn't coded as it says, what is there counts.
func TestBodiesThatCannotBeDecoded(t *testing.T) {
	t.Parallel()
	coded := func(coding, body string) string {
		return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n%s", coding, len(body), body)
	}
	server, _ := wire(t, map[string]string{
		"/plain": coded("gzip", "this is no gzip at all"), "/lzw": coded("compress", "User-agent: *"), "/unknown": coded("x", "hello"),
		"/part": "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nruleCLOSE",
	})
	c := newClient(t, client.Config{})
	for path, want := range map[string]string{"/plain": "this is no gzip at all", "/lzw": "", "/unknown": "hello", "/part": "rule"} {
		body, err := get(t, c, server+path).Body(100)
		if (err == nil) != (want != "") || string(body) != want {
			t.Errorf("%s: %q, %v", path, body, err)
		}
	}
	f, err := c.Robots(t.Context(), server+"/lzw", 100, func(*client.Exchange) error { return nil })
	if err != nil || f.Err != nil || f.Status != 200 || len(f.Body) > 0 {
		t.Errorf("a robots.txt that can't be read: %+v, %v", f, err)
	}
}

// Where what passes can't be kept, there is no exchange: neither a part of it nor one without its messages.
func TestWhatCannotBeKept(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, strings.Repeat("x", len(r.Header.Get("X-Long"))*1000))
	}))
	defer s.Close()
	c := newClient(t, client.Config{Dir: filepath.Join(t.TempDir(), "none"), Memory: 4096})
	for name, tt := range map[string]struct {
		long string
		body int
		kept bool
	}{"a short one": {"", 0, true}, "a long answer": {"aaaaaaaaaaaa", 0, false}, "a long request": {"", 10_000, false}} {
		req, err := http.NewRequest(http.MethodPost, s.URL, bytes.NewReader(make([]byte, tt.body)))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Long", tt.long)
		e, err := c.Do(t.Context(), req, nil)
		if (err == nil) != tt.kept || err != nil && !strings.Contains(err.Error(), "can't be kept") {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
		if e != nil {
			_ = e.Close()
		}
	}
}

// A request that isn't kept goes the same way: not to this machine.
func TestRequestsThatAreNotKept(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }))
	defer s.Close()
	open, public := newClient(t, client.Config{}), client.New(client.Config{})
	defer public.Close()
	req, err := http.NewRequest(http.MethodGet, s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := open.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got := all(t, resp.Body); got != "hello" {
		t.Errorf("%q", got)
	}
	if _, err := public.RoundTrip(req); !errors.Is(err, client.ErrPrivate) {
		t.Errorf("of this machine: %v", err)
	}
	for _, url := range []string{"https://127.0.0.1:1/", "https://localhost:1/", "https://[::1]:1/"} {
		if _, err := public.Get(t.Context(), url, nil); !errors.Is(err, client.ErrPrivate) {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, url := range []string{"http://a.example/\x7f", "http://a b.example/", ":"} {
		if e, err := open.Get(t.Context(), url, nil); err == nil {
			t.Errorf("%q is asked: %+v", url, e)
		}
	}
}

// The cookies of a thousand sites are known; those of the site that was used longest ago are forgotten.
func TestCookiesOfManySites(t *testing.T) {
	t.Parallel()
	c := client.NewCookies()
	site := func(i int) string { return fmt.Sprintf("http://s%d.example/", i) }
	for i := range 1000 {
		c.Set(site(i), http.Header{"Set-Cookie": {"a=1"}})
	}
	for i, want := range map[int]string{0: "a=1", 999: "a=1", 1000: ""} {
		if got := c.Header(site(i)).Get("Cookie"); got != want {
			t.Errorf("of site %d: %q", i, got)
		}
	}
	c.Header(site(0)) // used last
	c.Set(site(1000), http.Header{"Set-Cookie": {"a=1"}})
	for i, want := range map[int]string{0: "a=1", 1: "", 2: "a=1", 1000: "a=1"} {
		if got := c.Header(site(i)).Get("Cookie"); got != want {
			t.Errorf("of site %d, after another: %q, want %q", i, got, want)
		}
	}
}
