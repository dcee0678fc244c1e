package e2e

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"strings"
	"testing"
	"time"
)

// An archive is a WARC file under construction (ISO 28500:2017), with one gzip member a record unless plain.
type archive struct {
	buf   bytes.Buffer
	plain bool
	n     int
}

// at converts a ts14 into a WARC-Date.
func at(ts string) string {
	t, err := time.Parse("20060102150405", ts)
	if err != nil {
		panic(err)
	}
	return t.Format(time.RFC3339)
}

// digest is the SHA-1 of a payload as WARC writers write it.
func digest(payload string) string {
	sum := sha1.Sum([]byte(payload))
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// record writes a record; fields are "Name: value".
func (a *archive) record(kind, uri, ts, block string, fields ...string) *archive {
	a.n++
	var r strings.Builder
	fmt.Fprintf(&r, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Date: %s\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n", kind,
		at(ts), a.n)
	if uri != "" {
		fmt.Fprintf(&r, "WARC-Target-URI: %s\r\n", uri)
	}
	for _, f := range fields {
		r.WriteString(f + "\r\n")
	}
	fmt.Fprintf(&r, "Content-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
	if a.plain {
		a.buf.WriteString(r.String())
		return a
	}
	z := gzip.NewWriter(&a.buf)
	_, _ = z.Write([]byte(r.String()))
	_ = z.Close()
	return a
}

const httpResponse = "Content-Type: application/http; msgtype=response"

// message returns an HTTP response with its length. head fields are "Name: value".
func message(status, body string, head ...string) string {
	return "HTTP/1.1 " + status + "\r\n" + strings.Join(append(head, fmt.Sprintf("Content-Length: %d", len(body))), "\r\n") + "\r\n\r\n" + body
}

// page writes an HTML page captured with status 200.
func (a *archive) page(uri, ts, body string, head ...string) *archive {
	return a.response(uri, ts, "200 OK", body, append([]string{"Content-Type: text/html; charset=utf-8"}, head...)...)
}

func (a *archive) response(uri, ts, status, body string, head ...string) *archive {
	return a.record("response", uri, ts, message(status, body, head...), httpResponse, "WARC-Payload-Digest: "+digest(body))
}

// verbatim writes a response whose HTTP message is exactly as given.
func (a *archive) verbatim(uri, ts, message string) *archive {
	return a.record("response", uri, ts, message, httpResponse)
}

// revisit writes that uri returned the payload of refersTo again. fields hold the reference.
func (a *archive) revisit(uri, ts, payload string, head string, fields ...string) *archive {
	fields = append([]string{
		httpResponse, "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
		"WARC-Payload-Digest: " + digest(payload),
	}, fields...)
	return a.record("revisit", uri, ts, head, fields...)
}

func (a *archive) bytes() []byte { return a.buf.Bytes() }

// serve serves this archive alone.
func (a *archive) serve(t testing.TB, args ...string) *server {
	t.Helper()
	name := "test.warc.gz"
	if a.plain {
		name = "test.warc"
	}
	s, _ := serve(t, map[string][]byte{name: a.bytes()}, args...)
	return s
}
