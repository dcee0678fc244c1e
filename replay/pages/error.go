package pages

import (
	"fmt"
	"log/slog"
	"net/http"

	"github.com/varve-archive/varve/archive/landing"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/views"
	"github.com/varve-archive/varve/replay/respond"
)

// missingPage shows what there is instead of a URI-R without usable captures. It reports whether it could.
func (s *Handler) missingPage(w http.ResponseWriter, r *http.Request, p respond.Path) bool {
	ts, err := respond.Moment(p)
	if asked, bad := respond.AcceptDatetime(r); p.Kind == respond.TimeGate && asked != 0 && bad == nil {
		ts = asked
	}
	if err != nil {
		return false
	}
	if err = s.Missing(w, r, p, ts, nil); err != nil {
		s.Log.Error("missing page", "target", r.RequestURI, "error", err)
	}
	return err == nil
}

// Missing shows what there is instead of a URI-R without usable captures, at ts. link returns where an alternative
// leads; if it is nil, that is its URI-M.
func (s *Handler) Missing(w http.ResponseWriter, r *http.Request, p respond.Path, ts cdx.Timestamp, link func(uriR string) string) error {
	l, err := landing.Find(r.Context(), s.Timelines, p.Coll, p.URIR, ts)
	if err != nil {
		return err
	}
	v := s.landingView(r, p, l)
	for i := range v.Alternatives {
		if link != nil {
			v.Alternatives[i].Href = link(v.Alternatives[i].URIR)
		}
	}
	return respond.Render(w, r, http.StatusNotFound, views.Landing(v))
}

// errorPage shows a failure to a person: what is known, and where to go next.
func (s *Handler) errorPage(w http.ResponseWriter, r *http.Request, p respond.Path, f *respond.Failure) {
	if f.Absent && s.missingPage(w, r, p) {
		return
	}
	v := views.ErrorView{Page: s.Shared(r, p), Status: f.Status, Detail: layout.Sentence(f.Say)}
	if p.URIR != "" && s.Index.Has(p.Coll) {
		uris := s.site.Local(p.Coll)
		v.Ways = s.ways.From(r, p)
		for i := len(f.Others) - 1; i >= 0 && len(v.Others) < respond.MaxOthers; i-- {
			v.Others = append(v.Others, *respond.CaptureLink(uris, &f.Others[i]))
		}
		if len(f.Others) > 0 {
			v.Calendar = uris.Calendar(p.URIR)
		}
	} else if p.Coll != "" && !s.Index.Has(p.Coll) {
		v.Page = s.Shared(r, respond.Path{URIR: p.URIR}) // that of no collection
	}
	v.Feed = ""
	if err := respond.Render(w, r, f.Status, views.Error(v)); err != nil {
		s.Log.Error("error page", "error", err)
		http.Error(w, f.Say, f.Status)
	}
}

// Fail answers with err: a page for browsers, a line of the expected type for a page's resources, a line of text for others.
func (s *Handler) Fail(w http.ResponseWriter, r *http.Request, p respond.Path, err error) {
	f := respond.AsFailure(err)
	if f.Status == 499 { // the client is gone or ended its input; an empty 200 would look like an answer
		panic(http.ErrAbortHandler)
	}
	level := slog.LevelDebug
	if f.Status >= 500 {
		level = slog.LevelError
	}
	s.Log.Log(r.Context(), level, "request failed", "target", r.RequestURI, "status", f.Status, "error", err)
	h := w.Header()
	for k, v := range f.Header {
		h[k] = v
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	respond.Vary(h, "Accept")
	if respond.IsBrowser(r) {
		s.errorPage(w, r, p, f)
		return
	}
	if respond.WantsJSON(r, p) {
		respond.FailJSON(w, r, f)
		return
	}
	kind, line := respond.FailureLine(r, p, f.Say)
	h.Set("Content-Type", kind+"; charset=utf-8")
	if p.Kind == respond.Memento {
		respond.Vary(h, "Sec-Fetch-Dest")
	}
	w.WriteHeader(f.Status)
	if r.Method != http.MethodHead {
		fmt.Fprintln(w, line)
	}
}
