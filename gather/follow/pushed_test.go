package follow_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/varve-archive/varve/gather/follow"
	"github.com/varve-archive/varve/gather/follow/status"
)

// A hub is one of WebSub on loopback, which may misbehave.
type hub struct {
	*httptest.Server
	mu       sync.Mutex
	forms    []url.Values // what it was asked for
	agents   []string     // who asked
	status   int          // of its answers, 0 for 202
	to       string       // where it redirects
	silent   bool         // it takes requests and does not verify them
	slow     bool         // it does not answer
	deny     bool
	lease    int // seconds, 0 for what was asked
	verified int // challenges that came back
}

func newHub(t *testing.T) *hub {
	t.Helper()
	h := &hub{}
	h.Server = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(h.Close)
	return h
}

func (h *hub) serve(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	h.mu.Lock()
	h.forms, h.agents = append(h.forms, r.PostForm), append(h.agents, r.UserAgent())
	answer, to, silent, slow, deny, lease := h.status, h.to, h.silent, h.slow, h.deny, h.lease
	h.mu.Unlock()
	if slow {
		<-r.Context().Done()
		return
	}
	if answer != 0 {
		w.Header().Set("Location", to)
		http.Error(w, "no", answer)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	if silent {
		return
	}
	q := url.Values{
		"hub.mode": {"subscribe"}, "hub.topic": r.PostForm["hub.topic"], "hub.challenge": {"abc"},
		"hub.lease_seconds": r.PostForm["hub.lease_seconds"],
	}
	if lease > 0 {
		q.Set("hub.lease_seconds", fmt.Sprint(lease))
	}
	if deny {
		q = url.Values{"hub.mode": {"denied"}, "hub.topic": r.PostForm["hub.topic"], "hub.reason": {"not for you"}}
	}
	go h.verify(r.PostForm.Get("hub.callback"), q)
}

func (h *hub) verify(callback string, q url.Values) {
	resp, err := http.Get(callback + "?" + q.Encode())
	if err != nil {
		return
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	h.mu.Lock()
	defer h.mu.Unlock()
	if resp.StatusCode == http.StatusOK && string(body) == "abc" {
		h.verified++
	}
}

func (h *hub) set(change func(*hub)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change(h)
}

// asked returns the last request for a subscription, nil if there was none, and how many there were.
func (h *hub) asked() (last url.Values, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.forms) == 0 {
		return nil, 0
	}
	return h.forms[len(h.forms)-1], len(h.forms)
}

// deliver sends something to a subscriber, signed with a secret, and returns the status of the answer.
func deliver(t *testing.T, callback, secret, body string) int {
	t.Helper()
	sum := hmac.New(sha256.New, []byte(secret))
	_, _ = sum.Write([]byte(body))
	req, err := http.NewRequest(http.MethodPost, callback, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/rss+xml")
	if secret != "" {
		req.Header.Set("X-Hub-Signature", "sha256="+hex.EncodeToString(sum.Sum(nil)))
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// A running follower can be reached by others.
type running struct {
	*following
	f    *follow.Follower
	base string
}

// start follows until the test ends.
func start(t *testing.T, s *web, file string) *running {
	t.Helper()
	var mu sync.Mutex
	var h http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		to := h
		mu.Unlock()
		to.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	r := &running{
		following: newFollowing(t, s, file+"push: {listen: '127.0.0.1:0', public_url: '"+server.URL+"/push/'}\n"),
		base:      server.URL + "/push",
	}
	r.f = r.open()
	mu.Lock()
	h = r.f.Handler()
	mu.Unlock()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.f.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := r.f.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// await waits until the status is as it should be.
func (r *running) await(what string, is func(status.Status) bool) status.Status {
	r.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if s := r.f.Status(); is(s) {
			return s
		}
	}
	r.t.Fatalf("%s does not come: %+v", what, r.f.Status())
	return status.Status{}
}

// pass lets time pass and has the follower see it.
func (r *running) pass(d time.Duration) {
	r.web.pass(d)
	r.f.Wake()
}

func withHub(s *web, hub string, entries ...string) (text string) {
	var b strings.Builder
	fmt.Fprintf(&b, `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>News</title><link>%s/</link>
		<atom:link rel="hub" href="%s"/><atom:link rel="self" href="%s/feed"/>`, s.URL, hub, s.URL)
	for _, e := range entries {
		fmt.Fprintf(&b, `<item><guid isPermaLink="false">%s</guid><title>%s</title><link>%s/%s</link></item>`, e, e, s.URL, e)
	}
	return b.String() + "</channel></rss>"
}

func pushedBy(s status.Status) bool { return strings.HasPrefix(s.Sources[0].Push, "pushed by") }

// A hub that behaves: its subscription is verified and renewed, what it delivers is taken in at once, whatever else is sent is not.
func TestWebSub(t *testing.T) {
	t.Parallel()
	s, h := newWeb(t), newHub(t)
	for _, e := range []string{"one", "two", "three", "forged"} {
		s.html("/"+e, e)
	}
	s.serve("/feed", "application/rss+xml", withHub(s, h.URL, "one"))
	r := start(t, s, oneFeed)
	r.await("the subscription", pushedBy)
	form, _ := h.asked()
	callback, secret := form.Get("hub.callback"), form.Get("hub.secret")
	if form.Get("hub.topic") != s.URL+"/feed" || !strings.HasPrefix(callback, r.base+"/websub/") || len(secret) < 40 {
		t.Errorf("%v", form)
	}
	h.mu.Lock()
	if agent := h.agents[0]; !strings.HasSuffix(agent, "varve-test") {
		t.Errorf("the hub is asked by %q", agent)
	}
	h.mu.Unlock()
	s.requests()
	two := withHub(s, h.URL, "two", "one")
	if got := deliver(t, callback, secret, two); got != http.StatusAccepted {
		t.Errorf("status %d", got)
	}
	r.await("what was delivered", func(s status.Status) bool { return s.New == 2 && s.Waiting == 0 })
	if asked := s.requests(); slices.Contains(asked, "GET /feed") {
		t.Errorf("the feed is asked within a minute: %v", asked)
	}
	for range 5 { // replayed
		deliver(t, callback, secret, two)
	}
	for what, signed := range map[string]string{"without a signature": "", "with that of another": "a guess"} {
		if got := deliver(t, callback, signed, withHub(s, h.URL, "forged")); got != http.StatusAccepted {
			t.Errorf("%s: status %d", what, got)
		}
	}
	if got := deliver(t, r.base+"/websub/NOBODY", secret, two); got != http.StatusGone {
		t.Errorf("to nobody: status %d", got)
	}
	st := r.await("what was refused", func(s status.Status) bool { return s.Forged == 3 })
	if st.New != 2 || st.Pushed != 6 {
		t.Errorf("%+v", st.Totals)
	}
	r.pass(2 * time.Minute) // the feed itself is captured too
	r.await("the feed", func(s status.Status) bool { return s.Polls == 2 })
	_, before := h.asked()
	r.pass(6*24*time.Hour + 13*time.Hour)
	r.await("the renewal", func(status.Status) bool { _, n := h.asked(); return n > before })
	r.await("the subscription again", func(s status.Status) bool { return pushedBy(s) && s.Sources[0].Polls >= 3 })
	// Nobody else can make or end a subscription.
	for _, tt := range []struct {
		at string
		q  url.Values
	}{
		{
			callback,
			url.Values{"hub.mode": {"subscribe"}, "hub.topic": {"http://other.example/"}, "hub.challenge": {"x"}, "hub.lease_seconds": {"60"}},
		},
		{callback, url.Values{"hub.mode": {"unsubscribe"}, "hub.topic": {s.URL + "/feed"}, "hub.challenge": {"x"}}},
		{
			r.base + "/websub/NOBODY",
			url.Values{"hub.mode": {"subscribe"}, "hub.topic": {s.URL + "/feed"}, "hub.challenge": {"x"}, "hub.lease_seconds": {"60"}},
		},
	} {
		resp, err := http.Get(tt.at + "?" + tt.q.Encode())
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s, %v: status %d", tt.at, tt.q, resp.StatusCode)
		}
	}
}

// The Link fields of an answer name the hub too, and a thin ping has the feed asked.
func TestHubInTheHeadAndThinPings(t *testing.T) {
	t.Parallel()
	s, h := newWeb(t), newHub(t)
	s.html("/one", "One.")
	s.html("/two", "Two.")
	var mu sync.Mutex
	entries := []string{"one"}
	s.answer("/feed", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Add("Link", fmt.Sprintf(`<%s>; rel="hub", <%s/feed>; rel=self`, h.URL, s.URL))
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprint(w, withHub(s, "http://127.0.0.1:1/", entries...))
	})
	r := start(t, s, oneFeed)
	r.await("the subscription", pushedBy)
	form, _ := h.asked()
	mu.Lock()
	entries = []string{"two", "one"}
	mu.Unlock()
	if got := deliver(t, form.Get("hub.callback"), form.Get("hub.secret"), ""); got != http.StatusAccepted {
		t.Errorf("a thin ping: status %d", got)
	}
	r.pass(61 * time.Second)
	r.await("the entry", func(s status.Status) bool { return s.New == 2 })
}

// Hubs that misbehave cost nothing but the push: the source is polled.
func TestHubsThatMisbehave(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		make func(*hub)
		want string
	}{
		"gone":    {func(h *hub) { h.status = http.StatusGone }, `no subscription with HUB: status 410: "no"`},
		"denying": {func(h *hub) { h.deny = true }, "no subscription with HUB: the hub denied it: not for you"},
		"silent":  {func(h *hub) { h.silent = true }, "asked for a subscription: HUB"},
		"slow":    {func(h *hub) { h.slow = true }, "asked for a subscription: HUB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, h := newWeb(t), newHub(t)
			h.set(tt.make)
			s.html("/one", "One.")
			s.html("/two", "Two.")
			s.serve("/feed", "application/rss+xml", withHub(s, h.URL, "one"))
			r := start(t, s, oneFeed)
			r.await("the request", func(s status.Status) bool {
				return strings.ReplaceAll(s.Sources[0].Push, h.URL, "HUB") == tt.want+"" || strings.HasPrefix(strings.ReplaceAll(s.Sources[0].Push,
					h.URL+"/", "HUB"), tt.want)
			})
			if name == "slow" { // its request ends with the test
				return
			}
			s.serve("/feed", "application/rss+xml", withHub(s, h.URL, "two", "one"))
			r.pass(24 * time.Hour)
			r.await("the poll", func(s status.Status) bool { return s.New == 2 })
		})
	}
}

