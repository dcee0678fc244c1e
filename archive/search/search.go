package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/best"
)

// A Request is a query with its filters.
type Request struct {
	Query Query
	Kind  Kind
	Bounds
	Page string // key of the only page to search; "" searches all
	// Skip is the number of hits to leave out at the beginning, Limit the most to return.
	Skip, Limit int
	Order
	// Work bounds the bytes of the index that are unpacked; 0 means no limit.
	Work int64
}

// Bounds restrict the changes.
type Bounds struct {
	// From and To bound the keys (To exclusive, "" for no end), as [surt.Range] returns them for a prefix of URLs or a domain. Also is one
	// more key, with a query too: that of the prefix without its final slash.
	From, To, Also string
	// Since and Until bound the datetime of the newer version, both inclusive; 0 leaves that side open.
	Since, Until cdx.Timestamp
}

// wantsKey reports whether a page is within the bounds.
func (b *Bounds) wantsKey(key string) bool {
	return key >= b.From && (b.To == "" || key < b.To) ||
		b.Also != "" && (key == b.Also || strings.HasPrefix(key, b.Also+"?"))
}

// Narrow leaves the keys that other bounds have too.
func (b *Bounds) Narrow(other Bounds) {
	switch {
	case b.Also != "" && other.wantsKey(b.Also):
	case other.Also != "" && b.wantsKey(other.Also):
		b.Also = other.Also
	default:
		b.Also = ""
	}
	b.From = max(b.From, other.From)
	if b.To == "" || other.To != "" && other.To < b.To {
		b.To = other.To
	}
}

func (b *Bounds) wants(c *Change) bool {
	return b.wantsKey(c.Key) && c.After >= b.Since && (b.Until == 0 || c.After <= b.Until)
}

// A Hit is a change that deleted or added all phrases of the query.
type Hit struct {
	Change
	Times int // deleted or added occurrences of all phrases together
	// CountBefore and CountAfter count the occurrences of all phrases together in the older and in the newer version.
	CountBefore, CountAfter int
	Score                   float64 // BM25 over the changes; the length of a change is its number of deleted and added words

	title string // of the version that has the text
}

// Size returns the number of deleted and added words.
func (h *Hit) Size() int { return h.Deleted + h.Added }

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
	Hits  []Hit   // best first; those that deleted or added the whole content come last
	Hosts []Count // changes by host, most first
	Years []Count // changes by year, oldest first
	// Untold counts pages that may have more matching changes, but were not read because of Work.
	Untold int
}

// A Count is a number of changes or pages, by host, year and so on.
type Count struct {
	Name  string
	Count int
}

// A BM25 has the parameters of the BM25 formula.
type BM25 struct{ K1, B float64 }

// UsualBM25 has the usual parameters.
var UsualBM25 = BM25{K1: 1.2, B: 0.75}

// Part returns what a word that occurs n times adds to the score of a text. length is the text's length divided by the mean length.
func (p BM25) Part(idf float64, n int, length float64) float64 {
	return idf * float64(n) * (p.K1 + 1) / (float64(n) + p.K1*(1-p.B+p.B*length))
}

// meanLength is the mean length that BM25 assumes for changes, in deleted or added words. It is constant so that scores don't depend on
// other pages.
const meanLength = 100

// idf returns the weight of a word that df of docs documents have.
func idf(df, docs uint64) float64 {
	df = min(df, docs)
	return math.Log(1 + (float64(docs-df)+0.5)/(float64(df)+0.5))
}

// Search finds the changes that a request asks for. The order of hits doesn't depend on Skip and Limit. The answer is exact, except for
// Untold pages.
func (x *Index) Search(ctx context.Context, req Request) (*Answer, error) {
	var out *Answer
	err := x.view(func(r reader) error {
		s := &search{req: req, hosts: map[string]int{}, years: map[string]int{}}
		s.best = best.Of(req.Skip+req.Limit, req.CompareChanges)
		untold, err := s.run(ctx, x, r, func(c *candidate, counts [][]int) { s.take(s.hits(c, counts)) }, func(run *history.Run) bool {
			return run.Steady && req.Sort != ByTitle // postings know no titles
		})
		out = s.answer(untold)
		return err
	})
	return out, err
}

// run calls found with each candidate and the count of each phrase in each of its versions, from several goroutines. If enough accepts the
// runs of all words, the counts come from postings alone, and may then be the most that any version has.
func (s *search) run(
	ctx context.Context, x *Index, r reader, found func(*candidate, [][]int), enough func(*history.Run) bool,
) (untold int, err error) {
	walk, err := s.prepare(r)
	defer walk.close()
	if err != nil {
		return 0, err
	}
	var phrases []condition
	for _, p := range s.req.Query.Phrases {
		phrases = append(phrases, condition{phrases: []Phrase{p}})
	}
	g, err := r.newPreviewer(phrases, false)
	if err != nil {
		return 0, err
	}
	defer g.close()
	e := x.evaluation(r, walk, s.req.wantsKey, func(c *candidate) error {
		found(c, s.counts(c))
		return nil
	})
	e.work = s.req.Work
	if g != nil {
		e.preview = func(doc uint64) (bool, []placeCounts, error) {
			key, known, err := g.at(doc)
			if err == nil && len(g.rows) == 1 && s.req.Kind != Added {
				return true, nil, nil // the first version deletes nothing
			}
			if err != nil || !known || !g.isEnough(enough) {
				return false, nil, err
			}
			if s.req.wantsKey(key) {
				found(&candidate{docName: docName{key: key, last: true}, Table: &history.Table{Rows: g.rows}}, g.counts())
			}
			return true, nil, nil
		}
	}
	err = e.run(ctx)
	return e.untold, err
}

