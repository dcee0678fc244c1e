package segment

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

const (
	dictionaryBlock = 16      // terms of a block of a dictionary
	postingsBlock   = 128     // documents of a block of postings
	columnBlock     = 1 << 14 // bytes from which on a block of a column is full
)

// A writer writes a file, in this order: columns, fields, and the end.
type writer struct {
	out   io.Writer
	codec *codec
	at    uint64
	sum   uint32 // of what was written
	err   error  // the first
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

// table writes the places, and returns where it does.
func (w *writer) table(numbers []uint64) (at uint64) {
	at = w.at
	w.buf = w.buf[:0]
	for _, n := range numbers {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, n)
	}
	w.write(w.buf)
	return at
}

// A columnWriter writes a column: the values of the documents, in their order.
type columnWriter struct {
	*writer
	name   string
	raw    []byte // of the block
	first  uint64 // document of the block
	next   uint64 // document
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

// flush ends a block.
func (c *columnWriter) flush() {
	if c.next > c.first {
		c.block(c.codec.pack(c.raw), c.next)
		c.raw = c.raw[:0]
	}
}

// block writes a block, which ends before a document.
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

// A fieldWriter writes a field: its postings as they come, its dictionary in memory until all terms are known.
type fieldWriter struct {
	*writer
	place  fieldPlace
	dict   []byte
	blocks []uint64 // within dict
	last   []byte   // term
	heads  []byte   // what is before the blocks of a list
	list   []byte
}

func (w *writer) field(name string) *fieldWriter {
	return &fieldWriter{writer: w, place: fieldPlace{name: name, postings: w.at}}
}

// A posting is a document that has a term, with a number.
type posting struct{ doc, number uint32 }

// term writes the next term, in the order of their bytes, with its documents in their order.
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

// appendSplit appends how many bytes a term has in common with the one before, and how many it has of its own: mostly in one
// byte, which is at least 16 then.
func appendSplit(out []byte, shared, more int) []byte {
	if shared < 16 && 0 < more && more < 16 {
		return append(out, byte(more<<4|shared))
	}
	return binary.AppendUvarint(binary.AppendUvarint(append(out, 0), uint64(shared)), uint64(more))
}

// appendOnly appends the only document of a term. In front is 0 if its number is 1, else 1; other terms have the number of
// their documents there.
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

// postings encodes documents in blocks. Each document is its step from the one before, doubled, and one more if its number
// is 1; else its number follows. [again], in place of a document, says that so many follow one after the other, with the number
// of the one before: the words of a template. In front of them there is for each block but the last the step of its last
// document from that of the block before, and where it ends.
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

// again can't be a document, which has a step of 0 only where it is the first of a list.
const again = 1

// run returns how many documents follow the first one after the other with the same number.
func run(list []posting) (n int) {
	for n+1 < len(list) && list[n+1].doc == list[n].doc+1 && list[n+1].number == list[0].number {
		n++
	}
	return n
}

// end writes the number of each document's ID in the dictionary of IDs, and the directory.
func (w *writer) end(ids []uint64) error {
	w.dir.ids = w.table(ids)
	at := w.at
	w.write(w.dir.append(nil))
	w.write(append(binary.LittleEndian.AppendUint64(nil, at), magic...))
	w.write(binary.LittleEndian.AppendUint32(nil, w.sum))
	if w.err != nil {
		return fmt.Errorf("leaf: %w", w.err)
	}
	return nil
}
