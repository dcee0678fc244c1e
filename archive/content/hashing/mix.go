package hashing

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// Mix is the finalizer of SplitMix64.
func Mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// Pair returns a hash of two numbers.
func Pair(a, b uint64) uint64 {
	var v [16]byte
	binary.BigEndian.PutUint64(v[:], a)
	binary.BigEndian.PutUint64(v[8:], b)
	return xxh3.Hash(v[:])
}

// NonZero returns h, or 1 if it is 0.
func NonZero(h uint64) uint64 {
	if h == 0 {
		return 1
	}
	return h
}

// Bit returns 1 for true.
func Bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}
