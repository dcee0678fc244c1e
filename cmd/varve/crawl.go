package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/crawl/frontier/local"
	"github.com/varve-archive/varve/gather/crawl/frontier/redis"
	"github.com/varve-archive/varve/gather/runs"
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
	Try      string   `help:"Print what the template of the crawl file takes from one page, and write nothing." placeholder:"URL"`
	// Chromium is no key of a crawl file, since it says something of this machine.
	Chromium string `help:"Browser for crawls with one; without, the first Chromium in the path." placeholder:"PATH" cfg:""`
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
	if err := checkWarcs(c.Warcs); err != nil {
		return err
	}
	switch {
	case c.about() > 1, c.about() == 1 && (len(c.Targets) > 0 || c.New || c.Try != ""):
		return errors.New("--status, --pause, --resume and --stop are about crawls that are there, so each goes with nothing else")
	case c.about() == 0 && len(c.Targets) == 0:
		return errors.New("expected a crawl file, or URLs to begin at")
	case c.Try != "" && !c.isFile():
		return errors.New("--try needs a crawl file, whose template it tries")
	case c.Frontier != "":
		return redis.CheckURL(c.Frontier)
	}
	return nil
}

// about returns how many flags are about crawls that are there.
func (c *crawlCmd) about() int {
	n := len(c.orders())
	if c.Status {
		n++
	}
	return n
}

// An orderTo is an order to a crawl of a name.
type orderTo struct {
	name  string
	order runs.Order
}

// orders returns what flags order.
func (c *crawlCmd) orders() (list []orderTo) {
	for _, o := range []orderTo{{c.Pause, runs.Pause}, {c.Resume, runs.Resume}, {c.Stop, runs.Stop}} {
		if o.name != "" {
			list = append(list, o)
		}
	}
	return list
}

// isFile reports whether the target is a crawl file.
func (c *crawlCmd) isFile() bool {
	return len(c.Targets) == 1 && !strings.Contains(c.Targets[0], "://")
}

// Run crawls.
func (c *crawlCmd) Run(ctx context.Context, p *program) error {
	if c.Status && c.Frontier != "" {
		return p.sharedStatus(ctx, c.Frontier)
	}
	if c.Status {
		return p.crawlStatus()
	}
	if o := c.orders(); len(o) > 0 {
		return p.crawls().Order(ctx, o[0].name, o[0].order)
	}
	s, err := c.settings()
	if err != nil {
		p.say(err.Error())
		return errUsage
	}
	if c.Try != "" {
		return c.tryPage(ctx, p, s)
	}
	g, err := p.gather(ctx, c.Warcs, s.Name)
	if err != nil {
		return err
	}
	j := &crawlJob{gathering: g, settings: s, shared: c.Frontier, chromium: c.Chromium}
	return j.begin(ctx, c.New)
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
	if s.Template.Each != "" {
		return p.printRows(t)
	}
	for _, r := range t.Rows {
		return p.printJSON(r.Values)
	}
	return p.printJSON(fields.Values{})
}

