package searches

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"

	"github.com/varve-archive/varve/internal/disk"
)

// unfitMark is the mark of a search whose build under new rules has begun. If the build doesn't end, the search has pages under old and new
// rules, so the next build checks all pages.
const unfitMark = "building"

// sameRules reports whether two marks are of the same rules, on any day.
func sameRules(a, b string) bool {
	a, _, _ = strings.Cut(a, " ")
	b, _, _ = strings.Cut(b, " ")
	return a == b
}

// A rulesMark stores under which access rules a search was built, and on which day if they depend on it ([access.Policy.Mark]). It is
// kept in a file; without that the search was built without rules.
type rulesMark struct {
	path string
	mark atomic.Value // string
}

func (m *rulesMark) read(path string) {
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // there are marks, but which is unknown
		b = []byte(unfitMark)
	}
	m.path = path
	m.mark.Store(string(b))
}

func (m *rulesMark) current() string { return m.mark.Load().(string) }

func (m *rulesMark) put(mark string) error {
	if m.current() == mark {
		return nil
	}
	if err := disk.Write(m.path, []byte(mark), 0o644); err != nil {
		return err
	}
	m.mark.Store(mark)
	return nil
}
