package ingest

import (
	"context"
	"slices"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/warc"
)

// A job says what to do with one stored file.
type job struct {
	file index.File // as in the index; a new one has ID 0
	from int64      // offset to scan from
	size int64
	// recheck is how many bytes of the file were indexed, if it has changed since: unless they have their fingerprint still, read it anew.
	// It is 0 if that isn't known or need not be checked.
	recheck  int64
	replaces []index.File // removed once the file is indexed

	claim *index.Claim // nil if no other process can use the index
}

// catalogue holds the files of one collection that are in the index.
type catalogue struct {
	*run
	byPath   map[string]known
	bySource map[string][]index.File // copies
	byName   map[string][]index.File
	byHead   map[string][]index.File // those that are complete
	heads    []int64                 // the lengths of their heads, in ascending order
	fresh    map[content]bool        // files that this run indexes as new
}

// A content is what a file has in common with its copies.
type content struct {
	name, head string
	size       int64
}

// A known is a file in the index; the zero value is none.
type known struct{ index.File }

// unchanged reports whether a stored file hasn't changed since it was indexed.
func (k known) unchanged(f storedFile) bool {
	return k.Done && !k.Imported && k.Size == f.size && k.ModTime.Equal(f.changed)
}

func (r *run) catalogue() *catalogue {
	c := &catalogue{
		run: r, byPath: map[string]known{}, bySource: map[string][]index.File{}, byName: map[string][]index.File{},
		byHead: map[string][]index.File{}, fresh: map[content]bool{},
	}
	for _, f := range r.Index.Files() {
		if f.Collection == r.Collection {
			c.byPath[f.Path] = known{f}
			if f.Source != "" {
				c.bySource[f.Source] = append(c.bySource[f.Source], f)
			}
			c.byName[f.Name] = append(c.byName[f.Name], f)
			if f.Done && !f.Imported {
				c.byHead[f.Head] = append(c.byHead[f.Head], f)
				c.heads = append(c.heads, f.HeadLen)
			}
		}
	}
	slices.Sort(c.heads)
	c.heads = slices.Compact(c.heads)
	return c
}

// plan decides what to do with a found file. ok is false if there is nothing to do: the file is unchanged, it was only moved (plan then
// stores the new path), or it is a copy of an indexed file.
func (c *catalogue) plan(ctx context.Context, f storedFile) (j job, ok bool, err error) {
	before, have := c.byPath[f.path]
	if before.unchanged(f) {
		if f.source != "" && before.Source != f.source {
			before.Source = f.source
			if err := c.put(ctx, &before.File); err != nil {
				return job{}, false, err
			}
		}
		return job{}, false, c.remove(ctx, c.others(f))
	}
	head, err := c.fingerprint(ctx, f.path, headLen)
	if err != nil {
		return job{}, false, err
	}
	fresh := index.File{
		Collection: c.Collection, Path: f.path, Source: f.source, Name: warc.Base(f.path), Size: f.size, ModTime: f.changed,
		Head: head, HeadLen: min(f.size, headLen),
	}
	if have {
		return c.replan(ctx, before.File, fresh)
	}
	return c.planNew(ctx, fresh)
}

// others returns the entries of what a stored file was read from before: of a copy, if it is read itself now, or of itself, if a copy is.
func (c *catalogue) others(f storedFile) []index.File {
	if before, have := c.byPath[f.source]; have && f.source != "" {
		return []index.File{before.File}
	}
	return c.bySource[f.path]
}

