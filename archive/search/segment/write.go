package segment

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

const (
	dictionaryBlock = 16      // terms in a block of a dictionary
	postingsBlock   = 128     // documents in a block of postings
	columnBlock     = 1 << 14 // bytes of values after which a block of a column ends
)

// A writer writes a file: columns, then fields, then the end.
type writer struct {
	out   io.Writer
	codec *codec
	at    uint64
	sum   uint32 // checksum so far
	err   error  // the first error
	dir   directory
	buf   []byte
}

func (w *writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(b)
	}
	w.at += uint64(len(b))
	w.sum = crc32.Update(w.sum, crc32.IEEETable, b)
}

// table writes a table and returns its offset.
func (w *writer) table(numbers []uint64) (at uint64) {
	at = w.at
	w.buf = w.buf[:0]
	for _, n := range numbers {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, n)
	}
	w.write(w.buf)
	return at
}

// A columnWriter writes a column, document by document.
type columnWriter struct {
	*writer
	name   string
	raw    []byte // values of the current block
	first  uint64 // first document of the block
	next   uint64 // next document
	blocks []uint64
}

func (w *writer) column(name string) *columnWriter { return &columnWriter{writer: w, name: name} }

// add adds the value of the next document.
func (c *columnWriter) add(v []byte) {
	c.raw = append(binary.AppendUvarint(c.raw, uint64(len(v))), v...)
	if c.next++; len(c.raw) >= columnBlock {
		c.flush()
	}
}

// flush ends the current block.
func (c *columnWriter) flush() {
	if c.next > c.first {
		c.block(c.codec.pack(c.raw), c.next)
		c.raw = c.raw[:0]
	}
}

// block writes a compressed block. next is the first document after it.
func (c *columnWriter) block(packed []byte, next uint64) {
	c.blocks = append(c.blocks, c.first, c.at)
	c.write(packed)
	c.first, c.next = next, next
}

func (c *columnWriter) end() {
	c.flush()
	n := uint64(len(c.blocks) / 2)
	c.dir.columns = append(c.dir.columns, columnPlace{c.name, n, c.table(append(c.blocks, c.next, c.at))})
}

// A fieldWriter writes a field. It writes postings immediately, and keeps the dictionary in memory until the last term.
type fieldWriter struct {
	*writer
	place  fieldPlace
	dict   []byte
	blocks []uint64 // offsets of blocks in dict
	last   []byte   // previous term
	heads  []byte   // heads of the current list: where its blocks end
	list   []byte
}

func (w *writer) field(name string) *fieldWriter {
	return &fieldWriter{writer: w, place: fieldPlace{name: name, postings: w.at}}
}

// A posting is a document that has a term, with a number.
type posting struct{ doc, number uint32 }

// term adds the next term and its postings. Terms come in the order of their bytes, documents in order too.
func (f *fieldWriter) term(t []byte, list []posting) {
	shared := 0
	if f.place.terms%dictionaryBlock == 0 {
		f.blocks = append(f.blocks, uint64(len(f.dict)))
		f.dict = binary.AppendUvarint(f.dict, f.at-f.place.postings)
	} else {
		for shared < len(t) && shared < len(f.last) && t[shared] == f.last[shared] {
			shared++
		}
	}
	f.place.terms++
	f.last = append(f.last[:0], t...)
	f.dict = appendSplit(f.dict, shared, len(t)-shared)
	f.dict = append(f.dict, t[shared:]...)
	if len(list) == 1 {
		f.dict = appendOnly(f.dict, list[0])
		return
	}
	f.dict = binary.AppendUvarint(f.dict, uint64(len(list)))
	f.postings(list)
	f.dict = binary.AppendUvarint(f.dict, uint64(len(f.heads)+len(f.list)))
	f.write(f.heads)
	f.write(f.list)
}

// appendSplit appends how many bytes a term shares with the previous one, and how many follow. Both usually fit in one byte, which is then
// at least 16; otherwise a 0 and two varints are written.
func appendSplit(out []byte, shared, more int) []byte {
	if shared < 16 && 0 < more && more < 16 {
		return append(out, byte(more<<4|shared))
	}
	return binary.AppendUvarint(binary.AppendUvarint(append(out, 0), uint64(shared)), uint64(more))
}

// appendOnly appends the only posting of a term: 0 and the document if its number is 1, else 1, the document and the number. Terms with
// several postings have their count here, which is at least 2.
func appendOnly(out []byte, p posting) []byte {
	if p.number == 1 {
		return binary.AppendUvarint(append(out, 0), uint64(p.doc))
	}
	return binary.AppendUvarint(binary.AppendUvarint(append(out, 1), uint64(p.doc)), uint64(p.number))
}

// end writes the dictionary.
func (f *fieldWriter) end() {
	f.place.dictionary = f.at
	f.writer.write(f.dict)
	f.place.blocks = f.table(append(f.blocks, uint64(len(f.dict))))
	f.dir.fields = append(f.dir.fields, f.place)
}

// postings encodes postings in blocks. A posting is twice the step from the previous document, plus one if its number is 1; otherwise the
// number follows. [again] and a count stand for that many consecutive documents with the number of the previous posting, as words of a
// template have. The heads come first: for each block except the last, the step to its last document from that of the previous block, and
// the offset of its end.
func (f *fieldWriter) postings(list []posting) {
	f.heads, f.list = f.heads[:0], f.list[:0]
	last, before := uint32(0), uint32(0)
	for i := 0; i < len(list); i++ {
		p := list[i]
		if i%postingsBlock != 0 {
			if n := run(list[i-1 : min(len(list), i-i%postingsBlock+postingsBlock)]); n > 2 || n == 2 && p.number != 1 {
				f.list = binary.AppendUvarint(append(f.list, again), uint64(n))
				i += n - 1
				last = list[i].doc
				continue
			}
		} else if i > 0 {
			f.heads = binary.AppendUvarint(binary.AppendUvarint(f.heads, uint64(last-before)), uint64(len(f.list)))
			before = last
		}
		if p.number == 1 {
			f.list = binary.AppendUvarint(f.list, uint64(p.doc-last)<<1|1)
		} else {
			f.list = binary.AppendUvarint(binary.AppendUvarint(f.list, uint64(p.doc-last)<<1), uint64(p.number))
		}
		last = p.doc
	}
}

// again marks a run. It can't be mistaken for a posting: its step would be 0, which only the first posting of a list can have.
const again = 1

// run returns how many documents follow the first one consecutively with the same number.
func run(list []posting) (n int) {
	for n+1 < len(list) && list[n+1].doc == list[n].doc+1 && list[n+1].number == list[0].number {
		n++
	}
	return n
}

// end writes the directory and the checksum. ids has the number of each document's ID in the dictionary of IDs.
func (w *writer) end(ids []uint64) error {
	w.dir.ids = w.table(ids)
	at := w.at
	w.write(w.dir.append(nil))
	w.write(append(binary.LittleEndian.AppendUint64(nil, at), magic...))
	w.write(binary.LittleEndian.AppendUint32(nil, w.sum))
	if w.err != nil {
		return fmt.Errorf("segment: %w", w.err)
	}
	return nil
}
