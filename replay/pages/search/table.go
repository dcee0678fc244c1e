package search

import (
	"encoding/csv"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/spreadsheet"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// rowsAtOnce is the number of rows that are described and sent at a time.
const rowsAtOnce = 200

// presentTable answers /{coll}/search with output=csv: every page found, one row each, streamed. X-Varve-Untold is the number of further
// pages that may match but are beyond the limit of one search; X-Varve-Bounded is the number of words with * or ~ for which not all
// matching words were looked up.
func (s *Handler) presentTable(w http.ResponseWriter, r *http.Request, p respond.Path, of *searches.Collection) error {
	ask, err := parsePresentParams(p, of)
	if err != nil {
		return queryRefused(err)
	}
	if p.Params.Get("limit") == "" {
		ask.request.Skip, ask.request.Limit = 0, maxSearchSkip
	}
	found, err := of.Pages(r.Context(), ask.ranking, ask.query, ask.request)
	if err != nil {
		return err
	}
	if n := len(found.Bounded); n > 0 {
		w.Header().Set("X-Varve-Bounded", strconv.Itoa(n))
	}
	head := pageHead()
	columns, rowed := of.Columns(), of.Fields().HasRows() // fixed for all rows, although others may be added meanwhile
	if rowed {
		head = append(head, "row")
	}
	for _, c := range columns {
		head = append(head, c.Name)
	}
	out, err := beginTable(w, r, p.Coll, found.Untold, append(head, pageTail()...))
	if out == nil || err != nil {
		return err
	}
	uris := s.site.Absolute(r, p.Coll)
	for hits := found.Hits; len(hits) > 0; {
		n := min(rowsAtOnce, len(hits))
		rows := make([]PresentResult, n)
		if err := s.describeRows(r.Context(), p.Coll, ask, hits[:n], columns, uris, rows); err != nil {
			return err
		}
		for i := range rows {
			if err := out.Write(rows[i].row(rowed, columns)); err != nil {
				return err
			}
		}
		if err := sent(w, out); err != nil {
			return err
		}
		hits = hits[n:]
	}
	return sent(w, out)
}

// beginTable sets the headers of a table, including the number of further rows, and writes the names of its columns. The table is nil for
// a HEAD request.
func beginTable(w http.ResponseWriter, r *http.Request, name string, untold int, columns []string) (*csv.Writer, error) {
	h := w.Header()
	respond.AllowOrigins(h)
	h.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name + ".csv"}))
	if untold > 0 {
		h.Set("X-Varve-Untold", strconv.Itoa(untold))
	}
	if r.Method == http.MethodHead {
		return nil, nil
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true // RFC 4180
	return out, out.Write(columns)
}

// sent flushes the rows so far.
func sent(w http.ResponseWriter, out *csv.Writer) error {
	if out.Flush(); out.Error() != nil {
		return out.Error()
	}
	_ = http.NewResponseController(w).Flush()
	return nil
}

// changesTable answers /{coll}/search for changes with output=csv: every change found, a row each, streamed.
func (s *Handler) changesTable(w http.ResponseWriter, r *http.Request, p respond.Path, of *searches.Collection) error {
	ask, err := parseSearchParams(p)
	if err != nil {
		return queryRefused(err)
	}
	if p.Params.Get("limit") == "" {
		ask.request.Skip, ask.request.Limit = 0, maxSearchSkip
	}
	found, err := of.Search(r.Context(), ask.request)
	if err != nil {
		return err
	}
	out, err := beginTable(w, r, p.Coll+"-"+ask.change, found.Untold, changeHead())
	if out == nil || err != nil {
		return err
	}
	d := &describer{s: s, of: of, ask: ask, uris: s.site.Absolute(r, p.Coll), added: map[string][][]cdx.Timestamp{}}
	for i := range found.Hits {
		if i%rowsAtOnce == 0 {
			next := found.Hits[i:min(i+rowsAtOnce, len(found.Hits))]
			if err := d.prefetch(r.Context(), next); err != nil {
				return err
			}
		}
		result, err := d.describe(r.Context(), &found.Hits[i])
		if err != nil {
			return err
		}
		if err := out.Write(result.row(ask.change)); err != nil {
			return err
		}
		if (i+1)%rowsAtOnce == 0 {
			if err := sent(w, out); err != nil {
				return err
			}
		}
	}
	return sent(w, out)
}

