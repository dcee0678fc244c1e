package replaytest

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
)

// Configured returns a server over an index with a changed configuration; change may be nil.
func Configured(t *testing.T, x *index.Index, change func(*replay.Config)) http.Handler {
	t.Helper()
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { store.Close() })
	cfg := replay.Config{Archive: Archive(t, archive.Config{Index: x, Records: store})}
	if change != nil {
		change(&cfg)
	}
	s, err := replay.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s.Handler()
}

// Loopback is the host of a server that is for its machine only.
const Loopback = "127.0.0.1:8080"

// At sends a request to a host. Header fields are names and values.
func At(h http.Handler, method, host, path, body string, header ...string) *httptest.ResponseRecorder {
	w, r := httptest.NewRecorder(), httptest.NewRequest(method, "http://"+host+path, strings.NewReader(body))
	r.RequestURI = path
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	h.ServeHTTP(w, r)
	return w
}

// Forbids tests what the answer of a path says where nobody may do what is done there: on a server without it, through another server,
// and under a name that anybody's pages may have.
func Forbids(t *testing.T, path string, open func(*replay.Config), not, flag, do string) {
	t.Helper()
	_, x := Serve(t, Write(t, []Record{{Date: "20140101000000", URI: "http://a.example/", Status: 200, Body: "<p>a"}}))
	without, with := Configured(t, x, nil), Configured(t, x, open)
	for _, tt := range []struct {
		h          http.Handler
		host, says string
		header     []string
	}{
		{without, Loopback, not + ": that takes " + flag + ",", nil},
		{with, Loopback, not + " through another server unless it is started with " + flag, []string{"X-Forwarded-For", "192.0.2.1"}},
		{with, "evil.example", `under the name "evil.example" anybody's pages could ` + do, nil},
	} {
		if w := At(tt.h, "GET", tt.host, path, "", tt.header...); w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), tt.says) {
			t.Errorf("%s: %d %s, want %s", path, w.Code, w.Body, tt.says)
		}
	}
}

// AsWindow returns the header fields of what fills a browser's window.
func AsWindow() []string {
	return []string{"Accept", "text/html", "Sec-Fetch-Dest", "document", "Sec-Fetch-Mode", "navigate"}
}

var tokenOf = regexp.MustCompile(`name="token" value="([^"]+)"`)

// Token returns the token of a page, "" if it has none.
func Token(h http.Handler, host, path string, header ...string) string {
	if m := tokenOf.FindStringSubmatch(At(h, "GET", host, path, "", header...).Body.String()); m != nil {
		return m[1]
	}
	return ""
}
