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
