package replay

import (
	"fmt"
	"net/http"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/change"
)

// changes answers /{coll}/changes.
func (s *pages) changes(w http.ResponseWriter, r *http.Request, p Path) error {
	level, err := change.ParseLevel(p.Params.Get("level"))
	if err != nil {
		return badRequest(err.Error())
	}
	var at cdx.Timestamp
	if v := p.Params.Get("at"); v != "" {
		if at, err = cdx.ParseTimestamp(v); err != nil {
			return badRequest(fmt.Sprintf("at %.20q is no datetime: want YYYYMMDDhhmmss or its beginning", v))
		}
	}
	c, err := s.changesOf(r.Context(), s.site.absolute(r, p.Coll), p.URIR, level)
	if err != nil {
		return err
	}
	if c == nil {
		return s.site.missing(r, p)
	}
	if at != 0 {
		c.around(at)
	}
	h := w.Header()
	allowOrigins(h)
	h.Set("Content-Type", "application/json")
	if r.Method == http.MethodHead {
		return nil
	}
	return c.write(w)
}
