package crawl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"sync"
	"time"

	"github.com/varve-archive/varve/crawl/browser"
	"github.com/varve-archive/varve/crawl/frontier"
	"github.com/varve-archive/varve/live"
	"github.com/varve-archive/varve/live/manners"
	"github.com/varve-archive/varve/live/robots"
	"github.com/varve-archive/varve/warc"
	"github.com/varve-archive/varve/warc/write"
)

// Config says where a crawl is and what it is to do.
type Config struct {
	Settings Settings
	Frontier *frontier.Frontier
	Dir      string       // of the WARC files and documents
	Software string       // name and version, for the files
	Agent    string       // the user agent, unless the settings have one
	Log      *slog.Logger // may be nil
	// Patience is how long a host is left alone whose robots.txt doesn't answer, before it is asked again; 0 is five minutes.
	Patience time.Duration
	// PageTime is how long a browser waits until a page is there; 0 is 30 seconds.
	PageTime time.Duration
	Chromium string // path of the browser, "" for the first that is found
	Scratch  string // folder of the browser, which is removed in the end; "" for a temporary one
	// Cookies is a file that keeps the cookies of the browser while the crawl isn't complete, so that one that goes on is still logged in.
	Cookies string
}

// Agent is the name under which robots.txt files address the crawler (RFC 9309 §2.2.1).
const Agent = "varve"

// A Crawl goes on with what its frontier has. Use it for one run.
type Crawl struct {
	cfg    Config
	set    *Settings
	front  *frontier.Frontier
	client *live.Client
	hosts  *manners.Hosts
	robots *robots.Cache // nil if they are ignored
	scope  *scope
	writer *write.Writer
	log    *slog.Logger
	begun  time.Time
	// gateway is where the browser asks; nil without one, and outside of a run.
	gateway *gateway

	mu     sync.Mutex
	last   string // address that was asked for last
	failed error  // what ended the crawl
	flying int64  // pages that are asked for
}

