package follow

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/follow/feed"
	"github.com/varve-archive/varve/gather/follow/status"
	"github.com/varve-archive/varve/gather/politeness"
	"github.com/varve-archive/varve/gather/robots"
)

// Config says what is followed and where what is captured goes.
type Config struct {
	Settings Settings
	Store    kv.Store
	Dir      string // of the WARC files
	// Mark tells the files of this process from those of others that write with the same name into other folders; "" for none.
	Mark string
	// Find returns where a complete file is that was taken out of Dir, "" if nowhere. It may be nil.
	Find     func(ctx context.Context, name string) (string, error)
	Storage  warc.Storage  // nil for the folders of this machine
	Status   status.Folder // where others see how it goes; "" for nowhere
	Software string        // name and version, for the files
	Agent    string        // the user agent, unless the settings have one
	Chromium string        // for sources that want a browser; "" for the first in the path
	Log      *slog.Logger  // may be nil
	// Now is the clock; nil for that of the machine.
	Now func() time.Time
	// Taken is called, now and then, with complete files in Dir, to have them indexed. It may be nil.
	Taken func(ctx context.Context) error
}

// A Follower follows the sources of one file. Use it for one run, and close it in the end.
type Follower struct {
	cfg    Config
	set    *Settings
	store  kv.Store
	log    *slog.Logger
	now    func() time.Time
	feeds  *client.Client // for what is read in one piece
	pages  *client.Client
	hosts  *politeness.Hosts
	robots *robots.Cache // nil if they are ignored
	writer *write.Writer
	window *window
	// writing is held for reading from writing an answer until the store knows of it, so that no file is finished in between: only files that
	// were open when a process was killed can have what the store doesn't.
	writing sync.RWMutex
	dirty   atomic.Bool   // something was written since files were finished last
	woken   chan struct{} // something has changed that the loop has to see

	mu       sync.Mutex
	sources  []*source
	byURL    map[string]*source
	queue    []*visit // in the order in which they were found
	queued   map[string]bool
	resting  map[string]time.Time // hosts that want to be left alone, until when
	busy     map[string]int       // tasks at a host
	totals   totals
	failed   error
	problems int // sources that failed in this run
}

// A source is one that is followed. Its memory is guarded by the follower's mu.
type source struct {
	set  Source
	kind string
	url  string
	busy bool
	fat  []feed.Document // that hubs have delivered
	memory
}

// How much of an answer is read.
const (
	maxFeed   = 32 << 20 // with its codings, on the way
	feedTime  = time.Minute
	maxPage   = 20 << 20
	headTime  = 30 * time.Second
	tellEvery = time.Second
)

