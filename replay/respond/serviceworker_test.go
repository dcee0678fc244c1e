package respond

import (
	"net/http/httptest"
	"testing"
)

// A service worker's script is refused, and nothing else.
func TestNoServiceWorker(t *testing.T) {
	for field, refused := range map[string]bool{"script": true, "": false, "other": false} {
		r := httptest.NewRequest("GET", "/web/2015js_/http://a.example/sw.js", nil)
		if field != "" {
			r.Header.Set("Service-Worker", field)
		}
		if err := NoServiceWorker(r); (err != nil) != refused {
			t.Errorf("%q: %v", field, err)
		}
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
