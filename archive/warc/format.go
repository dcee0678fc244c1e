package warc

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/varve-archive/varve/cdx"
)

// Format is the kind of a stored file.
type Format uint8

// The formats of stored files. Those called compressed are compressed record by record; CDX files are compressed as a
// whole or in ZipNum blocks.
const (
	Unknown Format = iota
	WARC
	WARCGzip
	WARCZstd
	ARC
	ARCGzip
	WACZ
	CDX      // 9, 10 or 11 columns, with or without a header line
	CDXGzip  // the same, compressed
	CDXJ     // lines of key, timestamp and JSON
	CDXJGzip // the same, compressed
	ZipNum   // the index of a ZipNum cluster: tab-separated key, part, offset and length
)

// String returns the format's usual name.
func (f Format) String() string {
	return [...]string{
		"unknown", "WARC", "WARC.gz", "WARC.zst", "ARC", "ARC.gz", "WACZ", "CDX", "CDX.gz", "CDXJ", "CDXJ.gz", "ZipNum index",
	}[f]
}

// Records reports whether [Scan] reads the format.
func (f Format) Records() bool { return f >= WARC && f <= ARCGzip }

// Detect determines the format of an opened file by its content or, if its beginning is damaged, by its name.
//
// It returns an error if the file has none of these formats. The error wraps [ErrNotRecordCompressed] if one of the first members
// holds two records or a part of one, because few records in such a file can be read at an offset.
func Detect(f File, name string) (Format, error) {
	r := newReader()
	r.reset(context.Background(), f, Base(name), new(zstdDecoders))
	defer r.release()
	start, _ := r.in.buf.Peek(bufferSize)
	if bytes.HasPrefix(start, []byte("PK\x03\x04")) {
		return WACZ, nil
	}
	format := indexFormat(start)
	if format == Unknown {
		format = r.recordFormat()
	}
	switch {
	case r.in.cursor.err != nil:
		return Unknown, r.in.cursor.err
	case format == Unknown: // or an empty file, whose writer may have just begun
		format = formatByName(name)
	case format == WARCGzip || format == WARCZstd || format == ARCGzip:
		return format, r.checkMembers()
	}
	if format == Unknown {
		return Unknown, fmt.Errorf("%s: neither WARC, ARC, WACZ nor CDX", r.name)
	}
	return format, nil
}

// recordFormat looks at the first member that isn't empty, or at the file's start if it isn't compressed.
func (r *reader) recordFormat() Format {
	for {
		p := r.sniff()
		if p == skippable && r.skipFrame() == nil {
			continue
		}
		if p == notRecord || p == nothing || p == skippable {
			return Unknown
		}
		place := r.in.offset()
		buf, err := r.inflate(p)
		if err != nil {
			return Unknown
		}
		if b, _ := buf.Peek(1); len(b) == 0 && r.in.offset() > place { // an empty member
			continue
		}
		r.in.seek(r.in.offset())
		return contentFormat(buf, p)
	}
}

// contentFormat determines the format by the first bytes of a member's content.
func contentFormat(buf *bufio.Reader, p packing) Format {
	start, _ := buf.Peek(maxARCLine)
	switch {
	case bytes.HasPrefix(start, []byte("WARC/")):
		return map[packing]Format{plain: WARC, gzipped: WARCGzip, zstandard: WARCZstd}[p]
	case p != zstandard && looksLikeARC(start):
		return map[packing]Format{plain: ARC, gzipped: ARCGzip}[p]
	}
	switch indexFormat(start) {
	case CDX:
		return CDXGzip
	case CDXJ:
		return CDXJGzip
	}
	return Unknown
}

// checkedMembers are as many as tell: some files have one with a warcinfo, then one for each pair of request and response, or for all.
const checkedMembers = 3

// checkMembers refuses a file one of whose first members holds two records, or a part of one. It leaves records of more than 1 MiB to Scan,
// which reads them anyway.
func (r *reader) checkMembers() error {
	r.in.seek(0)
	for range checkedMembers {
		rec, err := r.next()
		if err == nil && rec.ContentLength > maxHead {
			return nil
		}
		if err == nil {
			_, err = rec.Finish()
		}
		if errors.Is(err, ErrNotRecordCompressed) || err != nil && r.continues() {
			return fmt.Errorf("%s: %w", r.name, ErrNotRecordCompressed)
		}
		if err != nil {
			return nil
		}
	}
	return nil
}

// continues reports whether a record that its member doesn't complete goes on in the next one: no record starts there.
func (r *reader) continues() bool {
	for r.body != nil {
		if _, err := r.body.Peek(1); err != io.EOF {
			return false // there is more in this member
		}
		p := r.sniff()
		if p != gzipped && p != zstandard {
			return false
		}
		buf, err := r.inflate(p)
		if err != nil {
			return false
		}
		if start, _ := buf.Peek(maxARCLine); len(start) > 0 {
			return !bytes.HasPrefix(start, []byte("WARC/")) && !looksLikeARC(start)
		}
	}
	return false
}

// indexFormat determines the index format of an uncompressed file by its beginning, Unknown if it has none.
func indexFormat(start []byte) Format {
	for len(start) > 0 {
		var line []byte
		line, start, _ = bytes.Cut(start, []byte("\n"))
		text := strings.TrimRight(string(line[:min(len(line), 8<<10)]), blank)
		switch {
		case strings.ContainsFunc(text, func(c rune) bool { return c < ' ' && c != '\t' }):
			return Unknown
		case strings.HasPrefix(text, " CDX "):
			return CDX
		case strings.HasPrefix(text, "!") || text == "": // metadata of CDXJ files
		default:
			return indexLineFormat(text)
		}
	}
	return Unknown
}

func indexLineFormat(line string) Format {
	if tabs := strings.Split(line, "\t"); len(tabs) >= 4 && leadingDigits(tabs[2]) == tabs[2] && leadingDigits(tabs[3]) == tabs[3] {
		return ZipNum
	}
	f := strings.SplitN(line, " ", 4)
	if len(f) < 3 || !strings.ContainsAny(f[0], "),:.") {
		return Unknown
	}
	if _, err := cdx.ParseTimestamp(f[1]); err != nil {
		return Unknown
	}
	if strings.HasPrefix(f[2], "{") {
		return CDXJ
	}
	if columns := len(strings.Fields(line)); columns >= 9 && columns <= 14 {
		return CDX
	}
	return Unknown
}

// formatByName determines the format by the name's suffix.
func formatByName(name string) Format {
	name = strings.ToLower(name)
	for _, s := range []struct {
		suffix string
		format Format
	}{
		{".warc", WARC},
		{".warc.gz", WARCGzip},
		{".warc.zst", WARCZstd},
		{".arc", ARC},
		{".arc.gz", ARCGzip},
		{".wacz", WACZ},
		{".cdxj", CDXJ},
		{".cdx", CDX},
		{".cdxj.gz", CDXJGzip},
		{".cdx.gz", CDXGzip},
	} {
		if strings.HasSuffix(name, s.suffix) {
			return s.format
		}
	}
	return Unknown
}
