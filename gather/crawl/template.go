package crawl

import (
	"context"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/fields/sidecar"
)

// writeTemplate puts the template beside the WARC files, for the addresses to which the crawl is confined, so that searches find what it
// takes. It is written again at the end: seeds may have led elsewhere.
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

// patterns returns what pages of the scope have addresses like, as [fields.Rule] has it; none means any. They know nothing of include
// and exclude, which say what is asked for. widens are where seeds were redirected to.
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
