package notify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/gather/notify"
	"github.com/varve-archive/varve/internal/atom"
)

// An archive serves a feed, some entries a document.
type archive struct {
	*httptest.Server
	mu      sync.Mutex
	entries []atom.Entry // newest first
	asked   []string
	status  int // instead of an answer
	same    int // answers that nothing changed
	again   chan struct{}
}

const perPage = 3

func newArchive(t *testing.T) *archive {
	t.Helper()
	a := &archive{}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

func (a *archive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, r.URL.String()+" "+r.Header.Get("Accept")+" "+r.UserAgent())
	if a.again != nil {
		a.again <- struct{}{}
	}
	if a.status != 0 {
		http.Error(w, "what is wrong\nand more", a.status)
		return
	}
	tag := fmt.Sprintf(`W/"%d"`, len(a.entries))
	if w.Header().Set("ETag", tag); r.Header.Get("If-None-Match") == tag {
		a.same++
		w.WriteHeader(http.StatusNotModified)
		return
	}
	from := 0
	_, _ = fmt.Sscan(r.URL.Query().Get("from"), &from)
	f := &atom.Feed{ID: "x", Title: "All changes of http://mill.example/"}
	if from+perPage < len(a.entries) {
		f.Links = []atom.Link{{Rel: "next", Href: fmt.Sprintf("%s/web/feed?from=%d", a.URL, from+perPage)}}
	}
	out, err := atom.NewWriter(w, f)
	for i := from; i < min(from+perPage, len(a.entries)) && err == nil; i++ {
		err = out.Entry(&a.entries[i])
	}
	if err != nil || out.Close() != nil {
		panic(http.ErrAbortHandler)
	}
}

// add puts entries with these numbers before the others.
func (a *archive) add(numbers ...int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, n := range numbers {
		at := time.Date(2017, 1, n, 0, 0, 0, 0, time.UTC)
		a.entries = slices.Insert(a.entries, 0, atom.Entry{
			ID: fmt.Sprintf("tag:%d", n), Title: fmt.Sprintf("Page %d\r\nBcc: x@y.example", n), Updated: atom.Time{Time: at},
			Links: []atom.Link{
				{Rel: "alternate", Href: fmt.Sprintf("http://varve.example/web/%d", n)},
				{Rel: "related", Href: fmt.Sprintf("http://varve.example/web/diff/%d", n)},
			},
			Summary: atom.HTML{Type: "html", Body: "<p>the <del>old &lt;mill&gt;</del> <ins>museum</ins></p>"},
		})
	}
}

// A hook takes webhooks.
type hook struct {
	*httptest.Server
	mu     sync.Mutex
	took   []notify.Message
	header []http.Header
	bodies []string
	status int
	wait   string // Retry-After, beside the status
}

func newHook(t *testing.T) *hook {
	t.Helper()
	h := &hook{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		defer h.mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		if h.status != 0 {
			w.Header().Set("Retry-After", h.wait)
			w.WriteHeader(h.status)
			return
		}
		var m notify.Message
		_ = json.Unmarshal(body, &m) // a hub gets a form
		h.took, h.header, h.bodies = append(h.took, m), append(h.header, r.Header), append(h.bodies, string(body))
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *hook) say(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = status
}

// told returns the datetimes of the changes that were told, as days of January, in the order of the deliveries.
func (h *hook) told() (out []int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.took {
		for i := len(m.Changes) - 1; i >= 0; i-- {
			out = append(out, m.Changes[i].Datetime.Day())
		}
	}
	return out
}

// A clock is moved by the test.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func notifier(t *testing.T, a *archive, store kv.Store, c *clock, file string) *notify.Notifier {
	t.Helper()
	s, err := notify.Read([]byte(file), "test", a.URL+"/web", func(name string) string { return map[string]string{"HOOK": "s3cret"}[name] })
	if err != nil {
		t.Fatal(err)
	}
	return &notify.Notifier{Settings: s, Store: store, UserAgent: "varve/test", Log: slog.New(slog.DiscardHandler), Now: c.now}
}

