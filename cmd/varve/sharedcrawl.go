package main

import (
	"context"
	"errors"

	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/crawl/frontier/redis"
	"github.com/varve-archive/varve/gather/runs"
)

// share opens the frontier that a crawl has in common with other processes.
func (j *crawlJob) share(ctx context.Context, cfg *crawl.Config) error {
	folder, err := crawl.FolderID(j.dir)
	if err != nil {
		return err
	}
	front, err := redis.Open(ctx, redis.Config{
		URL: j.shared, Name: j.settings.Name, Folder: folder, Handing: j.settings.Frontier(), Say: j.say,
	})
	if err != nil {
		return err
	}
	cfg.Frontier, cfg.Mark, cfg.Shared = front, front.Mark(), true
	return nil
}

// sharedStatus prints how far the crawls on a Redis are.
func (p *program) sharedStatus(ctx context.Context, address string) error {
	names, err := redis.Crawls(ctx, address)
	if err != nil {
		return err
	}
	for _, name := range names {
		r, begun, err := p.sharedReport(ctx, address, name)
		if err != nil {
			return err
		}
		if !begun {
			continue
		}
		if err := p.printJSON(r); err != nil {
			return err
		}
	}
	return nil
}

// sharedReport returns how far a crawl is. begun is false if it was only about to begin.
func (p *program) sharedReport(ctx context.Context, address, name string) (r crawl.Report, begun bool, err error) {
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
