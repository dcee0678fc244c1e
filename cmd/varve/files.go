package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

type filesCmd struct{}

// Run lists the files of all collections.
func (c *filesCmd) Run(ctx context.Context, w *workspace.Workspace) error {
	x, err := w.OpenExisting(ctx)
	if err != nil {
		return err
	}
	defer x.Close()
	table := tabwriter.NewWriter(w.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "COLLECTION\tFILE\tFORMAT\tBYTES\tCAPTURES\tDAMAGED\tSTATE\tPATH")
	for _, f := range x.Files() {
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\n",
			f.Collection, console.OneLine(f.Name), f.Format, f.Size, f.Captures, f.Damaged, state(f), console.OneLine(f.Path))
	}
	return table.Flush()
}

func state(f index.File) string {
	switch {
	case !f.Done:
		return "unfinished"
	case f.Imported:
		return "imported"
	case f.Records == 0 && f.Damaged > 0:
		return "not a WARC"
	}
	return "indexed"
}

type removeCmd struct {
	Files []string `arg:"" name:"file" help:"Names or paths, as varve files lists them."`
}

// Run removes files from the index.
func (c *removeCmd) Run(ctx context.Context, w *workspace.Workspace) error {
	if err := w.Exists(); err != nil {
		return err
	}
	x, err := w.Open(ctx)
	if err != nil {
		return err
	}
	defer x.Close()
	missing := false
	var found []index.File
	for _, name := range c.Files {
		files := matching(x, w.Collection, name)
		if len(files) == 0 {
			fmt.Fprintf(w.Stderr, "varve: %s is not in the collection %s (varve files lists what is)\n", console.OneLine(name), w.Collection)
			missing = true
		}
		for _, f := range files {
			if !slices.ContainsFunc(found, func(o index.File) bool { return o.ID == f.ID }) {
				found = append(found, f)
			}
		}
	}
	if err := x.RemoveFiles(ctx, index.IDs(found)...); err != nil {
		return err
	}
	for _, f := range found {
		fmt.Fprintf(w.Stderr, "varve: removed %s (%s)\n", console.OneLine(f.Name), console.Count(f.Captures, "capture"))
	}
	if _, _, err := x.Resolve(ctx); err != nil {
		return err
	}
	w.RevalidateVersions(ctx, x)
	if missing {
		return console.ErrPart
	}
	return nil
}

func matching(x *index.Index, coll, name string) []index.File {
	abs, _ := filepath.Abs(name)
	var out []index.File
	for _, f := range x.Files() {
		known := []string{f.Name, f.Path, console.OneLine(f.Name), console.OneLine(f.Path)}
		ofCopy := f.Source != "" && slices.Contains([]string{f.Source, warc.Base(f.Source)}, name)
		if f.Collection == coll && (slices.Contains(known, name) || ofCopy || f.Path == abs || f.Stored() == abs) {
			out = append(out, f)
		}
	}
	return out
}
