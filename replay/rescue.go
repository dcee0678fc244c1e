package replay

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// rescue handles a request outside of any collection from a replayed page. A script that builds addresses itself requests "/style.css"
// from this server's root; rescue redirects it to the corresponding address on the page's own server, which it finds by the Referer. It
// reports whether it did.
func (s *Server) rescue(w http.ResponseWriter, r *http.Request, p respond.Path) bool {
	if p.Kind != respond.NoPath && (p.Coll == "" || s.archive.Index.Has(p.Coll)) {
		return false
	}
	respond.Vary(w.Header(), "Referer") // it decides about the failure too
	rest, ok := strings.CutPrefix(r.Header.Get("Referer"), s.site.Base(r)+"/")
	if !ok {
		return false
	}
	page := respond.ParsePath("/" + rest)
	if page.Kind != respond.Memento || !s.archive.Index.Has(page.Coll) || !strings.HasPrefix(r.RequestURI, "/") {
		return false
	}
	origin, err := url.Parse(page.URIR)
	if err != nil || origin.Host == "" {
		return false
	}
	respond.AllowOrigins(w.Header())
	respond.Vary(w.Header(), "Sec-Fetch-Dest")
	there := origin.Scheme + "://" + origin.Host + s.site.Within(r.RequestURI)
	w.Header().Set("Location", string(memento.AppendURI(nil, s.site.Local(page.Coll).Home()+page.From+rescuedMod(r, page.Mod)+"/"+there)))
	w.Header().Set("Content-Length", "0")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusTemporaryRedirect)
	return true
}

// rescuedMod returns the modifier for a request: by its purpose, if the browser tells that, else that of the page.
func rescuedMod(r *http.Request, page string) string {
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "document":
		return ""
	case "iframe", "frame":
		return "if_"
	case "script":
		return "js_"
	case "style":
		return "cs_"
	case "image":
		return "im_"
	case "":
		if page == "" || page == "id_" || page == "mp_" || page == "if_" {
			return page
		}
	}
	return "mp_"
}
