package feed

import (
	"context"
	"errors"
	"net/http"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/latest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
)

// An item is a version that is reported.
type item struct {
	url      string
	time     cdx.Timestamp   // its first capture
	before   cdx.Timestamp   // the last capture of the version before, 0 if there is none
	kind     change.Kind     // what the version shows
	version  *latest.Version // nil if a search found it
	score    float64         // by the watched words
	was, is  *cdx.Capture    // of before and time; was is nil if there is none
	title    string          // "" if there is none, or rules hide it
	keptBack bool            // rules hide the content of one of the two
	unread   bool            // one of the two can't be read now
}

type list struct {
	items []item
	more  bool // there are further items
	many  bool // more addresses changed than were read
}

// maxWatchedOver bounds the versions that are read for watched words.
const maxWatchedOver = 2000

// find returns the requested versions, at most most, after skipping skip.
func (h *Handler) find(ctx context.Context, a *ask, skip, most int) (*list, error) {
	if a.query != nil {
		return h.search(ctx, a, skip, most)
	}
	out, seen := &list{}, 0
	for v, err := range latest.Walk(ctx, h.archive, h.counts, a.Ask) {
		if errors.Is(err, latest.ErrMany) {
			out.many = true
			break
		} else if err != nil {
			return nil, err
		}
		if seen++; a.watch != nil && seen > maxWatchedOver {
			out.many = true
			break
		}
		i := item{url: v.URL, time: v.Range.First, kind: v.Range.Kind, version: v}
		if v.Before != nil {
			i.before = v.Before.Last
		}
		if fits, err := h.watched(ctx, a, &i); err != nil {
			return nil, err
		} else if !fits {
			continue
		}
		if skip > 0 && i.time == a.Until {
			skip--
			continue
		}
		if len(out.items) == most {
			out.more = true
			break
		}
		out.items = append(out.items, i)
	}
	return out, nil
}

func (h *Handler) search(ctx context.Context, a *ask, skip, most int) (*list, error) {
	of, err := h.searches.Of(a.Coll)
	if err != nil {
		return nil, err
	}
	request := *a.query
	request.Skip, request.Limit = skip, most+1
	found, err := of.Search(ctx, request)
	if err != nil {
		return nil, err
	}
	out := &list{more: len(found.Hits) > most}
	for i := range found.Hits[:min(len(found.Hits), most)] {
		one, err := h.hit(ctx, a, &found.Hits[i])
		if err != nil {
			return nil, err
		}
		if one != nil {
			out.items = append(out.items, *one)
		}
	}
	return out, nil
}

// hit returns a change that a search found, nil if the page was removed since the search was built.
func (h *Handler) hit(ctx context.Context, a *ask, hit *search.Hit) (*item, error) {
	tl, err := h.archive.Timelines.Get(ctx, a.Coll, hit.Key)
	if err != nil {
		return nil, err
	}
	c := tl.Memento(hit.After)
	if c == nil {
		return nil, nil
	}
	i := &item{url: c.URL, time: hit.After, before: hit.Before, kind: change.Page}
	switch {
	case hit.SoftAfter || c.Status == http.StatusNotFound || c.Status == http.StatusGone:
		i.kind = change.Missing
	case timeline.IsRedirect(c):
		i.kind = change.Redirect
	}
	return i, nil
}

// watched scores an item by the watched words, and reports whether to include it.
func (h *Handler) watched(ctx context.Context, a *ask, i *item) (bool, error) {
	if a.watch == nil {
		return true, nil
	}
	if err := h.open(ctx, a.Coll, i); err != nil {
		return false, err
	}
	if i.keptBack {
		return false, nil
	}
	var texts [2]*sketch.Sketch
	for n, c := range []*cdx.Capture{i.was, i.is} {
		if c == nil || c.Text == 0 {
			continue
		}
		err := h.archive.Index.Text(ctx, c.Text, func(b []byte) error {
			k, err := sketch.Parse(b)
			texts[n] = &k
			return err
		})
		if err != nil {
			return false, err
		}
	}
	i.score = a.watch.Score(texts[0], texts[1])
	return i.score >= a.threshold && i.score > 0, nil
}

// open fills in the captures of an item, and its title.
func (h *Handler) open(ctx context.Context, coll string, i *item) (err error) {
	if i.is != nil {
		return nil
	}
	tl, err := h.archive.Timelines.Spelled(ctx, coll, i.url)
	if err != nil {
		return err
	}
	i.is = timeline.MementoAt(tl, i.time)
	titled := i.is
	if i.before != 0 {
		if i.was = timeline.MementoAt(tl, i.before); i.is.Text == 0 || i.kind != change.Page {
			titled = i.was
		}
	}
	for _, c := range []*cdx.Capture{i.was, i.is} {
		i.keptBack = i.keptBack || c != nil && h.archive.Allowed(c) != nil
	}
	if !i.keptBack {
		i.title, err = h.archive.Title(ctx, titled)
	}
	return err
}
