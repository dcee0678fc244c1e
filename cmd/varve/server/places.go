package server

import (
	"context"
	"slices"
	"sync"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/cmd/varve/console"
)

// A Place is where files of a collection are.
type Place struct {
	Coll    string
	lines   []string                 // files with index lines, which are taken over before any record is read
	Paths   []string                 // files, folders or globs
	Where   func(name string) string // the path of a file that index lines name, "" if that isn't known; may be nil
	foreign bool                     // belongs to another program: nothing is written there
}

func allPaths(at []Place) (paths []string) {
	for _, a := range at {
		paths = append(paths, a.Paths...)
	}
	return paths
}

// watchAll indexes what is new at all places until ctx ends, first what index lines tell. It calls ready after the first pass.
func (s *server) watchAll(ctx context.Context, ready func()) {
	for _, a := range s.at {
		s.takeLines(ctx, a)
	}
	var watching sync.WaitGroup
	defer watching.Wait()
	for _, a := range s.at { // one after the other, so that they don't share the memory of indexing
		first := make(chan struct{})
		watching.Go(func() { s.watch(ctx, a, func() { close(first) }) })
		select {
		case <-first:
		case <-ctx.Done():
			return
		}
	}
	ready()
}

// ingest returns how a place is indexed.
func (s *server) ingest(a Place, shown *console.Progress) ingest.Config {
	cfg := s.Ingest(s.index, a.Coll, shown)
	cfg.Unpack, cfg.Where, cfg.Claims = s.cfg.Unpack, a.Where, s.claims
	return cfg
}

// takeLines takes over the index lines of a place. What they tell is served from then on.
func (s *server) takeLines(ctx context.Context, a Place) {
	if len(a.lines) == 0 {
		return
	}
	shown := s.Progress()
	defer shown.Say()
	cfg := s.ingest(a, shown)
	cfg.LinesOnly = true
	done, err := ingest.Run(ctx, cfg, a.lines)
	switch {
	case err != nil && ctx.Err() == nil:
		s.Log().Error("the index lines could not be taken over", "collection", a.Coll, "error", err)
	case err == nil && done.Captures.Load() > 0:
		s.Sayf("collection %s: took over %s", a.Coll, console.Plural(done.Captures.Load(), "index line", "index lines"))
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

// watch indexes what is new at a place until ctx ends. It calls ready after the first pass that succeeds.
func (s *server) watch(ctx context.Context, a Place, ready func()) {
	paths := a.Paths
	if len(a.lines) > 0 {
		paths = slices.Concat(paths, a.lines, imported(s.index, a.Coll))
	}
	if len(paths) == 0 {
		ready()
		return
	}
	log := s.Log()
	first := true
	shown := s.Progress()
	cfg := s.ingest(a, shown)
	cfg.Metadata = s.cfg.Metadata
	_ = ingest.Watch(ctx, cfg, paths, func(run *ingest.Progress, err error) {
		shown.Say()
		switch {
		case err != nil:
			log.Error("indexing failed; the next change of the files starts another attempt"+console.Advice(err), "error", err)
		case run.TotalFiles.Load() > 0 || first:
			log.Info(console.Summary(run))
		}
		if err != nil {
			return
		}
		if first {
			ready()
		}
		first = false
		s.compact(ctx, run)
	})
}
