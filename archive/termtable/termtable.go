// Package termtable counts terms on pages at datetimes: the tables on which studies of what changed stand.
//
// [Parse] reads what is asked, [Query.Rows] yields a row for each page and datetime, and [Query.WriteCSV] and [Query.WriteJSON] write them
// as they come.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package termtable

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// Bounds of a table.
const (
	MaxTerms = 500
	MaxPages = 10_000
	MaxTimes = 200
)

// A Query asks how often terms stood on pages at datetimes.
type Query struct {
	Coll  string
	Terms []search.Phrase
	Pages []string // URI-Rs
	Times []cdx.Timestamp
}

// Parse reads lists of terms (words, or phrases of several), addresses, and datetimes of 1 to 14 digits; a year stands for its end. Each
// text of a list has a line for each item.
func Parse(coll string, terms, pages, times []string) (q Query, err error) {
	q.Coll = coll
	for t := range items(terms) {
		words := search.Words(t)
		if len(words) == 0 {
			return q, fmt.Errorf("terms: %.40q has no word", t)
		}
		q.Terms = append(q.Terms, words)
	}
	for p := range items(pages) {
		uriR := memento.ParseURIR(p)
		if uriR == "" {
			return q, fmt.Errorf("urls: %.80q is no address", p)
		}
		q.Pages = append(q.Pages, uriR)
	}
	for t := range items(times) {
		ts, err := cdx.ParseTimestampEnd(t)
		if err != nil {
			return q, fmt.Errorf("at: %.20q: want 1 to 14 digits of a datetime", t)
		}
		q.Times = append(q.Times, ts)
	}
	for _, list := range []struct {
		name    string
		n, most int
	}{{"terms", len(q.Terms), MaxTerms}, {"urls", len(q.Pages), MaxPages}, {"at", len(q.Times), MaxTimes}} {
		if list.n == 0 || list.n > list.most {
			return q, fmt.Errorf("%s: want 1 to %d, not %d", list.name, list.most, list.n)
		}
	}
	return q, nil
}

// items yields the lines of texts that are not empty.
func items(texts []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, text := range texts {
			for line := range strings.Lines(text) {
				if line = strings.TrimSpace(line); line != "" && !yield(line) {
					return
				}
			}
		}
	}
}

// A Row is a page at a datetime.
type Row struct {
	Page string
	Time cdx.Timestamp // that was asked for
	// Capture is the last one until then, nil if there is none.
	Capture *cdx.Capture
	// Counts are how often each term stands in the text that was valid then; nil if Capture is nil or shows no page (its status isn't
	// 200), or if its text can't be read.
	Counts []int
	Unread bool // the text can't be read now, or an access rule keeps it back
}

// Rows yields the rows, for each page in turn those of all datetimes.
func (q *Query) Rows(ctx context.Context, a *archive.Archive, texts *searches.Searches) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, page := range q.Pages {
			tl, err := a.Timelines.Spelled(ctx, q.Coll, page)
			if err != nil {
				yield(Row{}, err)
				return
			}
			for _, ts := range q.Times {
				row, err := q.row(ctx, a, texts, tl, page, ts)
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

func (q *Query) row(
	ctx context.Context, a *archive.Archive, texts *searches.Searches, tl *timeline.Timeline, page string, ts cdx.Timestamp,
) (Row, error) {
	row := Row{Page: page, Time: ts, Capture: lastUntil(tl, ts)}
	if row.Capture == nil || row.Capture.Status != http.StatusOK {
		return row, ctx.Err()
	}
	text := &searches.WordText{}
	err := a.Allowed(row.Capture)
	if err == nil {
		text, err = texts.Words(ctx, tl, row.Capture.Time)
	}
	switch {
	case ctx.Err() != nil:
		return row, ctx.Err()
	case errors.Is(err, archive.ErrUnavailable):
		return row, err
	case err != nil:
		row.Unread = true
		return row, nil
	}
	row.Counts = make([]int, len(q.Terms))
	for i, term := range q.Terms {
		row.Counts[i] = term.Count(text.Words)
	}
	return row, nil
}

// lastUntil returns the capture that is shown of the last second until ts, nil if there is none.
func lastUntil(tl *timeline.Timeline, ts cdx.Timestamp) *cdx.Capture {
	for i := len(tl.Captures) - 1; i >= 0; i-- {
		if tl.Captures[i].Time <= ts {
			return tl.Memento(tl.Captures[i].Time)
		}
	}
	return nil
}

// value writes the count of a term: NA without a capture, the status where it isn't 200.
func (r *Row) value(term int) any {
	switch {
	case r.Capture == nil:
		return "NA"
	case r.Unread:
		return "unread"
	case r.Counts == nil:
		return fmt.Sprint(r.Capture.Status)
	}
	return r.Counts[term]
}
