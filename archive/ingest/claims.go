package ingest

import (
	"sync"

	"github.com/varve-archive/varve/archive/warc"
)

// Claims are stored files that somebody indexes who said so before anybody could find them. Runs that know of the claims
// pass these files over: two runs over one file would index it twice. The zero value is ready to use.
type Claims struct {
	mu    sync.Mutex
	paths map[string]bool
}

// Take claims the file that will be at path. release takes the claim back: the index has the file, or nobody will index it.
func (c *Claims) Take(path string) (release func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paths == nil {
		c.paths = map[string]bool{}
	}
	c.paths[path] = true
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.paths, path)
	}
}

// has reports whether the file at path, or the one that it is a member of, is claimed.
func (c *Claims) has(path string) bool {
	if c == nil {
		return false
	}
	outer, _, _ := warc.CutMember(path)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.paths[outer]
}
