package search

import (
	"encoding/csv"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/internal/spreadsheet"
	"github.com/varve-archive/varve/replay/respond"
)

// rowsAtOnce is how many rows of a table are described, and sent, at a time.
const rowsAtOnce = 200

// presentTable answers /{coll}/search with output=csv: every page found, a row each, streamed. Where one search can't look at
// all pages, X-Varve-Untold says how many more may match; where it can't look up all words for which some with * or ~ stand,
// X-Varve-Bounded says how many of these there are.
func (s *Handler) presentTable(w http.ResponseWriter, r *http.Request, p respond.Path, of *searches.Collection) error {
	ask, err := parsePresentParams(p, of)
	if err != nil {
		return queryRefused(err)
	}
	if p.Params.Get("limit") == "" {
		ask.request.Skip, ask.request.Limit = 0, maxSearchSkip
	}
	found, err := of.Pages(r.Context(), ask.query, ask.request)
	if err != nil {
		return err
	}
	h := w.Header()
	respond.AllowOrigins(h)
	h.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": p.Coll + ".csv"}))
	if found.Untold > 0 {
		h.Set("X-Varve-Untold", strconv.Itoa(found.Untold))
	}
	if n := len(found.Bounded); n > 0 {
		h.Set("X-Varve-Bounded", strconv.Itoa(n))
	}
	if r.Method == http.MethodHead {
		return nil
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true // RFC 4180
	head := []string{"url", "title", "versions", "first", "last", "still", "memento", "score"}
	columns := of.Columns() // of all rows: others may come meanwhile
	for _, c := range columns {
		head = append(head, c.Name)
	}
	if err := out.Write(head); err != nil {
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
			if err := out.Write(rows[i].row(columns)); err != nil {
				return err
			}
		}
		if out.Flush(); out.Error() != nil {
			return out.Error()
		}
		_ = http.NewResponseController(w).Flush()
		hits = hits[n:]
	}
	out.Flush()
	return out.Error()
}

// row returns a result as a row of a table. Several values of a field are on lines of their own.
func (r *PresentResult) row(columns []fields.Column) []string {
	out := []string{
		r.OriginalURI, spreadsheet.Cell(r.Title), strconv.Itoa(r.Versions), r.First.Datetime, r.Last.Datetime, strconv.FormatBool(r.Still),
		r.Best.URIM, fmt.Sprintf("%.4f", r.Score),
	}
	for _, c := range columns {
		cell := strings.Join(r.values[c.Name], "\n")
		if !c.Type.Ordered() {
			cell = spreadsheet.Cell(cell)
		}
		out = append(out, cell)
	}
	return out
}
