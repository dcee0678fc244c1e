package redis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/crawl/frontier/frontiertest"
	"github.com/varve-archive/varve/gather/politeness"
	"github.com/varve-archive/varve/internal/testkit/redistest"
)

func TestSuite(t *testing.T) {
	server := redistest.Start(t)
	frontiertest.Run(t, func(t *testing.T) frontiertest.Opener {
		var last *Frontier
		t.Cleanup(func() { last.Close() })
		return func(t *testing.T, cfg frontier.Config) frontier.Frontier {
			if last != nil {
				if err := last.Close(); err != nil {
					t.Fatal(err)
				}
			}
			var err error
			last, err = Open(t.Context(), Config{URL: server.URL(), Name: nameOf(t), Folder: "f", Handing: cfg})
			if err != nil {
				t.Fatal(err)
			}
			return last
		}
	})
}

// nameOf returns a name for a crawl of a test.
func nameOf(t *testing.T) string { return idOf(t.Name()) }

// A pair of processes works on one crawl, each with a folder of its own.
type process struct {
	*Frontier
	said chan string
}

const brief = 150 * time.Millisecond

func start(t *testing.T, server *redistest.Server, folder string, cfg Config) process {
	t.Helper()
	p := process{said: make(chan string, 100)}
	cfg.URL, cfg.Folder, cfg.Say = server.URL(), folder, func(s string) { p.said <- s }
	if cfg.Name == "" {
		cfg.Name = nameOf(t)
	}
	if cfg.Handing.Politeness.PerHost == 0 {
		cfg.Handing.Politeness.PerHost = 1000
	}
	var err error
	if p.Frontier, err = Open(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	if err := p.Join(t.Context(), frontier.Setup{}); err != nil {
		t.Fatal(err)
	}
	return p
}

// die has a process give no sign of life any more, and waits until it is believed to be dead.
func (p process) die() {
	p.stop()
	time.Sleep(2 * brief)
}

func page(host, path string) frontier.Item {
	return frontier.Item{Key: host + path, URL: "http://" + host + path, Host: host, Kind: frontier.Page}
}

func (p process) found(t *testing.T, items ...frontier.Item) {
	t.Helper()
	if err := p.Found(t.Context(), frontier.Found{Items: items}); err != nil {
		t.Fatal(err)
	}
}

func (p process) next(t *testing.T) frontier.Assignment {
	t.Helper()
	h, err := p.Next(t.Context(), frontier.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (p process) holds(t *testing.T, item frontier.Item) bool {
	t.Helper()
	ok, err := p.Holds(t.Context(), item)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

func (p process) done(t *testing.T, item frontier.Item, a frontier.Answer) bool {
	t.Helper()
	ok, err := p.Done(t.Context(), item, a)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

var written = frontier.Answer{Status: 200, Bytes: 1, File: "f"}

// What a dead process holds is handed out again, and should it wake up it may write nothing.
func TestADeadProcess(t *testing.T) {
	server := redistest.Start(t)
	a, b := start(t, server, "a", Config{Lease: brief}), start(t, server, "b", Config{Lease: brief})
	a.found(t, page("h", "/1"))
	first := a.next(t)
	if h := b.next(t); h.OK || h.Held != 1 || h.Deaths != 0 {
		t.Errorf("%+v", h)
	}
	time.Sleep(3 * brief) // a gives signs of life
	if h := b.next(t); h.OK {
		t.Errorf("%+v", h)
	}
	a.die()
	second := b.next(t)
	if !second.OK || second.Item.Key != first.Item.Key || second.Deaths != 1 || second.Held != 1 {
		t.Fatalf("%+v", second)
	}
	if a.holds(t, first.Item) || a.done(t, first.Item, frontier.Answer{Skip: frontier.Skip{Reason: "robots"}}) {
		t.Error("what others have is done by who lost it")
	}
	if !b.holds(t, second.Item) || !b.done(t, second.Item, written) || a.done(t, first.Item, written) {
		t.Error("it is not done, or twice")
	}
	if s, err := b.State(t.Context()); err != nil || s.Pages != 1 || s.Skipped["robots"] != 0 || s.Processes != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

// What a process was writing when it died stays in doubt for a while, in which whoever has its files can say.
func TestAnAnswerInDoubt(t *testing.T) {
	server := redistest.Start(t)
	cfg := Config{Lease: brief, Grace: time.Hour}
	a, b := start(t, server, "a", cfg), start(t, server, "b", cfg)
	a.found(t, page("h", "/1"), page("h", "/2"), page("h", "/3"))
	var items []frontier.Item
	for range 3 {
		h := a.next(t)
		if !a.holds(t, h.Item) {
			t.Fatal("it lost what it has")
		}
		items = append(items, h.Item)
	}
	a.die()
	if h := b.next(t); h.OK || h.Held != 3 || h.Deaths != 1 {
		t.Fatalf("what may have been written is handed out: %+v", h)
	}
	back := start(t, server, "a", cfg) // on the machine of a
	if item, ok, err := back.Queued(t.Context(), items[0].Key); err != nil || !ok || !back.done(t, item, written) {
		t.Errorf("what was found in a file: %t, %v", ok, err)
	}
	if err := back.Mended(t.Context(), nil, []string{a.Mark()}); err != nil {
		t.Fatal(err)
	}
	if h := b.next(t); h.OK || h.Held != 2 {
		t.Errorf("its file is still written: %+v", h)
	}
	if err := back.Mended(t.Context(), nil, []string{back.Mark()}); err != nil {
		t.Fatal(err)
	}
	if h, again := b.next(t), b.next(t); !h.OK || !again.OK || h.Item.Key == items[0].Key || again.Item.Key == items[0].Key {
		t.Errorf("%+v, %+v", h, again)
	}
	if keys, err := back.Repeated(t.Context()); err != nil || len(keys) > 0 {
		t.Errorf("%v, %v", keys, err)
	}
}

// A process that was given up and comes back may claim what its browser asks for before it takes anything from the queue. When it
// dies in the middle of an answer, the others go on.
func TestAProcessThatOnlyClaimed(t *testing.T) {
	server := redistest.Start(t)
	cfg := Config{Lease: brief, Grace: time.Hour}
	a, b := start(t, server, "a", cfg), start(t, server, "b", cfg)
	item, ok, err := a.Claim(t.Context(), page("h", "/1"))
	if err != nil || !ok || !a.holds(t, item) {
		t.Fatalf("%t, %v", ok, err)
	}
	a.die()
	if h := b.next(t); h.OK || h.Held != 1 || h.Deaths != 1 {
		t.Errorf("%+v", h)
	}
	if !start(t, server, "a", cfg).done(t, item, written) {
		t.Error("what was found in its file is not done")
	}
}

// If nobody can say, the answer is written once more, and the first is to be taken out when its file turns up.
func TestARepeatedAnswer(t *testing.T) {
	server := redistest.Start(t)
	cfg := Config{Lease: brief, Grace: brief}
	a, b := start(t, server, "a", cfg), start(t, server, "b", cfg)
	a.found(t, page("h", "/1"), page("h", "/2"), page("h", "/3"))
	for range 3 {
		if h := a.next(t); !a.holds(t, h.Item) {
			t.Fatal("it lost what it has")
		}
	}
	a.die()
	b.next(t)
	time.Sleep(2 * brief)
	one, two := b.next(t), b.next(t) // the third nobody has
	if !one.OK || !two.OK || !b.holds(t, one.Item) || !b.done(t, one.Item, written) || !b.holds(t, two.Item) {
		t.Fatalf("%+v, %+v", one, two)
	}
	back := start(t, server, "a", cfg)
	for _, path := range []string{"/1", "/2", "/3"} {
		item, ok, err := back.Queued(t.Context(), "h"+path)
		if err != nil {
			t.Fatal(err)
		}
		if ok && back.done(t, item, written) != (path == "/3") {
			t.Errorf("%s is counted for a file or not", path)
		}
	}
	keys, err := back.Repeated(t.Context())
	slices.Sort(keys)
	if err != nil || !slices.Equal(keys, []string{"h/1", "h/2"}) {
		t.Errorf("%v, %v", keys, err)
	}
	if err := back.Mended(t.Context(), keys, nil); err != nil {
		t.Fatal(err)
	}
	if keys, err := back.Repeated(t.Context()); err != nil || len(keys) > 0 {
		t.Errorf("%v, %v", keys, err)
	}
	if !b.done(t, two.Item, written) {
		t.Error("who writes it now isn't the one whose it is")
	}
}

// Turns, pauses and limits are those of all processes together.
func TestPolitenessIsShared(t *testing.T) {
	server := redistest.Start(t)
	cfg := Config{Handing: frontier.Config{Politeness: politeness.Config{PerHost: 1}}}
	a, b := start(t, server, "a", cfg), start(t, server, "b", cfg)
	a.found(t, page("h", "/1"), page("h", "/2"), page("h", "/3"), page("i", "/1"))
	first := a.next(t)
	second := b.next(t)
	if !first.OK || !second.OK || first.Item.Host == second.Item.Host {
		t.Fatalf("%+v, %+v", first, second)
	}
	if h := b.next(t); h.OK || h.Held != 2 {
		t.Errorf("%+v", h)
	}
	of := a
	if first.Item.Host != "h" {
		of, first = b, second
	}
	first.Item.Turn = politeness.Answer{Status: 503, RetryAfter: "100"}
	if err := of.Again(t.Context(), first.Item); err != nil {
		t.Fatal(err)
	}
	for _, p := range []process{a, b} {
		if h := p.next(t); h.OK || !h.Waits || h.Wait < 90*time.Second || h.Wait > 100*time.Second {
			t.Errorf("%+v", h)
		}
	}
	a.found(t, page("j", "/1"), page("k", "/1"))
	if h, err := a.Next(t.Context(), frontier.Limits{Pages: 2}); err != nil || !h.OK {
		t.Errorf("%+v, %v", h, err)
	}
	if h, err := b.Next(t.Context(), frontier.Limits{Pages: 2}); err != nil || h.OK { // two are asked for
		t.Errorf("%+v, %v", h, err)
	}
}

// An answer that is lost on the way is given once more: nothing is handed out that nobody knows of.
func TestALostAnswer(t *testing.T) {
	a := start(t, redistest.Start(t), "a", Config{})
	a.found(t, page("h", "/1"), page("h", "/2"))
	first := a.next(t)
	a.turn--
	if again := a.next(t); again.Item.Key != first.Item.Key || again.Held != 1 {
		t.Errorf("%+v, then %+v", first, again)
	}
	a.done(t, first.Item, written)
	if second := a.next(t); second.Item.Key != "h/2" {
		t.Errorf("%+v", second)
	}
}

// Many threads of several processes take everything once.
func TestManyAtATime(t *testing.T) {
	server := redistest.Start(t)
	var items []frontier.Item
	for i := range 1500 {
		items = append(items, page(fmt.Sprint("host", i%7), fmt.Sprint("/", i)))
	}
	cfg := Config{Handing: frontier.Config{Politeness: politeness.Config{PerHost: 2}}}
	var mu sync.Mutex
	taken := map[string]int{}
	asking, most := map[string]int{}, 0
	var all sync.WaitGroup
	for i := range 3 {
		p := start(t, server, fmt.Sprint(i), cfg)
		p.found(t, items...)
		for range 4 {
			all.Go(func() {
				for {
					h, err := p.Next(t.Context(), frontier.Limits{})
					if err != nil {
						t.Error(err)
						return
					}
					if !h.OK && h.Held == 0 && !h.Waits {
						return
					} else if !h.OK {
						time.Sleep(time.Millisecond)
						continue
					}
					mu.Lock()
					taken[h.Item.Key]++
					asking[h.Item.Host]++
					most = max(most, asking[h.Item.Host])
					mu.Unlock()
					mine, err := p.Holds(t.Context(), h.Item)
					mu.Lock()
					asking[h.Item.Host]--
					mu.Unlock()
					if ok, err2 := p.Done(t.Context(), h.Item, written); !mine || !ok || err != nil || err2 != nil {
						t.Error(h.Item.Key, mine, ok, err, err2)
					}
				}
			})
		}
	}
	all.Wait()
	for key, n := range taken {
		if n != 1 {
			t.Errorf("%s was handed out %d times", key, n)
		}
	}
	if len(taken) != len(items) || most > 2 {
		t.Errorf("%d items were handed out, %d of a host at a time", len(taken), most)
	}
}

// Those that work together have the same settings; who is alone brings its own.
func TestSharedSettings(t *testing.T) {
	server := redistest.Start(t)
	a, b := start(t, server, "a", Config{}), start(t, server, "b", Config{})
	of := func(scope string) frontier.Setup {
		return frontier.Setup{Shared: []frontier.Setting{{Key: "scope", Value: scope}}}
	}
	if err := errors.Join(a.End(t.Context(), "", 0), b.End(t.Context(), "", 0), a.Join(t.Context(), of("host"))); err != nil {
		t.Fatal(err)
	}
	var wrong *frontier.MismatchError
	if err := b.Join(t.Context(), of("any")); !errors.As(err, &wrong) || wrong.Key != "scope" || !wrong.Others {
		t.Errorf("%v", err)
	}
	if err := b.Restart(t.Context()); err == nil || !strings.Contains(err.Error(), "others are at work on it (1)") {
		t.Errorf("begun anew beside others: %v", err)
	}
	err := errors.Join(b.Join(t.Context(), of("host")), b.End(t.Context(), "", 0), a.End(t.Context(), "", 0), b.Join(t.Context(), of("any")))
	if err != nil {
		t.Error(err)
	}
}

// What can't be gone on with is said.
func TestACrawlThatIsGone(t *testing.T) {
	server := redistest.Start(t)
	for what, test := range map[string]struct {
		do   func(p process) error
		says string
	}{
		"emptied": {func(p process) error { return p.db.FlushAll(t.Context()).Err() }, "has lost the crawl"},
		"begun anew": {func(p process) error { // by one that took all others for dead
			again := start(t, server, "b", Config{})
			err := errors.Join(p.db.Del(t.Context(), prefix(p.cfg.Name)+":alive").Err(), again.Restart(t.Context()))
			return errors.Join(err, again.Join(t.Context(), frontier.Setup{}))
		}, "begun anew by another process"},
	} {
		p := start(t, server, "a", Config{})
		p.found(t, page("h", "/1"))
		if err := test.do(p); err != nil {
			t.Fatal(err)
		}
		_, err := p.Next(t.Context(), frontier.Limits{})
		if !errors.Is(err, frontier.ErrUnavailable) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", what, err)
		}
	}
	p := start(t, server, "a", Config{Name: "old"})
	err := errors.Join(p.End(t.Context(), "", 0), p.db.HSet(t.Context(), prefix("old"), "format", "0").Err())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Join(t.Context(), frontier.Setup{}); err == nil || !strings.Contains(err.Error(), "another version of varve") {
		t.Errorf("another format: %v", err)
	}
	if _, err := p.State(t.Context()); err == nil {
		t.Error("the state of another format is told")
	}
}

// While Redis is away it is waited for, and one sentence says so; in the end it is given up.
func TestRedisIsAway(t *testing.T) {
	server := redistest.Start(t)
	p := start(t, server, "a", Config{Patience: 20 * time.Second})
	p.found(t, page("h", "/1"))
	server.Kill()
	answered := make(chan error, 1)
	go func() {
		h, err := p.Next(t.Context(), frontier.Limits{})
		if err == nil && !h.OK {
			err = errors.New("nothing is handed out")
		}
		answered <- err
	}()
	if said := <-p.said; !strings.Contains(said, "does not answer") || !strings.Contains(said, "trying again for 20s") {
		t.Error(said)
	}
	server.Run()
	if err := <-answered; err != nil {
		t.Error(err)
	}
	if said := <-p.said; !strings.Contains(said, "answers again") {
		t.Error(said)
	}
	server.Kill()
	q := process{Frontier: p.Frontier}
	q.cfg.Patience = 10 * time.Millisecond
	for range 2 {
		if _, err := q.Next(t.Context(), frontier.Limits{}); !errors.Is(err, frontier.ErrUnavailable) ||
			strings.Contains(err.Error(), "redis://") {
			t.Errorf("%v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.Next(ctx, frontier.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A server is also reached by a socket on its machine, and what isn't one is said.
func TestAddresses(t *testing.T) {
	dir, err := os.MkdirTemp("", "varve-redis") // names of sockets are short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "s")
	server := redistest.Start(t, "--unixsocket", socket, "--requirepass", "a b")
	for address, says := range map[string]string{
		"unix://:a%20b@" + socket + "?db=3": "",
		"unix://" + socket:                  "wants a password",
		"unix://" + socket + "x":            "does not answer",
		strings.Replace(server.URL(), "redis://", "redis://:a%20b@", 1): "",
		strings.Replace(server.URL(), "redis://", "rediss://", 1):       "does not answer", // it waits for the end of a line
	} {
		f, err := Open(t.Context(), Config{URL: address, Name: "sockets", Folder: "f"})
		if err != nil {
			if says == "" || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v", address, err)
			}
			continue
		}
		if says != "" {
			t.Errorf("%s is a Redis", address)
		}
		if err := errors.Join(f.Join(t.Context(), frontier.Setup{}), f.End(t.Context(), "", 0), f.Close()); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A saying is an error that Redis itself answers.
type saying string

func (s saying) Error() string { return string(s) }
func (saying) RedisError()     {}

// What a server answers is explained. A crawl waits only for what may pass by itself.
func TestErrorsAreExplained(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err   error
		says  string
		waits bool
	}{
		{saying("WRONGPASS invalid username-password pair"), "refuses the user or password of --frontier (WRONGPASS", false},
		{saying("ERR invalid password"), "refuses the user or password", false},
		{saying("ERR AUTH <password> called without any password configured"), "refuses the user or password", false},
		{saying("ERR Client sent AUTH, but no password is set"), "refuses the user or password", false},
		{saying("NOAUTH Authentication required."), "wants a password", false},
		{saying("NOPERM this user has no permissions"), "does not let this user do what a frontier needs (NOPERM", false},
		{saying("OOM command not allowed"), "has no memory left (OOM", true},
		{saying("ERR DB index is out of range"), "has no database of this number: ERR DB", false},
		{saying("ERR other"), "the Redis at h:1: ERR other", false},
		{errors.New("NOAUTH OOM ERR DB index"), "does not answer as Redis does (NOAUTH", false},
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, "does not answer (dial: refused)", true},
		{fmt.Errorf("read: %w", io.EOF), "does not answer (read: EOF)", true},
		{syscall.ECONNRESET, "does not answer (connection reset", true},
		{redis.ErrPoolTimeout, "does not answer (redis: connection pool timeout)", true},
	} {
		got := explain(tt.err, "the Redis at h:1")
		if errors.Is(got, frontier.ErrUnavailable) != tt.waits || !strings.Contains(got.Error(), "the Redis at h:1") ||
			!strings.Contains(got.Error(), tt.says) {
			t.Errorf("%v: %v", tt.err, got)
		}
	}
}

// A password is never in what is said of an address.
func TestWrongAddresses(t *testing.T) {
	t.Parallel()
	for address, right := range map[string]bool{
		"redis://u:secret@h:1/2": true, "rediss://h": true, "unix:///s?db=3": true,
		"redis://u:secret@h:x/": false, "http://u:secret@h/": false, "redis://u:secret@h/x": false, "": false,
	} {
		err := CheckURL(address)
		if (err == nil) != right || err != nil && (strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "redis://[USER")) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A server that throws keys away is refused, and one that forgets is warned of.
func TestSettingsOfServers(t *testing.T) {
	for name, tt := range map[string]struct {
		args          []string
		refuses, says string
	}{
		"as it should be":      {[]string{"--maxmemory-policy", "volatile-lru"}, "", ""},
		"it throws keys away":  {[]string{"--maxmemory-policy", "allkeys-lru"}, "(maxmemory-policy allkeys-lru)", ""},
		"it writes no changes": {[]string{"--appendonly", "no"}, "", "(appendonly no)"},
	} {
		said := ""
		f, err := Open(t.Context(), Config{
			URL: redistest.Start(t, tt.args...).URL(), Name: "settings", Folder: "f", Say: func(s string) { said += s },
		})
		if err == nil {
			err = errors.Join(f.Join(t.Context(), frontier.Setup{}), f.Close())
		}
		if (err != nil) != (tt.refuses != "") || err != nil && !strings.Contains(err.Error(), tt.refuses) ||
			(said != "") != (tt.says != "") || !strings.Contains(said, tt.says) {
			t.Errorf("%s: %v, said %q", name, err, said)
		}
	}
}

// How long handing out takes doesn't depend on how many hosts there are.
func BenchmarkNext(b *testing.B) {
	for _, hosts := range []int{100, 100_000} {
		b.Run(fmt.Sprintf("%d hosts", hosts), func(b *testing.B) {
			f, err := Open(b.Context(), Config{
				URL: redistest.Start(b, "--appendfsync", "everysec").URL(), Name: "bench",
				Handing: frontier.Config{Politeness: politeness.Config{PerHost: 1}},
			})
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			if err := f.Join(b.Context(), frontier.Setup{}); err != nil {
				b.Fatal(err)
			}
			var items []frontier.Item
			for i := range hosts {
				for _, path := range []string{"/1", "/2"} {
					items = append(items, page(fmt.Sprintf("host%d", i), path))
				}
			}
			if err := f.Found(b.Context(), frontier.Found{Items: items}); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				h, err := f.Next(b.Context(), frontier.Limits{})
				if err != nil || !h.OK {
					b.Fatalf("%+v, %v", h, err)
				}
				if err := f.Again(b.Context(), h.Item); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
