package absent

import (
	"fmt"
	"log/slog"
	"maps"
	"net/http"

	"github.com/varve-archive/varve/archive/landing"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// missingPage shows what there is instead of a URI-R without usable captures. It reports whether it could.
func (h *Handler) missingPage(w http.ResponseWriter, r *http.Request, p respond.Path) bool {
	ts, err := respond.Datetime(p)
	if asked, bad := respond.AcceptDatetime(r); p.Kind == respond.TimeGate && asked != 0 && bad == nil {
		ts = asked
	}
	if err != nil {
		return false
	}
	if err = h.Missing(w, r, p, ts, nil); err != nil {
		h.archive.Log.Error("missing page", "target", r.RequestURI, "error", err)
	}
	return err == nil
}

// Missing shows what there is instead of a URI-R without usable captures, at ts. link returns where an alternative
// leads; if it is nil, that is its URI-M.
func (h *Handler) Missing(w http.ResponseWriter, r *http.Request, p respond.Path, ts cdx.Timestamp, link func(uriR string) string) error {
	l, err := landing.Find(r.Context(), h.archive.Timelines, p.Coll, p.URIR, ts)
	if err != nil {
		return err
	}
	v, err := h.view(r, p, l)
	if err != nil {
		return err
	}
	for i := range v.Alternatives {
		if link != nil {
			v.Alternatives[i].Href = link(v.Alternatives[i].URIR)
		}
	}
	return respond.Render(w, r, http.StatusNotFound, landingPage(v))
}

// errorPage shows a failure to a person: what is known, and where to go next.
func (h *Handler) errorPage(w http.ResponseWriter, r *http.Request, p respond.Path, f *respond.Failure) {
	if f.Absent && h.missingPage(w, r, p) {
		return
	}
	v := failureView{Page: h.shared(r, p), Status: f.Status, Detail: layout.Sentence(f.Say)}
	if p.URIR != "" && h.archive.Index.Has(p.Coll) {
		uris := h.site.Local(p.Coll)
		v.Ways = h.ways.From(r, p)
		for i := len(f.Others) - 1; i >= 0 && len(v.Others) < respond.MaxOthers; i-- {
			v.Others = append(v.Others, *respond.CaptureLink(uris, &f.Others[i]))
		}
		if len(f.Others) > 0 {
			v.Calendar = uris.Calendar(p.URIR)
		}
	} else if p.Coll != "" && !h.archive.Index.Has(p.Coll) {
		v.Page = h.shared(r, respond.Path{URIR: p.URIR}) // that of no collection
	}
	v.Feed = ""
	if err := respond.Render(w, r, f.Status, failurePage(v)); err != nil {
		h.archive.Log.Error("error page", "error", err)
		http.Error(w, f.Say, f.Status)
	}
}

// aboutAnswers returns the header fields that describe an answer which failed after its header was made.
func aboutAnswers() []string {
	return []string{
		"Accept-Ranges", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Length", "Content-Location", "Content-Range",
		"Etag", "Last-Modified", "Memento-Datetime", respond.FuzzyHeader,
	}
}

// Fail answers with err: a page for browsers, a line of the expected type for a page's resources, a line of text for others.
func (h *Handler) Fail(w http.ResponseWriter, r *http.Request, p respond.Path, err error) {
	f := respond.AsFailure(err)
	if f.Status == 499 { // the client is gone or ended its input; an empty 200 would look like an answer
		panic(http.ErrAbortHandler)
	}
	level := slog.LevelDebug
	if f.Status >= 500 && (f.Status != http.StatusServiceUnavailable || f.Unwrap() != nil) { // without a cause it asks to wait
		level = slog.LevelError
	}
	h.archive.Log.Log(r.Context(), level, "request failed", "target", r.RequestURI, "status", f.Status, "error", err)
	header := w.Header()
	for _, name := range aboutAnswers() {
		header.Del(name)
	}
	maps.Copy(header, f.Header)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-cache")
	respond.Vary(header, "Accept")
	if respond.IsBrowser(r) {
		h.errorPage(w, r, p, f)
		return
	}
	if respond.WantsJSON(r, p) {
		respond.FailJSON(w, r, f)
		return
	}
	kind, line := respond.FailureLine(r, p, f.Say)
	header.Set("Content-Type", kind+"; charset=utf-8")
	if p.Kind == respond.Memento {
		respond.Vary(header, "Sec-Fetch-Dest")
	}
	w.WriteHeader(f.Status)
	if r.Method != http.MethodHead {
		fmt.Fprintln(w, line)
	}
}
