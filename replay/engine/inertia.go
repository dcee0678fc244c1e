package engine

import (
	"net/http"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite/uses"
)

// asksData reports whether a script requests the data of the page at this address, by Inertia's protocol. A crawler that doesn't click
// captured only the page.
func asksData(r *http.Request, use uses.Use) bool {
	return ajax(r, use) && r.Header.Get("X-Inertia") == "true"
}

// isPage reports whether the capture is a page and not its data.
func isPage(a *archive.Response) bool {
	return a.Status == http.StatusOK && strings.Contains(a.Header.Get("Content-Type"), "html") && a.Header.Get("X-Inertia") == ""
}

// visit answers as a server of Inertia does that wants the browser to load the page (https://inertiajs.com/the-protocol, "Asset
// versioning").
func visit(w http.ResponseWriter, c *cdx.Capture) {
	h := w.Header()
	readByScripts(h)
	respond.Vary(h, "X-Inertia")
	respond.AllowOrigins(h, "X-Inertia-Location")
	h.Set("X-Inertia-Location", c.URL)
	h.Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusConflict)
}
