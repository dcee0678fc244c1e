package index

import (
	"context"
	"iter"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
)

// A Look reads captures and cached entries from one snapshot of the index. It is valid until the function that received it returns.
type Look struct{ snap view }

// A Prefetch announces what a look will read, as far as that is known. An index on another machine fetches all of it in one round trip. The
// look may read more.
type Prefetch struct {
	Spans  []PrefetchSpan
	Cached []CacheName
	Facts  []HostName
}

// A PrefetchSpan is a span that a look will read.
type PrefetchSpan struct {
	cdx.Span      // an exact key, without After, Newest and Skip
	Most     int  // about how many of its captures are needed
	Counted  bool // captures are only counted
}

// moreRows is the number of rows read beyond the captures that are needed, for captures of the same second or of hidden files, and for the
// row that shows where a second ends.
const moreRows = 8

// Look calls f with a look. w announces its reads.
func (x *Index) Look(ctx context.Context, w Prefetch, f func(*Look) error) error {
	return x.view(ctx, func(snap view) error {
		snap.Ahead(w.ahead())
		return f(&Look{snap})
	})
}

func (w *Prefetch) ahead() (keys [][]byte, stretches []kv.Stretch) {
	for _, name := range w.Cached {
		keys = append(keys, cacheKeys(name)...)
	}
	for _, h := range w.Facts {
		keys = append(keys, factsKeys(h)...)
	}
	for _, s := range w.Spans {
		stretches = append(stretches, stretchOf(s.Span, s.Most+moreRows, s.Counted))
	}
	return keys, stretches
}

// stretchOf returns the stretch that a walk over the first rows of a span reads.
func stretchOf(s cdx.Span, rows int, keysOnly bool) kv.Stretch {
	prefix := spanPrefix(s)
	return kv.Stretch{
		Range: kv.Range{Prefix: prefix, Reverse: s.Reverse, KeysOnly: keysOnly, Rows: rows}, From: seekKey(s, prefix),
	}
}

// Captures is [Index.Captures].
func (l *Look) Captures(s cdx.Span) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		if err := l.snap.captures(s, yield); err != nil && err != errStop {
			yield(nil, err)
		}
	}
}

// Count is [Index.Count] for a span without After and Newest.
func (l *Look) Count(s cdx.Span) (int64, error) { return l.snap.count(s) }

// Cached returns the entry that [Cache.Get] finds, nil if there is none. Its parts can be read during the look, and later by
// [Cache.Reopen].
func (l *Look) Cached(name CacheName) (*Cached, error) { return l.snap.cached(name) }

// Facts is [Cache.Facts].
func (l *Look) Facts(h HostName, f func(facts []byte) error) (found bool, err error) {
	return l.snap.facts(h, f)
}
