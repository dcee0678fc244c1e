package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/robots"
	"github.com/varve-archive/varve/internal/chromium"
	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/rewrite/reference"
)

// Config is the configuration of a crawl.
type Config struct {
	Settings Settings
	Frontier frontier.Frontier
	Dir      string // of the WARC files and documents
	// Fixed are settings from outside the crawl file, such as the collection, which can't change after the beginning.
	Fixed []frontier.Setting
	// Mark distinguishes the files of this process from those that others write under the same name into this folder or another:
	// letters and digits, or "".
	Mark string
	// Moved finds complete files that were moved out of Dir; nil if there are none.
	Moved   MovedFiles
	Storage warc.Storage // nil for the folders of this machine
	// Shared says that other processes work on the crawl, whose files may not be visible here.
	Shared   bool
	Software string       // name and version, for the files
	Agent    string       // the user agent, unless the settings have one
	Log      *slog.Logger // may be nil
	// Patience is the first pause before an unreachable robots.txt is requested again; 0 is a second.
	Patience time.Duration
	// HeadTime is the time limit for the head of an answer; 0 is 30 seconds.
	HeadTime time.Duration
	// PageTime is the time limit for loading a page in the browser; 0 is 30 seconds.
	PageTime time.Duration
	Chromium string // path of the browser, "" for the first that is found
	Show     bool   // show its window
	Scratch  string // folder of the browser, removed at the end; "" for a temporary one
	// Cookies is a file with the cookies of the browser. It is kept while the crawl isn't complete, so that its next run is still
	// logged in.
	Cookies string
}

// MovedFiles finds complete files that were moved out of the folder of a crawl, by this process or another.
type MovedFiles interface {
	// Find returns the path of a file in the storage, or "".
	Find(ctx context.Context, name string) (path string, err error)
	// Names returns the names of all files.
	Names(ctx context.Context) ([]string, error)
}

// Agent is the name of the crawler in robots.txt files (RFC 9309 §2.2.1).
const Agent = "varve"

// A Crawl works through its frontier. Use it for one run.
type Crawl struct {
	cfg    Config
	set    *Settings
	agent  string // what it calls itself to sites
	front  frontier.Frontier
	client *client.Client
	robots *robots.Cache // nil if they are ignored
	scope  *scope
	writer *write.Writer
	log    *slog.Logger
	watch  *stopwatch // of this run; off while paused
	recent recent
	silent *silentHosts
	tally  *tally
	// gateway connects the browser to the web; nil without a browser, and outside of a run.
	gateway *gateway
	cookies *client.Cookies // without a browser, which keeps its own
	facets  *facets

	mu     sync.Mutex
	last   string          // address of the last request
	failed failure         // the error that ended the crawl
	totals frontier.Totals // last known totals
	again  map[string]bool // keys of items that wait for another attempt

	// The last known numbers of [frontier.Assignment], for the thread that hands out items.
	widens, deaths int
	contested      bool // an item of a written answer belongs to another process; guarded by mu
}

// New opens a crawl: it mends the files that the last process left, and removes their answers from the frontier. The caller must
// close it.
func New(ctx context.Context, cfg Config) (*Crawl, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Storage == nil {
		cfg.Storage = warc.Local{}
	}
	cfg.Patience, cfg.HeadTime = cmp.Or(cfg.Patience, time.Second), cmp.Or(cfg.HeadTime, headTime)
	c := &Crawl{
		cfg:    cfg,
		set:    &cfg.Settings,
		front:  cfg.Frontier,
		log:    cfg.Log,
		watch:  newStopwatch(),
		facets: newFacets(),
		again:  map[string]bool{},
		tally:  newTally(time.Now()),
	}
	if !c.set.Browser {
		c.cookies = client.NewCookies()
	}
	var err error
	if c.agent, err = agentOf(cfg); err != nil {
		return nil, err
	}
	c.set.UserAgent = cmp.Or(c.set.UserAgent, cfg.Agent)
	c.scope, c.silent = newScope(c.set), newSilentHosts()
	if err := c.front.Join(ctx, frontier.Setup{Fixed: cfg.Fixed, Shared: c.set.shared()}); err != nil {
		return nil, err
	}
	if err := (recovery{c}).recover(ctx); err != nil {
		return nil, err
	}
	if err := errors.Join(c.widen(ctx), c.tally.remember(ctx, c)); err != nil {
		return nil, err
	}
	c.writer, err = write.New(write.Config{
		Dir: cfg.Dir, Name: c.set.Name, Mark: cfg.Mark, Info: c.info(),
		Known: func(p write.Payload) (write.Original, bool) { return c.known(ctx, p) },
	})
	if err != nil {
		return nil, err
	}
	most := int64(c.set.MaxBytes)
	if most == 0 { // no limit
		most = math.MaxInt64
	}
	c.client = client.New(client.Config{
		UserAgent: c.agent, AllowPrivate: c.set.AllowPrivate, InsecureTLS: c.set.InsecureTLS,
		MaxBytes: most, HeadTime: cfg.HeadTime, Dir: cfg.Dir,
	})
	c.robots = robots.By(c.set.Robots, Agent, c.cfg.Patience, c.fetchRobots)
	return c, nil
}

