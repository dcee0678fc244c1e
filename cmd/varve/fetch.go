package main

import (
	"context"
	"errors"
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/fetch"
	"github.com/varve-archive/varve/gather/politeness"
)

type fetchCmd struct {
	Addresses    []string      `arg:"" name:"address" help:"URLs as they were on the web, or TimeMaps of archives."`
	Archive      []string      `help:"Archives to ask: what their TimeMaps or TimeGates begin with." placeholder:"URL" sep:"none"`
	From         string        `help:"Only what was captured then or later: 1 to 14 digits of YYYYMMDDhhmmss." placeholder:"TS"`
	To           string        `help:"Only what was captured until then." placeholder:"TS"`
	Warcs        string        `help:"Folder or s3://BUCKET/PREFIX for WARCs, else warcs/COLLECTION in --data." placeholder:"DIR" cfg:""`
	Delay        time.Duration `help:"Pause between two requests to an archive." default:"1s" placeholder:"TIME"`
	MaxBytes     volume        `help:"Longest body; what is longer is cut off." default:"1GB" placeholder:"SIZE"`
	AllowPrivate bool          `help:"Ask addresses too that aren't on the public Internet."`
	UserAgent    string        `help:"What varve calls itself to archives, with a contact." placeholder:"TEXT"`
}

// Validate checks the flags; kong calls it after parsing.
func (c *fetchCmd) Validate() error {
	_, err := c.selection()
	return errors.Join(err, checkWarcs(c.Warcs))
}

func (c *fetchCmd) selection() (s fetch.Selection, err error) {
	s.From, s.To, err = period(c.From, c.To)
	return s, err
}

// waybackTimeMaps is where TimeMaps of URLs are that lead to none themselves, unless --archive says so.
const waybackTimeMaps = "https://web.archive.org/web/timemap/link/"

// fetchName begins the names of files with mementos of other archives.
const fetchName = "fetch"

// fetched is what the command prints in the end.
type fetched struct {
	Mementos int64 `json:"mementos"` // that archives list
	Had      int64 `json:"had"`      // fetched by an earlier run
	Written  int64 `json:"written"`
	Revisits int64 `json:"revisits"` // of the written ones
	Missing  int64 `json:"missing"`  // not to be had
	Bytes    int64 `json:"bytes"`
}

// Run fetches mementos.
func (c *fetchCmd) Run(ctx context.Context, p *program) error {
	g, err := p.gather(ctx, c.Warcs, fetchName)
	if err != nil {
		return err
	}
	if _, err := write.Mend(ctx, g.dir, fetchName); err != nil {
		return err
	}
	agent := c.UserAgent
	if agent == "" {
		agent = crawlAgent()
	}
	const head = 4 << 20 // beside the body
	client := client.New(client.Config{
		UserAgent: agent, AllowPrivate: c.AllowPrivate, MaxBytes: int64(c.MaxBytes) + head, MaxTime: time.Hour, HeadTime: time.Minute,
	})
	defer client.Close()
	job := &fetch.Job{
		Web: fetch.NewPolite(client, politeness.Config{Delay: c.Delay}), MaxBytes: int64(c.MaxBytes),
		Report: func(err error) { p.say(err.Error()) },
	}
	err = c.run(ctx, g, job)
	err = errors.Join(err, g.takeIn(context.WithoutCancel(ctx)))
	if job.Have != nil { // it is known what there is
		err = errors.Join(err, p.printJSON(counts(&job.Progress)))
	}
	switch {
	case ctx.Err() != nil:
		p.say("stopped: the same command goes on")
	case err == nil && job.Progress.Missing.Load() > 0:
		return errPart
	}
	return err
}

// run finds the mementos and writes those that are not there yet.
func (c *fetchCmd) run(ctx context.Context, g *gathering, job *fetch.Job) error {
	wanted, err := c.selection()
	if err != nil {
		return err
	}
	found, err := fetch.List(ctx, job.Web, fetch.Question{
		Addresses: c.Addresses, Archives: c.Archive, Otherwise: []string{waybackTimeMaps}, Selection: wanted,
	}, job.Report)
	if err != nil {
		return err
	}
	g.say(counted(int64(len(found)), "memento") + " to fetch")
	files, err := g.written(ctx)
	if err != nil {
		return err
	}
	if job.Have, err = fetch.ReadStored(ctx, g.storage, files); err != nil {
		return err
	}
	defer g.keepMoving(ctx)() // not before: files that an earlier run left are read where they are
	job.Out, err = write.New(write.Config{
		Dir: g.dir, Name: fetchName, Mark: g.mark(), Known: job.Have.Known,
		Info: warc.Fields{{Name: "software", Value: "varve/" + version()}, {Name: "description", Value: "mementos of other archives"}},
	})
	if err != nil {
		return err
	}
	bar := g.progress()
	bar.count(tally{doing: "fetching", noun: "mementos", done: &job.Progress.Done, total: &job.Progress.All})
	err = job.Run(ctx, found)
	bar.stop()
	return errors.Join(err, job.Out.Close())
}

func counts(p *fetch.Progress) fetched {
	all, had, missing := p.All.Load(), p.Had.Load(), p.Missing.Load()
	return fetched{
		Mementos: all, Had: had, Written: p.Done.Load() - had - missing, Revisits: p.Same.Load(), Missing: missing, Bytes: p.Bytes.Load(),
	}
}
