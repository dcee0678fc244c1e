package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// body returns the payload of a response without its content codings.
func (c *corpus) body(v *capture) ([]byte, error) {
	record, err := c.record(v)
	if err != nil {
		return nil, err
	}
	head, block, _ := bytes.Cut(record, []byte("\r\n\r\n"))
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(block[:min(len(block), contentLength(head))])), nil)
	if err != nil {
		return nil, fmt.Errorf("%s at %d: %w", v.File, v.Offset, err)
	}
	defer resp.Body.Close()
	var in io.Reader = resp.Body
	if resp.Header.Get("Content-Encoding") == "gzip" {
		if in, err = gzip.NewReader(in); err != nil {
			return nil, err
		}
	}
	return io.ReadAll(in)
}

// record returns the compressed member at the capture's offset.
func (c *corpus) record(v *capture) ([]byte, error) {
	f, err := os.Open(filepath.Join(c.dir, v.File))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Seek(v.Offset, io.SeekStart); err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, err
	}
	z.Multistream(false) // a record is one member
	return io.ReadAll(z)
}

func contentLength(head []byte) int {
	for line := range strings.SplitSeq(string(head), "\r\n") {
		if k, v, _ := strings.Cut(line, ":"); strings.EqualFold(k, "Content-Length") {
			n, _ := strconv.Atoi(strings.TrimSpace(v))
			return n
		}
	}
	return 0
}