func memory(t *testing.T) kv.Store {
	t.Helper()
	s, err := badger.Open("", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func once(t *testing.T, n *notify.Notifier) notify.Counts {
	t.Helper()
	c, err := n.Once(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAWebhookIsToldOfWhatIsNewOnce(t *testing.T) {
	t.Parallel()
	a, h, c := newArchive(t), newHook(t), &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	a.add(1, 2, 3, 4, 5)
	n := notifier(t, a, memory(t), c,
		"allow_private: true\nnotify: [{url: http://mill.example/, to: webhook, address: '"+h.URL+"', secret: $HOOK}]")
	if once(t, n); len(h.told()) != 0 {
		t.Fatalf("what was there before was told: %v", h.told())
	}
	a.add(6, 7)
	once(t, n)
	a.add(8, 9, 10, 11, 12, 13, 14) // more than a document
	once(t, n)
	if once(t, n); !slices.Equal(h.told(), []int{6, 7, 8, 9, 10, 11, 12, 13, 14}) {
		t.Errorf("told %v", h.told())
	}
	if a.same != 1 {
		t.Errorf("what is known was read again, %d times not", a.same)
	}
	m := h.took[0]
	if m.Title != "All changes of http://mill.example/" || h.header[0].Get("User-Agent") != "varve/test" || len(m.Changes) != 2 ||
		m.Changes[0].Summary != a.entries[0].Summary.Body ||
		m.Changes[0].URIM != "http://varve.example/web/7" || m.Changes[0].Diff != "http://varve.example/web/diff/7" {
		t.Errorf("%+v", m)
	}
	if got := h.header[0].Get(notify.SignatureHeader); got != "sha256="+notify.Sign("s3cret", []byte(h.bodies[0])) || len(got) != 71 {
		t.Errorf("signed %q", got)
	}
	if got := h.header[0].Get("Authorization"); got != "" {
		t.Errorf("a receiver without a password is sent %q", got)
	}
	if want := a.URL + "/web/feed?url=http%3A%2F%2Fmill.example%2F"; m.Feed != want {
		t.Errorf("feed %s", m.Feed)
	}
}

// What is indexed late is told unless it lies behind the first document that was read: what is there was not looked at.
func TestOldVersionsThatAreIndexedLateAreTold(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		first []int
		late  int
		told  []int
	}{
		{[]int{1, 2, 3, 20}, 15, []int{15}},
		{[]int{1, 12, 13, 20}, 12, []int{12}},
		{[]int{1, 12, 13, 20}, 11, nil},
		{[]int{12, 20}, 1, []int{1}},
		{nil, 1, []int{1}},
	} {
		a, h, c := newArchive(t), newHook(t), &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
		a.add(tt.first...)
		n := notifier(t, a, memory(t), c, "allow_private: true\nnotify: [{to: webhook, address: '"+h.URL+"'}]")
		once(t, n)
		a.add(tt.late)
		a.entries[0].ID = "late"
		slices.SortStableFunc(a.entries, func(a, b atom.Entry) int { return b.Updated.Compare(a.Updated.Time) })
		once(t, n)
		if got := h.told(); !slices.Equal(got, tt.told) {
			t.Errorf("%+v: told %v", tt, got)
		}
	}
}

// What is told at once is bounded by number and size, but a single change that is larger is told too; to all who want to know.
func TestMuchIsToldInParts(t *testing.T) {
	t.Parallel()
	a, h, c := newArchive(t), newHook(t), &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	rule := "to: webhook, address: '" + h.URL + "'}"
	n := notifier(t, a, memory(t), c, "allow_private: true\nnotify: [{"+rule+", {url: 'http://a.example/', "+rule+"]")
	once(t, n)
	for n := range 51 {
		a.add(n + 1)
	}
	once(t, n)
	a.add(52, 53, 54, 55, 56)
	for i, size := range []int{300 << 10, 300 << 10, 100 << 10, 100 << 10, 1} { // the newest first
		a.entries[i].Summary.Body = strings.Repeat("x", size)
	}
	if got := once(t, n); got != (notify.Counts{New: 10, Delivered: 6}) {
		t.Errorf("%+v", got)
	}
	var sizes []int
	for _, m := range h.took {
		sizes = append(sizes, len(m.Changes))
	}
	if want := []int{50, 1, 50, 1, 3, 1, 1, 3, 1, 1}; !slices.Equal(sizes, want) {
		t.Errorf("told %v, want %v at once", sizes, want)
	}
}

// An archive that moves to another address, as a server on another port, keeps its collections: nothing is lost of what came meanwhile,
// and what waits is delivered. Another collection is read anew.
func TestAnArchiveMoves(t *testing.T) {
	t.Parallel()
	a, h, c := newArchive(t), newHook(t), &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	store := memory(t)
	file := "allow_private: true\nnotify: [{url: 'http://mill.example/', to: webhook, address: '" + h.URL + "'}]"
	a.add(1)
	once(t, notifier(t, a, store, c, file))
	h.say(500)
	a.add(2)
	once(t, notifier(t, a, store, c, file))
	moved := newArchive(t)
	moved.add(1, 2, 3)
	h.say(0)
	c.at = c.at.Add(time.Hour)
	n := notifier(t, moved, store, c, file)
	once(t, n)
	if got := h.told(); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("told %v", got)
	}
	if n.Archive = moved.URL + "/other/"; once(t, n).New != 0 || len(h.told()) != 2 {
		t.Errorf("of another collection %v is told", h.told())
	}
}

// A page that is in no archive yet has no feed. What it has later is new, as it is to a feed that was empty.
func TestAPageIsCapturedForTheFirstTime(t *testing.T) {
	t.Parallel()
	a, h, c := newArchive(t), newHook(t), &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	n := notifier(t, a, memory(t), c, "allow_private: true\nnotify: [{url: 'http://mill.example/', to: webhook, address: '"+h.URL+"'}]")
	a.status = http.StatusNotFound
	for range 2 {
		if _, err := n.Once(t.Context()); err == nil || !strings.Contains(err.Error(), "the archive answers 404 Not Found: what is wrong") {
			t.Errorf("%v", err)
		}
	}
	a.status = 0
	a.add(1)
	if once(t, n); !slices.Equal(h.told(), []int{1}) {
		t.Errorf("told %v", h.told())
	}
	a.status = http.StatusNotFound // a rule hides it
	if _, err := n.Once(t.Context()); err == nil {
		t.Error("no error")
	}
	a.status = 0
	a.add(2)
	if once(t, n); !slices.Equal(h.told(), []int{1, 2}) {
		t.Errorf("then told %v", h.told())
	}
}

// What a rule asks for, and that it is asked for again and again, whatever comes in between.
func TestFeeds(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		"url: 'http://a.example/', matchType: host, level: text": "level=text&limit=100&matchType=host&url=http%3A%2F%2Fa.example%2F",
		"query: mill, change: added, domain: a.example":          "change=added&domain=a.example&limit=100&q=mill",
		"watch: {b: 1, a: 0.5}, threshold: 2":                    "limit=100&threshold=2&watch=a%3A0.5%2Cb%3A1",
		"watch: {b: 1}":                                          "limit=100&watch=b%3A1",
		"threshold: 2":                                           "limit=100",
	} {
		a := newArchive(t)
		a.status, a.again = 503, make(chan struct{})
		n := notifier(t, a, memory(t), &clock{}, "notify: [{to: webhook, address: 'http://h.example/', "+rule+"}]")
		n.Every = time.Millisecond
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- n.Run(ctx) }()
		for range 3 {
			<-a.again
		}
		cancel()
		for over := false; !over; {
			select {
			case <-a.again:
			case err := <-ended:
				if over = true; err != nil {
					t.Error(err)
				}
			}
		}
		if want = "/web/feed?" + want + " application/atom+xml varve/test"; a.asked[0] != want || a.asked[2] != want {
			t.Errorf("%s: asked %q, want %q", rule, a.asked, want)
		}
	}
}

