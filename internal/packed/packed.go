// Package packed reads numbers and bytes that were written one behind the other, numbers as [binary.AppendUvarint] does.
// Nothing that is read is trusted.
//
// Stability: internal.
package packed

import "encoding/binary"

// A Reader reads from the front. After the first mistake everything it returns is empty.
type Reader struct {
	Rest   []byte // that was not read
	Failed bool
}

// Fail notes a mistake.
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

// Text returns the next bytes, in front of which is how many they are.
func (r *Reader) Text() []byte { return r.Bytes(r.Uint()) }
