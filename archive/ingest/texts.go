package ingest

import (
	"maps"
	"sync"

	"github.com/zeebo/xxh3"
)

// maxCachedTexts bounds the memory of a textCache, some 40 bytes for each text.
const maxCachedTexts = 1 << 20

// A textCache remembers during a run which text a body has, so that equal bodies are extracted once. It has only texts of finished files,
// because their sketches are certainly in the index.
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

// add adds the texts of a file. Its sketches must have been flushed.
func (t *textCache) add(bodies map[xxh3.Uint128]uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.bodies)+len(bodies) > maxCachedTexts {
		clear(t.bodies)
	}
	maps.Copy(t.bodies, bodies)
}