// New opens what is known of sources, and mends the files that a process left which was killed.
func New(ctx context.Context, cfg Config) (*Follower, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Storage == nil {
		cfg.Storage = warc.Local{}
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	set := cfg.Settings
	if set.UserAgent == "" {
		set.UserAgent = cfg.Agent
	}
	f := &Follower{
		cfg: cfg, set: &set, store: cfg.Store, log: cfg.Log, now: cfg.Now, woken: make(chan struct{}, 1), byURL: map[string]*source{},
		queued: map[string]bool{}, resting: map[string]time.Time{}, busy: map[string]int{},
		window: &window{path: cfg.Chromium, log: cfg.Log},
		hosts:  politeness.New(politeness.Config{Delay: set.Delay, PerHost: set.PerHost}),
	}
	asking := client.Config{UserAgent: set.UserAgent, AllowPrivate: set.AllowPrivate, HeadTime: headTime, Dir: cfg.Dir}
	f.pages = client.New(asking)
	asking.MaxBytes, asking.MaxTime = maxFeed, feedTime
	f.feeds = client.New(asking)
	switch set.Robots {
	case RobotsIgnore:
	case RobotsObey:
		f.robots = robots.NewCache(Agent, "", time.Second, f.fetchRobots)
	default:
		f.robots = robots.NewCache(Agent, set.Robots, time.Second, f.fetchRobots)
	}
	if err := os.MkdirAll(cfg.Dir, 0o755); err != nil {
		return nil, err
	}
	if err := f.load(ctx); err != nil {
		return nil, err
	}
	if err := f.recover(ctx); err != nil {
		return nil, err
	}
	var err error
	f.writer, err = write.New(write.Config{
		Dir: cfg.Dir, Name: set.Name, Mark: cfg.Mark,
		Info: warc.Fields{
			{Name: "software", Value: cfg.Software},
			{Name: "http-header-user-agent", Value: set.UserAgent},
			{Name: "isPartOf", Value: set.Name},
			{Name: "robots", Value: set.Robots},
			{Name: "description", Value: "what is new in sources that are followed"},
		},
		Known: func(p write.Payload) (write.Original, bool) { return f.known(ctx, p) },
	})
	return f, err
}

// load reads the store.
func (f *Follower) load(ctx context.Context) error {
	if _, err := load(ctx, f.store, key(keyTotals), &f.totals); err != nil {
		return err
	}
	for _, set := range f.set.Sources {
		kind, address := set.Kind()
		s := &source{set: set, kind: kind, url: address}
		if _, err := load(ctx, f.store, addressKey(keySource, address), &s.memory); err != nil {
			return err
		}
		f.sources = append(f.sources, s)
		f.byURL[address] = s
		f.totals.Allowance.Needs(address, s.Rate.Need())
	}
	return each(ctx, f.store, keyVisit, func(_, value []byte) error {
		var v visit
		if err := json.Unmarshal(value, &v); err != nil {
			return err
		}
		f.enqueue(&v)
		return nil
	})
}

// enqueue puts a visit into the queue, unless it is there. f.mu is held, or nobody else is there yet.
func (f *Follower) enqueue(v *visit) {
	if !f.queued[string(v.Key)] {
		f.queued[string(v.Key)] = true
		f.queue = append(f.queue, v)
	}
}

// put writes one value.
func (f *Follower) put(ctx context.Context, key []byte, value any) error {
	return f.store.Update(context.WithoutCancel(ctx), func(tx kv.Txn) error { return set(tx, key, value) })
}

// remember writes what is known of a source, and the totals.
func (f *Follower) remember(ctx context.Context, s *source) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.store.Update(context.WithoutCancel(ctx), func(tx kv.Txn) error {
		return errors.Join(set(tx, addressKey(keySource, s.url), s.memory), set(tx, key(keyTotals), f.totals))
	})
}

// fatal ends the run if something can't be written: nothing that is asked then could be kept.
func (f *Follower) fatal(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed == nil {
		f.failed = err
	}
	return err
}

func payloadKey(p write.Payload) []byte {
	return addressKey(keyPayload, string(rune(p.Status))+p.Digest.String())
}

// finalName returns how a file is called once it is complete.
func finalName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".open") }

// known returns the capture that has a payload, if its file is still there.
func (f *Follower) known(ctx context.Context, p write.Payload) (write.Original, bool) {
	var s seen
	if ok, err := load(ctx, f.store, payloadKey(p), &s); err != nil || !ok {
		return write.Original{}, false // at worst it is written once more
	}
	path := filepath.Join(f.cfg.Dir, s.File)
	for _, p := range []string{path, path + ".open"} {
		if _, err := os.Stat(p); err == nil {
			return write.Original{URI: s.URI, Time: s.Time}, true
		}
	}
	if f.cfg.Find == nil {
		return write.Original{}, false
	}
	moved, err := f.cfg.Find(ctx, s.File)
	return write.Original{URI: s.URI, Time: s.Time}, err == nil && moved != ""
}

// Close ends all use of the follower. Files are finished.
func (f *Follower) Close() error {
	f.feeds.Close()
	f.pages.Close()
	return errors.Join(f.window.close(), f.store.Sync(context.Background()), f.writer.Close())
}
