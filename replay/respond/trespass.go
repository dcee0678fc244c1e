package respond

import (
	"net/http"
	"strings"
)

// Trespass returns the failure of a replayed page's request outside its collection, else nil. The page's policy keeps
// its requests inside, but does not cover redirects and what a browser doesn't know. The Referer tells which collection
// the page is in; without one, the page gets nothing of the server's own. Readers may go anywhere.
func (s *Site) Trespass(r *http.Request, p Path) error {
	if p.Kind == Internal && strings.HasPrefix(p.Internal, "static/") || FillsWindow(r) {
		return nil
	}
	home, known := s.replayedIn(r)
	switch {
	case known && home != p.Coll && p.Kind != NoPath:
	case !known && p.Kind == Internal && r.Header.Get("Referer") == "" && r.Header.Get("Sec-Fetch-Site") == "same-origin":
	default:
		return nil
	}
	return &Failure{Status: http.StatusForbidden, Say: "an archived page may not ask for this"}
}

// replayedIn returns the collection of the replayed document that makes a request, or "" if only its origin is known.
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

// staysTogether reports whether answers of a kind stay in one group of windows with the pages that open them, as archived pages did.
func staysTogether(k Kind) bool {
	switch k {
	case Memento, TimeGate, Animate:
		return true
	}
	return false
}

// KeepApart keeps pages from controlling a window that they opened if that shows something that isn't archived, or may show
// another collection of the same origin (HTML, "cross-origin opener policy"; it applies on https and loopback). The Referer
// does not tell the collections apart, since a script can change the address of its page. So where there are several, no
// archived page keeps hold of a window.
func (s *Site) KeepApart(h http.Header, k Kind, several bool) {
	switch {
	case !staysTogether(k):
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
	case several && !s.Apart():
		h.Set("Cross-Origin-Opener-Policy", "noopener-allow-popups")
	}
}
