package segment

import (
	"encoding/binary"

	"github.com/varve-archive/varve/internal/packed"
	"github.com/varve-archive/varve/internal/sentinel"
)

// errDamaged says that a file isn't as it was written.
const errDamaged = sentinel.Error("segment: a file of the search is damaged")

// A decoder reads numbers and bytes. After the first error, all it returns is empty.
type decoder struct{ packed.Reader }

func decoderOf(b []byte) decoder { return decoder{packed.Reader{Rest: b}} }

func (d *decoder) byte() byte {
	if len(d.Rest) == 0 {
		d.Fail()
		return 0
	}
	b := d.Rest[0]
	d.Rest = d.Rest[1:]
	return b
}

func (d *decoder) err() error {
	if d.Failed {
		return errDamaged
	}
	return nil
}

// between returns b[from:to], or errDamaged if that is out of range.
func between(b []byte, from, to uint64) ([]byte, error) {
	if from > to || to > uint64(len(b)) {
		return nil, errDamaged
	}
	return b[from:to], nil
}

// A table is a sequence of 8-byte integers.
type table []byte

// newTable returns the table of n integers at offset at.
func newTable(b []byte, at, n uint64) (table, error) {
	if at > uint64(len(b)) || n > (uint64(len(b))-at)/8 {
		return nil, errDamaged
	}
	return table(b[at : at+8*n]), nil
}

func (t table) len() int { return len(t) / 8 }

func (t table) at(i int) uint64 { return binary.LittleEndian.Uint64(t[8*i:]) }

func appendText(out []byte, s string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(s))), s...)
}
