package screens

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A live is a server of live sites that records what it answers.
type live struct {
	*httptest.Server
	hosts map[string]http.Handler

	mu        sync.Mutex
	exchanges []exchange
}

// An exchange is a request and its answer.
type exchange struct {
	at       time.Time
	uri      string
	request  string // as HTTP messages
	response string
	payload  []byte
}

// golive serves sites by their hosts, over TLS.
func golive(t *testing.T, sites []site) *live {
	t.Helper()
	l := &live{hosts: map[string]http.Handler{}}
	for _, s := range sites {
		maps.Copy(l.hosts, s.hosts)
	}
	l.Server = httptest.NewTLSServer(l)
	t.Cleanup(l.Close)
	return l
}

// ServeHTTP answers a request and records it.
func (l *live) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := time.Now()
	sent, err := io.ReadAll(r.Body)
	site := l.hosts[r.Host]
	if err != nil || site == nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(sent))
	answer := httptest.NewRecorder()
	site.ServeHTTP(answer, r)
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())

	var request, response bytes.Buffer
	fmt.Fprintf(&request, "%s %s HTTP/1.1\r\nHost: %s\r\n", r.Method, r.RequestURI, r.Host)
	_ = r.Header.Write(&request)
	fmt.Fprintf(&request, "\r\n%s", sent)
	fmt.Fprintf(&response, "HTTP/1.1 %d %s\r\n", answer.Code, http.StatusText(answer.Code))
	_ = answer.Header().Write(&response)
	fmt.Fprintf(&response, "\r\n%s", answer.Body)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.exchanges = append(l.exchanges, exchange{
		at, "https://" + r.Host + r.RequestURI, request.String(), response.String(), slices.Clone(answer.Body.Bytes()),
	})
}

// warc writes what was recorded, as a recording proxy does (ISO 28500:2017 §6.3, §6.4).
func (l *live) warc(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	record := func(kind, id string, e exchange, fields, block string) {
		fmt.Fprintf(&b, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <%s>\r\nWARC-Date: %s\r\nWARC-Target-URI: %s\r\n%s"+
			"Content-Type: application/http; msgtype=%s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			kind, id, e.at.UTC().Format(time.RFC3339), e.uri, fields, kind, len(block), block)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, e := range l.exchanges {
		id, sum := fmt.Sprintf("urn:uuid:00000000-0000-4000-8000-%012d", i), sha1.Sum(e.payload)
		record("response", id, e, "WARC-Payload-Digest: sha1:"+base32.StdEncoding.EncodeToString(sum[:])+"\r\n", e.response)
		record("request", strings.Replace(id, "4000", "4001", 1), e, "WARC-Concurrent-To: <"+id+">\r\n", e.request)
	}
	path := filepath.Join(t.TempDir(), "live.warc")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
