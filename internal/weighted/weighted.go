// Package weighted is a cache that is bounded by what its entries weigh together, not by how many there are.
package weighted

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// A Cache keeps the values that were asked for last. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu    sync.Mutex
	lru   *simplelru.LRU[K, V]
	weigh func(V) int
	most  int
	held  int
}

// New returns a cache whose values weigh at most so much together. A single value may weigh more: it is kept until the
// next one comes. weigh must always say the same of a value.
func New[K comparable, V any](most int, weigh func(V) int) *Cache[K, V] {
	c := &Cache[K, V]{weigh: weigh, most: most}
	c.lru, _ = simplelru.NewLRU(math.MaxInt, func(_ K, v V) { c.held -= weigh(v) }) // the error is for a size of 0
	return c
}

// Get returns the value kept under a key.
func (c *Cache[K, V]) Get(key K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lru.Get(key)
}

// Add keeps a value under a key, in place of the one before, and drops as many of those asked for least lately as it takes.
func (c *Cache[K, V]) Add(key K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Remove(key)
	c.lru.Add(key, v)
	c.held += c.weigh(v)
	for c.held > c.most && c.lru.Len() > 1 {
		c.lru.RemoveOldest()
	}
}

// Len returns how many values are kept, Held what they weigh.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lru.Len()
}

// Held returns what the values that are kept weigh together.
func (c *Cache[K, V]) Held() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held
}
