package warc

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"
)

// Body returns the body of a message without its transfer coding. r must be at the first byte after the head.
//
// Chunking (RFC 9112 §7.1) is undone leniently. A body that is declared chunked but isn't is returned as it is, because many crawlers store
// it so. After a broken chunk the rest is returned as it is. A body that ends within a chunk ends there. Trailers are dropped. Codings
// below the chunking ("gzip, chunked") are undone too, see [Decode].
func Body(m Message, r io.Reader) io.Reader {
	var codings []string
	for _, v := range m.Header.All("Transfer-Encoding") {
		for coding := range strings.SplitSeq(v, ",") {
			codings = append(codings, strings.ToLower(strings.Trim(coding, blank)))
		}
	}
	for i := len(codings) - 1; i >= 0; i-- {
		switch codings[i] {
		case "chunked":
			r = dechunk(r)
		case "identity", "":
		default:
			decoded, err := Decode(codings[i], r)
			if err != nil { // an unknown coding: coded bytes are better than none
				return r
			}
			r = decoded
		}
	}
	return r
}

// Chunked reports whether a body returned by [Body] is chunked, and whether it ended without the last chunk, so that it is incomplete (RFC
// 9112 §8).
func Chunked(body io.Reader) (chunks, incomplete bool) {
	c, chunks := body.(*chunked)
	return chunks, chunks && c.cut
}

// dechunk undoes chunking if r really is chunked.
func dechunk(r io.Reader) io.Reader {
	lines, ok := r.(LineReader)
	if !ok {
		lines = bufio.NewReader(r)
	}
	if !startsChunk(lines) {
		return lines
	}
	return &chunked{r: lines}
}

// startsChunk reports whether r starts with a chunk: a size line and, if it is within reach, a line end after that many
// bytes.
func startsChunk(r LineReader) bool {
	line, _ := r.Peek(maxChunkLine)
	end := bytes.IndexByte(line, '\n')
	if end < 0 {
		return false
	}
	size, ok := chunkSize(line[:end])
	if !ok {
		return false
	}
	seen, err := r.Peek(int(min(int64(end)+1+size+2, 16<<10)))
	after := seen[min(int64(len(seen)), int64(end)+1+size):]
	switch {
	case size == 0: // an empty body, or trailers
		return true
	case len(after) > 0:
		return after[0] == '\r' || after[0] == '\n'
	case err == io.EOF: // cut off within its first chunk, or a text whose first line happens to be a number
		return line[max(0, end-1)] == '\r'
	}
	return true
}

const (
	maxChunkLine = 4096    // a size and its extensions; also the default buffer of a bufio.Reader
	maxChunk     = 1 << 50 // a larger size isn't one
	maxTrailers  = maxHead
)

// chunkSize reads a size line: hexadecimal digits, then nothing but white space or an extension.
func chunkSize(line []byte) (size int64, ok bool) {
	line = bytes.Trim(line, " \t\r\n")
	rest := bytes.TrimLeft(line, "0123456789abcdefABCDEF")
	size, err := strconv.ParseInt(string(line[:len(line)-len(rest)]), 16, 64)
	rest = bytes.TrimLeft(rest, " \t")
	return size, err == nil && size <= maxChunk && (len(rest) == 0 || rest[0] == ';')
}

// chunked reads a chunked body.
type chunked struct {
	r     LineReader
	left  int64 // bytes of the current chunk still to be read
	later bool  // a chunk came before: skip its line end before the next size
	raw   bool  // a chunk was broken: the rest comes as it is
	done  bool
	cut   bool // the end came within a chunk or before the last one
}

// Read reads the next bytes of the body.
func (c *chunked) Read(p []byte) (int, error) {
	for c.left == 0 && !c.raw {
		if c.done {
			return 0, io.EOF
		}
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	if !c.raw && int64(len(p)) > c.left {
		p = p[:c.left]
	}
	n, err := c.r.Read(p)
	c.left -= int64(n)
	c.cut = err != nil && c.left > 0 && !c.raw
	return n, err
}

// next skips the line end after a chunk and reads the size of the next one.
func (c *chunked) next() error {
	if c.later && !c.skipLineEnd() {
		c.raw = true
		return nil
	}
	c.later = true
	line, err := c.r.Peek(maxChunkLine)
	if len(line) == 0 {
		c.done, c.cut = true, true // nothing more can be read
		return err
	}
	end := bytes.IndexByte(line, '\n')
	if end < 0 {
		end = len(line) - 1
	}
	size, ok := chunkSize(line[:end+1])
	if !ok {
		c.raw = true
		return nil
	}
	_, err = c.r.ReadSlice(line[end])
	c.left = size
	if size == 0 {
		c.done = true
		c.skipTrailers()
	}
	return err
}

// skipLineEnd skips the line end after a chunk. It returns false if something else is there.
func (c *chunked) skipLineEnd() bool {
	b, _ := c.r.Peek(2)
	if bytes.HasPrefix(b, []byte("\r\n")) || bytes.HasPrefix(b, []byte("\n")) {
		_, _ = c.r.ReadSlice('\n')
		return true
	}
	return len(b) == 0
}

// skipTrailers skips the trailer section and its empty line (RFC 9112 §7.1.2).
func (c *chunked) skipTrailers() {
	for size := 0; size < maxTrailers; {
		line, err := c.r.ReadSlice('\n')
		size += len(line)
		if err != nil || emptyLine(line) {
			return
		}
	}
}
