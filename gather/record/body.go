package record

import (
	"bufio"
	"bytes"
	"io"
	"net/url"
	"regexp"
	"strconv"

	"github.com/varve-archive/varve/archive/warc"
)

// unescaped returns a name as its form had it, or as it is if it can't be read.
func unescaped(name []byte) []byte {
	s, err := url.QueryUnescape(string(name))
	if err != nil {
		return name
	}
	return []byte(s)
}

// dechunked returns the body of a message without its transfer coding.
func dechunked(raw, head []byte) ([]byte, error) {
	m, err := warc.ParseHead(bufio.NewReader(bytes.NewReader(head)))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(warc.Body(m, bufio.NewReader(bytes.NewReader(raw))))
}

// lengthLine matches the fields of a head that say how long the body is.
var lengthLine = regexp.MustCompile(`(?im)^(?:content-length|transfer-encoding|trailer):[^\n]*\n`)

// withLength returns a head that says that its body has n bytes.
func withLength(head []byte, n int) []byte {
	head = lengthLine.ReplaceAll(head, nil)
	end := bytes.TrimRight(head, "\r\n")
	return append(bytes.Clone(end), []byte("\r\nContent-Length: "+strconv.Itoa(n)+"\r\n\r\n")...)
}
