package warc

import (
	"bytes"
	"fmt"
	"io"
)

// maxBlank bounds the line ends after a record in its member. The standard has two.
const maxBlank = 64 << 10

// bound handles an uncompressed record whose Content-Length doesn't lead to the next one. If that starts within the block, or the file ends
// there, the block ends there too. It is complete if the line ends that follow a block are before the next record.
func (r *reader) bound(rec *Record) {
	start := r.in.offset()
	rec.resume = start - 1 // the head's last line end, since records are searched for at the beginning of lines
	end, reason := start+rec.ContentLength, "doesn't lead to the next record"
	switch beyond := rec.ContentLength > r.size-start; {
	case beyond:
		end, reason = max(start, r.size), "reaches beyond the end of the file"
	case r.leadsOn(end):
		return
	}
	found := r.seekRecord(rec.resume, end, plain)
	if found {
		end = r.in.offset()
	}
	r.in.seek(start)
	if !found && end < r.size { // something else stands between two records
		return
	}
	reason, cause := fmt.Sprintf("Content-Length %d %s", rec.ContentLength, reason), error(io.ErrUnexpectedEOF)
	rec.resume, rec.block.left = end-1, end-start
	if behind := int64(len(blockEnd)); found && rec.block.left >= behind && r.has(end-behind, blockEnd) {
		cause, rec.ContentLength = nil, rec.block.left-behind
		rec.block.left = rec.ContentLength
	}
	_ = rec.fail(reason, cause)
}

// blockEnd is what follows a block (ISO 28500 §4).
const blockEnd = "\r\n\r\n"

// has reports whether a text is at an offset of the file.
func (r *reader) has(offset int64, text string) bool {
	b := make([]byte, len(text))
	n, _ := r.file.ReadAt(b, offset)
	return string(b[:n]) == text
}

// leadsOn reports whether the end of a record or the next one is at an offset.
func (r *reader) leadsOn(offset int64) bool {
	const enough = 512
	var b []byte
	if ahead := offset - r.in.offset(); ahead+enough <= int64(r.in.buf.Buffered()) {
		b, _ = r.in.buf.Peek(int(ahead) + enough)
		b = b[ahead:]
	} else {
		b = make([]byte, enough)
		n, _ := r.file.ReadAt(b, offset) // errors are reported where the block is read
		b = b[:n]
	}
	if bytes.HasPrefix(b, []byte(blockEnd)) {
		return true
	}
	b = bytes.TrimLeft(b, "\r\n")
	return len(b) == 0 || packingOf(b) != notRecord || r.arc && r.readable(b, plain)
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
		rec.resume = end - 1
	} else {
		_ = rec.fail(fmt.Sprintf("Content-Length %d doesn't lead to the next record", rec.ContentLength), nil)
	}
	r.in.seek(end)
}
