package search

import (
	"context"
	"net/url"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// A PresentSnippet is a piece of a version with the searched words. Marks are their places in Text: from and to
// (exclusive), in Unicode code points.
type PresentSnippet struct {
	Text  string   `json:"text"`
	Marks [][2]int `json:"marks"`
}

// maxShown bounds the results of one answer whose text is read, as each needs a record.
const maxShown = 100

// describePages describes found pages, the first shown of them with their texts. It reads concurrently.
func (s *Handler) describePages(
	ctx context.Context, uris memento.URIs, ask *presentParams, q query.Query, hits []search.Found, columns []fields.Column, shown int,
) ([]PresentResult, error) {
	titles, err := prefetch(ctx, s, uris.Coll, hits, bestOf)
	if err != nil {
		return nil, err
	}
	out := make([]PresentResult, len(hits))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range hits {
		g.Go(func() (err error) {
			out[i], err = s.describePage(ctx, ask, q, &hits[i], titles, uris, i < shown)
			out[i].setFields(columns, &hits[i])
			return err
		})
	}
	return out, g.Wait()
}

// bestOf returns the page of a hit, and the datetime of what is said of it.
func bestOf(h *search.Found) (key string, titled cdx.Timestamp) { return h.Key, h.Best.Version.First }

// prefetch reads the timelines of hits together, and their titles, in two round trips to an index on another machine. The titles are as
// [archive.Archive.Titles] returns them.
func prefetch[H any](
	ctx context.Context, s *Handler, coll string, hits []H, of func(*H) (key string, titled cdx.Timestamp),
) (titles map[cdx.Location]string, err error) {
	keys := make([]string, len(hits))
	for i := range hits {
		keys[i], _ = of(&hits[i])
	}
	if err := s.archive.Timelines.Prefetch(ctx, coll, keys); err != nil {
		return nil, err
	}
	captures := make([]*cdx.Capture, len(hits))
	g, reading := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range hits {
		g.Go(func() error {
			_, titled := of(&hits[i])
			tl, err := s.archive.Timelines.Get(reading, coll, keys[i])
			if err == nil {
				captures[i] = timeline.MementoAt(tl, titled)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return s.archive.Titles(ctx, captures)
}

// describePage describes one page, with snippets if shown. If the version can't be read any more, it has none, and says so.
func (s *Handler) describePage(
	ctx context.Context, ask *presentParams, q query.Query, h *search.Found, titles map[cdx.Location]string, uris memento.URIs, shown bool,
) (r PresentResult, err error) {
	tl, err := s.archive.Timelines.Get(ctx, uris.Coll, h.Key)
	if err != nil {
		return r, err
	}
	best := timeline.MementoAt(tl, h.Best.Version.First)
	r = PresentResult{
		OriginalURI: best.URL, Title: titles[best.Location], Score: h.Score, Versions: h.Versions, Still: h.Still,
		Status: h.Best.Version.Status, MIME: h.Best.Version.MIME, Lang: h.Best.Version.Lang,
		Best: endAt(tl, best.Time, uris), First: endAt(tl, h.First, uris), Last: endAt(tl, h.Last, uris),
		Snippets: []PresentSnippet{}, Missing: []string{},
	}
	if !h.Still && !ask.ofSomeVersions() {
		if r.Gone, err = gone(tl, h.Last, best.URL, uris); err != nil {
			return r, err
		}
	}
	if !shown {
		return r, nil
	}
	text, unreadable, err := s.words(ctx, tl, best.Time)
	r.Snippets, r.Unreadable = presentSnippets(q, text), unreadable
	return r, err
}

// setFields sets the template's values from the best version.
func (r *PresentResult) setFields(columns []fields.Column, h *search.Found) {
	r.Row, r.values = h.Row, fields.Unpack(h.Best.Version.Fields)
	for _, c := range columns {
		list := r.values[c.Name]
		if len(list) == 0 {
			continue
		}
		values := make([]any, len(list))
		for i, v := range list {
			values[i] = v
			if n, ok := c.Type.Order(v); ok && c.Type == fields.Number {
				values[i] = n
			}
		}
		if r.Fields == nil {
			r.Fields = map[string]any{}
		}
		r.Fields[c.Name] = values[0]
		if len(values) > 1 {
			r.Fields[c.Name] = values
		}
	}
}

// gone returns the first capture of the version after last, nil if there is none.
func gone(tl *timeline.Timeline, last cdx.Timestamp, uriR string, uris memento.URIs) (*PresentGone, error) {
	ranges, err := tl.Ranges(change.LevelText)
	if err != nil {
		return nil, err
	}
	i := timeline.RangeOf(ranges, last) + 1
	if i == 0 || i >= len(ranges) {
		return nil, nil
	}
	after := ranges[i].First
	pair := url.Values{"url": {uriR}, "from": {last.String()}, "to": {after.String()}, "level": {change.LevelText.String()}}
	return &PresentGone{endAt(tl, after, uris), uris.Endpoint("diff", pair.Encode())}, nil
}

// presentSnippets shows the first places of a text that have what the query names.
func presentSnippets(q query.Query, t *searches.WordText) []PresentSnippet {
	out := []PresentSnippet{}
	marks := q.Marks(t.Words)
	for i := 0; i < len(marks) && len(out) < maxSnippets; i++ {
		if marks[i] == 0 {
			continue
		}
		from, to := around(t, i, i+marks[i], 0)
		out = append(out, presentSnippet(t, marks, from, to))
		i = to - 1
	}
	return out
}

// presentSnippet cuts the words from from to to (exclusive) out of a text, with an ellipsis where the text goes on.
func presentSnippet(t *searches.WordText, marks []int, from, to int) PresentSnippet {
	cut := cutOut(t, from, to)
	out := PresentSnippet{Text: cut.text, Marks: [][2]int{}}
	for i := from; i < to; i++ {
		if marks[i] == 0 {
			continue
		}
		last := min(i+marks[i], to) - 1
		mark := [2]int{cut.point(t.At[i].Start), cut.point(t.At[last].End)}
		if n := len(out.Marks); n > 0 && mark[0] < out.Marks[n-1][1] { // phrases that overlap
			out.Marks[n-1][1] = max(out.Marks[n-1][1], mark[1])
			continue
		}
		out.Marks = append(out.Marks, mark)
	}
	return out
}
