package follow

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/crawl/browser"
	"github.com/varve-archive/varve/gather/follow/feed"
	"github.com/varve-archive/varve/gather/follow/policy"
	"github.com/varve-archive/varve/gather/follow/push"
	"github.com/varve-archive/varve/gather/follow/status"
	"github.com/varve-archive/varve/gather/politeness"
	"github.com/varve-archive/varve/internal/strict"
)

var now = time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC) // a Wednesday

// followingOf returns the state of one who follows n sources, at now.
func followingOf(n int, set Settings) *web {
	return &web{state: &state{
		set: &set, store: kvtest.NewMemory(), log: slog.New(slog.DiscardHandler), now: func() time.Time { return now },
		woken: make(chan struct{}, 1), queued: map[string]bool{}, resting: map[string]time.Time{}, sources: make([]*source, n),
	}}
}

// When a source is asked again is up to the policy, what it says of itself, and how long it had nothing.
func TestWhenASourceIsAskedAgain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		policy policy.Rule
		kind   string
		own    time.Duration // interval of its own
		m      memory
		isNew  bool
		want   time.Duration
	}{
		{"fixed", policy.Fixed, kindFeed, 0, memory{Entries: 1}, false, 2 * time.Hour},
		{"it stays for long", policy.Fixed, kindFeed, 0, memory{Entries: 1, Hints: feed.Hints{TTL: 5 * time.Hour}}, false, 5 * time.Hour},
		{"it stays for a moment", policy.Fixed, kindFeed, 0, memory{Entries: 1, Hints: feed.Hints{TTL: time.Hour}}, false, 2 * time.Hour},
		{"of its own", policy.Fixed, kindFeed, time.Hour, memory{Entries: 1, Hints: feed.Hints{TTL: 5 * time.Hour}}, false, time.Hour},
		{"skips", policy.Fixed, kindFeed, 0, memory{Entries: 1, Hints: feed.Hints{SkipHours: [24]bool{12: true}}}, false, 3 * time.Hour},
		{"empty for a fortnight", policy.Fixed, kindFeed, 0, memory{First: now.Add(-14 * 24 * time.Hour)}, false, 2 * time.Hour},
		{"empty for longer", policy.Fixed, kindFeed, 0, memory{First: now.Add(-14*24*time.Hour - 1)}, false, 7 * 24 * time.Hour},
		{"a page as it was", policy.Fixed, kindPage, 0, memory{First: now.Add(-14*24*time.Hour - 1)}, false, 2 * time.Hour},
		{"a hub tells", policy.Fixed, kindFeed, 0, memory{Entries: 1, Push: push.State{Until: now.Add(24 * time.Hour)}}, false, 12 * time.Hour},
		{"… till then", policy.Fixed, kindFeed, 0, memory{Entries: 1, Push: push.State{Until: now.Add(6 * time.Hour)}}, false, 6 * time.Hour},
		{"news", policy.Halving, kindFeed, 0, memory{Entries: 1, Step: 8 * time.Hour}, true, 4 * time.Hour},
		{"no news", policy.Halving, kindFeed, 0, memory{Entries: 1, Step: 8 * time.Hour}, false, 8*time.Hour + 2*time.Minute},
		{"first news", policy.Halving, kindFeed, 0, memory{Entries: 1}, true, time.Hour},
	} {
		f := &poller{followingOf(1, Settings{Policy: tt.policy, Every: 2 * time.Hour})}
		s := &source{kind: tt.kind, set: Source{Every: tt.own}, memory: tt.m}
		if f.schedule(s, tt.isNew); s.Next.Sub(now) != tt.want {
			t.Errorf("%s: in %s, want %s", tt.name, s.Next.Sub(now), tt.want)
		}
	}
	for _, tt := range []struct {
		failed int
		asked  time.Duration
		want   time.Duration
	}{
		{0, 0, 5 * time.Minute},
		{0, 2 * time.Hour, 2 * time.Hour},
		{3, 0, 40 * time.Minute},
		{3, time.Minute, 40 * time.Minute},
		{90, 0, min(5*1024*time.Minute, policy.Most)},
		{0, 90 * 24 * time.Hour, 7 * 24 * time.Hour},
	} {
		f, s := &poller{followingOf(1, Settings{})}, &source{memory: memory{Failed: tt.failed}}
		if f.backOff(s, tt.asked); s.Next.Sub(now) != tt.want || s.Failed != tt.failed+1 {
			t.Errorf("failure %d, asked for %s: in %s, want %s", s.Failed, tt.asked, s.Next.Sub(now), tt.want)
		}
	}
}

