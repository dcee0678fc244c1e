package replay

import (
	"io"
	"net/http"

	"github.com/varve-archive/varve/replay/web"
)

// What browsers and crawlers ask of any server, unless a collection has such a name. Replayed pages get their own icon
// first (see rescue).
const (
	robots = "User-agent: *\nAllow: /$\nDisallow: /\n" // pages of the archive have endless versions, and were never meant to be found here
	icon   = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#0a625a"/>` +
		`<path d="M4 10q6-4 12 0t12 0M4 16q6-4 12 0t12 0M4 22q6-4 12 0t12 0" fill="none" stroke="#fff" stroke-width="3"/></svg>`
)

// wellKnown answers with one of these. It reports whether it did.
func (s *Server) wellKnown(w http.ResponseWriter, p web.Path) bool {
	var kind, body string
	switch {
	case p.Kind != web.Collection:
		return false
	case p.Coll == "robots.txt":
		kind, body = "text/plain; charset=utf-8", robots
	case p.Coll == "favicon.ico":
		kind, body = "image/svg+xml", icon
	default:
		return false
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "max-age=86400")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, body)
	return true
}
