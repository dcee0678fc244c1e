package demo

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"net/http"
	"time"

	"github.com/klauspost/compress/gzip"
)

// A response is the answer of the server. body is without codings.
type response struct {
	status   int
	mime     string
	location string
	body     []byte
	gzip     bool // Content-Encoding
	chunked  bool // Transfer-Encoding
	static   bool // a file; the server knows whether it changed
}

// message returns the response as HTTP, its head alone, and its payload: the body with its content coding and without
// its transfer coding, which is what digests are computed from.
func (r *response) message(t time.Time) (message, head, payload []byte, err error) {
	payload = r.body
	if r.gzip {
		if payload, err = compress(r.body); err != nil {
			return nil, nil, nil, err
		}
	}
	head = r.head(t, len(payload))
	if r.chunked {
		return append(bytes.Clone(head), chunks(payload)...), head, payload, nil
	}
	return append(bytes.Clone(head), payload...), head, payload, nil
}

func (r *response) head(t time.Time, length int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", r.status, http.StatusText(r.status))
	fmt.Fprintf(&b, "Date: %s\r\n", t.Format(http.TimeFormat))
	b.WriteString("Server: Apache\r\n")
	fmt.Fprintf(&b, "Content-Type: %s\r\n", r.mime)
	if r.location != "" {
		fmt.Fprintf(&b, "Location: %s\r\n", r.location)
	}
	if r.status == http.StatusServiceUnavailable {
		b.WriteString("Retry-After: 3600\r\n")
	}
	if r.static {
		b.WriteString("Accept-Ranges: bytes\r\nAccess-Control-Allow-Origin: *\r\n")
	}
	if r.gzip {
		b.WriteString("Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n")
	}
	if r.chunked {
		b.WriteString("Transfer-Encoding: chunked\r\n\r\n")
	} else {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", length)
	}
	return b.Bytes()
}

func compress(b []byte) ([]byte, error) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	err := w.Close()
	return z.Bytes(), err
}

// chunks cuts b into chunks, short enough that a page has several.
func chunks(b []byte) []byte {
	const size = 700
	var out bytes.Buffer
	for len(b) > 0 {
		n := min(size, len(b))
		fmt.Fprintf(&out, "%x\r\n%s\r\n", n, b[:n])
		b = b[n:]
	}
	out.WriteString("0\r\n\r\n")
	return out.Bytes()
}

func digest(b []byte) string {
	sum := sha1.Sum(b)
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}