// What is due is done if its host is free, sources first, of these the one that has waited longest. Else there is a wait.
func TestWhatIsDoneNext(t *testing.T) {
	t.Parallel()
	at := func(url string, next time.Duration) *source {
		return &source{kind: kindFeed, url: url, memory: memory{Next: now.Add(next)}}
	}
	aside, busy := at("http://a.example/", -time.Hour), at("http://a.example/", -time.Hour)
	aside.Aside, busy.busy = "it floods", true
	page := func(url string, after time.Duration) []*visit { return []*visit{{URL: url, After: now.Add(after)}} }
	for _, tt := range []struct {
		name     string
		sources  []*source
		queue    []*visit
		resting  time.Duration // of a.example
		busyAt   string
		picked   int // the source, from 1
		wantHost string
		wait     time.Duration
		idle     bool
	}{
		{name: "nothing", wait: maxNap, idle: true},
		{name: "what is set aside or done already", sources: []*source{aside, busy}, wait: maxNap, idle: true},
		{name: "a source that is not due", sources: []*source{at("http://a.example/", 300*time.Millisecond)}, wait: maxNap, idle: true},
		{name: "a source that is due", sources: []*source{at("http://a.example/", 0)}, picked: 1, wantHost: "a.example"},
		{
			name: "the longest due", sources: []*source{at("http://a.example/", -1), at("http://b.example/", -3), at("http://c.example/", -2)},
			picked: 2, wantHost: "b.example",
		},
		{name: "a page", queue: page("http://a.example/", 0), wantHost: "a.example"},
		{name: "a page later", queue: page("http://a.example/", 200*time.Millisecond), wait: 200 * time.Millisecond, idle: true},
		{
			name: "a source before a page", sources: []*source{at("http://a.example/", 0)}, queue: page("http://b.example/", -time.Hour),
			picked: 1, wantHost: "a.example",
		},
		{
			name: "a host that rests", sources: []*source{at("http://a.example/", 0)}, queue: page("http://a.example/", 0),
			resting: 400 * time.Millisecond, wait: 400 * time.Millisecond, idle: true,
		},
		{name: "a host that is asked", sources: []*source{at("http://a.example/", 0)}, busyAt: "a.example", wait: maxNap},
		{name: "another host is asked", queue: page("http://a.example/", 0), busyAt: "b.example", wantHost: "a.example"},
		{name: "nothing while another is asked", busyAt: "b.example", wait: maxNap},
	} {
		w := followingOf(0, Settings{PerHost: 1})
		w.busy, w.sources, w.queue = map[string]int{}, tt.sources, tt.queue
		if tt.resting > 0 {
			w.resting["a.example"] = now.Add(tt.resting)
		}
		if tt.busyAt != "" {
			w.busy[tt.busyAt] = 1
		}
		f := &Follower{web: w, poller: &poller{w}, visitor: &visitor{w}}
		got, wait, idle := f.pick(now)
		host := ""
		if got != nil {
			host = got.host
		}
		if host != tt.wantHost || wait != tt.wait || idle != tt.idle || host != "" && f.busy[host] != 1 ||
			tt.picked > 0 && !tt.sources[tt.picked-1].busy {
			t.Errorf("%s: %q, in %s, idle: %t", tt.name, host, wait, idle)
		}
		if host != "" && tt.picked == 0 && len(f.queue) > 0 {
			t.Errorf("%s: it stays in the queue", tt.name)
		}
	}
}

