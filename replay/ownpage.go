package replay

import (
	"bytes"
	"net/http"
	"strconv"

	"github.com/a-h/templ"
	"github.com/varve-archive/varve/banner"
)

// ownPolicy keeps the server's own pages to what the server itself sends.
const ownPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"

// render sends a page of the server's own. It is rendered before the first byte is sent.
func render(w http.ResponseWriter, r *http.Request, status int, page templ.Component) error {
	var b bytes.Buffer
	if err := page.Render(r.Context(), &b); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	ownPage(h)
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return nil
	}
	_, err := b.WriteTo(w)
	return err
}

func ownPage(h http.Header) {
	h.Set("Content-Security-Policy", ownPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
	vary(h, "Accept-Language")
}

// shared is what every page of the server's own has.
func (s *Site) shared(r *http.Request, p Path) banner.Page {
	page := banner.Page{
		Lang: banner.Language(r.Header.Get("Accept-Language")), Assets: s.assets(), Home: s.path() + "/", URIR: p.URIR,
	}
	if p.Coll != "" {
		home := s.local(p.Coll).Home()
		page.Coll, page.Open = banner.Link{Href: home, Text: p.Coll}, home
	}
	return page
}
