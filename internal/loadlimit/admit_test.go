package loadlimit

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// open returns a connection of an address that isn't on any network; moved says when data last moved on it.
func open(l *listener, address string, moved int64) *conn {
	c := &conn{Conn: nowhere{}, from: l, address: address}
	c.moved.Store(moved)
	return c
}

type nowhere struct{ net.Conn }

func (nowhere) Close() error { return nil }

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }

func (nowhere) Read(b []byte) (int, error) { return copy(b, "ab"), nil }

func TestAdmit(t *testing.T) {
	type arrival struct {
		address string
		moved   int64
		victim  int // place in the list of the connection that is closed for it, -1 for none
	}
	for name, tt := range map[string]struct {
		limits   Limits
		arrivals []arrival
	}{
		"an address up to its limit": {Limits{Conns: 9, PerAddress: 2}, []arrival{{"a", 5, -1}, {"a", 4, -1}, {"a", 6, 1}}},
		"another address beside it":  {Limits{Conns: 9, PerAddress: 2}, []arrival{{"a", 1, -1}, {"a", 2, -1}, {"b", 3, -1}, {"a", 4, 0}}},
		"all up to the limit":        {Limits{Conns: 3, PerAddress: 9}, []arrival{{"a", 2, -1}, {"b", 1, -1}, {"a", 3, -1}, {"c", 4, 0}}},
		"the stillest of the greediest, whoever comes": {
			Limits{Conns: 4, PerAddress: 9}, []arrival{{"b", 1, -1}, {"a", 7, -1}, {"a", 5, -1}, {"a", 6, -1}, {"b", 8, 2}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := Listen(nil, tt.limits).(*listener)
			var conns []*conn
			for i, a := range tt.arrivals {
				c := open(l, a.address, a.moved)
				var want *conn
				if a.victim >= 0 {
					want = conns[a.victim]
				}
				if got := l.admit(c); got != want {
					t.Errorf("arrival %d: %+v is closed for it, want %+v", i, got, want)
				}
				conns = append(conns, c)
			}
		})
	}
}

func TestClosedConnectionsMakeRoom(t *testing.T) {
	l := Listen(nil, Limits{Conns: 9, PerAddress: 2}).(*listener)
	first, second := open(l, "a", 1), open(l, "a", 2)
	l.admit(first)
	l.admit(second)
	for range 2 { // closing again changes nothing
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if victim := l.admit(open(l, "a", 3)); victim != nil {
		t.Error("one of two connections was closed, and the next still finds none free")
	}
	if victim := l.admit(open(l, "a", 4)); victim != second {
		t.Error("closing a connection twice made room for two")
	}
	for c := range l.conns {
		c.Close()
	}
	if len(l.of) != 0 {
		t.Errorf("addresses without connections are kept: %v", l.of)
	}
}

func TestReadingMoves(t *testing.T) {
	l := Listen(nil, Limits{Conns: 9, PerAddress: 9}).(*listener)
	c := open(l, "a", 1)
	if n, err := c.Read(nil); n != 0 || err != nil || c.moved.Load() != 1 {
		t.Errorf("reading nothing: %d, %v, moved at %d", n, err, c.moved.Load())
	}
	if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil || c.moved.Load() == 1 {
		t.Errorf("reading a byte: %d, %v, moved at %d", n, err, c.moved.Load())
	}
	c.moved.Store(1)
	if n, err := c.Write([]byte("a")); n != 1 || err != nil || c.moved.Load() == 1 {
		t.Errorf("writing a byte: %d, %v, moved at %d", n, err, c.moved.Load())
	}
}

// Whoever ends the writing with a deadline in the past has ended it, until another deadline is set.
func TestWritingThatWasEnded(t *testing.T) {
	here, there := net.Pipe()
	defer here.Close()
	go func() { _, _ = io.Copy(io.Discard, there) }()
	c := &conn{Conn: here, from: Listen(nil, Limits{Write: time.Hour}).(*listener)}
	for _, tt := range []struct {
		deadline time.Time
		want     error
	}{{time.Unix(1, 0), os.ErrDeadlineExceeded}, {time.Time{}, nil}, {time.Now().Add(time.Hour), nil}} {
		_ = c.SetWriteDeadline(tt.deadline)
		if _, err := c.Write([]byte("a")); !errors.Is(err, tt.want) {
			t.Errorf("until %s: %v, want %v", tt.deadline, err, tt.want)
		}
	}
}

// One port or another, an address has one share; an address without a port has one too.
func TestQueueCountsByAddress(t *testing.T) {
	q := Queue{Running: 2, Waiting: 9, Wait: 20 * time.Millisecond}
	var from []string // whose requests wait inside
	var ask func(addresses ...string) int
	h := q.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if len(from) > 0 {
			w.WriteHeader(ask(from[0]))
		}
	}))
	ask = func(addresses ...string) int {
		from = addresses[1:]
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = addresses[0]
		h.ServeHTTP(w, r)
		return w.Code
	}
	for _, tt := range []struct {
		outer, inner string
		want         int
	}{
		{"192.0.2.1:1", "192.0.2.1:2", 503},
		{"192.0.2.1:1", "192.0.2.2:1", 200},
		{"unix", "unix", 503},
		{"unix", "192.0.2.1:1", 200},
		{"a", "b", 200},
	} {
		if got := ask(tt.outer, tt.inner); got != tt.want {
			t.Errorf("%s during a request of %s: %d", tt.inner, tt.outer, got)
		}
		if len(q.of) != 0 || len(q.turns) != 0 || len(q.waiting) != 0 {
			t.Errorf("left behind: %v, %d running, %d waiting", q.of, len(q.turns), len(q.waiting))
		}
	}
}

// A full server answers the requests that pass its queue, and no others.
func TestSomeRequestsPassTheQueue(t *testing.T) {
	q := Queue{Wait: time.Millisecond, Passes: func(r *http.Request) bool { return r.URL.Path == "/health" }}
	h := q.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for path, want := range map[string]int{"/health": 200, "/a": 503} {
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil)); w.Code != want {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// A writer that can't set deadlines gets the body as it came.
func TestBodiesWithoutDeadlines(t *testing.T) {
	came, called := io.NopCloser(strings.NewReader("x")), false
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Body = came
	limitBodies(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if called = true; r.Body != came {
			t.Errorf("the body became %T", r.Body)
		}
	}), time.Second).ServeHTTP(httptest.NewRecorder(), r)
	if !called {
		t.Error("nobody answers")
	}
}
