package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"sync"
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/robots"
	"github.com/varve-archive/varve/internal/chromium"
)

// Config says where a crawl is and what it is to do.
type Config struct {
	Settings Settings
	Frontier frontier.Frontier
	Dir      string // of the WARC files and documents
	// Fixed are settings of the place of the crawl, such as its collection, which stay what they were when it began.
	Fixed []frontier.Setting
	// Mark tells the files of this process from those of others that write with the same name into this folder or another; letters and
	// digits, "" for none.
	Mark string
	// Moved has the complete files that were taken out of Dir; nil if there are none.
	Moved   Elsewhere
	Storage warc.Storage // nil for the folders of this machine
	// Shared says that other processes work on the crawl, whose files this one may not see.
	Shared   bool
	Software string       // name and version, for the files
	Agent    string       // the user agent, unless the settings have one
	Log      *slog.Logger // may be nil
	// Patience is how long a host is left alone whose robots.txt doesn't answer, before it is asked again; 0 is a second.
	Patience time.Duration
	// HeadTime is how long a server may take until it begins to answer; 0 is 30 seconds.
	HeadTime time.Duration
	// PageTime is how long a browser waits until a page is there; 0 is 30 seconds.
	PageTime time.Duration
	Chromium string // path of the browser, "" for the first that is found
	Show     bool   // its window, for people to watch
	Scratch  string // folder of the browser, which is removed in the end; "" for a temporary one
	// Cookies is a file that keeps the cookies of the browser while the crawl isn't complete, so that one that goes on is still logged in.
	Cookies string
}

// Elsewhere is where complete files are that were taken out of the folder of a crawl, by this process or another.
type Elsewhere interface {
	// Find returns where a file of a name is, for the storage to open; "" if it isn't there.
	Find(ctx context.Context, name string) (path string, err error)
	// Names returns the names of all files.
	Names(ctx context.Context) ([]string, error)
}

// Agent is the name under which robots.txt files address the crawler (RFC 9309 §2.2.1).
const Agent = "varve"

// A Crawl goes on with what its frontier has. Use it for one run.
type Crawl struct {
	cfg    Config
	set    *Settings
	front  frontier.Frontier
	client *client.Client
	robots *robots.Cache // nil if they are ignored
	scope  *scope
	writer *write.Writer
	log    *slog.Logger
	watch  *stopwatch // of this run, off while it is paused
	recent recent
	silent *silences
	tally  *tally
	// gateway is where the browser asks; nil without one, and outside of a run.
	gateway *gateway
	cookies *cookies // without a browser, which has its own
	facets  *facets

	mu     sync.Mutex
	last   string          // address that was asked for last
	failed failure         // what ended the crawl
	totals frontier.Totals // as they were known last
	again  map[string]bool // keys of what waits to be asked for once more

	// What the thread that hands out items has seen of what other processes do.
	widens, deaths int
	contested      bool // an answer that was written is another's; guarded by mu
}

// New opens a crawl: it mends the files that one before it left, and takes what they have out of the frontier. Close it in the end.
func New(ctx context.Context, cfg Config) (*Crawl, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Storage == nil {
		cfg.Storage = warc.Local{}
	}
	if cfg.Patience == 0 {
		cfg.Patience = time.Second
	}
	cfg.HeadTime = cmp.Or(cfg.HeadTime, headTime)
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
		c.cookies = newCookies()
	}
	if c.set.UserAgent == "" {
		c.set.UserAgent = cfg.Agent
	}
	if c.set.Browser {
		if _, err := chromium.Find(cfg.Chromium, cfg.Show); err != nil {
			return nil, err
		}
	}
	c.scope = newScope(c.set)
	var err error
	if c.silent, err = newSilences(); err != nil {
		return nil, err
	}
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
		UserAgent: c.set.UserAgent, AllowPrivate: c.set.AllowPrivate, MaxBytes: most, HeadTime: cfg.HeadTime, Dir: cfg.Dir,
	})
	switch c.set.Robots {
	case RobotsIgnore:
	case RobotsObey:
		c.robots = robots.NewCache(Agent, "", c.cfg.Patience, c.fetchRobots)
	default:
		c.robots = robots.NewCache(Agent, c.set.Robots, c.cfg.Patience, c.fetchRobots)
	}
	return c, nil
}

const headTime = 30 * time.Second

