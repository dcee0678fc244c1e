package archive

import (
	"context"
	"errors"
	"iter"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index"
	"github.com/varve-archive/varve/change"
)

// NearDuplicate is the similarity from which on two texts are near-duplicates.
const NearDuplicate = 0.75

// A Duplicate is two captures whose texts are alike. Each is the oldest that shows its text at its address.
type Duplicate struct {
	A, B       cdx.Capture
	Similarity float64
}

// Duplicates yields the near-duplicates of a collection: pairs of captures whose texts have a similarity of at
// least least, without comparing all with all; near least the texts themselves are compared, else their sketches. Where several addresses have the very same text, each of them comes once, paired
// with the one that had it first; two texts that differ come once, whatever captures they have. across leaves
// out pairs of two versions of the same address.
//
// Of more than [index.MaxTextGroup] texts that share a band each is compared with half as many others at least, not with all.
func (s *Archive) Duplicates(ctx context.Context, coll string, least float64, across bool) iter.Seq2[Duplicate, error] {
	return func(yield func(Duplicate, error) bool) {
		d := newDuplicates(s, coll, least, across, yield)
		err := d.same(ctx)
		if err == nil {
			err = d.alike(ctx)
		}
		if err != nil && !errors.Is(err, errEnough) {
			yield(Duplicate{}, err)
		}
	}
}

// errEnough ends a search whose reader wants no more.
var errEnough = errors.New("enough")

// cachedTexts bounds how many texts are kept while pairs are sought, some 400 bytes each.
const cachedTexts = 1 << 16

// cachedWhole bounds how many are kept with all their shingles, some 10 kB each.
const cachedWhole = 1 << 12

// unsure is how far from the threshold an estimate may be wrong about it; such texts are read from their records
// and compared shingle by shingle. The worst error seen was 0.157.
const unsure = 0.16

type duplicates struct {
	archive *Archive
	index   *index.Index
	coll    string
	least   float64
	across  bool
	yield   func(Duplicate, error) bool
	texts   *lru.Cache[uint64, *fingerprint]
	whole   *lru.Cache[uint64, []uint64] // shingles
}

// A fingerprint is what two texts are compared by. Its bands are those the index has it under.
type fingerprint struct {
	change.Sketch
	bands []uint32
}

func newDuplicates(s *Archive, coll string, least float64, across bool, yield func(Duplicate, error) bool) *duplicates {
	d := &duplicates{archive: s, index: s.Index, coll: coll, least: least, across: across, yield: yield}
	d.texts, _ = lru.New[uint64, *fingerprint](cachedTexts)
	d.whole, _ = lru.New[uint64, []uint64](cachedWhole)
	return d
}

// same pairs the addresses that have the very same text with the first of them.
func (d *duplicates) same(ctx context.Context) error {
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
		} else if !seen[c.Key] && !d.yield(Duplicate{first, *c, 1}, nil) {
			return errEnough
		}
		seen[c.Key] = true
	}
	return nil
}

// isGood reports whether a capture shows a page rather than the message that there is none.
func isGood(c *cdx.Capture) bool { return c.Status >= 200 && c.Status <= 299 }

// alike pairs texts that share a band and are as alike as is asked for.
func (d *duplicates) alike(ctx context.Context) error {
	for g, err := range d.index.TextGroups(ctx, d.coll) {
		if err != nil {
			return err
		}
		if err := d.group(ctx, g); err != nil {
			return err
		}
	}
	return nil
}

// group compares the texts of a group, each with those behind it.
func (d *duplicates) group(ctx context.Context, g index.TextGroup) error {
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
			if v := change.Similarity(&a.Sketch, &b.Sketch); v >= d.least-unsure {
				if err := d.pair(ctx, g.Texts[i], g.Texts[j], v); err != nil {
					return err
				}
			}
		}
	}
	return ctx.Err()
}

// shareBefore reports whether two texts have met already, in the group of an earlier band.
func shareBefore(a, b *fingerprint, band int) bool {
	for i := range band {
		if a.bands[i] == b.bands[i] {
			return true
		}
	}
	return false
}

// load returns the fingerprints of texts, nil for those that are gone.
func (d *duplicates) load(ctx context.Context, ids []uint64) ([]*fingerprint, error) {
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
		k, err := change.ParseSketchHead(b)
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

// maxTries bounds how many captures of a text are looked at for one of another address.
const maxTries = 32

// pair hands out two texts that are alike by the oldest captures that have them, of two addresses if there are any.
func (d *duplicates) pair(ctx context.Context, a, b uint64, similarity float64) error {
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
	if similarity < d.least+unsure {
		similarity = d.exactly(ctx, &x[0], &y[0], similarity)
	}
	if p.Similarity = similarity; similarity < d.least {
		return nil
	}
	if !d.yield(p, nil) {
		return errEnough
	}
	return nil
}

// exactly compares all shingles of two captures' texts; where a record can't be read the estimate stands.
func (d *duplicates) exactly(ctx context.Context, a, b *cdx.Capture, estimate float64) float64 {
	x, err := d.shingles(ctx, a)
	if err != nil {
		return estimate
	}
	y, err := d.shingles(ctx, b)
	if err != nil {
		return estimate
	}
	return change.Jaccard(x, y)
}

func (d *duplicates) shingles(ctx context.Context, c *cdx.Capture) ([]uint64, error) {
	if known, ok := d.whole.Get(c.Text); ok {
		return known, nil
	}
	t, err := d.archive.Text(ctx, c)
	if err != nil {
		d.archive.Log.Warn("comparing by estimate", "uri", c.URL, "file", c.FileName, "offset", c.Offset, "error", err)
		return nil, err
	}
	out := t.Shingles()
	d.whole.Add(c.Text, out)
	return out, nil
}

func apart(x, y []cdx.Capture) (p Duplicate, differ bool) {
	for i := range x {
		for j := range y {
			if x[i].Key != y[j].Key {
				return Duplicate{A: x[i], B: y[j]}, true
			}
		}
	}
	return Duplicate{A: x[0], B: y[0]}, false
}

// oldest returns the oldest capture of each of the first addresses that show a text.
func (d *duplicates) oldest(ctx context.Context, text uint64) ([]cdx.Capture, error) {
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
