package search

import (
	"context"
	"fmt"
)

// A Turn is a change in which the count of a query differs. If Sure is false, it may be one: the index can't decide
// about long phrases, so they have to be counted in both texts.
type Turn struct {
	Change
	Sure bool
}

// Turns returns the changes of a page in which the count of any phrase of the query differs. indexed is false if the
// index is not up to date with the page.
func (x *Index) Turns(ctx context.Context, p Page, q Query) (turns []Turn, indexed bool, err error) {
	err = x.view(func(r reader) error {
		id, err := r.InternalID(pageDocID(p.Key, p.Signature))
		if err != nil || id == nil {
			return err
		}
		indexed = true
		sure := map[uint64]bool{}
		for _, phrase := range q.Phrases {
			if err := r.turns(ctx, p.Key, phrase, sure); err != nil {
				return err
			}
		}
		for doc, sure := range sure {
			c, ok, err := r.change(doc)
			if err != nil {
				return err
			}
			if ok {
				turns = append(turns, Turn{c, sure})
			}
		}
		return nil
	})
	if err != nil {
		return nil, false, fmt.Errorf("search: changes of %s: %w", p.Key, err)
	}
	return turns, indexed, nil
}

// turns adds the changes of one phrase to sure, by document. A short phrase is counted in the windows of both sides,
// whose counts differ as those of the versions do. For a longer one, the windows contain a part of it if it was deleted
// or added.
func (r reader) turns(ctx context.Context, key string, p Phrase, sure map[uint64]bool) error {
	page, err := r.posting(fieldPage, key, false)
	if err != nil {
		return err
	}
	defer page.close()
	whole := len(p) <= contextWords+1
	var sides [2]anyOf
	for i, side := range []string{fieldOlder, fieldNewer} {
		if sides[i], err = r.parts(side, p); err != nil {
			sides[0].close()
			return err
		}
	}
	either := append(append(anyOf{}, sides[0]...), sides[1]...)
	defer either.close()
	walk := allOf{page, either}
	for doc := uint64(0); ; doc++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		at, ok, err := walk.seek(doc)
		if err != nil || !ok {
			return err
		}
		doc = at
		if !whole {
			if !sure[doc] {
				sure[doc] = false
			}
			continue
		}
		before, err := sides[0][0].(*run).count(doc)
		if err != nil {
			return err
		}
		after, err := sides[1][0].(*run).count(doc)
		if err != nil {
			return err
		}
		if before != after {
			sure[doc] = true
		}
	}
}
