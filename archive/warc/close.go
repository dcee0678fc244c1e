package warc

import (
	"bytes"
	"fmt"
	"io"
)

// maxBlank bounds the line ends after a record in its member. The standard has two.
const maxBlank = 64 << 10

// bound handles a record that claims to reach beyond the end of the file: it ends where the next record starts.
func (r *reader) bound(rec *Record) {
	start := r.in.offset()
	rec.resume = start - 1 // start - 1 is the head's last line end, since records are searched for at the beginning of lines
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

// close skips the bytes after a record's block that belong to it, and checks that the record ends there.
func (r *reader) close(rec *Record) {
	if rec.packing == plain {
		r.closePlain(rec)
		return
	}
	for range maxBlank {
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
		break
	}
	r.reportRest(rec)
}

// reportRest reports other data in a member after its record.
func (r *reader) reportRest(rec *Record) {
	b, _ := r.body.Peek(bufferSize)
	another := holdsWARC(b)
	if !another && r.arc {
		_, _, err := peekARC(r.body)
		another = err == nil
	}
	switch {
	case another && rec.Offset == 0:
		_ = rec.fail(ErrNotRecordCompressed.Error(), ErrNotRecordCompressed)
	case another:
		_ = rec.fail("one compressed stream holds several records, and only the first can be read at an offset", ErrNotRecordCompressed)
	default:
		_ = rec.fail("there are bytes behind the block that its Content-Length doesn't count", nil)
	}
}

// holdsWARC reports whether b begins with a WARC record, or has the beginning of one in it.
func holdsWARC(b []byte) bool {
	found := bytes.HasPrefix(b, []byte("WARC/"))
	for !found {
		i := bytes.Index(b, []byte("\nWARC/"))
		if i < 0 {
			return false
		}
		b = b[i+1:]
		found = looksLikeWARC(b[:min(len(b), 256)])
	}
	return true
}

// closePlain skips the two line ends after an uncompressed record, or as many as there are, and checks that the next record starts there.
// If it doesn't, but both line ends were there, the record itself counts as sound.
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
	skipBlank(r.in.buf)
	if r.sniff() != notRecord || proper == 2 {
		rec.resume = end
	} else {
		_ = rec.fail(fmt.Sprintf("Content-Length %d doesn't lead to the next record", rec.ContentLength), nil)
	}
	r.in.seek(end)
}
