package answer

import (
	"net/http"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/web"
	"github.com/varve-archive/varve/rewrite"
)

// answerEquivalent answers a URI-M whose URI-R has no usable capture from one that means the same (see package meaning). It
// redirects to a page, since readers pass its address on. It sends a resource under the requested address, so that
// JSONP calls back under the requested name, and the answer to a POST likewise. It reports whether there was such a
// capture.
func (s *Handler) answerEquivalent(
	w http.ResponseWriter, r *http.Request, p web.Path, key string, ts cdx.Timestamp, use rewrite.Use,
) (bool, error) {
	if web.Reads(r) && (use == rewrite.Raw || use == rewrite.RawRedirect) {
		return false, nil
	}
	tl, c, err := web.Equivalent(r, s.Archive, p.Coll, key, ts)
	if c == nil || err != nil {
		return false, err
	}
	h := w.Header()
	h.Set(web.FuzzyHeader, c.URL)
	web.AllowOrigins(h)
	if use == rewrite.Link && web.Reads(r) {
		web.Redirect(w, s.site.Local(p.Coll).Memento(c.Time, p.Mod, c.URL))
		return true, nil
	}
	h.Set("Content-Location", s.site.Absolute(r, p.Coll).Memento(c.Time, p.Mod, c.URL))
	return true, s.replay(w, r, p, tl, c, use)
}
