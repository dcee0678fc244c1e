package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"github.com/varve-archive/varve/internal/sentinel"
)

// maxBodyWindow bounds the window of a zstd-coded body: RFC 9659 §3 allows no more than 8 MiB.
const maxBodyWindow = 8 << 20

// maxCodings bounds how many codings a body may claim to have.
const maxCodings = 8

// A body is hollow where far more coded bytes are read than decoded ones come of them, as with gzip members or blocks that are empty. Coded
// once more, a few bytes are billions of these, and reading them would take hours.
const (
	hollowStart = 1 << 20 // coded bytes that may come before any decoded one
	hollowRatio = 32      // coded bytes for each decoded one; a server that flushes each byte sends eight
	errHollow   = sentinel.Error("hardly anything is in it")
)

// An uncoded is a body without its codings.
type uncoded struct {
	io.Reader
	left int64 // coded bytes that may be read, in all codings, until more has been decoded
}

// Read reads decoded bytes.
func (u *uncoded) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	u.left += hollowRatio * int64(n)
	return n, err
}

// Decode returns a body without its content coding (RFC 9110 §8.4). contentEncoding is the field's value; several codings are undone from
// the last to the first. It supports gzip, deflate (with and without zlib's wrapping), br and zstd.
//
// A body that isn't coded as the field claims, or has an unknown coding, is returned as it is. Bytes behind the coded data are left
// out. If decoding fails, the data ends too early or is hollow, reading ends with io.ErrUnexpectedEOF after the bytes that could be
// decoded. A known coding that isn't supported, like compress, is an error that wraps [errors.ErrUnsupported]. Memory is bounded however
// large a body gets when decoded.
func Decode(contentEncoding string, r io.Reader) (io.Reader, error) {
	codings := strings.Split(strings.ToLower(contentEncoding), ",")
	if len(codings) > maxCodings {
		return nil, fmt.Errorf("more than %d content codings: %w", maxCodings, errors.ErrUnsupported)
	}
	u := &uncoded{r, hollowStart}
	for i := len(codings) - 1; i >= 0; i-- {
		if err := u.decode(strings.Trim(codings[i], " \t\r\"")); err != nil {
			return nil, err
		}
	}
	return u, nil
}

func (u *uncoded) decode(coding string) (err error) {
	var open func(*source) (io.Reader, error)
	switch coding {
	case "gzip", "x-gzip":
		open = openGzip
	case "deflate":
		open = openDeflate
	case "br":
		open = openBrotli
	case "zstd":
		open = openZstd
	case "compress", "x-compress", "dcb", "dcz":
		return fmt.Errorf("content coding %s: %w", coding, errors.ErrUnsupported)
	default:
		return nil
	}
	u.Reader, err = open(&source{r: bufio.NewReaderSize(u.Reader, probeSize), of: u})
	return err
}

// probeSize is the number of bytes of a body that are checked for the claimed coding.
const probeSize = 4096

var gzipReaders = sync.Pool{New: func() any { return new(gzip.Reader) }}

func openGzip(source *source) (io.Reader, error) {
	if !atMember(source.r) {
		return source.r, nil
	}
	z := gzipReaders.Get().(*gzip.Reader)
	m := &gzipMembers{z, bufio.NewReaderSize(source, probeSize)}
	d := &decoded{r: m, source: source, free: func() { gzipReaders.Put(z) }}
	if err := m.next(); err != nil {
		d.end(err)
	}
	return d, nil
}

func atMember(buf *bufio.Reader) bool {
	head, _ := buf.Peek(3)
	return bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8})
}

// gzipMembers reads gzip members up to the first bytes that begin no member.
type gzipMembers struct {
	z   *gzip.Reader
	buf *bufio.Reader
}

func (m *gzipMembers) next() error {
	if !atMember(m.buf) {
		return io.EOF
	}
	err := m.z.Reset(m.buf)
	m.z.Multistream(false)
	return err
}

// Read reads inflated bytes.
func (m *gzipMembers) Read(p []byte) (int, error) {
	n, err := m.z.Read(p)
	if err == io.EOF {
		err = m.next()
	}
	return n, err
}

