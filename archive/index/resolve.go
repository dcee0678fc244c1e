package index

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// resolveBatch is the number of pending revisits that are resolved before the results are written.
const resolveBatch = 10_000

// Resolve looks for the originals of pending revisits, those without an original or with another one than they name, and stores what it
// finds. An original may be of another URI-R, and may have been indexed later from another file. Resolve returns how many revisits found
// one in this run and how many still have none. Run it after indexing new files. It may be stopped at any time.
func (x *Index) Resolve(ctx context.Context) (found, left int, err error) {
	r := resolver{x: x, after: []byte{pendingPrefix}, touched: map[cdx.FileID]int64{}}
	// An earlier run may have stored originals and been killed before it noted that in the journal.
	if r.killed, err = hasNow(ctx, x.store, resolvedKey.key()); err != nil {
		return 0, 0, err
	}
	for more := true; more && err == nil; {
		more, err = r.some(ctx)
	}
	if r.killed || r.marked {
		err = errors.Join(err, r.writeJournal(ctx))
	}
	return r.found, r.left, errors.Join(err, sweeper{x}.run(ctx))
}

// A resolver is one run of [Index.Resolve].
type resolver struct {
	x           *Index
	after       []byte // the pending key to continue at
	found, left int
	touched     map[cdx.FileID]int64 // files of the revisits found, with the lowest offset
	keys        []touchedName        // keys of the revisits found
	marked      bool                 // the store says that the journal is incomplete
	killed      bool                 // it said so before this run, so what an earlier run found is unknown
}

// manyTouched bounds the files that one change names. Beyond it, the journal names file 0, which stands for any file.
const manyTouched = 1000

// manyResolved bounds the URI-Rs that a resolver remembers. Beyond it, every URI-R counts as changed.
const manyResolved = 200_000

// reach notes the keys of the revisits found.
func (r *resolver) reach(_ kv.Snapshot, to *reach) error {
	to.all = r.killed || len(r.keys) >= manyResolved
	for _, k := range r.keys {
		to.see(k.coll, []byte(k.name), k.since)
	}
	return nil
}

// journaledAtOnce is the number of files in one transaction. Their entries have paths of some kilobytes, cached entries are marked too, and
// a store in filling mode takes about a megabyte at once.
const journaledAtOnce = 16

// writeJournal writes the changed files into the journal. Until all are written, the store says that the journal is incomplete.
func (r *resolver) writeJournal(ctx context.Context) error {
	reached, err := r.x.reachOf(ctx, r.reach)
	files := slices.Sorted(maps.Keys(r.touched))
	if r.killed || len(files) > manyTouched {
		files = nil
	}
	for last := false; err == nil && !last; {
		some := files[:min(len(files), journaledAtOnce)]
		files = files[len(some):]
		last = len(files) == 0
		err = r.x.change(ctx, reached, func(c *tableChange) error { return r.writeJournalOf(c, some, last) })
	}
	return err
}

// writeJournalOf writes some changed files into the journal; an empty list stands for any file.
func (r *resolver) writeJournalOf(c *tableChange, files []cdx.FileID, last bool) error {
	if last {
		if err := c.Delete(resolvedKey.key()); err != nil {
			return err
		}
	}
	if len(files) == 0 {
		return c.Set(journalKey(c.generation), (&journalEntry{}).pack())
	}
	for _, file := range files {
		if err := c.touch(file, r.touched[file]); err != nil {
			return err
		}
	}
	return nil
}

// some resolves the next revisits, and reports whether there are more.
func (r *resolver) some(ctx context.Context) (more bool, err error) {
	b := r.x.store.Batch(ctx)
	defer b.Cancel()
	found, left := 0, 0
	err = r.x.view(ctx, func(snap view) error {
		c := snap.Cursor(kv.Range{Prefix: []byte{pendingPrefix}, KeysOnly: true})
		defer c.Close()
		c.Seek(r.after)
		for n := 0; c.Valid(); c.Next() {
			if n++; n > resolveBatch {
				more = true
				return nil
			}
			key := slices.Clone(c.Key())
			r.after = append(slices.Clone(key), 0)
			outcome, err := snap.resolveOne(b, key)
			if err != nil {
				return err
			}
			switch outcome {
			case foundOriginal:
				found++
				r.note(key)
			case noOriginal:
				left++
			}
		}
		return c.Err()
	})
	if err == nil && found > 0 && !r.marked {
		r.marked = true
		err = r.x.store.Update(ctx, func(txn kv.Txn) error { return txn.Set(resolvedKey.key(), nil) })
	}
	if err == nil {
		err = b.Flush()
	}
	if err != nil {
		return false, err
	}
	r.found, r.left = r.found+found, r.left+left
	return more, nil
}

