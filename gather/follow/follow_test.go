package follow_test

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/gather/follow"
	"github.com/varve-archive/varve/gather/follow/status"
)

const oneFeed = "sources:\n  - {feed: HOST/feed}\n"

func newFollowing(t *testing.T, s *web, file string) *following {
	t.Helper()
	g := &following{
		t: t, web: s, set: s.settings(t, file), store: kvtest.NewMemory(), dir: t.TempDir(), status: status.Folder(t.TempDir()),
	}
	if err := os.Mkdir(g.status.Home(g.set.Name), 0o755); err != nil {
		t.Fatal(err)
	}
	return g
}

func (g *following) want(what string, got, want []string) {
	g.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		g.t.Errorf("%s (-want +got)\n%s", what, diff)
	}
}

// The first time all that a feed shows is captured with the feed, later what is new alone, and nothing if nothing is.
func TestAFeedIsFollowed(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.feed("/feed", "one", "two")
	s.html("/one", "First.")
	s.html("/two", "Second.")
	s.html("/three", "Third.")
	g := newFollowing(t, s, oneFeed)
	g.once()
	g.want("asked", s.requests(), []string{"GET /feed", "GET /one", "GET /two"})
	g.want("written", g.captures(), []string{"response /feed", "response /one", "response /two"})
	if g.once(); len(s.requests()) != 0 {
		t.Error("a source is asked before its time")
	}
	s.pass(25 * time.Hour)
	g.once()
	g.want("asked again", s.requests(), []string{"GET /feed"})
	g.want("written, nothing", g.captures(), []string{"response /feed", "response /one", "response /two"})
	s.feed("/feed", "three", "one", "two")
	s.pass(25 * time.Hour)
	st := g.once()
	g.want("asked for what is new", s.requests(), []string{"GET /feed", "GET /three"})
	g.want("written", g.captures(), []string{"response /feed", "response /feed", "response /one", "response /three", "response /two"})
	if st.New != 3 || st.Changed != 0 || st.Polls != 3 || st.Useful != 2 || st.Sources[0].Entries != 3 || st.Waiting != 0 {
		t.Errorf("%+v", st)
	}
	if of := g.once().Sources[0]; of.Polls != 3 || of.Useful != 2 || of.Captured != 3 { // as the next process knows them
		t.Errorf("of the source: %+v", of)
	}
}

// An entry is changed when its page's content is: not when the feed says so, and not when bytes differ.
func TestAChangeIsOneOfTheContent(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	page := func(text, nav string) {
		s.serve("/one", "text/html", "<!doctype html><title>One</title><nav><a href=/>"+nav+"</a></nav><main><p>"+text+
			" This is the text of a page, long enough that nobody takes it for an empty shell of one.</p></main>")
	}
	s.feed("/feed", "one=a")
	page("First.", "home")
	g := newFollowing(t, s, oneFeed)
	g.once()
	first := []string{"response /feed", "response /one"}
	g.want("at first", g.captures(), first)
	for _, tt := range []struct {
		what, feed, text, nav string
		asked                 int
		more                  []string
	}{
		{"the feed says it changed, and it did not", "one=b", "First.", "home", 2, []string{"response /feed"}},
		{"its furniture changed", "one=c", "First.", "start", 2, []string{"response /feed"}},
		{"its content changed", "one=d", "Another text.", "start", 2, []string{"response /feed", "response /one"}},
	} {
		s.requests()
		s.feed("/feed", tt.feed)
		page(tt.text, tt.nav)
		s.pass(25 * time.Hour)
		g.once()
		first = append(first, tt.more...)
		slices.Sort(first)
		g.want(tt.what, g.captures(), first)
		if n := len(s.requests()); n != tt.asked {
			t.Errorf("%s: %d requests", tt.what, n)
		}
	}
}

// The page of an entry that its feed calls changed each time, and is not, is visited less and less, until it is changed.
func TestAFeedThatCallsEverythingNew(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.html("/one", "First.")
	g := newFollowing(t, s, "policy: fixed\nsources:\n  - {feed: HOST/feed, every: 10m}\n")
	var got []int
	for n := range 24 {
		if n == 15 {
			s.html("/one", "Another text.")
		}
		s.feed("/feed", fmt.Sprintf("one=%d", n))
		g.once()
		if slices.Contains(s.requests(), "GET /one") {
			got = append(got, n)
		}
		s.pass(10 * time.Minute)
	}
	// At first, and at the next poll; after an hour, when it is the same, and after two, when it has changed; then at the next poll again.
	if want := []int{0, 1, 7, 19, 20}; !slices.Equal(got, want) {
		t.Errorf("it is visited at polls %v, want %v", got, want)
	}
}

