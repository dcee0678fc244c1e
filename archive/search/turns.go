package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/varve-archive/varve/archive/search/history"
)

// Turns returns the changes of a page in which the count of any phrase of the query differs, oldest first. indexed is
// false if the index is not up to date with the page.
func (x *Index) Turns(ctx context.Context, p Page, q Query) (turns []Change, indexed bool, err error) {
	needles := make([]history.Needle, len(q.Phrases))
	for i, phrase := range q.Phrases {
		needles[i] = history.NewNeedle(phrase)
	}
	err = x.view(func(r reader) error {
		if indexed, err = r.live(p.Key, p.Signature); err != nil || !indexed {
			return err
		}
		docs, err := r.ofPage(p.Key)
		if err != nil {
			return err
		}
		parts := make(chan []Change, len(docs))
		e := x.evaluation(r, (*these)(&docs), nil, func(c *candidate) error {
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
	slices.SortStableFunc(turns, func(a, b Change) int { return int(int64(a.After) - int64(b.After)) })
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
