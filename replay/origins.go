package replay

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// With a ReplayURL the server has two origins, which keeps archived scripts from whatever the server's own origin
// may do: the replay origin answers with mementos, animations of them and static files only, the main one with everything else. Each
// knows itself by the Host of a request (see docs/isolation.md).

// onReplay reports whether r came to the replay origin.
func (s *Server) onReplay(r *http.Request) bool {
	if s.ReplayURL == "" {
		return false
	}
	u, err := url.Parse(s.ReplayURL)
	return err == nil && strings.EqualFold(r.Host, u.Host)
}

// elsewhere sends a request to the origin that answers it: for archived pages the replay origin, for all else the server's
// own. It reports whether there was nothing left to do. Data that any origin may read the banner asks for where it stands.
func (s *Server) elsewhere(w http.ResponseWriter, r *http.Request, p Path) (done bool, err error) {
	if s.ReplayURL == "" || p.Kind == Own && strings.HasPrefix(p.Own, "static/") {
		return false, nil
	}
	there := s.ReplayURL
	switch onReplay := s.onReplay(r); {
	case onReplay == (p.Kind == Memento || p.Kind == Animate), onReplay && p.Kind == Changes && !isBrowser(r):
		return false, nil
	case onReplay && s.PublicURL == "":
		return false, notFound("this origin has archived pages only")
	case onReplay:
		there = s.PublicURL
	}
	allowOrigins(w.Header())
	redirect(w, there+strings.TrimPrefix(r.RequestURI, s.path()))
	return true, nil
}

// checkOrigins checks that the two origins are two, and that one path holds for both.
func checkOrigins(public, replay string) error {
	if public == "" || replay == "" {
		return nil
	}
	p, err := url.Parse(public)
	if err != nil {
		return err
	}
	r, err := url.Parse(replay)
	if err != nil {
		return err
	}
	if strings.EqualFold(p.Host, r.Host) {
		return fmt.Errorf("%q is the server's own origin: it must be another host or port", replay)
	}
	if p.Path != r.Path {
		return fmt.Errorf("%q must have the same path as %q", replay, public)
	}
	return nil
}
