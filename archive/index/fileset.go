package index

import (
	"iter"
	"slices"
	"sync/atomic"

	"github.com/varve-archive/varve/cdx"
)

// A fileSet is an immutable snapshot of the file table, which readers can keep while the next one is built. Two
// successive sets share all chunks but one, so a change costs the same with a hundred thousand files as with ten. A
// file's ID is its index in the set, because IDs are assigned in order and never reused.
type fileSet struct {
	chunks []*fileChunk
	count  int
	named  atomic.Pointer[[]string] // the result of served, once computed
}

// A fileChunk is a part of a fileSet. Its size keeps both chunks and the list of chunks small for a hundred thousand files.
type fileChunk [256]*File

func (t *fileSet) get(id cdx.FileID) *File {
	if i := int(id) / len(fileChunk{}); i < len(t.chunks) && t.chunks[i] != nil {
		return t.chunks[i][int(id)%len(fileChunk{})]
	}
	return nil
}

// change returns a set that contains f under an ID, or no file if f is nil.
func (t *fileSet) change(id cdx.FileID, f *File) *fileSet {
	i, j := int(id)/len(fileChunk{}), int(id)%len(fileChunk{})
	next := &fileSet{chunks: make([]*fileChunk, max(len(t.chunks), i+1)), count: t.count}
	copy(next.chunks, t.chunks)
	chunk := new(fileChunk)
	if next.chunks[i] != nil {
		*chunk = *next.chunks[i]
	}
	if chunk[j] != nil {
		next.count--
	}
	if f != nil {
		next.count++
	}
	chunk[j], next.chunks[i] = f, chunk
	return next
}

// served returns the sorted names of the collections with a finished file. Every request asks for them, so they are computed once for each
// set.
func (t *fileSet) served() []string {
	if known := t.named.Load(); known != nil {
		return *known
	}
	var out []string
	for f := range t.all() {
		if f.Done && !slices.Contains(out, f.Collection) {
			out = append(out, f.Collection)
		}
	}
	slices.Sort(out)
	t.named.Store(&out)
	return out
}

// all yields the files, oldest first.
func (t *fileSet) all() iter.Seq[*File] {
	return func(yield func(*File) bool) {
		for _, chunk := range t.chunks {
			if chunk == nil {
				continue
			}
			for _, f := range chunk {
				if f != nil && !yield(f) {
					return
				}
			}
		}
	}
}

// visible reports whether a record at this offset of a file may be shown, and returns the file's base name.
func (t *fileSet) visible(id cdx.FileID, offset int64) (name string, ok bool) {
	f := t.get(id)
	if f == nil || !f.Done || offset >= f.Scanned && !f.Imported {
		return "", false
	}
	return f.Name, true
}
