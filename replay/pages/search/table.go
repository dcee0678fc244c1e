package search

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/spreadsheet"
	"github.com/varve-archive/varve/replay/respond"
)

// rowsAtOnce is the number of rows that are described and sent at a time.
const rowsAtOnce = 200

// exportFirst is the number of results that an export has in the requested order. Further ones come in no order, so that no more are in
// memory.
const exportFirst = 10_000

// An export is all that a search found in the pages of some collections, one collection after the other.
type export struct {
	s       *Handler
	ask     *presentParams
	list    []named
	whole   bool                   // not only a page of results
	found   []*answers.PagesAnswer // by collection
	columns []fields.Column        // of one collection; fixed for all rows, although others may be added meanwhile
}

// newExport searches. In one collection the parameters limit and page ask only for a page of results.
func newExport(s *Handler, r *http.Request, p respond.Path, of searcher, list []named) (*export, error) {
	ask, err := parsePresentParams(p, of)
	if err != nil {
		return nil, queryRefused(err)
	}
	e := &export{s: s, ask: ask, list: list, whole: !isPage(p), columns: of.Columns()}
	if e.whole {
		ask.request.Limit = exportFirst
	}
	for _, n := range list {
		ranking := ask.ranking
		if ask.everywhere {
			ranking = n.ranking(ranking)
		}
		found, err := n.of.Pages(r.Context(), ranking, ask.query, ask.request)
		if err != nil {
			return nil, err
		}
		e.found = append(e.found, found)
	}
	return e, nil
}

// isPage reports whether a request is for only one page of results.
func isPage(p respond.Path) bool { return p.Params.Get("limit")+p.Params.Get("page") != "" }

// each calls f with the results, some at a time.
func (e *export) each(r *http.Request, f func([]PresentResult) error) error {
	for i := range e.list {
		if err := e.eachIn(r, &e.list[i], e.found[i], f); err != nil {
			return err
		}
	}
	return nil
}