// info are the fields of the record that each file begins with.
func (c *Crawl) info() warc.Fields {
	robots := c.set.Robots
	if robots == RobotsObey {
		robots = "obey (RFC 9309)"
	}
	return warc.Fields{
		{Name: "software", Value: c.cfg.Software},
		{Name: "http-header-user-agent", Value: c.set.UserAgent},
		{Name: "robots", Value: robots},
		{Name: "isPartOf", Value: c.set.Name},
		{
			Name: "description",
			Value: fmt.Sprintf("crawl of %d seeds from %s, scope %s, depth %d", len(c.set.Seeds), c.set.Seeds[0], c.set.Scope,
				c.set.MaxDepth),
		},
	}
}

// Run goes on with the crawl until it ends, or ctx does. The report is that of its end; the error is what it failed for.
func (c *Crawl) Run(ctx context.Context) (Report, error) {
	state, limit, err := c.run(ctx)
	ended := string(state)
	if state != Completed || limit != "" { // with another limit it goes on
		ended = ""
	}
	done := context.WithoutCancel(ctx)
	ran, _ := c.watch.shows()
	if errors.Is(err, frontier.ErrUnavailable) { // whether all that was written is done is found out by the next process
		err = errors.Join(err, c.writer.Leave())
	} else {
		err = errors.Join(err, c.front.Sync(done, c.writer.Close), c.front.End(done, ended, ran), documents{c}.writeDocuments(done),
			documents{c}.writeTemplate(done), c.front.Sync(done, func() error { return nil }))
	}
	c.client.Close()
	if ended != "" && c.cfg.Cookies != "" {
		if gone := os.Remove(c.cfg.Cookies); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
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
		before, _ := c.watch.shows() // while the crawl was opened
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

// seeds are what a crawl begins with.
func (c *Crawl) seeds() (items []frontier.Item) {
	for _, seed := range c.set.Seeds {
		key := keyOf(seed)
		items = append(items, frontier.Item{
			Key: key, URL: seed, Host: hostOf(seed), Kind: frontier.Page, Seed: true, Run: runOf(seed, 0),
		})
	}
	return items
}

// syncEvery is how often what was written is made to survive a loss of power.
const syncEvery = 30 * time.Second

// dispatch hands items to threads until none is left or a limit is reached, whose key it returns.
func (c *Crawl) dispatch(ctx context.Context) (limit string, err error) {
	var threads sync.WaitGroup
	defer threads.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	free := make(chan struct{}, c.set.Threads) // a place for each thread that runs
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
		if time.Since(synced) > syncEvery {
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
		case <-time.After(nap(h.Wait)):
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

// longestNap is how long the crawl waits at most before it looks again.
const longestNap = time.Second

// nap returns how long to wait before looking again.
func nap(known time.Duration) time.Duration {
	if known <= 0 {
		return longestNap
	}
	return min(known, longestNap)
}

// next takes an item whose host may be asked now, and follows what other processes have done meanwhile.
func (c *Crawl) next(ctx context.Context) (frontier.Handed, error) {
	if _, on := c.watch.shows(); !on {
		return frontier.Handed{Waits: true}, nil
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
	if err == nil && (h.Deaths != c.deaths || c.isDoubted()) { // files in this folder may have to be mended
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

// contest says that an answer that was written here is another's, who believed this process to be dead.
func (c *Crawl) contest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.contested = true
}

// isDoubted reports whether there was such an answer since it was called last, and leaves the file with it to be mended.
func (c *Crawl) isDoubted() bool {
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

// widen takes the addresses that seeds were redirected to into the scope.
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

// waits notes that an item is put behind the others, to be asked for again, or that it no longer waits for that.
func (c *Crawl) waits(item frontier.Item, on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if on {
		c.again[item.Key] = true
	} else {
		delete(c.again, item.Key)
	}
}

// waiting returns how many addresses this run has left that asked to come back, or didn't answer.
func (c *Crawl) waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.again)
}

// askAgain puts an item behind the others.
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

// unless sets an error if something can't be written. That a context has ended is none.
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

// newTotals returns what became of the crawl so far, or what was known last if the frontier doesn't answer.
func (c *Crawl) newTotals(ctx context.Context) frontier.Totals {
	ctx, cancel := context.WithTimeout(ctx, longestNap)
	defer cancel()
	s, err := c.front.State(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.totals = s.Totals
	}
	return c.totals
}
