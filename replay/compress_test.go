package replay

import (
	"compress/gzip"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/varve-archive/varve/replay/respond"
)

// Flushed bytes arrive while the answer goes on, with each compression.
func TestCompressedAnswersStream(t *testing.T) {
	line := strings.Repeat("a line of a long list\n", 2000)
	for coding, unpack := range map[string]func(io.Reader) (io.Reader, error){
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) },
		"":     func(r io.Reader) (io.Reader, error) { return r, nil },
	} {
		t.Run(coding, func(t *testing.T) {
			read := make(chan struct{})
			defer sync.OnceFunc(func() { close(read) })()
			h, err := compress(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/plain")
				out := &respond.Streaming{W: w}
				_, _ = io.WriteString(out, line)
				<-read // the client has the first part before the second is written
				_, _ = io.WriteString(out, line)
			}))
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(h)
			t.Cleanup(server.Close)
			ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
			defer stop()
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept-Encoding", coding)
			resp, err := server.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if got := resp.Header.Get("Content-Encoding"); got != coding {
				t.Fatalf("compressed with %q", got)
			}
			body, err := unpack(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			first := make([]byte, len(line))
			if _, err := io.ReadFull(body, first); err != nil || string(first) != line {
				t.Fatalf("%v, the first part is %.80q", err, first)
			}
		})
	}
}

// A compressed answer that breaks off must break off for the client too, so that it takes no part for the whole.
func TestCompressedAnswersBreakOff(t *testing.T) {
	text := make([]byte, 100_000)
	for i := range text {
		text[i] = byte(rand.N(64)) + ' ' // so that a part of it is sent before the end
	}
	for _, tt := range []struct {
		coding string
		size   int
	}{{"gzip", 10}, {"gzip", len(text)}, {"zstd", len(text)}, {"", len(text)}} {
		h, err := compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = w.Write(text[:tt.size])
			panic(http.ErrAbortHandler)
		}))
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(h)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", tt.coding)
		var got []byte
		resp, err := server.Client().Do(r)
		if err == nil {
			if coding := resp.Header.Get("Content-Encoding"); coding != tt.coding {
				t.Errorf("compressed with %q, want %q", coding, tt.coding)
			}
			got, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		if err == nil || (len(got) > 0) != (tt.size > 10) {
			t.Errorf("%q, after %d bytes: %d are received, %v", tt.coding, tt.size, len(got), err)
		}
		server.Close()
	}
}

// HEAD tells no other length than GET has (RFC 9110 §8.6): none where GET is compressed.
func TestHeadsTellTheLengthOfWhatIsSent(t *testing.T) {
	page := strings.Repeat("a line of a long page\n", 200)
	for _, tt := range []struct{ name, coding, kind, encoded string }{
		{"no coding", "", "text/html", ""},
		{"gzip", "gzip", "text/html", ""},
		{"zstd", "br, zstd", "text/html", ""},
		{"a coding that isn't offered", "br", "text/html", ""},
		{"a refused coding", "gzip;q=0", "text/html", ""},
		{"what isn't compressed", "gzip", "image/png", ""},
		{"what is compressed already", "gzip", "text/html", "br"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, err := compress(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", tt.kind)
				w.Header().Set("Content-Length", strconv.Itoa(len(page)))
				if tt.encoded != "" {
					w.Header().Set("Content-Encoding", tt.encoded)
				}
				if w.WriteHeader(http.StatusOK); r.Method != http.MethodHead {
					_, _ = io.WriteString(w, page)
				}
			}))
			if err != nil {
				t.Fatal(err)
			}
			answer := func(method string) *httptest.ResponseRecorder {
				w, r := httptest.NewRecorder(), httptest.NewRequest(method, "/", nil)
				if tt.coding != "" {
					r.Header.Set("Accept-Encoding", tt.coding)
				}
				h.ServeHTTP(w, r)
				return w
			}
			get, head := answer(http.MethodGet), answer(http.MethodHead)
			want := strconv.Itoa(len(page))
			if get.Header().Get("Content-Encoding") != tt.encoded {
				want = ""
			}
			if got := head.Header().Get("Content-Length"); got != want {
				t.Errorf("HEAD tells the length %q of what GET sends in %d bytes, want %q", got, get.Body.Len(), want)
			}
			if a, b := get.Header().Get("Vary"), head.Header().Get("Vary"); a != b {
				t.Errorf("GET varies on %q, HEAD on %q", a, b)
			}
		})
	}
}