// A hub may send subscribers on to another one (WebSub §5.1.2), but not for ever.
func TestHubsThatRedirect(t *testing.T) {
	t.Parallel()
	s, h, other := newWeb(t), newHub(t), newHub(t)
	h.set(func(h *hub) { h.to, h.status = other.URL+"/hub", http.StatusTemporaryRedirect })
	s.html("/one", "One.")
	s.serve("/feed", "application/rss+xml", withHub(s, h.URL, "one"))
	r := start(t, s, oneFeed)
	r.await("the subscription", func(s status.Status) bool { return strings.HasPrefix(s.Sources[0].Push, "pushed by "+h.URL) })
	if form, n := other.asked(); n != 1 || form.Get("hub.topic") != s.URL+"/feed" {
		t.Errorf("it is asked %d times, for %v", n, form)
	}
	r.pass(7 * 24 * time.Hour)
	other.set(func(h *hub) { h.to, h.status = h.URL, http.StatusPermanentRedirect })
	r.await("the end", func(s status.Status) bool {
		return strings.HasSuffix(s.Sources[0].Push, "it redirects more than 5 times")
	})
}

// A hub that says nothing when there is something is not relied on, until it does.
func TestAHubThatFallsSilent(t *testing.T) {
	t.Parallel()
	s, h := newWeb(t), newHub(t)
	s.serve("/feed", "application/rss+xml", withHub(s, h.URL, "e0"))
	s.html("/e0", "Zero.")
	r := start(t, s, oneFeed)
	r.await("the subscription", pushedBy)
	entries := []string{"e0"}
	for i := 1; i <= 2; i++ {
		entries = append([]string{fmt.Sprintf("e%d", i)}, entries...)
		s.html(fmt.Sprintf("/e%d", i), "More.")
		s.serve("/feed", "application/rss+xml", withHub(s, h.URL, entries...))
		r.pass(12*time.Hour + time.Minute)
		r.await("a poll", func(s status.Status) bool { return s.New == int64(i+1) })
	}
	r.await("distrust", func(s status.Status) bool { return strings.HasPrefix(s.Sources[0].Push, "silent: ") })
	form, _ := h.asked()
	deliver(t, form.Get("hub.callback"), form.Get("hub.secret"), withHub(s, h.URL, entries...))
	r.await("trust", pushedBy)
}

