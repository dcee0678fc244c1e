package search

import (
	"fmt"
	"io"
	"net/http"

	"github.com/varve-archive/varve/archive/termtable"
	"github.com/varve-archive/varve/replay/respond"
)

// What one request for a table may ask.
const (
	maxTableBody = 2 << 20 // bytes of a form
	maxTableRows = 20_000  // pages and datetimes; varve terms makes larger tables
)

// TermTable answers /{coll}/terms/table: how often terms stand on pages at datetimes. Lists may be repeated, and have a line for each item.
func (s *Handler) TermTable(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, maxTableBody)
		if err := r.ParseForm(); err != nil {
			return respond.BadRequest(fmt.Sprintf("the form can't be read: %v", err))
		}
		for name, values := range r.PostForm {
			p.Params[name] = append(p.Params[name], values...)
		}
	}
	q, err := termtable.Parse(p.Coll, p.Params["terms"], p.Params["urls"], p.Params["at"])
	if err != nil {
		return respond.BadRequest(err.Error())
	}
	if n := len(q.Pages) * len(q.Times); n > maxTableRows {
		return respond.BadRequest(fmt.Sprintf("%d pages and datetimes are more than one table has here, %d: ask in parts, or use varve terms", n,
			maxTableRows))
	}
	output, h := p.Params.Get("output"), w.Header()
	respond.AllowOrigins(h)
	switch output {
	case "csv":
		h.Set("Content-Type", "text/csv; charset=utf-8; header=present")
		h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", p.Coll+"-terms.csv"))
	case "", "json":
		h.Set("Content-Type", "application/json")
	default:
		return respond.BadRequest(fmt.Sprintf("output %.20q: want csv or json", output))
	}
	if r.Method == http.MethodHead {
		return nil
	}
	started := &startedWriter{Writer: w}
	rows := q.Rows(r.Context(), s.Archive, s.Searches)
	if output == "csv" {
		err = q.WriteCSV(started, rows)
	} else {
		err = q.WriteJSON(started, rows)
	}
	if err != nil && started.some {
		return respond.BreakOff(s.Log, r, err)
	}
	return err
}

// A startedWriter knows whether something was written.
type startedWriter struct {
	io.Writer
	some bool
}

func (w *startedWriter) Write(b []byte) (int, error) {
	w.some = true
	return w.Writer.Write(b)
}
