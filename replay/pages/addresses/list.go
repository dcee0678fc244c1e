package addresses

import (
	"context"
	"iter"
	"slices"

	"github.com/varve-archive/varve/archive/holdings"
)

const (
	// pageSize is the number of addresses on one page of a list.
	pageSize = 200
	// keptOrders bounds the positions in all cached orders, four bytes each.
	keptOrders = 16 << 20
)

type listing struct {
	rows     []holdings.ListedAddress
	all      int               // number of matching addresses
	next     string            // key of the next row, in the order of addresses
	counting holdings.Progress // while they are still counted, so that they are in the order of addresses
}

// An orderKey identifies an order of a count.
type orderKey struct {
	coll, ask string
	counted   uint64
}

// row finds the versions of an address, and reports whether it matches the request.
func (h *Handler) row(
	ctx context.Context, coll string, ask *query, a *holdings.Address,
) (row holdings.ListedAddress, fits bool, err error) {
	row.Address = *a
	row.Versions, row.Changed, err = h.counts.Versions(ctx, coll, a, ask.level)
	return row, row.Versions >= ask.versions, err
}

// inOrder yields the rows of a list in the order of addresses, beginning at ask.start.
func (h *Handler) inOrder(ctx context.Context, coll string, ask *query, yield func(*holdings.ListedAddress) error) error {
	for a, err := range h.counts.Addresses(ctx, coll, max(ask.around.From, ask.start), ask.around.To) {
		if err != nil {
			return err
		}
		if !ask.fits(a) {
			continue
		}
		row, fits, err := h.row(ctx, coll, ask, a)
		if err == nil && fits {
			err = yield(&row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// find returns one page of a list. Any other order than that of addresses needs the counts; wait says that the reader waits for
// them.
func (h *Handler) find(ctx context.Context, coll string, ask *query, wait bool) (listing, error) {
	if ask.column == "" {
		return h.pageInOrder(ctx, coll, ask)
	}
	counted, counting, err := h.counts.Of(ctx, coll, ask.level, wait)
	if err != nil {
		return listing{}, err
	}
	if counted == nil {
		unordered := *ask
		unordered.column, unordered.page = "", 1
		out, err := h.pageInOrder(ctx, coll, &unordered)
		out.next, out.counting = "", counting
		return out, err
	}
	order := h.order(coll, ask, counted)
	out := listing{all: len(order)}
	from := min((ask.page-1)*pageSize, len(order))
	for _, i := range order[from:min(from+pageSize, len(order))] {
		row, err := h.counts.Now(ctx, counted, int(i))
		if err != nil {
			return out, err
		}
		if row != nil { // it is gone since the count
			out.rows = append(out.rows, *row)
		}
	}
	return out, nil
}

// order returns the numbers of the matching addresses, in the requested order.
func (h *Handler) order(coll string, ask *query, counted *holdings.List) []uint32 {
	key := orderKey{coll, ask.params().Encode(), counted.Number}
	if known, ok := h.orders.Get(key); ok {
		return known
	}
	var out []uint32
	for i, row := range candidates(ask, counted) {
		if row.Versions >= ask.versions && ask.fits(&row.Address) {
			out = append(out, uint32(i))
		}
	}
	compare := columns[ask.column]
	if ask.column == "address" {
		slices.Reverse(out)
	} else {
		slices.SortStableFunc(out, func(i, j uint32) int {
			a, b := counted.Facts(int(i)), counted.Facts(int(j))
			if x, y := holdings.ListedOf(&a), holdings.ListedOf(&b); ask.down {
				return compare(&y, &x)
			} else {
				return compare(&x, &y)
			}
		})
	}
	h.orders.Add(key, out)
	return out
}

// candidates yields the addresses that match the pattern, with their numbers. They have their texts only if the request needs these.
func candidates(ask *query, counted *holdings.List) iter.Seq2[int, *holdings.ListedAddress] {
	return func(yield func(int, *holdings.ListedAddress) bool) {
		if ask.around.From != "" || ask.around.To != "" || ask.words != "" {
			for i, e := range counted.Between(ask.around.From, ask.around.To) {
				if row := holdings.ListedOf(e); !yield(i, &row) {
					return
				}
			}
			return
		}
		for i := range counted.Len() {
			e := counted.Facts(i)
			if row := holdings.ListedOf(&e); !yield(i, &row) {
				return
			}
		}
	}
}

// errFull ends a walk at the end of a page.
type errFull struct{ next string }

func (errFull) Error() string { return "the page is full" }

func (h *Handler) pageInOrder(ctx context.Context, coll string, ask *query) (out listing, err error) {
	err = h.inOrder(ctx, coll, ask, func(row *holdings.ListedAddress) error {
		if len(out.rows) == pageSize {
			return errFull{row.Key}
		}
		out.rows = append(out.rows, *row)
		return nil
	})
	if full, ok := err.(errFull); ok {
		out.next, err = full.next, nil
	}
	out.all = len(out.rows)
	return out, err
}