// New opens a crawl: it mends the files that one before it left, and takes what they have out of the frontier. Close it in the end.
func New(ctx context.Context, cfg Config) (*Crawl, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Patience == 0 {
		cfg.Patience = 5 * time.Minute
	}
	c := &Crawl{cfg: cfg, set: &cfg.Settings, front: cfg.Frontier, log: cfg.Log, begun: time.Now()}
	if c.set.UserAgent == "" {
		c.set.UserAgent = cfg.Agent
	}
	if c.set.Browser {
		if _, err := browser.Find(cfg.Chromium); err != nil {
			return nil, err
		}
	}
	c.scope = newScope(c.set, c.front.Widens())
	c.hosts = manners.New(manners.Config{Delay: c.set.Delay, PerHost: c.set.PerHost})
	if err := c.recover(ctx); err != nil {
		return nil, err
	}
	var err error
	c.writer, err = write.New(write.Config{
		Dir: cfg.Dir, Name: c.set.Name, Info: c.info(), Known: func(p write.Payload) (write.Original, bool) { return c.known(ctx, p) },
	})
	if err != nil {
		return nil, err
	}
	most := int64(c.set.MaxBytes)
	if most == 0 { // no limit
		most = math.MaxInt64
	}
	c.client = live.New(live.Config{
		UserAgent: c.set.UserAgent, AllowPrivate: c.set.AllowPrivate, MaxBytes: most, HeadTime: headTime, Dir: cfg.Dir,
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

// headTime is how long a server may take until it begins to answer.
const headTime = time.Minute

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
		{Name: "description", Value: fmt.Sprintf("crawl of %d seeds from %s, scope %s, depth %d", len(c.set.Seeds), c.set.Seeds[0], c.set.Scope,
			c.set.MaxDepth)},
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
	err = errors.Join(err, c.writer.Close(), c.front.End(done, ended, time.Since(c.begun)), c.writeDocuments(done), c.front.Sync(done))
	c.client.Close()
	if ended != "" && c.cfg.Cookies != "" {
		if gone := os.Remove(c.cfg.Cookies); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	if err != nil {
		state, limit = Failed, ""
	}
	return Report{Name: c.set.Name, State: state, Totals: c.front.Totals(), Limit: limit}, err
}

func (c *Crawl) run(ctx context.Context) (state State, limit string, err error) {
	if err := c.front.Begin(ctx, c.seeds(), time.Now()); err != nil {
		return Failed, "", err
	}
	if how := c.front.Ended(); how != "" {
		return State(how), "", nil
	}
	if c.set.Browser {
		if c.gateway, err = c.openGateway(ctx); err != nil {
			return Failed, "", err
		}
		defer func() { err = errors.Join(err, c.gateway.close()) }()
	}
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	if c.set.Walltime > 0 {
		limited, cancel = context.WithTimeout(limited, c.set.Walltime)
		defer cancel()
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
func (c *Crawl) seeds() (found frontier.Found) {
	for _, seed := range c.set.Seeds {
		key := keyOf(seed)
		found.Items = append(found.Items, frontier.Item{
			Key: key, URL: seed, Host: hostOf(seed), Kind: frontier.Page, Seed: true, Run: runOf(seed, 0),
		})
	}
	return found
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
		if err := c.problem(); err != nil || ctx.Err() != nil {
			return "", err
		}
		if time.Since(synced) > syncEvery {
			if err := errors.Join(c.writer.Sync(), c.front.Sync(ctx)); err != nil {
				return "", err
			}
			synced = time.Now()
		}
		item, wait, state, flying, err := c.next(ctx, &limit)
		if err != nil && ctx.Err() == nil {
			return "", err
		}
		if state == some {
			threads.Go(func() {
				c.visit(ctx, item)
				<-free
				wake(ended)
			})
			continue
		}
		<-free
		if state == none && flying == 0 {
			return limit, nil
		}
		select {
		case <-ended:
		case <-time.After(wait):
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

// What next has found.
const (
	none  = iota // nothing is left that may be asked for
	later        // something is, but not now
	some
)

// longestNap is how long the crawl waits at most before it looks again.
const longestNap = time.Second

// next takes an item whose host may be asked now.
// flying is how many items were asked for then.
func (c *Crawl) next(ctx context.Context, limit *string) (item frontier.Item, wait time.Duration, state, flying int, err error) {
	totals := c.front.Totals()
	*limit = c.reached(totals)
	if *limit == "max_docs" || *limit == "max_bytes" {
		return item, longestNap, none, c.front.Flying(), nil
	}
	wait, waiting, now := longestNap, false, time.Now()
	item, ok, flying, err := c.front.Next(ctx, func(first frontier.Item) bool {
		if first.Kind == frontier.Page && !c.mayPage(totals.Pages) {
			return false
		}
		ok, pause := c.hosts.Take(first.Host, now)
		if !ok {
			waiting = true
			if pause > 0 {
				wait = min(wait, pause)
			}
		}
		return ok
	})
	switch {
	case err != nil:
		return item, wait, later, flying, err
	case ok:
		c.taken(item, 1)
		return item, 0, some, flying, nil
	case waiting:
		return item, wait, later, flying, nil
	}
	return item, wait, none, flying, nil
}

// reached returns the limit that a crawl has reached, "" if none.
func (c *Crawl) reached(t frontier.Totals) string {
	switch {
	case c.set.MaxPages > 0 && t.Pages >= c.set.MaxPages:
		return "max_pages"
	case c.set.MaxDocs > 0 && t.Docs >= c.set.MaxDocs:
		return "max_docs"
	case c.set.MaxBytes > 0 && t.Bytes >= int64(c.set.MaxBytes):
		return "max_bytes"
	}
	return ""
}

// mayPage reports whether another page may be asked for, given how many there are.
func (c *Crawl) mayPage(pages int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.set.MaxPages == 0 || pages+c.flying < c.set.MaxPages
}

// taken counts pages that are asked for, and notes the address.
func (c *Crawl) taken(item frontier.Item, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if item.Kind == frontier.Page {
		c.flying += n
	}
	if n > 0 {
		c.last = item.URL
	}
}

// fail ends the crawl.
func (c *Crawl) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil {
		c.failed = err
	}
}

// must ends the crawl if something can't be written. That a context has ended is no reason.
func (c *Crawl) must(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		c.fail(err)
	}
}

func (c *Crawl) problem() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// Report says how far the crawl is. It may be called while it runs.
func (c *Crawl) Report() Report {
	t := c.front.Totals()
	t.Seconds += time.Since(c.begun).Seconds()
	c.mu.Lock()
	defer c.mu.Unlock()
	return Report{Name: c.set.Name, State: Running, Totals: t, URL: c.last}
}
