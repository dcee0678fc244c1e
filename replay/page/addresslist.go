package page

import (
	"context"
	"slices"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
)

const (
	// addressPage is how many addresses one page of a list shows.
	addressPage = 200
	// mostSorted bounds the rows of a list in another order than that of addresses. One walk finds as many, and they are kept
	// for the pages that follow. Whoever wants more narrows the list, or takes the table.
	mostSorted = 2000
	// keptLists bounds the rows of all lists that are kept, some 400 bytes each.
	keptLists = 16 * mostSorted
)

// An addressRow is an address with its versions.
type addressRow struct {
	archive.Address
	versions int
	changed  cdx.Timestamp // 0 if it never did
}

// addressRows are rows in the order that was asked for.
type addressRows struct {
	rows []addressRow
	all  int    // how many fit
	next string // key of the row after these, in the order of addresses
}

// A listKey names a list in another order at one generation of the index.
type listKey struct {
	coll, ask  string
	generation uint64
}

// row finds the versions of an address, and reports whether it has as many as are asked for.
func (s *Handler) row(ctx context.Context, coll string, ask *addressAsk, a *archive.Address) (row addressRow, fits bool, err error) {
	row.Address = *a
	row.versions, row.changed, err = s.Archive.Versions(ctx, coll, a, ask.level)
	return row, row.versions >= ask.versions, err
}

// inOrder yields the rows of a list in the order of addresses, beginning at ask.start.
func (s *Handler) inOrder(ctx context.Context, coll string, ask *addressAsk, yield func(*addressRow) error) error {
	for a, err := range s.Archive.Addresses(ctx, coll, max(ask.from, ask.start), ask.to) {
		if err != nil {
			return err
		}
		if !ask.fits(a) {
			continue
		}
		row, fits, err := s.row(ctx, coll, ask, a)
		if err == nil && fits {
			err = yield(&row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addressRows returns one page of a list.
func (s *Handler) addressRows(ctx context.Context, coll string, ask *addressAsk) (addressRows, error) {
	if ask.column == "" {
		return s.pageInOrder(ctx, coll, ask)
	}
	key := listKey{coll, ask.params().Encode(), s.Index.Generation()}
	whole, ok := s.lists.Get(key)
	if !ok {
		var err error
		if whole, err = s.sorted(ctx, coll, ask); err != nil {
			return addressRows{}, err
		}
		s.lists.Add(key, whole)
	}
	from := min((ask.page-1)*addressPage, len(whole.rows))
	return addressRows{rows: whole.rows[from:min(from+addressPage, len(whole.rows))], all: whole.all}, nil
}

// errFull ends a walk at the end of a page.
type errFull struct{ next string }

func (errFull) Error() string { return "the page is full" }

func (s *Handler) pageInOrder(ctx context.Context, coll string, ask *addressAsk) (out addressRows, err error) {
	err = s.inOrder(ctx, coll, ask, func(row *addressRow) error {
		if len(out.rows) == addressPage {
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

// sorted walks over the addresses once and keeps the first rows of the order that was asked for. Of an address that can't be
// among them, because it has too few captures that differ, the versions are not looked at, unless they decide whether it fits.
func (s *Handler) sorted(ctx context.Context, coll string, ask *addressAsk) (*addressRows, error) {
	out := &addressRows{}
	full := false // out.rows begins with the first rows so far, in order
	for a, err := range s.Archive.Addresses(ctx, coll, ask.from, ask.to) {
		if err != nil {
			return nil, err
		}
		if !ask.fits(a) {
			continue
		}
		if best := bestRow(a, ask); ask.versions < 2 && full && ask.compare(&best, &out.rows[mostSorted-1]) > 0 {
			out.all++
			continue
		}
		row, fits, err := s.row(ctx, coll, ask, a)
		if err != nil {
			return nil, err
		}
		if !fits {
			continue
		}
		out.all++
		if full && ask.compare(&row, &out.rows[mostSorted-1]) > 0 {
			continue
		}
		if out.rows = append(out.rows, row); len(out.rows) == 2*mostSorted {
			out.cut(ask)
			full = true
		}
	}
	out.cut(ask)
	out.rows = slices.Clone(out.rows)
	return out, nil
}

// cut orders the rows and drops those behind the last that is shown.
func (l *addressRows) cut(ask *addressAsk) {
	slices.SortFunc(l.rows, func(a, b addressRow) int { return ask.compare(&a, &b) })
	l.rows = l.rows[:min(len(l.rows), mostSorted)]
}

// bestRow returns the row of an address if its versions were those with which it comes first.
func bestRow(a *archive.Address, ask *addressAsk) addressRow {
	if ask.down {
		return addressRow{Address: *a, versions: a.MostVersions(), changed: a.ChangedBy()}
	}
	return addressRow{Address: *a, versions: 1}
}
