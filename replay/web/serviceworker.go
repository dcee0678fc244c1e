package web

import (
	"html"
	"net/http"

	"github.com/varve-archive/varve/static"
)

// NoServiceWorker returns a failure if the request is for the script of a service worker, else nil. A service worker
// would outlive its page and answer for other pages with documents that have no policy. Pages have a stand-in, see
// [ServiceWorkers].
func NoServiceWorker(r *http.Request) error {
	if r.Header.Get("Service-Worker") != "script" {
		return nil
	}
	return &Failure{Status: http.StatusForbidden, Say: "service workers don't run in replayed pages"}
}

// ServiceWorkers returns the scripts that stand in for service workers in a page. base is where static files are served.
func ServiceWorkers(base string) []byte {
	at := func(name string) string { return html.EscapeString(base + static.URL(name)) }
	return []byte(`<script src="` + at("caches.js") + `"></script><script src="` + at("serviceworker.js") + `" data-caches="` +
		at("caches.js") + `" data-scope="` + at("servicescope.js") + `" data-worker="` + at("worker.js") + `"></script>`)
}
