package index

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
)

// maxKey keeps keys below Badger's limit of 65,000 bytes, with room for the rest of a key.
const maxKey = 60_000

// ErrLongKey says that the SURT of a capture is too long for the index.
var ErrLongKey = fmt.Errorf("index: the key is longer than %d bytes", maxKey)

// A Writer adds the captures of one file in bulk. They are visible after [Index.PutFile] marks the file done. A Writer must be used by one
// goroutine; several Writers may work in parallel.
type Writer struct {
	x     *Index
	ctx   context.Context // of the batch
	coll  string
	batch kv.Batch
	bands []heldBand // collected, to be written sorted
	lists map[cdx.FileID]*listing
	hold  *hold // prevents sweeps of texts
	err   error // why there is no hold

	unsettled map[cdx.FileID]bool // files whose visible captures are overwritten
}

// Writer begins writing into a collection, until ctx ends. Call Flush to finish or Cancel to give up. If it can't begin, its first call
// returns the error.
func (x *Index) Writer(ctx context.Context, coll string) *Writer {
	h, err := x.workers.holdAsWriter(ctx)
	return &Writer{
		x: x, ctx: ctx, coll: coll, batch: x.store.Batch(ctx), lists: map[cdx.FileID]*listing{}, hold: h, err: err,
		unsettled: map[cdx.FileID]bool{},
	}
}

// Add writes c, of which Key, Time, File and Offset must be set. A capture at the same place is replaced. A revisit without Origin becomes
// pending for [Index.Resolve]. Add returns [ErrLongKey] if the key is too long.
func (w *Writer) Add(c *cdx.Capture) error {
	if w.err != nil {
		return w.err
	}
	if len(c.Key) > maxKey {
		return ErrLongKey
	}
	if strings.IndexByte(c.Key, 0) >= 0 || c.File == 0 || c.Offset < 0 {
		return fmt.Errorf("index: capture %.200q has no valid place", c.URL)
	}
	if err := w.noteReplaced(c); err != nil {
		return err
	}
	if err := w.batch.Set(captureKey(capturePrefix, w.coll, c), encodeCapture(nil, c)); err != nil {
		return err
	}
	if err := w.list(c); err != nil {
		return err
	}
	if c.Kind == cdx.Revisit {
		if c.Unresolved() {
			return w.batch.Set(captureKey(pendingPrefix, w.coll, c), nil)
		}
		return nil
	}
	return errors.Join(placeText(w.batch, w.coll, c), placeDigest(w.batch, w.coll, c))
}

// placeDigest stores where a payload digest occurs: in c, or in a revisit under another SURT.
func placeDigest(b kv.Batch, coll string, c *cdx.Capture) error {
	if c.Digest == "" || len(c.Digest) > 1024 || strings.IndexByte(c.Digest, 0) >= 0 {
		return nil
	}
	return b.Set(appendTail(nameKey(digestPrefix, coll, c.Digest), c.Time, c.File, c.Offset), []byte(c.Key))
}

// noteReplaced notes that c replaces a capture that is visible, such as one that was cut off by the end of its file.
func (w *Writer) noteReplaced(c *cdx.Capture) error {
	if _, shown := w.x.files.Load().visible(c.File, c.Offset); !shown || w.unsettled[c.File] {
		return nil
	}
	w.unsettled[c.File] = true
	return w.x.store.Update(w.ctx, func(txn kv.Txn) error {
		_, err := settle(txn, c.File, false)
		return err
	})
}

// list adds the SURT of c to the list of its file.
func (w *Writer) list(c *cdx.Capture) error {
	l := w.lists[c.File]
	if l == nil {
		l = new(listing)
		w.lists[c.File] = l
	}
	if l.add(c); len(l.names) < listedAtOnce {
		return nil
	}
	return l.put(w.batch, c.File)
}

// Flush returns when everything that was added is in the store.
func (w *Writer) Flush() error {
	defer w.hold.release()
	if w.err != nil {
		return w.err
	}
	if err := w.putBands(); err != nil {
		return err
	}
	for file, l := range w.lists {
		if err := l.put(w.batch, file); err != nil {
			return err
		}
	}
	if err := w.batch.Flush(); err != nil {
		return err
	}
	return w.hold.leaseError()
}

// Cancel drops what wasn't flushed. After Flush it does nothing.
func (w *Writer) Cancel() {
	w.batch.Cancel()
	w.hold.release()
}
