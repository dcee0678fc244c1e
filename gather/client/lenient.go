package client

import (
	"bytes"

	"golang.org/x/net/http/httpguts"
)

// A lenient reader leaves out of the heads of answers what net/http refuses and browsers pass over: lines that are no field, such as the
// second line of a value that a server wrote with a line end in it. The record has them.
type lenient struct {
	line   []byte // that hasn't ended yet
	first  bool   // the next line is a status line
	final  bool   // the status is not that of an interim response
	past   bool   // the head has ended; what follows is the body
	broken bool   // the line before was left out, and so are those that continue it
}

func newLenient() lenient { return lenient{first: true} }

// appendTo appends what net/http may see of the next bytes of an answer to seen.
func (l *lenient) appendTo(seen, read []byte) []byte {
	for len(read) > 0 && !l.past {
		end := bytes.IndexByte(read, '\n')
		if end < 0 {
			l.line = append(l.line, read...)
			if len(l.line) > maxHead { // net/http says so
				l.past = true
				return l.rest(seen)
			}
			return seen
		}
		l.line, read = append(l.line, read[:end+1]...), read[end+1:]
		if l.keeps(bytes.TrimRight(l.line, "\r\n")) {
			seen = append(seen, l.line...)
		}
		l.line = l.line[:0]
	}
	return append(seen, read...)
}

// rest appends the line that hasn't ended, once nothing follows.
func (l *lenient) rest(seen []byte) []byte {
	seen, l.line = append(seen, l.line...), nil
	return seen
}

// keeps reports whether net/http sees a line, without its end.
func (l *lenient) keeps(line []byte) bool {
	switch {
	case l.first:
		_, status, _ := bytes.Cut(line, []byte(" "))
		l.first, l.final = false, !bytes.HasPrefix(status, []byte("1")) || bytes.HasPrefix(status, []byte("101"))
		return true
	case len(line) == 0:
		l.first, l.past = true, l.final
		return true
	case line[0] == ' ' || line[0] == '\t': // continues the line before (RFC 9112 §5.2)
		return !l.broken
	}
	name, value, found := bytes.Cut(line, []byte(":"))
	l.broken = !found || !httpguts.ValidHeaderFieldName(string(name)) || !httpguts.ValidHeaderFieldValue(string(value))
	return !l.broken
}
