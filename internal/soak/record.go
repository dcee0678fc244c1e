package main

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"time"

	"github.com/klauspost/compress/gzip"
)

// A member is a WARC record as a gzip member of its own.
type member []byte

const stamp = "20060102150405"

// recordOf returns a record of a kind. fields are lines of its header, each with its end.
func recordOf(kind, id string, at time.Time, uri, fields string, block []byte) member {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed) // the level is a valid one
	fmt.Fprintf(z, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:%s>\r\nWARC-Date: %s\r\nWARC-Target-URI: %s\r\n%s"+
		"Content-Length: %d\r\n\r\n", kind, id, at.UTC().Format(time.RFC3339), uri, fields, len(block))
	_, _ = z.Write(block) // into memory
	_, _ = z.Write([]byte("\r\n\r\n"))
	_ = z.Close()
	return b.Bytes()
}

func (c *capture) records(id string) member {
	head := fmt.Appendf(nil, "HTTP/1.1 %d Archived\r\nContent-Type: %s\r\n", c.status, c.mime)
	if c.location != "" {
		head = fmt.Appendf(head, "Location: %s\r\n", c.location)
	}
	head = append(head, "\r\n"...)
	const response = "Content-Type: application/http; msgtype=response\r\n"
	fields := response + "WARC-Payload-Digest: " + digestOf(c.body) + "\r\n"
	if c.original != nil {
		fields += fmt.Sprintf("WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"+
			"WARC-Refers-To-Target-URI: %s\r\nWARC-Refers-To-Date: %s\r\n", c.original.uri, c.original.at.UTC().Format(time.RFC3339))
		return recordOf("revisit", id, c.at, c.uri, fields, head)
	}
	all := recordOf("response", id, c.at, c.uri, fields, append(head, c.body...))
	if c.sent == "" {
		return all
	}
	request := fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: post.example\r\nContent-Type: application/x-www-form-urlencoded\r\n"+
		"Content-Length: %d\r\n\r\n%s", c.uri[len("http://post.example"):], len(c.sent), c.sent)
	return append(all, recordOf("request", "1"+id[1:], c.at, c.uri,
		"Content-Type: application/http; msgtype=request\r\nWARC-Concurrent-To: <urn:uuid:"+id+">\r\n", request)...)
}

func digestOf(payload []byte) string {
	sum := sha1.Sum(payload) // #nosec G401 -- the usual digest of WARC records
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}
