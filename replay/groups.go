package replay

import (
	"net/http"
	"net/netip"
	"slices"
	"sync"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/replay/web"
)

// groupHeader names the group of a reader. A server in front sets it, after it has found out who the reader is.
const groupHeader = "X-Varve-Group"

// groups are servers for readers of groups. Each has handlers and caches of its own, so that nothing of one group is
// ever sent to another.
type groups struct {
	mu sync.Mutex
	of map[*archive.Archive]*Server
}

// forReader returns the server for the group of the reader. Who isn't trusted to name a group is everybody.
func (s *Server) forReader(w http.ResponseWriter, r *http.Request) *Server {
	if len(s.trust) == 0 || !s.trusted(r.RemoteAddr) {
		return s
	}
	web.Vary(w.Header(), groupHeader)
	a := s.archive.For(r.Header.Get(groupHeader))
	if a == s.archive {
		return s
	}
	s.groups.mu.Lock()
	defer s.groups.mu.Unlock()
	g := s.groups.of[a]
	if g == nil {
		if s.groups.of == nil {
			s.groups.of = map[*archive.Archive]*Server{}
		}
		server := *s
		g = &server
		g.answerFrom(a)
		s.groups.of[a] = g
	}
	return g
}

// trusted reports whether an address, with its port, is one of a server in front.
func (s *Server) trusted(address string) bool {
	from, err := netip.ParseAddrPort(address)
	return err == nil && slices.ContainsFunc(s.trust, func(p netip.Prefix) bool { return p.Contains(from.Addr().Unmap()) })
}
