// Package termtable makes tables of how often terms occur on pages at datetimes, for studies of change.
//
// [Parse] parses a query, [Query.Rows] yields a row for each page and datetime, and [Query.WriteCSV] and [Query.WriteJSON] write them as
// they come. [ReadLog] reads a log of search queries, and [Found] compares it with the words that were deleted from the pages.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package termtable

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// Limits of a table.
const (
	MaxTerms = 500
	MaxPages = 10_000
	MaxTimes = 200
)

// A Query asks how often terms occur on pages at datetimes.
type Query struct {
	Coll  string
	Terms []search.Phrase
	Pages []string // URI-Rs
	Times []cdx.Timestamp
}

// An ItemError says what is wrong with a list.
type ItemError struct {
	List   string // terms, urls or at; may be replaced by the name of a file
	Line   int    // from 1, counted through all texts of a list; 0 if the error concerns no single line
	Reason string
}

func (e *ItemError) Error() string { return e.List + ": " + e.Place() }

// Place returns the error without the list.
func (e *ItemError) Place() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

// Parse parses lists of terms (words or phrases), addresses, and datetimes of 1 to 14 digits, of which short ones stand for their end. Each
// text of a list has one item per line. An invalid line is an [ItemError].
func Parse(coll string, terms, pages, times []string) (q Query, err error) {
	q.Coll = coll
	if q.Terms, err = parseTerms(terms); err != nil {
		return q, err
	}
	if q.Pages, err = ParsePages(pages); err != nil {
		return q, err
	}
	q.Times, err = ParseTimes(times)
	return q, err
}

func parseTerms(texts []string) (terms []search.Phrase, err error) {
	for line, t := range items(texts) {
		words := search.Words(t)
		if len(words) == 0 {
			return nil, &ItemError{"terms", line, fmt.Sprintf("%.40q has no word", t)}
		}
		terms = append(terms, words)
	}
	return terms, bounded("terms", len(terms), MaxTerms)
}

// ParsePages reads the addresses of [Parse].
func ParsePages(texts []string) (pages []string, err error) {
	for line, p := range items(texts) {
		uriR := memento.ParseURIR(p)
		if uriR == "" {
			return nil, &ItemError{"urls", line, fmt.Sprintf("%.80q is no address", p)}
		}
		pages = append(pages, uriR)
	}
	return pages, bounded("urls", len(pages), MaxPages)
}

// ParseTimes reads the datetimes of [Parse].
func ParseTimes(texts []string) (times []cdx.Timestamp, err error) {
	for line, t := range items(texts) {
		ts, err := cdx.ParseTimestampEnd(t)
		if err != nil {
			return nil, &ItemError{"at", line, fmt.Sprintf("%.20q: want 1 to 14 digits of a datetime", t)}
		}
		times = append(times, ts)
	}
	return times, bounded("at", len(times), MaxTimes)
}

func bounded(list string, n, most int) error {
	if n == 0 || n > most {
		return &ItemError{List: list, Reason: fmt.Sprintf("want 1 to %d lines, not %d", most, n)}
	}
	return nil
}

// items yields the lines of texts that are not empty, with their numbers.
func items(texts []string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		n := 0
		for _, text := range texts {
			for line := range strings.Lines(text) {
				n++
				if line = strings.TrimSpace(line); line != "" && !yield(n, line) {
					return
				}
			}
		}
	}
}

// A Row is a page at a datetime.
type Row struct {
	Page string
	Time cdx.Timestamp // the requested datetime
	// Capture is the last capture up to Time, nil if there is none.
	Capture *cdx.Capture
	// Counts has the number of occurrences of each term in the text that was valid then. It is nil if Capture is nil or isn't a page with
	// status 200, or if its text can't be read.
	Counts []int
	Unread bool // the text can't be read now, or an access rule hides it
}

// Rows yields the rows for all datetimes of each page in turn.
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
	shown, err := shownAt(ctx, a, texts, tl, ts)
	row := Row{Page: page, Time: ts, Capture: shown.capture, Unread: shown.unread}
	if err != nil || shown.text == nil {
		return row, err
	}
	row.Counts = make([]int, len(q.Terms))
	for i, term := range q.Terms {
		row.Counts[i] = term.Count(shown.text.Words)
	}
	return row, nil
}

// shown is the state of a page at a datetime.
type shown struct {
	capture *cdx.Capture       // nil if there is none
	text    *searches.WordText // nil without a capture, if its status isn't 200, or if unread
	unread  bool
}

func shownAt(
	ctx context.Context, a *archive.Archive, texts *searches.Searches, tl *timeline.Timeline, ts cdx.Timestamp,
) (s shown, err error) {
	s.capture = lastUntil(tl, ts)
	if s.capture == nil || s.capture.Status != http.StatusOK {
		return s, ctx.Err()
	}
	text := &searches.WordText{}
	if err = a.Allowed(s.capture); err == nil {
		text, err = texts.Words(ctx, tl, s.capture.Time)
	}
	switch {
	case ctx.Err() != nil:
		return s, ctx.Err()
	case errors.Is(err, archive.ErrUnavailable):
		return s, err
	case err != nil:
		s.unread = true
		return s, nil
	}
	s.text = text
	return s, nil
}

// missing returns the reason why there is no text: NA without a capture, the status if it isn't 200; "" if there is a text.
func (s *shown) missing() string {
	switch {
	case s.capture == nil:
		return "NA"
	case s.unread:
		return "unread"
	case s.text == nil:
		return strconv.Itoa(s.capture.Status)
	}
	return ""
}

// lastUntil returns the capture of the last second up to ts, nil if there is none.
func lastUntil(tl *timeline.Timeline, ts cdx.Timestamp) *cdx.Capture {
	for i := len(tl.Captures) - 1; i >= 0; i-- {
		if tl.Captures[i].Time <= ts {
			return tl.Memento(tl.Captures[i].Time)
		}
	}
	return nil
}

// value returns the count of a term: NA without a capture, the status if it isn't 200.
func (r *Row) value(term int) any {
	switch {
	case r.Capture == nil:
		return "NA"
	case r.Unread:
		return "unread"
	case r.Counts == nil:
		return strconv.Itoa(r.Capture.Status)
	}
	return r.Counts[term]
}
