package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/gathering"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/crawl/frontier/redis"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/internal/strict"
)

type crawlCmd struct {
	Targets  []string `arg:"" optional:"" name:"target" help:"A crawl file (YAML), or URLs to begin at."`
	Warcs    string   `help:"Folder or s3://BUCKET/PREFIX for WARCs and documents, else warcs/COLLECTION in --data." placeholder:"DIR" cfg:""`
	Frontier string   `help:"Redis on which processes share a crawl: redis://HOST:PORT/DB, rediss:, unix:." placeholder:"URL" cfg:""`
	New      bool     `help:"Begin anew, instead of going on with the crawl of this name; what was captured stays."`
	Status   bool     `help:"Print how far all crawls are, a JSON object each."`
	Pause    string   `help:"Have the crawl of this name ask for nothing more until it is resumed." placeholder:"NAME"`
	Resume   string   `help:"Have the crawl of this name go on." placeholder:"NAME"`
	Stop     string   `help:"End the crawl of this name, as Ctrl-C does." placeholder:"NAME"`
	Wait     bool     `help:"Run the crawls that were left on the page of a server, one after the other, until stopped."`
	Beside   bool     `help:"End when standard input does." hidden:""`
	Try      string   `help:"Print what the template of the crawl file takes from one page, and write nothing." placeholder:"URL"`
	// Chromium isn't a key of a crawl file, since it depends on this machine.
	Chromium string `help:"Browser for crawls with one; without, the first Chromium in the path." placeholder:"PATH" cfg:""`
	Show     bool   `help:"Open the browser's window, to watch a crawl with one."`
	crawlFlags
}

// crawlFlags are keys of a crawl file as flags.
type crawlFlags struct {
	Name         *string        `help:"Name of the crawl and its files; that of the host without." placeholder:"NAME"`
	Scope        *string        `help:"Which pages belong to it: page, prefix, host, domain or any." placeholder:"SCOPE"`
	Include      []string       `help:"Regular expression that pages have to match." placeholder:"REGEXP" sep:"none"`
	Exclude      []string       `help:"Regular expression of addresses that are left out." placeholder:"REGEXP" sep:"none"`
	Pagination   []string       `help:"CSS selector or XPath of links that don't count as depth." placeholder:"SELECTOR" sep:"none"`
	Links        *string        `help:"Which links lead on: all, or those of --pagination alone." placeholder:"LINKS"`
	Order        *string        `help:"Which pages come first: breadth or depth." placeholder:"ORDER"`
	MaxPages     *int64         `help:"Most pages; 0 is no limit, here and below." placeholder:"N"`
	MaxDepth     *int           `help:"Most jumps from a seed." placeholder:"N"`
	MaxBytes     *strict.Size   `help:"Most bytes of answers." placeholder:"SIZE"`
	Walltime     *time.Duration `help:"Longest time of one run." placeholder:"TIME"`
	Threads      *int           `help:"Requests at a time." placeholder:"N"`
	PerHost      *int           `help:"Requests at a time to one host." placeholder:"N"`
	Delay        *time.Duration `help:"Pause between two requests to a host." placeholder:"TIME"`
	Robots       *string        `help:"obey, ignore, or the URL of another robots.txt." placeholder:"RULE"`
	Sitemaps     *bool          `help:"Read the sitemaps of seeds." negatable:""`
	Browser      *bool          `help:"Open pages in a browser, which is recorded." negatable:""`
	AllowPrivate *bool          `help:"Ask addresses too that aren't on the public Internet." negatable:""`
	InsecureTLS  *bool          `help:"Ask servers too with invalid certificates or old TLS." name:"insecure-tls" negatable:""`
	UserAgent    *string        `help:"What the crawler calls itself, with a contact." placeholder:"TEXT"`
}

// Validate checks the flags; kong calls it after parsing.
func (c *crawlCmd) Validate() error {
	if err := gathering.CheckPlace(c.Warcs); err != nil {
		return err
	}
	switch {
	case c.about() > 1, c.about() == 1 && (len(c.Targets) > 0 || c.New || c.Try != ""):
		return errors.New("--status, --pause, --resume and --stop are about crawls that are there, so each goes with nothing else")
	case c.Wait && (len(c.Targets) > 0 || c.New || c.Try != "" || c.Frontier != "" || c.crawlFlags.given()):
		return errors.New("--wait runs crawls as they were left: it takes no targets, nor flags about one crawl")
	case c.about() == 0 && len(c.Targets) == 0 && !c.Wait:
		return errors.New("expected a crawl file, or URLs to begin at")
	case c.Try != "" && !c.isFile():
		return errors.New("--try needs a crawl file, whose template it tries")
	case c.Frontier != "":
		return redis.CheckURL(c.Frontier)
	}
	return nil
}

// about returns the number of flags that concern existing crawls.
func (c *crawlCmd) about() int {
	n := len(c.orders())
	if c.Status {
		n++
	}
	if c.Wait && n > 0 {
		n++
	}
	return n
}

// An orderTo is an order to the crawl of a name.
type orderTo struct {
	name  string
	order runs.Order
}

func (c *crawlCmd) orders() (list []orderTo) {
	for _, o := range []orderTo{{c.Pause, runs.Pause}, {c.Resume, runs.Resume}, {c.Stop, runs.Stop}} {
		if o.name != "" {
			list = append(list, o)
		}
	}
	return list
}

func (c *crawlCmd) isFile() bool {
	return len(c.Targets) == 1 && !strings.Contains(c.Targets[0], "://")
}

