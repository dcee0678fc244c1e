package follow_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/gather/follow"
	"github.com/varve-archive/varve/gather/follow/status"
)

// A server that has data at the address of a page, for those who accept anything, gives the page.
func TestPagesAreAskedForAsBrowsersDo(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.answer("/page", func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Accept"), "text/html,") {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"page": "/page"}`)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<main><h1>The mill</h1><p>This is the text of a page, long enough to be one.</p><img src=/a.png></main>")
	})
	s.serve("/a.png", "image/png", "\x89PNG")
	g := newFollowing(t, s, "sources:\n  - {page: HOST/page}\n")
	g.once()
	g.want("written", g.captures(), []string{"response /a.png", "response /page"})
}

// A source that has moved for good is asked where it is now, and where it was once that fails.
func TestASourceThatMoves(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	const text = `<rss version="2.0"><channel><title>News</title></channel></rss>`
	const modified = "Wed, 01 May 2024 11:00:00 GMT"
	plain := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) } // without an ETag
	dated := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Last-Modified", modified)
		if r.Header.Get("If-Modified-Since") == modified {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		plain(w, r)
	}
	to := func(path string, code int) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, path, code) }
	}
	g := newFollowing(t, s, "every: 1h\npolicy: fixed\nsources:\n  - {feed: HOST/old}\n")
	g.taken = func(context.Context) error {
		t.Error("a file is handed on by a process that does only what is due, before it ends")
		return nil
	}
	for _, step := range []struct {
		what, path string
		answer     func(http.ResponseWriter, *http.Request)
		asked      string
	}{
		{"first", "/old", plain, "GET /old"},
		{"the same bytes", "/old", plain, "GET /old"},
		{"its new place is announced, and not there", "/old", to("/new", 302), "GET /new GET /old"},
		{"it is elsewhere for now", "/new", plain, "GET /new GET /old"},
		{"it has moved to what redirects for now", "/old", to("/mid", 301), "GET /mid GET /old"}, // which isn't there yet
		{"which it does", "/mid", to("/new", 307), "GET /mid GET /new GET /old"},
		{"the old place is asked no more", "/old", plain, "GET /mid GET /new"},
		{"another move", "/mid", to("/new", 308), "GET /mid GET /new"},
		{"and arrived", "/new", dated, "GET /new"},
		{"unchanged", "/new", dated, "GET /new"},
		{"it fails", "/new", nil, "GET /new"},
		{"and is where it was", "/new", dated, "GET /old"},
		{"and is where it was", "/new", dated, "GET /new"},
	} {
		s.answer(step.path, step.answer)
		g.once()
		if got := strings.Join(s.requests(), " "); got != step.asked {
			t.Errorf("%s: %s, want %s", step.what, got, step.asked)
		}
		s.pass(time.Hour)
	}
	g.want("written", g.captures(), []string{
		"response /mid", "response /mid", "response /old", "response /old", "response /old", "revisit /mid", "revisit /new", "revisit /new",
		"revisit /new", "revisit /new", "revisit /new", "revisit /new", "revisit /old", "revisit /old",
	})
}

// So many redirects are followed, and no more.
func TestHowManyRedirectsAreFollowed(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.html("/near0", "Here it is.")
	for i := range 6 {
		for _, way := range []string{"/near", "/far"} {
			s.answer(fmt.Sprint(way, i+1), func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, fmt.Sprint(way, i), http.StatusFound)
			})
		}
	}
	g := newFollowing(t, s, "sources:\n  - {page: HOST/near5}\n  - {feed: HOST/far6}\n")
	st := g.once()
	if near, far := st.Sources[0].Problem, st.Sources[1].Problem; near != "" || !strings.Contains(far, "redirects more than 5 times") {
		t.Errorf("%q, %q", near, far)
	}
	if st.Polls != 2 || st.Sources[0].Polls != 1 || st.Sources[1].Polls != 1 { // those that failed cost as much
		t.Errorf("%+v", st.Sources)
	}
	g.want("asked", s.requests(), []string{
		"GET /far1", "GET /far2", "GET /far3", "GET /far4", "GET /far5", "GET /far6",
		"GET /near0", "GET /near1", "GET /near2", "GET /near3", "GET /near4", "GET /near5",
	})
}