// printRows prints a line for each row, as they stand in NAME.jsonl.
func (p *program) printRows(t crawl.Trial) error {
	if t.Cut {
		p.say(fmt.Sprintf("the page has more than %d rows: these are the first", fields.MaxRows))
	}
	for _, r := range t.Rows {
		if err := p.printJSON(r); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) printJSON(v any) error {
	out := json.NewEncoder(p.stdout)
	out.SetEscapeHTML(false)
	return out.Encode(v)
}

// crawls is where crawls keep what they know, in a folder for each.
func (p *program) crawls() runs.Folder { return runs.Folder(filepath.Join(p.Data, "crawls")) }

// cookiesFile keeps what a browser is logged in with, in the folder of its crawl, until that is complete.
const cookiesFile = "cookies.json"

// A crawlJob is a run of a crawl.
type crawlJob struct {
	*gathering
	settings crawl.Settings
	shared   string     // where its frontier is, if others work on it; "" if it is in the folder of the data
	mine     *runs.Mine // nil if another process of a shared crawl is seen and steered here
	run      runs.Run   // as it began
	chromium string     // path, or ""
}

func (j *crawlJob) begin(ctx context.Context, anew bool) (err error) {
	name := j.settings.Name
	j.mine, err = j.crawls().Begin(ctx, name)
	switch {
	case errors.Is(err, runs.ErrRunning) && j.shared == "":
		return fmt.Errorf("the crawl %s is running already: give another a name of its own", name)
	case err != nil && !errors.Is(err, runs.ErrRunning):
		return err
	case err == nil:
		defer func() { err = errors.Join(err, j.mine.End()) }()
	}
	before, err := j.crawls().Get(name)
	if err != nil && !errors.Is(err, runs.ErrUnknown) {
		j.log().Warn("what was known of the crawl can't be read", "error", err)
	}
	j.run = runs.Run{Report: before.Report, Collection: j.Collection, Started: time.Now().UTC(), Settings: j.settings.Told()}
	j.run.Name, j.run.State, j.run.Limit = name, runs.New, ""
	if err := j.note(j.run); err != nil {
		return err
	}
	home := j.crawls().Home(name)
	cfg := crawl.Config{
		Settings: j.settings, Dir: j.dir, Software: "varve/" + version(), Agent: crawlAgent(), Log: j.log(), Fixed: j.fixed(),
		Chromium: j.chromium, Mark: j.mark(), Storage: j.storage,
	}
	if j.to != nil {
		cfg.Moved = j.to
	}
	if j.mine != nil { // else they are those of the other process
		cfg.Scratch, cfg.Cookies = filepath.Join(home, "browser"), filepath.Join(home, cookiesFile)
	}
	if err := j.open(ctx, &cfg, anew); err != nil {
		return j.failed(err)
	}
	defer func() { err = errors.Join(err, cfg.Frontier.Close()) }()
	return j.crawl(ctx, cfg)
}

// note writes how far the crawl is to where others see it.
func (j *crawlJob) note(r runs.Run) error {
	if j.mine == nil {
		return nil
	}
	return j.mine.Write(r)
}

// failed notes that a crawl could not begin, and returns why.
func (j *crawlJob) failed(err error) error {
	j.run.State, j.run.Error = runs.Failed, err.Error()
	return errors.Join(err, j.note(j.run))
}

// open opens what the crawl knows, or a crawl that begins anew.
func (j *crawlJob) open(ctx context.Context, cfg *crawl.Config, anew bool) (err error) {
	if j.shared != "" {
		err = j.share(ctx, cfg)
	} else {
		cfg.Frontier, err = j.own(ctx)
	}
	if err != nil || !anew {
		return err
	}
	if err := j.restart(ctx, cfg); err != nil {
		return errors.Join(err, cfg.Frontier.Close())
	}
	return nil
}

// restart forgets what the crawl knows, unless others are at work on it.
func (j *crawlJob) restart(ctx context.Context, cfg *crawl.Config) error {
	if err := cfg.Frontier.Restart(ctx); err != nil {
		return err
	}
	err := crawl.PutAside(j.dir, j.settings.Name, time.Now())
	if gone := os.Remove(cfg.Cookies); cfg.Cookies != "" && !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// own opens the frontier of a crawl by this process alone.
func (j *crawlJob) own(ctx context.Context) (frontier.Frontier, error) {
	s, err := badger.Open(filepath.Join(j.crawls().Home(j.settings.Name), "frontier"), j.log())
	if err != nil {
		return nil, err
	}
	front, err := local.Open(ctx, s, j.settings.Frontier())
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return front, nil
}

// fixed are the settings of a crawl that aren't in its file, and stay what they were. A folder in that of the data moves with it. Processes
// that share a crawl have folders of their own.
func (j *crawlJob) fixed() []frontier.Setting {
	collection := frontier.Setting{Key: "--collection", Value: j.Collection}
	if j.shared != "" {
		return []frontier.Setting{collection}
	}
	if j.to != nil {
		return []frontier.Setting{collection, {Key: "--warcs", Value: j.place()}}
	}
	dir := j.dir
	if data, err := filepath.Abs(j.Data); err == nil {
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs
		}
		if inside, err := filepath.Rel(data, dir); err == nil && filepath.IsLocal(inside) {
			dir = inside
		}
	}
	return []frontier.Setting{collection, {Key: "--warcs", Value: dir}}
}

// crawl goes on with a crawl until it ends, and has what it captured indexed.
func (j *crawlJob) crawl(ctx context.Context, cfg crawl.Config) error {
	c, err := crawl.New(ctx, cfg)
	var other *frontier.MismatchError
	if errors.As(err, &other) {
		j.say(fmt.Sprintf("the crawl %s: %v", j.settings.Name, other))
		return j.failed(errUsage)
	} else if err != nil {
		return j.failed(err)
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	told := j.listen(c, cfg.Frontier, stop)
	said := j.show(c)
	moving := j.keepMoving(running)
	end, failed := c.Run(running)
	moving()
	said()
	last := told()
	last.Report = end
	if failed != nil {
		last.Error = failed.Error()
	}
	after := context.WithoutCancel(ctx)
	return errors.Join(failed, j.note(last), j.takeIn(after), j.copyBeside(after), j.printJSON(end))
}

// listen tells others how far a crawl is and takes their orders, until what it returns is called, which returns what it would tell then.
func (j *crawlJob) listen(c *crawl.Crawl, front frontier.Frontier, stop func()) (end func() runs.Run) {
	var begun time.Time
	report := func() runs.Run {
		if begun.IsZero() {
			begun = j.begun(front)
		}
		r := j.run
		r.Report = c.Report()
		r.Begun = begun.UTC()
		r.Recent, r.Failed = c.Recent()
		return r
	}
	if j.mine == nil {
		return report
	}
	told := j.mine.Keep(report, func(o runs.Order) {
		switch o {
		case runs.Pause:
			c.Pause()
		case runs.Resume:
			c.Resume()
		case runs.Stop:
			stop()
		}
	})
	return func() runs.Run {
		told()
		return report()
	}
}

// begun returns when the crawl was given seeds, the zero time if that can't be told now.
func (j *crawlJob) begun(front frontier.Frontier) time.Time {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	s, err := front.State(ctx)
	if err != nil {
		return time.Time{}
	}
	return s.Begun
}

// show says how far a crawl is, until stop is called.
func (j *crawlJob) show(c *crawl.Crawl) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(lineEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				j.say(progressOf(c.Report()))
			case <-quit:
				return
			}
		}
	}()
	return func() {
		close(quit)
		<-done
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
	if r.State == crawl.Paused {
		return said + ", paused"
	}
	return said + ", now " + r.URL
}

// crawlStatus prints how far all crawls are.
func (p *program) crawlStatus() error {
	all, err := p.crawls().All()
	for i := range all {
		err = errors.Join(err, p.printJSON(all[i].Report))
	}
	return err
}
