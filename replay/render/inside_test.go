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

// The damage of a page is the weight of what it lacks among all that it asked for: a style sheet most, pictures by their size.
func TestDamage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		asked  map[string]request
		lacked int
		from   float64
		to     float64
	}{
		{"nothing", nil, 0, 0, 0},
		{"all there", map[string]request{"/a": {"style", false}, "/b": {"image", false}}, 0, 0, 0},
		{"nothing there", map[string]request{"/a": {"style", true}, "/b": {"image", true}}, 2, 1, 1},
		{"a style sheet", map[string]request{"/a": {"style", true}, "/b": {"image", false}}, 1, 0.7, 0.99},
		{"a small picture", map[string]request{"/a": {"style", false}, "/b": {"image", true}}, 1, 0.01, 0.2},
		{"a large picture", map[string]request{"/a": {"style", false}, "/large": {"image", true}}, 1, 0.3, 0.8},
	} {
		v := newVisit("/")
		v.asked = tt.asked
		asked, lacked, damage := v.damage(map[string]float64{"/large": 0.5})
		if asked != len(tt.asked) || lacked != tt.lacked || damage < tt.from || damage > tt.to {
			t.Errorf("%s: %d asked, %d lacked, damage %v", tt.name, asked, lacked, damage)
		}
	}
	for address, want := range map[string]string{
		"http://replay/web/a#b": "/web/a", "http://live.example/a#b": "http://live.example/a#b", "data:,x": "data:,x",
		"http://replay:%zz/": "http://replay:%zz/",
	} {
		if got := pathOf(address, "replay"); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
