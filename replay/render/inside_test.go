package render

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/visual"
)

// What a page was given, lacked and asked for outside is known from the answers.
func TestWhatAVisitAsksFor(t *testing.T) {
	t.Parallel()
	const at, page = "Sat, 14 Mar 2015 09:26:53 GMT", "/web/20150314092653mp_/http://a.example/"
	part := []visual.Part{{URL: "http://a.example/x", Time: 20150314092653}}
	for _, tt := range []struct {
		name, target, dest string
		status             int
		at                 string
		asked, lacked      int
		parts              []visual.Part
		shown              int // status of the page, 0 if it isn't shown
	}{
		{"the page", page, "document", 200, at, 0, 0, nil, 200},
		{"a page of an error", page, "document", 404, at, 0, 0, nil, 404},
		{"a page that varve makes in its place", page, "document", 200, "", 0, 0, nil, 404},
		{"a redirect of the page", page, "document", 302, at, 0, 0, nil, 0},
		{"a part", page + "x", "image", 200, at, 1, 0, part, 0},
		{"a part that was missing then", page + "x", "image", 404, at, 1, 0, part, 0},
		{"a part that was not captured", page + "x", "image", 404, "", 1, 1, nil, 0},
		{"what varve makes of several", page + "x", "fetch", 200, "", 1, 0, nil, 0},
		{"a redirect of a part", page + "x", "image", 302, at, 0, 0, nil, 0},
		{"what the browser has", page + "x", "image", 304, at, 1, 0, part, 0},
		{"a part without a datetime that can be read", page + "x", "image", 200, "then", 1, 0, nil, 0},
		{"a script of varve", "/-/static/x.js", "script", 200, "", 0, 0, nil, 0},
		{"the live web", "http://live.example/", "image", 200, at, 1, 1, nil, 0},
	} {
		v := newVisit(page)
		in := &inside{host: "replay", now: v, replay: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if tt.at != "" {
				w.Header().Set("Memento-Datetime", tt.at)
			}
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(tt.status)
		})}
		for range 2 {
			target := tt.target
			if target[0] == '/' {
				target = "http://replay" + target
			}
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
			r.Header.Set("Sec-Fetch-Dest", tt.dest)
			in.ServeHTTP(httptest.NewRecorder(), r)
		}
		lacked := 0
		for _, r := range v.asked {
			if r.lacked {
				lacked++
			}
		}
		if len(v.asked) != tt.asked || lacked != tt.lacked || !slices.Equal(v.parts, tt.parts) || v.shown != (tt.shown > 0) ||
			v.status != tt.shown || (len(v.outside) > 0) != (tt.target[0] != '/') || !v.isIdle(0) {
			t.Errorf("%s: %+v", tt.name, v)
		}
	}
}
