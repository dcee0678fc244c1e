package cdx

import (
	"errors"
	"fmt"
	"strings"
)

// maxKey keeps keys below Badger's limit of 65,000 bytes, with room for the rest of a key.
const maxKey = 60_000

// ErrLongKey says that a capture's key is too long for the index.
var ErrLongKey = fmt.Errorf("cdx: the key is longer than %d bytes", maxKey)

// A Writer adds the captures of one file in bulk. Nothing of them shows until [Index.PutFile] marks
// the file done. It is for one goroutine; several Writers may work side by side.
type Writer struct {
	coll  string
	batch Batch
}

// Writer starts writing into a collection. Call Flush, or Cancel to give it up.
func (x *Index) Writer(coll string) *Writer {
	return &Writer{coll: coll, batch: x.store.Batch()}
}

// Add writes c, which needs Key, Time, File and Offset. Writing the same place twice leaves one
// entry. A revisit without Origin is noted down for [Index.Resolve]. Returns [ErrLongKey] for a key that can't be stored.
func (w *Writer) Add(c *Capture) error {
	if len(c.Key) > maxKey {
		return ErrLongKey
	}
	if strings.IndexByte(c.Key, 0) >= 0 || c.File == 0 || c.Offset < 0 {
		return fmt.Errorf("cdx: capture %.200q has no valid place", c.URL)
	}
	if err := w.batch.Set(captureKey(capturePrefix, w.coll, c), encodeCapture(nil, c)); err != nil {
		return err
	}
	if c.Kind == Revisit {
		if c.Unresolved() {
			return w.batch.Set(captureKey(pendingPrefix, w.coll, c), nil)
		}
		return nil
	}
	if c.Digest == "" || len(c.Digest) > 1024 || strings.IndexByte(c.Digest, 0) >= 0 {
		return nil
	}
	k := appendTail(nameKey(digestPrefix, w.coll, c.Digest), c.Time, c.File, c.Offset)
	return w.batch.Set(k, []byte(c.Key))
}

// AddText stores the sketch of a visible text under its fingerprint.
func (w *Writer) AddText(id uint64, sketch []byte) error {
	return w.batch.Set(textKey(id), sketch)
}

// Flush returns when everything added is in the store.
func (w *Writer) Flush() error { return w.batch.Flush() }

// Cancel drops what was not flushed; it is harmless after Flush.
func (w *Writer) Cancel() { w.batch.Cancel() }

// Text calls f with the sketch stored under id; the bytes are valid until f returns.
// Returns [ErrNoKey] where there is none.
func (x *Index) Text(id uint64, f func(sketch []byte) error) error {
	return x.store.View(func(s Snapshot) error { return s.Get(textKey(id), f) })
}

// Texts calls f with each of the sketches stored under ids that there is, in one snapshot.
func (x *Index) Texts(ids []uint64, f func(id uint64, sketch []byte) error) error {
	return x.store.View(func(s Snapshot) error {
		for _, id := range ids {
			err := s.Get(textKey(id), func(v []byte) error { return f(id, v) })
			if err != nil && !errors.Is(err, ErrNoKey) {
				return err
			}
		}
		return nil
	})
}
