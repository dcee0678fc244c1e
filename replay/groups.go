package replay

import (
	"net/http"
	"net/netip"
	"slices"

	"github.com/varve-archive/varve/replay/respond"
)

// groupHeader names the group of a reader. A server in front sets it, after it has found out who the reader is.
const groupHeader = "X-Varve-Group"

// forReader returns the server for the group of the reader. Who isn't trusted to name a group is everybody. Each group has
// handlers and caches of its own, so that nothing of one is ever sent to another.
func (s *Server) forReader(w http.ResponseWriter, r *http.Request) *Server {
	if len(s.cfg.Trust) == 0 || !s.trusted(r.RemoteAddr) {
		return s
	}
	respond.Vary(w.Header(), groupHeader)
	group := r.Header.Get(groupHeader)
	a := s.archive.For(group)
	if a == s.archive {
		return s
	}
	g, ok := s.groups.Load(a)
	if !ok {
		server := *s
		server.handlers = s.answerFor(group, s.site)
		g, _ = s.groups.LoadOrStore(a, &server)
	}
	return g.(*Server)
}

// trusted reports whether an address, with its port, is one of a server in front.
func (s *Server) trusted(address string) bool {
	from, err := netip.ParseAddrPort(address)
	return err == nil && slices.ContainsFunc(s.cfg.Trust, func(p netip.Prefix) bool { return p.Contains(from.Addr().Unmap()) })
}