// Run crawls.
func (c *crawlCmd) Run(ctx context.Context, w *workspace.Workspace) error {
	if c.Status && c.Frontier != "" {
		return printSharedCrawls(ctx, w, c.Frontier)
	}
	if c.Status {
		return printCrawls(w)
	}
	if o := c.orders(); len(o) > 0 {
		return w.Crawls().Order(ctx, o[0].name, o[0].order)
	}
	if c.Wait {
		return c.wait(ctx, w)
	}
	s, err := c.settings()
	if err != nil {
		w.Say(err.Error())
		return console.ErrUsage
	}
	if c.Show && !s.Browser {
		w.Say("--show: the crawl has no browser to show; browser: true (--browser) opens pages in one")
		return console.ErrUsage
	}
	if c.Try != "" {
		return c.tryPage(ctx, w, s)
	}
	out, err := gathering.Open(ctx, w, c.Warcs, s.Name)
	if err != nil {
		return err
	}
	return (&gathering.Crawl{Output: out, Settings: s, Shared: c.Frontier, Chromium: c.Chromium, Show: c.Show}).Run(ctx, c.New)
}

// wait runs crawls from the queue of jobs.
func (c *crawlCmd) wait(ctx context.Context, w *workspace.Workspace) error {
	if c.Beside {
		var end context.CancelFunc
		ctx, end = context.WithCancel(ctx)
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin) // until the server that started this process ends
			end()
		}()
	}
	return (&gathering.Jobs{Workspace: w, Warcs: c.Warcs, Chromium: c.Chromium, Show: c.Show}).Run(ctx)
}

// settings reads the crawl file, or makes settings from URLs and flags.
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

func (f *crawlFlags) given() bool { return f.apply(&crawl.Settings{}) }

// apply sets the given flags, and reports whether there are any.
func (f *crawlFlags) apply(s *crawl.Settings) bool {
	scope, order := (*crawl.Scope)(f.Scope), (*frontier.Order)(f.Order)
	return slices.Contains([]bool{
		take(&s.Name, f.Name), take(&s.Scope, scope), takeList(&s.Include, f.Include), takeList(&s.Exclude, f.Exclude),
		takeList(&s.Pagination, f.Pagination), take(&s.Links, f.Links), take(&s.Order, order), take(&s.MaxPages, f.MaxPages),
		take(&s.MaxDepth, f.MaxDepth), take(&s.MaxBytes, f.MaxBytes), take(&s.Walltime, f.Walltime), take(&s.Threads, f.Threads),
		take(&s.PerHost, f.PerHost), take(&s.Delay, f.Delay), take(&s.Robots, f.Robots), take(&s.Sitemaps, f.Sitemaps),
		take(&s.Browser, f.Browser), take(&s.AllowPrivate, f.AllowPrivate), take(&s.InsecureTLS, f.InsecureTLS),
		take(&s.UserAgent, f.UserAgent),
	}, true)
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

func (c *crawlCmd) tryPage(ctx context.Context, w *workspace.Workspace, s crawl.Settings) error {
	if s.Template == nil {
		w.Say(c.Targets[0] + ": there is no template to try")
		return console.ErrUsage
	}
	t, err := crawl.Try(ctx, crawl.Config{Settings: s, Agent: w.Agent(), Chromium: c.Chromium, Show: c.Show, Log: w.Log()}, c.Try)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Try, err)
	}
	for _, f := range t.Failed {
		w.Sayf("line %d: %v", f.Step.Line, f)
	}
	if s.Template.Each != "" {
		return printRows(w, &s, t)
	}
	for _, r := range t.Rows {
		return w.PrintJSON(s.Data(r.Values))
	}
	return w.PrintJSON(fields.Values{})
}

// printRows prints a line for each row, in the format of NAME.jsonl.
func printRows(w *workspace.Workspace, s *crawl.Settings, t crawl.Trial) error {
	if t.Cut {
		w.Sayf("the page has more than %d rows: these are the first", fields.MaxRows)
	}
	for _, r := range t.Rows {
		if err := w.PrintJSON(struct {
			Row    int            `json:"row"`
			Values map[string]any `json:"values"`
		}{r.Number, s.Data(r.Values)}); err != nil {
			return err
		}
	}
	return nil
}

func printCrawls(w *workspace.Workspace) error {
	all, err := w.Crawls().All()
	for i := range all {
		err = errors.Join(err, w.PrintJSON(all[i].Report))
	}
	return err
}

// printSharedCrawls prints the progress of the crawls on a Redis server.
func printSharedCrawls(ctx context.Context, w *workspace.Workspace, address string) error {
	names, err := redis.Crawls(ctx, address)
	if err != nil {
		return err
	}
	for _, name := range names {
		r, begun, err := sharedCrawl(ctx, address, name)
		if err != nil {
			return err
		}
		if !begun {
			continue
		}
		if err := w.PrintJSON(r); err != nil {
			return err
		}
	}
	return nil
}

// sharedCrawl returns the progress of a crawl. begun is false if it has no seeds yet.
func sharedCrawl(ctx context.Context, address, name string) (r crawl.Report, begun bool, err error) {
	front, err := redis.Open(ctx, redis.Config{URL: address, Name: name})
	if err != nil {
		return r, false, err
	}
	s, err := front.State(ctx)
	r = crawl.Report{Name: name, State: crawl.Stopped, Totals: runs.Totals(s.Totals), Processes: s.Processes}
	switch {
	case s.Processes > 0:
		r.State = crawl.Running
	case s.Ended != "":
		r.State = crawl.State(s.Ended)
	}
	return r, !s.Begun.IsZero(), errors.Join(err, front.Close())
}
