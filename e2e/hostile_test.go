package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Targets that no client would send must be answered with a status and do no damage.
func TestHostileTargets(t *testing.T) {
	t.Parallel()
	s := demo(t)
	long := strings.Repeat("a", 100_000)
	for name, target := range map[string]string{
		"traversal":                   "/-/static/../../../etc/passwd",
		"traversal escaped":           "/-/static/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
		"traversal escaped twice":     "/-/static/%252e%252e/etc/passwd",
		"traversal with a backslash":  `/-/static/..%5c..%5cetc/passwd`,
		"traversal in a collection":   "/../../etc/passwd",
		"traversal behind collection": "/web/../../etc/passwd",
		"a file address":              "/web/file:///etc/passwd",
		"a file address with date":    "/web/2016id_/file:///etc/passwd",
		"a NUL escaped":               "/web/http://www.riverbend.example/%00",
		"a NUL in the collection":     "/we%00b/http://www.riverbend.example/",
		"100 kB of path":              "/web/http://www.riverbend.example/" + long,
		"100 kB of query":             "/web/cdx?url=" + long,
		"100 kB of host":              "/web/http://" + long + ".example/",
		"100 kB of datetime":          "/web/" + strings.Repeat("1", 100_000) + "/http://www.riverbend.example/",
		"month 99":                    "/web/20169999999999/http://www.riverbend.example/",
		"a page number beyond":        "/web/timemap/link/99999999999999999999/http://www.riverbend.example/",
		"page 0":                      "/web/timemap/link/0/http://www.riverbend.example/",
		"a broken escape":             "/web/http://www.riverbend.example/%zz%",
		"a broken IPv6 host":          "/web/http://[::1/",
		"user and password":           "/web/http://a:b@www.riverbend.example/",
		"port 99999":                  "/web/http://www.riverbend.example:99999/",
		"invalid UTF-8":               "/web/http://www.riverbend.example/%ff%fe",
		"nothing but slashes":         "/////",
		"a thousand segments":         "/web/" + strings.Repeat("a/", 1000),
		"nested archive addresses":    "/web/" + strings.Repeat("2016/http://h.example/web/", 1000),
		"CDX with all at once": "/web/cdx?url=*&matchType=domain&filter=.*&collapse=x&sort=closest&closest=1" +
			"&limit=-0&page=-1&resumeKey=%00",
	} {
		t.Run(name, func(t *testing.T) {
			a := s.get(t, target, "Accept: text/html")
			if a.status >= 500 || strings.Contains(a.body, "root:") {
				t.Errorf("status %d: %.300q", a.status, a.body)
			}
		})
	}
	s.get(t, "/-/healthz").expect(t, 200)
}

// Hostile header fields.
func TestHostileHeaders(t *testing.T) {
	s := demo(t)
	garbage := strings.Repeat("x,;=\"\\ \t", 1000)
	for _, name := range []string{
		"Accept-Datetime", "Prefer", "Range", "If-Range", "Accept", "Accept-Language", "Accept-Encoding", "Cookie",
		"Referer", "Origin", "X-Forwarded-Host", "Sec-Fetch-Mode",
	} {
		for _, target := range []string{
			"/web/http://www.riverbend.example/", "/web/20160901092139/http://www.riverbend.example/",
			"/web/20160901092139id_/http://www.riverbend.example/img/logo.png", "/web/*/http://www.riverbend.example/", "/",
		} {
			if a := s.get(t, target, name+": "+garbage); a.status >= 500 {
				t.Errorf("%s at %s: %d", name, target, a.status)
			}
		}
	}
	for name, request := range map[string]string{
		"no host": "GET /web/http://www.riverbend.example/ HTTP/1.0\r\n\r\n",
		"absolute form": "GET http://other.example/web/http://www.riverbend.example/ HTTP/1.1\r\nHost: " +
			"other.example\r\nConnection: close\r\n\r\n",
		"an asterisk":           "OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
		"a host with an escape": "GET /web/http://www.riverbend.example/ HTTP/1.1\r\nHost: a\"><script>\r\nConnection: close\r\n\r\n",
		"a NUL in the target":   "GET /web/\x00 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
		"an unknown method":     "BREW /web/20160901092139/http://www.riverbend.example/ HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
		"CONNECT":               "CONNECT www.riverbend.example:443 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
		"2 MB of header":        "GET / HTTP/1.1\r\nHost: h\r\nX: " + strings.Repeat("y", 2<<20) + "\r\n\r\n",
	} {
		if a := s.raw(t, request); a.status >= 500 && a.status != http.StatusNotImplemented {
			t.Errorf("%s: %d %.200q", name, a.status, a.body)
		}
	}
}