// note notes that the revisit of a pending key has changed.
func (r *resolver) note(pending []byte) {
	coll := splitColl(pending)
	name, ts, at, _ := splitTail(pending, len(coll))
	if len(r.keys) < manyResolved {
		r.keys = touch(r.keys, coll, name, ts)
	}
	if lowest, ok := r.touched[at.File]; !ok || at.Offset < lowest {
		r.touched[at.File] = at.Offset
	}
}

type outcome int

const (
	unchanged outcome = iota
	foundOriginal
	noOriginal
)

// resolveOne resolves the revisit of a pending key as far as the indexed captures allow.
func (snap view) resolveOne(b kv.Batch, pending []byte) (outcome, error) {
	coll := splitColl(pending)
	name, ts, loc, valid := splitTail(pending, len(coll))
	if !valid {
		return unchanged, b.Delete(pending)
	}
	rev := cdx.Capture{Key: string(name), Time: ts, Location: loc}
	entry := captureKey(capturePrefix, coll, &rev)
	if err := snap.Get(entry, func(v []byte) error { return decodeCapture(v, &rev) }); err == kv.ErrNoKey {
		return unchanged, b.Delete(pending)
	} else if err != nil {
		return unchanged, err
	}
	chain := maxChain
	orig, exact, err := snap.original(coll, &rev, &chain)
	if err != nil {
		return unchanged, err
	}
	if orig == nil {
		return noOriginal, nil
	}
	if exact { // otherwise the capture that it names may still be indexed
		if err := b.Delete(pending); err != nil {
			return unchanged, err
		}
	}
	if rev.Origin == orig.Location {
		return unchanged, nil
	}
	if err := removePlace(b, coll, &rev); err != nil {
		return unchanged, err
	}
	rev.Refer(orig)
	if rev.Key != orig.Key {
		if err := errors.Join(placeText(b, coll, &rev), placeDigest(b, coll, &rev)); err != nil {
			return unchanged, err
		}
	}
	return foundOriginal, b.Set(entry, encodeCapture(nil, &rev))
}

// maxChain bounds the length of a chain of revisits that refer to one another.
const maxChain = 64

// original finds the capture that rev refers to: the one it names, else the last one before it of the same URI-R with its digest, else the
// first one with its digest anywhere. exact is false if rev names another one. A server-not-modified revisit that names none refers to the
// last good capture before it. If rev names a revisit, the original of that is taken; chain is how many more such steps are allowed.
func (snap view) original(coll string, rev *cdx.Capture, chain *int) (c *cdx.Capture, exact bool, err error) {
	named := rev.RefersToTime != 0
	if named {
		if c, exact, err = snap.named(coll, rev, chain); c != nil || err != nil {
			return c, exact, err
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

// named finds the capture that rev names. If that is a revisit, it is returned with the location of the record that has its body.
func (snap view) named(coll string, rev *cdx.Capture, chain *int) (c *cdx.Capture, exact bool, err error) {
	key := rev.Key
	if rev.RefersToURI != "" && rev.RefersToURI != rev.URL {
		key = surt.Of(rev.RefersToURI)
	}
	at, err := snap.at(coll, key, rev.RefersToTime)
	if err != nil {
		return nil, false, err
	}
	at = slices.DeleteFunc(at, func(c cdx.Capture) bool {
		return rev.Digest != "" && !rev.NotModified && c.Digest != rev.Digest && (c.Digest != "" || c.Kind != cdx.Revisit)
	})
	if i := slices.IndexFunc(at, func(c cdx.Capture) bool { return c.Kind != cdx.Revisit }); i >= 0 {
		return &at[i], true, nil
	}
	for i := range at {
		if *chain--; *chain < 0 {
			break
		}
		via := &at[i]
		orig, exact, err := snap.original(coll, via, chain)
		if err != nil {
			return nil, false, err
		}
		if orig != nil && (rev.Digest == "" || rev.NotModified || orig.Digest == rev.Digest) {
			via.Refer(orig)
			via.Location = orig.Location
			return via, exact, nil
		}
	}
	return nil, false, nil
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
	cur := snap.Cursor(kv.Range{Prefix: prefix})
	defer cur.Close()
	for cur.Seek(prefix); cur.Valid(); cur.Next() {
		if c, err := snap.captureAt(coll, cur); err != nil || c != nil && c.Kind != cdx.Revisit {
			return c, err
		}
	}
	return nil, cur.Err()
}
