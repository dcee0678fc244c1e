package main

import (
	"bufio"
	"crypto/sha1"
	"encoding/base32"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/gzip"
)

// A writer writes the records of one WARC file, each as a member of its own.
type writer struct {
	file *os.File
	out  *bufio.Writer
	gz   *gzip.Writer
	n    int64 // records
}

func create(dir, name string, level int) (*writer, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	f, err := os.Create(filepath.Join(dir, name)) // #nosec G304 -- the caller names the folder
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(f, 1<<20)
	gz, err := gzip.NewWriterLevel(out, level)
	return &writer{file: f, out: out, gz: gz}, err
}

// response writes a response. block is an HTTP message, digest that of its payload.
func (w *writer) response(uri string, at time.Time, digest string, block []byte) error {
	w.n++
	w.gz.Reset(w.out)
	_, err := fmt.Fprintf(w.gz, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012x>\r\n"+
		"WARC-Date: %s\r\nWARC-Target-URI: %s\r\nWARC-Payload-Digest: %s\r\nContent-Type: application/http; msgtype=response\r\n"+
		"Content-Length: %d\r\n\r\n", w.n, at.UTC().Format(time.RFC3339), uri, digest, len(block))
	if err != nil {
		return err
	}
	if _, err = w.gz.Write(block); err == nil {
		_, err = w.gz.Write([]byte("\r\n\r\n"))
	}
	return errors.Join(err, w.gz.Close())
}

func (w *writer) close() error { return errors.Join(w.out.Flush(), w.file.Close()) }

func digestOf(payload []byte) string {
	sum := sha1.Sum(payload) // #nosec G401 -- the usual digest of WARC records
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}
