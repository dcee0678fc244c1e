package replay

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/varve-archive/varve/banner"
)

// similar answers /{coll}/similar: a page for browsers, JSON for others.
func (s *pages) similar(w http.ResponseWriter, r *http.Request, p Path) error {
	ts, err := moment(p)
	if err != nil {
		return err
	}
	least, limit, err := similarParams(p)
	if err != nil {
		return err
	}
	found, err := s.findSimilar(r.Context(), p.Coll, p.URIR, ts, least, limit)
	switch {
	case err != nil:
		return err
	case found == nil:
		return s.site.missing(r, p)
	}
	vary(w.Header(), "Accept")
	if isBrowser(r) {
		return s.similarPage(w, r, p, found)
	}
	return writeJSON(w, r, found.json(s.site.absolute(r, p.Coll)))
}

// similarParams reads threshold and limit.
func similarParams(p Path) (least float64, limit int, err error) {
	least, limit = minSimilar, DefaultSimilar
	if v := p.Params.Get("threshold"); v != "" {
		if least, err = strconv.ParseFloat(v, 64); err != nil || !(least >= 0 && least <= 1) {
			return 0, 0, badRequest(fmt.Sprintf("threshold %.20q: want a number from 0 to 1", v))
		}
	}
	if v := p.Params.Get("limit"); v != "" {
		if limit, err = strconv.Atoi(v); err != nil || limit < 1 || limit > maxSimilarResults {
			return 0, 0, badRequest(fmt.Sprintf("limit %.20q: want a whole number from 1 to %d", v, maxSimilarResults))
		}
	}
	return least, limit, nil
}

func (s *pages) similarPage(w http.ResponseWriter, r *http.Request, p Path, f *similarSet) error {
	uris := s.site.local(p.Coll)
	v := banner.SimilarView{Page: s.site.shared(r, p), Capture: *captureLink(uris, f.capture)}
	v.URIR = f.capture.URL
	if f.sketch != nil {
		v.Title = f.sketch.Title
	}
	src := &sketches{index: s.Index}
	for i := range f.places {
		c := &f.places[i].capture
		a := banner.Alternative{CaptureLink: *captureLink(uris, c), URIR: c.URL, Similarity: similarityView(&f.places[i].similarity)}
		if k, err := src.Sketch(c.Text); err == nil && k != nil {
			a.Title = k.Title
		}
		v.Results = append(v.Results, a)
	}
	return render(w, r, http.StatusOK, banner.Similar(v))
}
