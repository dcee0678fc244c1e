package follow_test

import (
	"fmt"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/gather/follow"
)

// app serves a page whose text is what a script takes from elsewhere.
func (s *web) app(said string) {
	s.serve("/app", "text/html; charset=utf-8", `<!doctype html><title>App</title><main id=root></main><script src=/app.js></script>`)
	s.serve("/app.js", "text/javascript", `fetch("/data.json").then(r => r.json()).then(d => {
		root.innerHTML = "<h1>News of the mill</h1><p>" + d.said + " This is the text of a page, long enough to be one.</p><img src=/a.png>";
		fetch("/more", {method: "POST", body: "x"}).catch(() => {});
		new WebSocket("ws://" + location.host + "/app");
	})`)
	s.answer("/data.json", func(w http.ResponseWriter, r *http.Request) {
		if agent := r.UserAgent(); !strings.HasPrefix(agent, "Mozilla/5.0 (") || !strings.HasSuffix(agent, " varve-test") {
			http.Error(w, "only for browsers, not "+agent, http.StatusNotAcceptable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"said": %q}`, said)
	})
	s.serve("/a.png", "image/png", "\x89PNG")
}

// A page that scripts make is seen as readers see it: what they ask for is captured with it, and it changes when what they make of it does.
func TestPagesThatScriptsMake(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no chromium in the path: the browser tests need one")
	}
	s := newWeb(t)
	s.app("The wheel turns.")
	g := newFollowing(t, s, "sources:\n  - {page: HOST/app, browser: true}\n")
	if st := g.once(); st.New != 1 {
		t.Errorf("%+v", st)
	}
	first := []string{"response /a.png", "response /app", "response /app.js", "response /data.json"}
	g.want("written", g.captures(), first)
	if asked := s.requests(); slices.Contains(asked, "POST /more") {
		t.Error("something was sent")
	}
	s.pass(25 * time.Hour)
	if st := g.once(); st.Changed != 0 || st.Useful != 1 {
		t.Errorf("nothing has changed: %+v", st)
	}
	g.want("written, nothing", g.captures(), first)
	s.app("The wheel is broken, and nobody knows since when.")
	s.pass(25 * time.Hour)
	if st := g.once(); st.Changed != 1 {
		t.Errorf("its text has changed: %+v", st)
	}
	got := g.captures()
	if len(got) != 8 || got[3] != "response /data.json" || got[4] != "response /data.json" {
		t.Errorf("%q", got)
	}
}

// Where there is no browser, following ends with a sentence, however many pages want one.
func TestWithoutABrowser(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.html("/one", "First.")
	s.html("/two", "Second.")
	g := newFollowing(t, s, "browser: true\nthreads: 2\nper_host: 2\nsources:\n  - {page: HOST/one}\n  - {page: HOST/two}\n")
	f, err := follow.New(t.Context(), follow.Config{
		Settings: g.set, Store: g.store, Dir: g.dir, Agent: "varve-test", Now: s.clock, Status: g.status, Chromium: "/no/such/chromium",
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Once(t.Context()); err == nil || !strings.Contains(err.Error(), "the browser /no/such/chromium") {
		t.Errorf("%v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
