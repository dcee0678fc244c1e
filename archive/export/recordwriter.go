package export

import (
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/varve-archive/varve/archive/warc"
)

// A recordWriter writes WARC records one after the other.
type recordWriter struct {
	w      io.Writer
	offset int64        // of the next record
	zip    *gzip.Writer // nil to write without compression
}

func newRecordWriter(w io.Writer, packed bool) *recordWriter {
	out := &recordWriter{w: w}
	if packed {
		out.zip = gzip.NewWriter(nil)
	}
	return out
}

// Write implements [io.Writer] and counts.
func (w *recordWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.offset += int64(n)
	return n, err
}

// member calls f with a writer for one record.
func (w *recordWriter) member(f func(io.Writer) error) error {
	if w.zip == nil {
		return f(w)
	}
	w.zip.Reset(w)
	if err := f(w.zip); err != nil {
		return err
	}
	return w.zip.Close()
}

// copy copies a complete record. If its compressed form can't be copied, the record is read again by again.
func (w *recordWriter) copy(rec *warc.Record, again func() (*warc.Record, error)) error {
	if rec.Gzipped() && w.zip != nil {
		_, err := io.Copy(w, rec.Stored())
		return err
	}
	fresh, err := again()
	if err != nil {
		return err
	}
	defer fresh.Close()
	return w.member(fresh.Unpack)
}

// write writes a record with a new head. n is the length of the block.
func (w *recordWriter) write(head warc.Fields, n int64, block io.Reader) error {
	return w.member(func(out io.Writer) error {
		var b strings.Builder
		b.WriteString("WARC/1.1\r\n")
		for _, f := range head {
			fmt.Fprintf(&b, "%s: %s\r\n", f.Name, f.Value)
		}
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", n)
		if _, err := io.WriteString(out, b.String()); err != nil {
			return err
		}
		if _, err := io.CopyN(out, block, n); err != nil {
			return err
		}
		_, err := io.WriteString(out, "\r\n\r\n")
		return err
	})
}

// recordID returns a WARC-Record-ID that depends only on the exported record: a UUID of version 8 (RFC 9562 §5.8).
func recordID(of ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(of, "\n")))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
