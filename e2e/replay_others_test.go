package e2e

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// walked follows redirects, as clients do, and returns the last answer.
func (s *server) walked(t *testing.T, target string, fields ...string) *answer {
	t.Helper()
	a := s.get(t, target, fields...)
	for range 8 {
		to := a.header.Get("Location")
		if a.status < 300 || a.status > 399 || to == "" {
			return a
		}
		a = s.get(t, strings.TrimPrefix(to, s.url), fields...)
	}
	return a
}

// What readers of other archives' servers rely on (pywb's tests of replay, redirects, revisits and ranges are about these), in archives
// of our own.
func TestWhatOtherArchivesServe(t *testing.T) {
	const early, late = "20180626101112", "20190626101112"
	digits := strings.Repeat("0123456789", 127)
	redirect := func(a *archive, from, at, to string) {
		a.response(from, at, "301 Moved Permanently", "", "Location: "+to)
	}
	a := &archive{}
	redirect(a, "http://chain.example/", early, "https://chain.example/")
	redirect(a, "https://chain.example/", early, "https://www.chain.example/")
	a.response("https://www.chain.example/", early, "200 OK", "the end", "Content-Type: text/plain")
	refers := "WARC-Refers-To-Target-URI: https://www.chain.example/\r\nWARC-Refers-To-Date: 2018-06-26T10:11:12Z"
	a.revisit("https://www.chain.example/", late, "the end", "HTTP/1.1 302 Found\r\nLocation: https://www.chain.example/\r\n\r\n", refers)
	a.revisit("https://chain.example/moved", late, "", "HTTP/1.1 302 Found\r\nLocation: https://chain.example/there\r\n\r\n", refers)
	a.response("https://www.slash.example/sub/path/", early, "200 OK", "folder", "Content-Type: text/plain")
	a.response("https://www.slash.example/sub/path/?foo=bar", early, "200 OK", "folder with a query", "Content-Type: text/plain")
	redirect(a, "http://www.round.example/path", "20191003115920", "https://www.round.example/path/")
	redirect(a, "https://www.round.example/path/", "20191003115927", "https://www2.round.example/path")
	a.response("https://www2.round.example/path", "20191024125646", "200 OK", "round", "Content-Type: text/plain")
	a.response("http://heads.example/one", early, "301 Moved Permanently", "one body", "Location: https://heads.example/first", "Custom: 1")
	a.revisit("http://heads.example/two", late, "one body", "HTTP/1.1 301 Moved Permanently\r\nLocation: https://heads.example/second\r\n"+
		"Custom: 2\r\n\r\n", "WARC-Refers-To-Target-URI: http://heads.example/one\r\nWARC-Refers-To-Date: 2018-06-26T10:11:12Z")
	a.response("http://range.example/", early, "200 OK", digits, "Content-Type: text/plain")
	redirect(a, "http://range.example/gone", early, "http://other.example/")
	a.response("http://fuzzy.example/", early, "200 OK", "plain", "Content-Type: text/plain")
	a.response("http://percent.example/path/%2A%2Ftest", early, "200 OK", "kept", "Content-Type: text/plain")
	a.page("http://style.example/", early, "<p>page")
	a.response("http://style.example/css/a.css", late, "200 OK", "p{}", "Content-Type: text/css")
	s := a.serve(t)
	for _, tt := range []struct {
		name, target string
		fields       []string
		status       int
		body         string
	}{
		{"redirects to itself", "/web/" + early + "/https://chain.example/", nil, 200, "the end"},
		{"a revisit that redirects to itself", "/web/" + late + "mp_/http://www.chain.example/", nil, 200, "the end"},
		{"a slash", "/web/" + early + "/https://slash.example/sub/path", nil, 200, "folder"},
		{"a slash before a query", "/web/" + early + "/https://slash.example/sub/path?foo=bar", nil, 200, "folder with a query"},
		{"round by a slash", "/web/20191024125648/http://www2.round.example/path", nil, 200, "round"},
		{"round by another host", "/web/20191024125648/https://www.round.example/path", nil, 200, "round"},
		{"what varies", "/web/" + early + "/http://fuzzy.example/?_=123", nil, 200, "plain"},
		{"what asks for something else", "/web/" + early + "/http://fuzzy.example/?foo=bar", nil, 404, ""},
		{"escapes", "/web/" + early + "/http://percent.example/path/%2A%2Ftest", nil, 200, "kept"},
		{"a range", "/web/" + early + "/http://range.example/", []string{"Range: bytes=10-19"}, 206, "0123456789"},
		{"a range to the end", "/web/" + early + "/http://range.example/", []string{"Range: bytes=1265-"}, 206, "56789"},
		{"a range over the end", "/web/" + early + "/http://range.example/", []string{"Range: bytes=1265-2000"}, 206, "56789"},
		{"a range behind the end", "/web/" + early + "/http://range.example/", []string{"Range: bytes=2000-"}, 416, ""},
		{"a range that is none", "/web/" + early + "/http://range.example/", []string{"Range: bytes=2000-10"}, 200, digits},
		{"a path of the site", "/css/a.css", []string{"Referer: " + s.url + "/web/" + early + "/http://style.example/"}, 200, "p{}"},
		{"raw bytes", "/web/" + early + "id_/http://style.example/", nil, 200, "<p>page"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := s.walked(t, tt.target, tt.fields...)
			if got.status != tt.status || tt.body != "" && got.body != tt.body {
				t.Errorf("%d %.80q, want %d %.80q", got.status, got.body, tt.status, tt.body)
			}
		})
	}
	// A revisit has its own status and headers (WARC 1.1 §6.7.2).
	moved := s.get(t, "/web/"+late+"mp_/https://chain.example/moved").expect(t, 302)
	if to := moved.header.Get("Location"); !strings.HasSuffix(to, "mp_/https://chain.example/there") {
		t.Errorf("a revisit's own redirect leads to %s", to)
	}
	for target, want := range map[string][2]string{
		"/web/" + early + "mp_/http://heads.example/one": {"1", "https://heads.example/first"},
		"/web/" + late + "mp_/http://heads.example/two":  {"2", "https://heads.example/second"},
	} {
		got := s.get(t, target).expect(t, 301)
		custom := got.header.Get("Custom")
		if custom != want[0] || !strings.HasSuffix(got.header.Get("Location"), want[1]) || got.body != "one body" {
			t.Errorf("%s: %q to %s: %q", target, custom, got.header.Get("Location"), got.body)
		}
	}
	s.get(t, "/web/"+early+"mp_/http://range.example/gone", "Range: bytes=0-").expect(t, 301, "Content-Range:")
}

