package index

import (
	"context"
	"errors"
	"slices"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index/store"
	"github.com/varve-archive/varve/cdx/surt"
)

// resolveBatch is how many pending revisits are read before the results are written.
const resolveBatch = 10_000

// Resolve looks for the originals of pending revisits, those that have no original yet or not the one they name, and
// stores what it finds. An original may be of another URI-R, and may have come later in another file. Resolve returns
// how many revisits found one now and how many still have none. Run it after indexing new files. It may be stopped at
// any time.
func (x *Index) Resolve(ctx context.Context) (found, left int, err error) {
	after := []byte{pendingPrefix}
	for {
		var resolved, unresolved int
		var more bool
		after, resolved, unresolved, more, err = x.resolveSome(ctx, after)
		found, left = found+resolved, left+unresolved
		if err != nil || !more {
			if found > 0 {
				err = errors.Join(err, x.change(ctx, func(*tableChange) error { return nil }))
			}
			return found, left, errors.Join(err, x.sweep(ctx))
		}
	}
}

func (x *Index) resolveSome(ctx context.Context, after []byte) (last []byte, found, left int, more bool, err error) {
	b := x.store.Batch(ctx)
	defer b.Cancel()
	err = x.view(ctx, func(snap view) error {
		c := snap.Cursor(store.Range{Prefix: []byte{pendingPrefix}, KeysOnly: true})
		defer c.Close()
		c.Seek(after)
		for n := 0; c.Valid(); c.Next() {
			if n++; n > resolveBatch {
				more = true
				return nil
			}
			key := slices.Clone(c.Key())
			last = append(slices.Clone(key), 0)
			outcome, err := snap.resolveOne(b, key)
			if err != nil {
				return err
			}
			switch outcome {
			case foundOriginal:
				found++
			case noOriginal:
				left++
			}
		}
		return c.Err()
	})
	if err != nil {
		return last, 0, 0, false, err
	}
	return last, found, left, more, b.Flush()
}

type outcome int

const (
	unchanged outcome = iota
	foundOriginal
	noOriginal
)

// resolveOne resolves the revisit of a pending key as far as the indexed captures allow.
func (snap view) resolveOne(b store.Batch, pending []byte) (outcome, error) {
	coll := splitColl(pending)
	name, ts, loc, valid := splitTail(pending, len(coll))
	if !valid {
		return unchanged, b.Delete(pending)
	}
	rev := cdx.Capture{Key: string(name), Time: ts, Location: loc}
	entry := captureKey(capturePrefix, coll, &rev)
	if err := snap.Get(entry, func(v []byte) error { return decodeCapture(v, &rev) }); err == store.ErrNoKey {
		return unchanged, b.Delete(pending)
	} else if err != nil {
		return unchanged, err
	}
	orig, exact, err := snap.original(coll, &rev)
	if err != nil {
		return unchanged, err
	}
	if orig == nil {
		return noOriginal, nil
	}
	if exact { // else the one it names may still come
		if err := b.Delete(pending); err != nil {
			return unchanged, err
		}
	}
	if rev.Origin == orig.Location {
		return unchanged, nil
	}
	rev.Refer(orig)
	return foundOriginal, b.Set(entry, encodeCapture(nil, &rev))
}

// original finds the capture that rev refers to: the one it names, else the last one before it of the same URI-R with
// its digest, else the first with its digest anywhere. exact is false if rev names another one. A server-not-modified
// revisit that names none refers to the last good capture before it.
func (snap view) original(coll string, rev *cdx.Capture) (c *cdx.Capture, exact bool, err error) {
	named := rev.RefersToTime != 0
	if named {
		if c, err = snap.named(coll, rev); c != nil || err != nil {
			return c, true, err
		}
	}
	if rev.NotModified || rev.Digest != "" {
		if c, err = snap.sameKey(coll, rev); c != nil || err != nil {
			return c, !named, err
		}
	}
	if rev.Digest != "" && !rev.NotModified {
		c, err = snap.sameDigest(coll, rev.Digest)
	}
	return c, c != nil && !named, err
}

func (snap view) named(coll string, rev *cdx.Capture) (*cdx.Capture, error) {
	key := rev.Key
	if rev.RefersToURI != "" && rev.RefersToURI != rev.URL {
		key = surt.Of(rev.RefersToURI)
	}
	at, err := snap.at(coll, key, rev.RefersToTime)
	for i := range at {
		if at[i].Kind != cdx.Revisit && (rev.Digest == "" || rev.NotModified || at[i].Digest == rev.Digest) {
			return &at[i], err
		}
	}
	return nil, err
}

func (snap view) sameKey(coll string, rev *cdx.Capture) (found *cdx.Capture, err error) {
	err = snap.walk(cdx.Span{Coll: coll, From: rev.Key, Exact: true, Until: rev.Time, Reverse: true}, func(c *cdx.Capture, _ error) bool {
		fits := c.Kind != cdx.Revisit && (rev.Digest != "" && c.Digest == rev.Digest || rev.NotModified && c.Status >= 200 && c.Status < 300)
		if fits {
			keep := *c
			found = &keep
		}
		return !fits
	})
	if err == errStop {
		err = nil
	}
	return found, err
}

func (snap view) sameDigest(coll, digest string) (*cdx.Capture, error) {
	prefix := nameKey(digestPrefix, coll, digest)
	cur := snap.Cursor(store.Range{Prefix: prefix})
	defer cur.Close()
	for cur.Seek(prefix); cur.Valid(); cur.Next() {
		if c, err := snap.pointed(coll, cur); c != nil || err != nil {
			return c, err
		}
	}
	return nil, cur.Err()
}
