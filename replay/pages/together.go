package pages

import (
	"context"
	"net/http"
	"net/url"

	"github.com/varve-archive/varve/replay/pages/versions"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/views"
	"github.com/varve-archive/varve/replay/respond"
)

// An allCollections answers about an address in all collections.
type allCollections struct{ *Handler }

// together returns the address of the calendar over all collections.
func (s allCollections) together(uriR string) string {
	return s.site.Path() + "/-/calendar?" + url.Values{"url": {uriR}}.Encode()
}

// CalendarEverywhere answers /-/calendar?url={URI-R}&level={level}&on={digits}: the captures and versions of all collections together.
// Clients other than browsers get the versions as JSON.
func (s *Handler) CalendarEverywhere(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	if p.URIR = memento.ParseURIR(p.Params.Get("url")); p.URIR == "" {
		return errNoAddress
	}
	level, err := versions.LevelIn(p)
	if err != nil {
		return err
	}
	colls, err := s.Having(r.Context(), p.URIR)
	if err != nil {
		return err
	}
	tl, err := s.Timelines.Together(r.Context(), colls, surt.Of(p.URIR))
	if err != nil {
		return err
	}
	if len(tl.Captures) == 0 {
		return respond.NotFound("no collection has a capture of " + p.URIR)
	}
	ranges, err := tl.Ranges(level)
	if err != nil {
		return err
	}
	c := &calendar{Timeline: tl, uriR: p.URIR, level: level, ranges: ranges, when: p.Params.Get("on")}
	c.href = func(when string) string {
		return s.site.Path() + "/-/calendar?" + versions.WithLevel(url.Values{"url": {p.URIR}, "on": {when}}, level).Encode()
	}
	c.place = func(of *cdx.Capture) (string, memento.URIs) {
		coll := s.CollectionOf(of)
		return s.site.Title(coll), s.site.Local(coll)
	}
	v := views.CalendarView{
		Page: s.Shared(r, p), Captures: len(tl.Captures), Years: c.years(), Year: c.year(),
		Counts: []layout.LevelCount{{Level: versions.LevelOf(level), Versions: len(ranges)}},
	}
	if err := (allCollections{s}).shares(r.Context(), c, colls, &v); err != nil {
		return err
	}
	if err := c.fill(&v); err != nil {
		return err
	}
	respond.Vary(w.Header(), "Accept")
	if !respond.IsBrowser(r) {
		return allCollections{s}.togetherJSON(w, r, c, colls, &v)
	}
	return respond.Render(w, r, http.StatusOK, views.Calendar(v))
}

// shares says how many captures and versions each collection has.
func (s allCollections) shares(ctx context.Context, c *calendar, colls []string, v *views.CalendarView) error {
	for _, coll := range colls {
		tl, err := s.Timelines.Get(ctx, coll, c.Key)
		if err != nil {
			return err
		}
		ranges, err := tl.Ranges(c.level)
		if err != nil {
			return err
		}
		v.Colls = append(v.Colls, views.CollCaptures{
			Name: s.site.Title(coll), Href: versions.CalendarAt(c.level, s.site.Local(coll), c.uriR),
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

func (s allCollections) togetherJSON(w http.ResponseWriter, r *http.Request, c *calendar, colls []string, v *views.CalendarView) error {
	out := struct {
		OriginalURI string            `json:"original_uri"`
		Level       string            `json:"level"`
		Captures    int               `json:"captures"`
		Collections []togetherShare   `json:"collections"`
		Versions    []togetherVersion `json:"versions"`
	}{OriginalURI: c.uriR, Level: c.level.String(), Captures: v.Captures}
	for i, coll := range colls {
		uris := s.site.Absolute(r, coll)
		share := v.Colls[i]
		out.Collections = append(out.Collections, togetherShare{coll, share.Captures, share.Versions, versions.CalendarAt(c.level, uris, c.uriR)})
	}
	for i := range c.ranges {
		first := c.Memento(c.ranges[i].First)
		coll := s.CollectionOf(first)
		out.Versions = append(out.Versions, togetherVersion{
			First: c.ranges[i].First.String(), Last: c.ranges[i].Last.String(), Captures: c.ranges[i].Captures, Status: c.ranges[i].Status,
			Collection: coll, FirstMemento: s.site.Absolute(r, coll).Memento(first.Time, "", first.URL),
		})
	}
	return respond.WriteJSON(w, r, out)
}
