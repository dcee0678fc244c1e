package crawl

import (
	"slices"
	"sync"
	"time"

	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/runs"
)

// recent keeps the last requests of a run, and the last failures, within limits.
type recent struct {
	mu            sync.Mutex
	asked, failed []runs.Asked // the oldest first
}

// note records the outcome of an item: a status and a size, or a reason why there is none, perhaps with an error.
func (r *recent) note(item frontier.Item, a frontier.Answer, err error) {
	asked := runs.Asked{
		Time: time.Now().UTC(), URL: item.URL, Kind: string(item.Kind), Status: a.Status, Bytes: a.Bytes, Reason: a.Skip.Reason,
	}
	if err != nil {
		asked.Error = err.Error()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = kept(r.asked, asked)
	if asked.Reason != "" || asked.Status >= 400 {
		r.failed = kept(r.failed, asked)
	}
}

// kept appends to a list, and drops the first element if it is full.
func kept(list []runs.Asked, a runs.Asked) []runs.Asked {
	if len(list) == runs.MaxKept {
		list = slices.Delete(list, 0, 1)
	}
	return append(list, a)
}

// Recent returns the last requests and failures of this run, the newest first. It may be called while it runs.
func (c *Crawl) Recent() (asked, failed []runs.Asked) {
	c.recent.mu.Lock()
	defer c.recent.mu.Unlock()
	asked, failed = slices.Clone(c.recent.asked), slices.Clone(c.recent.failed)
	slices.Reverse(asked)
	slices.Reverse(failed)
	return asked, failed
}
