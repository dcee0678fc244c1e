package tikv

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	pinglog "github.com/pingcap/log"
	"github.com/tikv/client-go/v2/config"
	"github.com/tikv/client-go/v2/oracle"
	"github.com/tikv/client-go/v2/tikv"
	"github.com/tikv/client-go/v2/txnkv"
	"github.com/tikv/client-go/v2/util"
	pd "github.com/tikv/pd/client"
	"go.uber.org/zap"

	"github.com/varve-archive/varve/cdx/index/distant"
	"github.com/varve-archive/varve/cdx/index/store"
)

const (
	// How long the cluster may take until it counts as gone: half-open connections never answer.
	connecting   = 10 * time.Second
	readTimeout  = 10 * time.Second
	writeTimeout = time.Minute
	// formatNow is the form of what is written.
	formatNow = "1"
)

var _ store.Shared = (*engine)(nil)

type engine struct {
	kv       *tikv.KVStore
	space    space
	readOnly bool
	clock    clock
	wait     time.Duration // for one round trip of a reader
	close    func()
	token    []byte        // the key under which this process says which update was its last
	updating chan struct{} // full while an update of this process runs
	updated  bool          // there was one
}

// An address is where an index is.
type address struct {
	servers  []string
	name     string
	security config.Security
}

// indexName is what an index may be called: what stands in a path as it is.
var indexName = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]{0,62}$`)

var errAddress = errors.New("index: want tikv://PD:PORT,PD:PORT/NAME, with the addresses of placement drivers and the name of the index")

// parse reads the address of an index.
func parse(text string) (a address, err error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "tikv" { // the text may have a secret
		return a, errAddress
	}
	a.name = strings.Trim(u.Path, "/")
	if u.User != nil {
		return a, fmt.Errorf("%w: TiKV knows no users; certificates are named by ca=, cert= and key= behind a question mark", errAddress)
	}
	if !indexName.MatchString(a.name) {
		return a, fmt.Errorf("%w: a name begins with a–z or 0–9 and has only these, _, . and -", errAddress)
	}
	for server := range strings.SplitSeq(u.Host, ",") {
		if server == "" || strings.HasPrefix(server, ":") {
			return a, errAddress
		}
		if !strings.Contains(server, ":") {
			server += ":2379"
		}
		a.servers = append(a.servers, server)
	}
	for key, values := range u.Query() {
		into := map[string]*string{
			"ca": &a.security.ClusterSSLCA, "cert": &a.security.ClusterSSLCert, "key": &a.security.ClusterSSLKey,
		}[key]
		if into == nil {
			return a, fmt.Errorf("index: %.40q: an address of TiKV may have ca, cert and key, the paths of PEM files", key)
		}
		*into = values[0]
	}
	return a, nil
}

// Open opens the index at an address such as tikv://pd1:2379,pd2:2379/name, whose query may have ca, cert and key, the paths of PEM
// files for TLS.
//
// Errors that pass away wrap [store.ErrUnavailable]. If there is no index and none may be made, the error wraps [store.ErrNone].
func Open(ctx context.Context, text string, mode store.Mode) (store.Shared, error) {
	a, err := parse(text)
	if err != nil {
		return nil, err
	}
	kv, end, err := connect(ctx, a)
	if err != nil {
		return nil, err
	}
	return open(ctx, kv, end, a.name, mode)
}

// open opens the index in a cluster. end is called when it is closed.
func open(ctx context.Context, kv *tikv.KVStore, end func(), name string, mode store.Mode) (store.Shared, error) {
	s := &engine{
		kv: kv, space: spaceOf(name), readOnly: mode == store.ReadOnly, wait: readTimeout, close: end, updating: make(chan struct{}, 1),
	}
	s.token = append(s.space.tokens(), rand.Text()...)
	s.clock.now = func() (uint64, error) { return kv.CurrentTimestamp(oracle.GlobalTxnScope) }
	if err := s.prepare(ctx, mode); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// quiet keeps the client from logging on its own: what concerns somebody comes back as an error.
var quiet = sync.OnceFunc(func() { pinglog.ReplaceGlobals(zap.NewNop(), &pinglog.ZapProperties{Level: zap.NewAtomicLevel()}) })

// connect connects to a cluster. The client goes on trying for minutes, so it is left alone after a while.
func connect(ctx context.Context, a address) (kv *tikv.KVStore, end func(), err error) {
	quiet()
	secure, err := a.security.ToTLSConfig()
	if err != nil {
		return nil, nil, fmt.Errorf("index: the certificates for TiKV: %w", err)
	}
	living, cancel := context.WithCancel(context.Background()) // as long as the client
	type result struct {
		kv  *tikv.KVStore
		err error
	}
	done := make(chan result, 1)
	go func() {
		kv, err := dial(living, a, secure)
		done <- result{kv, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			cancel()
			return nil, nil, failure(ctx, r.err)
		}
		return r.kv, cancel, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-time.After(connecting):
		err = fmt.Errorf("%w: no placement driver answers at %s", store.ErrUnavailable, strings.Join(a.servers, ", "))
	}
	cancel()
	go func() {
		if r := <-done; r.kv != nil {
			_ = r.kv.Close()
		}
	}()
	return nil, nil, err
}

func dial(ctx context.Context, a address, secure *tls.Config) (*tikv.KVStore, error) {
	plain, err := pd.NewClientWithContext(ctx, a.servers, pd.SecurityOption{
		CAPath: a.security.ClusterSSLCA, CertPath: a.security.ClusterSSLCert, KeyPath: a.security.ClusterSSLKey,
	}, pd.WithCustomTimeoutOption(readTimeout), pd.WithMaxErrorRetry(int(connecting/time.Second)))
	if err != nil {
		return nil, err
	}
	drivers := tikv.NewCodecPDClient(tikv.ModeTxn, util.InterceptedPDClient{Client: plain})
	points, err := tikv.NewEtcdSafePointKV(a.servers, secure)
	if err != nil {
		drivers.Close()
		return nil, err
	}
	rpc := tikv.NewRPCClient(tikv.WithSecurity(a.security), tikv.WithCodec(drivers.GetCodec()))
	kv, err := tikv.NewKVStore(fmt.Sprintf("tikv-%d", drivers.GetClusterID(ctx)), drivers, points, rpc)
	if err != nil {
		drivers.Close()
		return nil, errors.Join(err, points.Close())
	}
	return kv, nil
}

// prepare finds out whether there is an index, and makes one if it may and has to.
func (s *engine) prepare(ctx context.Context, mode store.Mode) error {
	var found []byte
	err := within(ctx, s.wait, func(ctx context.Context) (err error) {
		found, err = s.point(ctx, s.space.format())
		return err
	})
	switch {
	case errors.Is(err, store.ErrNoKey) && mode != store.Create:
		return fmt.Errorf("%w (name %s)", store.ErrNone, s.name())
	case errors.Is(err, store.ErrNoKey):
		return distant.Patiently(ctx, conflicted, func() error { // others may begin at the same time
			return s.transact(ctx, func(txn *txnkv.KVTxn) error { return txn.Set(s.space.format(), packed([]byte(formatNow))) })
		})
	case err != nil:
		return err
	case !bytes.Equal(found, []byte(formatNow)):
		return fmt.Errorf("index: the index %s is in form %.20q, which this varve doesn't know: it was made by a later one", s.name(), found)
	}
	return nil
}

func (s *engine) name() string {
	_, name, _ := strings.Cut(strings.Trim(string(s.space), "/"), "/")
	return name
}

// Close implements [store.Store].
func (s *engine) Close() error {
	s.forget()
	err := s.kv.Close()
	s.close()
	return err
}

// Sync implements [store.Store]. What is committed is on the disks of most machines already.
func (s *engine) Sync(ctx context.Context) error { return ctx.Err() }

// Watch implements [store.Shared].
func (s *engine) Watch(ctx context.Context, key []byte, changed func() error) error {
	look := func(ctx context.Context) (value []byte, err error) {
		s.clock.forget()
		err = s.View(ctx, func(snap store.Snapshot) error {
			return snap.Get(key, func(v []byte) error { value = append([]byte{}, v...); return nil })
		})
		if errors.Is(err, store.ErrNoKey) {
			return nil, nil
		}
		return value, err
	}
	return distant.Watch(ctx, look, changed)
}
