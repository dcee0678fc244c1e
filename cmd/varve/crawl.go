package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/varve-archive/varve/cdx/index/badger"
	"github.com/varve-archive/varve/cdx/index/store"
	"github.com/varve-archive/varve/crawl"
	"github.com/varve-archive/varve/crawl/frontier"
	"github.com/varve-archive/varve/internal/disk"
)

type crawlCmd struct {
	Targets []string `arg:"" optional:"" name:"target" help:"A crawl file (YAML), or URLs to begin at."`
	Warcs   string   `help:"Folder for the WARC files and documents; warcs/COLLECTION in --data without." placeholder:"DIR"`
	New     bool     `help:"Begin anew, instead of going on with the crawl of this name; what was captured stays."`
	Status  bool     `help:"Print how far all crawls are, a JSON object each."`
	Try     string   `help:"Print what the template of the crawl file takes from one page, and write nothing." placeholder:"URL"`
	// Chromium is no key of a crawl file, since it says something of this machine.
	Chromium string `help:"Browser for crawls with one; without, the first Chromium in the path." placeholder:"PATH"`
	crawlFlags
}

// crawlFlags are keys of a crawl file, for crawls without one.
type crawlFlags struct {
	Name         *string        `help:"Name of the crawl and its files; that of the host without." placeholder:"NAME"`
	Scope        *string        `help:"Which pages belong to it: page, prefix, host, domain or any." placeholder:"SCOPE"`
	Include      []string       `help:"Regular expression that pages have to match." placeholder:"REGEXP" sep:"none"`
	Exclude      []string       `help:"Regular expression of addresses that are left out." placeholder:"REGEXP" sep:"none"`
	Pagination   []string       `help:"CSS selector or XPath of links that don't count as depth." placeholder:"SELECTOR" sep:"none"`
	Order        *string        `help:"Which pages come first: breadth or depth." placeholder:"ORDER"`
	MaxPages     *int64         `help:"Most pages; 0 is no limit, here and below." placeholder:"N"`
	MaxDepth     *int           `help:"Most jumps from a seed." placeholder:"N"`
	MaxBytes     *crawl.Size    `help:"Most bytes of answers." placeholder:"SIZE"`
	Walltime     *time.Duration `help:"Longest time of one run." placeholder:"TIME"`
	Threads      *int           `help:"Requests at a time." placeholder:"N"`
	PerHost      *int           `help:"Requests at a time to one host." placeholder:"N"`
	Delay        *time.Duration `help:"Pause between two requests to a host." placeholder:"TIME"`
	Robots       *string        `help:"obey, ignore, or the URL of another robots.txt." placeholder:"RULE"`
	Sitemaps     *bool          `help:"Read the sitemaps of seeds." negatable:""`
	Browser      *bool          `help:"Open pages in a browser, which is recorded." negatable:""`
	AllowPrivate *bool          `help:"Ask addresses too that aren't on the public Internet." negatable:""`
	UserAgent    *string        `help:"What the crawler calls itself, with a contact." placeholder:"TEXT"`
}

// Validate checks the flags; kong calls it after parsing.
func (c *crawlCmd) Validate() error {
	switch {
	case c.Status && (len(c.Targets) > 0 || c.New || c.Try != ""):
		return errors.New("--status is about all crawls, so it goes with nothing else")
	case !c.Status && len(c.Targets) == 0:
		return errors.New("expected a crawl file, or URLs to begin at")
	case c.Try != "" && !c.isFile():
		return errors.New("--try needs a crawl file, whose template it tries")
	}
	return nil
}

// isFile reports whether the target is a crawl file.
func (c *crawlCmd) isFile() bool {
	return len(c.Targets) == 1 && !strings.Contains(c.Targets[0], "://")
}

