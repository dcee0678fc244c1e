package replay

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/web"
)

// rescue leads a request that no collection answers, but that a replayed page made, to where the page's own server would
// have been asked: a script that puts addresses together by itself asks this server's root for "/style.css". The Referer
// says which page it was. It reports whether there was one.
func (s *Server) rescue(w http.ResponseWriter, r *http.Request, p web.Path) bool {
	if p.Kind != web.NoPath && (p.Coll == "" || s.archive.Index.Has(p.Coll)) {
		return false
	}
	web.Vary(w.Header(), "Referer") // it decides about the failure too
	rest, ok := strings.CutPrefix(r.Header.Get("Referer"), s.site.Base(r)+"/")
	if !ok {
		return false
	}
	page := web.ParsePath("/" + rest)
	if page.Kind != web.Memento || !s.archive.Index.Has(page.Coll) || !strings.HasPrefix(r.RequestURI, "/") {
		return false
	}
	origin, err := url.Parse(page.URIR)
	if err != nil || origin.Host == "" {
		return false
	}
	web.AllowOrigins(w.Header())
	web.Vary(w.Header(), "Sec-Fetch-Dest")
	there := origin.Scheme + "://" + origin.Host + strings.TrimPrefix(r.RequestURI, s.site.Path())
	w.Header().Set("Location", string(memento.AppendURI(nil, s.site.Local(page.Coll).Home()+page.From+rescuedMod(r, page.Mod)+"/"+there)))
	w.Header().Set("Content-Length", "0")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusTemporaryRedirect)
	return true
}

// rescuedMod is the modifier of what was asked for, by what browsers say it is for; else that of the page.
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
