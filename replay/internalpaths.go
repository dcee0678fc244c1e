package replay

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/static"
)

// serveInternal answers the paths under /-/.
func (s *Server) serveInternal(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	switch {
	case strings.HasPrefix(p.Internal, "static/"):
		front := r.URL.Path[:max(strings.Index(r.URL.Path, static.Prefix), 0)] // see [respond.Site.Within]
		http.StripPrefix(front, s.static).ServeHTTP(w, r)
		return nil
	case p.Internal == "healthz":
		return plainText(w, http.StatusOK, "ok")
	case p.Internal == "readyz":
		if s.cfg.Ready != nil {
			if err := s.cfg.Ready(); err != nil {
				w.Header().Set("Retry-After", "1")
				return plainText(w, http.StatusServiceUnavailable, "not ready: "+err.Error())
			}
		}
		if err := s.searches.Away(r.Context()); err != nil {
			return plainText(w, http.StatusOK, "ready, but for the search: "+opensearch.ErrAway.Error())
		}
		if state, err := s.searches.State(r.Context()); err == nil && state.Building {
			return plainText(w, http.StatusOK, "ready, but "+state.Note())
		}
		return plainText(w, http.StatusOK, "ready")
	case p.Internal == "api/openapi.json":
		return s.describeAPI(w, r)
	case p.Internal == "available":
		return s.available(w, r, p)
	case p.Internal == "search":
		return s.search.SearchEverywhere(w, r, p)
	case p.Internal == "suggest":
		return s.search.SuggestEverywhere(w, r, p)
	case p.Internal == "calendar":
		return s.calendar.Everywhere(w, r, p)
	case p.Internal == "cdx":
		return s.cdx(w, r, p)
	case p.Internal == "collinfo.json":
		return s.collections(w, r)
	case p.Internal == "metrics":
		s.metrics.ServeHTTP(w, r)
		return nil
	}
	return respond.NotFound("no such page")
}

func plainText(w http.ResponseWriter, status int, say string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, err := fmt.Fprintln(w, say)
	return err
}
