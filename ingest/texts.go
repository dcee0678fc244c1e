package ingest

import (
	"maps"
	"sync"

	"github.com/zeebo/xxh3"
)

// maxCachedTexts bounds the memory of what a run remembers, some 40 bytes each.
const maxCachedTexts = 1 << 20

// A textCache remembers, for a run, which text a body has, so that equal bodies are read once.
// It only speaks of texts whose sketches are in the index: those of finished files.
type textCache struct {
	mu     sync.Mutex
	bodies map[xxh3.Uint128]uint64
}

func newTextCache() *textCache { return &textCache{bodies: map[xxh3.Uint128]uint64{}} }

func (t *textCache) get(body xxh3.Uint128) (text uint64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	text, ok = t.bodies[body]
	return text, ok
}

// add takes over what a file's scan has learnt, once its sketches are flushed.
func (t *textCache) add(bodies map[xxh3.Uint128]uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.bodies)+len(bodies) > maxCachedTexts {
		clear(t.bodies)
	}
	maps.Copy(t.bodies, bodies)
}
