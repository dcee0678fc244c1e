package static

import (
	"net/http"
	"strings"
)

// Handler serves the embedded files under [Prefix]. A client may keep a file that it requested with its version (see
// [URL]) for a year. Without a version, or with another one, it has to revalidate, by ETag. Every origin may load the
// files, because archived pages may have a separate origin.
func Handler() http.Handler {
	return http.HandlerFunc(serve)
}

func serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "static files answer GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	a, ok := assets()[strings.TrimPrefix(r.URL.Path, Prefix)]
	if !ok {
		http.Error(w, "no such static file", http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.mime)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Cache-Control", cacheControl(r.URL.Query().Get("v") == a.hash))
	a.send(w, r)
}

func cacheControl(exactVersion bool) string {
	if exactVersion {
		return "public, max-age=31536000, immutable"
	}
	return "public, no-cache"
}