// The same holds for a list whose times are always those of the request, as those of many sitemaps are.
func TestAListThatCallsEverythingNew(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ source, contentType, text string }{
		"a sitemap": {"", "text/xml", "<urlset><url><loc>HOST/one</loc><lastmod>%s</lastmod></url></urlset>"},
		"a page":    {", each: li, time: time", "text/html", "<li><a href=/one>One</a> <time>%s</time></li>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newWeb(t)
			s.html("/one", "First.")
			g := newFollowing(t, s, "policy: fixed\nsources:\n  - {list: HOST/list"+tt.source+", every: 10m}\n")
			var got []int
			for n := range 24 {
				s.serve("/list", tt.contentType, fmt.Sprintf(tt.text, time.Date(2024, 5, 1, 10, 10*n, 0, 0, time.UTC).Format(time.RFC3339)))
				g.once()
				if slices.Contains(s.requests(), "GET /one") {
					got = append(got, n)
				}
				s.pass(10 * time.Minute)
			}
			if want := []int{0, 1, 7, 19}; !slices.Equal(got, want) {
				t.Errorf("it is visited at polls %v, want %v", got, want)
			}
		})
	}
}

// A change that came too soon after a visit is not forgotten, though its feed stays as it is.
func TestAChangeThatHasToWait(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.html("/one", "First.")
	g := newFollowing(t, s, "policy: fixed\nsources:\n  - {feed: HOST/feed, every: 10m}\n")
	for _, says := range []string{"one=a", "one=b"} {
		s.feed("/feed", says)
		g.once()
		s.pass(10 * time.Minute)
	}
	s.feed("/feed", "one=c")
	s.html("/one", "Another text.")
	s.requests()
	visits := 0
	for range 12 {
		g.once()
		if slices.Contains(s.requests(), "GET /one") {
			visits++
		}
		s.pass(10 * time.Minute)
	}
	if visits != 1 {
		t.Errorf("it is visited %d times, want once", visits)
	}
	g.want("captured", g.captures(), []string{"response /feed", "response /feed", "response /feed", "response /one", "response /one"})
}

// What comes again byte for byte is a revisit.
func TestWhatIsSentAgainIsARevisit(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.answer("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>News</title><p>Without an ETag, the server sends all of it each time that somebody asks.")
	})
	g := newFollowing(t, s, "sources:\n  - {page: HOST/page}\n")
	g.once()
	s.pass(25 * time.Hour)
	st := g.once()
	g.want("written", g.captures(), []string{"response /page", "revisit /page"})
	if st.New != 1 || st.Useful != 1 || st.Polls != 2 {
		t.Errorf("%+v", st)
	}
}

