// Package termtable has the table that counts terms on pages at datetimes, as a page, CSV and JSON.
package termtable

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/termtable"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// Limits of a request for a table, and of its page.
const (
	maxTableBody  = 2 << 20 // bytes of a form
	maxTableRows  = 20_000  // pages and datetimes; varve terms makes larger tables
	maxShownRows  = 1000
	maxShownCells = 20_000
	// A form whose query isn't longer leads to an address that can be bookmarked.
	maxTableQuery = 4 << 10
)

// A Handler answers requests for tables.
type Handler struct {
	archive  *archive.Archive
	searches *searches.Searches
	site     *respond.Site
	shared   func(*http.Request, respond.Path) layout.Page
}

// New returns the handler over an archive and its searches, for a site. shared returns what all pages share.
func New(
	a *archive.Archive, of *searches.Searches, site *respond.Site, shared func(*http.Request, respond.Path) layout.Page,
) *Handler {
	return &Handler{a, of, site, shared}
}

// Serve answers /{coll}/terms/table: the number of occurrences of terms on pages at datetimes. List parameters may be repeated, or have
// one item per line. Browsers get a page with a form.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, maxTableBody)
		if err := r.ParseForm(); err != nil {
			return respond.BadRequest(fmt.Sprintf("the form can't be read: %v", err))
		}
		for name, values := range r.PostForm {
			p.Params[name] = append(p.Params[name], values...)
		}
	}
	format, err := respond.Format(w, r, p, "output")
	if err != nil {
		return err
	}
	if format == "html" {
		return h.page(w, r, p)
	}
	q, err := tableQuery(p)
	if err != nil {
		return respond.BadRequest(err.Error())
	}
	head := w.Header()
	respond.AllowOrigins(head)
	if format == "csv" {
		head.Set("Content-Type", "text/csv; charset=utf-8; header=present")
		head.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", p.Coll+"-terms.csv"))
	} else {
		head.Set("Content-Type", "application/json")
	}
	if r.Method == http.MethodHead {
		return nil
	}
	rows := q.Rows(r.Context(), h.archive, h.searches)
	if format == "csv" {
		return q.WriteCSV(w, rows)
	}
	return q.WriteJSON(w, rows)
}

// tableQuery reads the query. An error in one of the lists is a [termtable.ItemError].
func tableQuery(p respond.Path) (termtable.Query, error) {
	q, err := termtable.Parse(p.Coll, p.Params["terms"], p.Params["urls"], p.Params["at"])
	if err != nil {
		return q, err
	}
	if n := len(q.Pages) * len(q.Times); n > maxTableRows {
		return q, fmt.Errorf("%d pages and datetimes are more than one table has here, %d: ask in parts, or use varve terms", n, maxTableRows)
	}
	return q, nil
}

// page shows the form and its table. A submitted form is redirected to the address of its table, unless that is too long.
func (h *Handler) page(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	uris := h.site.Local(p.Coll)
	v := tableView{
		Page: h.shared(r, p), Action: uris.Endpoint("terms/table", ""), Words: uris.Endpoint("terms", ""),
		Form: &layout.Form{Values: map[string]string{}},
	}
	asked := url.Values{}
	for _, name := range []string{"terms", "urls", "at"} {
		lines := strings.ReplaceAll(strings.Join(p.Params[name], "\n"), "\r\n", "\n")
		if v.Form.Values[name] = lines; strings.TrimSpace(lines) != "" {
			asked.Set(name, lines)
		}
	}
	if len(asked) == 0 {
		return respond.Render(w, r, http.StatusOK, tablePage(v))
	}
	q, err := tableQuery(p)
	if err != nil {
		v.Form.Wrong, v.Form.Say = "form", err.Error()
		if wrong, ok := errors.AsType[*termtable.ItemError](err); ok {
			v.Form.Wrong, v.Form.Say = wrong.List, wrong.Place()
		}
		return respond.Render(w, r, http.StatusBadRequest, tablePage(v))
	}
	if query := asked.Encode(); r.Method == http.MethodPost && len(query) <= maxTableQuery {
		w.Header().Set("Location", uris.Endpoint("terms/table", query))
		w.WriteHeader(http.StatusSeeOther)
		return nil
	}
	if err := h.fill(r, &v, &q, uris); err != nil {
		return err
	}
	return respond.Render(w, r, http.StatusOK, tablePage(v))
}

// fill counts the rows that a page shows.
func (h *Handler) fill(r *http.Request, v *tableView, q *termtable.Query, uris memento.URIs) error {
	for _, term := range q.Terms {
		v.Terms = append(v.Terms, term.String())
	}
	v.Total = len(q.Pages) * len(q.Times)
	shown := min(v.Total, maxShownRows, max(maxShownCells/len(q.Terms), 1))
	for row, err := range q.Rows(r.Context(), h.archive, h.searches) {
		if err != nil {
			return err
		}
		out := tableRow{URIR: row.Page, At: row.Time, Counts: row.Counts}
		if c := row.Capture; c != nil {
			out.Capture, out.Status = &banner.CaptureLink{Href: uris.Memento(c.Time, "", c.URL), Time: c.Time}, c.Status
		}
		if v.Rows = append(v.Rows, out); len(v.Rows) == shown {
			break
		}
	}
	return nil
}
