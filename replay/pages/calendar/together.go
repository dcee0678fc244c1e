package calendar

import (
	"context"
	"net/http"
	"net/url"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/versions"
	"github.com/varve-archive/varve/replay/respond"
)

// InAll returns the address of the calendar of an address over all collections.
func (h *Handler) InAll(params url.Values) string {
	return h.site.Path() + "/-/calendar?" + params.Encode()
}

// Everywhere answers /-/calendar?url={URI-R}&level={level}&on={digits}: the captures and versions of all collections together.
// Clients other than browsers get the versions as JSON.
func (h *Handler) Everywhere(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	if p.URIR = memento.ParseURIR(p.Params.Get("url")); p.URIR == "" {
		return respond.NoAddress()
	}
	level, err := versions.LevelIn(p)
	if err != nil {
		return err
	}
	colls, err := h.archive.Having(r.Context(), p.URIR)
	if err != nil {
		return err
	}
	tl, err := h.archive.Timelines.Together(r.Context(), colls, surt.Of(p.URIR))
	if err != nil {
		return err
	}
	if len(tl.Captures) == 0 {
		return respond.NotFound("no collection has a capture of " + p.URIR)
	}
	c, err := calendarOf(tl, level, p)
	if err != nil {
		return err
	}
	c.href = func(when string) string {
		return h.InAll(versions.WithLevel(url.Values{"url": {p.URIR}, "on": {when}}, c.level))
	}
	c.place = func(of *cdx.Capture) (string, memento.URIs) {
		coll := h.archive.CollectionOf(of)
		return h.site.Title(coll), h.site.Local(coll)
	}
	v, err := c.view(h.box.Shared(r, p))
	if err != nil {
		return err
	}
	v.Counts = []layout.LevelCount{{Level: versions.LevelOf(c.level), Versions: len(c.ranges)}}
	if err := h.shares(r.Context(), c, colls, &v); err != nil {
		return err
	}
	respond.Vary(w.Header(), "Accept")
	if !respond.IsBrowser(r) {
		return h.togetherJSON(w, r, c, colls, &v)
	}
	return respond.Render(w, r, http.StatusOK, calendarPage(v))
}

// shares says how many captures and versions each collection has.
func (h *Handler) shares(ctx context.Context, c *calendar, colls []string, v *pageView) error {
	for _, coll := range colls {
		tl, err := h.archive.Timelines.Get(ctx, coll, c.Key)
		if err != nil {
			return err
		}
		ranges, err := tl.Ranges(c.level)
		if err != nil {
			return err
		}
		v.Colls = append(v.Colls, shareView{
			Name: h.site.Title(coll), Href: versions.CalendarAt(c.level, h.site.Local(coll), c.uriR),
			Captures: len(tl.Captures), Versions: len(ranges),
		})
	}
	return nil
}

// A togetherVersion is a version of an address in all collections.
type togetherVersion struct {
	First        string `json:"first"`
	Last         string `json:"last"`
	Captures     int    `json:"captures"`
	Status       int    `json:"status"`
	Collection   string `json:"collection"` // of its first capture
	FirstMemento string `json:"first_memento"`
}

// A togetherShare is one collection's part.
type togetherShare struct {
	Collection string `json:"collection"`
	Captures   int    `json:"captures"`
	Versions   int    `json:"versions"`
	Calendar   string `json:"calendar"`
}

func (h *Handler) togetherJSON(w http.ResponseWriter, r *http.Request, c *calendar, colls []string, v *pageView) error {
	out := struct {
		OriginalURI string            `json:"original_uri"`
		Level       string            `json:"level"`
		Captures    int               `json:"captures"`
		Collections []togetherShare   `json:"collections"`
		Versions    []togetherVersion `json:"versions"`
	}{OriginalURI: c.uriR, Level: c.level.String(), Captures: v.Captures}
	for i, coll := range colls {
		uris := h.site.Absolute(r, coll)
		share := v.Colls[i]
		out.Collections = append(out.Collections, togetherShare{coll, share.Captures, share.Versions, versions.CalendarAt(c.level, uris, c.uriR)})
	}
	for i := range c.ranges {
		first := c.Memento(c.ranges[i].First)
		coll := h.archive.CollectionOf(first)
		out.Versions = append(out.Versions, togetherVersion{
			First: c.ranges[i].First.String(), Last: c.ranges[i].Last.String(), Captures: c.ranges[i].Captures, Status: c.ranges[i].Status,
			Collection: coll, FirstMemento: h.site.Absolute(r, coll).Memento(first.Time, "", first.URL),
		})
	}
	return respond.WriteJSON(w, r, out)
}
