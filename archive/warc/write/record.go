package write

import (
	"crypto/rand"
	"crypto/sha1"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/klauspost/compress/gzip"
	"github.com/nlnwa/gowarc"

	"github.com/varve-archive/varve/archive/warc"
)

type record struct {
	kind   gowarc.RecordType
	id     string
	head   warc.Fields // without type, ID, length and block digest
	block  io.ReadSeeker
	size   int64 // of the block, which is the first size bytes of block
	digest warc.Digest
}

func newRecord(kind gowarc.RecordType, t time.Time, contentType string, block io.ReadSeeker, size int64, digest warc.Digest) record {
	return record{
		kind: kind, id: recordID(), block: block, size: size, digest: digest,
		head: warc.Fields{{Name: gowarc.WarcDate, Value: stamp(t)}, {Name: gowarc.ContentType, Value: contentType}},
	}
}

// recordID returns a new WARC-Record-ID.
func recordID() string { return "<" + uuid.Must(uuid.NewRandomFromReader(rand.Reader)).URN() + ">" }

// stamp formats a time for records, in whole seconds, which all readers understand.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// fieldsBlock returns fields as a block of type application/warc-fields.
func fieldsBlock(fields warc.Fields) (block io.ReadSeeker, size int64, digest warc.Digest) {
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&b, "%s: %s\r\n", f.Name, oneLine(f.Value))
	}
	hash := sha1.New()
	_, _ = io.WriteString(hash, b.String()) // a hash never fails
	return strings.NewReader(b.String()), int64(b.Len()), warc.DigestOf(algorithm, hash)
}

// oneLine replaces line ends in a value, so that it can't begin another field.
func oneLine(s string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(s) }

// pack writes a record as a gzip member.
func (r *record) pack(zip *gzip.Writer, w io.Writer) error {
	zip.Reset(w)
	if _, _, err := gowarc.NewMarshaler().Marshal(zip, r.marshaled(), 0); err != nil {
		return err
	}
	return zip.Close()
}

// marshaled returns the record in the form that gowarc's marshaler takes. gowarc's builder isn't used: it copies each block, computes
// payload digests over chunked bodies, and isn't safe for concurrent use (it sets a global variable of the UUID package).
func (r *record) marshaled() *marshaled {
	m := &marshaled{block: block{r: r}}
	add := func(name, value string) {
		m.head.Add(name, oneLine(value))
		m.head[len(m.head)-1].Name = name // gowarc respells names that it doesn't know
	}
	add(gowarc.WarcType, r.kind.String())
	add(gowarc.WarcRecordID, r.id)
	for _, f := range r.head {
		add(f.Name, f.Value)
	}
	add(gowarc.WarcBlockDigest, labelled(r.digest))
	m.head.AddInt64(gowarc.ContentLength, r.size)
	return m
}

// A marshaled implements [gowarc.WarcRecord].
type marshaled struct {
	gowarc.WarcRecord
	head  gowarc.WarcFields
	block block
}

func (m *marshaled) Version() *gowarc.WarcVersion { return gowarc.V1_1 }

func (m *marshaled) WarcHeader() *gowarc.WarcFields { return &m.head }

func (m *marshaled) Block() gowarc.Block { return &m.block }

// A block implements [gowarc.Block] without copying.
type block struct {
	gowarc.Block
	r *record
}

func (b *block) RawBytes() (io.Reader, error) {
	if _, err := b.r.block.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return &exactly{r: b.r.block, left: b.r.size}, nil
}

// exactly reads a fixed number of bytes. Fewer are an error, because the record's head promises them.
type exactly struct {
	r    io.Reader
	left int64
}

func (e *exactly) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n, err := e.r.Read(p[:min(int64(len(p)), e.left)])
	if e.left -= int64(n); err == io.EOF && e.left > 0 {
		return n, io.ErrUnexpectedEOF
	} else if e.left == 0 && err == io.EOF {
		err = nil
	}
	return n, err
}
