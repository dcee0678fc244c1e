package search

import (
	"cmp"
	"slices"

	"github.com/varve-archive/varve/internal/best"
)

// Nearly every page matches a question of ten words, since one of the words is nearly everywhere. So pages are first rated by an estimate
// from posting frequencies, which reads the postings of rare words, and of common ones up to a limit. Then the best pages are rated
// exactly.
const (
	maxOrdered     = 1000    // documents that are rated exactly
	maxFiltered    = 20_000  // the same, if filters leave out some
	maxEstimated   = 1 << 19 // postings that are read for the estimate, beside those of the rarest words
	estimatedReach = 2       // after so many occurrences a word has half of its full weight
)

type estimated struct {
	doc   uint32
	lacks bool // one of the words that were read
	score float32
}

// optionalWalk returns the documents with at least one optional condition; if there are many, the best by an estimate.
func (p *presence) optionalWalk(r reader) (walker, error) {
	e, err := p.estimate(r)
	if err != nil {
		return nil, err
	}
	most := max(maxOrdered, p.req.Skip+p.req.Limit)
	if p.req.isFiltered() || p.req.Sort != ByScore {
		most = max(maxFiltered, most)
	}
	found := 0
	first := best.Of(most, compareEstimated)
	for doc, n := range e.seen {
		if n > 0 {
			found++
			first.Add(estimated{uint32(doc), n < e.words, e.scores[doc]})
		}
	}
	chosen := first.Take(0)
	docs := make(documentList, 0, len(chosen))
	for _, one := range chosen {
		docs = append(docs, uint64(one.doc))
	}
	p.unordered = found - len(docs)
	slices.Sort(docs)
	return &docs, nil
}

// compareEstimated puts documents with all words first, then those with higher scores.
func compareEstimated(a, b *estimated) int {
	return cmp.Or(trueFirst(!a.lacks, !b.lacks), cmp.Compare(b.score, a.score), cmp.Compare(a.doc, b.doc))
}

// isFiltered reports whether a request has filters beside words.
func (r *PresentRequest) isFiltered() bool {
	return r.Bounds != Bounds{} || r.At != 0 || r.MIME != "" || r.Lang != "" || r.Status != 0 || r.Page != "" ||
		len(r.None)+len(r.Off) > 0
}

type estimate struct {
	scores []float32
	seen   []uint16 // the number of conditions that a document has
	last   []uint16 // the last condition that was counted in seen
	words  uint16   // conditions read so far
}

// estimate rates the documents that have an optional condition, reading the postings of the rarest first.
func (p *presence) estimate(r reader) (*estimate, error) {
	from, to := p.asked.optional()
	order := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.stats.Having[a], p.stats.Having[b]) })
	size := r.size
	e := &estimate{scores: make([]float32, size), seen: make([]uint16, size), last: make([]uint16, size)}
	left := maxEstimated
	for n, i := range order {
		if left -= p.stats.Having[i]; n > 0 && left < 0 {
			break
		}
		e.words++
		weight := idf(uint64(p.stats.Having[i]), uint64(p.stats.Documents))
		if err := p.eachPosting(r, i, func(doc uint64, times int) { e.add(doc, times, weight) }); err != nil {
			return nil, err
		}
	}
	return e, nil
}

func (e *estimate) add(doc uint64, times int, weight float64) {
	e.scores[doc] += float32(weight * float64(times) / float64(times+estimatedReach))
	if e.last[doc] != e.words {
		e.last[doc] = e.words
		e.seen[doc]++
	}
}

// eachPosting calls f with the documents that have condition i, or another form of it, and the most occurrences in one version. Documents
// with both come twice.
func (p *presence) eachPosting(r reader, i int, f func(doc uint64, times int)) error {
	conditions := []int{i}
	if forms := p.asked.forms[i]; forms != 0 {
		conditions = append(conditions, forms)
	}
	for _, at := range conditions {
		c := &p.asked.list[at]
		if len(c.phrases) != 1 && !c.isMany() || len(c.phrases[0]) != 1 {
			walk, err := r.clauseWalk(&Clause{Field: c.field, Any: c.phrases}, nil)
			if err != nil {
				return err
			}
			if err := eachDocument(walk, func(doc uint64) { f(doc, 1) }); err != nil {
				return err
			}
			continue
		}
		lists, _, err := r.wordPostings(c.field.indexed(), c.phrases)
		if err == nil {
			err = r.readPostings(lists, func(doc, frequency uint64) { f(doc, occurrence(frequency).most()) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}
