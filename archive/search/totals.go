package search

import (
	"context"

	"github.com/varve-archive/varve/archive/search/history"
)

// Totals has the number of changes of each [Kind].
type Totals [len(kindNames)]int

// Totals counts the changes of every kind that match a request, whatever its kind, in one pass. untold is that of an
// [Answer].
func (x *Index) Totals(ctx context.Context, req Request) (n Totals, untold int, err error) {
	req.Kind = Added // its documents are those of all kinds
	err = x.view(func(r reader) error {
		s := &search{req: req}
		// A version that has a phrase more often than the one before is a change of no kind, so it is enough to know that
		// no version has it less often.
		untold, err = s.run(ctx, x, r, func(c *candidate, counts [][]int) {
			some := s.totals(c, counts)
			s.mu.Lock()
			defer s.mu.Unlock()
			for k := range n {
				n[k] += some[k]
			}
		}, func(run *history.Run) bool { return !run.Dwindled })
		return err
	})
	return n, untold, err
}

// totals counts the changes of a candidate.
func (s *search) totals(c *candidate, counts [][]int) (n Totals) {
	for row := range c.Rows {
		for k := range n {
			if !is(Kind(k), c, counts, row) {
				continue
			}
			if change := changeTo(c.key, c.Rows, row); s.req.wants(&change) {
				n[k]++
			}
		}
	}
	return n
}
