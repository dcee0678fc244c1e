// Package staging keeps what indexing has read of pages, by the places of their records, until the search is built from it.
// It has files that nobody misses: what is not in them is read from the records.
//
// Stability: internal.
package staging

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/disk"
)

const (
	// pattern is how the files of areas are called in their folder.
	pattern = "area-*.tmp"
	// bufferSize is how much waits in memory to be written.
	bufferSize = 1 << 20
	// usualVolume is how large files get. A file goes when nothing in it is wanted any more.
	usualVolume = 64 << 20
	// mostVolumes bounds how many files there are, each of which is open. The last one takes what would be more.
	mostVolumes = 64
	// roomLeft is what an area leaves free on its disk, for the index and the search.
	roomLeft = 1 << 30
)

// A Area holds bytes by the place of a record. It is safe for concurrent use.
type Area struct {
	dir        string
	volumeSize int64 // about how much is in one file

	mu      sync.RWMutex
	places  map[cdx.FileID][]place // in the order of their records
	last    *volume                // takes what comes, nil if the next one does
	volumes int                    // how many there are
	full    bool                   // it takes no more

	rooms sync.Pool // of *[]byte
}

// A volume is one of the files of an area.
type volume struct {
	*os.File
	name string // "" if it has none any more
	kept int    // how many places are in it
	buf  []byte // what is not in the file yet
	at   int64  // where buf begins in the file
}

// A place is where the bytes of a record are, compressed.
type place struct {
	record, at int64
	*volume
	size int32
}

// New returns an area in a folder, and removes the files that killed processes left there. No other process may have one in it.
func New(dir string) *Area {
	left, _ := filepath.Glob(filepath.Join(dir, pattern))
	for _, name := range left {
		_ = os.Remove(name) // one that stays is in nobody's way
	}
	s := &Area{dir: dir, volumeSize: usualVolume, places: map[cdx.FileID][]place{}}
	s.rooms.New = func() any { return new([]byte) }
	return s
}

// Close removes what is kept. The area takes no more.
func (s *Area) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(slices.Collect(maps.Keys(s.places)))
	s.full = true
}

// Drop removes what is kept for the records of files.
func (s *Area) Drop(files []cdx.FileID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(files)
	s.full = false
}

func (s *Area) drop(files []cdx.FileID) {
	for _, id := range files {
		for _, p := range s.places[id] {
			s.release(p.volume)
		}
		delete(s.places, id)
	}
}

// release says that a volume has a place less.
func (s *Area) release(v *volume) {
	if v.kept--; v.kept > 0 {
		return
	}
	if s.last == v {
		s.last = nil
	}
	s.volumes--
	_ = v.Close() // who reads it right now finds nothing
	if v.name != "" {
		_ = os.Remove(v.name)
	}
}

// Put keeps bytes for a record, in place of what was kept for it before. If the disk has little room left it keeps no more.
func (s *Area) Put(of cdx.Location, b []byte) {
	room := s.rooms.Get().(*[]byte)
	defer s.rooms.Put(room)
	*room = s2.Encode((*room)[:cap(*room)], b)
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.places[of.File]
	i, known := find(list, of)
	v := s.open()
	if v == nil {
		if known { // it is out of date now
			s.release(list[i].volume)
			s.places[of.File] = slices.Delete(list, i, i+1)
		}
		return
	}
	v.kept++
	if known {
		s.release(list[i].volume)
	} else {
		list = slices.Insert(list, i, place{})
	}
	list[i] = place{of.Offset, v.at + int64(len(v.buf)), v, int32(len(*room))}
	s.places[of.File] = list
	if v.buf = append(v.buf, *room...); len(v.buf) >= bufferSize {
		s.flush(v)
	}
}

// open returns the volume that takes what comes, nil if none does.
func (s *Area) open() *volume {
	if s.full {
		return nil
	}
	if s.last != nil && (s.last.at < s.volumeSize || s.volumes >= mostVolumes) {
		return s.last
	}
	f, err := os.CreateTemp(s.dir, pattern)
	if err != nil {
		s.full = true
		return nil
	}
	s.volumes++
	s.last = &volume{File: f, name: f.Name()}
	if os.Remove(f.Name()) == nil { // where systems let it, no kill can leave it behind
		s.last.name = ""
	}
	return s.last
}

// find returns where in a list a record is, or would be.
func find(list []place, of cdx.Location) (i int, ok bool) {
	if n := len(list); n > 0 && list[n-1].record < of.Offset { // files are read from their beginning
		return n, false
	}
	return slices.BinarySearchFunc(list, of.Offset, func(p place, offset int64) int { return cmp.Compare(p.record, offset) })
}

// flush writes what waits. What can't be written stays where it is, and nothing follows.
func (s *Area) flush(v *volume) {
	if disk.CheckRoom(s.dir, roomLeft) != nil {
		s.full = true
		return
	}
	if _, err := v.WriteAt(v.buf, v.at); err != nil {
		s.full = true
		return
	}
	v.at += int64(len(v.buf))
	if v.buf = v.buf[:0]; v.at >= s.volumeSize {
		v.buf = nil
	}
}

// Get returns what is kept for a record, nil for nothing.
func (s *Area) Get(of cdx.Location) []byte {
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
	waits := p.at >= p.volume.at
	if waits {
		copy(*room, p.buf[p.at-p.volume.at:])
	}
	s.mu.RUnlock()
	if !waits {
		if _, err := p.ReadAt(*room, p.at); err != nil {
			return nil
		}
	}
	b, err := s2.Decode(nil, *room)
	if err != nil {
		return nil
	}
	return b
}