// changesEverywhereTable sends a page of changes in all collections.
func changesEverywhereTable(w http.ResponseWriter, r *http.Request, found *SearchList) error {
	out, err := beginTable(w, r, found.Change, found.Untold, append([]string{"collection"}, changeHead()...))
	if out == nil || err != nil {
		return err
	}
	for i := range found.Results {
		one := &found.Results[i]
		if err := out.Write(append([]string{one.Collection}, one.row(found.Change)...)); err != nil {
			return err
		}
	}
	return sent(w, out)
}

func changeHead() []string {
	return []string{
		"url", "title", "change", "before", "after", "count_before", "count_after", "whole", "lifespan_days", "score", "diff", "text", "size",
	}
}

// row returns a change as a row of a table. Several places of the text are on lines of their own.
func (r *SearchResult) row(change string) []string {
	before, had := "", ""
	if r.Before != nil {
		before, had = r.Before.Datetime, countOf(r.Before)
	}
	var texts []string
	for _, s := range r.Snippets {
		texts = append(texts, s.Text)
	}
	return []string{
		spreadsheet.Cell(r.OriginalURI), spreadsheet.Cell(r.Title),
		change, before, r.After.Datetime, had, countOf(&r.After), strconv.FormatBool(r.Whole),
		strconv.Itoa(r.LifespanDays), fmt.Sprintf("%.4f", r.Score), r.Links.Diff, spreadsheet.Cell(strings.Join(texts, "\n")),
		strconv.Itoa(r.Size),
	}
}

func countOf(end *SearchEnd) string {
	if end.Count == nil {
		return ""
	}
	return strconv.Itoa(*end.Count)
}

// everywhereTable answers /-/search with output=csv: a page of results of all collections.
func (s *Handler) everywhereTable(w http.ResponseWriter, r *http.Request, p respond.Path, all *everywhere) error {
	ask, err := parsePresentParams(p, all)
	if err != nil {
		return queryRefused(err)
	}
	if p.Params.Get("limit") == "" {
		ask.limit = maxSearchLimit
	}
	all.uris = func(coll string) memento.URIs { return s.site.Absolute(r, coll) }
	found, err := all.find(r.Context(), ask)
	if err != nil {
		return err
	}
	out, err := beginTable(w, r, "search", found.Untold, slices.Concat([]string{"collection"}, pageHead(), pageTail()))
	if out == nil || err != nil {
		return err
	}
	for i := range found.Results {
		one := &found.Results[i]
		if err := out.Write(append([]string{one.Collection}, one.row(false, nil)...)); err != nil {
			return err
		}
	}
	return sent(w, out)
}

// pageHead names the columns of every row.
func pageHead() []string {
	return []string{"url", "title", "versions", "first", "last", "still", "memento", "score"}
}

// pageTail names the columns behind the fields.
func pageTail() []string { return []string{"status", "mime", "lang"} }

// row returns a result as a row of a table. Several values of a field are on lines of their own.
func (r *PresentResult) row(rowed bool, columns []fields.Column) []string {
	out := []string{
		spreadsheet.Cell(r.OriginalURI), spreadsheet.Cell(r.Title),
		strconv.Itoa(r.Versions), r.First.Datetime, r.Last.Datetime, strconv.FormatBool(r.Still),
		r.Best.URIM, fmt.Sprintf("%.4f", r.Score),
	}
	if rowed {
		out = append(out, strings.TrimPrefix(strconv.Itoa(r.Row), "0"))
	}
	for _, c := range columns {
		cell := strings.Join(r.values[c.Name], "\n")
		if !c.Type.Ordered() {
			cell = spreadsheet.Cell(cell)
		}
		out = append(out, cell)
	}
	return append(out, strconv.Itoa(r.Status), spreadsheet.Cell(r.MIME), r.Lang)
}
