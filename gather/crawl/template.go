package crawl

import (
	"context"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/fields/sidecar"
)

// writeTemplate writes the template beside the WARC files, for the addresses in the crawl's scope, so that searches find its
// values. It is called again at the end, because redirected seeds may have widened the scope.
func (c documents) writeTemplate(ctx context.Context) error {
	var rules []fields.Rule
	if c.set.Template != nil {
		s, err := c.front.State(ctx)
		if err != nil {
			return err
		}
		rules = []fields.Rule{{URLs: c.scope.patterns(s.Widens), Each: c.set.Template.Each, Fields: c.set.Template.Fields}}
	}
	return sidecar.Write(c.cfg.Dir, c.set.Name, rules)
}

// patterns returns the addresses of the scope as patterns of [fields.Rule]; none means any. They ignore include and exclude, which
// only limit what is requested. widens are the targets of redirected seeds.
func (s *scope) patterns(widens []string) (list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of.Scope == ScopePage {
		return append(append(list, s.of.Seeds...), widens...)
	}
	for _, p := range s.prefixes {
		switch s.of.Scope {
		case ScopePrefix:
			list = append(list, "http://"+p+"*", "http://"+p) // a key has no slash at its end
		case ScopeHost:
			list = append(list, "http://"+p+"/*")
		case ScopeDomain:
			list = append(list, "http://*."+p)
		}
	}
	return list
}
