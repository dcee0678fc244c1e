package respond

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx"
)

func TestStrongETagIsTheDigestWhereItCanStandInATag(t *testing.T) {
	hashed := StrongETag(&cdx.Capture{FileName: "a.warc", Location: cdx.Location{Offset: 1}}, "")
	for _, tt := range []struct {
		name, digest, coding string
		want                 string // "" for a hash
	}{
		{"bare base32", "QWERTZUIOPASDFGH", "", `"QWERTZUIOPASDFGH"`},
		{"with its algorithm", "sha256:ab~!", "", `"sha256:ab~!"`},
		{"in a coding", "QWERTZ", "gzip", `"QWERTZ-gzip"`},
		{"without a digest", "", "", hashed},
		{"a space", "a b", "", hashed},
		{"a quote", `a"b`, "", hashed},
		{"a comma", "a,b", "", hashed},
		{"a control", "a\x7fb", "", hashed},
		{"beyond ASCII", "ä", "", hashed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &cdx.Capture{Digest: tt.digest, FileName: "a.warc", Location: cdx.Location{Offset: 1}}
			if got := StrongETag(c, tt.coding); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	other := StrongETag(&cdx.Capture{FileName: "a.warc", Location: cdx.Location{Offset: 2}}, "")
	if other == hashed || len(other) < 20 {
		t.Errorf("the tag of another capture without a digest: %s", other)
	}
	odd := StrongETag(&cdx.Capture{Digest: "a"}, `x", "y`)
	if strings.ContainsAny(strings.Trim(odd, `"`), `", `) || !strings.HasPrefix(odd, `"a-`) {
		t.Errorf("of an odd coding: %s", odd)
	}
}

func TestWeakETagDependsOnAllOfWhat(t *testing.T) {
	a, b := WeakETag("run 1 state"), WeakETag("run 2 state")
	if a == b || a != WeakETag("run 1 state") || !strings.HasPrefix(a, `W/"`) || !strings.HasSuffix(a, `"`) {
		t.Error(a, b)
	}
}

func TestNotModified(t *testing.T) {
	const strong, weak = `"a"`, `W/"a"`
	for _, tt := range []struct {
		name, method string
		status       int
		tag          string
		ifNone       []string
		want         bool
	}{
		{"the same", "GET", 200, strong, []string{strong}, true},
		{"the same, of a head", "HEAD", 200, strong, []string{strong}, true},
		{"weak where it was strong", "GET", 200, weak, []string{strong}, true},
		{"strong where it was weak", "GET", 200, strong, []string{weak}, true},
		{"one of several", "GET", 200, weak, []string{`"x", W/"a" ,"y"`}, true},
		{"on another line", "GET", 200, weak, []string{`"x"`, weak}, true},
		{"whatever it is", "GET", 200, weak, []string{"*"}, true},
		{"another", "GET", 200, weak, []string{`W/"b"`}, false},
		{"unasked", "GET", 200, weak, nil, false},
		{"without a tag", "GET", 200, "", []string{strong}, false},
		{"without a tag, whatever it is", "GET", 200, "", []string{"*"}, false},
		{"without a tag, an empty one", "GET", 200, "", []string{""}, false},
		{"by another method", "POST", 200, strong, []string{strong}, false},
		{"another status", "GET", 404, strong, []string{strong}, false},
		{"a part", "GET", 206, strong, []string{strong}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, r := httptest.NewRecorder(), httptest.NewRequest(tt.method, "/", nil)
			w.Header().Set("Content-Length", "10")
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Vary", "Prefer")
			if tt.tag != "" {
				w.Header().Set("ETag", tt.tag)
			}
			r.Header["If-None-Match"] = tt.ifNone
			if got, err := Conditions(w, r, tt.status); err != nil || got != tt.want || (w.Code == http.StatusNotModified) != tt.want {
				t.Errorf("%t %d, %v", got, w.Code, err)
			}
			h := w.Header()
			if (h.Get("Content-Length") == "") != tt.want || (h.Get("Content-Encoding") == "") != tt.want || h.Get("Vary") != "Prefer" {
				t.Errorf("%v", h)
			}
		})
	}
}

// A part may be added only to the very bytes that it is a part of (RFC 9110 §13.1.5).
func TestMayRange(t *testing.T) {
	for _, tt := range []struct {
		name, asked, tag string
		want             bool
	}{
		{"unasked", "", `"a"`, true},
		{"unasked, weak", "", `W/"a"`, true},
		{"the same", `"a"`, `"a"`, true},
		{"another", `"b"`, `"a"`, false},
		{"weak where it was weak", `W/"a"`, `W/"a"`, false},
		{"a date", "Sat, 29 Oct 1994 19:43:31 GMT", `"a"`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := mayRange(&http.Request{Header: pairs("If-Range", tt.asked)}, tt.tag); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

// RFC 9110 §13.1.3
func TestNotModifiedSince(t *testing.T) {
	const early, late = "Sat, 29 Oct 1994 19:43:31 GMT", "Sat, 29 Oct 1994 19:43:32 GMT"
	for _, tt := range []struct {
		name, last, since, none string
		want                    bool
	}{
		{"the same", early, early, "", true},
		{"older than what the client has", early, late, "", true},
		{"newer", late, early, "", false},
		{"without a date", "", late, "", false},
		{"unasked", early, "", "", false},
		{"a tag counts more", early, late, `"b"`, false},
		{"no date", early, "x", "", false},
	} {
		w, r := httptest.NewRecorder(), &http.Request{Method: "GET", Header: pairs("If-Modified-Since", tt.since, "If-None-Match", tt.none)}
		w.Header().Set("Last-Modified", tt.last)
		w.Header().Set("ETag", `"a"`)
		if got, err := Conditions(w, r, 200); got != tt.want || err != nil {
			t.Errorf("%s: %t, %v", tt.name, got, err)
		}
	}
	for tag, want := range map[string]bool{`"a"`: true, `W/"a"`: false, "": false} { // only archived bytes are as old as they say
		w, r := httptest.NewRecorder(), &http.Request{Method: "GET", Header: pairs("If-Modified-Since", late)}
		w.Header().Set("Last-Modified", early)
		w.Header().Set("ETag", tag)
		w.Header().Set("Memento-Datetime", late)
		if got, err := Conditions(w, r, 200); got != want || err != nil {
			t.Errorf("a memento with the tag %q: %t, %v", tag, got, err)
		}
	}
}

// RFC 9110 §13.1.1, §13.1.4 and §13.2.2.
func TestPreconditions(t *testing.T) {
	const early, late = "Sat, 29 Oct 1994 19:43:31 GMT", "Sat, 29 Oct 1994 19:43:32 GMT"
	for _, tt := range []struct {
		name, method string
		status       int
		tag          string
		conditions   []string
		want         int // 0 for the answer itself
	}{
		{"the same", "GET", 200, `"a"`, []string{"If-Match", `"x", "a"`}, 0},
		{"another", "GET", 200, `"a"`, []string{"If-Match", `"x"`}, 412},
		{"another, of a head", "HEAD", 200, `"a"`, []string{"If-Match", `"x"`}, 412},
		{"whatever it is", "GET", 200, `W/"a"`, []string{"If-Match", "*"}, 0},
		{"weak", "GET", 200, `W/"a"`, []string{"If-Match", `W/"a"`}, 412},
		{"weak where it is strong", "GET", 200, `"a"`, []string{"If-Match", `W/"a"`}, 412},
		{"strong where it is weak", "GET", 200, `W/"a"`, []string{"If-Match", `"a"`}, 412},
		{"without a tag", "GET", 200, "", []string{"If-Match", `"a"`}, 0},
		{"the same, which the client has", "GET", 200, `"a"`, []string{"If-Match", `"a"`, "If-None-Match", `"a"`}, 304},
		{"another, which the client has", "GET", 200, `"a"`, []string{"If-Match", `"b"`, "If-None-Match", `"a"`}, 412},
		{"by another method", "POST", 200, `"a"`, []string{"If-Match", `"x"`}, 0},
		{"another status", "GET", 404, `"a"`, []string{"If-Match", `"x"`}, 0},
		{"unmodified", "GET", 200, `"a"`, []string{"If-Unmodified-Since", late}, 0},
		{"modified", "GET", 200, `"a"`, []string{"If-Unmodified-Since", early}, 412},
		{"no date", "GET", 200, `"a"`, []string{"If-Unmodified-Since", "x"}, 0},
		{"a tag counts more", "GET", 200, `"a"`, []string{"If-Match", `"a"`, "If-Unmodified-Since", early}, 0},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(tt.method, "/", nil)
		r.Header = pairs(tt.conditions...)
		w.Header().Set("Last-Modified", late)
		if tt.tag != "" {
			w.Header().Set("ETag", tt.tag)
		}
		got := 0
		done, err := Conditions(w, r, tt.status)
		switch {
		case err != nil:
			got = AsFailure(err).Status
		case done:
			got = w.Code
		}
		if got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// The header of an answer that failed is what it was before, but still says by what the failure was chosen.
func TestUnset(t *testing.T) {
	for _, tt := range []struct{ made, want http.Header }{
		{http.Header{"Etag": {`"a"`}, "Link": {"<b>"}}, http.Header{"Link": {"<a>"}, "Vary": {"Accept"}}},
		{http.Header{"Vary": {"Accept", "Cookie"}}, http.Header{"Link": {"<a>"}, "Vary": {"Accept", "Cookie"}}},
	} {
		before := http.Header{"Link": {"<a>"}, "Vary": {"Accept"}}
		Unset(tt.made, before)
		if diff := cmp.Diff(tt.want, tt.made); diff != "" {
			t.Error(diff)
		}
	}
}
