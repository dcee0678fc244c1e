package record

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/client"
)

// maxListed is the number of pages, and of failures, in a [List]: the newest.
const maxListed = 500

// A List is a summary of what was recorded. The zero List is empty. It is safe for concurrent use.
type List struct {
	mu     sync.Mutex
	totals Totals
	pages  []Page
	failed []Failure
}

// Totals count what was recorded.
type Totals struct {
	Exchanges, Revisits, Failed int
	Bytes                       int64 // in the files
}

// A Page is a recorded page: an HTML answer to a top-level request of the browser.
type Page struct {
	URI    string
	Time   time.Time
	Status int
}

// A Failure is a request that was not recorded.
type Failure struct {
	URI, Why string
}

func (l *List) add(req *http.Request, e *client.Exchange, uri string, w write.Written) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.totals.Exchanges++
	l.totals.Bytes += w.Bytes
	if w.Revisit {
		l.totals.Revisits++
	}
	if isPage(req, e) {
		l.pages = lastOf(append(l.pages, Page{URI: uri, Time: e.Time, Status: e.Status}))
	}
}

// isPage reports whether an answer is something that a reader would open again: that to a GET, because links make no others. Browsers
// tell the purpose of a request on secure connections only (Fetch Metadata, Sec-Fetch-Dest); without it, a frame counts too.
func isPage(req *http.Request, e *client.Exchange) bool {
	kind := strings.ToLower(e.Header.Get("Content-Type"))
	html := strings.HasPrefix(kind, "text/html") || strings.HasPrefix(kind, "application/xhtml")
	if req.Method != http.MethodGet || e.Status != http.StatusOK || !html {
		return false
	}
	if dest := req.Header.Get("Sec-Fetch-Dest"); dest != "" {
		return dest == "document"
	}
	return strings.Contains(req.Header.Get("Accept"), "text/html")
}

func (l *List) fail(uri string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.totals.Failed++
	l.failed = lastOf(append(l.failed, Failure{URI: uri, Why: err.Error()}))
}

// lastOf drops the oldest elements beyond the limit.
func lastOf[T any](all []T) []T {
	if len(all) > maxListed {
		return append([]T(nil), all[len(all)-maxListed:]...)
	}
	return all
}

// All returns the totals, and the newest pages and failures, the newest last.
func (l *List) All() (Totals, []Page, []Failure) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.totals, append([]Page(nil), l.pages...), append([]Failure(nil), l.failed...)
}
