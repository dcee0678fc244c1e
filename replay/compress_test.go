package replay

import (
	"bufio"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/web"
)

// What is flushed arrives though the answer goes on.
func TestCompressedAnswersStream(t *testing.T) {
	line := strings.Repeat("a line of a long list\n", 2000)
	read := make(chan struct{})
	h, err := compress(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		out := &web.Streaming{W: w}
		_, _ = io.WriteString(out, line)
		<-read // the client has the first part before the second is written
		_, _ = io.WriteString(out, line)
	}))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	r, err := http.NewRequest(http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "gzip")
	resp, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.Header.Get("Content-Encoding") != "gzip" {
		t.Fatal(resp.Header)
	}
	z, err := gzip.NewReader(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	first := make([]byte, len(line))
	if _, err := io.ReadFull(bufio.NewReaderSize(z, 16), first); err != nil || string(first) != line {
		t.Fatal(err)
	}
	close(read)
}

// An answer that breaks off breaks off compressed too: no client takes the half for the whole.
func TestCompressedAnswersBreakOff(t *testing.T) {
	for _, size := range []int{10, 100_000} {
		h, err := compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, strings.Repeat("x", size))
			panic(http.ErrAbortHandler)
		}))
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(h)
		resp, err := server.Client().Get(server.URL)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		if err == nil {
			t.Errorf("after %d bytes: the answer looks whole", size)
		}
		server.Close()
	}
}
