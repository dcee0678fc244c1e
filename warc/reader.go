package warc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// packing is how the bytes at some place of a file hold a record.
type packing uint8

const (
	nothing packing = iota // the file's end
	strange                // no record starts here
	plain
	gzipped
	zstandard
	skippable // a zstd frame without content: the dictionary, or padding
)

// A reader reads the record that a file has at some offset. Buffers, inflaters and the record are used again and again.
type reader struct {
	name string // the file's base name
	file io.ReaderAt
	size int64
	in   *input

	gz    *gzip.Reader
	frame zstdFrame
	zs    *zstd.Decoder // nil until the file turns out to need it
	zstds *zstdDecoders
	body  *bufio.Reader // what the member inflates to
	head  []byte
	rec   *Record
	arc   bool    // an ARC record has been read
	like  packing // how the last record that could be read was packed
}

func newReader() *reader { return &reader{in: newInput()} }

// reset begins at the start of a file. What has been inflated or read ahead from another is forgotten.
func (r *reader) reset(ctx context.Context, f File, name string, zstds *zstdDecoders) {
	r.name, r.file, r.size, r.zstds = name, f, f.Size(), zstds
	r.rec = new(Record) // a caller may hold on to the one before
	r.arc, r.like = false, nothing
	r.in.reset(ctx, f, name)
}

// release gives back what belongs to the file. Its last record can't be read any more.
func (r *reader) release() {
	r.rec.finished, r.rec.block.err = true, errClosed
	if r.zs != nil {
		r.zstds.put(r.zs)
		r.zs = nil
	}
	r.in.reset(context.Background(), nil, "")
	r.file, r.zstds, r.rec = nil, nil, nil
}

// sniff tells what starts at the place where the input stands.
func (r *reader) sniff() packing {
	b, _ := r.in.buf.Peek(5)
	switch {
	case len(b) == 0:
		return nothing
	case len(b) >= 2 && b[0] == 0x1f && b[1] == 0x8b:
		return gzipped
	case string(b) == "WARC/":
		return plain
	}
	if len(b) >= 4 {
		magic := binary.LittleEndian.Uint32(b)
		switch {
		case magic == zstdMagic:
			return zstandard
		case magic&^0xf == zstdSkippable:
			return skippable
		}
	}
	if b, _ = r.in.buf.Peek(maxARCLine); looksLikeARC(b) {
		return plain
	}
	return strange
}

// skipBlank passes over the line ends between records.
func (r *reader) skipBlank() {
	for {
		b, _ := r.in.buf.Peek(1)
		if len(b) == 0 || b[0] != '\r' && b[0] != '\n' {
			return
		}
		_, _ = r.in.buf.Discard(1)
	}
}

