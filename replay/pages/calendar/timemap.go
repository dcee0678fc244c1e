package calendar

import (
	"errors"
	"fmt"
	"iter"
	"net/http"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// TimeMapPage streams a TimeMap as a page for people.
func (h *Handler) TimeMapPage(
	w http.ResponseWriter, r *http.Request, p respond.Path, captures iter.Seq2[*cdx.Capture, error], info *memento.TimeMapInfo,
) error {
	uris := h.site.Local(p.Coll)
	tl, err := h.archive.Timelines.Get(r.Context(), p.Coll, surt.Of(p.URIR))
	if err != nil {
		return err
	}
	word, err := tl.Annotate()
	if err != nil {
		return err
	}
	ranges, err := tl.Ranges(change.LevelContent)
	if err != nil {
		return err
	}
	var pages []memento.PageRange
	if info.Pages != nil {
		if pages, err = info.Pages(); err != nil {
			return err
		}
	}
	v := timeMapView{Page: h.box.Shared(r, p), Calendar: uris.Calendar(p.URIR)}
	for _, f := range []string{"link", "json", "cdxj"} {
		v.Formats = append(v.Formats, banner.Link{Href: uris.TimeMap(f, info.Page, p.URIR), Text: f})
	}
	if info.Page > 1 {
		v.Prev = uris.TimeMap("html", info.Page-1, p.URIR)
	}
	if info.Page < len(pages) {
		v.Next = uris.TimeMap("html", info.Page+1, p.URIR)
	}
	var failed error
	v.Rows = func(yield func(captureRow) bool) {
		n := 0
		for c, err := range captures {
			if err != nil {
				failed = err
				return
			}
			_, change := word(c)
			if n++; n > memento.PageSize || !yield(rowOf(tl, ranges, uris, "", c, change)) {
				return
			}
		}
	}
	respond.OwnPage(w.Header())
	if r.Method == http.MethodHead {
		return nil
	}
	err = timeMapPage(v).Render(r.Context(), w)
	return errors.Join(failed, err)
}

// Changes answers /{coll}/changes.
func (h *Handler) Changes(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	level, err := change.ParseLevel(p.Params.Get("level"))
	if err != nil {
		return respond.BadRequest(err.Error())
	}
	var at cdx.Timestamp
	if v := p.Params.Get("at"); v != "" {
		if at, err = cdx.ParseAsked(v); err != nil {
			return respond.BadRequest(fmt.Sprintf("at %.20q is no datetime: want YYYYMMDDhhmmss or its beginning", v))
		}
	}
	var c *timeline.ChangeWriter
	if uris := h.site.Absolute(r, p.Coll); at != 0 {
		c, err = h.archive.Timelines.ChangesAround(r.Context(), uris, p.URIR, level, at)
	} else {
		c, err = h.archive.Timelines.ChangeRanges(r.Context(), uris, p.URIR, level)
	}
	if err != nil {
		return err
	}
	if c == nil {
		return h.site.Missing(r, p)
	}
	respond.AllowOrigins(w.Header())
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodHead {
		return nil
	}
	return c.Write(w)
}
