package search

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/varve-archive/varve/cdx"
)

// A Request is a query with its filters.
type Request struct {
	Query Query
	Kind  Kind
	Bounds
	Page string // key of a single page to search; "" searches all
	// Skip leaves out that many of the best hits. Limit is the greatest number of hits.
	Skip, Limit int
	// Reads is the greatest number of versions to read; 0 means no limit.
	Reads int
}

// Bounds restrict the changes.
type Bounds struct {
	// From and To bound the keys (To exclusive, "" for no end), as [surt.Range] returns them for a prefix of URLs or
	// for a domain. Also is one more key: that of the prefix itself, whose final slash is gone.
	From, To, Also string
	// Since and Until bound the datetime of the newer version, both inclusive; 0 leaves that side open.
	Since, Until cdx.Timestamp
}

func (b *Bounds) wants(c *Change) bool {
	inside := c.Key >= b.From && (b.To == "" || c.Key < b.To) || b.Also != "" && c.Key == b.Also
	return inside && c.After >= b.Since && (b.Until == 0 || c.After <= b.Until)
}

// A Hit is a change that deleted or added all phrases of the query.
type Hit struct {
	Change
	Times int     // occurrences of all phrases together
	Score float64 // BM25 over the changes; their length is the number of deleted or added words
}

// Whole reports whether the change deleted or added the whole content. Such a change is rarely an edit.
func (h *Hit) Whole(k Kind) bool {
	if k == Added {
		return h.Came
	}
	return h.Gone
}

// An Answer is the result of a search.
type Answer struct {
	Total int
	Hits  []Hit   // the best; those that deleted or added the whole content come last
	Hosts []Count // changes by host, most first
	Years []Count // changes by year, oldest first
	// Untold counts changes that may match as well: deciding that takes a version that can't be read, or more versions
	// than the request allows.
	Untold int
}

// A Count is the number of changes of one host or year.
type Count struct {
	Name  string
	Count int
}

// k1 and b are the usual parameters of BM25.
const (
	k1 = 1.2
	b  = 0.75
)

// meanLength is the length that BM25 takes for the mean, in deleted or added words. It is a constant so that a score
// does not depend on which other pages are indexed.
const meanLength = 100

// Search answers a request. The order of all hits is the same for every page of results. Search reads texts for phrases
// that the index alone can't decide. It leaves out, but counts, changes that can't be decided even so.
func (x *Index) Search(ctx context.Context, req Request, texts Texts) (*Answer, error) {
	var out *Answer
	err := x.view(func(r reader) error {
		s := &search{reader: r, req: req, hosts: map[string]int{}, years: map[string]int{}}
		defer s.close()
		if err := s.prepare(&reading{texts: texts, left: req.Reads, bounded: req.Reads > 0}); err != nil {
			return err
		}
		if err := s.collect(ctx); err != nil {
			return err
		}
		out = s.answer()
		return nil
	})
	return out, err
}

// A search is one run over the matches of a request.
type search struct {
	reader
	req      Request
	matchers []*matcher
	walk     allOf
	best     hits
	total    int
	untold   int
	hosts    map[string]int
	years    map[string]int
}

func (s *search) close() {
	for _, m := range s.matchers {
		m.closeAll()
	}
}

func (s *search) prepare(texts Texts) error {
	docs, err := s.DocCount()
	if err != nil {
		return err
	}
	for _, p := range s.req.Query.Phrases {
		m, err := s.matcher(p, s.req.Kind, texts)
		if err != nil {
			return err
		}
		m.weight = idf(m.df, docs)
		s.matchers = append(s.matchers, m)
	}
	slices.SortStableFunc(s.matchers, func(a, b *matcher) int { return cmp.Compare(a.df, b.df) })
	if s.req.Page != "" {
		page, err := s.posting(fieldPage, s.req.Page, false)
		if err != nil {
			return err
		}
		s.walk = append(s.walk, page)
	}
	for _, m := range s.matchers {
		s.walk = append(s.walk, m)
	}
	return nil
}

func idf(df, docs uint64) float64 {
	df = min(df, docs)
	return math.Log(1 + (float64(docs-df)+0.5)/(float64(df)+0.5))
}

// collect walks over the changes with all phrases, and keeps the best.
func (s *search) collect(ctx context.Context) error {
	for doc := uint64(0); ; doc++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		at, ok, err := s.walk.seek(doc)
		if err != nil || !ok {
			return err
		}
		doc = at
		c, ok, err := s.change(doc)
		if err != nil {
			return err
		}
		if !ok || !s.req.wants(&c) {
			continue
		}
		h := Hit{Change: c}
		switch ok, err = s.measure(ctx, doc, &h); {
		case errors.Is(err, errUntold):
			s.untold++
		case err != nil:
			return err
		case ok:
			s.add(h)
		}
	}
}

// wants reports whether a change is within the bounds of the request.
func (r *Request) wants(c *Change) bool {
	return (r.Page == "" || c.Key == r.Page) && r.Bounds.wants(c)
}

// measure sets the occurrences and the score of a hit; ok is false if the change does not match every phrase.
func (s *search) measure(ctx context.Context, doc uint64, h *Hit) (ok bool, err error) {
	length := float64(h.Deleted)
	if s.req.Kind == Added {
		length = float64(h.Added)
	}
	for _, m := range s.matchers {
		n, err := m.times(ctx, doc, &h.Change)
		if err != nil || n == 0 {
			return false, err
		}
		h.Times += n
		h.Score += m.weight * float64(n) * (k1 + 1) / (float64(n) + k1*(1-b+b*length/meanLength))
	}
	return true, nil
}

// add counts a hit, and keeps it if it is among the best.
func (s *search) add(h Hit) {
	s.hosts[host(h.Key)]++
	s.years[h.After.String()[:4]]++
	s.total++
	s.best.kind = s.req.Kind
	heap.Push(&s.best, h)
	if s.best.Len() > s.req.Skip+s.req.Limit {
		heap.Pop(&s.best)
	}
}

func (s *search) answer() *Answer {
	slices.SortFunc(s.best.list, func(a, b Hit) int { return s.best.compare(&a, &b) })
	out := &Answer{Total: s.total, Untold: s.untold, Hits: s.best.list[min(s.req.Skip, len(s.best.list)):]}
	out.Hosts, out.Years = mostFirst(counts(s.hosts)), counts(s.years)
	return out
}

// counts lists a map in the order of its names.
func counts(m map[string]int) []Count {
	out := make([]Count, 0, len(m))
	for name, n := range m {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, func(a, b Count) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// hits is a heap with the worst hit on top.
type hits struct {
	kind Kind
	list []Hit
}

// compare puts edits before changes of the whole content, then the higher score, then the newer change, then the key.
func (h *hits) compare(a, b *Hit) int {
	if x, y := a.Whole(h.kind), b.Whole(h.kind); x != y {
		if x {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.After, a.After), strings.Compare(a.Key, b.Key))
}

func (h *hits) Len() int           { return len(h.list) }
func (h *hits) Less(i, j int) bool { return h.compare(&h.list[i], &h.list[j]) > 0 }
func (h *hits) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *hits) Push(x any)         { h.list = append(h.list, x.(Hit)) }
func (h *hits) Pop() any {
	last := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	return last
}
