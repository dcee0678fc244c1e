package search

import (
	"context"
	"errors"
	"net/url"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// A describer describes the changes that a search found.
type describer struct {
	s      *Handler
	of     *searches.Collection
	ask    *searchParams
	uris   memento.URIs
	added  map[string][][]cdx.Timestamp // by key: when each phrase of the query was added
	titles map[cdx.Location]string      // of what was prefetched
}

// prefetch reads what is said of changes together.
func (d *describer) prefetch(ctx context.Context, hits []search.Hit) (err error) {
	d.titles, err = prefetch(ctx, d.s, d.uris.Coll, hits, func(h *search.Hit) (string, cdx.Timestamp) { return h.Key, d.titled(h) })
	return err
}

// titled returns the datetime of the version that has the text.
func (d *describer) titled(h *search.Hit) cdx.Timestamp {
	if d.ask.request.Kind == search.Added || h.Before == 0 {
		return h.After
	}
	return h.Before
}

// describe reads both versions of a change. It leaves out the content of a version that can't be read any more, and says so.
func (d *describer) describe(ctx context.Context, h *search.Hit) (*SearchResult, error) {
	tl, err := d.s.archive.Timelines.Get(ctx, d.uris.Coll, h.Key)
	if err != nil {
		return nil, err
	}
	r := &SearchResult{Score: h.Score, Whole: h.Whole(d.ask.request.Kind), Soft404: h.SoftAfter, Size: h.Size(), Snippets: []Snippet{}, hit: h}
	if d.ask.request.Kind == search.Added {
		r.Soft404 = h.SoftBefore
	}
	older := &searches.WordText{}
	if h.Before != 0 {
		r.Before = d.end(tl, h.Before, h.CountBefore)
		if older, r.Unreadable, err = d.s.words(ctx, tl, h.Before); err != nil {
			return nil, err
		}
	}
	newer, unreadable, err := d.s.words(ctx, tl, h.After)
	if err != nil {
		return nil, err
	}
	r.Unreadable = r.Unreadable || unreadable
	r.After = *d.end(tl, h.After, h.CountAfter)
	r.Snippets = snippets(&d.ask.request.Query, d.ask.request.Kind, older, newer)
	d.name(tl, h, r)
	return r, d.lifespan(ctx, tl, h, r)
}

// words returns the words of a version. They are empty if it can't be read any more; unreadable says whether its record can't.
func (s *Handler) words(ctx context.Context, tl *timeline.Timeline, ts cdx.Timestamp) (_ *searches.WordText, unreadable bool, _ error) {
	text, err := s.searches.Words(ctx, tl, ts)
	if err == nil || ctx.Err() != nil || errors.Is(err, archive.ErrUnavailable) {
		return text, false, err
	}
	s.archive.LogUnreadable(tl.Key, ts, err)
	return text, archive.IsUnreadable(err), nil
}

func (d *describer) end(tl *timeline.Timeline, ts cdx.Timestamp, n int) *SearchEnd {
	end := endAt(tl, ts, d.uris)
	end.Count = &n
	return &end
}

// endAt returns the memento at a datetime.
func endAt(tl *timeline.Timeline, ts cdx.Timestamp, uris memento.URIs) SearchEnd {
	c := timeline.MementoAt(tl, ts)
	return SearchEnd{URIM: uris.Memento(c.Time, "", c.URL), Datetime: c.Time.String()}
}

// name fills in the address, the title and the links.
func (d *describer) name(tl *timeline.Timeline, h *search.Hit, r *SearchResult) {
	c := timeline.MementoAt(tl, d.titled(h))
	r.OriginalURI, r.Title = c.URL, d.titles[c.Location]
	term := d.ask.q
	if h.Before != 0 {
		pair := url.Values{"url": {c.URL}, "from": {h.Before.String()}, "to": {h.After.String()}, "term": {term}}
		if !h.NoTextBefore && !h.NoTextAfter {
			r.Links.Animation = d.uris.Endpoint("animate", pair.Encode())
		}
		level := change.LevelText.String() // that of the versions that are searched
		pair.Set("level", level)
		r.Links.Diff = d.uris.Endpoint("diff", pair.Encode())
		slider := url.Values{"url": {c.URL}, "at": {h.Before.String()}, "term": {term}, "level": {level}}
		r.Links.Sliding = d.uris.Endpoint("diff", slider.Encode())
	}
}

// lifespan fills in which version added the text, and how long it existed until the change.
func (d *describer) lifespan(ctx context.Context, tl *timeline.Timeline, h *search.Hit, r *SearchResult) error {
	added := h.After
	if d.ask.request.Kind != search.Added {
		times, err := d.additions(ctx, h.Key)
		if err != nil {
			return err
		}
		added = 0
		for _, phrase := range times {
			added = max(added, latest(phrase, h.Before))
		}
	}
	if added == 0 {
		return nil
	}
	addition := endAt(tl, added, d.uris)
	r.Addition = &addition
	r.LifespanDays = int(h.After.Distance(added) / (24 * 60 * 60))
	return nil
}

// latest returns the last of times that is not after ts, or 0.
func latest(times []cdx.Timestamp, ts cdx.Timestamp) cdx.Timestamp {
	out := cdx.Timestamp(0)
	for _, t := range times {
		if t <= ts {
			out = max(out, t)
		}
	}
	return out
}

// maxAdditions bounds how many additions of one text are followed.
const maxAdditions = 10_000

// additions returns when each phrase of the query was added to a page.
func (d *describer) additions(ctx context.Context, key string) ([][]cdx.Timestamp, error) {
	if times, ok := d.added[key]; ok {
		return times, nil
	}
	var out [][]cdx.Timestamp
	for _, p := range d.ask.request.Query.Phrases {
		found, err := d.of.Search(ctx, search.Request{
			Query: search.Query{Phrases: []search.Phrase{p}}, Kind: search.Added, Page: key, Limit: maxAdditions,
		})
		if err != nil {
			return nil, err
		}
		var times []cdx.Timestamp
		for _, h := range found.Hits {
			times = append(times, h.After)
		}
		out = append(out, times)
	}
	d.added[key] = out
	return out, nil
}
