package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/varve-archive/varve/archive/duplicates"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/memento"
)

type duplicatesCmd struct {
	Threshold float64 `help:"Lowest similarity, from 0 to 1." default:"0.75"`
	Across    bool    `help:"Leave out versions of the same URL."`
	Pairs     bool    `help:"Print all pairs instead of groups."`
	JSON      bool    `help:"Print the JSON of /{coll}/duplicates."`
}

// Run prints groups of similar captures: one line per capture with the group's number, its kind, its lowest similarity, and for mirrors
// how much the hosts have in common. With --pairs it prints all pairs: two URI-Ms, their similarity and their relation.
func (c *duplicatesCmd) Run(ctx context.Context, w *workspace.Workspace) (err error) {
	if !(c.Threshold >= 0 && c.Threshold <= 1) {
		return fmt.Errorf("--threshold %v: want a number from 0 to 1", c.Threshold)
	}
	arch, closeAll, err := w.OpenArchive(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	found, err := duplicates.Find(ctx, arch, duplicates.Query{Coll: w.Collection, Threshold: c.Threshold, Across: c.Across})
	if err != nil {
		return err
	}
	if found.Cut {
		w.Sayf("there is more that is alike than the %d captures and pairs of texts that are compared at most", duplicates.MaxCaptures)
	}
	uris, all := memento.URIs{Coll: w.Collection}, 1<<31-1
	out := bufio.NewWriter(w.Stdout)
	switch {
	case c.JSON && c.Pairs:
		return w.PrintJSON(found.ListPairs(uris, 0, all))
	case c.JSON:
		return w.PrintJSON(found.List(uris, 0, all))
	case c.Pairs:
		err = printPairs(out, uris, found)
	default:
		err = printGroups(out, found.List(uris, 0, all))
	}
	return errors.Join(err, out.Flush())
}

func printPairs(out *bufio.Writer, uris memento.URIs, found *duplicates.Found) error {
	for _, groups := range [][]duplicates.Group{found.Groups, found.Pictures} {
		for i := range groups {
			for p := range groups[i].Pairs() {
				_, err := fmt.Fprintf(out, "%s\t%s\t%.3f\t%s\n", uris.Memento(p.A.Time, "", p.A.URL), uris.Memento(p.B.Time, "", p.B.URL),
					p.Similarity, p.Kind)
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func printGroups(out *bufio.Writer, list *duplicates.List) error {
	for i, g := range append(list.Groups, list.Pictures...) {
		var shares []string
		for _, h := range g.Hosts {
			shares = append(shares, fmt.Sprintf("%s %d of %d, %s %d of %d", h[0].Host, h[0].Alike, h[0].Of, h[1].Host, h[1].Alike, h[1].Of))
		}
		for _, c := range g.Captures {
			if _, err := fmt.Fprintf(out, "%d\t%s\t%.3f\t%s\t%s\n", i+1, g.Kind, g.Similarity, c.URIM, strings.Join(shares, "; ")); err != nil {
				return err
			}
		}
	}
	return nil
}
