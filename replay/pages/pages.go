package pages

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/views"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/static"
)

// Home answers "/": the collections, and a URL box. One collection is shown at once.
func (s *Handler) Home(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	colls := s.Index.Collections()
	if u := typed(&p); u != "" && len(colls) > 0 {
		return s.openAnywhere(w, r, colls, p)
	}
	if len(colls) == 1 {
		p.Coll = colls[0]
		return s.Collection(w, r, p)
	}
	v := views.HomeView{Page: s.Shared(r, p), NoRuntime: !static.HasWombat()}
	for _, c := range colls {
		facts, err := collectionPage{s}.card(r.Context(), c)
		if err != nil {
			return err
		}
		v.Collections = append(v.Collections, facts)
	}
	v.Crawls, v.Follows = s.Crawls(r), s.Follows(r)
	if v.Drop = s.Drop(w, r, ""); v.Drop != nil {
		return respond.RenderAlone(w, r, http.StatusOK, views.Home(v))
	}
	return respond.Render(w, r, http.StatusOK, views.Home(v))
}

// typed returns the text in the box, and sets it as url. On search pages the box sends it as q.
func typed(p *respond.Path) string {
	if q := p.Params.Get("q"); q != "" {
		p.Params = maps.Clone(p.Params)
		p.Params.Set("url", q)
	}
	return strings.TrimSpace(p.Params.Get("url"))
}

// openAnywhere handles the box of the home page: it opens the first collection that has the address, else the first of all. Words are
// searched in all collections.
func (s *Handler) openAnywhere(w http.ResponseWriter, r *http.Request, colls []string, p respond.Path) error {
	if q := strings.TrimSpace(p.Params.Get("url")); len(colls) > 1 && s.IsWordsEverywhere(r.Context(), colls, q) {
		respond.Redirect(w, s.Everywhere(url.Values{"q": {q}}))
		return nil
	}
	p.Coll = colls[0]
	uriR := memento.ParseURIR(p.Params.Get("url"))
	having, err := s.Having(r.Context(), uriR)
	if err != nil {
		return err
	}
	if len(having) > 0 {
		p.Coll = having[0]
		if len(having) > 1 && p.Params.Get("at") == "" && !respond.IsPattern(uriR) {
			respond.Redirect(w, s.calendar.InAll(url.Values{"url": {uriR}}))
			return nil
		}
	}
	return s.Collection(w, r, p)
}

// openBox redirects the reader of a URL box to the memento nearest to at, else to the calendar.
func (s *Handler) openBox(w http.ResponseWriter, _ *http.Request, coll string, p respond.Path) error {
	uriR := memento.ParseURIR(p.Params.Get("url"))
	if uriR == "" {
		return respond.NoAddress()
	}
	to := s.site.Local(coll).Calendar(uriR)
	if at, err := cdx.ParseTimestamp(p.Params.Get("at")); err == nil {
		to = s.site.Local(coll).Memento(at, "", uriR)
	}
	respond.Redirect(w, to)
	return nil
}

// limits returns the parameters of a search for words. A box that sends q also sends the filters of the previous search.
func limits(asked url.Values, words string) url.Values {
	out := url.Values{}
	for name, values := range asked {
		if asked.Has("q") && len(values) > 0 && values[0] != "" {
			out[name] = values
		}
	}
	out.Set("q", words)
	return out
}

// facts counts a collection's files and captures.
func (s collectionPage) facts(ctx context.Context, coll string) (views.CollectionFacts, error) {
	f := views.CollectionFacts{Name: s.site.Title(coll), Description: s.site.Description(coll), Href: s.site.Local(coll).Home()}
	for _, file := range s.Index.Files() {
		if file.Collection == coll && file.Done {
			f.Files++
		}
	}
	n, err := s.Index.Total(ctx, coll)
	f.Captures = int(n)
	return f, err
}

// Collection answers /{coll}/.
func (s *Handler) Collection(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	asked := p.Params
	u := typed(&p)
	if u != "" && s.IsWords(r.Context(), p.Coll, u) {
		s.Box(w, p.Coll, limits(asked, u))
		return nil
	} else if respond.IsPattern(u) {
		p.URIR = u
		return s.addresses.Serve(w, r, p)
	} else if u != "" && p.Params.Get("level")+p.Params.Get("on") != "" && p.Params.Get("at") == "" {
		if p.URIR = memento.ParseURIR(u); p.URIR == "" {
			return respond.NoAddress()
		}
		return s.calendar.Serve(w, r, p)
	} else if u != "" {
		return s.openBox(w, r, p.Coll, p)
	} else if p.Params.Get("url") != "" {
		return respond.NoAddress()
	}
	v := views.CollectionView{Page: s.Shared(r, p), NoRuntime: !static.HasWombat()}
	v.Search, v.Terms = s.Paths(s.site.Local(p.Coll))
	v.Addresses = s.addressList(p.Coll, url.Values{"url": {"*"}})
	v.Monitor = s.site.Local(p.Coll).Endpoint("monitor", "")
	v.Duplicates = s.site.Local(p.Coll).Endpoint("duplicates", "across=1")
	var err error
	if v.Facts, err = (collectionPage{s}).facts(r.Context(), p.Coll); err != nil {
		return err
	}
	if err := (collectionPage{s}).overview(r.Context(), p.Coll, &v); err != nil {
		return err
	}
	v.Crawls, v.Follows = s.Crawls(r), s.Follows(r)
	if v.Drop = s.Drop(w, r, p.Coll); v.Drop != nil {
		return respond.RenderAlone(w, r, http.StatusOK, views.Collection(v))
	}
	return respond.Render(w, r, http.StatusOK, views.Collection(v))
}