// A budget is for a day, and for requests as for bytes; sources get what visits of pages leave of it.
func TestBudgets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name            string
		budget, bytes   int64
		polls, requests int64
		of              int64 // bytes of all requests
		want            float64
	}{
		{"none", 0, 0, 0, 0, 0, 12 * 4},
		{"none yet asked", 100, 0, 0, 0, 0, 50},
		{"all were polls", 100, 0, 980, 980, 0, 99},
		{"few were", 100, 0, 0, 980, 0, 1},
		{"of bytes", 0, 1000, 10, 20, 2000, 5},
		{"of many bytes", 0, 100_000, 10, 20, 2000, 12 * 4},
		{"of answers without a byte", 0, 10, 10, 20, 0, 5},
		{"of both", 6, 1000, 10, 20, 2000, 3},
		{"of next to nothing", 1, 0, 0, 980, 0, 1},
	} {
		f := followingOf(12, Settings{Every: 6 * time.Hour, Budget: tt.budget, BudgetBytes: strict.Size(tt.bytes)})
		f.totals.Totals = status.Totals{Polls: tt.polls, Requests: tt.requests, Bytes: tt.of}
		if got := f.allow().PerDay; got != tt.want {
			t.Errorf("%s: %v a day, want %v", tt.name, got, tt.want)
		}
	}
	for _, tt := range []struct {
		set  Settings
		day  string
		want bool
	}{
		{Settings{}, "2024-05-01", false},
		{Settings{Budget: 3}, "2024-05-01", true},
		{Settings{Budget: 3}, "2024-04-30", false},
		{Settings{Budget: 4}, "2024-05-01", false},
		{Settings{BudgetBytes: 70}, "2024-05-01", true},
		{Settings{BudgetBytes: 71}, "2024-05-01", false},
	} {
		f := followingOf(1, tt.set)
		f.totals.Day, f.totals.Today = tt.day, status.Usage{Requests: 3, Bytes: 70}
		if got := f.spent(); got != tt.want || f.untilTomorrow() != 14*time.Hour {
			t.Errorf("%+v of %s: %t", tt.set, tt.day, got)
		}
	}
}

// A source for which nothing is left of the budget was not asked: it stays due, and that is no failure of it.
func TestSourcesAfterTheBudget(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{kindFeed, kindPage} {
		f := &poller{followingOf(1, Settings{Budget: 1})}
		f.totals.Day, f.totals.Today = "2024-05-01", status.Usage{Requests: 1}
		s := &source{kind: kind, url: "http://a.example/"}
		f.poll(t.Context(), s)
		if s.Polls+f.totals.Polls != 0 || f.problems+s.Failed != 0 || s.Problem != "" || s.Next != (time.Time{}) || s.Asked != (time.Time{}) {
			t.Errorf("%s: %+v, %+v", kind, s.memory, f.totals)
		}
		f.totals.Allowance.PerDay = 10
		if f.polled(t.Context(), s, nil); s.Polls != 1 || f.totals.Polls != 1 || f.totals.Allowance.Credit != -1 {
			t.Errorf("%s, once it was asked: %+v, %+v", kind, s.memory, f.totals)
		}
	}
}

