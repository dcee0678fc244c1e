package warc

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// magics are the first bytes of each packing. A plain ARC record has none; it is found by its URL-record line.
var magics = [...]struct {
	packing packing
	magic   []byte
}{
	{gzipped, []byte{0x1f, 0x8b, 8}},
	{zstandard, []byte{0x28, 0xb5, 0x2f, 0xfd}},
	{plain, []byte("WARC/")},
}

// maxMagic is the number of bytes at the end of a window that may begin a magic number.
const maxMagic = 4

// probeWindow is the number of bytes that decide whether a record starts somewhere: at most an ARC line.
const probeWindow = maxARCLine

// seekRecord goes to the first offset, at or after from, where a record can be read, or to the end of the file. It gives up behind the
// offset to. usual is the packing of the file's records, nothing if it isn't known yet.
func (r *reader) seekRecord(from, to int64, usual packing) bool {
	r.in.seek(from)
	for r.in.offset() < to {
		window, _ := r.in.buf.Peek(bufferSize)
		at, found := r.probeAll(window, usual)
		if found {
			_, _ = r.in.buf.Discard(at)
			return r.in.offset() < to
		}
		if len(window) < bufferSize {
			_, _ = r.in.buf.Discard(len(window))
			return false
		}
		_, _ = r.in.buf.Discard(at)
	}
	return false
}

// probeAll tries the offsets in window at which a record may start. If it finds no record, at is where to continue with
// more of the file in the window.
func (r *reader) probeAll(window []byte, usual packing) (at int, found bool) {
	for {
		i, p := r.candidate(window[at:], usual)
		if i < 0 {
			return len(window) - maxMagic, false
		}
		at += i
		if len(window) == bufferSize && at > bufferSize-probeWindow {
			return at, false
		}
		if r.readable(window[at:], p) {
			return at, true
		}
		at++
	}
}

// packingByName returns the packing that a file's name suggests.
func packingByName(name string) packing {
	switch formatByName(name) {
	case WARCGzip, ARCGzip:
		return gzipped
	case WARCZstd:
		return zstandard
	case WARC, ARC:
		return plain
	}
	return nothing
}

// candidate returns the first offset in window at which a record may start, or -1.
func (r *reader) candidate(window []byte, usual packing) (first int, how packing) {
	first = -1
	for _, m := range magics {
		if usual != nothing && usual != m.packing {
			continue
		}
		if i := bytes.Index(window, m.magic); i >= 0 && (first < 0 || i < first) {
			first, how = i, m.packing
		}
		if first >= 0 {
			window = window[:min(len(window), first+maxMagic)]
		}
	}
	if r.arc && (usual == plain || usual == nothing) {
		if i := arcCandidate(window); i >= 0 && (first < 0 || i < first) {
			return i, plain
		}
	}
	return first, how
}

// arcCandidate returns the first offset after a line end at which an ARC line may start, or -1.
func arcCandidate(window []byte) int {
	for at := 0; ; {
		i := bytes.IndexByte(window[at:], '\n')
		if i < 0 || at+i+1 == len(window) {
			return -1
		}
		at += i + 1
		if rest := window[at:]; bytes.IndexByte(rest, '\n') < 0 || looksLikeARC(rest) {
			return at
		}
	}
}

// readable reports whether b starts with a record.
func (r *reader) readable(b []byte, p packing) bool {
	switch p {
	case gzipped:
		b = bytes.TrimLeft(r.inflateStart(b), "\r\n")
	case zstandard:
		var h zstd.Header
		return h.Decode(b) == nil && !h.Skippable // checking more would need a whole block
	}
	if bytes.HasPrefix(b, []byte("WARC/")) {
		return p != plain || looksLikeWARC(b[:min(len(b), 256)])
	}
	if !looksLikeARC(b) {
		return false
	}
	line, _, complete := bytes.Cut(b, []byte("\n"))
	if !complete && p == gzipped { // the line is longer than the inflated part
		return true
	}
	_, err := parseARCLine(strings.TrimRight(string(line), blank))
	return complete && err == nil
}

// inflateStart returns the start of the content of the gzip member at the start of b, nil if there is no such member.
func (r *reader) inflateStart(b []byte) []byte {
	const reserved = 0xe0 // flags that no member sets (RFC 1952 §2.3.1.2)
	if len(b) < 4 || b[3]&reserved != 0 || r.resetGzip(bytes.NewReader(b)) != nil {
		return nil
	}
	r.head = slices.Grow(r.head[:0], 2048)
	n, _ := io.ReadFull(r.gz, r.head[:2048])
	return r.head[:n]
}

// looksLikeWARC reports whether b starts with a version line and the beginning of a field that may come first in a
// record's head. The version line alone isn't enough: an archived page may quote it in an uncompressed file.
func looksLikeWARC(b []byte) bool {
	version, rest, ok := strings.Cut(string(b), "\n")
	version = strings.TrimRight(version, blank)
	if !ok || len(version) < len("WARC/1.0") || len(version) > maxVersion || version[6] != '.' {
		return false
	}
	rest = strings.ToLower(rest)
	return strings.HasPrefix(rest, "warc-") || strings.HasPrefix(rest, "content-")
}
