package warc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A reader reads records of a file, at any offset. It reuses its buffers, its decoders and the record.
type reader struct {
	name string // the file's base name
	file io.ReaderAt
	size int64
	in   *input

	gz          *gzip.Reader
	frame       zstdFrame
	zs          *zstd.Decoder // nil until the file needs it
	zstds       *zstdDecoders
	body        *bufio.Reader // the inflated member
	head        []byte
	rec         *Record
	arc         bool    // an ARC record has been read
	lastPacking packing // the packing of the last record that could be read
}

func newReader() *reader { return &reader{in: newInput()} }

// reset begins at the start of a file.
func (r *reader) reset(ctx context.Context, f File, name string, zstds *zstdDecoders) {
	r.name, r.file, r.size, r.zstds = name, f, f.Size(), zstds
	r.rec = new(Record) // a caller may still use the previous one
	r.arc, r.lastPacking = false, nothing
	r.in.reset(ctx, ReadFor(ctx, f), name)
}

// release returns what belongs to the file. The last record can't be read any more.
func (r *reader) release() {
	r.rec.finished, r.rec.block.err = true, errClosed
	if r.zs != nil {
		r.zstds.put(r.zs)
		r.zs = nil
	}
	r.in.reset(context.Background(), nil, "")
	r.file, r.zstds, r.rec = nil, nil, nil
}

// next reads the head of the next record. It returns io.EOF at the end of the file, and *Damage if no record is there.
func (r *reader) next() (*Record, error) {
	for {
		skipBlank(r.in.buf)
		switch p := r.sniff(); p {
		case nothing:
			if r.in.cursor.err != nil {
				return nil, r.in.cursor.err
			}
			return nil, io.EOF
		case skippable:
			if err := r.skipFrame(); err != nil {
				return nil, err
			}
		default:
			rec, err := r.open(p)
			if rec != nil || err != nil {
				return rec, err
			}
		}
	}
}

// damaged begins a new record that consists of damage only.
func (r *reader) damaged(offset int64, reason string, err error) error {
	r.begin(offset, notRecord)
	if r.in.cursor.err != nil {
		return r.in.cursor.err
	}
	return r.rec.fail(reason, err)
}

func (r *reader) begin(offset int64, p packing) *Record {
	fields := r.rec.Header[:0]
	*r.rec = Record{Offset: offset, Header: fields, src: r, packing: p, resume: offset + 1}
	r.rec.Block = &r.rec.block
	r.rec.block.rec = r.rec
	return r.rec
}

// open reads the head of the record at the input's offset. For an empty member it returns neither record nor error.
func (r *reader) open(p packing) (*Record, error) {
	rec := r.begin(r.in.offset(), p)
	if r.lastPacking == nothing && (p == gzipped || p == zstandard) {
		r.lastPacking = p // even if this one is unreadable: it may hold an uncompressed WARC, which is no plain record of this file
	}
	if p == notRecord {
		return nil, r.startFailure(errNoRecord)
	}
	buf, err := r.inflate(p)
	if err != nil {
		return nil, r.startFailure(err)
	}
	first, err := buf.Peek(5)
	switch {
	case len(first) == 0 && err == io.EOF:
		return nil, nil
	case string(first) == "WARC/":
		err = rec.readWARC(buf)
	case len(first) == 0:
		err = fmt.Errorf("record can't be inflated: %w", err)
	default:
		err = rec.readARC(buf)
		r.arc = r.arc || err == nil || string(first) == "filed" // an ARC file's first record begins with filedesc:
	}
	if err != nil {
		return nil, r.startFailure(err)
	}
	r.lastPacking = p
	rec.block.buf, rec.block.left = buf, rec.ContentLength
	if p == plain {
		r.bound(rec)
	}
	if err := rec.takeDate(); err != nil {
		_ = rec.fail(err.Error(), nil)
		_, err = rec.Finish()
		return nil, err
	}
	return rec, nil
}

// startFailure returns the reason why no record could be read where one began.
func (r *reader) startFailure(err error) error {
	if r.in.cursor.err != nil {
		return r.in.cursor.err
	}
	reason := err.Error()
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		reason = "record is cut off"
	case r.rec.packing == gzipped && errors.Is(err, gzip.ErrHeader):
		reason = "no gzip member starts here"
	}
	return r.rec.fail(reason, err)
}
