package respond

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/xhtml"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/rewrite"
)

// ownPolicy limits the server's own pages to what the server itself sends.
const ownPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src " +
	"'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"

// A SharedFunc returns what all pages have in common, for a page about a path.
type SharedFunc = func(*http.Request, Path) layout.Page

// Render sends one of the server's own pages. It renders it before sending the first byte.
func Render(w http.ResponseWriter, r *http.Request, status int, page templ.Component) error {
	return render(w, r, status, page, OwnPage)
}

// RenderAlone sends a page that can do what archived pages must not do, even if these are on its origin: it can't be framed or cached, so
// that their scripts can't read it.
func RenderAlone(w http.ResponseWriter, r *http.Request, status int, page templ.Component) error {
	return render(w, r, status, page, func(h http.Header) {
		OwnPage(h)
		h.Set("Content-Security-Policy", strings.Replace(ownPolicy, "frame-ancestors 'self'", "frame-ancestors 'none'", 1))
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cache-Control", "no-store")
	})
}

// RenderFraming sends a page that may frame addresses below a path of the server, and nothing else.
func RenderFraming(w http.ResponseWriter, r *http.Request, status int, page templ.Component, below string) error {
	return render(w, r, status, page, func(h http.Header) { framingPage(h, below) })
}

// StreamFraming is RenderFraming for a page that is sent while it is rendered.
func StreamFraming(w http.ResponseWriter, r *http.Request, page templ.Component, below string) error {
	framingPage(w.Header(), below)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if r.Method == http.MethodHead {
		return nil
	}
	return page.Render(r.Context(), &Streaming{W: w})
}

func framingPage(h http.Header, below string) {
	OwnPage(h)
	h.Set("Content-Security-Policy", ownPolicy+"; frame-src "+below)
}

func render(w http.ResponseWriter, r *http.Request, status int, page templ.Component, guard func(http.Header)) error {
	var b bytes.Buffer
	if err := page.Render(r.Context(), &b); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	guard(h)
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return nil
	}
	_, err := b.WriteTo(w)
	return err
}

func OwnPage(h http.Header) {
	h.Set("Content-Security-Policy", ownPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
	Vary(h, "Accept-Language")
}

// Shared returns what all of the server's own pages have in common.
func (s *Site) Shared(r *http.Request, p Path) layout.Page {
	page := layout.Page{
		Lang: locale.Choose(r.Header.Get("Accept-Language")), Assets: s.Assets(), Home: s.Path() + "/", URIR: p.URIR,
	}
	if p.Coll != "" {
		home := s.Local(p.Coll).Home()
		page.Coll, page.Open = banner.Link{Href: home, Text: s.Title(p.Coll)}, home
	}
	return page
}

// AsHTML converts an XHTML page so that it is read as HTML, because HTML is inserted into it. declared is its archived
// Content-Type; AsHTML sets the new one in h.
func AsHTML(body io.Reader, declared string, h http.Header) (io.Reader, error) {
	if !xhtml.Is(declared) {
		return body, nil
	}
	peek := bufio.NewReader(body)
	start, _ := peek.Peek(rewrite.SniffLen)
	h.Set("Content-Type", xhtml.TypeAsHTML(declared, start))
	h.Set("X-Archive-Orig-Content-Type", declared)
	return xhtml.ToHTML(peek)
}

// GuessNoType keeps the server from declaring a type that the archived answer lacks. Browsers guess: they accept a style sheet without a
// type, but refuse one declared as text.
func GuessNoType(h http.Header) {
	if h.Get("Content-Type") == "" {
		h["Content-Type"] = nil
	}
}

// TypeAsHTML declares the type that a browser would have guessed for a page without one.
func TypeAsHTML(h http.Header) {
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", "text/html")
	}
}

// CaptureLink returns the link to a capture, nil for none.
func CaptureLink(uris memento.URIs, c *cdx.Capture) *banner.CaptureLink {
	if c == nil {
		return nil
	}
	return &banner.CaptureLink{Href: uris.Memento(c.Time, "", c.URL), Time: c.Time}
}
