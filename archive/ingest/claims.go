package ingest

import (
	"sync"

	"github.com/varve-archive/varve/archive/warc"
)

// Claims are stored files that are being indexed by somebody who announced them before they could be found, such as uploads. Runs skip
// these files, so that none is indexed twice. The zero value is ready to use.
type Claims struct {
	mu    sync.Mutex
	paths map[string]bool
}

// Take claims the file that will be at path. Call release when the index has the file, or it won't be indexed.
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

// has reports whether the file at path, or the WACZ that it is a member of, is claimed.
func (c *Claims) has(path string) bool {
	if c == nil {
		return false
	}
	outer, _, _ := warc.CutMember(path)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.paths[outer]
}
