// Package duplicates shows the pages and pictures of a collection that are alike.
package duplicates

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/duplicates"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

const (
	pageDuplicates = 50              // groups of a page
	maxDuplicates  = 10_000          // groups, or pairs, of one answer
	maxFrom        = math.MaxInt / 2 // groups, or pairs, that may be skipped
	groupShown     = 100             // captures of a group that a page shows
)

// A Handler has the handler.
type Handler struct {
	archive *archive.Archive
	site    *respond.Site
	shared  respond.SharedFunc
	cached  *cache
}

// New returns the handler over an archive, for a site.
func New(a *archive.Archive, site *respond.Site, shared respond.SharedFunc) *Handler {
	return &Handler{a, site, shared, &cache{busy: make(chan struct{}, 1)}}
}

// Serve answers /{coll}/duplicates: a page for browsers, JSON for others.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	q, err := params(p)
	if err != nil {
		return err
	}
	respond.Vary(w.Header(), "Accept")
	found, err := h.cached.find(r.Context(), h.archive, q.Query)
	if err != nil {
		return err
	}
	if respond.IsBrowser(r) && p.Params.Get("format") != "json" {
		if q.limit == 0 {
			q.limit = pageDuplicates
		}
		return respond.Render(w, r, http.StatusOK, duplicatesPage(h.view(r, p, found, q)))
	}
	if q.limit == 0 {
		q.limit = maxDuplicates
	}
	respond.AllowOrigins(w.Header())
	list := found.List
	if q.pairs {
		list = found.ListPairs
	}
	return respond.WriteJSON(w, r, list(h.site.Absolute(r, p.Coll), q.from, q.limit))
}

// A query is a request for duplicates. A limit of 0 was not requested.
type query struct {
	duplicates.Query
	pairs       bool
	from, limit int
}

func params(p respond.Path) (q query, err error) {
	q.Coll = p.Coll
	if q.Threshold, err = respond.Threshold(p, duplicates.Near); err != nil {
		return q, err
	}
	for name, to := range map[string]*bool{"across": &q.Across, "pairs": &q.pairs} {
		if v := p.Params.Get(name); v != "" {
			if *to, err = strconv.ParseBool(v); err != nil {
				return q, respond.BadRequest(name + ": want 1 or 0")
			}
		}
	}
	for _, n := range []struct {
		name      string
		to        *int
		low, high int
	}{{"from", &q.from, 0, maxFrom}, {"limit", &q.limit, 1, maxDuplicates}} {
		if v := p.Params.Get(n.name); v != "" {
			if *n.to, err = strconv.Atoi(v); err != nil || *n.to < n.low || *n.to > n.high {
				return q, respond.BadRequest(fmt.Sprintf("%s: want a whole number from %d to %d", n.name, n.low, n.high))
			}
		}
	}
	return q, nil
}

// A cache has the last results, for one generation of the index.
type cache struct {
	busy       chan struct{} // held while searching; guards the other fields
	generation uint64
	known      map[duplicates.Query]*duplicates.Found
}

// maxCached is how many answers are cached; one with [duplicates.MaxCaptures] takes some 50 MB.
const maxCached = 4

// find runs one search at a time; other callers wait.
func (d *cache) find(ctx context.Context, a *archive.Archive, q duplicates.Query) (*duplicates.Found, error) {
	select {
	case d.busy <- struct{}{}:
		defer func() { <-d.busy }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	generation := a.Index.Generation()
	found := d.known[q]
	if d.generation != generation || len(d.known) >= maxCached && found == nil {
		d.generation, d.known, found = generation, map[duplicates.Query]*duplicates.Found{}, nil
	}
	if found != nil {
		return found, nil
	}
	found, err := duplicates.Find(ctx, a, q)
	if err == nil && a.Index.Generation() == generation {
		d.known[q] = found
	}
	return found, err
}

func (h *Handler) view(r *http.Request, p respond.Path, f *duplicates.Found, q query) pageView {
	uris := h.site.Local(p.Coll)
	link := func(change ...string) string { return q.link(uris, change...) }
	v := pageView{
		Page: h.shared(r, p), Groups: groupsOf(uris, f.Groups, q.from, q.limit),
		Pictures: groupsOf(uris, f.Pictures, q.from, q.limit), Total: len(f.Groups), Equal: len(f.Pictures), Cut: f.Cut,
		Across: q.Across, Other: link("across", flag(!q.Across), "from", ""), JSON: link("format", "json", "from", "", "limit", ""),
		Pairs: link("pairs", "1", "format", "json", "from", "", "limit", ""),
	}
	if q.from > 0 {
		v.Prev = link("from", strconv.Itoa(max(0, q.from-q.limit)))
	}
	if q.from+q.limit < max(len(f.Groups), len(f.Pictures)) {
		v.Next = link("from", strconv.Itoa(q.from+q.limit))
	}
	return v
}

func flag(yes bool) string {
	if yes {
		return "1"
	}
	return ""
}

// link returns the same request with some parameters changed: change holds names and values in turn.
func (q *query) link(uris memento.URIs, change ...string) string {
	v := url.Values{"across": {flag(q.Across)}}
	if q.Threshold != duplicates.Near {
		v.Set("threshold", strconv.FormatFloat(q.Threshold, 'f', -1, 64))
	}
	if q.limit != pageDuplicates {
		v.Set("limit", strconv.Itoa(q.limit))
	}
	for i := 0; i+1 < len(change); i += 2 {
		v.Set(change[i], change[i+1])
	}
	for name, values := range v {
		if values[0] == "" {
			v.Del(name)
		}
	}
	return uris.Endpoint("duplicates", v.Encode())
}

func groupsOf(uris memento.URIs, groups []duplicates.Group, from, limit int) (out []groupView) {
	for i := min(from, len(groups)); i < len(groups) && len(out) < limit; i++ {
		g := &groups[i]
		v := groupView{Kind: g.Kind, Similarity: layout.SimilarityOf(&g.Similarity), Total: len(g.Captures), Hosts: g.Hosts}
		for j := range g.Captures[:min(len(g.Captures), groupShown)] {
			c := &g.Captures[j]
			v.Captures = append(v.Captures, captureView{CaptureLink: *respond.CaptureLink(uris, c), URIR: c.URL})
			if g.Kind == duplicates.Picture && j == 0 {
				v.Picture = uris.Memento(c.Time, "im_", c.URL)
			}
		}
		out = append(out, v)
	}
	return out
}
