// Package packed decodes a sequence of numbers and bytes, with numbers as [binary.AppendUvarint] encodes them. It checks all input.
//
// Stability: internal.
package packed

import (
	"encoding/binary"
	"math"
)

// A Reader reads from the front. After the first error, all it returns is empty.
type Reader struct {
	Rest   []byte // that was not read
	Failed bool
}

// Fail notes an error.
func (r *Reader) Fail() { r.Rest, r.Failed = nil, true }

// Uint returns the next number.
func (r *Reader) Uint() uint64 {
	if len(r.Rest) > 0 && r.Rest[0] < 0x80 { // most are
		n := r.Rest[0]
		r.Rest = r.Rest[1:]
		return uint64(n)
	}
	n, size := binary.Uvarint(r.Rest)
	if size <= 0 {
		r.Fail()
		return 0
	}
	r.Rest = r.Rest[size:]
	return n
}

// Int returns the next number as [binary.AppendVarint] encodes it, which may be negative.
func (r *Reader) Int() int64 {
	n := r.Uint()
	return int64(n>>1) ^ -int64(n&1)
}

// Uint32 returns the next number, which has 32 bits at most.
func (r *Reader) Uint32() uint32 {
	n := r.Uint()
	if n > math.MaxUint32 {
		r.Fail()
		return 0
	}
	return uint32(n)
}

// Count returns the next number, which is the number of items of at least size bytes that follow.
func (r *Reader) Count(size int) int {
	n := r.Uint()
	if n > uint64(len(r.Rest)/size) {
		r.Fail()
		return 0
	}
	return int(n)
}

// Byte returns the next byte.
func (r *Reader) Byte() byte {
	if b := r.Bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// Fixed16 returns the next two bytes as a little-endian number.
func (r *Reader) Fixed16() uint16 {
	if b := r.Bytes(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// Fixed32 is [Reader.Fixed16] for four bytes.
func (r *Reader) Fixed32() uint32 {
	if b := r.Bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// Fixed64 is [Reader.Fixed16] for eight bytes.
func (r *Reader) Fixed64() uint64 {
	if b := r.Bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// Bytes returns the next n bytes.
func (r *Reader) Bytes(n uint64) []byte {
	if n > uint64(len(r.Rest)) {
		r.Fail()
		return nil
	}
	b := r.Rest[:n]
	r.Rest = r.Rest[n:]
	return b
}

// AppendText appends a text with its length in front, as [Reader.Text] reads it.
func AppendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// Text returns the next bytes, which are preceded by their number.
func (r *Reader) Text() []byte { return r.Bytes(r.Uint()) }
