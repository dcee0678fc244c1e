// Package staging keeps data that indexing has read from pages, by position of their records, until the search is built. It is a cache:
// what it lacks is read from the records.
//
// Stability: internal.
package staging

import (
	"cmp"
	"io/fs"
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
	// pattern matches the names of areas' files.
	pattern = "area-*.tmp"
	// bufferSize is the number of bytes that are collected before they are written.
	bufferSize = 1 << 20
	// usualVolume is the size at which a file is full. A file is removed when none of its data is needed any more.
	usualVolume = 64 << 20
	// maxVolumes bounds the files, each of which is open. The last one may grow beyond usualVolume.
	maxVolumes = 64
	// roomLeft is the disk space that an area leaves free, for the index and the search.
	roomLeft = 1 << 30
)

// An Area holds bytes for records, by position. It is safe for concurrent use.
type Area struct {
	dir        string
	volumeSize int64 // about how much is in one file

	mu      sync.RWMutex
	places  map[cdx.FileID][]place // in the order of their records
	last    *volume                // the file that is being written, nil for none
	volumes int                    // how many there are
	full    bool                   // nothing more is stored

	buffers sync.Pool // of *[]byte
}

// A volume is one of the files of an area.
type volume struct {
	*os.File
	name string // "" if it has no name any more
	kept int    // number of places in it
	buf  []byte // not written yet
	at   int64  // offset of buf in the file
}

// A place is the position of a record's compressed data.
type place struct {
	record, at int64
	*volume
	size int32
}

// New returns an area in a folder, and removes files that killed processes left there. No other process may use the folder.
func New(dir string) *Area {
	left, _ := fs.Glob(os.DirFS(dir), pattern)
	for _, name := range left {
		_ = os.Remove(filepath.Join(dir, name)) // a file that remains does no harm
	}
	s := &Area{dir: dir, volumeSize: usualVolume, places: map[cdx.FileID][]place{}}
	s.buffers.New = func() any { return new([]byte) }
	return s
}

// Close removes all data. Nothing is stored afterwards.
func (s *Area) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(slices.Collect(maps.Keys(s.places)))
	s.full = true
}

// Drop removes the data for the records of files.
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

// release removes the volume when its last place is released.
func (s *Area) release(v *volume) {
	if v.kept--; v.kept > 0 {
		return
	}
	if s.last == v {
		s.last = nil
	}
	s.volumes--
	_ = v.Close() // a concurrent reader finds nothing
	if v.name != "" {
		_ = os.Remove(v.name)
	}
}

// Put stores bytes for a record, and replaces earlier ones. If the area is full, it only removes these.
func (s *Area) Put(of cdx.Location, b []byte) {
	buf := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buf)
	*buf = s2.Encode((*buf)[:cap(*buf)], b)
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.places[of.File]
	i, known := find(list, of)
	v := s.open()
	if v == nil {
		if known { // the old data is outdated
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
	list[i] = place{of.Offset, v.at + int64(len(v.buf)), v, int32(len(*buf))}
	s.places[of.File] = list
	if v.buf = append(v.buf, *buf...); len(v.buf) >= bufferSize {
		s.flush(v)
	}
}

// open returns the volume to write to, nil if there is none.
func (s *Area) open() *volume {
	if s.full {
		return nil
	}
	if s.last != nil && (s.last.at < s.volumeSize || s.volumes >= maxVolumes) {
		return s.last
	}
	f, err := os.CreateTemp(s.dir, pattern)
	if err != nil {
		s.full = true
		return nil
	}
	s.volumes++
	s.last = &volume{File: f, name: f.Name()}
	if os.Remove(f.Name()) == nil { // where that is possible, a killed process leaves no file
		s.last.name = ""
	}
	return s.last
}

// find returns the index of a record in a list, or where it belongs.
func find(list []place, of cdx.Location) (i int, ok bool) {
	if n := len(list); n > 0 && list[n-1].record < of.Offset { // records usually come in the order of the file
		return n, false
	}
	return slices.BinarySearchFunc(list, of.Offset, func(p place, offset int64) int { return cmp.Compare(p.record, offset) })
}

// flush writes the buffer. If that fails the data stays in memory, and nothing more is stored.
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

// Get returns the data for a record, nil if there is none.
func (s *Area) Get(of cdx.Location) []byte {
	s.mu.RLock()
	list := s.places[of.File]
	i, ok := find(list, of)
	if !ok {
		s.mu.RUnlock()
		return nil
	}
	p := list[i]
	buf := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buf)
	*buf = slices.Grow((*buf)[:0], int(p.size))[:p.size]
	waits := p.at >= p.volume.at
	if waits {
		copy(*buf, p.buf[p.at-p.volume.at:])
	}
	s.mu.RUnlock()
	if !waits {
		if _, err := p.ReadAt(*buf, p.at); err != nil {
			return nil
		}
	}
	b, err := s2.Decode(nil, *buf)
	if err != nil {
		return nil
	}
	return b
}
