package respond

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/varve-archive/varve/static"
)

// A service worker's script is refused, and nothing else.
func TestNoServiceWorker(t *testing.T) {
	for field, refused := range map[string]bool{"script": true, "": false, "other": false} {
		r := httptest.NewRequest("GET", "/web/2015js_/http://a.example/sw.js", nil)
		if field != "" {
			r.Header.Set("Service-Worker", field)
		}
		if err := NoServiceWorker(r); (err != nil) != refused || refused && AsFailure(err).Status != 403 {
			t.Errorf("%q: %v", field, err)
		}
	}
}

// A page gets the stand-in for service workers with the runtime or alone, and with it the addresses of what workers begin with.
func TestScriptsThatStartWorkers(t *testing.T) {
	for name, got := range map[string][]byte{"serviceworkers.js": ServiceWorkers("/a&b"), "replay.js": Runtime("/a&b")} {
		want := `<script src="/a&amp;b` + static.URL(name) + `" data-worker="/a&amp;b` + static.URL("workerstart.js") +
			`" data-start="/a&amp;b` + static.URL("servicestart.js") + `"></script>`
		if string(got) != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	shell := string(Shell([]byte("<script></script>")))
	if !strings.HasPrefix(shell, "<!doctype html><title></title><script></script><script>_varveShell()</script>") ||
		!strings.Contains(shell, `<noscript><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0"></noscript>`) {
		t.Errorf("the document to fill: %s", shell)
	}
}

func TestPagesOfTheSameSite(t *testing.T) {
	const page = "/web/2015/http://a.example/x"
	for referer, want := range map[string]bool{
		page: true, "/web/2014if_/http://A.example:80/": true, "/other/2015/http://a.example/": false, "/web/2015/http://b.example/": false,
		"/web/2015/https://a.example/": false, "/web/http://a.example/": false, "/web/": false,
	} {
		r := httptest.NewRequest("GET", page, nil)
		r.Header.Set("Referer", "http://example.com"+referer)
		if got := (&Site{}).FromSameSite(r, ParsePath(page)); got != want {
			t.Errorf("%s: %t", referer, got)
		}
	}
	r := httptest.NewRequest("GET", page, nil)
	r.Header.Set("Referer", "http://other.example"+page)
	if (&Site{}).FromSameSite(r, ParsePath(page)) || (&Site{}).FromSameSite(httptest.NewRequest("GET", page, nil), ParsePath(page)) {
		t.Error("another site's page, or none, passes for one of the same site")
	}
}
