package tikv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pingcap/kvproto/pkg/errorpb"
	"github.com/tikv/client-go/v2/tikv"
	"github.com/tikv/client-go/v2/tikvrpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/varve-archive/varve/cdx/index"
	"github.com/varve-archive/varve/cdx/index/store"
	"github.com/varve-archive/varve/ingest"
	"github.com/varve-archive/varve/replay/replaytest"
)

// A network stands between a process and its cluster. It counts round trips: requests that are under way at the same time are one.
type network struct {
	tikv.Client
	delay atomic.Int64 // of each request, in nanoseconds

	mu    sync.Mutex
	fault func(context.Context) error                 // of a request, nil if it passes
	lost  func(*tikvrpc.Request) (before, after bool) // whether a connection ends, and when; may be nil
	away  int
	trips int
}

// errMoved is the fault of a machine that has got or lost a part of the keys since it was asked last.
var errMoved = errors.New("moved")

// SendRequest implements [tikv.Client].
func (n *network) SendRequest(ctx context.Context, addr string, req *tikvrpc.Request, timeout time.Duration) (*tikvrpc.Response, error) {
	n.begin()
	defer n.end()
	time.Sleep(time.Duration(n.delay.Load()))
	if fault := n.faults(); fault != nil {
		if err := fault(ctx); errors.Is(err, errMoved) {
			return tikvrpc.GenRegionErrorResp(req, &errorpb.Error{EpochNotMatch: &errorpb.EpochNotMatch{}})
		} else if err != nil {
			return nil, err
		}
	}
	before, after := false, false
	if n.lost != nil {
		before, after = n.lost(req)
	}
	if before {
		return nil, errCut
	}
	resp, err := n.Client.SendRequest(ctx, addr, req, timeout)
	if after {
		return nil, errCut
	}
	return resp, err
}

// errCut is the fault of a connection that ends before the answer is there.
var errCut = status.Error(codes.Unavailable, "the connection was cut")

func (n *network) faults() func(context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.fault
}

func (n *network) set(fault func(context.Context) error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fault = fault
}

func (n *network) begin() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.away++; n.away == 1 {
		n.trips++
	}
}

func (n *network) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.away--
}

func (n *network) count() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.trips
}

// timed makes the first question for the time, after waits is set, one that crosses the network too. The others are asked ahead, so nobody
// waits for them.
func (n *network) timed(ask func() (uint64, error), waits *atomic.Bool) func() (uint64, error) {
	return func() (uint64, error) {
		if !waits.Swap(false) {
			return ask()
		}
		n.begin()
		defer n.end()
		time.Sleep(time.Duration(n.delay.Load()))
		return ask()
	}
}

// behind returns what puts a network between a process and its cluster.
func (n *network) behind(c tikv.Client) tikv.Client {
	n.Client = c
	return n
}

