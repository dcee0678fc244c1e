package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/varve-archive/varve/archive/search/history"
)

// A Kind says how the number of occurrences of a text differs between a version and the next.
type Kind uint8

const (
	Deleted     Kind = iota // in the older version only
	SemiDeleted             // in both, less often in the newer
	Added                   // in the newer version only, or there is no older one

	kinds = iota
)

// String returns the name of the kind in URLs and JSON.
func (k Kind) String() string { return [kinds]string{"deleted", "semi-deleted", "added"}[k] }

// ParseKind reads the name of a kind; "" is deleted.
func ParseKind(s string) (Kind, error) {
	if s == "" {
		return Deleted, nil
	}
	for k := range Kind(kinds) {
		if s == k.String() {
			return k, nil
		}
	}
	return 0, fmt.Errorf("change %.20q: want deleted, semi-deleted or added", s)
}

// times returns how many occurrences a change of kind k deleted or added, given the counts before and after. It is 0 if the change is of
// another kind.
func times(k Kind, before, after int) int {
	switch {
	case k == Deleted && after == 0:
		return before
	case k == SemiDeleted && after > 0 && before > after:
		return before - after
	case k == Added && before == 0:
		return after
	}
	return 0
}

// Turns returns the changes of a page in which the count of any phrase of the query differs, oldest first. indexed is false if the index
// lacks the page or has an older state of it.
func (x *Index) Turns(ctx context.Context, p Page, q Query) (turns []Change, indexed bool, err error) {
	needles := q.needles()
	err = x.view(func(r reader) error {
		if indexed, err = r.live(p.Key, p.Signature); err != nil || !indexed {
			return err
		}
		docs, err := r.ofPage(p.Key)
		if err != nil {
			return err
		}
		parts := make(chan []Change, len(docs))
		e := x.evaluation(r, (*documentList)(&docs), nil, func(c *candidate) error {
			parts <- turnsOf(c, needles)
			return nil
		})
		if err := e.run(ctx); err != nil {
			return err
		}
		close(parts)
		for part := range parts {
			turns = append(turns, part...)
		}
		return nil
	})
	if err != nil {
		return nil, false, fmt.Errorf("search: changes of %s: %w", p.Key, err)
	}
	slices.SortStableFunc(turns, func(a, b Change) int { return cmp.Compare(a.After, b.After) })
	return turns, indexed, nil
}

func turnsOf(c *candidate, needles []history.Needle) (turns []Change) {
	turned := make([]bool, len(c.Rows))
	for i := range needles {
		counts := make([]int, len(c.Rows))
		c.Count(&needles[i], counts)
		before := 0
		for row, n := range counts {
			turned[row] = turned[row] || n != before
			before = n
		}
	}
	for row := range c.Rows {
		if turned[row] && !c.Rows[row].Carried {
			turns = append(turns, changeTo(c.key, c.Rows, row))
		}
	}
	return turns
}

// Totals has the number of changes of each [Kind].
type Totals [kinds]int

// Totals counts the matching changes of every kind in one pass, whatever the request's kind. untold is that of an [Answer].
func (x *Index) Totals(ctx context.Context, req Request) (n Totals, untold int, err error) {
	req.Kind = Added // any document may have additions, so this selects documents for all kinds
	err = x.view(func(r reader) error {
		s := &search{req: req}
		// More occurrences than before are a change only if there were none before, so a preview is exact enough unless a count falls.
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