func (e *export) eachIn(r *http.Request, in *named, found *answers.PagesAnswer, f func([]PresentResult) error) error {
	ctx, uris := r.Context(), e.s.site.Absolute(r, in.coll)
	var batch []search.Found
	send := func() error {
		rows, err := e.s.describePages(ctx, uris, e.ask, query.Query{}, batch, e.columns, 0)
		if err != nil {
			return err
		}
		for i := range batch {
			if rows[i].Missing = found.Missing(&batch[i]); e.ask.everywhere {
				rows[i].Collection = in.coll
			}
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
	for _, h := range found.Hits {
		if err := add(h); err != nil {
			return err
		}
	}
	if e.whole {
		for h, err := range in.of.Rest(ctx, found) {
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

// presentTable answers a search in pages with output=csv: every result, one row each, streamed. X-Varve-Bounded is the number of words with
// * or ~ for which not all matching words were looked up.
func (s *Handler) presentTable(w http.ResponseWriter, r *http.Request, p respond.Path, of searcher, list []named) error {
	all, err := newExport(s, r, p, of, list)
	if err != nil {
		return err
	}
	bounded, untold, rowed := 0, 0, !all.ask.everywhere && list[0].of.Fields().HasRows()
	for _, found := range all.found {
		bounded += len(found.Bounded)
		if !all.whole {
			untold += found.Untold
		}
	}
	if bounded > 0 {
		w.Header().Set("X-Varve-Bounded", strconv.Itoa(bounded))
	}
	names := pageHead(all.ask.everywhere)
	if rowed {
		names = append(names, "row")
	}
	for _, c := range all.columns {
		names = append(names, c.Name)
	}
	out, err := beginTable(w, r, cmp.Or(p.Coll, "search"), untold, append(names, pageTail()...))
	if out == nil || err != nil {
		return err
	}
	return all.each(r, func(rows []PresentResult) error {
		for i := range rows {
			if err := out.Write(rows[i].row(rowed, all.columns)); err != nil {
				return err
			}
		}
		return sent(w, out)
	})
}

// presentAll answers a search in pages with output=json: every result, streamed, and then what else the answer says.
func (s *Handler) presentAll(w http.ResponseWriter, r *http.Request, p respond.Path, of source, list []named) error {
	all, err := newExport(s, r, p, of, list)
	if err != nil {
		return err
	}
	answer, err := of.answer(r.Context(), all.ask, all.found)
	if err != nil {
		return err
	}
	return streamJSON(w, r, func(put func(any) error) error {
		return all.each(r, func(rows []PresentResult) (err error) {
			for i := 0; i < len(rows) && err == nil; i++ {
				err = put(&rows[i])
			}
			return err
		})
	}, func(n int) any {
		if all.whole {
			answer.Total, answer.Untold = n, 0
			answer.note()
		}
		return struct { // without the results
			*PresentList
			Results *struct{} `json:"results,omitempty"`
		}{PresentList: answer}
	})
}

// streamJSON sends an object: as its results what each puts, and then the fields of rest, which gets the number of results.
func streamJSON(w http.ResponseWriter, r *http.Request, each func(put func(any) error) error, rest func(n int) any) error {
	respond.AllowOrigins(w.Header())
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodHead {
		return nil
	}
	n, between := 0, "{\"results\":["
	err := each(func(v any) error {
		if _, err := io.WriteString(w, between); err != nil {
			return err
		}
		n, between = n+1, ","
		return respond.SendJSON(w, r, v)
	})
	if err != nil {
		return err
	}
	if n == 0 {
		_, _ = io.WriteString(w, between)
	}
	fields, err := json.Marshal(rest(n))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "],%s", fields[1:])
	return err
}

// beginTable sets the headers of a table, including the number of further rows, and writes the names of its columns. The table is nil for
// a HEAD request.
func beginTable(w http.ResponseWriter, r *http.Request, name string, untold int, columns []string) (*csv.Writer, error) {
	out := respond.Table(w, name+".csv")
	if untold > 0 {
		w.Header().Set("X-Varve-Untold", strconv.Itoa(untold))
	}
	if r.Method == http.MethodHead {
		return nil, nil
	}
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

// A changesExport is what a search found in the changes of some collections, one collection after the other.
type changesExport struct {
	s     *Handler
	ask   *searchParams
	list  []named
	found []*search.Answer // by collection
}

// newChangesExport searches: for the best [maxSearchSkip] changes of each collection, or for a page of them.
func newChangesExport(s *Handler, r *http.Request, p respond.Path, list []named) (*changesExport, error) {
	ask, err := parseSearchParams(p)
	if err != nil {
		return nil, queryRefused(err)
	}
	if !isPage(p) {
		ask.request.Skip, ask.request.Limit = 0, maxSearchSkip
	}
	e := &changesExport{s: s, ask: ask, list: list}
	for _, n := range list {
		found, err := n.of.Search(r.Context(), ask.request)
		if err != nil {
			return nil, err
		}
		e.found = append(e.found, found)
	}
	return e, nil
}

// each calls f with the changes. Those of a search over all collections say where they are.
func (e *changesExport) each(r *http.Request, everywhere bool, f func(*SearchResult) error) error {
	for k, n := range e.list {
		d := &describer{s: e.s, of: n.of, ask: e.ask, uris: e.s.site.Absolute(r, n.coll), added: map[string][][]cdx.Timestamp{}}
		for some := range slices.Chunk(e.found[k].Hits, rowsAtOnce) {
			if err := d.prefetch(r.Context(), some); err != nil {
				return err
			}
			for i := range some {
				result, err := d.describe(r.Context(), &some[i])
				if err != nil {
					return err
				}
				if everywhere {
					result.Collection = n.coll
				}
				if err := f(result); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// changesOutput answers a search in changes with output=csv or json: every change found, streamed.
func (s *Handler) changesOutput(w http.ResponseWriter, r *http.Request, p respond.Path, list []named, output string) error {
	all, err := newChangesExport(s, r, p, list)
	if err != nil {
		return err
	}
	everywhere := p.Coll == ""
	answer := &SearchList{Q: all.ask.q, Change: all.ask.change, Page: all.ask.page}
	for i, n := range list {
		one, err := searchListOf(r.Context(), n.of, all.ask, all.found[i])
		if err != nil {
			return err
		}
		answer.join(n.coll, one)
	}
	if output == outputJSON {
		if !everywhere {
			answer.Facets.Collections = nil
			if err := answer.tellKinds(r.Context(), list[0].of, all.ask); err != nil {
				return err
			}
		}
		return streamJSON(w, r, func(put func(any) error) error {
			return all.each(r, everywhere, func(one *SearchResult) error { return put(one) })
		}, func(int) any {
			return struct { // without the results
				*SearchList
				Results *struct{} `json:"results,omitempty"`
			}{SearchList: answer}
		})
	}
	name := all.ask.change
	if !everywhere {
		name = p.Coll + "-" + name
	}
	out, err := beginTable(w, r, name, answer.Untold, changeHead(everywhere))
	if out == nil || err != nil {
		return err
	}
	n := 0
	err = all.each(r, everywhere, func(one *SearchResult) error {
		if n++; n%rowsAtOnce == 0 {
			if err := sent(w, out); err != nil {
				return err
			}
		}
		return out.Write(one.row(all.ask.change))
	})
	if err != nil {
		return err
	}
	return sent(w, out)
}

// everywhereTable sends a page of results in all collections, a row each.
func everywhereTable[R any](
	w http.ResponseWriter, r *http.Request, name string, untold int, head []string, results []R, row func(*R) []string,
) error {
	out, err := beginTable(w, r, name, untold, head)
	if out == nil || err != nil {
		return err
	}
	for i := range results {
		if err := out.Write(row(&results[i])); err != nil {
			return err
		}
	}
	return sent(w, out)
}

func changeHead(everywhere bool) []string {
	return head(everywhere, "url", "title", "change", "before", "after", "count_before", "count_after", "whole", "lifespan_days", "score",
		"diff", "text", "size")
}

// head names columns, the first of them in a search over all collections.
func head(everywhere bool, columns ...string) []string {
	if everywhere {
		return append([]string{"collection"}, columns...)
	}
	return columns
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
	var out []string
	if r.Collection != "" {
		out = []string{r.Collection}
	}
	return append(out,
		spreadsheet.Cell(r.OriginalURI), spreadsheet.Cell(r.Title),
		change, before, r.After.Datetime, had, countOf(&r.After), strconv.FormatBool(r.Whole),
		strconv.Itoa(r.LifespanDays), fmt.Sprintf("%.4f", r.Score), r.Links.Diff, spreadsheet.Cell(strings.Join(texts, "\n")),
		strconv.Itoa(r.Size))
}

func countOf(end *SearchEnd) string {
	if end.Count == nil {
		return ""
	}
	return strconv.Itoa(*end.Count)
}

// pageHead names the columns of every row.
func pageHead(everywhere bool) []string {
	return head(everywhere, "url", "title", "versions", "first", "last", "still", "memento", "score")
}

// pageTail names the columns behind the fields.
func pageTail() []string { return []string{"status", "mime", "lang"} }

// row returns a result as a row of a table. Several values of a field are on lines of their own.
func (r *PresentResult) row(rowed bool, columns []fields.Column) []string {
	var out []string
	if r.Collection != "" {
		out = []string{r.Collection}
	}
	out = append(out,
		spreadsheet.Cell(r.OriginalURI), spreadsheet.Cell(r.Title),
		strconv.Itoa(r.Versions), r.First.Datetime, r.Last.Datetime, strconv.FormatBool(r.Still),
		r.Best.URIM, fmt.Sprintf("%.4f", r.Score))
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
