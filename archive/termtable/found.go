package termtable

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/spreadsheet"
)

// Found asks whether words that were deleted from pages between two datetimes were those by which people had found them. A word was deleted
// if it was on the page at the first datetime and not at the second.
type Found struct {
	Coll     string
	From, To cdx.Timestamp
	Log      *Log
}

// A FoundRow is a page with what was deleted from it and the queries of the log that led to it.
type FoundRow struct {
	Page              string
	Queries           int
	Clicks            int64 // of all its queries
	Words             int   // different words of the queries
	Terms, Deleted    int   // distinct words on the page at the first datetime, and those of them that were deleted
	Present           int   // words of the queries that were on the page at the first datetime
	DeletedWords      []string
	DeletedClicks     int64 // of the queries with a deleted word
	before, after     shown
	asked, comparable bool
}

// A FoundTotal sums the pages that have a text at both datetimes.
type FoundTotal struct {
	Addresses         int   `json:"addresses"` // in the log, or asked for
	Compared          int   `json:"compared"`  // that have a text at both datetimes
	Queries           int   `json:"queries"`
	Clicks            int64 `json:"clicks"`
	QueryWords        int   `json:"query_words"`
	Terms             int   `json:"terms"`
	DeletedTerms      int   `json:"deleted_terms"`
	QueryWordsPresent int   `json:"query_words_present"`
	QueryWordsDeleted int   `json:"query_words_deleted"`
	ClicksDeleted     int64 `json:"clicks_deleted"`
}

func (t *FoundTotal) add(r *FoundRow) {
	t.Addresses++
	if !r.comparable {
		return
	}
	t.Compared, t.Queries, t.Clicks, t.QueryWords = t.Compared+1, t.Queries+r.Queries, t.Clicks+r.Clicks, t.QueryWords+r.Words
	t.Terms, t.DeletedTerms, t.QueryWordsPresent = t.Terms+r.Terms, t.DeletedTerms+r.Deleted, t.QueryWordsPresent+r.Present
	t.QueryWordsDeleted, t.ClicksDeleted = t.QueryWordsDeleted+len(r.DeletedWords), t.ClicksDeleted+r.DeletedClicks
}