// A receiver that takes long to answer keeps no other waiting.
func TestASlowReceiver(t *testing.T) {
	t.Parallel()
	a, h, c := newArchive(t), newHook(t), &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	told := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-told }))
	t.Cleanup(slow.Close)
	quick := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.Config.Handler.ServeHTTP(w, r)
		close(told)
	}))
	t.Cleanup(quick.Close)
	n := notifier(t, a, memory(t), c,
		"allow_private: true\nnotify: [{to: webhook, address: '"+slow.URL+"'}, {to: webhook, address: '"+quick.URL+"'}]")
	once(t, n)
	a.add(1)
	if got := once(t, n); got != (notify.Counts{New: 2, Delivered: 2}) || !slices.Equal(h.told(), []int{1}) {
		t.Errorf("%+v, told %v", got, h.told())
	}
}

// A queue survives restarts, keeps its order, and gives up in order.
func TestWhatCannotBeDeliveredWaits(t *testing.T) {
	t.Parallel()
	a, h, c := newArchive(t), newHook(t), &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	dir := filepath.Join(t.TempDir(), "queue")
	file := "allow_private: true\ngive_up: 24h\nnotify: [{to: webhook, address: '" + h.URL + "'}]"
	restarted := func() (*notify.Notifier, func()) {
		s, err := badger.Open(dir, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return notifier(t, a, s, c, file), func() { s.Close() }
	}
	a.add(1)
	n, end := restarted()
	once(t, n)
	h.say(500)
	a.add(2)
	if got := once(t, n); got.Failed != 1 || got.Waiting != 1 {
		t.Errorf("%+v", got)
	}
	if got := once(t, n); got.Failed != 0 || got.Waiting != 1 {
		t.Errorf("it was tried again at once: %+v", got)
	}
	end()
	n, end = restarted()
	a.add(3)
	c.at = c.at.Add(2 * time.Minute)
	if got := once(t, n); got.Failed != 1 || got.Waiting != 2 {
		t.Errorf("%+v", got)
	}
	if all, err := n.Waiting(t.Context()); all != 2 || err != nil {
		t.Errorf("%d wait, %v", all, err)
	}
	c.at = c.at.Add(23 * time.Hour)
	h.say(0)
	if got := once(t, n); got.Delivered != 2 || got.Waiting != 0 || !slices.Equal(h.told(), []int{2, 3}) {
		t.Errorf("%+v, told %v", got, h.told())
	}
	h.say(503)
	a.add(4)
	once(t, n)
	c.at = c.at.Add(12 * time.Hour)
	a.add(5)
	once(t, n)
	c.at = c.at.Add(13 * time.Hour)
	if got := once(t, n); got.GivenUp != 1 || got.Failed != 1 || got.Waiting != 1 { // the older one
		t.Errorf("%+v", got)
	}
	c.at = c.at.Add(time.Hour)
	h.say(0)
	once(t, n)
	if !slices.Equal(h.told(), []int{2, 3, 5}) {
		t.Errorf("told %v", h.told())
	}
	for i, status := range []int{299, 304, 410} {
		h.say(status)
		a.add(6 + i)
		c.at = c.at.Add(time.Hour)
		want := []notify.Counts{{New: 1, Delivered: 1}, {New: 1, Failed: 1, Waiting: 1}, {New: 1, GivenUp: 2}}[i] // who is gone isn't asked again
		if got := once(t, n); got != want {
			t.Errorf("%d: %+v, want %+v", status, got, want)
		}
	}
	end()
}

// A receiver says when it wants to be asked again (RFC 9110 §10.2.3), and a message that it can never take keeps none behind it waiting.
func TestReceiversAnswer(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status int
		wait   string
		after  time.Duration // when the next attempt is due; 0 if there is none
	}{
		"overloaded":            {503, "", time.Minute},
		"a rate limit":          {429, "600", 10 * time.Minute},
		"a date":                {503, "Thu, 01 Jan 2026 01:00:00 GMT", time.Hour},
		"sooner than it would":  {429, "5", time.Minute},
		"as long as at most":    {503, "99999999", 6 * time.Hour},
		"not a time":            {503, "soon", time.Minute},
		"refused":               {403, "", time.Minute},
		"too large for it":      {413, "", 0},
		"never understood":      {422, "", 0},
		"too large for a while": {413, "60", time.Minute},
	} {
		a, h, c := newArchive(t), newHook(t), &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
		n := notifier(t, a, memory(t), c, "allow_private: true\nnotify: [{to: webhook, address: '"+h.URL+"'}]")
		once(t, n)
		h.say(tt.status)
		h.wait = tt.wait
		a.add(1)
		if got := once(t, n); got.GivenUp == 1 != (tt.after == 0) || got.Waiting != 1-got.GivenUp {
			t.Errorf("%s: %+v", name, got)
		}
		h.say(0)
		if tt.after == 0 {
			continue
		}
		c.at = c.at.Add(tt.after - time.Second)
		if got := once(t, n); got.Delivered != 0 {
			t.Errorf("%s: tried again too early: %+v", name, got)
		}
		c.at = c.at.Add(time.Second)
		if got := once(t, n); got.Delivered != 1 {
			t.Errorf("%s: not tried again: %+v", name, got)
		}
	}
}

