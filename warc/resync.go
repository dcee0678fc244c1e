package warc

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// magics are what the packings of a record start with. A plain ARC record has none, its line is looked for instead.
var magics = [...]struct {
	magic   []byte
	packing packing
}{
	{[]byte{0x1f, 0x8b, 8}, gzipped},
	{[]byte{0x28, 0xb5, 0x2f, 0xfd}, zstandard},
	{[]byte("WARC/"), plain},
}

// longestMagic is how many bytes at the end of a window may be the start of a magic that goes on behind it.
const longestMagic = 4

// probeWindow is how much of what a place starts with tells whether it is a record: an ARC line at most.
const probeWindow = maxARCLine

// seekRecord goes to the first place from the offset from on at which a record can be read, or to the file's end. like is
// how the file's records are packed; nothing means that it isn't known yet.
func (r *reader) seekRecord(from int64, like packing) bool {
	r.in.seek(from)
	for {
		window, _ := r.in.buf.Peek(bufferSize)
		at, found := r.probeAll(window, like)
		if found {
			_, _ = r.in.buf.Discard(at)
			return true
		}
		if len(window) < bufferSize {
			_, _ = r.in.buf.Discard(len(window))
			return false
		}
		_, _ = r.in.buf.Discard(at)
	}
}

// probeAll goes through the places in window at which a record may start. Without a record, at is where to go on with more
// of the file in the window.
func (r *reader) probeAll(window []byte, like packing) (at int, found bool) {
	for {
		i, p := r.candidate(window[at:], like)
		if i < 0 {
			return len(window) - longestMagic, false
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

// packingByName tells by a file's name how its records should be packed.
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

// candidate returns the first place in window at which a record may start, -1 if there is none.
func (r *reader) candidate(window []byte, like packing) (first int, how packing) {
	first = -1
	for _, m := range magics {
		if like != nothing && like != m.packing {
			continue
		}
		if i := bytes.Index(window, m.magic); i >= 0 && (first < 0 || i < first) {
			first, how = i, m.packing
		}
		if first >= 0 {
			window = window[:min(len(window), first+longestMagic)]
		}
	}
	if r.arc && (like == plain || like == nothing) {
		if i := arcCandidate(window); i >= 0 && (first < 0 || i < first) {
			return i, plain
		}
	}
	return first, how
}

// arcCandidate returns the first place behind a line end at which an ARC line may start, -1 if there is none.
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
		b = r.inflateStart(b)
	case zstandard:
		var h zstd.Header
		return h.Decode(b) == nil && !h.Skippable // a block has to be there as a whole to be looked into
	}
	if bytes.HasPrefix(b, []byte("WARC/")) {
		return p != plain || looksLikeWARC(b[:min(len(b), 256)])
	}
	if !looksLikeARC(b) {
		return false
	}
	line, _, complete := bytes.Cut(b, []byte("\n"))
	if !complete && p == gzipped { // not all of it has been inflated
		return true
	}
	_, err := parseARCLine(strings.TrimRight(string(line), blank))
	return complete && err == nil
}

// inflateStart returns what the gzip member that b starts with begins with, nothing if it is none.
func (r *reader) inflateStart(b []byte) []byte {
	const reserved = 0xe0 // flags that no member has (RFC 1952 §2.3.1.2)
	if len(b) < 4 || b[3]&reserved != 0 || r.resetGzip(bytes.NewReader(b)) != nil {
		return nil
	}
	r.head = slices.Grow(r.head[:0], 2048)
	n, _ := io.ReadFull(r.gz, r.head[:2048])
	return r.head[:n]
}

// looksLikeWARC reports whether b starts with a version line and the beginning of a field that a record's head may have
// first. In an uncompressed file a page may quote the version line alone.
func looksLikeWARC(b []byte) bool {
	version, rest, ok := strings.Cut(string(b), "\n")
	version = strings.TrimRight(version, blank)
	if !ok || len(version) != len("WARC/1.0") || version[6] != '.' {
		return false
	}
	rest = strings.ToLower(rest)
	return strings.HasPrefix(rest, "warc-") || strings.HasPrefix(rest, "content-")
}
