package follow

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/follow/status"
	"github.com/varve-archive/varve/gather/politeness"
	"github.com/varve-archive/varve/gather/robots"
	"github.com/varve-archive/varve/internal/chromium"
)

// Config says what is followed and where captures go.
type Config struct {
	Settings Settings
	Store    kv.Store
	Dir      string // of the WARC files
	// Mark distinguishes the files of this process from those that others write under the same name into other folders; "" for
	// none.
	Mark string
	// Find returns the path of a complete file that was moved out of Dir, or "". It may be nil.
	Find     func(ctx context.Context, name string) (string, error)
	Storage  warc.Storage  // nil for the folders of this machine
	Status   status.Folder // where others read the status
	Software string        // name and version, for the files
	Agent    string        // the user agent, unless the settings have one
	Chromium string        // for sources that need a browser; "" for the first in the path
	Log      *slog.Logger  // may be nil
	// Now is the clock; nil for that of the machine.
	Now func() time.Time
	// Taken is called now and then to have the complete files in Dir indexed. It may be nil.
	Taken func(ctx context.Context) error
}

// A Follower follows the sources of one file. Use it for one run, then close it.
type Follower struct {
	*web
	poller  *poller
	visitor *visitor
}

// Limits of an answer's size in bytes.
const (
	maxFeed        = 32 << 20 // with its codings, on the way
	feedTime       = time.Minute
	maxPage        = 20 << 20
	headTime       = 30 * time.Second
	statusInterval = time.Second
)

// agentOf returns the user agent of a follower whose settings have none: its name, after that of the browser if a source needs one.
func agentOf(cfg Config) string {
	if !cfg.Settings.Browser && !slices.ContainsFunc(cfg.Settings.Sources, func(s Source) bool { return s.Browser }) {
		return cfg.Agent
	}
	path, err := chromium.Find(cfg.Chromium, false)
	if err != nil { // it is told once a page needs the browser
		return cfg.Agent
	}
	return chromium.UserAgent(path, cfg.Agent)
}

// New loads the state of the sources, and repairs files that a killed process left.
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
		set.UserAgent = agentOf(cfg)
	}
	w := &web{
		state: &state{
			cfg: cfg, set: &set, store: cfg.Store, log: cfg.Log, now: cfg.Now, woken: make(chan struct{}, 1), byURL: map[string]*source{},
			queued: map[string]bool{}, resting: map[string]time.Time{}, busy: map[string]int{},
		},
		window: &window{path: cfg.Chromium, log: cfg.Log},
		hosts:  politeness.New(politeness.Config{Delay: set.Delay, PerHost: set.PerHost}),
	}
	f := &Follower{web: w, poller: &poller{w}, visitor: &visitor{w}}
	asking := client.Config{
		UserAgent: set.UserAgent, AllowPrivate: set.AllowPrivate, InsecureTLS: set.InsecureTLS, HeadTime: headTime, Dir: cfg.Dir,
	}
	f.pages = client.New(asking)
	asking.MaxBytes, asking.MaxTime = maxFeed, feedTime
	f.feeds = client.New(asking)
	f.robots = robots.By(set.Robots, Agent, time.Second, f.fetchRobots)
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

func payloadKey(p write.Payload) []byte {
	return addressKey(keyPayload, string(rune(p.Status))+p.Digest.String())
}

// known returns the capture with a payload, if its file still exists.
func (f *web) known(ctx context.Context, p write.Payload) (write.Original, bool) {
	var s seen
	if ok, err := kv.GetJSON(ctx, f.store, payloadKey(p), &s); err != nil || !ok {
		return write.Original{}, false // at worst it is written again
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

// Close finishes the files and ends all use of the follower.
func (f *Follower) Close() error {
	f.feeds.Close()
	f.pages.Close()
	return errors.Join(f.window.close(), f.store.Sync(context.Background()), f.writer.Close())
}