// A page that never answers is asked for again, later and later, and then given up.
func TestAPageThatNeverAnswers(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.feed("/feed", "one")
	s.answer("/one", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "broken", http.StatusInternalServerError) })
	g := newFollowing(t, s, "sources:\n  - {feed: HOST/feed, every: 720h}\n")
	ask := func() (asked bool, st status.Status) {
		st = g.once()
		for _, r := range s.requests() {
			asked = asked || r == "GET /one"
		}
		return asked, st
	}
	if asked, _ := ask(); !asked {
		t.Fatal("it isn't asked for")
	}
	for _, wait := range []time.Duration{10, 20, 40, 80, 160} {
		s.pass(wait*time.Minute - time.Second)
		if asked, st := ask(); asked || st.Waiting != 1 {
			t.Errorf("it is asked for before %d minutes: %+v", wait, st)
		}
		s.pass(time.Second)
		if asked, _ := ask(); !asked {
			t.Errorf("it isn't asked for after %d minutes", wait)
		}
	}
	if _, st := ask(); st.Lost != 1 || st.Waiting != 0 || st.Requests != 13 { // of all processes, with robots.txt for each
		t.Errorf("%+v", st)
	}
}

// A host that asks to be left alone is, with all its pages.
func TestAHostThatAsksToBeLeftAlone(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.answer("/busy", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	s.html("/other", "Other.")
	g := newFollowing(t, s, "sources:\n  - {page: HOST/busy}\n  - {page: HOST/other}\n")
	g.once()
	g.want("asked", s.requests(), []string{"GET /busy"})
	s.html("/busy", "No longer.")
	s.pass(25 * time.Hour)
	g.once()
	g.want("asked later", s.requests(), []string{"GET /busy", "GET /other"})
}

// What is published while its feed is followed has a lag; the parts of pages are captured once a week.
func TestLagAndParts(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	entry := func(name string, ago time.Duration) string {
		at := s.clock().Add(-ago).Format(time.RFC1123Z)
		return `<item><guid>` + name + `</guid><link>HOST/` + name + `</link><pubDate>` + at + `</pubDate></item>`
	}
	serve := func(entries string) {
		s.serve("/feed", "text/xml", `<rss version="2.0"><channel>`+entries+`</channel></rss>`)
	}
	s.serve("/i.png", "image/png", "i")
	const parts = `<img src="/i.png"><img src="/gone.html"><img src="/busy.png"><img src="/busy.png">`
	s.answer("/busy.png", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "later", http.StatusInternalServerError) })
	s.answer("/gone.html", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `<img src="/of-an-error.png">`)
	})
	for _, page := range []string{"/one", "/two", "/three"} {
		s.html(page, page+parts)
	}
	g := newFollowing(t, s, "sources:\n  - {feed: HOST/feed, every: 24h}\n")
	serve(entry("one", time.Hour))
	if st := g.once(); st.Lag.Count != 0 {
		t.Errorf("published before it was followed: %+v", st.Lag)
	}
	g.want("asked", s.requests(), []string{"GET /busy.png", "GET /feed", "GET /gone.html", "GET /i.png", "GET /one"})
	s.pass(7*24*time.Hour - time.Minute)
	serve(entry("two", 2*time.Hour) + entry("one", 0))
	if st := g.once(); st.Lag.Count != 1 || st.Lag.Sum < 7200 || st.Lag.Sum > 7300 || st.Sources[0].Lag != st.Lag {
		t.Errorf("two hours ago: %+v, %+v", st.Lag, st.Sources[0].Lag)
	}
	g.want("asked before a week", s.requests(), []string{"GET /busy.png", "GET /feed", "GET /two"})
	s.pass(25 * time.Hour)
	serve(entry("three", -2*time.Hour))
	if st := g.once(); st.Lag.Count != 1 {
		t.Errorf("in the future: %+v", st.Lag)
	}
	g.want("asked after a week", s.requests(), []string{"GET /busy.png", "GET /feed", "GET /gone.html", "GET /i.png", "GET /three"})
}

// Pages that have no text, or none that can be read, are changed when their bytes are; so is a page that is gone, or back.
func TestPagesWithoutText(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	g := newFollowing(t, s, "sources:\n  - {page: HOST/page, every: 1h}\n")
	encoded := func(body string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Encoding", "gzip")
			fmt.Fprint(w, body)
		}
	}
	kind := func(contentType, body string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			fmt.Fprint(w, body)
		}
	}
	const prose = "This is the text of a page, long enough that nobody takes it for an empty shell of one."
	want := int64(0)
	for i, step := range []struct {
		answer  func(http.ResponseWriter, *http.Request)
		changed int64
	}{
		{encoded("no gzip"), 0},
		{kind("text/html", prose), 1},
		{kind("text/html", "<nav>Home</nav>"+prose), 0},
		{func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "It is gone, as you see.", http.StatusGone)
		}, 1},
		{kind("image/png", "a"), 1},
		{kind("image/png", "a"), 0},
		{kind("image/png", "b"), 1},
	} {
		s.answer("/page", step.answer)
		st := g.once()
		if want += step.changed; st.Changed != want || st.New != 1 || st.Sources[0].Captured != want+1 {
			t.Errorf("step %d: %d changed, want %d, %d new", i+1, st.Changed, want, st.New)
		}
		s.pass(time.Hour)
	}
}

