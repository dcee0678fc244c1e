package gathering

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/crawl/frontier/local"
	"github.com/varve-archive/varve/gather/crawl/frontier/redis"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/sleep"
)

// cookiesFile has the cookies of the browser, in the folder of its crawl, until the crawl is complete.
const cookiesFile = "cookies.json"

// A Crawl is a run of a crawl whose captures go to an output.
type Crawl struct {
	*Output
	Settings crawl.Settings
	Shared   string         // address of its frontier, if others share it; "" if it is in the data folder
	mine     *runs.OwnCrawl // nil if another process on this machine reports and controls the shared crawl
	run      runs.Run       // at its start
	before   runs.Report    // of the run before; empty for a crawl that begins anew
	idle     bool           // the crawl was complete, and the run found nothing to do
	Chromium string         // path, or ""
	Show     bool           // show the browser's window
}

// Run crawls. It continues the crawl of the name, or begins anew.
func (j *Crawl) Run(ctx context.Context, anew bool) (err error) {
	if err := j.mayAsk(); err != nil { // before the crawl is recorded, so that it can begin once it may
		return err
	}
	name := j.Settings.Name
	j.mine, err = j.Crawls().Begin(ctx, name)
	switch {
	case errors.Is(err, runs.ErrRunning) && j.Shared == "":
		return fmt.Errorf("the crawl %s is running already: give another a name of its own", name)
	case err != nil && !errors.Is(err, runs.ErrRunning):
		return err
	case err == nil:
		defer func() { err = errors.Join(err, j.mine.End()) }()
	}
	before, err := j.Crawls().Get(name)
	if err != nil && !errors.Is(err, runs.ErrUnknown) {
		j.Log().Warn("what was known of the crawl can't be read", "error", err)
	}
	if !anew {
		j.before = before.Report
	}
	j.run = runs.Run{Report: before.Report, Collection: j.Collection, Started: time.Now().UTC(), Settings: j.Settings.Published()}
	j.run.Name, j.run.State, j.run.Limit = name, runs.New, ""
	if j.Settings.Template != nil {
		j.run.Documents = filepath.Join(j.dir, name)
	}
	j.run.Runs, j.run.Run = before.Runs, nil
	if before.Run != nil {
		j.run.Runs = append(j.run.Runs[max(0, len(j.run.Runs)-runs.KeptRuns+1):], *before.Run)
	}
	if err := j.note(j.run); err != nil {
		return err
	}
	home := j.Crawls().Home(name)
	cfg := crawl.Config{
		Settings: j.Settings, Dir: j.dir, Software: j.Software(), Agent: j.Agent(), Log: j.Log(), Fixed: j.fixed(),
		Chromium: j.Chromium, Show: j.Show, Mark: j.mark(), Storage: j.Storage,
	}
	if j.to != nil {
		cfg.Moved = j.to
	}
	if j.mine != nil { // else they belong to the other process
		cfg.Scratch, cfg.Cookies = filepath.Join(home, "browser"), filepath.Join(home, cookiesFile)
	}
	if err := j.open(ctx, &cfg, anew); err != nil {
		return j.failed(err)
	}
	defer func() { err = errors.Join(err, cfg.Frontier.Close()) }()
	return j.crawl(ctx, cfg)
}

// mayAsk returns an error if none of the seeds may be requested.
func (j *Crawl) mayAsk() error {
	if j.Settings.AllowPrivate {
		return nil
	}
	var first string
	for _, seed := range j.Settings.Seeds {
		u, err := url.Parse(seed)
		if err != nil || !client.IsPrivate(u.Hostname()) {
			return nil
		}
		first = cmp.Or(first, seed)
	}
	return fmt.Errorf("%s: %w: --allow-private (allow_private: true in a file) asks for it all the same", first, client.ErrPrivate)
}

// note publishes the progress of the crawl.
func (j *Crawl) note(r runs.Run) error {
	if j.mine == nil {
		return nil
	}
	return j.mine.Write(r)
}

// failed records that the crawl could not begin, and returns why.
func (j *Crawl) failed(err error) error {
	j.run.State, j.run.Error = runs.Failed, err.Error()
	return errors.Join(err, j.note(j.run))
}

// open opens the state of the crawl, or begins it anew.
func (j *Crawl) open(ctx context.Context, cfg *crawl.Config, anew bool) (err error) {
	if j.Shared != "" {
		err = j.share(ctx, cfg)
	} else {
		cfg.Frontier, err = j.own(ctx, anew)
	}
	if err != nil || !anew {
		return err
	}
	if err := j.restart(ctx, cfg); err != nil {
		return errors.Join(err, cfg.Frontier.Close())
	}
	return nil
}

// restart removes the state of the crawl, unless other processes work on it.
func (j *Crawl) restart(ctx context.Context, cfg *crawl.Config) error {
	if err := cfg.Frontier.Restart(ctx); err != nil {
		return err
	}
	return errors.Join(crawl.KeepDocuments(j.dir, j.Settings.Name, time.Now()), disk.Remove(cfg.Cookies))
}

