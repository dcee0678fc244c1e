package index

import (
	"context"
	"iter"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
)

// A Snapshot reads captures and cached entries from one state of the index. It is valid until the function that received it returns.
type Snapshot struct{ in view }

// A Prefetch names what will be read in a snapshot, as far as that is known. An index on another machine fetches all of it in one round
// trip. More may be read.
type Prefetch struct {
	Spans  []PrefetchSpan
	Cached []CacheName
	Facts  []HostName
}

// A PrefetchSpan is a span that will be read.
type PrefetchSpan struct {
	cdx.Span      // an exact key, without After, Newest and Skip
	Most     int  // about how many of its captures are needed
	Counted  bool // captures are only counted
}

// moreRows is the number of rows read beyond the captures that are needed, for captures of the same second or of hidden files, and for the
// row that shows where a second ends.
const moreRows = 8

// Read calls f with a snapshot. p names what f reads.
func (x *Index) Read(ctx context.Context, p Prefetch, f func(*Snapshot) error) error {
	return x.view(ctx, func(snap view) error {
		snap.Prefetch(p.reads())
		return f(&Snapshot{snap})
	})
}

func (p *Prefetch) reads() (keys [][]byte, ranges []kv.PrefetchRange) {
	for _, name := range p.Cached {
		keys = append(keys, cacheKeys(name)...)
	}
	for _, h := range p.Facts {
		keys = append(keys, factsKeys(h)...)
	}
	for _, s := range p.Spans {
		ranges = append(ranges, prefetchOf(s.Span, s.Most+moreRows, s.Counted))
	}
	return keys, ranges
}

// prefetchOf returns the range that a walk over the first rows of a span reads.
func prefetchOf(s cdx.Span, rows int, keysOnly bool) kv.PrefetchRange {
	prefix := spanPrefix(s)
	return kv.PrefetchRange{
		Range: kv.Range{Prefix: prefix, Reverse: s.Reverse, KeysOnly: keysOnly, Rows: rows}, From: seekKey(s, prefix),
	}
}

// Captures is [Index.Captures].
func (snap *Snapshot) Captures(s cdx.Span) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		if err := snap.in.captures(s, yield); err != nil && err != errStop {
			yield(nil, err)
		}
	}
}

// Count is [Index.Count] for a span without After and Newest.
func (snap *Snapshot) Count(s cdx.Span) (int64, error) { return snap.in.count(s) }

// Cached returns the entry that [Cache.Get] finds, nil if there is none. Its parts can be read from the snapshot, and later by
// [Cache.Reopen].
func (snap *Snapshot) Cached(name CacheName) (*Cached, error) { return snap.in.cached(name) }

// Facts is [Cache.Facts].
func (snap *Snapshot) Facts(h HostName, f func(facts []byte) error) (found bool, err error) {
	return snap.in.facts(h, f)
}