func TestAnArchiveThatFailsLosesNothing(t *testing.T) {
	t.Parallel()
	a, h, c := newArchive(t), newHook(t), &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	a.add(1)
	n := notifier(t, a, memory(t), c, "allow_private: true\nnotify: [{to: webhook, address: '"+h.URL+"'}]")
	once(t, n)
	a.add(2)
	a.status = 503
	if _, err := n.Once(t.Context()); err == nil || !strings.Contains(err.Error(), "503") {
		t.Error(err)
	}
	a.status = 0
	if once(t, n); !slices.Equal(h.told(), []int{2}) {
		t.Errorf("told %v", h.told())
	}
}

// What is too much for one look is not reported, and that is said.
func TestMoreThanIsRead(t *testing.T) {
	t.Parallel()
	a, h, c := newArchive(t), newHook(t), &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	n := notifier(t, a, memory(t), c, "allow_private: true\nnotify: [{to: webhook, address: '"+h.URL+"'}]")
	var log bytes.Buffer
	n.Log = slog.New(slog.NewTextHandler(&log, nil))
	once(t, n)
	for i := range 51 * perPage {
		a.add(i + 1)
	}
	if got := once(t, n); got.New != 50*perPage || !strings.Contains(log.String(), "more new entries than are read") {
		t.Errorf("%+v, log %s", got, &log)
	}
}

