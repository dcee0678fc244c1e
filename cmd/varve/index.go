package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/searches"
)

type indexCmd struct {
	Paths    []string `arg:"" optional:"" name:"path" help:"Files, folders or globs."`
	Metadata bool     `help:"Index metadata records too." cfg:""`
	Unpack   string   `help:"Folder or s3://BUCKET/PREFIX to unpack files into that are compressed as a whole." placeholder:"DIR" cfg:""`
	Search   bool     `help:"Build the change-text search too; without a path, for what is indexed already."`
	Rebuild  bool     `help:"With --search: build it from scratch."`
	places
	Access string `help:"With --search: the access rules of the server, under which it is built." placeholder:"FILE" cfg:""`
}

// Validate checks the flags; kong calls it after parsing.
func (c *indexCmd) Validate() error {
	switch {
	case c.Rebuild && !c.Search:
		return errors.New("--rebuild goes with --search")
	case len(c.Paths) == 0 && !c.Search:
		return errors.New("expected files, folders or globs")
	}
	return (&rules{Access: c.Access}).Validate()
}

// Run indexes files, and builds the change-text search if asked.
func (c *indexCmd) Run(ctx context.Context, p *program) error {
	empty, err := p.usable(ctx, c.Paths)
	if err != nil {
		return err
	}
	where, err := c.where(p)
	if err != nil {
		return err
	}
	p.fills = len(c.Paths) > 0
	x, err := p.open(ctx)
	if err != nil {
		return err
	}
	bar := p.progress()
	done := &ingest.Progress{}
	if c.Search && len(c.Paths) > 0 {
		p.kept = searches.NewStaging(p.Data)
		defer p.kept.Close()
	}
	if len(c.Paths) > 0 {
		if p.unpack, err = p.unpacker(c.Unpack); err != nil {
			return fmt.Errorf("--unpack: %w", err)
		}
		cfg := p.config(x, place{coll: p.Collection, where: where}, bar)
		cfg.Metadata, cfg.Started, cfg.Await = c.Metadata, bar.start, true
		if !memoryIsSet() {
			debug.SetMemoryLimit(indexingMemory)
		}
		done, err = ingest.Run(ctx, cfg, c.Paths)
		bar.stop()
		if errors.Is(err, context.Canceled) {
			p.say(fmt.Sprintf("%d of %d files are done", done.Files.Load(), done.TotalFiles.Load()))
		}
	}
	if err == nil && addedMuch(x, done) {
		if x, err = p.compacted(ctx, x); x == nil {
			return err
		}
	}
	if err == nil {
		p.revalidateVersions(ctx, x)
	}
	if err == nil && len(c.Paths) > 0 {
		p.say(summary(done))
		p.say(c.next(p))
	}
	failed := int64(0)
	if err == nil && c.Search {
		failed, err = p.buildSearch(ctx, x, c)
	}
	if closeErr := x.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	if done.Problems.Load() > 0 || failed > 0 || empty {
		return errPart
	}
	return nil
}

// revalidateVersions brings the cached versions of pages with very many captures up to date. Whoever
// asks for such a page would do it otherwise, so a failure is no more than a wait.
func (p *program) revalidateVersions(ctx context.Context, x *index.Index) {
	arch, err := p.archive(x, nil)
	if err == nil {
		err = arch.Timelines.Revalidate(ctx, nil)
	}
	if err != nil && ctx.Err() == nil {
		p.log().Warn("the versions of pages with very many captures were not all worked out; whoever asks for them may wait", "error", err)
	}
}

// next says what somebody would do after indexing.
func (c *indexCmd) next(p *program) string {
	serve := "varve serve"
	if p.Data != defaultData {
		serve += " --data " + p.Data
	}
	if !c.Search {
		return serve + " serves it, and builds the search while it does"
	}
	return serve + " serves it"
}

// indexingMemory is up to where an indexing process lets its memory grow before it collects what nobody needs as often as it takes. The
// store has room for several tables while it merges them, which would be doubled otherwise.
const indexingMemory = 400 << 20

// memoryIsSet reports whether whoever started the process has decided how much memory it uses.
func memoryIsSet() bool { return os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" }

// A process that only builds may use more memory than a server: it may grow by buildingGC percent until what nobody needs is
// collected, up to buildingMemory bytes, from where on it is collected as often as it takes.
const (
	buildingGC     = 300
	buildingMemory = 480 << 20
)

// buildSearch brings the change-text search of the collection up to date with its index, under the access rules of a
// file. It returns how many pages can't be read.
func (p *program) buildSearch(ctx context.Context, x *index.Index, c *indexCmd) (failed int64, err error) {
	policy, err := p.policyOf(c.Access)
	if err != nil {
		return 0, err
	}
	room, err := p.shared(ctx, x, c.Rebuild)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, room.Close()) }()
	arch, err := p.archive(x, policy)
	if err != nil {
		return 0, err
	}
	all := p.searches(arch, room)
	if !memoryIsSet() {
		debug.SetGCPercent(buildingGC)
		debug.SetMemoryLimit(buildingMemory)
	}
	bar := p.progress()
	began := time.Now()
	done, err := all.Build(ctx, p.Collection, c.Rebuild, func(run *search.Progress) {
		bar.count(tally{doing: "search", noun: "pages", done: &run.Done, total: &run.Pages, more: func() string {
			return counted(run.Changes.Load(), "change")
		}})
	})
	bar.stop()
	size := int64(0)
	if room != nil {
		size = all.Size(p.Collection)
	}
	if err = errors.Join(err, all.Close()); err != nil {
		return 0, err
	}
	if room == nil {
		size = all.Size(p.Collection) // now that files that were joined are gone
	}
	p.say(fmt.Sprintf("search: %s, %d of them indexed with %s in %s, %.1f MB", counted(done.Pages.Load(), "page"),
		done.Indexed.Load(), counted(done.Changes.Load(), "change"), time.Since(began).Round(time.Millisecond), float64(size)/1e6))
	return done.Failed.Load(), nil
}

// manyCaptures is the number of new captures from which merging the tables of the index is worth its time.
const manyCaptures = 200_000

// addedMuch reports whether a run added many captures, and more than a quarter of all that there are now.
func addedMuch(x *index.Index, done *ingest.Progress) bool {
	added, all := done.Captures.Load(), int64(0)
	for _, f := range x.Files() {
		all += f.Captures
	}
	return added >= manyCaptures && 4*added > all
}

// compact merges the tables of an index that is being served, after a run that added much to it.
func compact(ctx context.Context, x *index.Index, done *ingest.Progress) error {
	if !addedMuch(x, done) {
		return nil
	}
	return x.Compact(ctx)
}

// compacted closes the index, compacts it and opens it again. A database sees to that itself. The index is nil if it can't be opened
// again.
func (p *program) compacted(ctx context.Context, x *index.Index) (*index.Index, error) {
	if p.Index != "" {
		return x, nil
	}
	if err := x.Close(); err != nil {
		return nil, err
	}
	p.log().Info("merging the tables of the index")
	if err := badger.Compact(p.indexDir(), p.log()); err != nil {
		p.log().Warn("the tables of the index were not merged; all is there, but answers take longer until a server has done it", "error", err)
	}
	p.fills = false
	return p.open(ctx)
}
