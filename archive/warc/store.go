package warc

import (
	"context"
	"fmt"
	"sync"

	"github.com/varve-archive/varve/cdx"
)

// A Store reads single records of stored files at their offsets. It keeps files open and reuses buffers, and notices
// when files were replaced or have grown. It is safe for concurrent use.
type Store struct {
	resolve func(cdx.FileID) (path string, ok bool)
	files   *handles
	readers sync.Pool
}

// NewStore returns a Store on [Local] files; see [NewStoreOn].
func NewStore(resolve func(cdx.FileID) (path string, ok bool)) *Store {
	return NewStoreOn(Local{}, resolve)
}

// NewStoreOn returns a Store that gets the path of a file from resolve, in the form that [Open] takes. resolve must be safe for concurrent
// use; it returns false if the file isn't known any more.
func NewStoreOn(s Storage, resolve func(cdx.FileID) (path string, ok bool)) *Store {
	return &Store{
		resolve: resolve,
		files:   newHandles(s),
		readers: sync.Pool{New: func() any { return newReader() }},
	}
}

// Record reads the head of the record at a location. Its block is read from the file on demand, under ctx. The caller
// closes the record. The location's length is a hint of how much to read, not a limit.
//
// Errors wrap [ErrFileMissing] if the file can't be read, or are a *[Damage] if there is no record at the offset; both
// name the file by its base name. Reading the block may end with either.
func (s *Store) Record(ctx context.Context, loc cdx.Location) (*Record, error) {
	path, ok := s.resolve(loc.File)
	if !ok {
		return nil, fmt.Errorf("file %d: %w", loc.File, ErrFileMissing)
	}
	return s.recordIn(ctx, path, loc.Offset, loc.Length)
}

// Stat returns the current entry of a file. While it stays [Entry.Same], records are where they were.
func (s *Store) Stat(ctx context.Context, id cdx.FileID) (Entry, error) {
	path, ok := s.resolve(id)
	if !ok {
		return Entry{}, fmt.Errorf("file %d: %w", id, ErrFileMissing)
	}
	outer, _, _ := CutMember(path)
	e, err := s.files.storage.Stat(ctx, outer)
	if err != nil {
		return Entry{}, unreadable(Base(path), err)
	}
	return e, nil
}

// recordIn is [Store.Record] for a known path.
func (s *Store) recordIn(ctx context.Context, path string, offset, length int64) (*Record, error) {
	name := Base(path)
	f, err := s.files.acquire(ctx, path)
	if err != nil {
		return nil, unreadable(name, err)
	}
	r := s.readers.Get().(*reader)
	r.reset(ctx, f, name, &f.zstds)
	free := func() {
		r.release()
		s.readers.Put(r)
		s.files.release(f)
	}
	rec, err := r.at(offset, length)
	if err != nil {
		free()
		return nil, err
	}
	rec.free = free
	return rec, nil
}

// Close closes the open files; files in use are closed with their records. The Store can still be used.
func (s *Store) Close() error {
	s.files.close()
	return nil
}

// at reads the head of the record that starts at offset.
func (r *reader) at(offset, length int64) (*Record, error) {
	r.in.seek(max(0, offset))
	r.in.cursor.ahead = max(0, length)
	switch p := r.sniff(); p {
	case nothing:
		return nil, r.damaged(offset, "offset lies behind the file's end", nil)
	case skippable:
		return nil, r.damaged(offset, errNoRecord.Error(), nil)
	default:
		rec, err := r.open(p)
		if rec == nil && err == nil {
			err = r.damaged(offset, "compressed member is empty", nil)
		}
		return rec, err
	}
}