// Run crawls.
func (c *crawlCmd) Run(ctx context.Context, p *program) error {
	if c.Status {
		return p.crawlStatus(ctx)
	}
	s, err := c.settings()
	if err != nil {
		p.say(err.Error())
		return errUsage
	}
	if c.Try != "" {
		return c.tryPage(ctx, p, s)
	}
	j := &crawlJob{gathering: p.gather(c.Warcs), settings: s, chromium: c.Chromium}
	return j.run(ctx, c.New)
}

// settings reads the crawl file, or makes settings of URLs and flags.
func (c *crawlCmd) settings() (s crawl.Settings, err error) {
	if !c.isFile() {
		s = crawl.Defaults()
		s.Seeds = c.Targets
		c.apply(&s)
		return s, s.Check()
	}
	if c.crawlFlags.given() {
		return s, errors.New("flags such as --scope are for crawls without a file: write them into the file, as keys")
	}
	text, err := os.ReadFile(c.Targets[0])
	if err != nil {
		return s, err
	}
	if s, err = crawl.Parse(text); err != nil {
		return s, fmt.Errorf("%s: %w", c.Targets[0], err)
	}
	return s, nil
}

func (f *crawlFlags) given() bool {
	var s crawl.Settings
	return f.apply(&s) > 0
}

// apply sets what flags say, and returns how many do.
func (f *crawlFlags) apply(s *crawl.Settings) (n int) {
	count := func(set bool) {
		if set {
			n++
		}
	}
	scope, order := (*crawl.Scope)(f.Scope), (*frontier.Order)(f.Order)
	count(take(&s.Name, f.Name))
	count(take(&s.Scope, scope))
	count(takeList(&s.Include, f.Include))
	count(takeList(&s.Exclude, f.Exclude))
	count(takeList(&s.Pagination, f.Pagination))
	count(take(&s.Order, order))
	count(take(&s.MaxPages, f.MaxPages))
	count(take(&s.MaxDepth, f.MaxDepth))
	count(take(&s.MaxBytes, f.MaxBytes))
	count(take(&s.Walltime, f.Walltime))
	count(take(&s.Threads, f.Threads))
	count(take(&s.PerHost, f.PerHost))
	count(take(&s.Delay, f.Delay))
	count(take(&s.Robots, f.Robots))
	count(take(&s.Sitemaps, f.Sitemaps))
	count(take(&s.Browser, f.Browser))
	count(take(&s.AllowPrivate, f.AllowPrivate))
	count(take(&s.UserAgent, f.UserAgent))
	return n
}

func take[T any](into, from *T) bool {
	if from != nil {
		*into = *from
	}
	return from != nil
}

func takeList(into *[]string, from []string) bool {
	*into = from
	return len(from) > 0
}

// crawlAgent is what the crawler calls itself unless told otherwise.
func crawlAgent() string {
	return "varve/" + strings.TrimPrefix(version(), "v") + " (+https://github.com/varve-archive/varve)"
}

// tryPage prints the fields of one page.
func (c *crawlCmd) tryPage(ctx context.Context, p *program, s crawl.Settings) error {
	if s.Template == nil {
		p.say(c.Targets[0] + ": there is no template to try")
		return errUsage
	}
	t, err := crawl.Try(ctx, crawl.Config{Settings: s, Agent: crawlAgent(), Chromium: c.Chromium, Log: p.log()}, c.Try)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Try, err)
	}
	for _, f := range t.Failed {
		p.say(fmt.Sprintf("line %d: %v", f.Step.Line, f))
	}
	return p.printJSON(t.Values)
}

func (p *program) printJSON(v any) error {
	out := json.NewEncoder(p.stdout)
	out.SetEscapeHTML(false)
	return out.Encode(v)
}

// crawlsDir is where crawls keep what they know, in a folder for each.
func (p *program) crawlsDir() string { return filepath.Join(p.Data, "crawls") }

// statusFile is where a running crawl says how far it is, in its folder.
const statusFile = "status.json"

// cookiesFile keeps what a browser is logged in with, in the folder of its crawl, until that is complete.
const cookiesFile = "cookies.json"

// A crawlJob is a run of a crawl.
type crawlJob struct {
	*gathering
	settings crawl.Settings
	chromium string // path, or ""
}

