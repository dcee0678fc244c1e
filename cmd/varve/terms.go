package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/termtable"
	"github.com/varve-archive/varve/cmd/varve/config"
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

	Terms   string   `help:"A table instead: how often these terms stand on pages (a file, a word or phrase a line)." placeholder:"FILE"`
	Queries string   `help:"A table of deleted words, and of these queries (a file: query, address, clicks; or ORCAS)." placeholder:"FILE"`
	URLs    string   `name:"urls" help:"The pages of a table (a file, an address a line); with --queries, only these." placeholder:"FILE"`
	At      []string `help:"A datetime of a table (1 to 14 digits; a year is its end); may be repeated." placeholder:"TS"`
}

// Validate checks the flags; kong calls it after parsing.
func (c *termsCmd) Validate() error {
	switch {
	case c.Queries != "":
		if c.Terms != "" || len(c.At) != 2 {
			return errors.New("--queries takes --at twice, and no --terms")
		}
	case c.Terms != "" || c.URLs != "" || len(c.At) > 0:
		if c.Terms == "" || c.URLs == "" || len(c.At) == 0 {
			return errors.New("a table takes --terms, --urls and --at, or --queries and --at twice")
		}
	}
	return nil
}

// table prints the number of occurrences of terms on pages at datetimes.
func (c *termsCmd) table(ctx context.Context, w *workspace.Workspace) error {
	terms, err := os.ReadFile(c.Terms)
	if err != nil {
		return err
	}
	urls, err := os.ReadFile(c.URLs)
	if err != nil {
		return err
	}
	q, err := termtable.Parse(w.Collection, []string{string(terms)}, []string{string(urls)}, c.At)
	if err != nil {
		return c.inFile(err)
	}
	return withTexts(ctx, w, func(arch *archive.Archive, texts *searches.Searches) error {
		rows := q.Rows(ctx, arch, texts)
		if c.JSON {
			return q.WriteJSON(w.Stdout, rows)
		}
		return q.WriteCSV(w.Stdout, rows)
	})
}

// found prints whether deleted words were the ones by which people found pages.
func (c *termsCmd) found(ctx context.Context, w *workspace.Workspace) error {
	times, err := termtable.ParseTimes(c.At)
	if err != nil {
		return c.inFile(err)
	}
	f := termtable.Found{Coll: w.Collection, From: times[0], To: times[1]}
	if f.From >= f.To {
		return fmt.Errorf("at: %s is not before %s", f.From, f.To)
	}
	if f.Log, err = c.readLog(ctx); err != nil {
		return c.inFile(err)
	}
	return withTexts(ctx, w, func(arch *archive.Archive, texts *searches.Searches) error {
		rows := f.Rows(ctx, arch, texts)
		if c.JSON {
			return f.WriteJSON(w.Stdout, rows)
		}
		return f.WriteCSV(w.Stdout, rows)
	})
}

func (c *termsCmd) readLog(ctx context.Context) (*termtable.Log, error) {
	var only []string
	if c.URLs != "" {
		urls, err := os.ReadFile(c.URLs)
		if err != nil {
			return nil, err
		}
		if only, err = termtable.ParsePages([]string{string(urls)}); err != nil {
			return nil, err
		}
	}
	return config.ReadFile(c.Queries, func(r io.Reader) (*termtable.Log, error) { return termtable.ReadLog(ctx, r, only) })
}

// inFile adds the name of the file to the error for a line.
func (c *termsCmd) inFile(err error) error {
	var item *termtable.ItemError
	if !errors.As(err, &item) {
		return err
	}
	switch item.List {
	case "terms":
		item.List = c.Terms
	case "urls":
		item.List = c.URLs
	case "at":
		if item.List = "--at"; item.Line > 0 {
			return fmt.Errorf("--at number %d: %s", item.Line, item.Reason)
		}
	}
	return item
}

func withTexts(ctx context.Context, w *workspace.Workspace, do func(*archive.Archive, *searches.Searches) error) (err error) {
	arch, closeAll, err := w.OpenArchive(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	return do(arch, searches.New(w.SearchesConfig(arch)))
}

// Run prints the terms that were deleted or added by most changes.
func (c *termsCmd) Run(ctx context.Context, w *workspace.Workspace) (err error) {
	if c.Terms != "" {
		return c.table(ctx, w)
	}
	if c.Queries != "" {
		return c.found(ctx, w)
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