// Users and passwords in addresses open the archive and the receiver, and are told to nobody.
func TestPasswordsInAddresses(t *testing.T) {
	t.Parallel()
	a, h := newArchive(t), newHook(t)
	var without atomic.Int64
	guard := func(s *httptest.Server) string {
		open := s.Config.Handler
		s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if user, password, _ := r.BasicAuth(); user != "me" || password != "my secret" {
				without.Add(1)
			}
			open.ServeHTTP(w, r)
		})
		return strings.Replace(s.URL, "://", "://me:my%20secret@", 1)
	}
	file := "archive: " + guard(a.Server) + "/web/\nallow_private: true\nnotify:\n  - {to: webhook, address: " + guard(h.Server) + "/}\n"
	s, err := notify.Read([]byte(file), "test", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	n := &notify.Notifier{Settings: s, Store: memory(t), UserAgent: "varve/test", Log: slog.New(slog.NewTextHandler(&log, nil))}
	once(t, n)
	a.add(1, 2, 3, 4, 5)
	h.say(http.StatusTeapot)
	once(t, n)
	h.say(0)
	a.add(6)
	n.Now = func() time.Time { return time.Now().Add(time.Hour) }
	if c := once(t, n); c.Delivered != 2 || without.Load() > 0 {
		t.Errorf("%+v; %d requests without a password", c, without.Load())
	}
	for _, said := range append(h.bodies, log.String()) {
		if strings.Contains(said, "secret") {
			t.Errorf("the password is told: %s", said)
		}
	}
}

func TestAHubIsToldThatTheFeedChanged(t *testing.T) {
	t.Parallel()
	a, h, c := newArchive(t), newHook(t), &clock{}
	n := notifier(t, a, memory(t), c, "allow_private: true\nnotify: [{query: tannery, change: deleted, to: hub, address: '"+h.URL+"'}]")
	once(t, n)
	a.add(1)
	once(t, n)
	want := "hub.mode=publish&hub.topic=http%3A%2F%2F" + strings.TrimPrefix(strings.ReplaceAll(a.URL, ":", "%3A"), "http%3A//") +
		"%2Fweb%2Ffeed%3Fchange%3Ddeleted%26q%3Dtannery&hub.url="
	if len(h.bodies) != 1 || !strings.HasPrefix(h.bodies[0], want) {
		t.Errorf("%q, want %s", h.bodies, want)
	}
	h.say(http.StatusBadGateway)
	a.add(2)
	if got := once(t, n); got != (notify.Counts{New: 1, Failed: 1, Waiting: 1}) {
		t.Errorf("a hub that fails: %+v", got)
	}
}