// openDeflate accepts zlib's format, which RFC 9110 calls deflate, the raw format that some servers send, and gzip, which some servers call
// deflate.
func openDeflate(source *source) (io.Reader, error) {
	head, _ := source.r.Peek(2)
	if len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		return openGzip(source)
	}
	if len(head) == 2 && head[0]&0xf == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		d := &decoded{source: source}
		var err error
		if d.r, err = zlib.NewReader(source); err != nil {
			d.end(err)
		}
		return d, nil
	}
	if !decodes(source.r, func(r io.Reader) io.Reader { return flate.NewReader(r) }) {
		return source.r, nil
	}
	return &decoded{r: flate.NewReader(source), source: source}, nil
}

func openBrotli(source *source) (io.Reader, error) {
	if !decodes(source.r, func(r io.Reader) io.Reader { return brotli.NewReader(r) }) {
		return source.r, nil
	}
	return &decoded{r: brotli.NewReader(source), source: source}, nil
}

func openZstd(source *source) (io.Reader, error) {
	if head, _ := source.r.Peek(4); !bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
		return source.r, nil
	}
	z, err := zstd.NewReader(source, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxBodyWindow))
	if err != nil {
		return nil, err
	}
	return &decoded{r: z, source: source, free: z.Close}, nil
}

// decodes tries to decode the start of a body in a format that has no magic number.
func decodes(buf *bufio.Reader, open func(io.Reader) io.Reader) bool {
	start, err := buf.Peek(probeSize)
	if len(start) == 0 || len(start) >= 16 && isText(start) {
		return false
	}
	var text bytes.Buffer // the decoded beginning
	r := io.LimitReader(open(bytes.NewReader(start)), 1<<20)
	_, failed := io.CopyN(&text, r, probeSize)
	if failed == nil {
		_, failed = io.Copy(io.Discard, r)
	} else if errors.Is(failed, io.EOF) {
		failed = nil
	}
	if err == nil { // the body continues, so the attempt must end too early
		return failed == nil || errors.Is(failed, io.ErrUnexpectedEOF)
	}
	inPart := (errors.Is(failed, io.ErrUnexpectedEOF) || isRest(failed)) && text.Len() >= len(start) && isText(text.Bytes())
	return failed == nil || inPart
}

// isText reports whether b, the start of a body, is UTF-8 without control characters. Compressed data never looks like
// that.
func isText(b []byte) bool {
	for i := 0; i < len(b); {
		c, size := utf8.DecodeRune(b[i:])
		if c == utf8.RuneError && size == 1 && len(b)-i >= utf8.UTFMax {
			return false
		}
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' {
			return false
		}
		i += size
	}
	return true
}

// A source remembers why the coded bytes ended, to distinguish a decoder's error from damage in the file.
type source struct {
	r      *bufio.Reader
	of     *uncoded
	err    error
	hollow bool // nothing more may be read
}

// Read reads coded bytes.
func (s *source) Read(p []byte) (int, error) {
	if s.of.left <= 0 {
		s.hollow = true
		return 0, errHollow
	}
	n, err := s.r.Read(p)
	s.of.left -= int64(n)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// decoded is a body that is being decoded.
type decoded struct {
	r      io.Reader
	source *source
	free   func() // puts the decoder back into its pool; may be nil
	begun  bool   // some bytes were decoded
	err    error
}

// Read reads decoded bytes.
func (d *decoded) Read(p []byte) (int, error) {
	if d.err != nil {
		return 0, d.err
	}
	n, err := d.r.Read(p)
	d.begun = d.begun || n > 0
	if err != nil {
		d.end(err)
	}
	return n, d.err
}

// end sets the error for further reads, given the decoder's.
func (d *decoded) end(err error) {
	switch {
	case d.source.err != nil:
		d.err = d.source.err
	case d.source.hollow:
		d.err = io.ErrUnexpectedEOF
	case err == io.EOF, d.begun && isRest(err):
		d.err = io.EOF
	default:
		d.err = io.ErrUnexpectedEOF
	}
	d.r = nil
	if d.free != nil {
		d.free()
	}
}

// isRest reports whether a decoder came to its format's end, and other bytes follow, such as a line end that a crawler counted.
// Browsers ignore these.
func isRest(err error) bool {
	return errors.Is(err, zstd.ErrMagicMismatch) || err != nil && err.Error() == "brotli: excessive input"
}
