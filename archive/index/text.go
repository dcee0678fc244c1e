package index

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
)

// AddText stores the sketch of a visible text under its fingerprint and adds the text to each of its bands, so that [Texts.Similar] finds
// it in this Writer's collection. bands may be nil. AddText keeps neither slice.
func (w *Writer) AddText(id uint64, sketch []byte, bands []uint32) error {
	if w.err != nil {
		return w.err
	}
	for i, hash := range bands {
		w.bands = append(w.bands, heldBand{hashIn(i, hash), id})
	}
	if len(w.bands) >= maxHeldBands {
		if err := w.putBands(); err != nil {
			return err
		}
	}
	return w.batch.Set(textKey(id), encodeText(bands, sketch))
}

// encodeText puts the bands before the sketch, because a sweep needs them and can't read sketches.
func encodeText(bands []uint32, sketch []byte) []byte {
	v := make([]byte, 0, 2+4*len(bands)+len(sketch))
	v = append(v, byte(len(bands)))
	for _, hash := range bands {
		v = binary.BigEndian.AppendUint32(v, hash)
	}
	return append(v, sketch...)
}

const errShortText = sentinel.Error("index: a text's entry is cut short")

// splitText splits the value of a text's entry.
func splitText(v []byte) (bands []uint32, sketch []byte, err error) {
	if len(v) == 0 || len(v) < 1+4*int(v[0]) {
		return nil, nil, errShortText
	}
	bands = make([]uint32, v[0])
	for i := range bands {
		bands[i] = binary.BigEndian.Uint32(v[1+4*i:])
	}
	return bands, v[1+4*len(bands):], nil
}

func placeText(b kv.Batch, coll string, c *cdx.Capture) error {
	if c.Text == 0 {
		return nil
	}
	return b.Set(placeKey(coll, c), []byte(c.Key))
}

// removePlace deletes the place of a revisit's text. It has one only if its original has another SURT.
func removePlace(b kv.Batch, coll string, rev *cdx.Capture) error {
	if rev.Text == 0 {
		return nil
	}
	k := placeKey(coll, rev)
	return errors.Join(suspect(b, coll, k), b.Delete(k))
}

func placeKey(coll string, c *cdx.Capture) []byte {
	return appendTail(append(whereKey(coll, c.Text), 0), c.Time, c.File, c.Offset)
}

// ErrNoText says that the index has no sketch of a text.
const ErrNoText = kv.ErrNoKey

// Texts gives access to the texts of captures, as sketches.
type Texts struct{ x *Index }

// Get calls f with the sketch stored under id; the bytes are valid until f returns. If there is none, it returns
// [kv.ErrNoKey].
func (t Texts) Get(ctx context.Context, id uint64, f func(sketch []byte) error) error {
	return t.x.store.View(ctx, func(s kv.Snapshot) error {
		return s.Get(textKey(id), func(v []byte) error { return withSketch(v, f) })
	})
}

// withSketch calls f with the sketch in the value of a text's entry.
func withSketch(v []byte, f func(sketch []byte) error) error {
	if len(v) == 0 || len(v) < 1+4*int(v[0]) {
		return errShortText
	}
	return f(v[1+4*int(v[0]):])
}

// Has reports whether a sketch is stored under id. While a [Writer] is at work, no sketch is deleted.
func (t Texts) Has(ctx context.Context, id uint64) (bool, error) {
	err := t.x.store.View(ctx, func(s kv.Snapshot) error { return s.Get(textKey(id), func([]byte) error { return nil }) })
	if errors.Is(err, kv.ErrNoKey) {
		return false, nil
	}
	return err == nil, err
}

// Each calls f with each sketch that is stored under one of ids, in one snapshot.
func (t Texts) Each(ctx context.Context, ids []uint64, f func(id uint64, sketch []byte) error) error {
	keys := make([][]byte, len(ids))
	for i, id := range ids {
		keys[i] = textKey(id)
	}
	return t.x.store.View(ctx, func(s kv.Snapshot) error {
		return s.GetMany(keys, func(i int, v []byte) error {
			return withSketch(v, func(sketch []byte) error { return f(ids[i], sketch) })
		})
	})
}

// Captures yields the captures of a collection that have this visible text, oldest first, without revisits of the same SURT.
func (t Texts) Captures(ctx context.Context, coll string, id uint64) iter.Seq2[*cdx.Capture, error] {
	return t.placed(ctx, coll, whereKey(coll, id), func(c *cdx.Capture) bool { return c.Text == id })
}

// placed yields the captures at the places with this prefix for which fits returns true: a capture that was overwritten may have another
// text now.
func (t Texts) placed(ctx context.Context, coll string, prefix []byte, fits func(*cdx.Capture) bool) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		runOn(ctx, t.x, yield, func(snap view) error {
			return kv.Each(snap, kv.Range{Prefix: prefix}, prefix, func(cur kv.Cursor) error {
				c, err := snap.captureAt(coll, cur)
				if err == nil && c != nil && fits(c) && !yield(c, nil) {
					return errStop
				}
				return err
			})
		})
	}
}

// captureAt reads the capture at cursor cur, whose key has its position and whose value is the SURT. It returns nil if the file is hidden
// or the capture is gone.
func (snap view) captureAt(coll string, cur kv.Cursor) (*cdx.Capture, error) {
	_, ts, loc, ok := splitTail(cur.Key(), len(coll))
	if !ok {
		return nil, nil
	}
	file, ok := snap.files.visible(loc.File, loc.Offset)
	if !ok {
		return nil, nil
	}
	c := &cdx.Capture{Time: ts, Location: loc}
	if err := cur.Value(func(v []byte) error { c.Key = string(v); return nil }); err != nil {
		return nil, err
	}
	err := snap.Get(captureKey(capturePrefix, coll, c), func(v []byte) error { return decodeCapture(v, c) })
	if errors.Is(err, kv.ErrNoKey) {
		return nil, nil
	}
	c.File, c.Offset, c.FileName = loc.File, loc.Offset, file
	return c, err
}
