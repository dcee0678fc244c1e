package replay

import (
	"io"
	"net/http"

	"github.com/varve-archive/varve/banner/icon"
	"github.com/varve-archive/varve/replay/respond"
)

// robots keeps crawlers away: archived pages have endless versions, and should not be found in search engines.
const robots = "User-agent: *\nAllow: /$\nDisallow: /\n"

// wellKnown answers well-known paths that browsers and crawlers request from any server, unless a collection has the name. It reports
// whether it did. Replayed pages get their own icon first (see rescue).
func (s *Server) wellKnown(w http.ResponseWriter, p respond.Path) bool {
	var kind, body string
	switch {
	case p.Kind != respond.Collection:
		return false
	case p.Coll == "robots.txt":
		kind, body = "text/plain; charset=utf-8", robots
	case p.Coll == "favicon.ico":
		kind, body = "image/svg+xml", icon.Favicon
	default:
		return false
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "max-age=86400")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, body)
	return true
}
