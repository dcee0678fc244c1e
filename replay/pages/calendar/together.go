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
	tl = tl.Spelled(p.URIR)
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
	if v.Colls, err = h.shares(r.Context(), c, colls); err != nil {
		return err
	}
	respond.Vary(w.Header(), "Accept")
	if !respond.IsBrowser(r) {
		return h.togetherJSON(w, r, c, &v)
	}
	return respond.Render(w, r, http.StatusOK, calendarPage(v))
}

// shares says how many captures and versions each collection has of those in the calendar.
func (h *Handler) shares(ctx context.Context, c *calendar, colls []string) (out []shareView, err error) {
	captures := map[string]int{}
	for i := range c.Captures {
		captures[h.archive.CollectionOf(&c.Captures[i])]++
	}
	for _, coll := range colls {
		if captures[coll] == 0 { // it has another spelling
			continue
		}
		tl, err := h.archive.Timelines.Spelled(ctx, coll, c.uriR)
		if err != nil {
			return nil, err
		}
		ranges, err := tl.Ranges(c.level)
		if err != nil {
			return nil, err
		}
		out = append(out, shareView{
			Coll: coll, Name: h.site.Title(coll), Href: versions.CalendarAt(c.level, h.site.Local(coll), c.uriR),
			Captures: captures[coll], Versions: len(ranges),
		})
	}
	return out, nil
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

func (h *Handler) togetherJSON(w http.ResponseWriter, r *http.Request, c *calendar, v *pageView) error {
	out := struct {
		OriginalURI string            `json:"original_uri"`
		Level       string            `json:"level"`
		Captures    int               `json:"captures"`
		Collections []togetherShare   `json:"collections"`
		Versions    []togetherVersion `json:"versions"`
	}{OriginalURI: c.uriR, Level: c.level.String(), Captures: v.Captures}
	for _, share := range v.Colls {
		at := versions.CalendarAt(c.level, h.site.Absolute(r, share.Coll), c.uriR)
		out.Collections = append(out.Collections, togetherShare{share.Coll, share.Captures, share.Versions, at})
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
