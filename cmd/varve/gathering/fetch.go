package gathering

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/fetch"
	"github.com/varve-archive/varve/gather/politeness"
)

// FetchName is the prefix of the names of files with mementos of other archives.
const FetchName = "fetch"

// A Fetch fetches mementos of other archives.
type Fetch struct {
	*Output
	Question     fetch.Question
	UserAgent    string
	AllowPrivate bool
	InsecureTLS  bool
	MaxBytes     int64 // of a body
	Delay        time.Duration
}

type fetched struct {
	Mementos int64 `json:"mementos"` // that archives list
	Had      int64 `json:"had"`      // fetched by an earlier run
	Written  int64 `json:"written"`
	Revisits int64 `json:"revisits"` // of the written ones
	Missing  int64 `json:"missing"`  // could not be fetched
	Bytes    int64 `json:"bytes"`
}

// Run fetches mementos.
func (f *Fetch) Run(ctx context.Context) error {
	if _, err := write.Mend(ctx, f.dir, FetchName); err != nil {
		return err
	}
	const head = 4 << 20 // for the head, besides the body
	client := client.New(client.Config{
		UserAgent: f.UserAgent, AllowPrivate: f.AllowPrivate, InsecureTLS: f.InsecureTLS,
		MaxBytes: f.MaxBytes + head, MaxTime: time.Hour, HeadTime: time.Minute,
	})
	defer client.Close()
	var lacking atomic.Bool // mementos, or lists of them
	job := &fetch.Job{
		Web: fetch.NewPolite(client, politeness.Config{Delay: f.Delay}), MaxBytes: f.MaxBytes,
		Report: func(err error) {
			f.Say(err.Error())
			lacking.Store(true)
		},
	}
	err := f.run(ctx, job)
	err = errors.Join(err, f.takeIn(context.WithoutCancel(ctx)))
	if job.Have != nil { // earlier files have been read
		err = errors.Join(err, f.PrintJSON(counts(&job.Progress)))
	}
	if err == nil && lacking.Load() {
		return console.ErrPart
	}
	return err
}

// run lists the mementos and writes those that are not stored yet.
func (f *Fetch) run(ctx context.Context, job *fetch.Job) error {
	found, err := fetch.List(ctx, job.Web, f.Question, job.Report)
	if err != nil {
		return err
	}
	f.Say(console.Count(int64(len(found)), "memento") + " to fetch")
	files, err := f.written(ctx)
	if err != nil {
		return err
	}
	if job.Have, err = fetch.ReadStored(ctx, f.Storage, files, func(err error) { f.Say(err.Error()) }); err != nil {
		return err
	}
	defer f.keepMoving(ctx)() // only now, because files of earlier runs are read where they are
	job.Out, err = write.New(write.Config{
		Dir: f.dir, Name: FetchName, Mark: f.mark(), Known: job.Have.Known,
		Info: warc.Fields{{Name: "software", Value: f.Software()}, {Name: "description", Value: "mementos of other archives"}},
	})
	if err != nil {
		return err
	}
	bar := f.Progress()
	bar.Count(console.Tally{Doing: "fetching", Noun: "mementos", Done: &job.Progress.Done, Total: &job.Progress.All})
	err = job.Run(ctx, found)
	bar.Stop()
	return errors.Join(err, job.Out.Close())
}

func counts(p *fetch.Progress) fetched {
	all, had, missing := p.All.Load(), p.Had.Load(), p.Missing.Load()
	return fetched{
		Mementos: all, Had: had, Written: p.Done.Load() - had - missing, Revisits: p.Same.Load(), Missing: missing, Bytes: p.Bytes.Load(),
	}
}