// A store that fails is an error, and costs no notification: what was not told is told then. What was told may be told again.
func TestAStoreThatFails(t *testing.T) {
	t.Parallel()
	a, h, c := newArchive(t), newHook(t), &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	a.add(1)
	for step, steps := 1, 1; step <= steps; step++ {
		h.mu.Lock()
		h.took = nil
		h.mu.Unlock()
		store := kvtest.NewFaulty(kvtest.NewMemory())
		n := notifier(t, a, store, c, "allow_private: true\nnotify: [{to: webhook, address: '"+h.URL+"'}]")
		a.mu.Lock()
		a.entries = a.entries[len(a.entries)-1:]
		a.mu.Unlock()
		once(t, n)
		a.add(2)
		store.FailAt(step)
		_, err := n.Once(t.Context())
		if failed := len(store.Steps()); failed >= step {
			if steps = step + 1; err == nil {
				t.Errorf("no error of step %d, %q", step, store.Steps()[step-1])
			}
		} else if step < 5 || err != nil {
			t.Errorf("only %d steps, %v", failed, err)
		}
		store.FailAt(1)
		if _, err := n.Waiting(t.Context()); err == nil {
			t.Error("no error where it can't be said how many wait")
		}
		store.FailAt(0)
		once(t, n)
		if told := slices.Compact(h.told()); !slices.Equal(told, []int{2}) {
			t.Errorf("step %d failed: told %v", step, told)
		}
	}
}

func TestPrivateAddressesAreNotAsked(t *testing.T) {
	t.Parallel()
	a, h, c := newArchive(t), newHook(t), &clock{}
	n := notifier(t, a, memory(t), c, "notify: [{to: webhook, address: '"+h.URL+"'}]")
	once(t, n)
	a.add(1)
	if got := once(t, n); got.Failed != 1 || len(h.bodies) != 0 {
		t.Errorf("%+v", got)
	}
}

// A postbox is a server that takes mail.
type postbox struct {
	mu     sync.Mutex
	took   []string
	to     []string
	refuse *smtp.SMTPError
}

func (p *postbox) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{p: p}, nil }

type session struct {
	p  *postbox
	to []string
}

func (s *session) Reset()                               { s.to = nil }
func (s *session) Logout() error                        { return nil }
func (s *session) Mail(string, *smtp.MailOptions) error { return nil }

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	if s.p.refuse != nil {
		return s.p.refuse
	}
	s.to = append(s.to, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	b, err := io.ReadAll(r)
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	s.p.took, s.p.to = append(s.p.took, string(b)), append(s.p.to, s.to...)
	return err
}

func newPostbox(t *testing.T) (*postbox, string) {
	t.Helper()
	p := &postbox{}
	server := smtp.NewServer(p)
	server.Domain = "localhost"
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { server.Close() })
	return p, l.Addr().String()
}

