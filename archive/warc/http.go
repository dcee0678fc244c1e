package warc

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// A Message is the head of an archived HTTP request or response.
type Message struct {
	Status int    // of a response, 100 to 999; 0 if it can't be read
	Reason string // of a response, as written, often ""
	Proto  string // "HTTP/1.1", "ICY"; "" if there is neither a status line nor a request line with a protocol
	Method string // of a request, "" for a response
	Target string // of a request: what is between method and protocol
	Header Fields
	Size   int // bytes of the head in the block, with the empty line after it; 0 if the block has no head
	// Interim is the part of Size before the head: line ends and interim responses.
	Interim int
}

// ParseHead parses the head of an HTTP message and leaves r at the first byte of the body. It accepts what real files contain: line ends of
// LF alone, folded lines, a reason that is missing or glued to the status ("HTTP/1.1 200OK"), ICY for HTTP, fields without a status line,
// lines that aren't fields (they are skipped), line ends before the head, no empty line at its end. Interim responses (RFC 9110 §15.2)
// before the final one are skipped.
//
// A block that doesn't start like a head counts as a body without one: the Message is empty and nothing is consumed. A head of more than 1
// MiB is an error, and so is any read error but io.EOF.
func ParseHead(r LineReader) (Message, error) {
	passed := skipLineEnds(r)
	for {
		m, err := parseOneHead(r)
		m.Size, m.Interim = m.Size+passed, passed
		if err != nil || !m.interim() {
			return m, err
		}
		passed = m.Size + skipLineEnds(r)
		if next, _ := r.Peek(len("HTTP/")); !hasPrefixFold(next, "HTTP/") {
			return m, nil // there is no final response
		}
		if passed > maxHead {
			return Message{}, errHeadTooLong
		}
	}
}

// skipLineEnds skips line ends before a status line, as browsers do. It returns their number of bytes.
func skipLineEnds(r LineReader) (n int) {
	start, _ := r.Peek(headStart)
	ends := len(start) - len(bytes.TrimLeft(start, "\r\n"))
	if ends == 0 || start[ends-1] != '\n' || !hasPrefixFold(start[ends:], "HTTP/") {
		return 0
	}
	for n < ends {
		line, _ := r.ReadSlice('\n')
		n += len(line)
	}
	return n
}

// interim reports whether another response to the same request follows. After 101 another protocol does.
func (m *Message) interim() bool { return m.Status >= 100 && m.Status <= 199 && m.Status != 101 }

func parseOneHead(r LineReader) (Message, error) {
	start, err := r.Peek(headStart)
	if !startsHead(start) {
		if err == io.EOF {
			err = nil
		}
		return Message{}, err
	}
	raw, size, err := readHTTPHead(r)
	if err != nil {
		return Message{}, err
	}
	lines := string(raw)
	m := Message{Size: size}
	if first, rest, _ := strings.Cut(lines, "\n"); m.takeFirstLine(strings.TrimRight(first, blank)) {
		lines = rest
	}
	m.Header = make(Fields, 0, 16).appendLines(lines)
	m.Header.mendAddresses()
	return m, nil
}

// headStart is the number of bytes that decide whether a block starts with a head. Field names are shorter.
const headStart = 128

// startsHead reports whether b starts with a status line, a request line or a field.
func startsHead(b []byte) bool {
	line := b
	if before, _, ok := bytes.Cut(b, []byte{'\n'}); ok {
		line = before
	}
	if hasPrefixFold(line, "HTTP/") || hasPrefixFold(line, "HTTP ") || hasPrefixFold(line, "ICY ") {
		return true
	}
	name := 0
	for name < len(line) && isToken(line[name]) {
		name++
	}
	if name == 0 || name == len(line) {
		return false
	}
	switch rest := line[name:]; {
	case rest[0] == ':':
		return !bytes.HasPrefix(rest, []byte("://")) && len(rest) > 1 && (rest[1] == ' ' || rest[1] == '\t')
	case rest[0] == ' ': // a request line
		return string(bytes.ToUpper(line[:name])) == string(line[:name]) && (len(line) == len(b) || bytes.Contains(rest, []byte(" HTTP/")))
	}
	return false
}

// isToken reports whether c is allowed in a field name (RFC 9110 §5.6.2).
func isToken(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}

func hasPrefixFold[text string | []byte](s text, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(string(s[:len(prefix)]), prefix)
}

// readHTTPHead reads lines up to an empty one, to the end of the block, or to mark-up if the empty line is missing.
func readHTTPHead(r LineReader) (head []byte, size int, err error) {
	line := 0 // where the current line starts
	for {
		if c, _ := r.Peek(1); len(head) == line && len(c) == 1 && c[0] == '<' {
			return head, size, nil
		}
		part, err := r.ReadSlice('\n')
		size += len(part)
		if size > maxHead {
			return nil, 0, errHeadTooLong
		}
		head = append(head, part...)
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF:
			return head, size, nil
		case err != nil:
			return nil, 0, err
		}
		if emptyLine(head[line:]) {
			return head[:line], size, nil
		}
		line = len(head)
	}
}

// takeFirstLine reads a status line or a request line. It returns false if the line is neither.
func (m *Message) takeFirstLine(line string) bool {
	proto, rest, _ := strings.Cut(line, " ")
	upper := strings.ToUpper(proto)
	if strings.HasPrefix(upper, "HTTP") || upper == "ICY" {
		m.Proto = proto
		m.takeStatus(strings.TrimLeft(rest, blank))
		return true
	}
	if rest == "" || strings.Contains(proto, ":") {
		return false
	}
	m.Method, m.Target = proto, strings.TrimSpace(rest)
	if i := strings.LastIndexByte(m.Target, ' '); i >= 0 && strings.HasPrefix(m.Target[i+1:], "HTTP") {
		m.Target, m.Proto = strings.TrimRight(m.Target[:i], blank), m.Target[i+1:]
	}
	return true
}

// takeStatus parses what follows the protocol: three digits and the reason, with or without a space in between.
func (m *Message) takeStatus(s string) {
	digits := leadingDigits(s)
	if len(digits) != 3 || digits[0] == '0' {
		m.Reason = s
		return
	}
	m.Status = int(digits[0]-'0')*100 + int(digits[1]-'0')*10 + int(digits[2]-'0')
	m.Reason = strings.TrimLeft(s[3:], blank)
}
