package gathering

import (
	"context"
	"errors"
	"io"

	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/jobs"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Jobs runs crawls from the queue of jobs.
type Jobs struct {
	*workspace.Workspace
	Warcs    string // place of WARC files, as for [Open]
	Chromium string // the browser; "" for the first in the path
	Show     bool   // show its window
}

// Run runs jobs one after the other, until ctx ends.
func (j *Jobs) Run(ctx context.Context) error {
	err := j.Jobs().Take(ctx, func(ctx context.Context, job jobs.Job) error {
		j.Sayf("crawl %s begins, as was ordered", job.Name)
		err := j.one(ctx, job)
		if err != nil && ctx.Err() == nil {
			j.Sayf("crawl %s: %v", job.Name, err)
		}
		return err
	})
	if ctx.Err() != nil {
		return nil // it was stopped on purpose
	}
	return err
}

// one runs one job. The report of its crawl, which is meant for scripts, isn't printed: it is stored with the crawl.
func (j *Jobs) one(ctx context.Context, job jobs.Job) error {
	s, err := crawl.Parse([]byte(job.File))
	if err != nil {
		return err
	}
	said, own := *j.Console, *j.Workspace
	said.Stdout = io.Discard
	own.Console, own.Collection = &said, job.Collection
	out, err := Open(ctx, &own, j.Warcs, s.Name)
	if err != nil {
		return err
	}
	c := &Crawl{Output: out, Settings: s, Chromium: j.Chromium, Show: j.Show}
	err = c.Run(ctx, job.New)
	var other *frontier.MismatchError
	switch {
	case errors.As(err, &other):
		return other
	case err == nil && c.idle:
		return jobs.ErrComplete
	}
	return err
}

// Reasons to refuse a crawl file from the public.
const (
	errPrivate = sentinel.Error("only on a server that is for its own machine may a crawl ask addresses that aren't on the public Internet")
	errSecret  = sentinel.Error("actions may fill in no variables of the server's environment")
)

// CheckJob parses the crawl file of a job. If anybody who reaches the server may order crawls, it refuses settings that reach more than
// the public web. The error is a [crawl.Error], or that of YAML.
func CheckJob(text string, anybody bool) (crawl.Settings, error) {
	s, err := crawl.Parse([]byte(text))
	switch {
	case err != nil:
		return s, err
	case s.UsesSecrets():
		return s, &crawl.Error{Key: "actions", Err: errSecret}
	case anybody && s.AllowPrivate:
		return s, &crawl.Error{Key: "allow_private", Err: errPrivate}
	}
	return s, nil
}
