package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/memento"
)

type duplicatesCmd struct {
	Threshold float64 `help:"Lowest similarity, from 0 to 1." default:"0.75"`
	Across    bool    `help:"Leave out pairs of two versions of the same URL."`
}

// Run prints each pair of captures with nearly the same text as soon as it is found: two URI-Ms and their similarity.
func (c *duplicatesCmd) Run(ctx context.Context, w *workspace.Workspace) (err error) {
	if !(c.Threshold >= 0 && c.Threshold <= 1) {
		return fmt.Errorf("--threshold %v: want a number from 0 to 1", c.Threshold)
	}
	arch, closeAll, err := w.OpenArchive(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	out := bufio.NewWriter(w.Stdout)
	defer out.Flush()
	uris := memento.URIs{Coll: w.Collection}
	for d, err := range arch.Duplicates(ctx, w.Collection, c.Threshold, c.Across) {
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%s\t%s\t%.3f\n", uris.Memento(d.A.Time, "", d.A.URL), uris.Memento(d.B.Time, "", d.B.URL), d.Similarity)
		if _, err := out.WriteString(line); err != nil {
			return err
		}
	}
	return out.Flush()
}
