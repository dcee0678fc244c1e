package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/varve-archive/varve/demo"
)

type demoCmd struct {
	serving
}

// Run writes the sample archive, indexes it, serves it, and prints what to open.
func (c *demoCmd) Run(ctx context.Context, p *program) error {
	dir := filepath.Join(p.Data, "demo")
	if _, err := demo.Write(dir); err != nil {
		advice := ""
		if errors.Is(err, fs.ErrPermission) {
			advice = ": give it the right to, or name another folder with --data"
		}
		return fmt.Errorf("writing the sample archive: %w%s", err, advice)
	}
	fmt.Fprintf(p.stderr, "varve: a sample archive is in %s\n", dir)
	return p.serve(ctx, c.serving, []place{{coll: p.Collection, paths: []string{dir}}}, false, func(url string) {
		for _, h := range demo.Highlights() {
			fmt.Fprintf(p.stderr, "\n%s\n  %s%s/%s\n  %s\n", h.Title, url, p.Collection, h.Path, h.Why)
		}
		fmt.Fprintln(p.stderr)
	})
}
