package search

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
	"strings"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/varve-archive/varve/cdx"
)

// A TermsRequest asks for the terms deleted or added most often.
type TermsRequest struct {
	Kind Kind // Deleted or Added
	Bounds
	Limit int
}

// A TermCount says how many edits deleted or added a term. It leaves out stop words of the page's language, terms
// without a letter, changes of furniture alone, and those that deleted or added the whole content.
type TermCount struct {
	Term    string
	Changes int // edits
	Times   int // occurrences in all edits
	Years   []Count
	Hosts   []Count // most first
}

// A TermsAnswer is the result of [Index.Terms].
type TermsAnswer struct {
	Terms []TermCount // those in most edits first
	Years []Count     // edits by year
	Hosts []Count     // edits by host, most first
}

// Terms counts the terms that most edits deleted or added. It looks at every term that was ever deleted or added.
func (x *Index) Terms(ctx context.Context, req TermsRequest) (*TermsAnswer, error) {
	var out *TermsAnswer
	err := x.view(func(r reader) error {
		t := &tally{reader: r, req: req, field: fieldCut, changes: map[uint64]occasion{}}
		if req.Kind == Added {
			t.field = fieldNew
		}
		if err := t.edits(ctx); err != nil {
			return err
		}
		if err := t.count(ctx); err != nil {
			return err
		}
		out = t.answer()
		return nil
	})
	return out, err
}

// A tally counts terms.
type tally struct {
	reader
	req     TermsRequest
	field   string
	hosts   []string
	changes map[uint64]occasion // the edits within the bounds
	edited  map[string]int      // edits by host
	years   map[string]int
	best    termHeap
}

// An occasion is the host of a change, by number, and its year.
type occasion struct {
	host, year uint32
}

// edits reads host and year of each change, once for all terms.
func (t *tally) edits(ctx context.Context) error {
	docs, err := t.DocIDReaderAll()
	if err != nil {
		return err
	}
	defer docs.Close()
	numbers := map[string]uint32{}
	t.edited, t.years = map[string]int{}, map[string]int{}
	for {
		id, err := docs.Next()
		if err != nil || id == nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		c, ok, err := t.change(id.Value())
		if err != nil {
			return err
		}
		if !ok || !c.edit() || !t.req.wants(&c) {
			continue
		}
		h := host(c.Key)
		t.edited[h]++
		n, ok := numbers[h]
		if !ok {
			n = uint32(len(t.hosts))
			numbers[h], t.hosts = n, append(t.hosts, h)
		}
		year := c.After.String()[:4]
		t.years[year]++
		t.changes[id.Value()] = occasion{n, uint32(c.After / 1_00_00_00_00_00)}
	}
}

// count looks at each term and keeps those in most edits.
func (t *tally) count(ctx context.Context) error {
	dict, err := t.FieldDict(t.field)
	if err != nil {
		return err
	}
	defer dict.Close()
	for {
		e, err := dict.Next()
		if err != nil || e == nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		c, err := t.term(strings.Clone(e.Term))
		if err != nil {
			return err
		}
		if c == nil {
			continue
		}
		heap.Push(&t.best, c)
		if len(t.best) > t.req.Limit {
			heap.Pop(&t.best)
		}
	}
}

// A counted is a term with the edits that deleted or added it.
type counted struct {
	term           string
	changes, times int
	hosts, years   map[uint32]int
}

func (c *counted) orNone() *counted {
	if c.changes == 0 {
		return nil
	}
	return c
}

// term counts the edits that deleted or added a term. It returns nil if there are none, or too few to be among the
// best.
func (t *tally) term(w string) (*counted, error) {
	r, err := t.TermFieldReader(context.Background(), []byte(w), t.field, true, false, false)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if len(t.best) > 0 && len(t.best) == t.req.Limit && int(r.Count()) < t.best[0].changes { // can't be among the best
		return nil, nil
	}
	c := &counted{term: w, hosts: map[uint32]int{}, years: map[uint32]int{}}
	var doc index.TermFieldDoc
	for {
		next, err := r.Next(&doc)
		if err != nil {
			return nil, err
		}
		if next == nil {
			return c.orNone(), nil
		}
		if at, ok := t.changes[next.ID.Value()]; ok {
			c.changes++
			c.times += int(next.Freq)
			c.hosts[at.host]++
			c.years[at.year]++
		}
	}
}

func (t *tally) answer() *TermsAnswer {
	slices.SortFunc(t.best, func(a, b *counted) int { return compareCounted(a, b) })
	out := &TermsAnswer{Years: counts(t.years), Hosts: mostFirst(counts(t.edited))}
	for _, c := range t.best {
		tc := TermCount{Term: c.term, Changes: c.changes, Times: c.times}
		hosts, years := map[string]int{}, map[string]int{}
		for h, n := range c.hosts {
			hosts[t.hosts[h]] = n
		}
		for y, n := range c.years {
			years[cdx.Timestamp(uint64(y) * 1_00_00_00_00_00).String()[:4]] = n
		}
		tc.Hosts, tc.Years = mostFirst(counts(hosts)), counts(years)
		out.Terms = append(out.Terms, tc)
	}
	return out
}

func mostFirst(c []Count) []Count {
	slices.SortStableFunc(c, func(a, b Count) int { return cmp.Compare(b.Count, a.Count) })
	return c
}

// compareCounted puts terms in more edits first, then those with more occurrences, then by alphabet.
func compareCounted(a, b *counted) int {
	return cmp.Or(cmp.Compare(b.changes, a.changes), cmp.Compare(b.times, a.times), strings.Compare(a.term, b.term))
}

// termHeap has the worst term on top.
type termHeap []*counted

func (h termHeap) Len() int           { return len(h) }
func (h termHeap) Less(i, j int) bool { return compareCounted(h[i], h[j]) > 0 }
func (h termHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *termHeap) Push(x any)        { *h = append(*h, x.(*counted)) }
func (h *termHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
