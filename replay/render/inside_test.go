package render

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"
	"time"

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
		{"a choice of pages", page, "document", 300, at, 0, 0, nil, 0},
		{"a part", page + "x", "image", 200, at, 1, 0, part, 0},
		{"a part that was missing then", page + "x", "image", 404, at, 1, 0, part, 0},
		{"a part that was not captured", page + "x", "image", 404, "", 1, 1, nil, 0},
		{"a part that was asked for wrongly", page + "x", "image", 400, "", 1, 1, nil, 0},
		{"what varve makes of several", page + "x", "fetch", 200, "", 1, 0, nil, 0},
		{"a redirect of a part", page + "x", "image", 302, at, 0, 0, nil, 0},
		{"a choice of parts", page + "x", "image", 300, at, 0, 0, nil, 0},
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
			w.WriteHeader(http.StatusTeapot) // is not sent: an answer has one status
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
			v.status != tt.shown || !v.isIdle(0) {
			t.Errorf("%s: %+v", tt.name, v)
		}
	}
}

// A page may ask for the live web in plain text or through a tunnel: neither is answered, and both are lacked.
func TestNothingButTheReplayAnswers(t *testing.T) {
	t.Parallel()
	asked := 0
	v := newVisit("/")
	in := &inside{host: "replay", now: v, replay: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ })}
	for _, tt := range []struct{ method, target, as string }{
		{http.MethodGet, "http://live.example/a", "http://live.example/a"},
		{http.MethodGet, "https://replay/a", "https://replay/a"},
		{http.MethodGet, "http://replay:81/a", "http://replay:81/a"},
		{http.MethodConnect, "live.example:443", "live.example:443"},
		{http.MethodConnect, "replay:443", "replay:443"},
	} {
		w := httptest.NewRecorder()
		in.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), tt.method, tt.target, nil))
		if w.Code != http.StatusNotFound || asked > 0 || !v.asked[tt.as].lacked {
			t.Errorf("%s %s: %d, the replay was asked %d times, %v", tt.method, tt.target, w.Code, asked, v.asked)
		}
	}
	in.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://replay/", nil))
	if asked != 1 {
		t.Error("the replay doesn't answer either")
	}
}

// The replay gets the address as a server does, byte for byte. A page is idle once all that it asked for is answered.
func TestWhatTheReplayIsAsked(t *testing.T) {
	t.Parallel()
	v := newVisit("/")
	v.changed = time.Time{} // as if it began long ago
	var got string
	var busy bool
	in := &inside{host: "replay", now: v, replay: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got, busy = r.RequestURI, !v.isIdle(0)
	})}
	for asked, want := range map[string]string{
		"http://replay/web/2015mp_/http://a.example/?q=a|b": "/web/2015mp_/http://a.example/?q=a|b", "http://replay/": "/",
		"http://replay?x": "/?x", "http://replay": "/",
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://replay/", nil)
		r.RequestURI = asked
		if in.ServeHTTP(httptest.NewRecorder(), r); got != want || !busy || !v.isIdle(0) {
			t.Errorf("%s: %s, want %s; idle meanwhile: %t, and then: %t", asked, got, want, !busy, v.isIdle(0))
		}
	}
	if v.isIdle(time.Hour) {
		t.Error("a page that just asked for something is said to rest for an hour")
	}
}

// A page can't make the renderer remember without end what it asks for. What was missing once and came later isn't missing.
func TestPagesThatAskForVeryMuch(t *testing.T) {
	t.Parallel()
	v := newVisit("/")
	for n := range maxParts {
		v.note(strconv.Itoa(n), request{lacked: n < 2})
	}
	for _, r := range []request{{}, {lacked: true}} {
		v.note("0", r)
	}
	if asked, lacked, _ := v.damage(nil); asked != maxParts || lacked != 1 || v.crowded {
		t.Errorf("%d asked, %d lacked, crowded: %t", asked, lacked, v.crowded)
	}
	v.note("one more", request{})
	if asked, _, _ := v.damage(nil); asked != maxParts || !v.crowded {
		t.Errorf("one more: %d asked, crowded: %t", asked, v.crowded)
	}
	v = newVisit("/")
	for n := range maxParts + 1 {
		w := &seen{ResponseWriter: httptest.NewRecorder(), status: http.StatusOK}
		w.Header().Set("Memento-Datetime", "Sat, 14 Mar 2015 09:26:53 GMT")
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/web/20150314092653mp_/http://a.example/"+strconv.Itoa(n), nil)
		if v.crowded {
			t.Errorf("crowded by %d", n)
		}
		v.asked = map[string]request{} // only the mementos are many
		v.answered(r, w)
	}
	if len(v.parts) != maxParts || !v.crowded {
		t.Errorf("%d mementos, crowded: %t", len(v.parts), v.crowded)
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
		if asked != len(tt.asked) || lacked != tt.lacked || !(damage >= tt.from && damage <= tt.to) { // NaN is neither
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