// Rows yields a row for each page, in the order of the log or of the addresses that were asked for.
func (f *Found) Rows(ctx context.Context, a *archive.Archive, texts *searches.Searches) iter.Seq2[*FoundRow, error] {
	return func(yield func(*FoundRow, error) bool) {
		for _, p := range f.Log.pages {
			row, err := f.row(ctx, a, texts, p)
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

func (f *Found) row(ctx context.Context, a *archive.Archive, texts *searches.Searches, p *logPage) (*FoundRow, error) {
	r := &FoundRow{Page: p.page, Queries: len(p.queries), asked: p.asked}
	tl, err := a.Timelines.Spelled(ctx, f.Coll, p.page)
	if err != nil {
		return r, err
	}
	if r.before, err = shownAt(ctx, a, texts, tl, f.From); err != nil {
		return r, err
	}
	if r.after, err = shownAt(ctx, a, texts, tl, f.To); err != nil {
		return r, err
	}
	before, after := wordSet(r.before.text), wordSet(r.after.text)
	r.comparable = r.before.text != nil && r.after.text != nil
	r.Terms = len(before)
	for w := range before {
		if !after[w] {
			r.Deleted++
		}
	}
	r.join(p, before, after)
	return r, nil
}

// join adds the queries of a page with these words before and after.
func (r *FoundRow) join(p *logPage, before, after map[string]bool) {
	words, gone := map[string]bool{}, map[string]bool{}
	for _, q := range p.queries {
		r.Clicks += q.clicks
		lost := false
		for _, w := range q.words {
			if before[w] && !words[w] {
				r.Present++
			}
			words[w] = true
			if before[w] && !after[w] {
				gone[w], lost = true, true
			}
		}
		if lost {
			r.DeletedClicks += q.clicks
		}
	}
	r.Words = len(words)
	for w := range gone {
		r.DeletedWords = append(r.DeletedWords, w)
	}
	slices.Sort(r.DeletedWords)
}

func wordSet(text *searches.WordText) map[string]bool {
	set := map[string]bool{}
	if text != nil {
		for _, w := range text.Words {
			set[w] = true
		}
	}
	return set
}

// listed reports whether the row is written: the page was asked for by name, or has a capture at one of the datetimes.
func (r *FoundRow) listed() bool { return r.asked || r.before.capture != nil || r.after.capture != nil }

// was returns a number that depends on the first text, or the reason why there is none.
func (r *FoundRow) was(n int) any {
	if m := r.before.missing(); m != "" {
		return m
	}
	return n
}

// lost returns a number that depends on both texts, or the reason why there is none.
func (r *FoundRow) lost(n int64) any {
	if m := r.before.missing(); m != "" {
		return m
	}
	if m := r.after.missing(); m != "" {
		return m
	}
	return n
}

// A foundLine is a row as JSON. Datetimes and statuses are those of the captures, null without one; other values are a number, "NA",
// "unread" or the status.
type foundLine struct {
	URL          string   `json:"url"`
	FromDatetime *string  `json:"from_datetime"`
	FromStatus   *int     `json:"from_status"`
	ToDatetime   *string  `json:"to_datetime"`
	ToStatus     *int     `json:"to_status"`
	Queries      int      `json:"queries"`
	Clicks       int64    `json:"clicks"`
	QueryWords   int      `json:"query_words"`
	Terms        any      `json:"terms"`
	DeletedTerms any      `json:"deleted_terms"`
	Present      any      `json:"query_words_present"`
	Deleted      any      `json:"query_words_deleted"`
	Lost         any      `json:"clicks_deleted"`
	Words        []string `json:"words"`
}

func (r *FoundRow) line() foundLine {
	out := foundLine{
		URL: r.Page, Queries: r.Queries, Clicks: r.Clicks, QueryWords: r.Words, Terms: r.was(r.Terms), DeletedTerms: r.lost(int64(r.Deleted)),
		Present: r.was(r.Present), Deleted: r.lost(int64(len(r.DeletedWords))), Lost: r.lost(r.DeletedClicks), Words: []string{},
	}
	if r.comparable && len(r.DeletedWords) > 0 {
		out.Words = r.DeletedWords
	}
	out.FromDatetime, out.FromStatus = captured(r.before.capture)
	out.ToDatetime, out.ToStatus = captured(r.after.capture)
	return out
}

func captured(c *cdx.Capture) (datetime *string, status *int) {
	if c == nil {
		return nil, nil
	}
	at := c.Time.String()
	return &at, &c.Status
}

// WriteJSON writes {"from": …, "to": …, "rows": […], "total": {…}}.
func (f *Found) WriteJSON(w io.Writer, rows iter.Seq2[*FoundRow, error]) error {
	var total FoundTotal
	between := `{"from":"` + f.From.String() + `","to":"` + f.To.String() + "\",\"rows\":[\n"
	for row, err := range rows {
		if err != nil {
			return err
		}
		if total.add(row); !row.listed() {
			continue
		}
		b, err := json.Marshal(row.line())
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, between+string(b)); err != nil {
			return err
		}
		between = ",\n"
	}
	b, err := json.Marshal(total)
	if err != nil {
		return err
	}
	if between == ",\n" { // after a row
		between = "\n"
	}
	_, err = io.WriteString(w, between+"],\"total\":"+string(b)+"}\n")
	return err
}

// WriteCSV writes a line for each page, and a last one, "total", of the pages that have a text at both datetimes.
func (f *Found) WriteCSV(w io.Writer, rows iter.Seq2[*FoundRow, error]) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{
		"url", "from_datetime", "from_status", "to_datetime", "to_status", "queries", "clicks", "query_words", "terms", "deleted_terms",
		"query_words_present", "query_words_deleted", "clicks_deleted", "words",
	})
	var total FoundTotal
	for row, err := range rows {
		if err != nil {
			return err
		}
		if total.add(row); !row.listed() {
			continue
		}
		l := row.line()
		_ = out.Write(cells(
			l.URL, l.FromDatetime, l.FromStatus, l.ToDatetime, l.ToStatus, l.Queries, l.Clicks, l.QueryWords, l.Terms, l.DeletedTerms,
			l.Present, l.Deleted, l.Lost, strings.Join(l.Words, " "),
		))
		if out.Flush(); out.Error() != nil {
			return out.Error()
		}
	}
	t := total
	_ = out.Write(cells(
		"total", "", "", "", "", t.Queries, t.Clicks, t.QueryWords, t.Terms, t.DeletedTerms, t.QueryWordsPresent, t.QueryWordsDeleted,
		t.ClicksDeleted, "",
	))
	out.Flush()
	return out.Error()
}

func cells(values ...any) []string {
	row := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case string:
			row[i] = spreadsheet.Cell(v)
		case int:
			row[i] = strconv.Itoa(v)
		case int64:
			row[i] = strconv.FormatInt(v, 10)
		case *string:
			if v != nil {
				row[i] = *v
			}
		case *int:
			if v != nil {
				row[i] = strconv.Itoa(*v)
			}
		}
	}
	return row
}