// A poll that brings nothing new is of no use. Of entries without a datetime, or with one to come, it isn't known when they came.
func TestWhatAPollIsGoodFor(t *testing.T) {
	t.Parallel()
	past, future := now.Add(-time.Hour), now.Add(time.Hour)
	for _, tt := range []struct {
		name    string
		entries []feed.Entry
		useful  int64
		unsaid  bool
		events  int
	}{
		{"nothing", nil, 0, false, 0},
		{"an hour ago", []feed.Entry{{ID: "a", Published: past}}, 1, false, 1},
		{"no datetime", []feed.Entry{{ID: "a"}}, 1, true, 0},
		{"in the future", []feed.Entry{{ID: "a", Published: future}}, 1, true, 0},
		{"some of each", []feed.Entry{{ID: "a", Published: past}, {ID: "b"}, {ID: "c", Published: past}}, 1, true, 2},
	} {
		f := &poller{followingOf(1, Settings{Every: time.Hour})}
		s := &source{kind: kindFeed, url: "http://a.example/", memory: memory{Asked: now.Add(-2 * time.Hour)}}
		doc := &feed.Document{Title: "News", Entries: tt.entries}
		n, err := f.newIn(t.Context(), s, doc)
		if err != nil || n.unsaid != tt.unsaid || len(n.events) != tt.events || n.fresh != len(tt.entries) {
			t.Errorf("%s: %+v, %v", tt.name, n, err)
		}
		f.learn(s, doc, n, true)
		if s.Useful != tt.useful || f.totals.Useful != tt.useful || s.Entries != int64(len(tt.entries)) || s.Asked != now || s.Title != "News" ||
			s.News.Equal(now) != (tt.useful > 0) {
			t.Errorf("%s: %+v", tt.name, s.memory)
		}
	}
}

