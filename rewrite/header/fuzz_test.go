package header

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/http/httpguts"
)

// Whatever an archived server sent, what comes back is a header that can be sent, nothing in it acts that must not, and its
// cookies stay behind their prefix.
func FuzzHeader(f *testing.F) {
	for _, name := range []string{
		"Location", "Refresh", "Link", "Set-Cookie", "Etag", "Connection",
		"Vary", "Access-Control-X", "X-Accel-Redirect",
	} {
		f.Add(name, "a=b; path=/; domain=.com, <x>; rel=preload", false)
	}
	f.Add("X-Sendfile", "/etc/passwd", true)
	f.Add("set-cookie", "varve-go=1", false)
	f.Add("Connection", "Location, close", false)
	f.Fuzz(func(t *testing.T, name, value string, forScript bool) {
		const prefix = "/web/20140101000000/"
		got := Rewrite(http.Header{name: {value}}, Options{
			Base: "http://a.example/b", Resolve: archive, CookiePrefix: prefix, ForScript: forScript,
		})
		for name, values := range got {
			shown := strings.HasPrefix(name, OriginalPrefix)
			if treat := treatmentOf(name); !shown && (treat == show || treat == validator && !forScript) {
				t.Errorf("%s comes back", name)
			}
			for _, v := range values {
				if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(v) {
					t.Errorf("%q: %q can't be sent", name, v)
				}
				if name == "Set-Cookie" && (strings.Count(strings.ToLower(v), "path=") < 1 || !strings.Contains(v, "; Path="+prefix) ||
					strings.HasPrefix(strings.ToLower(strings.TrimSpace(v)), ownCookies)) {
					t.Errorf("a cookie gets out: %q", v)
				}
			}
		}
	})
}