func (j *crawlJob) run(ctx context.Context, anew bool) (err error) {
	home := filepath.Join(j.crawlsDir(), j.settings.Name)
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	s, err := badger.Open(filepath.Join(home, "frontier"), j.log())
	if errors.Is(err, store.ErrInUse) {
		return fmt.Errorf("the crawl %s is running already: give another a name of its own", j.settings.Name)
	} else if err != nil {
		return err
	}
	front, err := frontier.Open(ctx, s, j.settings.Order)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	defer func() { err = errors.Join(err, front.Close()) }()
	if anew {
		err := errors.Join(front.Restart(ctx), crawl.PutAside(j.dir, j.settings.Name, time.Now()))
		if gone := os.Remove(filepath.Join(home, cookiesFile)); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
		if err != nil {
			return err
		}
	}
	c, err := crawl.New(ctx, crawl.Config{
		Settings: j.settings, Frontier: front, Dir: j.dir, Software: "varve/" + version(), Agent: crawlAgent(), Log: j.log(),
		Chromium: j.chromium, Scratch: filepath.Join(home, "browser"), Cookies: filepath.Join(home, cookiesFile),
	})
	if err != nil {
		return err
	}
	stop := j.show(c, filepath.Join(home, statusFile))
	report, failed := c.Run(ctx)
	stop()
	err = writeStatus(filepath.Join(home, statusFile), report)
	err = errors.Join(failed, err, j.takeIn(context.WithoutCancel(ctx)), j.printJSON(report))
	return err
}

// show says how far a crawl is, until stop is called.
func (j *crawlJob) show(c *crawl.Crawl, status string) (stop func()) {
	quit := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for n := int64(1); ; n++ {
			r := c.Report()
			_ = writeStatus(status, r) // the last one counts
			if n%int64(lineEvery/time.Second) == 0 {
				j.say(progressOf(r))
			}
			select {
			case <-tick.C:
			case <-quit:
				return
			}
		}
	})
	return func() {
		close(quit)
		wait.Wait()
	}
}

func progressOf(r crawl.Report) string {
	said := fmt.Sprintf("crawl %s: %s, %s, %s", r.Name, counted(r.Pages, "page"), counted(r.Parts, "part"), humanize.Bytes(uint64(r.Bytes)))
	if r.Docs > 0 {
		said += ", " + counted(r.Docs, "document")
	}
	var skipped int64
	for _, n := range r.Skipped {
		skipped += n
	}
	if skipped > 0 {
		said += fmt.Sprintf(", %d skipped", skipped)
	}
	return said + ", now " + r.URL
}

func writeStatus(path string, r crawl.Report) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return disk.WriteCached(path, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// crawlStatus prints how far all crawls are.
func (p *program) crawlStatus(ctx context.Context) error {
	list, err := os.ReadDir(p.crawlsDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range list {
		if !e.IsDir() {
			continue
		}
		r, err := p.statusOf(ctx, filepath.Join(p.crawlsDir(), e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return fmt.Errorf("crawl %s: %w", e.Name(), err)
		}
		if err := p.printJSON(r); err != nil {
			return err
		}
	}
	return nil
}

// statusOf returns how far a crawl is. One that is said to run but was killed has stopped.
func (p *program) statusOf(ctx context.Context, home string) (r crawl.Report, err error) {
	text, err := os.ReadFile(filepath.Join(home, statusFile))
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, err
	}
	if r.State != crawl.Running {
		return r, nil
	}
	s, err := badger.Open(filepath.Join(home, "frontier"), p.log())
	if errors.Is(err, store.ErrInUse) {
		return r, nil
	} else if err != nil {
		return r, err
	}
	front, err := frontier.Open(ctx, s, frontier.Breadth)
	if err != nil {
		return r, errors.Join(err, s.Close())
	}
	r.State, r.URL, r.Totals = crawl.Stopped, "", front.Totals()
	return r, front.Close()
}
