package crawl

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/runs"
)

// maxKnown bounds the addresses, documents and pages with documents that a run distinguishes, about 50 bytes each. Beyond it
// everything counts as new.
const maxKnown = 1 << 20

// A tally counts what happens in a run. It is safe for concurrent use.
type tally struct {
	mu     sync.Mutex
	stats  runs.Stats
	met    map[uint64]struct{} // keys of addresses
	owners map[docSum]uint64   // by document: the first place that had it
	taken  map[uint64]taken    // by page
	learnt learner
}

// A docSum is a hash of the values of a document.
type docSum [16]byte

// taken counts the documents of a page, and those among them that existed before.
type taken struct{ docs, equal int64 }

func newTally(started time.Time) *tally {
	return &tally{
		stats: runs.Stats{Started: started.UTC(), Status: map[string]int64{}}, met: map[uint64]struct{}{}, owners: map[docSum]uint64{},
		taken: map[uint64]taken{}, learnt: newLearner(),
	}
}

// found counts a link and its outcome: skipScope, skipExcluded, or others.
func (t *tally) found(key, became string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats.Found++
	switch became {
	case skipScope:
		t.stats.OutOfScope++
		return
	case skipExcluded:
		t.stats.Excluded++
		return
	}
	if sum := xxh3.HashString(key); !t.addKey(sum) {
		t.stats.Known++
	}
}

// addKey records a key, and reports whether it is new.
func (t *tally) addKey(sum uint64) bool {
	if _, known := t.met[sum]; known {
		return false
	}
	if len(t.met) < maxKnown {
		t.met[sum] = struct{}{}
	}
	return true
}

func (t *tally) visited(key string, e *client.Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.addKey(xxh3.HashString(key))
	t.stats.Visited++
	t.stats.Status[strconv.Itoa(e.Status)]++
	t.stats.Bytes += e.Response().Size()
	t.stats.FetchSeconds += e.Took.Seconds()
}

// rendered counts a page that was opened in the browser.
func (t *tally) rendered(took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats.Rendered++
	t.stats.RenderSeconds += took.Seconds()
}

// documents replaces the counts of a page by those of docs, and returns the documents that no other place had first.
func (t *tally) documents(docs []document) (fresh []document) {
	if len(docs) == 0 {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, d := range docs {
		if t.first(d) {
			fresh = append(fresh, d)
		}
	}
	page, now := xxh3.HashString(docs[0].URL), taken{int64(len(docs)), int64(len(docs) - len(fresh))}
	was, again := t.taken[page]
	t.stats.Documents += now.docs - was.docs
	t.stats.Duplicates += now.equal - was.equal
	if !again {
		t.stats.Harvested++
	}
	if len(t.taken) < maxKnown {
		t.taken[page] = now
	}
	return fresh
}

// first reports whether no other place had a document before.
func (t *tally) first(d document) bool {
	text, err := json.Marshal(d.Values)
	if err != nil { // can't fail
		return true
	}
	var sum docSum
	whole := sha256.Sum256(text)
	copy(sum[:], whole[:])
	place := xxh3.HashString(d.URL + "\x00" + strconv.Itoa(d.Row))
	owner, known := t.owners[sum]
	if !known && len(t.owners) < maxKnown {
		t.owners[sum] = place
	}
	return !known || owner == place
}

func (t *tally) learn(address string, text uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.learnt.note(address, text)
}

// remember records the documents of earlier runs.
func (t *tally) remember(ctx context.Context, c *Crawl) error {
	if c.set.template == nil {
		return nil
	}
	return c.documents(ctx, func(d document) error {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.first(d)
		return nil
	})
}

func (t *tally) snapshot() *runs.Stats {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.stats
	s.Status = maps.Clone(s.Status)
	s.Parameters = t.learnt.parameters()
	return &s
}