// CRLF in a value must not end a header field (RFC 9110 §5.5).
func TestNoHeaderIsInjected(t *testing.T) {
	a := &archive{}
	a.response("http://split.example/", day, "302 Found", "", "Location: http://split.example/%0d%0aX-Injected:1")
	a.page("http://split.example/%0d%0aX-Injected:%201", day, "hi")
	s := a.serve(t)
	for _, target := range []string{
		"/web/http://split.example/%0d%0aX-Injected:%201", "/web/" + day + "/http://split.example/%0d%0aX-Injected:%201",
		"/web/" + day + "/http://split.example/",
		"/web/2009/http://split.example/%0d%0aX-Injected:%201", "/web/timemap/link/http://split.example/%0d%0aX-Injected:%201",
		"/web/changes?url=" + url.QueryEscape("http://split.example/\r\nX-Injected: 1"),
		"/web/landing?url=" + url.QueryEscape("http://split.example/\r\nX-Injected: 1"),
		"/web/?url=" + url.QueryEscape("http://split.example/\r\nX-Injected: 1"),
	} {
		if got := s.get(t, target); got.header.Get("X-Injected") != "" {
			t.Errorf("%s: %v", target, got.header)
		}
	}
}

// Nothing from a request may be echoed unescaped. Each page is parsed as browsers parse it.
func TestNothingIsInjectedIntoPages(t *testing.T) {
	s := demo(t)
	attacks := []string{
		`"><script>alert(1)</script>`, `'><injected-element x='`, `</title><injected-element>`, `</textarea></script><injected-element>`,
		`" onmouseover="alert(1)`, `javascript:alert(1)`,
		`--><injected-element>`, `]]><injected-element>`, "\u2028<injected-element>",
	}
	places := []string{
		"/%s", "/%s/http://www.riverbend.example/", "/?url=%s", "/web/?url=%s", "/web/?at=%s&url=http://www.riverbend.example/",
		"/web/http://nowhere.example/%s", "/web/http://%s.example/", "/web/http://www.riverbend.example/%s",
		"/web/2016/http://nowhere.example/%s", "/web/2016%s/http://www.riverbend.example/", "/web/*/http://nowhere.example/%s",
		"/web/*/http://nowhere.example/%s*", "/web/*/http://www.riverbend.example/%s",
		"/web/timemap/html/http://nowhere.example/%s", "/web/timemap/%s/http://www.riverbend.example/",
		"/web/changes/http://nowhere.example/%s", "/web/changes?url=http://www.riverbend.example/&level=%s",
		"/web/diff/2016/%s/http://www.riverbend.example/", "/web/diff?url=%s&from=2016&to=2017",
		"/web/diff?url=http://www.riverbend.example/&from=%s&to=2017", "/web/diff?url=http://www.riverbend.example/&from=2016&to=2017&term=%s",
		"/web/landing/2017/http://nowhere.example/%s", "/web/landing?url=%s&at=2017", "/web/landing?url=http://www.riverbend.example/&at=%s",
		"/web/similar/2017/http://nowhere.example/%s",
		"/web/search?q=%s", "/web/search?q=river&change=%s", "/web/search?q=river&url=%s", "/web/terms?change=%s", "/-/%s", "/-/static/%s",
		"/web/cdx?url=a.example&matchType=%s", "/web/cdx?url=a.example&filter=%s", "/web/animate?url=%s&from=2016&to=2017",
	}
	for _, place := range places {
		for _, attack := range attacks {
			for _, as := range []string{url.QueryEscape(attack), strings.NewReplacer(" ", "%20", "\u2028", "%e2%80%a8").Replace(attack)} {
				a := s.get(t, fmt.Sprintf(place, as), "Accept: text/html")
				if a.status == http.StatusInternalServerError {
					t.Errorf("%s: %d", fmt.Sprintf(place, as), a.status)
				}
				if strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
					assertHarmless(t, fmt.Sprintf(place, as), a.body)
				}
			}
		}
	}
	if a := s.get(t, "/web/http://www.riverbend.example/", "Accept: text/html",
		`Accept-Datetime: "><injected-element>`); strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		assertHarmless(t, "Accept-Datetime", a.body)
	}
}

// assertHarmless fails if a page has an element, a handler or a scripted link that an attack injected.
func assertHarmless(t *testing.T, where, page string) {
	t.Helper()
	for n := range parse(t, page).Descendants() {
		if n.Data == "injected-element" {
			t.Errorf("%s: an element is injected", where)
		}
		if n.Data == "script" && n.FirstChild != nil && strings.Contains(n.FirstChild.Data, "alert(1)") {
			t.Errorf("%s: a script is injected", where)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") && strings.Contains(a.Val, "alert") {
				t.Errorf("%s: a handler is injected", where)
			}
			if (a.Key == "href" || a.Key == "src" || a.Key == "action") &&
				strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Val)), "javascript:") {
				t.Errorf("%s: a link runs a script: %s", where, a.Val)
			}
		}
	}
}