// sampleIn indexes the sample archive in a store.
func sampleIn(t *testing.T, s store.Store, folder string) *index.Index {
	t.Helper()
	x, err := index.New(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	if _, err := ingest.Run(t.Context(), ingest.Config{
		Index: x, Collection: "web", Report: func(p ingest.Problem) { t.Log(p) },
	}, []string{folder}); err != nil {
		t.Fatal(err)
	}
	return x
}

// questions are one of each kind.
var questions = []struct {
	name, path string
	trips      int // at most, 0 if nobody minds
	header     []string
}{
	{"a TimeGate", "/web/http://www.riverbend.example/history.html", 2, []string{"Accept-Datetime", "Sat, 15 Oct 2016 12:00:00 GMT"}},
	{"a memento", "/web/20161001092236id_/http://www.riverbend.example/history.html", 2, nil},
	{"an exact CDX query", "/web/cdx?url=http://www.riverbend.example/history.html", 2, nil},
	{"a TimeMap", "/web/timemap/link/http://www.riverbend.example/history.html", 7, nil},
	{"a page with its links", "/web/20161001092236/http://www.riverbend.example/history.html", 0, nil},
	{"all of a host", "/web/cdx?url=riverbend.example&matchType=domain", 0, nil},
	{"changes", "/web/changes?url=http://www.riverbend.example/history.html", 0, nil},
	{"captures of all pages", "/web/cdx?url=http://www.riverbend.example/&matchType=prefix&output=json&limit=7", 0, nil},
}

// Nothing above the store knows which it is: answers are those of the store on one machine.
func TestAnswersAreThoseOfOneMachine(t *testing.T) {
	folder := replaytest.Sample(t)
	net := &network{}
	s := start(t).open(t, "web", net.behind).(*engine)
	far := replaytest.ServeIndex(t, sampleIn(t, s, folder)).Handler()
	here, _ := replaytest.Serve(t, folder)
	near := here.Handler()
	var waits atomic.Bool
	s.clock.now = net.timed(s.clock.now, &waits)
	net.delay.Store(int64(2 * time.Millisecond))
	first := replaytest.Get(t, far, "/web/2016id_/http://www.riverbend.example/") // what a site has in common is learnt with its first memento
	_ = replaytest.Fetch(t, far, strings.TrimPrefix(first.Header().Get("Location"), "http://varve.example"))
	for _, q := range questions {
		s.clock.forget() // as after a while without requests
		waits.Store(true)
		before := net.count()
		got, want := replaytest.Get(t, far, q.path, q.header...), replaytest.Get(t, near, q.path, q.header...)
		trips := net.count() - before
		same := got.Code == want.Code && got.Header().Get("Location") == want.Header().Get("Location")
		if !same || plain(got.Body.String()) != plain(want.Body.String()) {
			t.Errorf("%s: %d, want %d\n%.400s\nwant\n%.400s", q.name, got.Code, want.Code, got.Body, want.Body)
		}
		if t.Logf("%s: %d, %d round trips", q.name, got.Code, trips); q.trips > 0 && trips > q.trips {
			t.Errorf("%s: %d round trips, want %d at most", q.name, trips, q.trips)
		}
	}
}

// varying is what differs between two answers that are the same: random names within pages.
var varying = regexp.MustCompile(`nonce-[A-Za-z0-9+/_=-]+|nonce="[^"]*"`)

func plain(body string) string { return varying.ReplaceAllString(body, "") }

// While requests to the cluster fail, or are never answered, an answer is right, or 503 with Retry-After, or one that is cut off; none
// is wrong. Afterwards all are right.
func TestNoAnswerIsWrongWhileTheClusterFails(t *testing.T) {
	var every, n atomic.Int64
	net := &network{}
	in := start(t).open(t, "web", net.behind)
	x := sampleIn(t, in, replaytest.Sample(t))
	h := replaytest.ServeIndex(t, x).Handler()
	var right []string
	for _, q := range questions {
		right = append(right, plain(replaytest.Get(t, h, q.path, q.header...).Body.String()))
	}
	in.(*engine).wait = 300 * time.Millisecond
	for _, c := range []struct {
		every int64
		fault func(context.Context) error
		right int // answers at least
	}{
		{2, func(context.Context) error { return errMoved }, 1},
		{5, func(context.Context) error { return errMoved }, len(questions)},
		{1, silence, 0},
		{9, silence, 1},
	} {
		h := replaytest.ServeIndex(t, x).Handler() // knows nothing yet
		net.set(func(ctx context.Context) error {
			if n.Add(1)%every.Load() == 0 {
				return c.fault(ctx)
			}
			return nil
		})
		every.Store(c.every)
		answers := map[int]int{}
		for i, q := range questions {
			a := ask(t, h, q.path, q.header...)
			switch answers[a.Code]++; {
			case a.Code == aborted:
			case a.Code == http.StatusServiceUnavailable && a.Header().Get("Retry-After") != "":
			case a.Code < 400 && plain(a.Body.String()) == right[i]:
			default:
				t.Errorf("each %dth request fails: %s: %d, Retry-After %q\n%.300s", c.every, q.name, a.Code, a.Header().Get("Retry-After"), a.Body)
			}
		}
		net.set(nil)
		t.Logf("each %dth request fails: answers by status %v", c.every, answers)
		if answers[200]+answers[302] < c.right {
			t.Errorf("each %dth request fails: %v, want %d right ones", c.every, answers, c.right)
		}
	}
	for i, q := range questions {
		if a := replaytest.Get(t, h, q.path, q.header...); plain(a.Body.String()) != right[i] {
			t.Errorf("%s: wrong after the cluster is back: %d", q.name, a.Code)
		}
	}
}

// A backup of an index on one machine can be restored into a cluster whose regions split and move meanwhile, and serves as before. What a
// restoring left that was stopped can't be opened, and the next one replaces it.
func TestRestoredInACluster(t *testing.T) {
	here, x := replaytest.Serve(t, replaytest.Sample(t))
	near := here.Handler()
	cluster := start(t).shaken()
	s := cluster.open(t, "web", cluster.between)
	stopped, n := errors.New("stopped"), 0
	if err := index.Restore(t.Context(), s, func(put func(key, value []byte) error) error {
		return x.Dump(t.Context(), func(key, value []byte) error {
			if n++; n > 100 {
				return stopped
			}
			return put(bytes.Clone(key), bytes.Clone(value))
		})
	}); !errors.Is(err, stopped) {
		t.Fatalf("a restoring that is stopped: %v", err)
	}
	if _, err := index.New(t.Context(), s); !errors.Is(err, index.ErrHalf) {
		t.Fatalf("half an index: %v", err)
	}
	whole := func(put func(key, value []byte) error) error {
		return x.Dump(t.Context(), func(key, value []byte) error { return put(bytes.Clone(key), bytes.Clone(value)) })
	}
	if err := index.Restore(t.Context(), s, whole); err != nil {
		t.Fatal(err)
	}
	if err := index.Restore(t.Context(), s, whole); !errors.Is(err, index.ErrNotEmpty) {
		t.Errorf("into an index: %v", err)
	}
	restored, err := index.New(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = restored.Close() })
	far := replaytest.ServeIndex(t, restored).Handler()
	for _, q := range questions {
		got, want := replaytest.Get(t, far, q.path, q.header...), replaytest.Get(t, near, q.path, q.header...)
		if got.Code != want.Code || plain(got.Body.String()) != plain(want.Body.String()) {
			t.Errorf("%s: %d, want %d\n%.400s\nwant\n%.400s", q.name, got.Code, want.Code, got.Body, want.Body)
		}
	}
	t.Logf("%d splits, %d moves", cluster.splits.Load(), cluster.moves.Load())
}

