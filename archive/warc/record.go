package warc

import (
	"errors"
	"fmt"
	"io"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
)

// A Record is one record of a stored file. An ARC record has the same form, with its URL-record line as WARC fields of the same meaning.
type Record struct {
	Offset        int64         // where the record, or the compressed member that holds it, starts in the file
	Length        int64         // in bytes, of the member or, without one, of head and block; 0 until [Record.Finish]
	Version       string        // "WARC/1.1"; "ARC" for an ARC record
	Type          string        // WARC-Type in lower case; for ARC records "warcinfo" for the filedesc, else "response"
	TargetURI     string        // WARC-Target-URI as written, without angle brackets, in UTF-8, and with http:// if it begins with a host
	Date          cdx.Timestamp // WARC-Date, cut to the second
	Truncated     string        // WARC-Truncated
	ContentLength int64         // bytes in the block, as the head says; where an uncompressed block really ends, if that is known
	Header        Fields        // the record's head
	Block         *Block        // must be read before the next record is asked for

	block    Block
	src      *reader
	packing  packing
	finished bool
	damage   *Damage
	free     func() // returns the buffers of the Store; nil for a record of Scan
	resume   int64  // where to look for the next record if this one is damaged
}

// Finish skips the rest of the record, sets Length and returns it. The error is the record's *[Damage], the same that the iteration yields
// next, or says why the file can't be read any more. Finish may be called more than once.
func (rec *Record) Finish() (int64, error) {
	if !rec.finished {
		rec.finished = true
		rec.block.discard()
		rec.Length = rec.src.in.offset() - rec.Offset
		if rec.block.err == nil {
			rec.src.close(rec)
		}
		if rec.packing != plain {
			rec.Length = rec.src.in.offset() - rec.Offset
		}
	}
	if rec.damage != nil {
		return rec.Length, rec.damage
	}
	return rec.Length, rec.src.in.cursor.err
}

// Close releases a record of a [Store]; don't use the record or its block afterwards. For a record of [Scan] it does nothing.
func (rec *Record) Close() error {
	if free := rec.free; free != nil {
		rec.free = nil
		free()
	}
	return nil
}

const errClosed = sentinel.Error("record is closed")

// HTTP reports whether the block is an HTTP message, rather than the payload itself. That follows from the record's Content-Type or, if it
// names the payload's type (in ARC files and by some writers), from the URI and the beginning of the block. HTTP consumes nothing.
func (rec *Record) HTTP() bool {
	if rec.Type != "response" && rec.Type != "revisit" && rec.Type != "request" {
		return false
	}
	content := rec.Header.Get("Content-Type")
	if hasPrefixFold(content, "application/http") {
		return true
	}
	if !hasPrefixFold(rec.TargetURI, "http") {
		return false
	}
	start, _ := rec.Block.Peek(len("HTTP/"))
	return content == "" || rec.Version == "ARC" || hasPrefixFold(start, "HTTP/")
}

// cut records that the block ended early, after got bytes. It returns the error for reading the block.
func (rec *Record) cut(got int64, err error) error {
	if failed := rec.src.in.cursor.err; failed != nil {
		return failed
	}
	switch {
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return rec.fail(fmt.Sprintf("record can't be inflated beyond %d of %d bytes of its block: %v", got, rec.ContentLength, err), err)
	case rec.packing != plain && !errors.Is(err, io.ErrUnexpectedEOF):
		rec.resume = rec.src.in.offset() // the member itself is complete
		return rec.fail(fmt.Sprintf("block ends after %d of the %d bytes that Content-Length says", got, rec.ContentLength), io.ErrUnexpectedEOF)
	default:
		return rec.fail(fmt.Sprintf("record is cut off after %d of %d bytes of its block", got, rec.ContentLength), io.ErrUnexpectedEOF)
	}
}

// fail records the record's damage; the first one counts.
func (rec *Record) fail(reason string, err error) error {
	if rec.damage == nil {
		rec.damage = &Damage{File: rec.src.name, Offset: rec.Offset, Reason: reason, Err: err}
	}
	return rec.damage
}
