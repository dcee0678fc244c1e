package cdx

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// maxLine bounds a line of an index. It leaves room for the longest URLs and keys.
const maxLine = 1 << 20

// A LineError says which line of an index can't be used and why.
type LineError struct {
	File string // the name given to the reader
	Line int    // from 1; in a ZipNum cluster the line of the .idx that names the block; 0 means the whole file
	Err  error
}

func (e *LineError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s, line %d: %v", e.File, e.Line, e.Err)
}

// Unwrap returns the reason.
func (e *LineError) Unwrap() error { return e.Err }

// ReadIndex yields the captures of a CDX or CDXJ file, in any order, uncompressed or as gzip with one or many members,
// like the data of a ZipNum cluster. The file's " CDX N b a …" header names the columns; without one their number does.
// ReadIndex skips lines of metadata ("!meta …") and of records that aren't captures.
//
// It yields a line that can't be used as a [*LineError] and continues. An error that ends reading (broken gzip, a
// header without the required columns) comes last. Captures have FileName, not File.
func ReadIndex(r io.Reader, name string) iter.Seq2[Capture, error] {
	return func(yield func(Capture, error) bool) {
		br := bufio.NewReaderSize(r, 64<<10)
		if magic, _ := br.Peek(2); string(magic) == "\x1f\x8b" {
			br = bufio.NewReaderSize(&memberReader{in: br}, 64<<10)
		}
		p := indexParser{delim: " "}
		for n := 1; ; n++ {
			text, err := readLine(br)
			if err != nil && err != errLongLine {
				if err != io.EOF {
					yield(Capture{}, &LineError{File: name, Line: n, Err: err})
				}
				return
			}
			var c Capture
			if err == nil {
				c, err = p.parse(string(text))
			}
			switch {
			case err == errNoCapture:
				continue
			case err != nil:
				c, err = Capture{}, &LineError{File: name, Line: n, Err: err}
			}
			if !yield(c, err) || p.unusable {
				return
			}
		}
	}
}

// A memberReader inflates gzip members one after another. It ends the line at the end of a member: the blocks of ZipNum
// clusters begin with a new line, and some writers leave out the line break before it. The blocks of bgzip cut lines
// anywhere, so it joins them.
type memberReader struct {
	in *bufio.Reader
	zr *gzip.Reader
}

func (m *memberReader) Read(p []byte) (int, error) {
	for {
		if m.zr == nil {
			zr, err := gzip.NewReader(m.in)
			if err != nil {
				return 0, err
			}
			zr.Multistream(false)
			m.zr = zr
		}
		n, err := m.zr.Read(p)
		if n > 0 && err == io.EOF { // io.EOF comes again with the next read
			err = nil
		}
		if n > 0 || err != io.EOF {
			return n, err
		}
		breaks := !bytes.HasPrefix(m.zr.Extra, []byte("BC"))
		if err := m.zr.Reset(m.in); err != nil { // io.EOF after the last member
			return 0, err
		}
		m.zr.Multistream(false)
		if breaks {
			p[0] = '\n'
			return 1, nil
		}
	}
}

var errLongLine = fmt.Errorf("longer than %d bytes", maxLine)

// readLine returns the next line without its end, valid until the next call. For an over-long one it reads to the end
// of the line and returns errLongLine. The last line needs no line break.
func readLine(br *bufio.Reader) ([]byte, error) {
	text, err := br.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		long := bytes.Clone(text)
		size := len(long)
		for err == bufio.ErrBufferFull {
			text, err = br.ReadSlice('\n')
			if size += len(text); size <= maxLine {
				long = append(long, text...)
			}
		}
		if text = long; size > maxLine && (err == nil || err == io.EOF) {
			return nil, errLongLine
		}
	}
	if err == io.EOF && len(text) > 0 {
		err = nil
	}
	return bytes.TrimRight(text, "\r\n"), err
}

// An indexParser reads lines of any of the formats, even mixed.
type indexParser struct {
	letters  string // of the CDX header; "" without one
	delim    string
	unusable bool // by the header, no line can be used
}

func (p *indexParser) parse(s string) (Capture, error) {
	switch {
	case strings.TrimSpace(s) == "" || s[0] == '!' || s[0] == '@' || s[0] == '#':
		return Capture{}, errNoCapture
	case strings.HasPrefix(s, "CDX ") || len(s) > 5 && s[1:5] == "CDX"+s[:1]:
		return Capture{}, p.header(s)
	case isCDXJ(s):
		c, err := ParseCDXJ(s)
		if err == nil {
			return c, nil
		}
		if c, bad := parseCDX(s, p.delim, p.letters); bad == nil { // its URL or MIME type begins with a brace
			return c, nil
		}
		return c, err
	}
	return parseCDX(s, p.delim, p.letters)
}

// header reads " CDX N b a …"; its first byte separates the columns.
func (p *indexParser) header(s string) error {
	if p.delim = s[:1]; s[0] == 'C' {
		p.delim = " "
	}
	p.letters = strings.Join(strings.Split(strings.TrimPrefix(strings.TrimSpace(s), p.delim), p.delim)[1:], " ")
	have := map[string]bool{}
	for letter := range strings.FieldsSeq(p.letters) {
		have[letter] = true
	}
	if !have["a"] || !have["b"] || !have["V"] || !have["g"] {
		p.unusable = true
		return fmt.Errorf("the header %.100q lacks URL (a), time (b), offset (V) or file (g), so its lines lead nowhere", s)
	}
	return errNoCapture
}

// isCDXJ reports whether an object seems to follow key and time, or key, time and type.
func isCDXJ(s string) bool {
	_, rest, _ := strings.Cut(s, " ")
	_, rest, _ = strings.Cut(rest, " ")
	if strings.HasPrefix(rest, "{") {
		return true
	}
	_, rest, _ = strings.Cut(rest, " ")
	return strings.HasPrefix(rest, "{")
}
