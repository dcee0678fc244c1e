package searches

import (
	"os"
	"strings"
	"sync/atomic"
)

// unfit is the mark of a search that is being built under other rules than before. If that build does not end, the search has pages as
// these rules show them and as the rules before did: the next one looks at all of them.
const unfit = "building"

// sameRules reports whether two marks are of the same rules, whatever the day.
func sameRules(a, b string) bool {
	a, _, _ = strings.Cut(a, " ")
	b, _, _ = strings.Cut(b, " ")
	return a == b
}

// A rulesMark says under which access rules a search was built, and on which day if they depend on it ([Policy.mark]). It is
// kept in a file; without it the search was built without rules.
type rulesMark struct {
	path string
	mark atomic.Value // string
}

func (m *rulesMark) read(path string) {
	b, _ := os.ReadFile(path) // what can't be read is not what was built
	m.path = path
	m.mark.Store(string(b))
}

// current returns the mark.
func (m *rulesMark) current() string { return m.mark.Load().(string) }

func (m *rulesMark) put(mark string) error {
	if m.current() == mark {
		return nil
	}
	if err := os.WriteFile(m.path, []byte(mark), 0o644); err != nil {
		return err
	}
	m.mark.Store(mark)
	return nil
}
