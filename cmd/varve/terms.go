package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/memento"
)

type termsCmd struct {
	Change string `help:"What happened to them: deleted or added." enum:"deleted,added" default:"deleted"`
	Domain string `help:"Only on this domain and the hosts below it." placeholder:"DOMAIN"`
	From   string `help:"Only changes from this datetime on (1 to 14 digits)." placeholder:"TS"`
	To     string `help:"Only changes until this datetime." placeholder:"TS"`
	Limit  int    `help:"How many terms at most." default:"100"`
	JSON   bool   `help:"Print the JSON of /{coll}/terms." xor:"form"`
	CSV    bool   `help:"Print the CSV of /{coll}/terms." xor:"form"`
}

// Run prints the terms that the most changes deleted or added.
func (c *termsCmd) Run(ctx context.Context, p *program) (err error) {
	arch, closeAll, err := p.openSearchable(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	found, err := arch.CountTerms(ctx, memento.URIs{Coll: p.Collection}, archive.TermsQuery{
		Change: c.Change, Domain: c.Domain, From: c.From, To: c.To, Limit: c.Limit,
	})
	if err != nil {
		return err
	}
	if len(found.Terms) == 0 {
		fmt.Fprintln(p.stderr, "varve: no terms; the change-text search is built by varve index --search, or by the server")
	}
	switch {
	case c.JSON:
		e := json.NewEncoder(p.stdout)
		e.SetEscapeHTML(false)
		return e.Encode(found)
	case c.CSV:
		return found.WriteCSV(p.stdout)
	}
	return termTable(p.stdout, found)
}

func termTable(out io.Writer, found *archive.TermList) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "CHANGES\tTIMES\tYEARS\tTERM")
	for _, t := range found.Terms {
		years := ""
		if n := len(t.Years); n > 0 {
			years = t.Years[0].Name
			if n > 1 {
				years += "–" + t.Years[n-1].Name
			}
		}
		fmt.Fprintf(w, "%d\t%d\t%s\t%s\n", t.Changes, t.Times, years, t.Term)
	}
	return w.Flush()
}
