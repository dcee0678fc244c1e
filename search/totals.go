package search

import "context"

// Totals has the number of changes of each [Kind].
type Totals [len(kindNames)]int

// Totals counts the changes of every kind that match a request, whatever its kind, in one pass. untold is that of an
// [Answer].
func (x *Index) Totals(ctx context.Context, req Request) (n Totals, untold int, err error) {
	req.Kind = Added // its documents are those of all kinds
	err = x.view(func(r reader) error {
		s := &search{req: req}
		walk, err := s.prepare(r)
		defer walk.close()
		if err != nil {
			return err
		}
		e := x.evaluation(r, walk, req.wantsKey, func(c *candidate) error {
			some := s.totals(c)
			s.mu.Lock()
			defer s.mu.Unlock()
			for k := range n {
				n[k] += some[k]
			}
			return nil
		})
		e.work = req.Work
		err = e.run(ctx)
		untold = e.untold
		return err
	})
	return n, untold, err
}

// totals counts the changes of a candidate.
func (s *search) totals(c *candidate) (n Totals) {
	counts := s.counts(c)
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
