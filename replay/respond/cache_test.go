package respond

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// answerKept sends an answer through a keeper, as handlers do.
func answerKept(keep bool, status int, header http.Header, pieces ...string) (*keeper, *httptest.ResponseRecorder) {
	w := httptest.NewRecorder()
	k := NewKeeper(w, keep)
	for name, values := range header {
		k.Header()[name] = values
	}
	if status != 0 {
		k.WriteHeader(status)
	}
	for _, p := range pieces {
		_, _ = io.WriteString(k, p)
	}
	return k, w
}

func TestKeeperCopiesWhatItPassesOn(t *testing.T) {
	const generation = 7
	for _, tt := range []struct {
		name   string
		keep   bool
		status int
		pieces []string
		kept   bool
	}{
		{"in pieces", true, 200, []string{"<p>", "a page"}, true},
		{"an answer without a body", true, 200, nil, true},
		{"another status", true, 404, []string{"gone"}, true},
		{"as large as can be", true, 200, []string{strings.Repeat("a", cacheableBytes-1), "b"}, true},
		{"one byte larger", true, 200, []string{strings.Repeat("a", cacheableBytes), "b"}, false},
		{"a small piece after one that was too large", true, 200, []string{strings.Repeat("a", cacheableBytes+1), "b"}, false},
		{"not to be kept", false, 200, []string{"a page"}, false},
		{"not begun", true, 0, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k, w := answerKept(tt.keep, tt.status, http.Header{"Link": {"<x>"}}, tt.pieces...)
			whole := strings.Join(tt.pieces, "")
			if w.Body.String() != whole || tt.status != 0 && w.Code != tt.status {
				t.Errorf("passed on %d with %d bytes of %d", w.Code, w.Body.Len(), len(whole))
			}
			p := k.Page(generation)
			if (p != nil) != tt.kept {
				t.Fatalf("kept: %t, want %t", p != nil, tt.kept)
			}
			if p != nil && (string(p.body) != whole || p.status != tt.status || p.generation != generation || p.header.Get("Link") != "<x>") {
				t.Errorf("kept %d %v with %d bytes of %d", p.status, p.header, len(p.body), len(whole))
			}
		})
	}
}

func TestKeeperKeepsTheHeaderAsItWasSent(t *testing.T) {
	k, w := answerKept(true, 200, http.Header{"Link": {"<sent>"}}, "body")
	k.Header().Set("Link", "<later>")
	if got := k.Page(1).header.Get("Link"); got != "<sent>" {
		t.Errorf("Link: %s", got)
	}
	if err := http.NewResponseController(k).Flush(); err != nil || !w.Flushed {
		t.Errorf("flushing does not reach the writer below: %v", err)
	}
}

func TestCacheAnswersForOneGeneration(t *testing.T) {
	const tag = `W/"a"`
	k, _ := answerKept(true, 200, http.Header{"Etag": {tag}, "Content-Type": {"text/html"}}, "a page")
	gone, _ := answerKept(true, 404, http.Header{"Etag": {tag}}, "gone")
	c := NewCache()
	c.Keep("page", k.Page(3))
	c.Keep("gone", gone.Page(3))
	c.Keep("none", nil)
	for _, tt := range []struct {
		name, key  string
		generation uint64
		ifNone     string
		ok         bool
		status     int
		body       string
	}{
		{"the same generation", "page", 3, "", true, 200, "a page"},
		{"the next generation", "page", 4, "", false, 200, ""},
		{"the generation before", "page", 2, "", false, 200, ""},
		{"another key", "other", 3, "", false, 200, ""},
		{"nothing was there to keep", "none", 3, "", false, 200, ""},
		{"to a client that has it", "page", 3, tag, true, 304, ""},
		{"to a client that has an older one", "page", 3, `W/"b"`, true, 200, "a page"},
		{"another status has no conditions", "gone", 3, tag, true, 404, "gone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
			if tt.ifNone != "" {
				r.Header.Set("If-None-Match", tt.ifNone)
			}
			if ok, err := c.Send(w, r, tt.key, tt.generation); ok != tt.ok || err != nil || w.Code != tt.status || w.Body.String() != tt.body {
				t.Errorf("%t %d %q", ok, w.Code, w.Body)
			}
			if !tt.ok {
				if len(w.Header()) > 0 {
					t.Errorf("no answer, and yet a header: %v", w.Header())
				}
				return
			}
			length := w.Header().Get("Content-Length")
			if tt.status == 304 && length != "" || tt.status != 304 && length != strconv.Itoa(len(tt.body)) {
				t.Errorf("Content-Length: %q", length)
			}
			if w.Header().Get("Etag") != tag {
				t.Errorf("ETag: %q", w.Header().Get("Etag"))
			}
		})
	}
}

func TestCacheBoundsTheWeightOfItsBodies(t *testing.T) {
	c := NewCache()
	body := make([]byte, cacheableBytes)
	const fit = cacheBytes / cacheableBytes
	for i := range fit + 1 {
		c.Keep(strconv.Itoa(i), &keptPage{status: 200, body: body})
	}
	held := 0
	for i := range fit + 1 {
		if ok, _ := c.Send(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil), strconv.Itoa(i), 0); ok {
			held++
		}
	}
	if held != fit {
		t.Errorf("%d of %d full answers are held, want %d", held, fit+1, fit)
	}
}