// agentOf returns the user agent of a crawl: what its settings say, or its name, after that of the browser if there is one.
func agentOf(cfg Config) (string, error) {
	if !cfg.Settings.Browser {
		return cmp.Or(cfg.Settings.UserAgent, cfg.Agent), nil
	}
	path, err := chromium.Find(cfg.Chromium, cfg.Show)
	if err != nil || cfg.Settings.UserAgent != "" {
		return cfg.Settings.UserAgent, err
	}
	return chromium.UserAgent(path, cfg.Agent), nil
}

const headTime = 30 * time.Second

// info returns the fields of the warcinfo record of each file.
func (c *Crawl) info() warc.Fields {
	obeyed := c.set.Robots
	if obeyed == robots.Obey {
		obeyed = "obey (RFC 9309)"
	}
	return warc.Fields{
		{Name: "software", Value: c.cfg.Software},
		{Name: "http-header-user-agent", Value: c.agent},
		{Name: "robots", Value: obeyed},
		{Name: "isPartOf", Value: c.set.Name},
		{
			Name: "description",
			Value: fmt.Sprintf("crawl of %d seeds from %s, scope %s, depth %d", len(c.set.Seeds), c.set.Seeds[0], c.set.Scope,
				c.set.MaxDepth),
		},
	}
}

// Run continues the crawl until it or ctx ends. It returns the last report, and the error that ended the crawl.
func (c *Crawl) Run(ctx context.Context) (Report, error) {
	state, limit, err := c.run(ctx)
	ended := string(state)
	if state != Completed || limit != "" { // with another limit it goes on
		ended = ""
	}
	done := context.WithoutCancel(ctx)
	ran, _ := c.watch.read()
	if errors.Is(err, frontier.ErrUnavailable) { // the next process finds out whether everything written is done
		err = errors.Join(err, c.writer.Leave())
	} else {
		err = errors.Join(err, c.front.Sync(done, c.writer.Close), c.front.End(done, ended, ran), documents{c}.writeDocuments(done),
			documents{c}.writeTemplate(done), c.front.Sync(done, func() error { return nil }))
	}
	c.client.Close()
	if ended != "" && c.cfg.Cookies != "" {
		err = errors.Join(err, disk.Remove(c.cfg.Cookies))
	}
	if err != nil {
		state, limit = Failed, ""
	}
	r := c.reportOf(state, c.newTotals(done))
	r.Limit, r.PendingRetries = limit, c.waiting()
	return r, err
}

func (c *Crawl) run(ctx context.Context) (state State, limit string, err error) {
	if err := errors.Join(c.front.Begin(ctx, c.seeds(), time.Now()), (documents{c}).writeTemplate(ctx)); err != nil {
		return Failed, "", err
	}
	if s, err := c.front.State(ctx); err != nil || s.Ended != "" {
		return State(s.Ended), "", err
	}
	if c.set.Browser {
		if c.gateway, err = c.openGateway(ctx); err != nil {
			return Failed, "", err
		}
		defer func() { err = errors.Join(err, c.gateway.browser.Close()) }()
	}
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	if c.set.Walltime > 0 {
		before, _ := c.watch.read() // while the crawl was opened
		go func() {
			if c.watch.reach(limited, before+c.set.Walltime) {
				cancel()
			}
		}()
	}
	limit, err = c.dispatch(limited)
	switch {
	case err != nil:
		return Failed, "", err
	case ctx.Err() != nil:
		return Stopped, "", nil
	case limited.Err() != nil:
		return Stopped, "walltime", nil
	}
	return Completed, limit, nil
}

func (c *Crawl) seeds() (items []frontier.Item) {
	for _, seed := range c.set.Seeds {
		key := keyOf(seed)
		items = append(items, frontier.Item{
			Key: key, URL: seed, Host: reference.Host(seed), Kind: frontier.Page, Seed: true, Run: runOf(seed, 0),
		})
	}
	return items
}

// syncInterval is how often written files are synced to disk.
const syncInterval = 30 * time.Second

