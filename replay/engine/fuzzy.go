package engine

import (
	"net/http"

	"github.com/varve-archive/varve/archive/fuzzy"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite/uses"
)

// answerEquivalent answers a URI-M without a usable capture from a capture of an equivalent URI-R (see package fuzzy). It redirects to a
// page, since readers pass its address on. It sends other resources, and answers to a POST, under the requested address, so that JSONP
// calls the requested callback, and pages in files, so that their scripts can read its arguments. It reports whether there was such a
// capture.
func (s *Handler) answerEquivalent(
	w http.ResponseWriter, r *http.Request, p respond.Path, key string, ts cdx.Timestamp, use uses.Use,
) (bool, error) {
	if respond.Reads(r) && (use == uses.Raw || use == uses.RawRedirect) {
		return false, nil
	}
	tl, c, err := respond.Equivalent(r, s.Archive, p.Coll, p.URIR, key, ts)
	if c == nil || err != nil {
		return false, err
	}
	h := w.Header()
	h.Set(respond.FuzzyHeader, c.URL)
	page := fuzzy.Page(key)
	inFile := page != "" && page == surt.Of(c.URL) && page != fuzzy.Of(key)
	if use == uses.Link && respond.Reads(r) && !inFile {
		respond.AllowOrigins(h)
		respond.Redirect(w, s.site.Local(p.Coll).Memento(c.Time, p.Mod, c.URL))
		return true, nil
	}
	return true, s.inPlace(w, r, p, s.Timelines.Of(tl), c, use)
}

// inPlace sends a capture under the requested address, and names its own.
func (s *Handler) inPlace(
	w http.ResponseWriter, r *http.Request, p respond.Path, o *timeline.Original, c *cdx.Capture, use uses.Use,
) error {
	h := w.Header()
	respond.AllowOrigins(h)
	h.Set("Content-Location", s.site.Absolute(r, p.Coll).Memento(c.Time, p.Mod, c.URL))
	return s.replay(w, r, p, o, c, use)
}

// answerSent answers a request with a body that is too long for its key. It reports whether it was one.
func (s *Handler) answerSent(w http.ResponseWriter, r *http.Request, p respond.Path, ts cdx.Timestamp, use uses.Use) (bool, error) {
	found, err := respond.FindPosted(w, r, s.Archive, p.Coll, p.URIR, ts)
	if found == nil || err != nil {
		return false, err
	}
	if found.Capture == nil {
		return true, s.noCapture(r, p)
	}
	return true, s.inPlace(w, r, p, s.Timelines.Of(found.Timeline), found.Capture, use)
}