// next reads the head of the next record: io.EOF at the file's end, *Damage if what is there is no record.
func (r *reader) next() (*Record, error) {
	for {
		r.skipBlank()
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

func (r *reader) skipFrame() error {
	var head [8]byte
	start := r.in.offset()
	_, err := io.ReadFull(r.in.buf, head[:])
	if err == nil {
		_, err = discard(r.in.buf, int64(binary.LittleEndian.Uint32(head[4:])))
	}
	if err != nil {
		return r.damaged(start, "skippable zstd frame is cut off", io.ErrUnexpectedEOF)
	}
	return nil
}

// damaged begins a new record that is nothing but damage.
func (r *reader) damaged(offset int64, reason string, err error) error {
	r.begin(offset, strange)
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

// open reads the head of the record that starts where the input stands. An empty member gives neither record nor error.
func (r *reader) open(p packing) (*Record, error) {
	rec := r.begin(r.in.offset(), p)
	if r.like == nothing && (p == gzipped || p == zstandard) {
		r.like = p // even if this one can't be read: its content may be stored as it is, which is no plain record
	}
	if p == strange {
		return nil, r.wrong(errNoRecord)
	}
	buf, err := r.inflate(p)
	if err != nil {
		return nil, r.wrong(err)
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
		r.arc = r.arc || err == nil || string(first) == "filed" // filedesc: an ARC file's first record
	}
	if err != nil {
		return nil, r.wrong(err)
	}
	r.like = p
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

// wrong names what keeps the place at which a record began from being one.
func (r *reader) wrong(err error) error {
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

// inflate returns what to read the record from that starts where the input stands.
func (r *reader) inflate(p packing) (*bufio.Reader, error) {
	if p == plain {
		return r.in.buf, nil
	}
	if r.body == nil {
		r.body = bufio.NewReaderSize(nil, bufferSize)
	}
	if p == zstandard {
		return r.body, r.startZstd()
	}
	if r.gz == nil {
		r.gz = new(gzip.Reader)
	}
	err := r.gz.Reset(r.in.buf)
	r.gz.Multistream(false)
	r.body.Reset(r.gz)
	return r.body, err
}

func (r *reader) startZstd() error {
	if r.zs == nil {
		var err error
		if r.zs, err = r.zstds.get(r.file); err != nil {
			return err
		}
	}
	if err := r.frame.start(r.in.buf); err != nil {
		return err
	}
	err := r.zs.Reset(&r.frame)
	r.body.Reset(r.zs)
	return err
}

// bound keeps a record that claims to reach beyond the end of the file from swallowing those behind it: it ends where the
// next one starts.
func (r *reader) bound(rec *Record) {
	start := r.in.offset()
	rec.resume = start - 1 // the head's last line end, for what follows is a line's start
	if rec.ContentLength <= r.size-start {
		return
	}
	end := max(start, r.size)
	if r.seekRecord(rec.resume, plain) {
		end = r.in.offset()
	}
	rec.resume = end
	rec.block.left = end - start
	r.in.seek(start)
	_ = rec.fail(fmt.Sprintf("Content-Length %d reaches beyond the end of the file", rec.ContentLength), io.ErrUnexpectedEOF)
}

// close reads what belongs to a record behind its block and checks that the record ends there.
func (r *reader) close(rec *Record) {
	if rec.packing == plain {
		r.closePlain(rec)
		return
	}
	for {
		c, err := r.body.ReadByte()
		switch {
		case err == io.EOF:
			rec.resume = r.in.offset()
			return
		case err != nil:
			_ = rec.cut(rec.ContentLength, err)
			return
		case c == '\r' || c == '\n':
			continue
		}
		_ = r.body.UnreadByte()
		if b, _ := r.body.Peek(5); string(b) == "WARC/" {
			_ = rec.fail(ErrNotRecordCompressed.Error(), ErrNotRecordCompressed)
		} else if _, _, err := peekARC(r.body); r.arc && err == nil {
			_ = rec.fail(ErrNotRecordCompressed.Error(), ErrNotRecordCompressed)
		} else {
			_ = rec.fail("there are bytes behind the block that its Content-Length doesn't count", nil)
		}
		return
	}
}

// closePlain reads the two line ends behind an uncompressed record, as far as they are there, and looks whether the next
// record starts there. If it doesn't, but both line ends were there as the standard has them, the record itself is sound.
func (r *reader) closePlain(rec *Record) {
	proper := 0
	for range 2 {
		if b, _ := r.in.buf.Peek(2); bytes.HasPrefix(b, []byte("\r\n")) {
			_, _ = r.in.buf.Discard(2)
			proper++
		} else if bytes.HasPrefix(b, []byte("\n")) {
			_, _ = r.in.buf.Discard(1)
		}
	}
	end := r.in.offset()
	r.skipBlank()
	if r.sniff() != strange || proper == 2 {
		rec.resume = end
	} else {
		_ = rec.fail(fmt.Sprintf("Content-Length %d doesn't lead to the next record", rec.ContentLength), nil)
	}
	r.in.seek(end)
}
