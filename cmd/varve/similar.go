package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/varve-archive/varve/archive/similar"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/memento"
)

type similarCmd struct {
	URL       string  `arg:"" help:"The URI-R."`
	At        string  `help:"Compare its capture nearest to this datetime (1 to 14 digits), instead of the newest." placeholder:"TS"`
	Threshold float64 `help:"Lowest similarity, from 0.3 to 1." default:"0.3"`
	Limit     int     `help:"How many results at most." default:"50"`
	JSON      bool    `help:"Print the JSON of /{coll}/similar."`
}

// endOfTime is later than any capture.
const endOfTime cdx.Timestamp = 99991231235959

// Run prints the captures of other URLs whose text is similar to that of a URL.
func (c *similarCmd) Run(ctx context.Context, w *workspace.Workspace) (err error) {
	at := endOfTime
	if c.At != "" {
		if at, err = cdx.ParseTimestamp(c.At); err != nil {
			return err
		}
	}
	arch, closeAll, err := w.OpenArchive(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	found, err := similar.To(ctx, arch.Timelines, memento.URIs{Coll: w.Collection}, memento.ParseURIR(c.URL), at, c.Threshold, c.Limit)
	if err != nil {
		return err
	}
	if found == nil {
		return fmt.Errorf("%s has no captures in the collection %s", c.URL, w.Collection)
	}
	if c.JSON {
		return w.PrintJSON(found)
	}
	table := tabwriter.NewWriter(w.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "SIMILARITY\tDATETIME\tURL")
	for _, r := range found.Results {
		fmt.Fprintf(table, "%.3f\t%s\t%s\n", r.Similarity, r.Datetime, console.OneLine(r.OriginalURI))
	}
	return table.Flush()
}
