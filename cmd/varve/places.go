package main

import (
	"context"
	"fmt"
	"os"
	"sync"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/ingest"
)

// A place is where files of a collection are.
type place struct {
	coll  string
	lines []string                 // files with index lines, which are taken over before any record is read
	paths []string                 // files, folders or globs
	where func(name string) string // the path of a file that index lines name, "" if that isn't known; may be nil
	kept  bool                     // belongs to another program: nothing is written there
}

func allPaths(at []place) (paths []string) {
	for _, a := range at {
		paths = append(paths, a.paths...)
	}
	return paths
}

// places holds the flag that says where files are that index lines name.
type places struct {
	PathIndex []string `help:"Path indexes of OpenWayback or pywb, for the files that CDX lines name." placeholder:"FILE" cfg:""`
}

// where returns a function that knows where files are, nil without path indexes.
func (c *places) where(p *program) (func(name string) string, error) {
	if len(c.PathIndex) == 0 {
		return nil, nil
	}
	return p.pathIndexes(c.PathIndex)
}

// pathIndexes returns a function that looks files up in path indexes, in their order.
func (p *program) pathIndexes(paths []string) (func(name string) string, error) {
	var all []ingest.PathIndex
	for _, path := range paths {
		found, err := p.readPathIndex(path)
		if err != nil {
			return nil, err
		}
		all = append(all, found)
	}
	return func(name string) string {
		for _, at := range all {
			if path := at[name]; path != "" {
				return path
			}
		}
		return ""
	}, nil
}

func (p *program) readPathIndex(path string) (ingest.PathIndex, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	found, elsewhere, err := ingest.ReadPathIndex(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if elsewhere > 0 {
		p.say(fmt.Sprintf("%s: %s not on this machine, which can't be read", path, plural(int64(elsewhere), "file is", "files are")))
	}
	return found, nil
}

// watchAll indexes what is new at some places until ctx ends, first what index lines tell. It calls ready after the first pass.
func (p *program) watchAll(ctx context.Context, x *index.Index, at []place, metadata bool, ready func()) {
	for _, a := range at {
		p.takeLines(ctx, x, a)
	}
	var watching sync.WaitGroup
	defer watching.Wait()
	for _, a := range at { // one after the other, so that they don't share the memory of indexing
		first := make(chan struct{})
		watching.Go(func() { p.watch(ctx, x, a, metadata, func() { close(first) }) })
		select {
		case <-first:
		case <-ctx.Done():
			return
		}
	}
	ready()
}

// config returns how a place is indexed.
func (p *program) config(x *index.Index, a place, bar *progress) ingest.Config {
	cfg := ingest.Config{
		Index: x, Collection: a.coll, Log: p.log(), Report: bar.problem, PDF: readPDF, Unpack: p.unpack, Where: a.where,
		Claims: p.claims, Storage: p.storage,
	}
	if p.kept != nil {
		cfg.Texts = p.kept.Keep
	}
	return cfg
}

// takeLines takes over the index lines of a place. What they tell is served from then on.
func (p *program) takeLines(ctx context.Context, x *index.Index, a place) {
	if len(a.lines) == 0 {
		return
	}
	cfg := p.config(x, a, p.progress())
	cfg.LinesOnly = true
	done, err := ingest.Run(ctx, cfg, a.lines)
	switch {
	case err != nil && ctx.Err() == nil:
		p.log().Error("the index lines could not be taken over", "collection", a.coll, "error", err)
	case err == nil && done.Captures.Load() > 0:
		p.say(fmt.Sprintf("collection %s: took over %s", a.coll, plural(done.Captures.Load(), "index line", "index lines")))
	}
}

// imported returns where files are that index lines named.
func imported(x *index.Index, coll string) (paths []string) {
	for _, f := range x.Files() {
		if f.Imported && f.Collection == coll && f.Path != "" {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// watch indexes what is new at a place until ctx ends. It calls ready after the first pass.
func (p *program) watch(ctx context.Context, x *index.Index, a place, metadata bool, ready func()) {
	paths := a.paths
	if len(a.lines) > 0 {
		paths = append(append(paths, a.lines...), imported(x, a.coll)...)
	}
	if len(paths) == 0 {
		ready()
		return
	}
	log := p.log()
	first := true
	cfg := p.config(x, a, p.progress())
	cfg.Metadata = metadata
	_ = ingest.Watch(ctx, cfg, paths, func(run *ingest.Progress, err error) {
		switch {
		case err != nil:
			log.Error("indexing failed; the next change of the files starts another attempt"+whatToDo(err), "error", err)
		case run.TotalFiles.Load() > 0 || first:
			log.Info(summary(run))
		}
		if first && err == nil {
			ready()
		}
		if err == nil {
			if err := compact(ctx, x, run); err != nil {
				log.Warn("compacting the index failed", "error", err)
			}
		}
		first = false
	})
}
