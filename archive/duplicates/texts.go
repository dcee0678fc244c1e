package duplicates

import (
	"context"
	"errors"
	"iter"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Near is the lowest similarity at which two texts count as near-duplicates.
const Near = 0.75

// A TextPair is a pair of captures whose texts are alike. Each capture is the oldest that shows its text at its
// URI-R.
type TextPair struct {
	A, B       cdx.Capture
	Similarity float64
}

// Texts yields the near-duplicates of a collection: pairs of captures whose texts have at least the similarity
// threshold. It compares only texts that share a band of their sketches. Close to the threshold it compares the texts
// themselves, elsewhere their sketches.
//
// If several URI-Rs have the very same text, each is paired once with the URI-R that had it first, and these pairs come before all
// others. Two different texts make one pair, however many captures show them; package duplicates makes groups of them, and all pairs of
// captures. If across is set, pairs of two versions of one URI-R are left out.
//
// In a group of more than [index.MaxTextGroup] texts that share a band, each text is compared with at least half of
// MaxTextGroup others, not with all.
func Texts(ctx context.Context, s *archive.Archive, coll string, threshold float64, across bool) iter.Seq2[TextPair, error] {
	return func(yield func(TextPair, error) bool) {
		d := newComparer(s, coll, threshold, across, yield)
		err := d.pairSameTexts(ctx)
		if err == nil {
			err = d.pairSimilarTexts(ctx)
		}
		if err != nil && !errors.Is(err, errEnough) {
			yield(TextPair{}, err)
		}
	}
}

// errEnough ends the search when the consumer wants no more pairs.
const errEnough = sentinel.Error("enough")

// cachedTexts bounds how many sketches are cached during the search, about 400 bytes each.
const cachedTexts = 1 << 16

// cachedWhole bounds how many texts are cached with all their shingles, about 10 kB each.
const cachedWhole = 1 << 12

// estimateError is the distance from the threshold within which a sketch's estimate may be on the wrong side. Such
// texts are read from their records and compared shingle by shingle. The worst error seen was 0.157.
const estimateError = 0.16

type comparer struct {
	archive   *archive.Archive
	index     *view.View
	coll      string
	threshold float64
	across    bool
	yield     func(TextPair, error) bool
	texts     *lru.Cache[uint64, *fingerprint]
	whole     *lru.Cache[uint64, []uint64] // shingles
}

// A fingerprint is the sketch of a text and the bands under which the index stores it.
type fingerprint struct {
	sketch.Sketch
	bands []uint32
}

func newComparer(s *archive.Archive, coll string, threshold float64, across bool, yield func(TextPair, error) bool) *comparer {
	d := &comparer{archive: s, index: s.Index, coll: coll, threshold: threshold, across: across, yield: yield}
	d.texts, _ = lru.New[uint64, *fingerprint](cachedTexts)
	d.whole, _ = lru.New[uint64, []uint64](cachedWhole)
	return d
}

// pairSameTexts pairs every URI-R that has a text with the first one that had the very same text.
func (d *comparer) pairSameTexts(ctx context.Context) error {
	var first cdx.Capture
	seen := map[string]bool{}
	for c, err := range d.index.ByText(ctx, d.coll) {
		if err != nil {
			return err
		}
		if !isGood(c) {
			continue
		}
		if c.Text != first.Text {
			first = *c
			clear(seen)
		} else if !seen[c.Key] && !d.yield(TextPair{first, *c, 1}, nil) {
			return errEnough
		}
		seen[c.Key] = true
	}
	return nil
}

// isGood reports whether a capture shows content rather than an error page.
func isGood(c *cdx.Capture) bool { return c.Status >= 200 && c.Status <= 299 }

// pairSimilarTexts pairs different texts that share a band and reach the threshold.
func (d *comparer) pairSimilarTexts(ctx context.Context) error {
	for g, err := range d.index.TextGroups(ctx, d.coll) {
		if err != nil {
			return err
		}
		if err := d.compareGroup(ctx, g); err != nil {
			return err
		}
	}
	return nil
}

// compareGroup compares each text of a group with those after it.
func (d *comparer) compareGroup(ctx context.Context, g index.TextGroup) error {
	prints, err := d.load(ctx, g.Texts)
	if err != nil {
		return err
	}
	for i, a := range prints {
		for j := max(i+1, g.Met); a != nil && j < len(prints); j++ {
			b := prints[j]
			if b == nil || shareBefore(a, b, g.Band) {
				continue
			}
			if v := sketch.Similarity(&a.Sketch, &b.Sketch); v >= d.threshold-estimateError {
				if err := d.yieldPair(ctx, g.Texts[i], g.Texts[j], v); err != nil {
					return err
				}
			}
		}
	}
	return ctx.Err()
}

// shareBefore reports whether two texts already met in the group of an earlier band.
func shareBefore(a, b *fingerprint, band int) bool {
	for i := range band {
		if a.bands[i] == b.bands[i] {
			return true
		}
	}
	return false
}

// load returns the fingerprints of texts, nil for those that the index no longer has.
func (d *comparer) load(ctx context.Context, ids []uint64) ([]*fingerprint, error) {
	out := make([]*fingerprint, len(ids))
	var want []uint64
	at := map[uint64]int{}
	for i, id := range ids {
		if f, ok := d.texts.Get(id); ok {
			out[i] = f
		} else {
			want, at[id] = append(want, id), i
		}
	}
	err := d.index.Texts(ctx, want, func(id uint64, b []byte) error {
		k, err := sketch.ParseHead(b)
		if err != nil {
			return err
		}
		f := &fingerprint{k, k.MinHash.Bands()}
		d.texts.Add(id, f)
		out[at[id]] = f
		return nil
	})
	return out, err
}

// maxTries bounds how many captures of a text are read to find one of a second URI-R.
const maxTries = 32

// yieldPair yields the oldest captures that show two similar texts, of two different URI-Rs if possible.
func (d *comparer) yieldPair(ctx context.Context, a, b uint64, similarity float64) error {
	x, err := d.oldest(ctx, a)
	if err != nil || len(x) == 0 {
		return err
	}
	y, err := d.oldest(ctx, b)
	if err != nil || len(y) == 0 {
		return err
	}
	p, differ := apart(x, y)
	if d.across && !differ {
		return nil
	}
	if similarity < d.threshold+estimateError {
		if similarity, err = d.exactSimilarity(ctx, &x[0], &y[0], similarity); err != nil {
			return err
		}
	}
	p.Similarity = min(similarity, sketch.NearlySame) // numbers don't count, so two texts may seem equal
	if p.Similarity < d.threshold {
		return nil
	}
	if !d.yield(p, nil) {
		return errEnough
	}
	return nil
}

// exactSimilarity compares all shingles of the texts of two captures. If a record can't be read it returns the
// estimate.
func (d *comparer) exactSimilarity(ctx context.Context, a, b *cdx.Capture, estimate float64) (float64, error) {
	var shingles [2][]uint64
	for i, c := range []*cdx.Capture{a, b} {
		var err error
		if shingles[i], err = d.shingles(ctx, c); errors.Is(err, archive.ErrUnavailable) || ctx.Err() != nil {
			return 0, err
		} else if err != nil {
			return estimate, nil
		}
	}
	return sketch.Jaccard(shingles[0], shingles[1]), nil
}

func (d *comparer) shingles(ctx context.Context, c *cdx.Capture) ([]uint64, error) {
	if known, ok := d.whole.Get(c.Text); ok {
		return known, nil
	}
	t, err := d.archive.Text(ctx, c)
	if err != nil {
		d.archive.Log.Warn("a text can't be read: comparing by estimate", "uri", c.URL, "file", c.FileName, "offset", c.Offset, "error", err)
		return nil, err
	}
	out := sketch.Shingles(&t)
	d.whole.Add(c.Text, out)
	return out, nil
}

// apart returns the first pair of captures of two different URI-Rs, and whether there is one.
func apart(x, y []cdx.Capture) (p TextPair, differ bool) {
	for i := range x {
		for j := range y {
			if x[i].Key != y[j].Key {
				return TextPair{A: x[i], B: y[j]}, true
			}
		}
	}
	return TextPair{A: x[0], B: y[0]}, false
}

// oldest returns the oldest captures that show a text, at most one for each of the first two URI-Rs.
func (d *comparer) oldest(ctx context.Context, text uint64) ([]cdx.Capture, error) {
	var out []cdx.Capture
	n := 0
	for c, err := range d.index.WhereText(ctx, d.coll, text) {
		if err != nil {
			return nil, err
		}
		if isGood(c) && (len(out) == 0 || out[0].Key != c.Key) {
			out = append(out, *c)
		}
		if n++; n == maxTries || len(out) == 2 {
			break
		}
	}
	return out, nil
}
