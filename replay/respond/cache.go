package respond

import (
	"bytes"
	"maps"
	"net/http"
	"strconv"

	"github.com/varve-archive/varve/internal/weighted"
)

const (
	cacheBytes     = 32 << 20  // of all cached answers together
	cacheableBytes = 256 << 10 // of one answer
)

// A Cache keeps rewritten answers. A memento never changes, but the targets of its links and its banner may change when
// captures are added. So an answer is valid for one generation of the index.
type Cache struct {
	pages *weighted.Cache[string, *keptPage]
}

type keptPage struct {
	generation uint64
	status     int
	header     http.Header
	body       []byte
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	return &Cache{weighted.New[string](cacheBytes, func(p *keptPage) int { return len(p.body) })}
}

// Send answers from the cache. ok is false if it has no answer of this generation. The error is that of [Conditions].
func (c *Cache) Send(w http.ResponseWriter, r *http.Request, key string, generation uint64) (ok bool, err error) {
	p, ok := c.pages.Get(key)
	if !ok || p.generation != generation {
		return false, nil
	}
	before := w.Header().Clone()
	maps.Copy(w.Header(), p.header)
	if done, err := Conditions(w, r, p.status); done || err != nil {
		if err != nil {
			Unset(w.Header(), before)
		}
		return true, err
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(p.body)))
	w.WriteHeader(p.status)
	_, _ = w.Write(p.body)
	return true, nil
}

// Keep puts an answer into the cache, unless it is nil.
func (c *Cache) Keep(key string, p *keptPage) {
	if p != nil {
		c.pages.Add(key, p)
	}
}

// NewKeeper returns a writer that passes an answer on to w and copies it if keep is true.
func NewKeeper(w http.ResponseWriter, keep bool) *keeper {
	return &keeper{ResponseWriter: w, tooLarge: !keep}
}

// A keeper passes an answer on and copies it, unless it grows too large.
type keeper struct {
	http.ResponseWriter
	status   int
	header   http.Header
	body     bytes.Buffer
	tooLarge bool
}

// WriteHeader records status and headers.
func (k *keeper) WriteHeader(status int) {
	k.status, k.header = status, k.Header().Clone()
	k.ResponseWriter.WriteHeader(status)
}

// Write copies what it passes on.
func (k *keeper) Write(b []byte) (int, error) {
	if k.tooLarge = k.tooLarge || k.body.Len()+len(b) > cacheableBytes; !k.tooLarge {
		k.body.Write(b)
	}
	return k.ResponseWriter.Write(b)
}

// Unwrap lets [http.ResponseController] reach the wrapped writer.
func (k *keeper) Unwrap() http.ResponseWriter { return k.ResponseWriter }

// Page returns the copy, or nil if it must not be kept.
func (k *keeper) Page(generation uint64) *keptPage {
	if k.tooLarge || k.status == 0 {
		return nil
	}
	return &keptPage{generation: generation, status: k.status, header: k.header, body: bytes.Clone(k.body.Bytes())}
}
