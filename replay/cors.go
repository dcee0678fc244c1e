package replay

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite/header"
)

// A corsWriter limits an answer to the origins that may read it. Handlers set "*" if any origin may.
type corsWriter struct {
	http.ResponseWriter
	s    *Server
	r    *http.Request
	done bool
}

// cors limits the answers of next to the origins that may read them.
func (s *Server) cors(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&corsWriter{ResponseWriter: w, s: s, r: r}, r)
	})
}

func (c *corsWriter) WriteHeader(status int) {
	if !c.done && status >= 200 {
		c.done = true
		p := respond.ParsePath(c.s.site.Within(c.r.RequestURI))
		c.s.restrict(c.Header(), c.r, p)
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *corsWriter) Write(b []byte) (int, error) {
	if !c.done {
		c.WriteHeader(http.StatusOK)
	}
	return c.ResponseWriter.Write(b)
}

// Flush sends what has been written so far.
func (c *corsWriter) Flush() { _ = http.NewResponseController(c.ResponseWriter).Flush() }

// Unwrap lets [http.ResponseController] reach the wrapped writer.
func (c *corsWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// restrict removes the permissions that an origin doesn't have.
func (s *Server) restrict(h http.Header, r *http.Request, p respond.Path) {
	origin := r.Header.Get("Origin")
	switch {
	case s.site.IsReplay(origin) && h.Get("Memento-Datetime") != "":
		s.share(h, origin, p)
		return
	case h.Get("Access-Control-Allow-Origin") != "*":
		return
	case slices.Contains(s.cfg.Origins, "*") && !s.site.HasOriginPerSite():
		return
	case s.site.HasOriginPerSite(): // never "*": the browser would reuse the answer for another archived page
		respond.Vary(h, "Origin")
		if origin != "" && (len(s.cfg.Origins) == 0 || slices.Contains(s.cfg.Origins, "*") || slices.Contains(s.cfg.Origins, origin)) {
			h.Set("Access-Control-Allow-Origin", origin)
			return
		}
	case len(s.cfg.Origins) > 0:
		respond.Vary(h, "Origin")
		if slices.Contains(s.cfg.Origins, origin) {
			h.Set("Access-Control-Allow-Origin", origin)
			return
		}
	case !s.cfg.Private || !showsBytes(h, r, p.Kind):
		return
	}
	withhold(h)
}

// withhold lets no other origin read an answer.
func withhold(h http.Header) {
	h.Del("Access-Control-Allow-Origin")
	h.Del("Access-Control-Expose-Headers")
}

// share lets an archived page read what another archived origin let it read on the live web.
func (s *Server) share(h http.Header, origin string, p respond.Path) {
	respond.Vary(h, "Origin")
	if s.site.SharesWith(p.Coll, h.Get(header.OriginalPrefix+"Access-Control-Allow-Origin"), origin) {
		h.Set("Access-Control-Allow-Origin", origin)
		if h.Get(header.OriginalPrefix+"Access-Control-Allow-Credentials") == "true" {
			h.Set("Access-Control-Allow-Credentials", "true")
		}
		return
	}
	withhold(h)
}

// showsBytes reports whether an answer has archived bytes, or permits a request for some.
func showsBytes(h http.Header, r *http.Request, k respond.Kind) bool {
	return h.Get("Memento-Datetime") != "" || k == respond.Animate || k == respond.Memento && r.Method == http.MethodOptions
}

// preflight answers the request that a browser sends before a cross-origin request. The browser also asks whether a page on the web may
// reach a server on the reader's own machine or network (Private Network Access). Only named origins may.
func (s *Server) preflight(w http.ResponseWriter, r *http.Request, k respond.Kind) {
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
		respond.Vary(w.Header(), "Access-Control-Request-Private-Network")
		if slices.Contains(s.cfg.Origins, "*") || slices.Contains(s.cfg.Origins, r.Header.Get("Origin")) {
			w.Header().Set("Access-Control-Allow-Private-Network", "true")
		}
	}
	if origin := r.Header.Get("Origin"); s.site.IsReplay(origin) && (k == respond.Memento || k == respond.TimeGate) {
		s.preflightReplayed(w, r, origin)
		return
	}
	respond.Preflight(w, k)
}

// preflightReplayed answers the preflight request for an archived page's request to another archived origin, since archives have no such
// answers. The captured answer then decides whether the page may read it.
func (s *Server) preflightReplayed(w http.ResponseWriter, r *http.Request, origin string) {
	h := w.Header()
	respond.Vary(h, "Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers")
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Credentials", "true")
	for asked, allowed := range map[string]string{
		"Access-Control-Request-Method": "Access-Control-Allow-Methods", "Access-Control-Request-Headers": "Access-Control-Allow-Headers",
	} {
		if value := r.Header.Get(asked); value != "" {
			h.Set(allowed, value)
		}
	}
	w.WriteHeader(http.StatusNoContent)
}

// checkOrigins checks the values of Config.Origins: "*", or origins as browsers write them.
func checkOrigins(origins []string) error {
	for _, o := range origins {
		u, err := url.Parse(o)
		if o != "*" && (err != nil || u.Host == "" || u.Scheme+"://"+u.Host != o) {
			return errBadOrigin(o)
		}
	}
	return nil
}

type errBadOrigin string

func (e errBadOrigin) Error() string {
	return "Origins: \"" + string(e) + "\" is neither * nor of the form https://host"
}
