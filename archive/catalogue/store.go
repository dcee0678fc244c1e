package catalogue

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
)

// factsSize is how many bytes the facts of an entry take in a file.
const factsSize = 5*8 + 2*4 + 2*2

// errCatalogue says that a stored catalogue is damaged.
const errCatalogue = sentinel.Error("catalogue: it is damaged")

// Write stores the catalogue so that [Read] can read it.
func (c *Catalogue) Write(to io.Writer) error {
	w := bufio.NewWriterSize(to, 64<<10)
	var buf [factsSize]byte
	number := func(n int) { _, _ = w.Write(binary.AppendUvarint(buf[:0], uint64(n))) } // w remembers errors
	number(len(c.facts))
	for i := range c.facts {
		_, _ = w.Write(c.facts[i].append(buf[:0]))
	}
	number(len(c.mimes))
	for _, m := range c.mimes {
		number(len(m))
		_, _ = w.WriteString(m)
	}
	number(len(c.blocks))
	for _, b := range c.blocks {
		number(b)
	}
	number(len(c.texts))
	_, _ = w.Write(c.texts)
	return w.Flush()
}

func (f *facts) append(to []byte) []byte {
	le := binary.LittleEndian
	for _, n := range []uint64{uint64(f.changed), uint64(f.first), uint64(f.last), uint64(f.bytes), f.sum} {
		to = le.AppendUint64(to, n)
	}
	to = le.AppendUint32(le.AppendUint32(to, f.captures), f.versions)
	return le.AppendUint16(le.AppendUint16(to, f.status), f.mime)
}

func factsOf(b []byte) facts {
	le := binary.LittleEndian
	return facts{
		changed: cdx.Timestamp(le.Uint64(b)), first: cdx.Timestamp(le.Uint64(b[8:])), last: cdx.Timestamp(le.Uint64(b[16:])),
		bytes: int64(le.Uint64(b[24:])), sum: le.Uint64(b[32:]), captures: le.Uint32(b[40:]), versions: le.Uint32(b[44:]),
		status: le.Uint16(b[48:]), mime: le.Uint16(b[50:]),
	}
}

// Read reads what [Catalogue.Write] stored. It refuses catalogues with invalid numbers; a checksum around it must ensure that texts are
// undamaged. size bounds the bytes that follow, and so the memory that it allocates.
func Read(from *bufio.Reader, size int64) (*Catalogue, error) {
	r := storeReader{from: from, size: size}
	c := &Catalogue{}
	var buf [factsSize]byte
	n := r.count()
	c.facts = make([]facts, 0, min(n, int(size/factsSize)))
	for range n {
		if _, err := io.ReadFull(from, buf[:]); err != nil {
			return nil, errCatalogue
		}
		c.facts = append(c.facts, factsOf(buf[:]))
	}
	for range r.count() {
		c.mimes = append(c.mimes, string(r.bytes(r.count())))
		if r.failed {
			return nil, errCatalogue
		}
	}
	n = r.count()
	c.blocks = make([]int, 0, min(n, int(size)))
	for range n {
		c.blocks = append(c.blocks, r.count())
		if r.failed {
			return nil, errCatalogue
		}
	}
	c.texts = r.bytes(r.count())
	if r.failed || !c.sound() {
		return nil, errCatalogue
	}
	return c, nil
}

// sound reports whether all numbers are within their ranges.
func (c *Catalogue) sound() bool {
	for i := range c.facts {
		if int(c.facts[i].mime) >= len(c.mimes) {
			return false
		}
	}
	before := 0
	for _, b := range c.blocks {
		if b < before || b > len(c.texts) {
			return false
		}
		before = b
	}
	return len(c.blocks) == (len(c.facts)+blockSize-1)/blockSize
}

// A storeReader reads numbers and bytes. After the first error, all it returns is empty.
type storeReader struct {
	from   *bufio.Reader
	size   int64 // of what is read
	failed bool
}

func (r *storeReader) count() int {
	n, err := binary.ReadUvarint(r.from)
	if r.failed = r.failed || err != nil || n > math.MaxInt32; r.failed {
		return 0
	}
	return int(n)
}

func (r *storeReader) bytes(n int) []byte {
	if r.failed = r.failed || int64(n) > r.size; r.failed {
		return nil
	}
	out := make([]byte, n)
	if _, err := io.ReadFull(r.from, out); err != nil {
		r.failed = true
		return nil
	}
	return out
}
