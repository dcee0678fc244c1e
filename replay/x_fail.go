package replay

import (
	"fmt"
	"log/slog"
	"net/http"
)

// fail answers with err, as a page for browsers and as a line of text for others.
func (s *pages) fail(w http.ResponseWriter, r *http.Request, p Path, err error) {
	f := asFailure(err)
	if f.status == 499 {
		return
	}
	level := slog.LevelDebug
	if f.status >= 500 {
		level = slog.LevelError
	}
	s.Log.Log(r.Context(), level, "request failed", "target", r.RequestURI, "status", f.status, "error", err)
	h := w.Header()
	for k, v := range f.header {
		h[k] = v
	}
	h.Set("X-Content-Type-Options", "nosniff")
	vary(h, "Accept")
	if isBrowser(r) {
		s.errorPage(w, r, p, f)
		return
	}
	h.Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(f.status)
	if r.Method != http.MethodHead {
		fmt.Fprintf(w, "%s\n", f.say)
	}
}
