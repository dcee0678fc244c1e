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

// unescaped decodes a form's field name, and returns it unchanged if that fails.
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

// lengthLine matches the fields of a head that describe the length of the body.
var lengthLine = regexp.MustCompile(`(?im)^(?:content-length|transfer-encoding|trailer):[^\n]*\n`)

// withLength sets the length of the body in a head to n bytes.
func withLength(head []byte, n int) []byte {
	head = lengthLine.ReplaceAll(head, nil)
	end := bytes.TrimRight(head, "\r\n")
	return append(bytes.Clone(end), []byte("\r\nContent-Length: "+strconv.Itoa(n)+"\r\n\r\n")...)
}