// A cloud of rssCloud: registration, challenge, pings.
func TestRSSCloud(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	forms := make(chan url.Values, 4)
	cloud := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		back := fmt.Sprintf("http://%s:%s%s", r.PostForm.Get("domain"), r.PostForm.Get("port"), r.PostForm.Get("path"))
		q := url.Values{"url": r.PostForm["url1"], "challenge": {"xyz"}}
		resp, err := http.Get(back + "?" + q.Encode())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		if body, _ := io.ReadAll(resp.Body); string(body) != "xyz" {
			http.Error(w, "the challenge did not come back", http.StatusBadRequest)
			return
		}
		r.PostForm.Set("back", back)
		forms <- r.PostForm
		fmt.Fprint(w, `<notifyResult success="true" msg="Thanks for the registration."/>`)
	}))
	t.Cleanup(cloud.Close)
	at, err := url.Parse(cloud.URL)
	if err != nil {
		t.Fatal(err)
	}
	feed := func(entries ...string) {
		text := `<rss version="2.0"><channel><cloud domain="` + at.Hostname() + `" port="` + at.Port() +
			`" path="/please" registerProcedure="" protocol="http-post"/>`
		for _, e := range entries {
			text += "<item><guid isPermaLink='false'>" + e + "</guid><link>HOST/" + e + "</link></item>"
		}
		s.serve("/feed", "text/xml", text+"</channel></rss>")
	}
	feed("one")
	s.html("/one", "One.")
	s.html("/two", "Two.")
	r := start(t, s, oneFeed)
	r.await("the registration", pushedBy)
	form := <-forms
	feed("two", "one")
	ping := func(address, feed string) int {
		resp, err := http.PostForm(address, url.Values{"url": {feed}})
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	if a, b := ping(form.Get("back"), s.URL+"/other"), ping(r.base+"/rsscloud/GUESS", s.URL+"/feed"); a != 404 || b != 404 {
		t.Errorf("pings that are none: %d, %d", a, b)
	}
	if got := ping(form.Get("back"), s.URL+"/feed"); got != 200 {
		t.Errorf("status %d", got)
	}
	r.pass(61 * time.Second)
	r.await("the entry", func(s status.Status) bool { return s.New == 2 })
	r.pass(24 * time.Hour)
	r.await("the registration again", func(status.Status) bool { return len(forms) == 1 })
}

