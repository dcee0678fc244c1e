package search

import (
	"encoding/binary"
	"errors"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/search/history"
)

// The facts of a document are what is known of its page without its history: the key and the rows, but for titles and what
// templates read. They are a column of the index (doc values), in which ten thousands of documents are read in the time in
// which some hundred histories are unpacked. Documents of pages whose history has several parts, or very many versions, have
// no facts; they are always read whole. All numbers are varints:
//
//	the length of the key, the key
//	the number of rows, then each: the step from the last First, Last - First, flags, Words, Deleted, Added, Status,
//	    and Lang and MIME with their lengths
type facts struct {
	key  string
	rows []history.Row
}

// mostFactRows bounds the rows of facts. A page has seldom more versions.
const mostFactRows = 256

func packFacts(key string, rows []history.Row) []byte {
	b := binary.AppendUvarint(make([]byte, 0, len(key)+32*len(rows)+8), uint64(len(key)))
	b = append(b, key...)
	b = binary.AppendUvarint(b, uint64(len(rows)))
	first := int64(0)
	for i := range rows {
		r := &rows[i]
		b = binary.AppendVarint(b, int64(r.First)-first)
		b = binary.AppendVarint(b, int64(r.Last)-int64(r.First))
		first = int64(r.First)
		b = append(b, r.Flags())
		for _, n := range []int{r.Words, r.Deleted, r.Added, r.Status} {
			b = binary.AppendUvarint(b, uint64(n))
		}
		for _, s := range []string{r.Lang, r.MIME} {
			b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
		}
	}
	return b
}

// A column field is not searched. The library stores its bytes in a column as those of a geometric shape, whose form it
// leaves to the field; there is no other way to a column whose bytes are not terms of the dictionary too.
type column struct {
	*field
	bytes []byte
}

var _ index.GeoShapeField = (*column)(nil)

func newColumn(name string, bytes []byte) *column { return &column{newField(name, 0), bytes} }

func (c *column) EncodedShape() []byte { return c.bytes }
func (c *column) GeoShape() (index.GeoJSON, error) {
	return nil, errors.New("search: a column is no shape")
}
func (c *column) Options() index.FieldIndexingOptions { return index.IndexField | index.DocValues }
func (c *column) Size() int                           { return len(c.bytes) }

// A factReader reads facts. Documents should be read in order. It is not safe for concurrent use.
type factReader struct {
	column index.DocValueReader
	buf    []byte
	names  map[string]string // of languages and media types, each once
	rows   []history.Row
}

func (r reader) facts() (*factReader, error) {
	column, err := r.DocValueReader([]string{fieldFacts})
	return &factReader{column: column, names: map[string]string{}}, err
}

// of returns the facts of a document; ok is false if it has none. Its rows are valid until the next call.
func (f *factReader) of(doc uint64) (out facts, ok bool, err error) {
	f.buf = f.buf[:0]
	pieces := 0
	err = f.column.VisitDocValues(docID(doc), func(_ string, piece []byte) { // the library divides it as if it were terms
		if pieces++; pieces > 1 {
			f.buf = append(f.buf, index.DocValueTermSeparator)
		}
		f.buf = append(f.buf, piece...)
	})
	if err != nil || len(f.buf) == 0 {
		return out, false, err
	}
	d := factDecoder{rest: f.buf}
	out.key = string(d.bytes())
	n := int(d.uint())
	if d.failed || n > mostFactRows {
		return out, false, errFacts
	}
	f.rows = f.rows[:0]
	first := int64(0)
	for range n {
		var r history.Row
		first += d.int()
		r.First, r.Last = cdx.Timestamp(first), cdx.Timestamp(first+d.int())
		r.SetFlags(d.byte())
		for _, to := range []*int{&r.Words, &r.Deleted, &r.Added, &r.Status} {
			*to = int(d.uint())
		}
		r.Lang, r.MIME = f.name(d.bytes()), f.name(d.bytes())
		f.rows = append(f.rows, r)
	}
	if d.failed {
		return out, false, errFacts
	}
	out.rows = f.rows
	return out, true, nil
}

var errFacts = errors.New("search: the facts of a document are damaged")

// name returns the one copy of a text.
func (f *factReader) name(b []byte) string {
	s, ok := f.names[string(b)]
	if !ok {
		s = string(b)
		f.names[s] = s
	}
	return s
}

// A factDecoder reads numbers and texts. After the first mistake everything it returns is empty.
type factDecoder struct {
	rest   []byte
	failed bool
}

func (d *factDecoder) take(n int) []byte {
	if d.failed || n <= 0 || n > len(d.rest) {
		d.failed = d.failed || n != 0
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *factDecoder) uint() uint64 {
	n, size := binary.Uvarint(d.rest)
	if d.take(size); size <= 0 {
		d.failed = true
		return 0
	}
	return n
}

func (d *factDecoder) int() int64 {
	n, size := binary.Varint(d.rest)
	if d.take(size); size <= 0 {
		d.failed = true
		return 0
	}
	return n
}

func (d *factDecoder) byte() byte {
	if b := d.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (d *factDecoder) bytes() []byte {
	n := d.uint()
	if n > uint64(len(d.rest)) {
		d.failed = true
		return nil
	}
	return d.take(int(n))
}
