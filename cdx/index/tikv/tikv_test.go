package tikv

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pingcap/failpoint"
	"github.com/tikv/client-go/v2/testutils"
	"github.com/tikv/client-go/v2/tikv"
	"github.com/tikv/client-go/v2/tikvrpc"
	"github.com/tikv/client-go/v2/util"
	"github.com/tikv/client-go/v2/util/codec"
	pd "github.com/tikv/pd/client"

	"github.com/varve-archive/varve/cdx/index/store"
	"github.com/varve-archive/varve/cdx/index/storetest"
)

func TestMain(m *testing.M) {
	util.EnableFailpoints()
	// When a request fails the client asks whether the machine lives. Those of the cluster in this process don't answer that.
	if err := failpoint.Enable("tikvclient/injectLiveness", `return("reachable")`); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// A cluster is one in this process.
type cluster struct {
	*testutils.MockCluster
	client  *testutils.MockClient
	drivers pd.Client
}

// start starts a cluster of three machines.
func start(t *testing.T) *cluster {
	t.Helper()
	quiet()
	client, mock, drivers, err := testutils.NewMockTiKV("", nil)
	if err != nil {
		t.Fatal(err)
	}
	testutils.BootstrapWithMultiStores(mock, 3)
	return &cluster{MockCluster: mock, client: client, drivers: drivers}
}

// open opens an index in the cluster, as a process of its own would. hijack may stand between the two.
func (c *cluster) open(t *testing.T, name string, hijack func(tikv.Client) tikv.Client) store.Shared {
	t.Helper()
	kv, err := tikv.NewTestTiKVStore(c.client, c.drivers, hijack, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := open(context.Background(), kv, func() {}, name, store.Create)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A shaken cluster splits regions and moves leaders, as a cluster does on its own: after each few answers to requests of processes behind
// between, so that on a machine of any speed a request finds what it asks for in the end.
type shaken struct {
	*cluster
	answers, splits, moves atomic.Int64
}

func (c *cluster) shaken() *shaken { return &shaken{cluster: c} }

// between stands between a process and the cluster.
func (s *shaken) between(client tikv.Client) tikv.Client { return &shaking{client, s} }

type shaking struct {
	tikv.Client
	s *shaken
}

// SendRequest implements [tikv.Client].
func (c *shaking) SendRequest(ctx context.Context, addr string, req *tikvrpc.Request, timeout time.Duration) (*tikvrpc.Response, error) {
	resp, err := c.Client.SendRequest(ctx, addr, req, timeout)
	if err != nil {
		return nil, err
	}
	if moved, err := resp.GetRegionError(); err == nil && moved == nil && c.s.answers.Add(1)%4 == 0 {
		c.s.shake()
	}
	return resp, nil
}

// shake splits a region or moves a leader.
func (s *shaken) shake() {
	key := spaceOf("web").key([]byte{"abmnou"[mathrand.IntN(6)], byte(mathrand.IntN(256)), byte(mathrand.IntN(256))})
	at := codec.EncodeBytes(nil, key)
	region, _, _ := s.GetRegionByKey(at)
	if region == nil {
		return
	}
	peer := region.Peers[mathrand.IntN(len(region.Peers))].Id
	if mathrand.IntN(4) > 0 {
		s.ChangeLeader(region.Id, peer)
		s.moves.Add(1)
		return
	}
	if len(s.GetAllRegions()) < 200 && !bytes.Equal(region.StartKey, at) {
		id, peers := s.AllocID(), s.AllocIDs(len(region.Peers))
		s.Split(region.Id, id, key, peers, peers[0])
		s.splits.Add(1)
	}
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return start(t).open(t, "web", nil) }, nil)
}

func TestStoreWhileRegionsMove(t *testing.T) {
	var splits, moves int64
	storetest.Run(t, func(t *testing.T) store.Store {
		s := start(t).shaken()
		t.Cleanup(func() { splits, moves = splits+s.splits.Load(), moves+s.moves.Load() })
		return s.open(t, "web", s.between)
	}, nil)
	if t.Logf("%d regions split, %d leaders moved", splits, moves); splits < 10 || moves < 30 {
		t.Error("the cluster hardly moved")
	}
}

// VARVE_TEST_TIKV names a real cluster, by the address of an index without its name: tikv://127.0.0.1:2379.
func TestStoreInCluster(t *testing.T) {
	at := os.Getenv("VARVE_TEST_TIKV")
	if at == "" {
		t.Skip("VARVE_TEST_TIKV names no cluster, such as tikv://127.0.0.1:2379; the one in this process was tested")
	}
	names := map[store.Store]string{}
	openAt := func(t *testing.T, name string) store.Store {
		t.Helper()
		s, err := Open(context.Background(), strings.TrimSuffix(at, "/")+"/"+name, store.Create)
		if err != nil {
			t.Fatal(err)
		}
		names[s] = name
		return s
	}
	storetest.Run(t, func(t *testing.T) store.Store {
		return openAt(t, "test-"+strings.ToLower(rand.Text()))
	}, func(t *testing.T, s store.Store) store.Store {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return openAt(t, names[s])
	})
}

// Keys longer than TiKV takes keep their order among the others, in both directions and between any bounds.
func TestLongKeysKeepTheirOrder(t *testing.T) {
	s := start(t).open(t, "web", nil)
	defer s.Close()
	random := mathrand.New(mathrand.NewPCG(1, 2))
	var keys []string
	for _, n := range []int{
		0, 1, levelLen - 1, levelLen, levelLen + 1, 2*levelLen - 1, 2 * levelLen, 2*levelLen + 1, 3*levelLen + 7, 20 * levelLen,
	} {
		for _, letter := range []string{"a", "b", "\x00", "\x01", "\x02", "\xff"} {
			for _, end := range []string{"", "\x00", "\x01", "\x02", "m", "\xff"} {
				keys = append(keys, strings.Repeat(letter, n)+end)
			}
		}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	keys = keys[1:] // the empty one
	b := s.Batch(t.Context())
	for _, i := range random.Perm(len(keys)) {
		if err := b.Set([]byte(keys[i]), fmt.Append(nil, len(keys[i]))); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	err := s.View(t.Context(), func(snap store.Snapshot) error {
		for range 300 {
			from, prefix := keys[random.IntN(len(keys))], keys[random.IntN(len(keys))]
			prefix = prefix[:min(len(prefix), []int{0, 1, levelLen, levelLen + 1, 2 * levelLen}[random.IntN(5)])]
			r := store.Range{Prefix: []byte(prefix), Reverse: random.IntN(2) == 0, KeysOnly: random.IntN(2) == 0}
			if got, want := found(t, snap, r, from), expected(keys, r, from); !slices.Equal(got, want) {
				t.Errorf("from %d bytes %.5q, prefix %d bytes, downwards %v: %d keys, want %d",
					len(from), from, len(prefix), r.Reverse, len(got), len(want))
			}
		}
		for _, key := range keys {
			if err := snap.Get([]byte(key), func(v []byte) error {
				if string(v) != fmt.Sprint(len(key)) {
					t.Errorf("%d bytes: got %q", len(key), v)
				}
				return nil
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func found(t *testing.T, snap store.Snapshot, r store.Range, from string) (keys []string) {
	t.Helper()
	c := snap.Cursor(r)
	defer c.Close()
	for c.Seek([]byte(from)); c.Valid(); c.Next() {
		keys = append(keys, string(c.Key()))
	}
	if c.Err() != nil {
		t.Error(c.Err())
	}
	return keys
}

func expected(keys []string, r store.Range, from string) (want []string) {
	for _, key := range keys {
		if strings.HasPrefix(key, string(r.Prefix)) && (key == from || key < from == r.Reverse) {
			want = append(want, key)
		}
	}
	if r.Reverse {
		slices.Reverse(want)
	}
	return want
}

// Keys of the cluster stay below what it takes, encoded in groups of nine bytes for eight.
func TestKeysFitIntoTheCluster(t *testing.T) {
	at := spaceOf(strings.Repeat("n", 63))
	key := bytes.Repeat([]byte("k"), 60_100)
	for _, k := range append(at.marks(key), at.key(key), at.key(key[:levelLen])) {
		if encoded := (len(k)/8 + 1) * 9; encoded > 4096 {
			t.Errorf("%d bytes, encoded %d", len(k), encoded)
		}
	}
}

// Two that read the same and write something else don't both do so.
func TestUpdatesSeeWhatOthersRead(t *testing.T) {
	c := start(t)
	one, two := c.open(t, "web", nil), c.open(t, "web", nil)
	var both sync.WaitGroup
	both.Add(2)
	claim := func(s store.Store, own, other string) error {
		first := true
		return s.Update(t.Context(), func(txn store.Txn) error {
			_, err := txn.Get([]byte(other))
			if first { // both have read before one writes
				first = false
				both.Done()
				both.Wait()
			}
			if err == nil {
				return nil // the other one has it
			} else if !errors.Is(err, store.ErrNoKey) {
				return err
			}
			return txn.Set([]byte(own), nil)
		})
	}
	var running sync.WaitGroup
	running.Go(func() {
		if err := claim(one, "one", "two"); err != nil {
			t.Error(err)
		}
	})
	running.Go(func() {
		if err := claim(two, "two", "one"); err != nil {
			t.Error(err)
		}
	})
	running.Wait()
	n := 0
	err := one.Update(t.Context(), func(txn store.Txn) error { // a snapshot may be older
		n = 0
		for _, key := range []string{"one", "two"} {
			if _, err := txn.Get([]byte(key)); err == nil {
				n++
			} else if !errors.Is(err, store.ErrNoKey) {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if n != 1 {
		t.Errorf("%d of two have written", n)
	}
}

func TestAddresses(t *testing.T) {
	for _, c := range []struct{ text, servers, name, wrong string }{
		{"tikv://pd/web", "pd:2379", "web", ""},
		{"tikv://pd1:1,pd2:2/web/", "pd1:1,pd2:2", "web", ""},
		{"tikv://[::1]:2379/a.b-c_1?ca=/a&cert=/b&key=/c", "[::1]:2379", "a.b-c_1", ""},
		{"tikv://pd", "", "", "name"},
		{"tikv:///web", "", "", "want tikv://"},
		{"tikv://pd/../etc", "", "", "name"},
		{"tikv://pd/Web", "", "", "name"},
		{"tikv://user:secret@pd/web", "", "", "no users"},
		{"tikv://pd/web?tls=1", "", "", `"tls"`},
		{"postgres://pd/web", "", "", "want tikv://"},
	} {
		a, err := parse(c.text)
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: got %v", c.text, err)
			}
			continue
		}
		if err != nil || strings.Join(a.servers, ",") != c.servers || a.name != c.name {
			t.Errorf("%s: got %v, %v", c.text, a, err)
		}
	}
}

func TestNobodyAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	_, err := Open(t.Context(), "tikv://127.0.0.1:1/web", store.Create)
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Errorf("got %v", err)
	}
}

func TestNoIndexIsMadeUnlessWanted(t *testing.T) {
	c := start(t)
	kv, err := tikv.NewTestTiKVStore(c.client, c.drivers, nil, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []store.Mode{store.Existing, store.ReadOnly} {
		s := &engine{kv: kv, space: spaceOf("none"), wait: readTimeout, close: func() {}}
		s.clock.now = func() (uint64, error) { return kv.CurrentTimestamp("global") }
		if err := s.prepare(t.Context(), mode); !errors.Is(err, store.ErrNone) {
			t.Errorf("mode %d: got %v", mode, err)
		}
	}
}

// While nobody tells the time, readers wait no longer than they want to, and their error says that the cluster is away.
func TestReadersDontWaitForEachOther(t *testing.T) {
	c := start(t)
	s := c.open(t, "web", nil).(*engine)
	s.clock.now = func() (uint64, error) {
		time.Sleep(300 * time.Millisecond)
		return 0, errors.New("no driver answers")
	}
	s.clock.forget()
	var readers sync.WaitGroup
	var failed atomic.Int64
	for range 12 {
		readers.Go(func() {
			err := s.View(t.Context(), func(snap store.Snapshot) error { return snap.Get([]byte("a"), func([]byte) error { return nil }) })
			if errors.Is(err, store.ErrUnavailable) {
				failed.Add(1)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := s.View(ctx, func(snap store.Snapshot) error { return snap.Get([]byte("a"), func([]byte) error { return nil }) })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if readers.Wait(); failed.Load() != 12 {
		t.Errorf("%d of 12 were told that the cluster is away", failed.Load())
	}
}

// Processes that begin together on an empty cluster make one index.
func TestProcessesBeginTogether(t *testing.T) {
	c := start(t)
	n := &network{}
	n.delay.Store(int64(2 * time.Millisecond))
	var all sync.WaitGroup
	for range 4 {
		kv, err := tikv.NewTestTiKVStore(c.client, c.drivers, n.behind, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			if _, err := open(context.Background(), kv, func() {}, "web", store.Create); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// Long keys that were removed don't make a range unreadable, however long it takes to pass them.
func TestRangesWithRemovedLongKeys(t *testing.T) {
	c := start(t)
	n := &network{}
	s := c.open(t, "web", n.behind).(*engine)
	write := func(f func(store.Batch, []byte) error) {
		b := s.Batch(t.Context())
		for i := range 150 {
			if err := f(b, append(bytes.Repeat([]byte("k"), levelLen-1), byte(i), 'x')); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	write(func(b store.Batch, key []byte) error { return b.Set(key, nil) })
	write(func(b store.Batch, key []byte) error { return b.Delete(key) })
	n.delay.Store(int64(2 * time.Millisecond))
	s.wait = 100 * time.Millisecond
	err := s.View(t.Context(), func(snap store.Snapshot) error {
		if keys := found(t, snap, store.Range{}, ""); len(keys) > 0 {
			t.Errorf("%d keys", len(keys))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
