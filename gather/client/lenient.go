package client

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// A lenient reader leaves out of the heads of answers what net/http refuses and browsers pass over: lines that are no field, such as the
// second line of a value that a server wrote with a line end in it, and fields about the length that say the same again, or nothing. The
// record has them. It also leaves out what a server sent behind an answer, which net/http might take for the answer to the next request.
type lenient struct {
	method  string // of the request
	line    []byte // that hasn't ended yet
	first   bool   // the next line is a status line
	status  string // as the status line has it
	past    bool   // the head has ended; what follows is the body
	broken  bool   // the line before was left out, and so are those that continue it
	chunked bool   // a line before says so
	left    int64  // bytes of the body that are still to come, unknown if only its chunks or the end of the connection tell
	over    int    // bytes that came behind it
}

const unknown = -1

func newLenient(method string) lenient { return lenient{method: method, first: true, left: unknown} }

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
			seen = append(seen, framing(l.line)...)
		}
		l.line = l.line[:0]
	}
	return append(seen, l.body(read)...)
}

// body returns those of the bytes that follow a head which are of the answer.
func (l *lenient) body(read []byte) []byte {
	if l.left == unknown {
		return read
	}
	n := int(min(l.left, int64(len(read))))
	l.left, l.over = l.left-int64(n), len(read)-n
	return read[:n]
}

// frames reports whether an answer begins with a frame of HTTP/2, which is of the type SETTINGS (RFC 9113 §3.4, §4.1).
func (l *lenient) frames() bool {
	return l.first && len(l.line) >= 4 && l.line[0] == 0 && l.line[1] == 0 && l.line[3] == 4
}

// rest appends the line that hasn't ended, once nothing follows.
func (l *lenient) rest(seen []byte) []byte {
	seen, l.line = append(seen, l.line...), nil
	return seen
}

// keeps reports whether net/http sees a line, without its end.
func (l *lenient) keeps(line []byte) bool {
	switch {
	case l.first && len(line) == 0: // the end of what the server sent behind another answer
		return false
	case l.first:
		_, status, _ := strings.Cut(string(line), " ")
		l.first, l.status, l.chunked, l.left = false, status, false, unknown
		return true
	case len(line) == 0:
		l.end()
		return true
	case line[0] == ' ' || line[0] == '\t': // continues the line before (RFC 9112 §5.2)
		return !l.broken
	}
	name, value, found := bytes.Cut(line, []byte(":"))
	l.broken = !found || !httpguts.ValidHeaderFieldName(string(name)) || !httpguts.ValidHeaderFieldValue(string(value)) ||
		l.framesNothing(string(name), string(value))
	return !l.broken
}

// end is called where a head has ended, of an interim response or of the answer, and finds how long the body is (RFC 9112 §6.3).
func (l *lenient) end() {
	l.first, l.past = true, !strings.HasPrefix(l.status, "1") || strings.HasPrefix(l.status, "101")
	switch {
	case l.method == http.MethodHead, strings.HasPrefix(l.status, "204"), strings.HasPrefix(l.status, "304"):
		l.left = 0
	case l.chunked:
		l.left = unknown
	}
}

// framesNothing reports whether a field tells nothing about where the body ends: a length that is no number, or too large a one, a transfer
// coding without chunks, or chunked once more. net/http refuses all these. Others are noted.
func (l *lenient) framesNothing(name, value string) bool {
	switch {
	case strings.EqualFold(name, "Content-Length"):
		length, err := strconv.ParseUint(strings.Trim(value[strings.LastIndexByte(value, ',')+1:], " \t"), 10, 63)
		if strings.Trim(value, "0123456789, \t") != "" || err != nil {
			return true
		}
		l.left = int64(length)
		return false
	case !strings.EqualFold(name, "Transfer-Encoding"):
		return false
	}
	again := l.chunked
	l.chunked = again || strings.EqualFold(strings.TrimSpace(value[strings.LastIndexByte(value, ',')+1:]), "chunked")
	return again || !l.chunked
}

// framing returns a line of a head as net/http understands it: the status line of a radio server (ICY) as one of HTTP, a length that is
// repeated ("5, 5") only once (RFC 9110 §8.6), and of several transfer codings ("gzip, chunked") the last, which is the one that ends the
// body.
func framing(line []byte) []byte {
	if status, ok := bytes.CutPrefix(line, []byte("ICY ")); ok {
		return append([]byte("HTTP/1.0 "), status...)
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	length := bytes.EqualFold(name, []byte("Content-Length"))
	if !length && !bytes.EqualFold(name, []byte("Transfer-Encoding")) {
		return line
	}
	list := bytes.Split(bytes.TrimRight(value, "\r\n"), []byte(","))
	last := bytes.TrimSpace(list[len(list)-1])
	differs := func(other []byte) bool { return !bytes.Equal(bytes.TrimSpace(other), last) }
	if len(list) == 1 || length && slices.ContainsFunc(list, differs) {
		return line
	}
	return slices.Concat(name, []byte(": "), last, []byte("\r\n"))
}
