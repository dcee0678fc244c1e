package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/memento"
)

type changesCmd struct {
	URL   string `arg:"" help:"The URI-R."`
	Level string `help:"What counts as a change: content, text, any or visual." enum:"content,text,any,visual" default:"content"`
	JSON  bool   `help:"Print the JSON of /{coll}/changes."`
}

// Run prints the validity ranges of a URL.
func (c *changesCmd) Run(ctx context.Context, w *workspace.Workspace) (err error) {
	arch, closeAll, err := w.OpenArchive(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	level, err := change.ParseLevel(c.Level)
	if err != nil {
		return err
	}
	uriR := memento.ParseURIR(c.URL)
	found, err := arch.Timelines.ChangesOf(ctx, memento.URIs{Coll: w.Collection}, uriR, level)
	if err != nil {
		return err
	}
	if found == nil {
		return fmt.Errorf("%s has no captures in the collection %s", c.URL, w.Collection)
	}
	if c.JSON {
		return w.PrintJSON(found)
	}
	return c.table(w, found)
}

func (c *changesCmd) table(w *workspace.Workspace, found *timeline.ChangeList) error {
	table := tabwriter.NewWriter(w.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "FIRST\tLAST\tCAPTURES\tKIND\tSTATUS\tADDED\tDELETED\tSIMILARITY\t")
	for _, r := range found.Ranges {
		added, deleted, similarity := "", "", ""
		if d := r.Change; d != nil {
			added, deleted, similarity = fmt.Sprintf("+%d", d.Added), fmt.Sprintf("-%d", d.Deleted), fmt.Sprintf("%.3f", d.Similarity)
		}
		kind := r.Kind
		if r.Soft404 {
			kind += " (soft 404)"
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%d\t%s\t%s\t%s\t\n", r.First, r.Last, r.Captures, kind, r.Status, added, deleted, similarity)
	}
	return table.Flush()
}
