package engine_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

// message is an HTTP response as it came over the wire.
func message(status int, head, body string) string {
	return fmt.Sprintf("HTTP/1.1 %d %s\r\n%s\r\n%s", status, http.StatusText(status), head, body)
}

// records counts the records that are opened, and may fail.
type records struct {
	archive.Records
	opened atomic.Int64
	broken atomic.Bool
}

func (r *records) Record(ctx context.Context, loc cdx.Location) (*warc.Record, error) {
	r.opened.Add(1)
	if r.broken.Load() {
		return nil, errors.New("the disk is gone")
	}
	return r.Records.Record(ctx, loc)
}

// serves returns a server over the captures of http://a.example/, and what it reads them from.
func serves(t *testing.T, list []replaytest.Verbatim) (http.Handler, *records) {
	t.Helper()
	_, x := replaytest.Serve(t, replaytest.WriteVerbatim(t, list))
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { store.Close() })
	r := &records{Records: store}
	s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: r})})
	if err != nil {
		t.Fatal(err)
	}
	return s.Handler(), r
}

// ask sends a request of a method, with names and values of headers in turn.
func ask(h http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	w, r := httptest.NewRecorder(), httptest.NewRequest(method, "http://varve.example"+path, strings.NewReader(""))
	r.RequestURI = path
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	h.ServeHTTP(w, r)
	return w
}

func gzipped(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// posted writes a WARC file with the answer to a form that was sent.
func posted(t *testing.T, date, uri, method, form, answer string) string {
	t.Helper()
	record := func(kind, id, more, block string) string {
		return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:test:%s>\r\nWARC-Date: %s\r\nWARC-Target-URI: %s\r\n%s"+
			"Content-Type: application/http; msgtype=%s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, id, date, uri, more, kind, len(block), block)
	}
	request := fmt.Sprintf("%s / HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s",
		method, len(form), form)
	file := record("response", "answer", "", message(200, "Content-Type: text/plain\r\n", answer)) +
		record("request", "request", "WARC-Concurrent-To: <urn:test:answer>\r\n", request)
	path := filepath.Join(t.TempDir(), "posted.warc")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
