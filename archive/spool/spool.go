// Package spool keeps what indexing has read of pages, by the places of their records, until the search is built from it.
// It is a file that nobody misses: what is not in it is read from the records.
//
// Stability: internal.
package spool

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/disk"
)

const (
	// pattern is how spools are called in their folder.
	pattern = "spool-*.tmp"
	// bufferSize is how much waits in memory to be written.
	bufferSize = 1 << 20
	// roomLeft is what a spool leaves free on its disk, for the index and the search.
	roomLeft = 1 << 30
)

// A Spool holds bytes by the place of a record. It is safe for concurrent use.
type Spool struct {
	dir  string
	file *os.File
	name string // of the file, "" if it has none any more

	mu     sync.RWMutex
	places map[cdx.FileID][]place // in the order of their records
	buf    []byte                 // what is not in the file yet
	at     int64                  // where buf begins in the file
	full   bool                   // it takes no more

	rooms sync.Pool // of *[]byte
}

// A place is where the bytes of a record are, compressed.
type place struct {
	record, at int64
	size       int32
}

// New makes a spool in a folder, and removes those that killed processes left there. No other process may have one in it.
func New(dir string) (*Spool, error) {
	left, _ := filepath.Glob(filepath.Join(dir, pattern))
	for _, name := range left {
		_ = os.Remove(name) // one that stays is in nobody's way
	}
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	s := &Spool{dir: dir, file: f, name: f.Name(), places: map[cdx.FileID][]place{}}
	if os.Remove(s.name) == nil { // where systems let it, no kill can leave it behind
		s.name = ""
	}
	s.rooms.New = func() any { return new([]byte) }
	return s, nil
}

// Close removes the file.
func (s *Spool) Close() error {
	err := s.file.Close()
	if s.name != "" {
		err = errors.Join(err, os.Remove(s.name))
	}
	return err
}

// Put keeps bytes for a record, in place of what was kept for it before. If the disk has little room left it keeps no more.
func (s *Spool) Put(of cdx.Location, b []byte) {
	room := s.rooms.Get().(*[]byte)
	defer s.rooms.Put(room)
	*room = s2.Encode((*room)[:cap(*room)], b)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full {
		return
	}
	list := s.places[of.File]
	i, known := find(list, of)
	if !known {
		list = slices.Insert(list, i, place{})
	}
	list[i] = place{of.Offset, s.at + int64(len(s.buf)), int32(len(*room))}
	s.places[of.File] = list
	if s.buf = append(s.buf, *room...); len(s.buf) >= bufferSize {
		s.flush()
	}
}

// find returns where in a list a record is, or would be.
func find(list []place, of cdx.Location) (i int, ok bool) {
	if n := len(list); n > 0 && list[n-1].record < of.Offset { // files are read from their beginning
		return n, false
	}
	return slices.BinarySearchFunc(list, of.Offset, func(p place, offset int64) int { return cmp.Compare(p.record, offset) })
}

// flush writes what waits. What can't be written stays where it is, and nothing follows.
func (s *Spool) flush() {
	if disk.CheckRoom(s.dir, roomLeft) != nil {
		s.full = true
		return
	}
	if _, err := s.file.WriteAt(s.buf, s.at); err != nil {
		s.full = true
		return
	}
	s.at += int64(len(s.buf))
	s.buf = s.buf[:0]
}

// Get returns what is kept for a record, nil for nothing.
func (s *Spool) Get(of cdx.Location) []byte {
	s.mu.RLock()
	list := s.places[of.File]
	i, ok := find(list, of)
	if !ok {
		s.mu.RUnlock()
		return nil
	}
	p := list[i]
	room := s.rooms.Get().(*[]byte)
	defer s.rooms.Put(room)
	*room = slices.Grow((*room)[:0], int(p.size))[:p.size]
	waits := p.at >= s.at
	if waits {
		copy(*room, s.buf[p.at-s.at:])
	}
	s.mu.RUnlock()
	if !waits {
		if _, err := s.file.ReadAt(*room, p.at); err != nil {
			return nil
		}
	}
	b, err := s2.Decode(nil, *room)
	if err != nil {
		return nil
	}
	return b
}