// Who tells of news is named in the head of an answer, or else in the document; a hub is better than a cloud.
func TestWhoTellsOfNews(t *testing.T) {
	t.Parallel()
	const public = "http://me.example/push"
	both := feed.Document{Hubs: []string{"http://hub.example/", "http://other.example/"}, Self: "self"}
	cloud := func(protocol string) feed.Document {
		return feed.Document{Cloud: &feed.Cloud{URL: "http://cloud.example/", Protocol: protocol}}
	}
	for _, tt := range []struct {
		name, public, link string
		doc                feed.Document
		want               string
	}{
		{"nobody can reach this", "", "", both, "  "},
		{"nobody", public, "", feed.Document{}, "  "},
		{"the document", public, "", both, "http://hub.example/ http://a.example/self "},
		{"the head", public, `</hub>; rel=hub, </top>; rel=self`, both, "http://a.example/hub http://a.example/top "},
		{"a hub in the head", public, `</hub>; rel=hub`, both, "http://a.example/hub http://a.example/self "},
		{"an address that is none", public, `</hub>; rel=hub, <ftp://x>; rel=self`, both, "http://a.example/hub http://a.example/feed "},
		{"a cloud", public, "", cloud("http-post"), " http://a.example/feed http://cloud.example/"},
		{"a cloud that speaks otherwise", public, "", cloud("xml-rpc"), "  "},
		{"a hub and a cloud", public, `</hub>; rel=hub`, cloud("http-post"), "http://a.example/hub http://a.example/feed "},
	} {
		f := &poller{followingOf(1, Settings{Push: Push{PublicURL: tt.public}})}
		s := &source{}
		e := &client.Exchange{URL: "http://a.example/feed", Header: http.Header{"Link": {tt.link}}}
		f.announce(s, &tt.doc, chain{e})
		if got := s.Push.Hub + " " + s.Push.Topic + " " + s.Push.Cloud; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Who knows that an address has moved for good follows only redirects that say so, up to the first that doesn't.
func TestWhatHasMovedForGood(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		statuses []int
		want     string
	}{
		{[]int{200}, ""}, {[]int{301, 200}, "/1"}, {[]int{308, 301, 200}, "/2"}, {[]int{301, 302, 200}, "/1"}, {[]int{302, 301, 200}, ""},
	} {
		var c chain
		for i, s := range tt.statuses {
			c = append(c, &client.Exchange{URL: fmt.Sprint("/", i), Status: s})
		}
		if got := c.permanent(); got != tt.want {
			t.Errorf("%v: %q", tt.statuses, got)
		}
	}
	passing := map[int]bool{200: false, 404: false, 407: false, 408: true, 409: false, 428: false, 429: true, 499: false, 500: true, 599: true}
	for s, want := range passing {
		if isPassing(s) != want || isRefusal(fmt.Errorf("x: %w", &statusError{status: s})) == want {
			t.Errorf("%d passes: %t", s, !want)
		}
	}
	for err, want := range map[error]bool{errRobots: true, client.ErrPrivate: true, errBudget: false, errors.New("x"): false} {
		if isRefusal(err) != want {
			t.Errorf("%v: %t", err, !want)
		}
	}
	both := http.Header{"If-None-Match": {"a"}, "If-Modified-Since": {"b"}}
	if diff := cmp.Diff(both, conditional("a", "b")); diff != "" || len(conditional("", "")) > 0 {
		t.Error(diff)
	}
}

// A page is another if it is elsewhere, has another status, or says something else; how its bytes differ is of no account.
func TestWhenAPageIsAnother(t *testing.T) {
	t.Parallel()
	html := func(text string) *view {
		return &view{text: []byte("<!doctype html><title>t</title><main><p>" + text + "</main>"), contentType: "text/html"}
	}
	data := func(text string) *view { return &view{text: []byte(text), contentType: "image/png"} }
	for _, tt := range []struct {
		name          string
		before, after *view
		status        int
		final         string
		want          outcome
		texts         int
	}{
		{"the same", html("one two three"), html("one two three"), 200, "/", same, 1},
		{"the same otherwise", html("one two three"), html("one <b>two</b> three"), 200, "/", same, 2},
		{"other words", html("one two three"), html("four five six"), 200, "/", changed, 2},
		{"an error", html("one two three"), html("one two three"), 404, "/", changed, 1},
		{"elsewhere", html("one two three"), html("one two three"), 200, "/a", changed, 1},
		{"other data", data("x"), data("y"), 200, "/", changed, 0},
		{"the same data", data("x"), data("x"), 200, "/", same, 0},
	} {
		was := page{Status: 200, Final: "/", Digest: digestOf(tt.before.text)}
		was.differs(tt.before)
		is := was
		is.Status, is.Final, is.Digest = tt.status, tt.final, digestOf(tt.after.text)
		if got := was.compare(&is, tt.after); got != tt.want || len(is.Texts) != tt.texts {
			t.Errorf("%s: %v with %d texts", tt.name, got, len(is.Texts))
		}
	}
	var p page
	for i := range 9 {
		p.differs(html(fmt.Sprint("version ", i)))
	}
	if len(p.Texts) != 6 {
		t.Errorf("%d texts are kept", len(p.Texts))
	}
	if !p.differs(&view{contentType: "text/css"}) || p.Texts != nil {
		t.Error("a page that has become something else")
	}
}

// A visit that failed is made again later, a few times; a host that wants to be left alone costs no try.
func TestVisitsThatFail(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err   error
		tries int
		after time.Duration // 0 if it is given up
	}{
		{errors.New("x"), 0, 10 * time.Minute},
		{errors.New("x"), 4, 160 * time.Minute},
		{errors.New("x"), 5, 0},
		{&statusError{503, time.Minute}, 0, 10 * time.Minute},
		{&statusError{503, time.Hour}, 0, time.Hour},
		{&restError{"a.example", 3 * time.Minute}, 0, 3 * time.Minute},
		{&restError{"a.example", 3 * time.Minute}, 5, 3 * time.Minute},
	} {
		f := &visitor{followingOf(0, Settings{})}
		v := &visit{Key: []byte("q1"), URL: "http://a.example/", Tries: tt.tries}
		f.queued["q1"] = true
		f.resting["old.example"] = now.Add(-1)
		f.later(t.Context(), v, tt.err)
		_, rests := errors.AsType[*restError](tt.err)
		want := map[bool]int{true: tt.tries, false: tt.tries + 1}[rests]
		if lost := tt.after == 0; v.Tries != want || f.totals.Lost != map[bool]int64{true: 1}[lost] || f.queued["q1"] == lost ||
			!lost && (v.After.Sub(now) != tt.after || len(f.queue) != 1) || lost && len(f.queue) > 0 || f.problems != int(f.totals.Lost) {
			t.Errorf("%v, tried %d times: %+v, %+v", tt.err, tt.tries, v, f.totals)
		}
		if got := map[string]time.Time{"a.example": now.Add(3 * time.Minute)}; rests && !cmp.Equal(f.resting, got) {
			t.Errorf("resting are %v", f.resting)
		}
	}
}

