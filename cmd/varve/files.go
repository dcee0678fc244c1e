package main

import (
	"context"
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"github.com/varve-archive/varve/archive/index"
)

type filesCmd struct{}

// Run lists the files of all collections.
func (c *filesCmd) Run(ctx context.Context, p *program) error {
	x, err := p.openExisting(ctx)
	if err != nil {
		return err
	}
	defer x.Close()
	w := tabwriter.NewWriter(p.stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "COLLECTION\tFILE\tFORMAT\tBYTES\tCAPTURES\tDAMAGED\tSTATE\tPATH")
	for _, f := range x.Files() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\n", f.Collection, f.Name, f.Format, f.Size, f.Captures, f.Damaged, state(f), f.Path)
	}
	return w.Flush()
}

func state(f index.File) string {
	switch {
	case !f.Done:
		return "unfinished"
	case f.Imported:
		return "imported"
	}
	return "indexed"
}

type removeCmd struct {
	Files []string `arg:"" name:"file" help:"Names or paths, as varve files lists them."`
}

// Run removes files from the index.
func (c *removeCmd) Run(ctx context.Context, p *program) error {
	if err := p.exists(); err != nil {
		return err
	}
	x, err := p.open(ctx)
	if err != nil {
		return err
	}
	defer x.Close()
	missing := false
	for _, name := range c.Files {
		files := matching(x, p.Collection, name)
		if len(files) == 0 {
			fmt.Fprintf(p.stderr, "varve: %s is not in the collection %s (varve files lists what is)\n", name, p.Collection)
			missing = true
		}
		for _, f := range files {
			if err := x.RemoveFile(ctx, f.ID); err != nil {
				return err
			}
			fmt.Fprintf(p.stderr, "varve: removed %s (%d captures)\n", f.Name, f.Captures)
		}
	}
	if _, _, err := x.Resolve(ctx); err != nil {
		return err
	}
	p.revalidateVersions(ctx, x)
	if missing {
		return errPart
	}
	return nil
}

func matching(x *index.Index, coll, name string) []index.File {
	abs, _ := filepath.Abs(name)
	var out []index.File
	for _, f := range x.Files() {
		if f.Collection == coll && (f.Name == name || f.Path == name || f.Path == abs) {
			out = append(out, f)
		}
	}
	return out
}