// A search is one run over the matches of a request.
type search struct {
	req     Request
	needles []history.Needle
	weights []float64 // inverse document frequency of each phrase

	mu    sync.Mutex
	best  best.List[Hit]
	total int
	hosts map[string]int
	years map[string]int
}

// prepare opens a walk over the documents that may match. Close it, even after an error.
func (s *search) prepare(r reader) (walk allOf, err error) {
	docs, err := r.DocCount()
	if err != nil {
		return nil, err
	}
	for _, p := range s.req.Query.Phrases {
		words, err := r.phrase(fieldText, p)
		if err != nil {
			return walk, err
		}
		s.needles = append(s.needles, history.NewNeedle(p))
		s.weights = append(s.weights, idf(words.documents(), docs))
		if len(p) == 1 {
			words[0] = &marked{words[0].(*posting), s.req.Kind}
		}
		walk = append(walk, words...)
	}
	return r.withinPage(walk, s.req.Page)
}

// marked walks over the documents in which some step may be a change of a kind for a word.
type marked struct {
	*posting
	kind Kind
}

func (m *marked) seek(doc uint64) (uint64, bool, error) {
	for {
		at, ok, err := m.posting.seek(doc)
		if err != nil || !ok || occurrence(m.doc.Freq).changed(m.kind) {
			return at, ok, err
		}
		doc = at + 1
	}
}

// counts returns how often each phrase occurs in each version of a candidate.
func (s *search) counts(c *candidate) [][]int {
	counts := make([][]int, len(s.needles))
	for i := range s.needles {
		counts[i] = make([]int, len(c.Rows))
		c.Count(&s.needles[i], counts[i])
	}
	return counts
}

// hits returns the matching changes of a candidate.
func (s *search) hits(c *candidate, counts [][]int) (hits []Hit) {
	for i := range c.Rows {
		if h, ok := s.hit(c, counts, i); ok {
			hits = append(hits, h)
		}
	}
	return hits
}

func (s *search) take(hits []Hit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range hits {
		s.hosts[surt.HostOf(h.Key)]++
		s.years[h.After.String()[:4]]++
		s.total++
		s.best.Add(h)
	}
}

// around returns the counts of phrase i in the row before and in the row.
func around(counts [][]int, i, row int) (before, after int) {
	if row > 0 {
		before = counts[i][row-1]
	}
	return before, counts[i][row]
}

// is reports whether the step to a version is a change of kind k of all phrases.
func is(k Kind, c *candidate, counts [][]int, row int) bool {
	if c.Rows[row].Carried {
		return false
	}
	for i := range counts {
		if before, after := around(counts, i, row); times(k, before, after) == 0 {
			return false
		}
	}
	return true
}

// hit rates the step to a row; ok is false if it doesn't match.
func (s *search) hit(c *candidate, counts [][]int, row int) (h Hit, ok bool) {
	if !is(s.req.Kind, c, counts, row) {
		return h, false
	}
	h.Change = changeTo(c.key, c.Rows, row)
	if !s.req.wants(&h.Change) {
		return h, false
	}
	length := float64(h.Deleted)
	if s.req.Kind == Added {
		length = float64(h.Added)
	}
	h.title = c.Rows[row].Title
	if s.req.Kind != Added && row > 0 {
		h.title = c.Rows[row-1].Title
	}
	for i := range counts {
		before, after := around(counts, i, row)
		n := times(s.req.Kind, before, after)
		h.Times += n
		h.CountBefore += before
		h.CountAfter += after
		h.Score += UsualBM25.Part(s.weights[i], n, length/meanLength)
	}
	return h, true
}

func (r *Request) wants(c *Change) bool {
	return (r.Page == "" || c.Key == r.Page) && r.Bounds.wants(c)
}

// goneRatio is the ratio of the lengths of two texts from which on the whole content counts as deleted or added.
const goneRatio = 10

func changeTo(key string, rows []history.Row, row int) Change {
	var older history.Row
	if row > 0 {
		older = rows[row-1]
	}
	newer := &rows[row]
	a, b := older.Words, newer.Words
	return Change{
		Key: key, Before: older.Last, After: newer.First, First: older.First == 0,
		Gone:  older.First != 0 && (newer.Missing || a >= goneRatio*b && a > 0),
		Came:  older.First == 0 || older.Missing || b >= goneRatio*a,
		Minor: newer.Minor, SoftBefore: older.Soft404, SoftAfter: newer.Soft404,
		NoTextBefore: a == 0, NoTextAfter: b == 0, Deleted: newer.Deleted, Added: newer.Added,
	}
}

func (s *search) answer(untold int) *Answer {
	return &Answer{
		Total: s.total, Untold: untold, Hits: s.best.Take(s.req.Skip), Hosts: MostFirst(listed(s.hosts)), Years: listed(s.years),
	}
}

// listed returns the counts of a map, sorted by name.
func listed(m map[string]int) []Count {
	out := make([]Count, 0, len(m))
	for name, n := range m {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, func(a, b Count) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// MostFirst sorts counts, greatest first.
func MostFirst(c []Count) []Count {
	slices.SortStableFunc(c, func(a, b Count) int { return cmp.Compare(b.Count, a.Count) })
	return c
}
