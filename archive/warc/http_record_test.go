package warc

import (
	"bytes"
	"context"
	"strconv"
	"testing"
)

func TestRecordKnowsWhetherItsBlockIsHTTP(t *testing.T) {
	for _, c := range []struct {
		name, head, block string
		want              bool
	}{
		{
			"Content-Type says so", "WARC-Type: response\r\nWARC-Target-URI: urn:x\r\nContent-Type: application/http; msgtype=response\r\n",
			"HTTP/1.1 200 OK\r\n\r\n", true,
		},
		{"no Content-Type, web address", "WARC-Type: response\r\nWARC-Target-URI: http://e.org/\r\n", "HTTP/1.1 200 OK\r\n\r\n", true},
		{
			"Content-Type of the payload, block with a status line",
			"WARC-Type: response\r\nWARC-Target-URI: http://e.org/\r\nContent-Type: image/png\r\n", "HTTP/1.1 200 OK\r\n\r\nx", true,
		},
		{
			"Content-Type of the payload, the payload itself",
			"WARC-Type: response\r\nWARC-Target-URI: http://e.org/\r\nContent-Type: image/png\r\n", "\x89PNG", false,
		},
		{"dns", "WARC-Type: response\r\nWARC-Target-URI: dns:e.org\r\nContent-Type: text/dns\r\n", "20240101\n", false},
		{
			"a resource that holds an HTTP message", "WARC-Type: resource\r\nWARC-Target-URI: http://e.org/\r\nContent-Type: application/http\r\n",
			"HTTP/1.1 200 OK\r\n\r\n", false,
		},
	} {
		var b bytes.Buffer
		b.WriteString("WARC/1.0\r\n" + c.head + "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Length: ")
		b.WriteString(strconv.Itoa(len(c.block)) + "\r\n\r\n" + c.block + "\r\n\r\n")
		for rec, err := range Scan(context.Background(), inMemory(b.Bytes()), "x.warc", 0) {
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if got := rec.HTTP(); got != c.want {
				t.Errorf("%s: HTTP() = %v", c.name, got)
			}
		}
	}
}