// Of an answer that was cut off, the beginning alone is known: the next time the whole page, or image, is asked for, and captured.
func TestAnswersThatAreCutOff(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	serve := func(path, contentType, body string, sent int) {
		s.answer(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("ETag", `"whole"`)
			if r.Header.Get("If-None-Match") != "" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			fmt.Fprint(w, body[:sent])
		})
	}
	g := newFollowing(t, s, "sources:\n  - {page: HOST/page, every: 1h}\n")
	const page = "<!doctype html><p>This is the text of a page, long enough that nobody takes it for a shell.<img src=/i.png><nav>Home</nav>"
	serve("/page", "text/html", page, len(page)-15)
	serve("/i.png", "image/png", "image", 1)
	g.once()
	g.want("cut off", g.captures(), []string{"response /i.png", "response /page"})
	serve("/page", "text/html", page, len(page))
	serve("/i.png", "image/png", "image", 5)
	for range 2 {
		s.pass(time.Hour)
		g.once()
		g.want("whole", g.captures(), []string{"response /i.png", "response /i.png", "response /page", "response /page"})
	}
}

// What was never seen can't be unmodified: servers that say so are asked again.
func TestUnmodifiedWithoutBeingAsked(t *testing.T) {
	t.Parallel()
	unmodified := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }
	s := newWeb(t)
	g := newFollowing(t, s, "sources:\n  - {feed: HOST/feed}\n  - {page: HOST/page}\n")
	s.answer("/feed", unmodified)
	s.answer("/page", unmodified)
	for _, source := range g.once().Sources {
		if !strings.Contains(source.Problem, "304") {
			t.Errorf("%+v", source)
		}
	}
	g.want("captured", g.captures(), nil)
	s.feed("/feed", "one")
	s.answer("/one", unmodified)
	s.html("/page", "First.")
	s.pass(time.Hour)
	g.once()
	s.html("/one", "First.")
	s.pass(time.Hour)
	g.once()
	g.want("captured then", g.captures(), []string{"response /feed", "response /one", "response /page"})
}