func TestMail(t *testing.T) {
	t.Parallel()
	a, c := newArchive(t), &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	p, at := newPostbox(t)
	n := notifier(t, a, memory(t), c, "mail: {server: '"+at+"', from: varve@archive.example, tls: none}\n"+
		"notify: [{query: tannery, to: mail, address: someone@example.org}]")
	once(t, n)
	a.add(1, 2)
	if got := once(t, n); got.Delivered != 1 || len(p.took) != 1 || !slices.Equal(p.to, []string{"someone@example.org"}) {
		t.Fatalf("%+v %q", got, p.took)
	}
	m, err := mail.ReadMessage(strings.NewReader(p.took[0]))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if err != nil {
		t.Fatal(err)
	}
	id := m.Header.Get("Message-Id")
	delete(m.Header, "Message-Id")
	want := mail.Header{
		"Subject": {"tannery: Page 2 Bcc: x@y.example (+1)"}, "Auto-Submitted": {"auto-generated"}, "Precedence": {"bulk"},
		"X-Auto-Response-Suppress": {"All"}, "Date": {"Thu, 01 Jan 2026 00:00:00 +0000"}, "From": {"<varve@archive.example>"},
		"To": {"<someone@example.org>"}, "Mime-Version": {"1.0"}, "Content-Type": {"text/plain; charset=UTF-8"},
		"Content-Transfer-Encoding": {"quoted-printable"},
	}
	if diff := cmp.Diff(want, m.Header); diff != "" || !strings.HasSuffix(id, "@archive.example>") {
		t.Errorf("%s (-want +got):\n%s", id, diff)
	}
	change := func(n int) string {
		return fmt.Sprintf("\r\nPage %d\r\nBcc: x@y.example\r\n%d January 2017, 00:00 UTC\r\nhttp://varve.example/web/%d\r\n"+
			"http://varve.example/web/diff/%d\r\n\r\nthe [-old <mill>-] {+museum+}\r\n", n, n, n, n)
	}
	text := "All changes of http://mill.example/\r\n" + change(1) + change(2) + "\r\n-- \r\n" + a.URL + "/web/feed?q=tannery\r\n"
	if diff := cmp.Diff(text, string(body)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestMailThatIsRefused(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]notify.Counts{451: {New: 1, Failed: 1, Waiting: 1}, 500: {New: 1, GivenUp: 1}, 550: {New: 1, GivenUp: 1}} {
		a, c := newArchive(t), &clock{}
		p, at := newPostbox(t)
		p.refuse = &smtp.SMTPError{Code: code, Message: "no"}
		n := notifier(t, a, memory(t), c, "mail: {server: '"+at+"', from: varve@archive.example, tls: none}\n"+
			"notify: [{to: mail, address: someone@example.org}]")
		once(t, n)
		a.add(1)
		if got := once(t, n); got != want {
			t.Errorf("%d: %+v, want %+v", code, got, want)
		}
	}
}

// A server that offers no TLS gets no mail, unless the settings say so.
func TestMailWantsTLS(t *testing.T) {
	t.Parallel()
	a, c := newArchive(t), &clock{}
	p, at := newPostbox(t)
	n := notifier(t, a, memory(t), c,
		"mail: {server: '"+at+"', from: varve@archive.example}\nnotify: [{to: mail, address: someone@example.org}]")
	once(t, n)
	a.add(1)
	if got := once(t, n); got.Failed != 1 || len(p.took) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestSettingsAreRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range [][2]string{
		{"", "notify: want somebody"},
		{"notfy: []", "line 1: unknown key notfy"},
		{"archive: ftp://x/", "archive: \"ftp://x/\" is no address"},
		{"every: 1ms\nnotify: [{}]", "every: 1ms"},
		{"notify: [{to: fax, address: x}]", "notify 1: to: \"fax\""},
		{"notify: [{to: webhook}]", "notify 1: address: want one"},
		{"notify: [{to: webhook, address: x}]", "notify 1: address: \"x\" is no address"},
		{"notify: [{to: webhook, address: 'http://x/', secret: $NO}]", "notify 1: secret: the variable NO is not set"},
		{"notify: [{to: webhook, address: 'http://x/', change: added}]", "notify 1: change and domain need a query"},
		{"notify: [{to: webhook, address: 'http://x/', query: a, watch: {b: 1}}]", "notify 1: query and watch"},
		{"notify: [{to: mail, address: a@example.org}]", "mail: server"},
		{"mail: {server: 'x:25'}\nnotify: [{to: mail, address: a@example.org}]", "mail: from"},
		{"mail: {server: 'x:25', from: a@b.example, tls: ssl}\nnotify: [{to: mail, address: a@example.org}]", "mail: tls"},
		{"mail: {server: 'x:25', from: a@b.example, tls: none, user: u}\nnotify: [{to: mail, address: a@example.org}]", "without TLS"},
		{"mail: {server: 'x:25', from: a@b.example}\nnotify: [{to: mail, address: nobody}]", "no mail address"},
		{"mail: {server: 'x:0', from: a@b.example}\nnotify: [{to: mail, address: a@b.example}]", "mail: server"},
		{"mail: {server: 'x:65536', from: a@b.example}\nnotify: [{to: mail, address: a@b.example}]", "mail: server"},
		{"mail: {server: 'x:smtp', from: a@b.example}\nnotify: [{to: mail, address: a@b.example}]", "mail: server"},
		{"mail: {server: ':25', from: a@b.example}\nnotify: [{to: mail, address: a@b.example}]", "mail: server"},
		{"archive: 'http://['", "is no address"},
		{"archive: 'http:///x'", "is no address"},
		{"archive: 'http://x/#y'", "is no address"},
		{"archive: ''", "archive: want the address"},
		{"give_up: -1s\nnotify: [{}]", "give_up: -1s"},
		{"notify: [{to: hub, address: 'http://x/', domain: a.example}]", "notify 1: change and domain need a query"},
		{"every: 1s\nnotify: [{to: hub, address: 'https://x/', watch: {b: 1}}]", ""},
		{"mail: {server: 'x:1', from: a@b.example, user: u}\nnotify: [{to: mail, address: a@b.example}]", ""},
		{"mail: {server: 'x:65535', from: a@b.example, tls: implicit}\nnotify: [{to: mail, address: a@b.example}]", ""},
	} {
		_, err := notify.Read([]byte(tt[0]), "x", "http://127.0.0.1/web/", func(string) string { return "" })
		if (err == nil) != (tt[1] == "") || err != nil && !strings.Contains(err.Error(), tt[1]) {
			t.Errorf("%q: %v, want %s", tt[0], err, tt[1])
		}
	}
}
