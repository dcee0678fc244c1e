package replay

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// terms answers /{coll}/terms: a page for browsers, CSV for those who ask for it, else JSON.
func (s *pages) terms(w http.ResponseWriter, r *http.Request, p Path) error {
	q, err := termsQuery(p)
	if err != nil {
		return err
	}
	format, err := termsFormat(w, r, p)
	if err != nil {
		return err
	}
	if format == "html" {
		return s.termsPage(w, r, p, q)
	}
	list, err := s.Terms(r.Context(), s.site.absolute(r, p.Coll), q)
	if err != nil {
		return err
	}
	if format == "json" {
		return writeJSON(w, r, list)
	}
	h := w.Header()
	allowOrigins(h)
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", p.Coll+"-"+list.Change+"-terms.csv"))
	if r.Method == http.MethodHead {
		return nil
	}
	return list.WriteCSV(w)
}

// termsQuery reads the parameters.
func termsQuery(p Path) (TermsQuery, error) {
	get := p.Params.Get
	q := TermsQuery{Change: get("change"), Domain: get("domain"), From: get("from"), To: get("to")}
	if v := get("limit"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > maxTerms {
			return q, badRequest(fmt.Sprintf("limit %.20q: want a whole number from 1 to %d", v, maxTerms))
		}
		q.Limit = n
	}
	return q, nil
}

// termsFormat is what was asked for by name, else by Accept.
func termsFormat(w http.ResponseWriter, r *http.Request, p Path) (string, error) {
	format := p.Params.Get("format")
	switch format {
	case "html", "json", "csv":
		return format, nil
	case "":
	default:
		return "", badRequest(fmt.Sprintf("format %.20q: want html, json or csv", format))
	}
	vary(w.Header(), "Accept")
	switch {
	case isBrowser(r):
		return "html", nil
	case strings.Contains(strings.ToLower(r.Header.Get("Accept")), "text/csv"):
		return "csv", nil
	}
	return "json", nil
}