// own opens the frontier of a crawl by this process alone. A damaged one is removed if the crawl begins anew.
func (j *Crawl) own(ctx context.Context, anew bool) (frontier.Frontier, error) {
	dir := filepath.Join(j.Crawls().Home(j.Settings.Name), "frontier")
	s, err := badger.Open(dir, j.Log())
	if errors.Is(err, kv.ErrDamaged) && anew {
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
		s, err = badger.Open(dir, j.Log())
	}
	if errors.Is(err, kv.ErrDamaged) {
		return nil, fmt.Errorf("%w: begin the crawl anew with --new; what it captured stays", err)
	} else if err != nil {
		return nil, err
	}
	front, err := local.Open(ctx, s, j.Settings.Frontier())
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return front, nil
}

// fixed are the settings of a crawl that aren't in its file and can't change. A folder inside the data folder is relative, so that it can
// move with it. Processes that share a crawl have folders of their own.
func (j *Crawl) fixed() []frontier.Setting {
	collection := frontier.Setting{Key: "--collection", Value: j.Collection}
	if j.Shared != "" {
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

// crawl continues a crawl until it ends, and has its captures indexed.
func (j *Crawl) crawl(ctx context.Context, cfg crawl.Config) error {
	c, err := crawl.New(ctx, cfg)
	if other, ok := errors.AsType[*frontier.MismatchError](err); ok {
		j.Sayf("the crawl %s: %v", j.Settings.Name, other)
		return j.failed(errors.Join(other, console.ErrUsage))
	} else if err != nil {
		return j.failed(err)
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	told := j.listen(c, cfg.Frontier, stop)
	said := sleep.Repeat(context.Background(), console.LineInterval, func(context.Context) { j.Say(progressOf(c.Report())) })
	moving := j.keepMoving(running)
	end, failed := c.Run(running)
	moving()
	said()
	last := told()
	last.Report = end
	j.sayIdle(end)
	j.sayLearnt(end.Run)
	if end.State == runs.Stopped {
		j.Sayf("the crawl %s is stopped before its end: the same command goes on with it, without --new", j.Settings.Name)
	}
	if n := end.PendingRetries; n > 0 {
		j.Sayf("%s asked to come back, or didn't answer, and the run ended before", console.Plural(int64(n), "address", "addresses"))
	}
	if failed != nil {
		last.Error = failed.Error()
	}
	after := context.WithoutCancel(ctx)
	err = errors.Join(failed, j.note(last), j.takeIn(after), j.copyBeside(after), j.PrintJSON(end))
	if err == nil && end.State == runs.Stopped && ctx.Err() != nil {
		return console.ErrStopped
	}
	return err
}

// listen publishes the progress of a crawl and takes orders for it, until end is called, which returns the last state.
func (j *Crawl) listen(c *crawl.Crawl, front frontier.Frontier, stop func()) (end func() runs.Run) {
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

// begun returns when the crawl got its seeds, the zero time if that is unknown.
func (j *Crawl) begun(front frontier.Frontier) time.Time {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	s, err := front.State(ctx)
	if err != nil {
		return time.Time{}
	}
	return s.Begun
}

// sayIdle says that a crawl was complete before and found nothing to do.
func (j *Crawl) sayIdle(end runs.Report) {
	j.idle = j.before.Complete() && end.Complete() && end.Run != nil && end.Run.Visited == 0 && maps.Equal(end.Skipped, j.before.Skipped)
	if j.idle {
		j.Sayf("the crawl %s is complete, whatever else is set now: --new begins it anew, another --name is another crawl", j.Settings.Name)
	}
}

// sayLearnt says which parameters the next run may ignore.
func (j *Crawl) sayLearnt(s *runs.Stats) {
	if s == nil {
		return
	}
	if s.Duplicates > 0 && !j.Settings.Template.Unique {
		j.Sayf("%s of %d equal an earlier one; with unique: true in the template these are left out", console.Count(s.Duplicates, "document"),
			s.Documents)
	}
	for _, p := range s.Parameters {
		j.Sayf("the parameter %s of %s makes no difference: %d pages show the text of another; exclude: ['[?&]%s='] leaves them out", p.Name,
			p.Host, p.Equal, p.Name)
	}
}

func progressOf(r crawl.Report) string {
	said := fmt.Sprintf("crawl %s: %s, %s, %s", r.Name, console.Count(r.Pages, "page"), console.Count(r.Parts, "part"),
		humanize.Bytes(uint64(r.Bytes)))
	if r.Docs > 0 {
		said += ", " + console.Count(r.Docs, "document")
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

// share opens the frontier that a crawl shares with other processes.
func (j *Crawl) share(ctx context.Context, cfg *crawl.Config) error {
	folder, err := crawl.FolderID(j.dir)
	if err != nil {
		return err
	}
	front, err := redis.Open(ctx, redis.Config{
		URL: j.Shared, Name: j.Settings.Name, Folder: folder, Handing: j.Settings.Frontier(), Say: j.Say,
	})
	if err != nil {
		return err
	}
	cfg.Frontier, cfg.Mark, cfg.Shared = front, front.Mark(), true
	return nil
}
