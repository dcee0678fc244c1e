package calendar

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/search"
	"github.com/varve-archive/varve/replay/pages/versions"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler has the handlers.
type Handler struct {
	archive *archive.Archive
	box     *search.Handler
	site    *respond.Site
}

// New returns the handlers over an archive with its search box, for a site.
func New(a *archive.Archive, box *search.Handler, site *respond.Site) *Handler {
	return &Handler{a, box, site}
}

// Serve answers /{coll}/*/{URI-R}, where the digits of a year or a day before the star select what is in view, and
// /{coll}/?url={URI-R}&level={level}&on={digits}.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	tl, err := h.archive.Timelines.Spelled(r.Context(), p.Coll, p.URIR)
	if err != nil {
		return err
	}
	if len(tl.Captures) == 0 {
		return h.site.Missing(r, p)
	}
	level, err := versions.LevelIn(p)
	if err != nil {
		return err
	}
	c, err := calendarOf(tl, level, p)
	if err != nil {
		return err
	}
	c.uris = h.site.Local(p.Coll)
	v, err := c.view(h.box.Shared(r, p))
	if err != nil {
		return err
	}
	v.Table, v.Slider = c.uris.TimeMap("html", 1, p.URIR), versions.SliderAt(c.level, c.uris, p.URIR)
	if v.Counts, err = c.counts(); err != nil {
		return err
	}
	v.Search, _ = h.box.Paths(c.uris)
	having, err := h.archive.Having(r.Context(), p.URIR)
	if err != nil {
		return err
	}
	if !h.site.Away() && slices.ContainsFunc(having, func(coll string) bool { return coll != p.Coll }) {
		shared := c.level
		if shared == change.LevelVisual { // the others may have no pictures
			shared = change.LevelContent
		}
		v.Together = h.InAll(versions.WithLevel(url.Values{"url": {p.URIR}}, shared))
	}
	reel, err := film.Of(r.Context(), h.archive, c.uris, tl, p.URIR)
	if err != nil {
		return err
	}
	v.Film, v.Image = reel.Versions(), reel.Newest(h.site.Absolute(r, p.Coll))
	damaged := reel.Damaged()
	for i := range v.Days {
		v.Days[i].Damage = damaged[day8(v.Days[i].Time)]
	}
	return respond.Render(w, r, http.StatusOK, calendarPage(v))
}