// replan handles a known path whose file has changed or wasn't finished.
func (c *catalogue) replan(ctx context.Context, known, fresh index.File) (job, bool, error) {
	same, err := c.sameBeginning(ctx, known, fresh)
	if err != nil {
		return job{}, false, err
	}
	if known.Head != "" && (!same || fresh.Size < known.Size) { // replaced
		if err := c.Index.RemoveFiles(ctx, known.ID); err != nil {
			return job{}, false, &indexError{err}
		}
		return job{file: fresh, size: fresh.Size}, true, nil
	}
	if known.Done && !known.Imported && known.Size == fresh.Size { // perhaps only the modification time changed
		known.ModTime, known.Source = fresh.ModTime, fresh.Source
		if check := toRecheck(&known); check > 0 {
			return job{file: known, size: known.Size, recheck: check}, true, nil
		}
		return job{}, false, c.put(ctx, &known)
	}
	fresh.ID, fresh.Done, fresh.Imported = known.ID, known.Done, known.Imported
	from, check := int64(0), int64(0)
	if known.Done && !known.Imported { // grown: continue after the last whole record
		if from = known.Resume; from > 0 {
			check = toRecheck(&known)
		}
		fresh.Sum, fresh.Scanned = known.Sum, known.Scanned
		fresh.Records, fresh.Captures, fresh.Damaged = known.Records, known.Captures, known.Damaged
	}
	return job{file: fresh, from: from, size: fresh.Size, recheck: check}, true, nil
}

// toRecheck returns how many bytes of an indexed file have a fingerprint that tells more than that of its beginning.
func toRecheck(f *index.File) int64 {
	if f.Sum == "" || f.Size <= f.HeadLen {
		return 0
	}
	return f.Size
}

func (c *catalogue) planNew(ctx context.Context, fresh index.File) (job, bool, error) {
	for _, other := range c.byName[fresh.Name] {
		if other.Imported && (other.Path == "" || !c.isFile(ctx, other.Path)) { // the file that an imported index named
			fresh.ID, fresh.Done, fresh.Imported = other.ID, other.Done, true
			return job{file: fresh, size: fresh.Size}, true, nil
		}
		if other.Head == "" || !other.Done {
			continue
		}
		same, err := c.sameBeginning(ctx, other, fresh)
		if err != nil || !same || fresh.Size < other.Size {
			continue
		}
		if c.isFile(ctx, other.Stored()) {
			if fresh.Size == other.Size {
				return job{}, false, nil // a copy
			}
			continue
		}
		other.Path, other.Source = fresh.Path, fresh.Source
		if fresh.Size == other.Size {
			other.ModTime = fresh.ModTime
		}
		if err := c.put(ctx, &other); err != nil {
			return job{}, false, err
		}
		if fresh.Size == other.Size {
			return job{}, false, nil
		}
		return c.replan(ctx, other, fresh) // moved and grown
	}
	found := content{fresh.Name, fresh.Head, fresh.Size}
	if c.fresh[found] {
		return job{}, false, nil // a copy
	}
	c.fresh[found] = true
	return job{file: fresh, size: fresh.Size}, true, c.dropRenamed(ctx, fresh)
}

// dropRenamed removes the entry of a file that has another name now, and may have grown. Captures are listed with the name of their file,
// so fresh is indexed anew.
func (c *catalogue) dropRenamed(ctx context.Context, fresh index.File) error {
	end, found := slices.BinarySearch(c.heads, fresh.HeadLen)
	if found {
		end++
	}
	if end == 0 {
		return nil
	}
	heads, err := c.fingerprints(ctx, fresh.Path, c.heads[:end])
	if err != nil {
		return err
	}
	for i, head := range heads {
		for _, other := range c.byHead[head] {
			if other.HeadLen != c.heads[i] || other.Name == fresh.Name || other.Size > fresh.Size || c.isFile(ctx, other.Stored()) {
				continue
			}
			if err := c.remove(ctx, []index.File{other}); err != nil {
				return err
			}
		}
	}
	return nil
}

// sameBeginning reports whether the file at fresh.Path begins as the known file did.
func (c *catalogue) sameBeginning(ctx context.Context, known, fresh index.File) (bool, error) {
	if known.HeadLen == fresh.HeadLen {
		return known.Head == fresh.Head, nil
	}
	if fresh.HeadLen < known.HeadLen {
		return false, nil
	}
	head, err := c.fingerprint(ctx, fresh.Path, known.HeadLen)
	return head == known.Head, err
}
