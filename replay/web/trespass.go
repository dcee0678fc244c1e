package web

import (
	"net/http"
	"strings"
)

// Trespass is the failure of what a replayed page asks for outside of its collection, nil for all else. Its policy keeps it
// there, but not where a redirect leads to, and no policy holds what a browser doesn't know of. A page knows whose it is by its
// Referer; where it sends none, it gets nothing of the server's own. Readers may go anywhere.
func (s *Site) Trespass(r *http.Request, p Path) error {
	if p.Kind == Own && strings.HasPrefix(p.Own, "static/") || fillsWindow(r) {
		return nil
	}
	home, known := s.replayedIn(r)
	switch {
	case known && home != p.Coll && p.Kind != NoPath:
	case !known && p.Kind == Own && r.Header.Get("Referer") == "" && r.Header.Get("Sec-Fetch-Site") == "same-origin":
	default:
		return nil
	}
	return &Failure{Status: http.StatusForbidden, Say: "an archived page may not ask for this"}
}

// fillsWindow reports whether a browser asks for what is to fill a window: by what it says, or because it says nothing of what
// it asks for.
func fillsWindow(r *http.Request) bool {
	if dest := r.Header.Get("Sec-Fetch-Dest"); dest != "" {
		return dest == "document"
	}
	return IsNavigation(r)
}

// replayedIn returns the collection of the replayed document that makes a request, "" where only its origin is known.
func (s *Site) replayedIn(r *http.Request) (coll string, known bool) {
	referer := r.Header.Get("Referer")
	if s.ReplayURL != "" && !s.onReplay(r) &&
		(s.labelOf(referer) != "" || referer == s.ReplayURL || strings.HasPrefix(referer, s.ReplayURL+"/")) {
		return "", true
	}
	rest, ok := strings.CutPrefix(referer, s.Base(r)+"/")
	if !ok {
		return "", false
	}
	p := ParsePath("/" + rest)
	return p.Coll, p.Kind == Memento || p.Kind == Animate
}

// together are the kinds of answers that stay in one group of windows with those that open them, as archived pages did.
var together = map[Kind]bool{Memento: true, TimeGate: true, Animate: true}

// KeepApart keeps a window with what isn't archived out of the hands of the pages that opened it (HTML, "cross-origin opener
// policy"; it holds on https and loopback).
func KeepApart(h http.Header, k Kind) {
	if !together[k] {
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
	}
}
