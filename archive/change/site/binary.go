package site

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/internal/packed"
	"github.com/varve-archive/varve/internal/sentinel"
)

// siteVersion is the first byte of a stored [Site]. Raise it when the format, or what is learnt, changes.
const siteVersion = 1

// AppendBinary appends the stored form of s to dst: sets of hashes, sorted, each after its length. Texts that only one page has shown have
// no effect, so they aren't stored. A nil Site is stored like an empty one.
func (s *Site) AppendBinary(dst []byte) []byte {
	if s == nil {
		s = &Site{}
	}
	dst = append(dst, siteVersion)
	for _, set := range []*hashing.Set{&s.volatile.masks, &s.volatile.values, &s.furniture} {
		dst = appendHashes(dst, slices.Sorted(maps.Keys(set.Hashes)))
	}
	var elsewhere []uint64
	for core, pages := range s.texts {
		if pages > 1 {
			elsewhere = append(elsewhere, core)
		}
	}
	slices.Sort(elsewhere)
	dst = appendHashes(appendHashes(dst, elsewhere), slices.Sorted(maps.Keys(s.notFound.texts)))
	dst = binary.AppendUvarint(dst, uint64(len(s.notFound.hashes)))
	for i := range s.notFound.hashes {
		for _, v := range s.notFound.hashes[i] {
			dst = binary.LittleEndian.AppendUint16(dst, v)
		}
	}
	return dst
}

func appendHashes(dst []byte, hashes []uint64) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(hashes)))
	for _, h := range hashes {
		dst = binary.LittleEndian.AppendUint64(dst, h)
	}
	return dst
}

const errSiteShort = sentinel.Error("site: ends too early")

// Parse reads what [Site.AppendBinary] wrote. The result has the same [Site.Sum] and judges every page alike. Invalid data leads to an
// error, never to a panic, and to no more memory than a small multiple of its length.
func Parse(data []byte) (*Site, error) {
	r := packed.Reader{Rest: data}
	if version := r.Byte(); !r.Failed && version != siteVersion {
		return nil, fmt.Errorf("site: format %d, want %d", version, siteVersion)
	}
	s := &Site{texts: map[uint64]int{}, notFound: notFound{texts: map[uint64]bool{}}}
	for _, set := range []*hashing.Set{&s.volatile.masks, &s.volatile.values, &s.furniture} {
		eachHash(&r, set.Add)
	}
	eachHash(&r, func(core uint64) { s.texts[core] = 2 }) // any count above one has the same effect
	eachHash(&r, func(core uint64) { s.notFound.texts[core] = true })
	s.notFound.hashes = make([]sketch.MinHash, r.Count(2*len(sketch.MinHash{})))
	for i := range s.notFound.hashes {
		for j := range s.notFound.hashes[i] {
			s.notFound.hashes[i][j] = r.Fixed16()
		}
	}
	switch {
	case r.Failed:
		return nil, errSiteShort
	case len(r.Rest) > 0:
		return nil, fmt.Errorf("site: %d bytes too many", len(r.Rest))
	}
	return s, nil
}

// eachHash calls add with each hash of a stored set.
func eachHash(r *packed.Reader, add func(uint64)) {
	for range r.Count(8) {
		add(r.Fixed64())
	}
}
