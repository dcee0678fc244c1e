package respond

import (
	"net/http"
	"strings"
)

// CheckOrigin returns a failure if a replayed page makes a request outside its collection, else nil. The page's policy prevents such
// requests, except by redirects and in browsers that don't support it. The Referer tells the page's collection; without one, the page
// gets nothing of the server's own. Readers may go anywhere.
func (s *Site) CheckOrigin(r *http.Request, p Path) error {
	if p.Kind == Internal && strings.HasPrefix(p.Internal, "static/") || IsTopLevel(r) {
		return nil
	}
	home, known := s.replayedIn(r)
	switch {
	case known && home != p.Coll && p.Kind != NoPath:
	case p.Kind == Internal && r.Header.Get("Referer") == "" && r.Header.Get("Sec-Fetch-Site") == "same-origin":
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

// staysTogether reports whether answers of a kind stay in the browsing context group of the pages that open them, as archived pages did
// on the live web.
func staysTogether(k Kind) bool {
	switch k {
	case Memento, TimeGate, Animate:
		return true
	}
	return false
}

// KeepApart prevents a page from controlling a window that it opened if the window shows something that isn't archived, or may show
// another collection of the same origin (HTML, "cross-origin opener policy"; it applies on https and loopback). The Referer can't
// distinguish the collections, since a script can change the address of its page. So if there are several collections, no archived page
// can control a window.
func (s *Site) KeepApart(h http.Header, k Kind, several bool) {
	switch {
	case !staysTogether(k):
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
	case several && !s.HasOriginPerSite():
		h.Set("Cross-Origin-Opener-Policy", "noopener-allow-popups")
	}
}
