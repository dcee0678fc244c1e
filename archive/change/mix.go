package change

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// mix is the finalizer of SplitMix64.
func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// mixed returns a hash of two numbers.
func mixed(a, b uint64) uint64 {
	var v [16]byte
	binary.BigEndian.PutUint64(v[:], a)
	binary.BigEndian.PutUint64(v[8:], b)
	return xxh3.Hash(v[:])
}

// nonZero returns h, or 1 if it is 0.
func nonZero(h uint64) uint64 {
	if h == 0 {
		return 1
	}
	return h
}

// boolByte returns 1 for true.
func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}
