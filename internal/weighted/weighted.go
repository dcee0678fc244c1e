// Package weighted provides a cache that bounds the total weight of its entries rather than their number.
package weighted

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// A Cache keeps the most recently used values. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu    sync.Mutex
	lru   *simplelru.LRU[K, V]
	weigh func(V) int
	most  int
	held  int
}

// New returns a cache whose values weigh at most most together. A heavier value is kept until the next one is added.
// weigh must always return the same weight for a value.
func New[K comparable, V any](most int, weigh func(V) int) *Cache[K, V] {
	c := &Cache[K, V]{weigh: weigh, most: most}
	c.lru, _ = simplelru.NewLRU(math.MaxInt, func(_ K, v V) { c.held -= weigh(v) }) // the error is for a size of 0
	return c
}

// Get returns the value of a key.
func (c *Cache[K, V]) Get(key K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lru.Get(key)
}

// Add sets the value of a key and drops as many of the least recently used values as necessary.
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

// Remove drops the value of a key.
func (c *Cache[K, V]) Remove(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Remove(key)
}

// Len returns the number of values.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lru.Len()
}

// Held returns the total weight of the values.
func (c *Cache[K, V]) Held() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held
}