// An answer that nothing is new may name other validators than before (RFC 9110 §15.4.5), which are those of the next request.
func TestUnmodifiedWithOtherValidators(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	asked := map[string]*strings.Builder{"/feed": {}, "/page": {}}
	for path, text := range map[string]string{"/feed": "<rss version='2.0'><channel/></rss>", "/page": "<p>The library lends boats."} {
		n := 0
		s.answer(path, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(asked[path], "%s %s|", r.Header.Get("If-None-Match"), r.Header.Get("If-Modified-Since"))
			if n++; n != 3 { // that answer names none
				w.Header().Set("ETag", fmt.Sprint(n))
			}
			if n < 3 {
				w.Header().Set("Last-Modified", fmt.Sprint("day ", n))
			}
			if n > 1 {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			fmt.Fprint(w, text)
		})
	}
	g := newFollowing(t, s, "policy: fixed\nevery: 1h\nsources:\n  - {feed: HOST/feed}\n  - {page: HOST/page, every: 1h}\n")
	for range 5 {
		g.once()
		s.pass(time.Hour)
	}
	for path, got := range asked {
		if want := " |1 day 1|2 day 2|2 day 2|4 day 2|"; got.String() != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// Of data and feeds, the content counts too, as it does where readers see their versions.
func TestPagesThatAreFiles(t *testing.T) {
	t.Parallel()
	const (
		price = `{"text":"The library lends boats to everybody who lives in sight of the water.","price":%d,"at":"2024-05-0%dT10:00:00Z"}`
		table = "name,price%s\nDinghy,%d\nCanoe,15\n"
		news  = "<rss version='2.0'><channel><lastBuildDate>%d May 2024</lastBuildDate><item><title>%s</title></item></channel></rss>"
	)
	for name, tt := range map[string]struct{ path, contentType, first, same, changed string }{
		"JSON": {"/a", "application/json", fmt.Sprintf(price, 20, 1), fmt.Sprintf(price, 20, 2), fmt.Sprintf(price, 25, 2)},
		"CSV":  {"/a", "text/csv", fmt.Sprintf(table, "", 20), fmt.Sprintf(table, "\r", 20), fmt.Sprintf(table, "\r", 25)},
		"CSV that is called a file": {
			"/a.csv", "application/octet-stream", fmt.Sprintf(table, "", 20), fmt.Sprintf(table, "\r", 20), fmt.Sprintf(table, "\r", 25),
		},
		"RSS":               {"/a", "application/rss+xml", fmt.Sprintf(news, 1, "One"), fmt.Sprintf(news, 2, "One"), fmt.Sprintf(news, 2, "Two")},
		"JSON that is none": {"/a", "application/json", "{", "{", "{{"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newWeb(t)
			g := newFollowing(t, s, "sources:\n  - {page: HOST"+tt.path+", every: 1h}\n")
			for i, body := range []string{tt.first, tt.same, tt.changed} {
				s.serve(tt.path, tt.contentType, body)
				if st := g.once(); st.New != 1 || st.Changed != int64(i/2) {
					t.Errorf("step %d: %d new, %d changed", i+1, st.New, st.Changed)
				}
				s.pass(time.Hour)
			}
		})
	}
}

// What can't be written ends the work, and is asked for again once the disk is back: at first, and when it is as it was.
func TestADiskThatFails(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	for path, text := range map[string]string{
		"/feed": `<rss version="2.0"><channel><item><link>/one</link></item></channel></rss>`, "/page": "A page.", "/one": "An entry.",
	} {
		s.answer(path, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }) // without an ETag
	}
	g := newFollowing(t, s, "robots: ignore\nsources:\n  - {feed: HOST/feed}\n  - {page: HOST/page}\n")
	away := g.dir + ".away"
	for _, want := range [][]string{{"GET /feed", "GET /one", "GET /page"}, {"GET /feed", "GET /page"}} {
		f := g.open()
		if err := errors.Join(os.Rename(g.dir, away), os.WriteFile(g.dir, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Once(t.Context()); err == nil {
			t.Error("nobody noticed that nothing can be written")
		}
		_ = f.Leave()
		if err := errors.Join(os.Remove(g.dir), os.Rename(away, g.dir)); err != nil {
			t.Fatal(err)
		}
		s.requests()
		g.once()
		g.want("asked for again", s.requests(), want)
		s.pass(25 * time.Hour)
	}
	g.want("written", g.captures(), []string{"response /feed", "response /one", "response /page", "revisit /feed", "revisit /page"})
}

// What is captured is handed on every minute in files that are whole, again until that succeeds, and others see who is at work.
func TestCapturesAreHandedOn(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.feed("/feed", "one")
	s.html("/one", "First.")
	g := newFollowing(t, s, oneFeed)
	ctx, stop := context.WithCancel(t.Context())
	tries := 0
	var running status.Status
	var f *follow.Follower
	g.taken = func(context.Context) error {
		var err error
		if f.Status().Captured > 2 { // robots.txt, feed, page
			tries++
		}
		if running, err = g.status.Get(g.set.Name); err != nil || tries > 1 {
			stop()
		}
		return errors.New("no room")
	}
	early := filepath.Join(g.dir, g.set.Name+"-20240501100000-00000.warc.gz.open") // of one that was killed before it wrote anything
	if err := os.WriteFile(early, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f = g.open()
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	for minute := 0; ctx.Err() == nil; minute++ {
		if minute > 1000 { // later its robots.txt is asked for, and there is something to hand on anyway
			t.Error("what could not be handed on isn't handed on again")
			stop()
		}
		s.pass(time.Minute)
		f.Wake()
		time.Sleep(5 * time.Millisecond)
	}
	if err := errors.Join(<-ended, f.Close()); err != nil {
		t.Error(err)
	}
	if ended, err := g.status.Get(g.set.Name); err != nil || ended.Running || !running.Running || ended.Captured < 3 {
		t.Errorf("the status, then after the end: %+v, %+v, %v", running, ended, err)
	}
	g.want("handed on", g.captures(), []string{"response /feed", "response /one"})
}

// Large answers are kept in files, which are closed when they were written, read or refused.
func TestLargeAnswersAreLetGo(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	large := strings.Repeat("more ", 1<<17)
	s.feed("/feed", "one="+large)
	s.html("/one", large)
	s.serve("/broken", "text/xml", "<rss>"+large)
	s.answer("/failing", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, large, http.StatusInternalServerError) })
	g := newFollowing(t, s, "sources:\n  - {feed: HOST/feed}\n  - {feed: HOST/broken}\n  - {feed: HOST/failing}\n  - {page: HOST/one}\n")
	g.once()
	if open := g.openBuffers(); open != 0 {
		t.Errorf("%d of them are left open", open)
	}
}

// openBuffers returns how many files with large answers this process has open, where the system tells that.
func (g *following) openBuffers() (n int) {
	const fds = "/proc/self/fd"
	all, _ := os.ReadDir(fds)
	for _, fd := range all {
		if to, err := os.Readlink(filepath.Join(fds, fd.Name())); err == nil && strings.HasPrefix(to, filepath.Join(g.dir, ".spill-")) {
			n++
		}
	}
	return n
}
