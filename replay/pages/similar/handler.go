// Package similar shows the captures whose text, or picture, is similar to that of one.
package similar

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/similar"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/ways"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler has the handler.
type Handler struct {
	archive *archive.Archive
	site    *respond.Site
	shared  respond.SharedFunc
	ways    *ways.Finder
}

// New returns the handler over an archive, for a site.
func New(a *archive.Archive, site *respond.Site, shared respond.SharedFunc, ways *ways.Finder) *Handler {
	return &Handler{a, site, shared, ways}
}

// Serve answers /{coll}/similar: a page for browsers, JSON for others.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	ts, err := respond.Datetime(p)
	if err != nil {
		return err
	}
	least, limit, err := params(p)
	if err != nil {
		return err
	}
	found, err := similar.Find(r.Context(), h.archive.Timelines, p.Coll, p.URIR, ts, least, limit)
	switch {
	case err != nil:
		return err
	case found == nil:
		return h.site.Missing(r, p)
	}
	respond.Vary(w.Header(), "Accept")
	if respond.IsBrowser(r) {
		return h.page(w, r, p, found)
	}
	list := found.List(h.site.Absolute(r, p.Coll))
	alike, err := h.lookAlike(r.Context(), p.Coll, found)
	if err != nil {
		return err
	}
	for _, other := range alike {
		list.Looks = append(list.Looks, similar.Look{
			URIM: h.site.Absolute(r, p.Coll).Memento(other.Time, "", other.URL), OriginalURI: other.URL, Datetime: other.Time.String(),
			Picture: h.site.Absolute(r, p.Coll).Thumbnail(other.Time, other.URL),
		})
	}
	return respond.WriteJSON(w, r, list)
}

// maxLooks is the number of visually similar pages that are shown.
const maxLooks = 20

// lookAlike returns pictures of other URI-Rs that are similar to that of a capture.
func (h *Handler) lookAlike(ctx context.Context, coll string, f *similar.Set) ([]*visual.Picture, error) {
	reel, err := film.Find(ctx, h.archive, memento.URIs{Coll: coll}, f.Capture.URL)
	if err != nil {
		return nil, err
	}
	return h.archive.Gallery.Alike(ctx, coll, surt.Of(f.Capture.URL), reel.At(f.Capture.Time), maxLooks)
}

func params(p respond.Path) (least float64, limit int, err error) {
	if least, err = respond.Threshold(p, similar.Min); err != nil {
		return 0, 0, err
	}
	limit = similar.DefaultResults
	if v := p.Params.Get("limit"); v != "" {
		if limit, err = strconv.Atoi(v); err != nil || limit < 1 || limit > similar.MaxResults {
			return 0, 0, respond.BadRequest(fmt.Sprintf("limit %.20q: want a whole number from 1 to %d", v, similar.MaxResults))
		}
	}
	return least, limit, nil
}

func (h *Handler) page(w http.ResponseWriter, r *http.Request, p respond.Path, f *similar.Set) error {
	uris := h.site.Local(p.Coll)
	v := pageView{Page: h.shared(r, p), Capture: *respond.CaptureLink(uris, f.Capture)}
	v.URIR, v.Calendar = f.Capture.URL, uris.Calendar(f.Capture.URL)
	captures := []*cdx.Capture{f.Capture}
	for i := range f.Places {
		captures = append(captures, &f.Places[i].Capture)
	}
	titles, err := h.archive.Titles(r.Context(), captures)
	if err != nil {
		return err
	}
	v.Title = titles[f.Capture.Location]
	for i, c := range captures[1:] {
		v.Results = append(v.Results, ways.Alternative{
			CaptureLink: *respond.CaptureLink(uris, c), URIR: c.URL, Title: titles[c.Location],
			Similarity: layout.SimilarityOf(&f.Places[i].Similarity),
		})
	}
	alike, err := h.lookAlike(r.Context(), p.Coll, f)
	if err != nil {
		return err
	}
	for _, other := range alike {
		v.Looks = append(v.Looks, alikeView{Frame: film.FrameOf(uris, other, other.URL), URIR: other.URL})
	}
	if len(v.Results) == 0 {
		v.Ways = h.ways.From(r, p)
	}
	return respond.Render(w, r, http.StatusOK, similarPage(v))
}
