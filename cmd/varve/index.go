package main

import (
	"context"
	"fmt"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/ingest"
)

type indexCmd struct {
	Paths    []string `arg:"" name:"path" help:"Files, folders or globs."`
	Metadata bool     `help:"Index metadata records too."`
}

// Run indexes and exits.
func (c *indexCmd) Run(ctx context.Context, p *program) error {
	x, err := p.open()
	if err != nil {
		return err
	}
	bar := newProgress(p.stderr)
	done, err := ingest.Run(ctx, ingest.Config{
		Index: x, Collection: p.Collection, Metadata: c.Metadata, Log: p.log(), Report: bar.problem, Started: bar.start, PDF: readPDF,
	}, c.Paths)
	bar.stop()
	if err == nil {
		err = compact(x, done)
	}
	if closeErr := x.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stderr, "varve: %s\n", summary(done))
	if done.Problems.Load() > 0 {
		return errPart
	}
	return nil
}

// manyCaptures is from how many new captures on putting the index in order pays for the time it takes.
const manyCaptures = 200_000

// compact puts the index in order after a run that added much to it.
func compact(x *cdx.Index, done *ingest.Progress) error {
	if done.Captures.Load() < manyCaptures {
		return nil
	}
	return x.Compact()
}
