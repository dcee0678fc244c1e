package index

import (
	"context"
	"iter"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
)

// A Look reads captures and what is cached of them, all in one state of the index. It ends with the function that it was passed to.
type Look struct{ snap view }

// A Prefetch is what a look will ask, as far as that is known. An index on another machine answers all of it in one round trip. More may
// be asked.
type Prefetch struct {
	Spans  []PrefetchSpan
	Cached []CacheName
	Facts  []HostName
}

// A PrefetchSpan is a span of a look.
type PrefetchSpan struct {
	cdx.Span      // an exact one, without After, Newest and Skip
	Most     int  // about how many of its captures are wanted
	Counted  bool // they are only counted
}

// moreRows is how many rows are read beyond the captures that are wanted: others of their second, those of files that are not shown, and
// the one that shows where a second ends.
const moreRows = 8

// Look calls f with a look. w says what it will ask.
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

// stretchOf returns what a walk over the first rows of a span reads.
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

// Cached returns what [Index.Cached] finds under a name, nil if there is nothing. Its parts can be read while the look lasts, and by
// [Index.Reopen].
func (l *Look) Cached(name CacheName) (*Cached, error) { return l.snap.cached(name) }

// Facts is [Index.Facts].
func (l *Look) Facts(h HostName, f func(facts []byte) error) (found bool, err error) {
	return l.snap.facts(h, f)
}
