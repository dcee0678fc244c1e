package crawl

import (
	neturl "net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/varve-archive/varve/rewrite/reference"
)

// A scope decides which pages belong to a crawl.
type scope struct {
	of       *Settings
	mu       sync.Mutex
	prefixes []string // hosts or prefixes of addresses, by the kind of scope
}

func newScope(s *Settings) *scope {
	all := &scope{of: s}
	for _, seed := range s.Seeds {
		all.widen(seed)
	}
	return all
}

// widen extends the scope by the target of a redirected seed.
func (s *scope) widen(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var prefix string
	switch s.of.Scope {
	case ScopePrefix:
		prefix = folderOf(address)
	case ScopeHost, ScopeDomain:
		prefix = bareHost(address)
	default:
		return
	}
	if !slices.Contains(s.prefixes, prefix) {
		s.prefixes = append(s.prefixes, prefix)
	}
}

// folderOf returns an address up to its last slash, without scheme and "www.".
func folderOf(address string) string {
	u, err := neturl.Parse(address)
	if err != nil {
		return address
	}
	return bareHost(address) + u.EscapedPath()[:strings.LastIndexByte(u.EscapedPath(), '/')+1]
}

// bareHost returns the host of an address without "www." and a point at its end, as SURTs do.
func bareHost(address string) string {
	host := strings.Replace(reference.Host(address), ".:", ":", 1)
	return strings.TrimPrefix(strings.TrimSuffix(host, "."), "www.")
}

// holds reports whether a linked address belongs to the crawl.
func (s *scope) holds(address string) bool {
	return s.within(address) && s.included(address) && !s.excluded(address)
}

func (s *scope) within(address string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.of.Scope {
	case ScopePage:
		return false
	case ScopeAny:
		return true
	}
	host := bareHost(address)
	u, err := neturl.Parse(address)
	if err != nil {
		return false
	}
	for _, p := range s.prefixes {
		switch {
		case s.of.Scope == ScopePrefix && strings.HasPrefix(host+u.EscapedPath(), p),
			s.of.Scope != ScopePrefix && host == p,
			s.of.Scope == ScopeDomain && strings.HasSuffix(host, "."+p):
			return true
		}
	}
	return false
}

func (s *scope) included(address string) bool {
	return len(s.of.include) == 0 || matchAny(s.of.include, address)
}

func (s *scope) excluded(address string) bool { return matchAny(s.of.exclude, address) }

func matchAny(list []*regexp.Regexp, address string) bool {
	return slices.ContainsFunc(list, func(re *regexp.Regexp) bool { return re.MatchString(address) })
}
