package warc

import (
	"bytes"
	"strings"
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

// seekRecord goes to the first place from the offset from on at which a record can be read, or to the file's end. like is
// how the file's records are packed; nothing means that it isn't known yet.
func (r *reader) seekRecord(from int64, like packing) bool {
	r.in.seek(from)
	for {
		window, _ := r.in.buf.Peek(bufferSize)
		i, p := r.candidate(window, like)
		if i < 0 {
			if len(window) < bufferSize {
				_, _ = r.in.buf.Discard(len(window))
				return false
			}
			_, _ = r.in.buf.Discard(len(window) - longestMagic)
			continue
		}
		_, _ = r.in.buf.Discard(i)
		place := r.in.offset()
		if r.readable(p) {
			r.in.seek(place)
			return true
		}
		r.in.seek(place + 1)
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

// readable reports whether the place where the input stands holds the start of a record.
func (r *reader) readable(p packing) bool {
	buf, err := r.inflate(p)
	if err != nil {
		return false
	}
	b, _ := buf.Peek(256)
	if bytes.HasPrefix(b, []byte("WARC/")) {
		return p != plain || looksLikeWARC(b)
	}
	if !looksLikeARC(b) {
		return false
	}
	_, _, err = peekARC(buf)
	return err == nil
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