// A page comes with its parts, redirects with where they lead, comments and enclosures where they are asked for.
func TestWhatBelongsToAnEntry(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.serve("/feed", "application/rss+xml", `<rss version="2.0"><channel><item><guid>1</guid><link>HOST/go</link><comments>HOST/talk</comments>
		<enclosure url="HOST/a.mp3" type="audio/mpeg"/></item>
		<item><title>It has no page.</title></item></channel></rss>`)
	s.answer("/go", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/one", http.StatusFound) })
	s.html("/one", `First. <img src="/i.png"><link rel=stylesheet href=/s.css><a href=/elsewhere>x</a><script type=module src=/0.js></script>`)
	for i := range 6 {
		s.serve(fmt.Sprintf("/%d.js", i), "text/javascript", fmt.Sprintf(`import "./%d.js"`, min(i+1, 5)))
	}
	s.serve("/s.css", "text/css", `@import "t.css"; p { background: url(b.png) }`)
	s.serve("/t.css", "text/css", `@import "s.css";`)
	s.serve("/i.png", "image/png", "i")
	s.serve("/b.png", "image/png", "b")
	s.serve("/talk", "application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x.js"/></head>`+
		`<body><p>Talk.</p><img src="x.png"/></body></html>`)
	s.serve("/x.js", "text/javascript", "import('./y.js')")
	s.serve("/y.js", "text/javascript", "y")
	s.serve("/x.png", "image/png", "x.png")
	s.serve("/a.mp3", "audio/mpeg", "sound")
	g := newFollowing(t, s, "sources:\n  - {feed: HOST/feed, comments: true, enclosures: true}\n")
	if st := g.once(); st.Waiting != 0 || st.Sources[0].Entries != 2 {
		t.Errorf("%+v", st)
	}
	g.want("written", g.captures(), []string{
		"response /0.js", "response /1.js", "response /2.js", "response /3.js", "response /4.js",
		"response /a.mp3", "response /b.png", "response /feed", "response /go", "response /i.png", "response /one", "response /s.css",
		"response /t.css",
		"response /talk", "response /x.js", "response /x.png", "response /y.js", "revisit /5.js",
	})
	bare := newFollowing(t, s, "sources:\n  - {feed: HOST/feed, entries: false}\n")
	bare.once()
	bare.want("without entries", bare.captures(), []string{"response /feed"})
}

// Whenever the store fails or a process ends, no entry is lost and none is written twice.
func TestNothingIsLostOrRepeated(t *testing.T) {
	t.Parallel()
	entries := []string{"one", "two", "three", "moved"}
	for step := 1; ; step++ {
		s := newWeb(t)
		s.feed("/feed", entries...)
		for _, e := range entries[:3] {
			s.html("/"+e, e)
		}
		s.answer("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/there", http.StatusFound) })
		s.html("/there", "There.")
		g := newFollowing(t, s, oneFeed)
		memory := g.store
		faulty := kvtest.NewFaulty(memory)
		g.store = faulty
		f := g.open()
		faulty.FailAt(step)
		_, err := f.Once(t.Context())
		if left := f.Leave(); left != nil {
			t.Fatal(left)
		}
		if len(faulty.Steps()) < step { // all went well
			if err != nil || step < 20 {
				t.Errorf("%d steps, %v", step, err)
			}
			return
		}
		faulty.FailAt(step)
		if f, err := follow.New(t.Context(), follow.Config{Settings: g.set, Store: faulty, Dir: g.dir, Now: s.clock}); err == nil {
			if f == nil {
				t.Fatalf("failed at step %d: nobody follows", step)
			}
			_ = f.Leave()
		}
		g.store = memory
		s.pass(25 * time.Hour)
		g.once()
		written := g.captures()
		for _, want := range []string{"/one", "/two", "/three", "/there"} {
			n := 0
			for _, c := range written {
				if _, path, _ := strings.Cut(c, " "); path == want {
					n++
				}
			}
			if n != 1 {
				t.Errorf("failed at step %d: %s is there %d times: %v", step, want, n, written)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// A source that fails is asked later and later, or when it says; another is not kept waiting.
func TestFailuresBackOff(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.feed("/good", "one")
	s.html("/one", "First.")
	s.answer("/busy", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7200")
		http.Error(w, "later", http.StatusServiceUnavailable)
	})
	s.answer("/gone", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "gone", http.StatusGone) })
	s.answer("/bad", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<rss><channel><item>") })
	g := newFollowing(t, s, "sources:\n  - {feed: HOST/bad}\n  - {feed: HOST/gone}\n  - {feed: HOST/good}\n  - {page: HOST/busy}\n")
	f := g.open()
	problems, err := f.Once(t.Context())
	if err != nil || problems != 3 {
		t.Errorf("%d problems, %v", problems, err)
	}
	st := f.Status()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		problem string
		least   time.Duration
	}{{"as RSS", 5 * time.Minute}, {"410", 7 * 24 * time.Hour}, {"", 0}, {"503", 2 * time.Hour}} {
		src := st.Sources[i]
		wait := src.Next.Sub(s.clock())
		if want.problem == "" != (src.Problem == "") || !strings.Contains(src.Problem, want.problem) && want.problem != "as RSS" ||
			wait < want.least {
			t.Errorf("%s: %q, next in %s", src.URL, src.Problem, wait)
		}
	}
}

// The budget of a day ends all requests; what was not asked comes on the next.
func TestBudget(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.feed("/feed", "one", "two", "three")
	for _, e := range []string{"one", "two", "three"} {
		s.html("/"+e, e)
	}
	g := newFollowing(t, s, "budget: 3\n"+oneFeed) // robots.txt, the feed, one page
	st := g.once()
	if len(g.captures()) != 2 || st.Waiting != 2 || st.Today.Requests != 3 {
		t.Errorf("%v, %+v", g.captures(), st)
	}
	s.pass(24 * time.Hour)
	if st = g.once(); st.Waiting > 1 {
		t.Errorf("%+v", st)
	}
	s.pass(24 * time.Hour)
	st = g.once()
	g.want("in the end", g.captures(), []string{"response /feed", "response /one", "response /three", "response /two"})
	if st.Waiting != 0 {
		t.Errorf("%+v", st)
	}
	g = newFollowing(t, s, "budget_bytes: 10B\n"+oneFeed)
	if st := g.once(); st.Today.Requests != 1 {
		t.Errorf("%+v", st.Today)
	}
}

// What robots.txt forbids is not asked for.
func TestRobots(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.serve("/robots.txt", "text/plain", "User-agent: varve\nDisallow: /two\nDisallow: /closed\n")
	s.feed("/feed", "one", "two")
	s.html("/one", "First.")
	s.html("/two", "Second.")
	g := newFollowing(t, s, oneFeed+"  - {page: HOST/closed}\n")
	st := g.once()
	g.want("asked", s.requests(), []string{"GET /feed", "GET /one"})
	if st.Refused != 2 || st.Waiting != 0 || !strings.Contains(st.Sources[1].Problem, "robots.txt") {
		t.Errorf("%+v", st)
	}
}

// A page has so many parts, with those of its parts, and no more; what lies outside of the web is none of them.
func TestHowManyPartsAPageHas(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.feed("/feed", "page")
	images := `<img src="ftp://a.example/a.png">`
	for i := range 298 {
		images += fmt.Sprintf("<img src=/%d.png>", i)
	}
	s.serve("/page", "text/html", "<!doctype html><link rel=stylesheet href=/a.css>"+images)
	s.serve("/a.css", "text/css", "a { background: url(/a.png) } b { background: url(/b.png) }")
	newFollowing(t, s, oneFeed).once()
	asked := s.requests()
	if n := len(asked) - 2; n != 300 || !slices.Contains(asked, "GET /a.png") || slices.Contains(asked, "GET /b.png") {
		t.Errorf("%d parts", n)
	}
}

// An address in an answer that is no redirect leads nowhere, and parts of parts are captured to a depth of three.
func TestWhatLeadsElsewhere(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.feed("/feed", "missing", "bad", "made", "choices", "styled")
	for path, status := range map[string]int{
		"/missing": http.StatusNotFound, "/bad": http.StatusBadRequest, "/made": http.StatusCreated, "/choices": http.StatusMultipleChoices,
	} {
		s.answer(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere/"+path[1:])
			w.WriteHeader(status)
		})
	}
	s.serve("/styled", "text/html", `<!doctype html><link rel=stylesheet href=/1.css><p>Some text.`)
	for i := range 5 {
		s.serve(fmt.Sprintf("/%d.css", i), "text/css", fmt.Sprintf(`@import "/%d.css";`, i+1))
	}
	g := newFollowing(t, s, "sources:\n  - {feed: HOST/feed}\n")
	g.once()
	g.want("asked", s.requests(), []string{
		"GET /1.css", "GET /2.css", "GET /3.css", "GET /bad", "GET /choices", "GET /elsewhere/choices", "GET /feed", "GET /made", "GET /missing",
		"GET /styled",
	})
}

// Some sites send who has no cookie in circles.
func TestRedirectsThatSetCookies(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.html("/in", "There.")
	s.answer("/set", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "visit", Value: "7", Path: "/"})
		http.Redirect(w, r, r.URL.RawQuery, http.StatusFound)
	})
	for path, text := range map[string]string{
		"/feed": `<rss version="2.0"><channel><item><link>/page</link></item></channel></rss>`,
		"/page": "<!doctype html><title>x</title><p>Some text.",
	} {
		s.answer(path, func(w http.ResponseWriter, r *http.Request) {
			if _, err := r.Cookie("visit"); err != nil {
				http.Redirect(w, r, "/set?"+path, http.StatusFound)
				return
			}
			fmt.Fprint(w, text)
		})
	}
	g := newFollowing(t, s, oneFeed)
	g.once()
	g.want("asked", s.requests(), []string{"GET /feed", "GET /feed", "GET /page", "GET /page", "GET /set?/feed", "GET /set?/page"})
	if got := g.captures(); len(got) != 6 {
		t.Errorf("written: %v", got)
	}
}
