package timeline

import (
	"context"
	"math"
	"slices"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
)

// sketchedTogether bounds how many texts are read together, some kilobytes each.
const sketchedTogether = 5_000

// Prefetch reads the timelines of some keys and their versions at level text, for those who will get each: in two round trips to an index
// on another machine. On this machine they are read as well one by one, and side by side.
func (t *Timelines) Prefetch(ctx context.Context, coll string, keys []string) error {
	if !t.index.Whole.Shared() || len(keys) < 2 {
		return nil
	}
	return t.prefetch(ctx, coll, keys)
}

func (t *Timelines) prefetch(ctx context.Context, coll string, keys []string) error {
	pages, err := t.readTogether(ctx, coll, keys)
	if err != nil {
		return err
	}
	sketches, err := t.sketch(ctx, pages)
	if err != nil {
		return err
	}
	for _, tl := range pages {
		if err := tl.rangesFrom(&Sketches{index: t.index, page: tl, cached: sketches}); err != nil {
			return err
		}
	}
	return nil
}

// rangesFrom works out the versions at level text with sketches that were read already.
func (t *Timeline) rangesFrom(src *Sketches) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := t.level(change.LevelText, src)
	return err
}

// readTogether returns the timelines of some keys, each once. What is not in the cache is read, and comes into it.
func (t *Timelines) readTogether(ctx context.Context, coll string, keys []string) (pages []*Timeline, err error) {
	var reads index.Prefetch
	var missing []*Timeline
	generation := t.index.Generation()
	for _, key := range keys {
		if slices.ContainsFunc(slices.Concat(pages, missing), func(tl *Timeline) bool { return tl.Key == key }) {
			continue
		}
		for _, host := range t.sites.prefetch(coll, key) {
			if !slices.Contains(reads.Facts, host) {
				reads.Facts = append(reads.Facts, host)
			}
		}
		if tl, ok := t.cached(coll + "\x00" + key); ok {
			pages = append(pages, tl)
			continue
		}
		missing = append(missing, t.blank(coll, key))
		reads.Spans = append(reads.Spans, index.PrefetchSpan{Span: cdx.Span{Coll: coll, From: key, Exact: true}, Most: manyCaptures})
	}
	if len(reads.Spans) == 0 && len(reads.Facts) == 0 {
		return pages, nil
	}
	err = t.index.Read(ctx, reads, func(snap *view.Snapshot) error {
		for i, tl := range missing {
			if _, err := tl.fill(snap.Captures(reads.Spans[i].Span), math.MaxInt); err != nil {
				return err
			}
			t.keep(coll+"\x00"+tl.Key, tl)
			pages = append(pages, tl)
		}
		return t.sites.take(snap, reads.Facts, generation)
	})
	return pages, err
}

// sketch reads the sketches from which the versions of pages at level text are told, as far as these are not known and not cached in the
// index.
func (t *Timelines) sketch(ctx context.Context, pages []*Timeline) (map[uint64]*sketch.Sketch, error) {
	all := map[uint64]*sketch.Sketch{}
	var ids []uint64
	for _, tl := range pages {
		if len(tl.Captures) > t.many || tl.knows(change.LevelText) {
			continue
		}
		for i := range tl.Captures {
			id := tl.Captures[i].Text
			if _, ok := all[id]; id != 0 && !ok && len(ids) < sketchedTogether {
				all[id], ids = nil, append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return all, t.index.Texts(ctx, ids, func(id uint64, b []byte) error {
		k, err := sketch.Parse(b)
		all[id] = &k
		return err
	})
}

// knows reports whether the versions at a level were worked out.
func (t *Timeline) knows(l change.Level) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ranges[l] != nil
}
