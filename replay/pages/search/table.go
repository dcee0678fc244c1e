package search

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/spreadsheet"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// rowsAtOnce is the number of rows that are described and sent at a time.
const rowsAtOnce = 200

// exportFirst is the number of results that an export has in the requested order. Further ones come in no order, so that no more are in
// memory.
const exportFirst = 10_000

// An export is all that a search found in the pages of a collection.
type export struct {
	*answers.PagesAnswer
	s       *Handler
	ask     *presentParams
	of      *searches.Collection
	uris    memento.URIs
	columns []fields.Column // fixed for all rows, although others may be added meanwhile
}

// newExport searches; with the parameters limit or page only for a page of results.
func (s *Handler) newExport(r *http.Request, p respond.Path, of *searches.Collection) (*export, error) {
	ask, err := parsePresentParams(p, of)
	if err != nil {
		return nil, queryRefused(err)
	}
	if p.Params.Get("limit")+p.Params.Get("page") == "" {
		ask.request.Limit = exportFirst
	}
	found, err := of.Pages(r.Context(), ask.ranking, ask.query, ask.request)
	return &export{found, s, ask, of, s.site.Absolute(r, p.Coll), of.Columns()}, err
}

// isPage reports whether the export is only one page of results.
func (e *export) isPage() bool { return e.ask.request.Limit != exportFirst }

// each calls f with the results, some at a time.
func (e *export) each(ctx context.Context, f func([]PresentResult) error) error {
	var batch []search.Found
	send := func() error {
		rows := make([]PresentResult, len(batch))
		if err := e.s.describeRows(ctx, e.uris.Coll, e.ask, batch, e.columns, e.uris, rows); err != nil {
			return err
		}
		for i := range batch {
			rows[i].Missing = e.Missing(&batch[i])
		}
		batch = batch[:0]
		return f(rows)
	}
	add := func(h search.Found) (err error) {
		if batch = append(batch, h); len(batch) == rowsAtOnce {
			err = send()
		}
		return err
	}
	for _, h := range e.Hits {
		if err := add(h); err != nil {
			return err
		}
	}
	if !e.isPage() {
		for h, err := range e.of.Rest(ctx, e.PagesAnswer) {
			if err == nil {
				err = add(h)
			}
			if err != nil {
				return err
			}
		}
	}
	return send()
}

// presentTable answers /{coll}/search with output=csv: every result, one row each, streamed. X-Varve-Bounded is the number of words with *
// or ~ for which not all matching words were looked up.
func (s *Handler) presentTable(w http.ResponseWriter, r *http.Request, p respond.Path, of *searches.Collection) error {
	all, err := s.newExport(r, p, of)
	if err != nil {
		return err
	}
	if n := len(all.Bounded); n > 0 {
		w.Header().Set("X-Varve-Bounded", strconv.Itoa(n))
	}
	head, rowed, untold := pageHead(), of.Fields().HasRows(), 0
	if rowed {
		head = append(head, "row")
	}
	for _, c := range all.columns {
		head = append(head, c.Name)
	}
	if all.isPage() {
		untold = all.Untold
	}
	out, err := beginTable(w, r, p.Coll, untold, append(head, pageTail()...))
	if out == nil || err != nil {
		return err
	}
	return all.each(r.Context(), func(rows []PresentResult) error {
		for i := range rows {
			if err := out.Write(rows[i].row(rowed, all.columns)); err != nil {
				return err
			}
		}
		return sent(w, out)
	})
}

// presentAll answers /{coll}/search with output=json: every result, streamed, and then what else the answer says.
func (s *Handler) presentAll(w http.ResponseWriter, r *http.Request, p respond.Path, of *searches.Collection) error {
	all, err := s.newExport(r, p, of)
	if err != nil {
		return err
	}
	list, err := presentListOf(r.Context(), of, all.ask, all.PagesAnswer)
	if err != nil {
		return err
	}
	respond.AllowOrigins(w.Header())
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodHead {
		return nil
	}
	n, between := 0, "{\"results\":["
	err = all.each(r.Context(), func(rows []PresentResult) error {
		for i := range rows {
			if _, err := io.WriteString(w, between); err != nil {
				return err
			}
			if err := respond.SendJSON(w, r, &rows[i]); err != nil {
				return err
			}
			n, between = n+1, ","
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !all.isPage() {
		list.Total, list.Untold = n, 0
		list.note()
	}
	rest, err := json.Marshal(struct { // without the results
		*PresentList
		Results *struct{} `json:"results,omitempty"`
	}{PresentList: list})
	if n == 0 {
		_, _ = io.WriteString(w, between)
	}
	_, failed := fmt.Fprintf(w, "],%s", rest[1:])
	return errors.Join(err, failed)
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
