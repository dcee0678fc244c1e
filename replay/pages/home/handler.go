// Package home has the pages of all collections and of one, and leads on from the text in the box.
package home

import (
	"context"
	"net/http"
	"net/url"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/addresses"
	"github.com/varve-archive/varve/replay/pages/calendar"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/search"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/static"
)

// A Handler has the handlers. All fields are needed.
type Handler struct {
	Archive   *archive.Archive
	Counts    *holdings.Counts
	Box       *search.Handler
	Addresses *addresses.Handler
	Calendar  *calendar.Handler
	Site      *respond.Site

	// Drop returns what lets readers hand in files on a page about a collection, or about all ("").
	Drop func(w http.ResponseWriter, r *http.Request, coll string) *layout.DropZone
	// Crawls returns the address of the page of crawls, "" if there is nothing to be seen.
	Crawls func(r *http.Request) string
	// Follows returns the address of the page of sources that are followed, "" likewise.
	Follows func(r *http.Request) string
}

// Serve answers "/": the collections, and a URL box. One collection is shown at once.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	colls := h.Archive.Index.Collections()
	if typed(p) != "" && len(colls) > 0 {
		return h.openAnywhere(w, r, colls, p)
	}
	if len(colls) == 1 {
		p.Coll = colls[0]
		return h.Collection(w, r, p)
	}
	v := homeView{frame: h.frame(w, r, p)}
	for _, c := range colls {
		facts, err := h.card(r.Context(), c)
		if err != nil {
			return err
		}
		v.Collections = append(v.Collections, facts)
	}
	return v.render(w, r, homePage(v))
}

// frame returns what both pages have in common.
func (h *Handler) frame(w http.ResponseWriter, r *http.Request, p respond.Path) frame {
	return frame{h.Box.Shared(r, p), !static.HasWombat(), h.Drop(w, r, p.Coll), h.Crawls(r), h.Follows(r)}
}

// render sends a page; no other may frame one that takes files.
func (f *frame) render(w http.ResponseWriter, r *http.Request, page templ.Component) error {
	if f.Drop != nil {
		return respond.RenderAlone(w, r, http.StatusOK, page)
	}
	return respond.Render(w, r, http.StatusOK, page)
}

// openAnywhere handles the box of the home page: it opens the first collection that has the address, else the first of all. Words are
// searched in all collections.
func (h *Handler) openAnywhere(w http.ResponseWriter, r *http.Request, colls []string, p respond.Path) error {
	p, err := h.original(r.Context(), p)
	if err != nil {
		return err
	}
	q := typed(p)
	if len(colls) > 1 && h.Box.IsWordsEverywhere(r.Context(), colls, q) {
		respond.Redirect(w, h.Box.Everywhere(limits(p.Params, q).Encode()))
		return nil
	}
	p.Coll = colls[0]
	uriR := memento.ParseURIR(q)
	having, err := h.Archive.Having(r.Context(), uriR)
	if err != nil {
		return err
	}
	if len(having) > 0 {
		p.Coll = having[0]
		if len(having) > 1 && p.Params.Get("at") == "" && !respond.IsPattern(uriR) {
			respond.Redirect(w, h.Calendar.InAll(url.Values{"url": {uriR}}))
			return nil
		}
	}
	return h.Collection(w, r, p)
}

// openBox redirects the reader of a URL box to the memento nearest to at, else to the calendar.
func (h *Handler) openBox(w http.ResponseWriter, p respond.Path) error {
	uriR := memento.ParseURIR(typed(p))
	if uriR == "" {
		return respond.NoAddress()
	}
	to := h.Site.Local(p.Coll).Calendar(uriR)
	if at, err := cdx.ParseAsked(p.Params.Get("at")); err == nil {
		to = h.Site.Local(p.Coll).Memento(at, "", uriR)
	}
	respond.Redirect(w, to)
	return nil
}

// limits returns the parameters of a search for words. A box that sends q also sends the filters of the previous search.
func limits(asked url.Values, words string) url.Values {
	out := url.Values{}
	for name, values := range asked {
		if asked.Has("q") && asked.Get(name) != "" {
			out[name] = values
		}
	}
	out.Set("q", words)
	return out
}

// facts counts a collection's files and captures.
func (h *Handler) facts(ctx context.Context, coll string) (collectionFacts, error) {
	f := collectionFacts{Name: h.Site.Title(coll), Description: h.Site.Description(coll), Href: h.Site.Local(coll).Home()}
	for _, file := range h.Archive.Index.Files() {
		if file.Collection == coll && file.Done {
			f.Files++
		}
	}
	n, err := h.Archive.Index.Total(ctx, coll)
	f.Captures = int(n)
	return f, err
}

// Collection answers /{coll}/.
func (h *Handler) Collection(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	p, err := h.original(r.Context(), p)
	if err != nil {
		return err
	}
	u := typed(p)
	if u != "" && h.Box.IsWords(r.Context(), p.Coll, u) {
		h.Box.Box(w, p.Coll, limits(p.Params, u))
		return nil
	} else if respond.IsPattern(u) {
		p.URIR = u
		return h.Addresses.Serve(w, r, p)
	} else if u != "" && p.Params.Get("level")+p.Params.Get("on") != "" && p.Params.Get("at") == "" {
		if p.URIR = memento.ParseURIR(u); p.URIR == "" {
			return respond.NoAddress()
		}
		return h.Calendar.Serve(w, r, p)
	} else if u != "" {
		return h.openBox(w, p)
	} else if p.Params.Get("q")+p.Params.Get("url") != "" {
		return respond.NoAddress()
	}
	v := collectionView{frame: h.frame(w, r, p)}
	v.Search, v.Terms = h.Box.Paths(h.Site.Local(p.Coll))
	v.Addresses = h.addressList(p.Coll, url.Values{"url": {"*"}})
	v.Monitor = h.Site.Local(p.Coll).Endpoint("monitor", "")
	v.Duplicates = h.Site.Local(p.Coll).Endpoint("duplicates", "across=1")
	if v.Facts, err = h.facts(r.Context(), p.Coll); err != nil {
		return err
	}
	if err := h.overview(r.Context(), p.Coll, &v); err != nil {
		return err
	}
	return v.render(w, r, collectionPage(v))
}
