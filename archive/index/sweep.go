package index

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/varve-archive/varve/archive/index/kv"
)

// A text is stored once for all captures that have it. When a file is removed, other captures may still have its texts. So purge marks
// these texts as suspects, and sweep deletes those that no capture has. Until then readers see nothing wrong, because [Texts.Captures]
// finds no captures of such a text.

// suspect marks a text as a suspect. place is the key of the text's place that was deleted.
func suspect(b kv.Batch, coll string, place []byte) error {
	name, _, _, ok := splitTail(place, len(coll))
	if !ok || len(name) != 8 {
		return nil
	}
	return b.Set(append(collKey(sweepPrefix, coll), name...), nil)
}

// splitSuspect returns the collection and the text in a suspect's key.
func splitSuspect(key []byte) (coll string, text uint64) {
	return splitColl(key), binary.BigEndian.Uint64(key[len(key)-8:])
}

// A sweeper deletes texts that no capture has.
type sweeper struct{ x *Index }

// run deletes the suspect texts that no capture has. While a Writer is at work it does nothing, because that Writer
// may be about to add a capture with one of them; the next sweep will delete them.
//
// It removes texts from their groups first, and deletes them together with their suspects last, so that the next sweep
// finishes an interrupted one. Both steps use the same snapshot, because another file may be removed meanwhile.
func (s sweeper) run(ctx context.Context) error {
	suspects, err := hasNow(ctx, s.x.store, []byte{sweepPrefix})
	if err != nil || !suspects {
		return err
	}
	h, err := s.x.workers.holdAsSweep(ctx)
	if err == errBusy {
		return nil
	}
	if err != nil {
		return err
	}
	defer h.release()
	return s.x.view(ctx, func(snap view) error {
		if err := s.groups(ctx, snap); err != nil {
			return err
		}
		return s.texts(ctx, snap, h)
	})
}

func (s sweeper) texts(ctx context.Context, snap view, h *hold) error {
	b := s.x.store.Batch(ctx)
	defer b.Cancel()
	suspects := []byte{sweepPrefix}
	err := kv.Each(snap, kv.Range{Prefix: suspects, KeysOnly: true}, suspects, func(c kv.Cursor) error {
		return snap.sweepText(b, slices.Clone(c.Key()))
	})
	if err := errors.Join(err, h.leaseError()); err != nil {
		return err
	}
	return b.Flush()
}

// sweepText deletes a suspect and, if no collection has its text, the text.
func (snap view) sweepText(b kv.Batch, place []byte) error {
	coll, id := splitSuspect(place)
	if err := b.Delete(place); err != nil {
		return err
	}
	for _, other := range append(snap.files.collections(), coll) {
		if used, err := has(snap, whereKey(other, id)); err != nil || used {
			return err
		}
	}
	return b.Delete(textKey(id))
}

// collections returns the names of all collections, including those without a finished file.
func (t *fileSet) collections() []string {
	var out []string
	for f := range t.all() {
		if !slices.Contains(out, f.Collection) {
			out = append(out, f.Collection)
		}
	}
	return out
}
