package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/varve-archive/varve/cmd/varve/server"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/demo"
)

type demoCmd struct {
	server.Flags
}

// Run writes the sample archive, indexes it, serves it, and prints what to open.
func (c *demoCmd) Run(ctx context.Context, w *workspace.Workspace) error {
	dir := filepath.Join(w.Data, "demo")
	if _, err := demo.Write(dir); err != nil {
		advice := ""
		if errors.Is(err, fs.ErrPermission) {
			advice = ": give it the right to, or name another folder with --data"
		}
		return fmt.Errorf("writing the sample archive: %w%s", err, advice)
	}
	fmt.Fprintf(w.Stderr, "varve: a sample archive is in %s\n", dir)
	return server.Run(ctx, w, server.Config{
		Flags: c.Flags, Places: []server.Place{{Coll: w.Collection, Paths: []string{dir}}},
		Answer: answer,
		Started: func(url string) {
			for _, h := range demo.Highlights() {
				fmt.Fprintf(w.Stderr, "\n%s\n  %s%s/%s\n  %s\n", h.Title, url, w.Collection, h.Path, h.Why)
			}
			fmt.Fprintln(w.Stderr)
		},
	})
}