// The same through the proxy: the newest capture, the one of a datetime, escapes as they are, what nobody captured.
func TestWhatOtherArchivesServeByProxy(t *testing.T) {
	const early, late = "20130729195151", "20140127171251"
	a := (&archive{}).page("http://example.example/", early, "<title>e</title><p>early")
	a.page("http://example.example/", late, "<title>l</title><p>late")
	a.response("http://example.example/path/%2A%2Ftest", late, "200 OK", "kept", "Content-Type: text/plain")
	proxy := freeAddress(t)
	a.serve(t, "--proxy", proxy)
	through := &http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: proxy}), DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for _, tt := range []struct {
		name, uri, at string
		status        int
		contains      string
		datetime      string
	}{
		{"the newest", "http://example.example/", "", 200, "late", "Mon, 27 Jan 2014 17:12:51 GMT"},
		{"of a datetime", "http://example.example/", "Mon, 26 Dec 2011 17:12:51 GMT", 200, "early", "Mon, 29 Jul 2013 19:51:51 GMT"},
		{"escapes", "http://example.example/path/%2A%2Ftest", "", 200, "kept", "Mon, 27 Jan 2014 17:12:51 GMT"},
		{"never captured", "http://example.example/never", "", 404, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, tt.uri, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			if tt.at != "" {
				r.Header.Set("Accept-Datetime", tt.at)
			}
			answer, err := through.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			body := new(strings.Builder)
			if _, err := io.Copy(body, answer.Body); err != nil {
				t.Fatal(err)
			}
			at := answer.Header.Get("Memento-Datetime")
			if answer.StatusCode != tt.status || !strings.Contains(body.String(), tt.contains) || at != tt.datetime {
				t.Errorf("%d, %s: %.200q", answer.StatusCode, at, body.String())
			}
		})
	}
}