// What is put back into the queue is where it was, by when it was found.
func TestVisitsComeBackInOrder(t *testing.T) {
	t.Parallel()
	for found, want := range map[int]string{0: "0 1 3 5", 2: "1 2 3 5", 4: "1 3 4 5", 6: "1 3 5 6"} {
		f := followingOf(0, Settings{})
		at := func(n int) *visit { return &visit{URL: fmt.Sprint(n), Found: now.Add(time.Duration(n))} }
		f.queue = []*visit{at(1), at(3), at(5)}
		f.back(at(found))
		var got []string
		for _, v := range f.queue {
			got = append(got, v.URL)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%d comes back: %v, want %s", found, got, want)
		}
	}
}

// The next process has the queue in the order of discovery too, which is not that of the keys in the store.
func TestTheQueueIsLoadedInOrder(t *testing.T) {
	t.Parallel()
	f := followingOf(0, Settings{})
	for n, k := range []string{"c", "a", "d", "b"} {
		v := &visit{Key: key(keyVisit, k), URL: fmt.Sprint(n), Found: now.Add(time.Duration(n) * time.Minute)}
		if err := f.put(t.Context(), v.Key, v); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.load(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, v := range f.queue {
		got += v.URL
	}
	if got != "0123" {
		t.Errorf("the queue is %s, want 0123", got)
	}
}

// Entries are alike by the words that neighbours share; one alone is like nothing.
func TestLikenessOfEntries(t *testing.T) {
	t.Parallel()
	one := feed.Entry{Title: "Cheap watches today", Text: "Buy the cheapest watches of the whole town here and now."}
	other := feed.Entry{Title: "The ferry", Text: "It crosses the river each hour until the ice comes."}
	for _, tt := range []struct {
		name     string
		of       []feed.Entry
		from, to float64
	}{
		{"none", nil, 0, 0},
		{"one", []feed.Entry{one}, 0, 0},
		{"two equal ones", []feed.Entry{one, one}, 1, 1},
		{"two others", []feed.Entry{one, other}, 0, 0.1},
		{"two equal ones and another", []feed.Entry{one, one, other}, 0.5, 0.6},
		{"many equal ones, and others far behind", append(slices.Repeat([]feed.Entry{one}, comparedEntries), other), 1, 1},
	} {
		if got := likenessOf(tt.of); got < tt.from || got > tt.to {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// A tab shows one page and what that needs; it leads nowhere, sends nothing, and what it hasn't announced it doesn't get.
func TestWhatATabMayAskFor(t *testing.T) {
	t.Parallel()
	s := &showing{asked: map[string]bool{}}
	for _, tt := range []struct {
		name string
		of   browser.Request
		want bool
	}{
		{"the page", browser.Request{URL: "page", Method: "GET", Navigation: true, First: true}, true},
		{"a part", browser.Request{URL: "part", Method: "GET"}, true},
		{"another page", browser.Request{URL: "next", Method: "GET", Navigation: true}, false},
		{"where a part leads", browser.Request{URL: "there", Method: "GET", Redirect: true}, false},
		{"a form", browser.Request{URL: "form", Method: "POST"}, false},
		{"a long address", browser.Request{URL: strings.Repeat("a", browser.LongestAddress+1), Method: "GET"}, false},
	} {
		if got := s.allow(t.Context(), tt.of); got != tt.want || s.takes(tt.of.URL) != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
	for i := range maxParts {
		s.allow(t.Context(), browser.Request{URL: fmt.Sprint(i), Method: "GET"})
	}
	if len(s.asked) != maxParts+1 {
		t.Errorf("%d requests of a page", len(s.asked))
	}
}

// A tab gets its page as it was served, without codings. A page that opens a WebSocket at its own address, or sends something there, gets
// no answer and can't keep the follower waiting for one.
func TestWhatAPageGetsAtItsOwnAddress(t *testing.T) {
	t.Parallel()
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/plain")
		zipped := gzip.NewWriter(w)
		fmt.Fprint(zipped, "It is alive.")
		_ = zipped.Close()
	}))
	t.Cleanup(live.Close)
	page, err := client.New(client.Config{AllowPrivate: true}).Get(t.Context(), live.URL+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = page.Close() })
	s := &showing{page: page, asked: map[string]bool{page.URL: true}}
	w := &window{shown: map[*showing]bool{s: true}}
	for _, tt := range []struct{ method, uri, upgrade, want string }{
		{http.MethodGet, page.URL, "", `200 "It is alive." map[Content-Type:[text/plain]]`},
		{http.MethodGet, page.URL, "websocket", "403"},
		{http.MethodPost, page.URL, "", "403"},
		{http.MethodGet, page.URL + "elsewhere", "", "403"},
	} {
		req := httptest.NewRequestWithContext(t.Context(), tt.method, tt.uri, nil)
		req.Header.Set("Upgrade", tt.upgrade)
		out := httptest.NewRecorder()
		w.ServeHTTP(out, req)
		out.Header().Del("Date")
		if got := fmt.Sprintf("%d %q %v", out.Code, out.Body, out.Header()); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s %s %s: %s, want %s", tt.method, tt.uri, tt.upgrade, got, tt.want)
		}
		done := make(chan struct{})
		go func() { s.flying.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s %s %s: the page still waits for an answer", tt.method, tt.uri, tt.upgrade)
		}
	}
}

// A cancelled writer cancels when something is written.
type cancelled struct {
	*httptest.ResponseRecorder
	cancel context.CancelFunc
}

func (w cancelled) Write(b []byte) (int, error) {
	w.cancel()
	return w.ResponseRecorder.Write(b)
}

// A tab that doesn't get a part is told why, unless it has the beginning of an answer: then nothing is added to that. A page that lacks
// parts because the budget is spent is shown again another day.
func TestPartsThatFailInATab(t *testing.T) {
	t.Parallel()
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "half")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(live.Close)
	for _, tt := range []struct {
		name, uri, want string
		used            int64
	}{
		{"the budget is spent", live.URL, "502 varve follow: " + errBudget.Error() + "\n", 2},
		{"no server is there", "http://127.0.0.1:1/", "502 varve follow: ", 1},
		{"it is cut off", live.URL, "200 half", 1},
	} {
		f := followingOf(0, Settings{Budget: 2})
		f.totals.Day, f.totals.Today = "2024-05-01", status.Usage{Requests: tt.used}
		f.hosts, f.pages = politeness.New(politeness.Config{}), client.New(client.Config{AllowPrivate: true})
		ctx, cancel := context.WithCancel(t.Context())
		s, out := &showing{web: f, ctx: ctx}, httptest.NewRecorder()
		s.part(cancelled{out, cancel}, httptest.NewRequestWithContext(t.Context(), http.MethodGet, tt.uri, nil), tt.uri)
		got := fmt.Sprintf("%d %s", out.Code, out.Body)
		isSaid := got == tt.want || strings.HasSuffix(tt.want, ": ") && strings.HasPrefix(got, tt.want)
		if !isSaid || s.budget != (tt.used == 2) || len(s.parts) > 0 {
			t.Errorf("%s: %s, of the budget %t, parts %d", tt.name, got, s.budget, len(s.parts))
		}
		cancel()
		f.pages.Close()
	}
}
