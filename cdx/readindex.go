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

// maxLine bounds a line of an index. URLs and keys are kept in full; one longer than this is none.
const maxLine = 1 << 20

// A LineError says which line of an index can't be used, and why.
type LineError struct {
	File string // name given to the reader
	Line int    // from 1; in a ZipNum cluster the line of the .idx whose block it is in; 0 if the file as a whole is meant
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

// ReadIndex yields the captures of a CDX or CDXJ file, in any order, plain or as gzip (of one member or
// of many, as the data of a ZipNum cluster). CDX columns go by the file's " CDX N b a …" header or,
// without one, by their number. Lines of metadata ("!meta …") and of records that are no captures are passed over.
//
// A line that can't be used is yielded as a [*LineError] and doesn't stop the rest; what ends the reading
// (broken gzip, a header without what is needed) is the last error. Captures have FileName, not File.
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
			if !yield(c, err) || p.useless {
				return
			}
		}
	}
}

// A memberReader inflates gzip members one after another. It ends the line where a member ends: the blocks of
// ZipNum clusters begin with a new line, and some writers leave out the break in front of it. Those of bgzip
// cut lines anywhere and are joined.
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
		if n > 0 && err == io.EOF { // comes again
			err = nil
		}
		if n > 0 || err != io.EOF {
			return n, err
		}
		breaks := !bytes.HasPrefix(m.zr.Extra, []byte("BC"))
		if err := m.zr.Reset(m.in); err != nil { // io.EOF behind the last
			return 0, err
		}
		m.zr.Multistream(false)
		if breaks && len(p) > 0 {
			p[0] = '\n'
			return 1, nil
		}
	}
}

var errLongLine = fmt.Errorf("longer than %d bytes", maxLine)

// readLine returns the next line without its end, valid until the next call. An over-long one is read
// to its end and gives errLongLine. The last line needs no line break.
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

// An indexParser reads lines of any of the formats; they may be mixed.
type indexParser struct {
	letters string // of the CDX header; "" without one
	delim   string
	useless bool // the header says that no line can be used
}

func (p *indexParser) parse(s string) (Capture, error) {
	switch {
	case strings.TrimSpace(s) == "" || s[0] == '!' || s[0] == '@' || s[0] == '#':
		return Capture{}, errNoCapture
	case strings.HasPrefix(s, "CDX ") || len(s) > 5 && s[1:5] == "CDX"+s[:1]:
		return Capture{}, p.header(s)
	case isCDXJ(s):
		return ParseCDXJ(s)
	}
	return parseCDX(s, p.delim, p.letters)
}

// header reads " CDX N b a …"; its first byte is what stands between columns.
func (p *indexParser) header(s string) error {
	if p.delim = s[:1]; s[0] == 'C' {
		p.delim = " "
	}
	p.letters = strings.Join(strings.Split(strings.TrimSpace(s), p.delim)[1:], " ")
	have := map[string]bool{}
	for letter := range strings.FieldsSeq(p.letters) {
		have[letter] = true
	}
	if !have["a"] || !have["b"] || !have["V"] || !have["g"] {
		p.useless = true
		return fmt.Errorf("the header %.100q lacks URL (a), time (b), offset (V) or file (g), so its lines lead nowhere", s)
	}
	return errNoCapture
}

// isCDXJ reports whether an object stands behind key and time, or behind key, time and type.
func isCDXJ(s string) bool {
	_, rest, _ := strings.Cut(s, " ")
	_, rest, _ = strings.Cut(rest, " ")
	if strings.HasPrefix(rest, "{") {
		return true
	}
	_, rest, _ = strings.Cut(rest, " ")
	return strings.HasPrefix(rest, "{")
}
