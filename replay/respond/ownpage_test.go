package respond

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
)

func TestRenderSendsAPageOfTheServersOwn(t *testing.T) {
	const body = "<!doctype html><title>ä</title>"
	page := templ.ComponentFunc(func(_ context.Context, w io.Writer) error { _, err := io.WriteString(w, body); return err })
	for method, want := range map[string]string{http.MethodGet: body, http.MethodHead: ""} {
		w := httptest.NewRecorder()
		if err := Render(w, httptest.NewRequest(method, "/", nil), 404, page); err != nil || w.Code != 404 || w.Body.String() != want {
			t.Errorf("%s: %d %q %v", method, w.Code, w.Body, err)
		}
		h := w.Header()
		for name, want := range map[string]string{
			"Content-Type": "text/html; charset=utf-8", "Content-Length": strconv.Itoa(len(body)), "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "same-origin", "Cache-Control": "no-cache", "Vary": "Accept-Language",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s: %q", method, name, got)
			}
		}
		if p := h.Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'none'; script-src 'self';") {
			t.Errorf("%s: %s", method, p)
		}
	}
}

// Who may frame a page, what it may frame, and whether it is kept.
func TestPoliciesOfPages(t *testing.T) {
	page := templ.ComponentFunc(func(_ context.Context, w io.Writer) error { _, err := io.WriteString(w, "<p>"); return err })
	const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
		"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors "
	own := http.Header{
		"Content-Type": {"text/html; charset=utf-8"}, "X-Content-Type-Options": {"nosniff"}, "Referrer-Policy": {"same-origin"},
		"Vary": {"Accept-Language"}, "Cache-Control": {"no-cache"}, "Content-Security-Policy": {policy + "'self'"}, "Content-Length": {"3"},
	}
	with := func(pairs ...string) http.Header {
		h := own.Clone()
		for i := 0; i < len(pairs); i += 2 {
			h.Set(pairs[i], pairs[i+1])
		}
		return h
	}
	framing := with("Content-Security-Policy", policy+"'self'; frame-src /web/")
	streamed := framing.Clone()
	streamed.Del("Content-Length")
	for _, tt := range []struct {
		name   string
		render func(http.ResponseWriter, *http.Request) error
		want   http.Header
	}{
		{"any", func(w http.ResponseWriter, r *http.Request) error { return Render(w, r, 200, page) }, own},
		{
			"one that stands alone", func(w http.ResponseWriter, r *http.Request) error { return RenderAlone(w, r, 200, page) },
			with("Content-Security-Policy", policy+"'none'", "X-Frame-Options", "DENY", "Cache-Control", "no-store"),
		},
		{"one with frames", func(w http.ResponseWriter, r *http.Request) error { return RenderFraming(w, r, 200, page, "/web/") }, framing},
		{"one that streams", func(w http.ResponseWriter, r *http.Request) error { return StreamFraming(w, r, page, "/web/") }, streamed},
	} {
		for method, body := range map[string]string{http.MethodGet: "<p>", http.MethodHead: ""} {
			w := httptest.NewRecorder()
			err := tt.render(w, httptest.NewRequest(method, "/", nil))
			if diff := cmp.Diff(tt.want, w.Header()); diff != "" || err != nil || w.Body.String() != body {
				t.Errorf("%s, %s: %q %v %s", tt.name, method, w.Body, err, diff)
			}
		}
	}
}

func TestRenderFailsBeforeTheFirstByte(t *testing.T) {
	trouble := errors.New("half a page")
	page := templ.ComponentFunc(func(_ context.Context, w io.Writer) error { _, _ = io.WriteString(w, "<p>half"); return trouble })
	w := httptest.NewRecorder()
	if err := Render(w, httptest.NewRequest(http.MethodGet, "/", nil), 200, page); err != trouble || w.Body.Len() > 0 || len(w.Header()) > 0 {
		t.Errorf("%v, sent %q with %v", err, w.Body, w.Header())
	}
}

func TestSharedIsWhatEveryPageHas(t *testing.T) {
	s, err := NewSite("https://varve.example/p", "")
	if err != nil {
		t.Fatal(err)
	}
	r := &http.Request{Header: pairs("Accept-Language", "de, en;q=0.5")}
	page := s.Shared(r, Path{Coll: "web", URIR: "http://a.example/"})
	if page.Lang != "de" || page.Home != "/p/" || page.URIR != "http://a.example/" || page.Coll.Href != "/p/web/" || page.Coll.Text != "web" ||
		page.Open != "/p/web/" {
		t.Errorf("in a collection: %+v", page)
	}
	if page = s.Shared(r, Path{Kind: Home}); page.Coll.Href != "" || page.Open != "" || page.Home != "/p/" {
		t.Errorf("outside: %+v", page)
	}
}

func TestToolbarStandsBetweenCommentsForDownloaders(t *testing.T) {
	const want = "<!-- BEGIN WAYBACK TOOLBAR INSERT --><varve-banner><!-- END WAYBACK TOOLBAR INSERT -->"
	if got := string(Toolbar([]byte("<varve-banner>"))); got != want {
		t.Error(got)
	}
	if got := Toolbar(nil); got != nil {
		t.Errorf("of no banner: %s", got)
	}
}

func TestAsHTMLReadsXHTMLOnly(t *testing.T) {
	const page = `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><script src="a.js"/><p>a</p></html>`
	for _, tt := range []struct {
		declared, kind, original string
		changed                  bool
	}{
		{"text/html", "", "", false},
		{"application/xhtml+xml", "text/html; charset=utf-8", "application/xhtml+xml", true},
	} {
		h := http.Header{}
		body, err := AsHTML(strings.NewReader(page), tt.declared, h)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(body)
		if err != nil || (string(got) != page) != tt.changed || h.Get("Content-Type") != tt.kind ||
			h.Get("X-Archive-Orig-Content-Type") != tt.original {
			t.Errorf("%s: %v, %v\n%s", tt.declared, err, h, got)
		}
	}
}

func TestLinksAndTypesThatAreMissing(t *testing.T) {
	uris := (&Site{}).Local("web")
	if got := CaptureLink(uris, nil); got != nil {
		t.Errorf("no capture: %+v", got)
	}
	want := &banner.CaptureLink{Href: "/web/20200101000000/http://a.example/", Time: 20200101000000}
	if diff := cmp.Diff(want, CaptureLink(uris, &cdx.Capture{URL: "http://a.example/", Time: 20200101000000})); diff != "" {
		t.Error(diff)
	}
	for name, tt := range map[string]struct {
		set  func(http.Header)
		want []string
	}{"guessed": {GuessNoType, nil}, "a page": {TypeAsHTML, []string{"text/html"}}} {
		none, css := http.Header{}, http.Header{"Content-Type": {"text/css"}}
		tt.set(none)
		tt.set(css)
		if diff := cmp.Diff([]http.Header{{"Content-Type": tt.want}, {"Content-Type": {"text/css"}}}, []http.Header{none, css}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
