package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/termtable"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/memento"
)

type termsCmd struct {
	Change string `help:"What happened to them: deleted or added." enum:"deleted,added" default:"deleted"`
	Domain string `help:"Only on this domain and the hosts below it." placeholder:"DOMAIN"`
	From   string `help:"Only changes from this datetime on (1 to 14 digits)." placeholder:"TS"`
	To     string `help:"Only changes until this datetime." placeholder:"TS"`
	Limit  int    `help:"How many terms at most." default:"100"`
	JSON   bool   `help:"Print the JSON of /{coll}/terms, or of a table." xor:"form"`
	CSV    bool   `help:"Print the CSV of /{coll}/terms, or of a table, which is CSV anyway." xor:"form"`

	Terms string   `help:"A table instead: how often these terms stand on pages (a file, a word or phrase a line)." placeholder:"FILE"`
	URLs  string   `name:"urls" help:"The pages of the table (a file, an address a line)." placeholder:"FILE"`
	At    []string `help:"A datetime of the table (1 to 14 digits; a year is its end); may be repeated." placeholder:"TS"`
}

// Validate checks the flags; kong calls it after parsing.
func (c *termsCmd) Validate() error {
	if given := c.Terms != "" || c.URLs != "" || len(c.At) > 0; given && (c.Terms == "" || c.URLs == "" || len(c.At) == 0) {
		return errors.New("a table takes --terms, --urls and --at")
	}
	return nil
}

// table prints how often terms stand on pages at datetimes.
func (c *termsCmd) table(ctx context.Context, w *workspace.Workspace) (err error) {
	var lists [2][]string
	for i, name := range []string{c.Terms, c.URLs} {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		lists[i] = []string{string(text)}
	}
	q, err := termtable.Parse(w.Collection, lists[0], lists[1], c.At)
	if err != nil {
		return err
	}
	arch, closeAll, err := w.OpenArchive(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	rows := q.Rows(ctx, arch, searches.New(w.SearchesConfig(arch, nil)))
	if c.JSON {
		return q.WriteJSON(w.Stdout, rows)
	}
	return q.WriteCSV(w.Stdout, rows)
}

// Run prints the terms that the most changes deleted or added.
func (c *termsCmd) Run(ctx context.Context, w *workspace.Workspace) (err error) {
	if c.Terms != "" {
		return c.table(ctx, w)
	}
	all, closeAll, err := w.OpenSearchable(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	found, err := all.CountTerms(ctx, memento.URIs{Coll: w.Collection}, answers.TermsQuery{
		Change: c.Change, Domain: c.Domain, From: c.From, To: c.To, Limit: c.Limit,
	})
	if err != nil {
		return err
	}
	if len(found.Terms) == 0 {
		fmt.Fprintln(w.Stderr, "varve: no terms; the change-text search is built by varve index --search, or by the server")
	}
	switch {
	case c.JSON:
		return w.PrintJSON(found)
	case c.CSV:
		return found.WriteCSV(w.Stdout)
	}
	return termTable(w.Stdout, found)
}

func termTable(out io.Writer, found *answers.TermList) error {
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "CHANGES\tTIMES\tYEARS\tTERM")
	for _, t := range found.Terms {
		years := ""
		if n := len(t.Years); n > 0 {
			years = t.Years[0].Name
			if n > 1 {
				years += "–" + t.Years[n-1].Name
			}
		}
		fmt.Fprintf(table, "%d\t%d\t%s\t%s\n", t.Changes, t.Times, years, t.Term)
	}
	return table.Flush()
}