// dispatch hands items to threads until none is left or a limit is reached, whose key it returns.
func (c *Crawl) dispatch(ctx context.Context) (limit string, err error) {
	var threads sync.WaitGroup
	defer threads.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	free := make(chan struct{}, c.set.Threads) // a slot for each running thread
	ended := make(chan struct{}, 1)            // something has changed
	synced := time.Now()
	for {
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
		}
		if err := c.failed.get(); err != nil || ctx.Err() != nil {
			return "", err
		}
		if time.Since(synced) > syncInterval {
			if err := c.front.Sync(ctx, c.writer.Sync); err != nil && ctx.Err() == nil {
				return "", err
			}
			synced = time.Now()
		}
		h, err := c.next(ctx)
		if err != nil && ctx.Err() == nil {
			return "", err
		}
		if h.OK {
			threads.Go(func() {
				c.visit(ctx, h.Item)
				<-free
				wake(ended)
			})
			continue
		}
		<-free
		if err == nil && !h.Waits && h.Held == 0 {
			return h.Limit, nil
		}
		select {
		case <-ended:
		case <-time.After(nextCheck(h.Wait)):
		case <-ctx.Done():
		}
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// maxNap is the longest wait before the crawl checks the frontier again.
const maxNap = time.Second

// nextCheck returns the wait before the next check.
func nextCheck(known time.Duration) time.Duration {
	if known <= 0 {
		return maxNap
	}
	return min(known, maxNap)
}

// next returns an item whose host may be asked now, and reacts to what other processes have done meanwhile.
func (c *Crawl) next(ctx context.Context) (frontier.Assignment, error) {
	if _, on := c.watch.read(); !on {
		return frontier.Assignment{Waits: true}, nil
	}
	h, err := c.front.Next(ctx, c.limits())
	if err != nil {
		return h, err
	}
	if h.OK {
		c.mu.Lock()
		c.last = h.Item.URL
		c.mu.Unlock()
	}
	if h.Widens != c.widens {
		err = c.widen(ctx)
	}
	if err == nil && (h.Deaths != c.deaths || c.wasContested()) { // files in this folder may need mending
		c.deaths = h.Deaths
		err = recovery{c}.recover(ctx)
	}
	if err != nil && h.OK {
		h.OK = false
		err = errors.Join(err, c.front.Back(context.WithoutCancel(ctx), h.Item))
	}
	return h, err
}

func (c *Crawl) limits() frontier.Limits {
	return frontier.Limits{Pages: c.set.MaxPages, Docs: c.set.MaxDocs, Bytes: int64(c.set.MaxBytes)}
}

// reached returns the limit that the crawl has reached, "" if none.
func (c *Crawl) reached(ctx context.Context) string { return c.limits().Reached(c.newTotals(ctx)) }

// contest records that the item of a written answer belongs to another process, because others took this one for dead.
func (c *Crawl) contest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.contested = true
}

// wasContested reports whether contest was called since the last call, and finishes the file so that it can be mended.
func (c *Crawl) wasContested() bool {
	c.mu.Lock()
	was := c.contested
	c.contested = false
	c.mu.Unlock()
	if !was {
		return false
	}
	if err := c.writer.Leave(); err != nil {
		c.failed.set(err)
	}
	return true
}

// widen adds the targets of redirected seeds to the scope.
func (c *Crawl) widen(ctx context.Context) error {
	s, err := c.front.State(ctx)
	if err != nil {
		return err
	}
	for _, address := range s.Widens[min(c.widens, len(s.Widens)):] {
		c.scope.widen(address)
	}
	c.widens = len(s.Widens)
	return nil
}

// waits records whether an item waits for another attempt.
func (c *Crawl) waits(item frontier.Item, on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if on {
		c.again[item.Key] = true
	} else {
		delete(c.again, item.Key)
	}
}

// waiting returns the number of addresses in this run that wait for another attempt.
func (c *Crawl) waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.again)
}

// askAgain queues an item for another attempt.
func (c *Crawl) askAgain(ctx context.Context, item frontier.Item) error {
	c.waits(item, true)
	return c.front.Again(ctx, item)
}

// A failure is the first error that ends a crawl.
type failure struct {
	mu  sync.Mutex
	err error
}

func (f *failure) set(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
}

// unless records an error, unless it says that a context was canceled.
func (f *failure) unless(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		f.set(err)
	}
}

func (f *failure) get() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// newTotals returns the totals of the crawl, or the last known ones if the frontier doesn't answer.
func (c *Crawl) newTotals(ctx context.Context) frontier.Totals {
	ctx, cancel := context.WithTimeout(ctx, maxNap)
	defer cancel()
	s, err := c.front.State(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.totals = s.Totals
	}
	return c.totals
}
