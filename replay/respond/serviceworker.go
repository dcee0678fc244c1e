package respond

import (
	"html"
	"net/http"
	"slices"
	"strings"

	"github.com/varve-archive/varve/static"
)

// NoServiceWorker returns a failure if the request is for the script of a service worker, else nil. A service worker would outlive its
// page, and answer for other pages with documents that have no policy. Pages use a stand-in, see [ServiceWorkers].
func NoServiceWorker(r *http.Request) error {
	if r.Header.Get("Service-Worker") != "script" {
		return nil
	}
	return &Failure{Status: http.StatusForbidden, Say: "service workers don't run in replayed pages"}
}

// ServiceWorkers returns the script with the stand-in for service workers, for a page without the client-side runtime. base is the
// address of static files.
func ServiceWorkers(base string) []byte { return startingWorkers(base, "serviceworkers.js") }

// Shell returns a document that a service worker may fill; head is markup with the scripts for that. If scripts are disabled or there is
// no such worker, the document requests its address again without a Referer.
func Shell(head []byte) []byte {
	return slices.Concat([]byte("<!doctype html><title></title>"), head, []byte(`<script>_varveShell()</script>`+
		`<noscript><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0"></noscript>`))
}

// Runtime returns the script of the client-side runtime, which includes the stand-in.
func Runtime(base string) []byte { return startingWorkers(base, "replay.js") }

// startingWorkers returns a script that starts workers, with the addresses of the scripts for them.
func startingWorkers(base, name string) []byte {
	at := func(name string) string { return html.EscapeString(base + static.URL(name)) }
	return []byte(`<script src="` + at(name) + `" data-worker="` + at("workerstart.js") +
		`" data-start="` + at("servicestart.js") + `"></script>`)
}

// FromSameSite reports whether a replayed page of the same archived origin and collection makes a request.
func (s *Site) FromSameSite(r *http.Request, p Path) bool {
	rest, ok := strings.CutPrefix(r.Header.Get("Referer"), s.Base(r)+"/")
	if !ok {
		return false
	}
	from := ParsePath("/" + rest)
	return from.Kind == Memento && from.Coll == p.Coll && archivedOrigin(from.URIR) == archivedOrigin(p.URIR)
}
