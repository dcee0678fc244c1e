package memento

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode"

	"github.com/varve-archive/varve/internal/sentinel"
)

// maxLinkLen bounds the length in bytes of one link in a foreign header or TimeMap. Browsers stop at URIs a thirtieth
// as long.
const maxLinkLen = 1 << 20

// ParseLinks reads the value of a Link header (RFC 8288 §3), or several joined by commas. It accepts what occurs in
// the wild: see [ScanLinks]. With an error it returns the links before the fault.
func ParseLinks(s string) ([]Link, error) {
	var links []Link
	for l, err := range ScanLinks(strings.NewReader(s)) {
		if err != nil {
			return links, err
		}
		links = append(links, l)
	}
	return links, nil
}

// ScanLinks reads the links of a header or a TimeMap one by one. Archives write them in many ways, so it accepts
// commas and semicolons in URIs and quoted values, links separated by line ends or nothing, stray commas at the
// beginning and the end, unquoted values (even datetimes with their comma), datetimes of RFC 3339, and attributes in any
// case. If an attribute occurs twice the first counts (RFC 8288 §3.3). A datetime that can't be read stays among
// Params. Only two faults are errors, which end the sequence: a link without its ">" or a closing quote, and a link
// over 1 MiB.
func ScanLinks(r io.Reader) iter.Seq2[Link, error] {
	return func(yield func(Link, error) bool) {
		s := linkScanner{r: bufio.NewReader(r)}
		for {
			l, err := s.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}

type linkScanner struct {
	r   *bufio.Reader
	buf []byte // the current token
	at  int64  // bytes read so far
	end int64  // the offset by which the current link must have ended
}

const errLinkTooLong = sentinel.Error("is over 1 MiB")

// next returns the next link, or io.EOF after the last.
func (s *linkScanner) next() (Link, error) {
	for { // skip everything between links
		c, err := s.read()
		if err != nil {
			return Link{}, err
		}
		if c == '<' {
			break
		}
	}
	start := s.at - 1
	s.end = s.at + maxLinkLen
	l, err := s.link()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("is cut off")
		}
		return Link{}, fmt.Errorf("link at byte %d %w", start, err)
	}
	s.end = 0
	return l, nil
}

func (s *linkScanner) link() (Link, error) {
	uri, err := s.until('>')
	if err != nil {
		return Link{}, err
	}
	l := Link{URI: strings.TrimSpace(uri)}
	var seen attributes
	for {
		more, err := s.toParam()
		if !more {
			return l, err
		}
		name, value, err := s.param()
		if err != nil {
			return l, err
		}
		if name != "" {
			seen.set(&l, name, value)
		}
	}
}

// toParam reports whether the current link goes on. It stops after a comma,
// and before a "<", which begins the next link even if the comma is missing.
func (s *linkScanner) toParam() (bool, error) {
	c, err := s.peek()
	if err != nil || c == '<' {
		return false, ignoreEOF(err)
	}
	if c != ',' {
		return true, nil
	}
	_, err = s.read()
	return false, err
}

// param reads name[=value]. At a byte that no name can have, it skips that byte and returns "".
func (s *linkScanner) param() (name, value string, err error) {
	name, err = s.while(isTokenByte)
	if err != nil {
		return "", "", err
	}
	if name == "" {
		_, err = s.read()
		return "", "", err
	}
	name = strings.ToLower(name)
	if _, err = s.while(isSpace); err != nil {
		return "", "", err
	}
	if c, err := s.peek(); err != nil || c != '=' {
		return name, "", ignoreEOF(err)
	}
	if _, err = s.read(); err != nil {
		return "", "", err
	}
	if _, err = s.while(isSpace); err != nil {
		return "", "", err
	}
	value, err = s.value(name)
	return name, value, err
}

func (s *linkScanner) value(name string) (string, error) {
	if c, err := s.peek(); err == nil && c == '"' {
		if _, err := s.read(); err != nil {
			return "", err
		}
		return s.until('"')
	}
	if name == "datetime" || name == "from" || name == "until" {
		v, err := s.while(func(c byte) bool { return c != ';' && c != '<' && c != '\n' })
		return strings.TrimRight(v, ", \t\r"), err
	}
	return s.while(func(c byte) bool { return c != ';' && c != ',' && c != '<' && !isSpace(c) })
}

// until reads the bytes before the next end, and end itself. In a quoted string, a backslash escapes the next byte.
func (s *linkScanner) until(end byte) (string, error) {
	s.buf = s.buf[:0]
	for {
		c, err := s.read()
		if err != nil {
			return "", err
		}
		if c == end {
			return string(s.buf), nil
		}
		if c == '\\' && end == '"' {
			if c, err = s.read(); err != nil {
				return "", err
			}
		}
		s.buf = append(s.buf, c)
	}
}

// while returns the longest run of bytes that satisfy belongs, up to the end of the input.
func (s *linkScanner) while(belongs func(byte) bool) (string, error) {
	s.buf = s.buf[:0]
	for {
		c, err := s.peek()
		if err != nil || !belongs(c) {
			return string(s.buf), ignoreEOF(err)
		}
		if _, err := s.read(); err != nil {
			return "", err
		}
		s.buf = append(s.buf, c)
	}
}

func (s *linkScanner) peek() (byte, error) {
	b, err := s.r.Peek(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

func (s *linkScanner) read() (byte, error) {
	if s.end > 0 && s.at >= s.end {
		return 0, errLinkTooLong
	}
	c, err := s.r.ReadByte()
	if err == nil {
		s.at++
	}
	return c, err
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// attributes records which of the attributes that count once have been set.
type attributes struct {
	rel, typ bool
}

func (a *attributes) set(l *Link, name, value string) {
	switch name {
	case "rel":
		if !a.rel {
			a.rel = true
			l.Rels = splitRels(value)
		}
		return
	case "type":
		if !a.typ {
			a.typ = true
			l.Type = value
		}
		return
	case "datetime", "from", "until":
		if l.setDatetime(name, value) {
			return
		}
	}
	l.Params = append(l.Params, Param{name, value})
}

// blankControl makes control characters spaces, as they are when the value is written again.
func blankControl(r rune) rune {
	if r < ' ' || r == 0x7f {
		return ' '
	}
	return r
}

// setDatetime sets the field of a datetime attribute. It returns false if the value can't be read.
func (l *Link) setDatetime(name, value string) bool {
	t := parseAnyDatetime(strings.Map(blankControl, value))
	if t == 0 {
		return false
	}
	field := &l.Datetime
	switch name {
	case "from":
		field = &l.From
	case "until":
		field = &l.Until
	}
	if *field == 0 {
		*field = t
	}
	return true
}

// splitRels splits relation types at white space, and at control characters, which are written as spaces. It puts registered
// ones into lower case; those that are URIs (RFC 8288 §2.1.2) stay as they are.
func splitRels(s string) []string {
	rels := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r < ' ' || r == 0x7f })
	for i, r := range rels {
		if !strings.Contains(r, ":") {
			rels[i] = strings.ToLower(r)
		}
	}
	return rels
}
