package warc

import (
	"bytes"
	"fmt"
	"io"
)

// These methods give access to the stored bytes of a record, for passing records on. Call them after [Record.Finish] has found the record
// complete.

// Packed reports whether the record is compressed, as a member or frame of its own.
func (rec *Record) Packed() bool { return rec.packing != plain }

// Gzipped reports whether the record is a gzip member of its own.
func (rec *Record) Gzipped() bool { return rec.packing == gzipped }

// Stored returns the bytes of the file that hold the record: its compressed member or, without one, head and block, but not
// the line ends after it. They can be read until the record is closed.
func (rec *Record) Stored() *io.SectionReader {
	return io.NewSectionReader(rec.src.file, rec.Offset, rec.Length)
}

// Unpack writes the record without compression, in the form of a WARC file: head and block byte for byte, and two line ends. It reads the
// block, which must not have been read. An ARC record has another head and is refused.
func (rec *Record) Unpack(w io.Writer) error {
	if rec.Version == arcVersion {
		return fmt.Errorf("%s: the record at byte %d is of an ARC file", rec.src.name, rec.Offset)
	}
	head := rec.src.head
	end := []byte("\r\n")
	if !bytes.HasSuffix(head, end) {
		end = end[1:]
	}
	for _, part := range [][]byte{head, end} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	if _, err := rec.Block.WriteTo(w); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\r\n\r\n")
	return err
}

// nearBefore is how many bytes before the record [Record.Before] looks at. Crawlers write short requests before a response.
const nearBefore = 64 << 10

// Before returns offsets shortly before the record where another one may begin, the nearest first. To be sure, read the record there and
// check that it ends where this one begins.
func (rec *Record) Before() (offsets []int64, err error) {
	start := max(0, rec.Offset-nearBefore)
	near := make([]byte, rec.Offset-start)
	if _, err := rec.src.file.ReadAt(near, start); err != nil && err != io.EOF {
		return nil, unreadable(rec.src.name, err)
	}
	for sign := rec.sign(); ; {
		at := bytes.LastIndex(near, sign)
		if at < 0 {
			return offsets, nil
		}
		offsets = append(offsets, start+int64(at))
		near = near[:at]
	}
}

// sign returns the first bytes of a record with this packing.
func (rec *Record) sign() []byte {
	switch rec.packing {
	case gzipped:
		return []byte{0x1f, 0x8b, 8}
	case zstandard:
		return []byte{0x28, 0xb5, 0x2f, 0xfd}
	}
	return []byte("WARC/")
}
