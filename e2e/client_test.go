package e2e

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/memento"
)

// An answer is a complete response of the server.
type answer struct {
	status int
	header http.Header
	body   string
}

// client follows no redirects and requests no compression, so that tests see exactly what was sent.
var client = &http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Transport:     &http.Transport{DisableCompression: true},
	Timeout:       patience,
}

// ask sends a request with the given target, byte for byte. Header fields are "Name: value".
func (s *server) ask(t testing.TB, method, target string, fields ...string) *answer {
	t.Helper()
	return s.send(t, method, target, "", fields...)
}

func (s *server) get(t testing.TB, target string, fields ...string) *answer {
	t.Helper()
	return s.send(t, http.MethodGet, target, "", fields...)
}

func (s *server) send(t testing.TB, method, target, body string, fields ...string) *answer {
	t.Helper()
	a, err := s.try(method, target, body, fields...)
	if err != nil {
		t.Fatalf("%s %.200s: %v", method, target, err)
	}
	return a
}

func (s *server) try(method, target, body string, fields ...string) (*answer, error) {
	host := strings.TrimPrefix(s.url, "http://")
	req, err := http.NewRequestWithContext(context.Background(), method, s.url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.URL = &url.URL{Scheme: "http", Host: host, Opaque: target}
	for _, f := range fields {
		name, value, _ := strings.Cut(f, ": ")
		req.Header.Add(name, value)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return &answer{resp.StatusCode, resp.Header, string(b)}, err
}

// raw sends bytes that no HTTP client would send. It reads the head of the answer and what follows.
func (s *server) raw(t testing.TB, request string) *answer {
	t.Helper()
	conn, err := net.DialTimeout("tcp", strings.TrimPrefix(s.url, "http://"), patience)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	go func() { _, _ = io.WriteString(conn, request) }()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%.100q: %v", request, err)
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return &answer{resp.StatusCode, resp.Header, string(b)}
}

// expect reports deviations from a status and from header fields "Name: value". "Name:" must be absent.
func (a *answer) expect(t testing.TB, status int, fields ...string) *answer {
	t.Helper()
	if a.status != status {
		t.Errorf("status %d, want %d: %.300s", a.status, status, a.body)
	}
	for _, f := range fields {
		name, want, _ := strings.Cut(f, ":")
		want = strings.TrimSpace(want)
		if got := strings.Join(a.header.Values(name), ", "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
	return a
}

// links returns the Link header as varve's parser reads it.
func (a *answer) links(t testing.TB) []memento.Link {
	t.Helper()
	var out []memento.Link
	for _, v := range a.header.Values("Link") {
		links, err := memento.ParseLinks(v)
		if err != nil {
			t.Fatalf("Link: %s: %v", v, err)
		}
		out = append(out, links...)
	}
	return out
}

// rel returns the link with a relation type. It fails unless there is exactly one.
func (a *answer) rel(t testing.TB, rel string) memento.Link {
	t.Helper()
	found := a.rels(t, rel)
	if len(found) != 1 {
		t.Fatalf("%d links with rel %s, want 1: %s", len(found), rel, a.header.Get("Link"))
	}
	return found[0]
}

func (a *answer) rels(t testing.TB, rel string) (found []memento.Link) {
	t.Helper()
	for _, l := range a.links(t) {
		if slices.Contains(l.Rels, rel) {
			found = append(found, l)
		}
	}
	return found
}

// has reports whether a list-valued field contains name. It ignores case.
func (a *answer) has(field, name string) bool {
	for _, v := range a.header.Values(field) {
		for _, item := range strings.Split(v, ",") {
			if strings.EqualFold(strings.TrimSpace(item), name) {
				return true
			}
		}
	}
	return false
}
