package replay

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/metrics"
	"github.com/varve-archive/varve/replay/respond"
)

func TestAPanicIsAnAnswerAsLongAsNothingIsSent(t *testing.T) {
	half := func(w io.Writer) { _, _ = io.WriteString(w, "half") }
	for _, tt := range []struct {
		name   string
		handle http.HandlerFunc
		status int
		body   string
		logged bool
		aborts bool
	}{
		{"before the answer", func(http.ResponseWriter, *http.Request) { panic("oh") }, 500, "something went wrong", true, false},
		{"within the body", func(w http.ResponseWriter, _ *http.Request) { half(w); panic("oh") }, 200, "half", true, true},
		{"behind the head", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404); panic("oh") }, 404, "", true, true},
		{"an answer that broke off", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 200, "", false, true},
		{"none", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, 204, "", false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var log bytes.Buffer
			s := &Server{cfg: Config{Log: slog.New(slog.NewTextHandler(&log, nil))}, metrics: metrics.New()}
			w := httptest.NewRecorder()
			defer func() {
				if p := recover(); (p != nil) != tt.aborts {
					t.Errorf("panicked with %v", p)
				}
				if w.Code != tt.status || !strings.HasPrefix(w.Body.String(), tt.body) || tt.body == "half" && w.Body.String() != "half" {
					t.Errorf("%d %q", w.Code, w.Body)
				}
				if strings.Contains(log.String(), "panic=oh") != tt.logged {
					t.Errorf("logged: %q", &log)
				}
			}()
			s.observe(tt.handle).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		})
	}
}

func TestTheFirstStatusCounts(t *testing.T) {
	r := &recorder{ResponseWriter: httptest.NewRecorder()}
	_, _ = io.WriteString(r, "four")
	r.WriteHeader(404)
	_, _ = io.WriteString(r, "more")
	if r.status != 200 || r.bytes != 8 {
		t.Errorf("%d with %d bytes", r.status, r.bytes)
	}
	r = &recorder{ResponseWriter: httptest.NewRecorder()}
	r.WriteHeader(404)
	r.WriteHeader(200)
	_, _ = io.WriteString(r, "text")
	if r.status != 404 {
		t.Errorf("%d", r.status)
	}
}

func TestOnlyTextThatIsWorthItIsCompressed(t *testing.T) {
	long := strings.Repeat("a line of text\n", 200)
	for _, tt := range []struct {
		name, accept, kind, body string
		as                       func(http.ResponseWriter)
		coding                   string
		varies                   bool
	}{
		{"text", "gzip", "text/plain", long, nil, "gzip", true},
		{"text for a client that takes both", "gzip, zstd", "text/plain", long, nil, "zstd", true},
		{"text for a client that takes none", "", "text/plain", long, nil, "", true},
		{"a little text", "gzip", "text/plain", long[:minCompressed-1], nil, "", true},
		{"a picture", "gzip", "image/png", long, nil, "", false},
		{"text that is to stay", "gzip", "text/plain", long, respond.SendAsIs, "", false},
		{"nothing", "gzip", "text/plain", "", func(w http.ResponseWriter) { w.Header().Set("Content-Length", "0") }, "", false},
		{"the rest after early hints", "gzip", "text/plain", long, func(w http.ResponseWriter) { w.WriteHeader(103) }, "gzip", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, err := compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", tt.kind)
				if tt.as != nil {
					tt.as(w)
				}
				_, _ = io.WriteString(w, tt.body)
			}))
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(h)
			defer server.Close()
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept-Encoding", tt.accept)
			resp, err := server.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if got := resp.Header.Get("Content-Encoding"); resp.StatusCode != 200 || got != tt.coding {
				t.Errorf("%d in %q", resp.StatusCode, got)
			}
			if got := resp.Header.Get("Vary"); (got == "Accept-Encoding") != tt.varies || !tt.varies && got != "" {
				t.Errorf("Vary: %q", got)
			}
		})
	}
}