// A site says itself that it has changed. Whoever says so too often is heard once in five minutes.
func TestPings(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	s.serve("/feed", "text/xml", `<rss version="2.0"><channel><link>HOST/blog/</link></channel></rss>`)
	r := start(t, s, "every: 24h\n"+oneFeed)
	r.await("the first poll", func(s status.Status) bool { return !s.Sources[0].Asked.IsZero() })
	ping := func(site string) string {
		resp, err := http.Post(r.base+"/RPC2", "text/xml", strings.NewReader(`<?xml version="1.0"?><methodCall><methodName>`+
			`weblogUpdates.ping</methodName>
			<params><param><value>News</value></param><param><value><string>`+site+`</string></value></param></params></methodCall>`))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return string(body)
	}
	if got := ping("http://other.example/"); !strings.Contains(got, "<boolean>1</boolean>") || !strings.Contains(got, "not followed") {
		t.Error(got)
	}
	for range 10 {
		if got := ping(s.URL + "/blog"); !strings.Contains(got, "<boolean>0</boolean>") {
			t.Error(got)
		}
	}
	r.pass(4 * time.Minute)
	r.pass(61 * time.Second)
	r.await("the poll", func(s status.Status) bool { return s.Polls == 2 })
	if st := r.f.Status(); st.Pushed != 10 || st.Forged != 1 {
		t.Errorf("%+v", st.Totals)
	}
}