// A commit whose answer is lost may have happened. If it has, it doesn't happen again, and if it hasn't, it does.
func TestCommitsWithoutAnswersHappenOnce(t *testing.T) {
	for _, happens := range []bool{true, false} {
		net := &network{}
		in := start(t).open(t, "web", net.behind)
		lose := &atomic.Int64{}
		net.lost = func(req *tikvrpc.Request) (before, after bool) {
			if req.Type != tikvrpc.CmdCommit || lose.Add(-1) < 0 {
				return false, false
			}
			return !happens, happens
		}
		add := func() error {
			return in.Update(t.Context(), func(txn store.Txn) error {
				v, err := txn.Get([]byte("n"))
				if err != nil && !errors.Is(err, store.ErrNoKey) {
					return err
				}
				return txn.Set([]byte("n"), append(v, 'x'))
			})
		}
		for n := range 5 {
			lose.Store(int64(n % 3))
			if err := add(); err != nil {
				t.Fatal(err)
			}
		}
		err := in.View(t.Context(), func(snap store.Snapshot) error {
			return snap.Get([]byte("n"), func(v []byte) error {
				if string(v) != "xxxxx" {
					t.Errorf("commits happen %v: got %q", happens, v)
				}
				return nil
			})
		})
		if err != nil {
			t.Error(err)
		}
		_ = in.Close()
	}
}

// silence is the fault of a connection whose other end is gone.
func silence(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(2 * time.Second): // the client's scans know no contexts
		return context.DeadlineExceeded
	}
}

// aborted is the status of an answer that was cut off.
const aborted = -1

// ask asks a server, which may cut off the answer.
func ask(t *testing.T, h http.Handler, path string, header ...string) (a *httptest.ResponseRecorder) {
	defer func() {
		if r := recover(); r == http.ErrAbortHandler {
			a = httptest.NewRecorder()
			a.Code = aborted
		} else if r != nil {
			panic(r)
		}
	}()
	return replaytest.Get(t, h, path, header...)
}

// What is said ahead is asked for at once, values and stretches in both directions.
func TestWhatIsSaidAheadIsOneRoundTrip(t *testing.T) {
	net := &network{}
	s := start(t).open(t, "web", net.behind)
	defer s.Close()
	b := s.Batch(t.Context())
	for i := range 900 {
		if err := b.Set(fmt.Appendf(nil, "key %03d", i), fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	up := store.Stretch{Range: store.Range{Prefix: []byte("key "), Rows: 700}, From: []byte("key ")}
	down := store.Stretch{Range: store.Range{Prefix: []byte("key "), Rows: 20, Reverse: true}, From: []byte("key 5")}
	ask := func(ahead bool) (trips int) {
		err := s.View(t.Context(), func(snap store.Snapshot) error {
			if err := snap.Get([]byte("nothing"), nil); !errors.Is(err, store.ErrNoKey) { // the time
				return err
			}
			if ahead {
				snap.Ahead([][]byte{[]byte("key 007"), []byte("key")}, []store.Stretch{up, down})
			}
			before := net.count()
			for st, most := range map[*store.Stretch]int{&up: 690, &down: 10} {
				cur := snap.Cursor(st.Range)
				n := 0
				for cur.Seek(st.From); cur.Valid() && n < most; cur.Next() {
					n++
				}
				if err := cur.Err(); err != nil || n != most {
					t.Errorf("%d rows, %v", n, err)
				}
				cur.Close()
			}
			err := snap.GetMany([][]byte{[]byte("key"), []byte("key 007")}, func(i int, v []byte) error {
				if i != 1 || string(v) != "7" {
					t.Errorf("value %d is %q", i, v)
				}
				return nil
			})
			trips = net.count() - before
			return err
		})
		if err != nil {
			t.Error(err)
		}
		return trips
	}
	net.delay.Store(int64(2 * time.Millisecond))
	if told, plain := ask(true), ask(false); told != 1 || plain < 3 {
		t.Errorf("%d round trips, want 1; without a word ahead %d", told, plain)
	}
}
