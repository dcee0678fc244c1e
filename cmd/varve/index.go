package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/varve-archive/varve/archive/access/rulesfile"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

type indexCmd struct {
	Paths     []string `arg:"" optional:"" name:"path" help:"Files, folders or globs."`
	Metadata  bool     `help:"Index metadata records too." cfg:""`
	Unpack    string   `help:"Folder or bucket to unpack files into that are compressed as a whole; no refuses them." placeholder:"DIR" cfg:""`
	Search    bool     `help:"Build the change-text search too; without a path, for what is indexed already."`
	Rebuild   bool     `help:"With --search: build it from scratch."`
	PathIndex []string `help:"Path indexes of OpenWayback or pywb, for the files that CDX lines name." placeholder:"FILE" cfg:""`
	Access    string   `help:"With --search: the access rules of the server, under which it is built." placeholder:"FILE" cfg:""`
}

// Validate checks the flags; kong calls it after parsing.
func (c *indexCmd) Validate() error {
	switch {
	case c.Rebuild && !c.Search:
		return errors.New("--rebuild goes with --search")
	case len(c.Paths) == 0 && !c.Search:
		return errors.New("expected files, folders or globs")
	}
	return checkRules(c.Access)
}

// Run indexes files, and builds the change-text search if asked.
func (c *indexCmd) Run(ctx context.Context, w *workspace.Workspace) error {
	unusable, err := w.Usable(ctx, c.Paths)
	if err != nil {
		return err
	}
	where, err := pathIndexes(w, c.PathIndex)
	if err != nil {
		return err
	}
	w.Fills = len(c.Paths) > 0
	x, err := w.Open(ctx)
	if err != nil {
		return err
	}
	if c.Search && len(c.Paths) > 0 {
		w.Staging = searches.NewStaging(w.Data)
		defer w.Staging.Close()
	}
	done := &ingest.Progress{}
	if len(c.Paths) > 0 {
		done, err = c.ingest(ctx, w, x, where)
	}
	if err == nil && workspace.AddedMuch(x, done) {
		if x, err = w.Compacted(ctx, x); x == nil {
			return err
		}
	}
	if err == nil {
		w.RevalidateVersions(ctx, x)
	}
	if err == nil && len(c.Paths) > 0 {
		w.Say(console.Summary(done))
		w.Say(c.next(w))
	}
	failed := int64(0)
	if err == nil && c.Search {
		failed, err = (&searchBuild{Workspace: w, coll: w.Collection, anew: c.Rebuild, access: c.Access}).run(ctx, x)
	}
	if closeErr := x.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	if done.Problems.Load() > 0 || failed > 0 || unusable {
		return console.ErrPart
	}
	return nil
}

func (c *indexCmd) ingest(
	ctx context.Context, w *workspace.Workspace, x *index.Index, where func(name string) string,
) (done *ingest.Progress, err error) {
	bar := w.Progress()
	cfg := w.Ingest(x, w.Collection, bar)
	if cfg.Unpack, err = w.Unpacker(c.Unpack); err != nil {
		return nil, fmt.Errorf("--unpack: %w", err)
	}
	cfg.Where, cfg.Metadata, cfg.Started, cfg.Await = where, c.Metadata, bar.Start, true
	collectRarely(indexingMemory)
	done, err = ingest.Run(ctx, cfg, c.Paths)
	bar.Stop()
	if errors.Is(err, context.Canceled) {
		w.Sayf("files that are done: %d of %d", done.Files.Load(), done.TotalFiles.Load())
	}
	return done, err
}

// pathIndexes reads the files of --path-index. Without any it returns nil.
func pathIndexes(w *workspace.Workspace, paths []string) (func(name string) string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	return w.PathIndexes(paths)
}

// next suggests the next command after indexing.
func (c *indexCmd) next(w *workspace.Workspace) string {
	serve := "varve serve"
	if w.Data != defaultData {
		serve += " --data " + w.Data
	}
	if !c.Search {
		return serve + " serves it, and builds the search while it does"
	}
	return serve + " serves it"
}

// Soft limits of a process's memory, beyond which Go collects garbage more often. They leave room for the tables that the store holds while
// it merges them.
const (
	indexingMemory = 400 << 20
	buildingMemory = 480 << 20
)

// collectRarely lets garbage grow to a multiple of the memory in use, up to limit bytes in all, unless the environment sets Go's memory
// limits. A process that only indexes may use more memory than a server.
func collectRarely(limit int64) {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(300)
		debug.SetMemoryLimit(limit)
	}
}

// A searchBuild updates the search of a collection from its index.
type searchBuild struct {
	*workspace.Workspace
	coll   string
	anew   bool   // rebuild everything
	access string // file of the access rules for the search; may be ""
}

// run returns the number of pages that can't be read.
func (b *searchBuild) run(ctx context.Context, x *index.Index) (failed int64, err error) {
	policy, err := rulesfile.Policy(b.access)
	if err != nil {
		return 0, err
	}
	arch, err := b.Archive(x, b.Records(x, nil), policy)
	if err != nil {
		return 0, err
	}
	all := searches.New(b.SearchesConfig(arch))
	collectRarely(buildingMemory)
	bar := b.Progress()
	began := time.Now()
	done, err := all.Build(ctx, b.coll, b.anew, func(run *search.Progress) {
		bar.Count(console.Tally{Doing: "search", Noun: "pages", Done: &run.Done, Total: &run.Pages, More: func() string {
			return console.Count(run.Changes.Load(), "change")
		}})
	})
	bar.Stop()
	if err = errors.Join(err, all.Close()); err != nil {
		return 0, err
	}
	size := all.Size(b.coll) // after joined files were removed
	b.Sayf("search: %s, %d of them indexed with %s in %s, %.1f MB", console.Count(done.Pages.Load(), "page"),
		done.Indexed.Load(), console.Count(done.Changes.Load(), "change"), time.Since(began).Round(time.Millisecond), float64(size)/1e6)
	return done.Failed.Load(), nil
}
