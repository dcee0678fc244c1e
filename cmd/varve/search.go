package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/archive/search/trec"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/cmd/varve/config"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

type searchCmd struct {
	Query    []string `arg:"" optional:"" help:"Words, \"a phrase\", -word, word*, word~, title:, url:, site:."`
	Limit    int      `help:"How many pages at most." default:"20"`
	Sort     string   `help:"Order: score, newest, oldest, a field, or a column such as url or -versions (greatest first)." default:"score"`
	JSON     bool     `help:"Print one JSON object a line."`
	Evaluate string   `help:"Measure the order against these judgments (TREC qrels, documents are URLs)." placeholder:"QRELS"`
	Topics   string   `help:"The topics of the judgments (TREC topics, or lines of number, colon and query)." placeholder:"FILE"`
	All      bool     `help:"Only pages that have all words; else pages with all come first, then those that match best."`
	Ranking  []string `help:"Ranking: a name in --config, or a YAML file of one; --evaluate takes several." placeholder:"NAME"`
}

// evaluatedResults is the number of results that are evaluated, as in TREC.
const evaluatedResults = 1000

// Validate checks the flags; kong calls it after parsing.
func (c *searchCmd) Validate() error {
	if (c.Evaluate == "") != (c.Topics == "") {
		return errors.New("--evaluate and --topics need each other")
	}
	if c.Evaluate == "" && len(c.Ranking) > 1 {
		return errors.New("only --evaluate takes several rankings")
	}
	if (c.Evaluate == "") == (len(c.Query) == 0) {
		return errors.New("want words to search for, or --evaluate and --topics")
	}
	return nil
}

// Run prints the pages that had words in any version, or evaluates the order of results.
func (c *searchCmd) Run(ctx context.Context, w *workspace.Workspace) (err error) {
	all, closeAll, err := w.OpenSearchable(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	of, err := all.Of(w.Collection)
	if err != nil {
		return err
	}
	if c.Evaluate != "" {
		return c.evaluate(ctx, w, of)
	}
	return c.print(ctx, w, all.Archive, of)
}

// print prints the found pages, the best first.
func (c *searchCmd) print(ctx context.Context, w *workspace.Workspace, arch *archive.Archive, of *searches.Collection) error {
	q, err := of.Parse(strings.Join(c.Query, " "))
	if err != nil {
		return err
	}
	q.All = c.All
	order, err := search.PageOrder(c.Sort, of.Columns())
	if err != nil {
		return err
	}
	chosen := setting{}
	if len(c.Ranking) > 0 {
		if chosen, err = c.setting(of, c.Ranking[0]); err != nil {
			return err
		}
	} else if chosen.ranking, err = of.Settings().Ranking(""); err != nil {
		return err
	}
	found, err := of.RankedPages(ctx, chosen.ranking, q, search.PresentRequest{Limit: c.Limit, Order: order})
	if err != nil {
		return err
	}
	state, err := of.State(ctx)
	if err != nil {
		return err
	}
	if note := state.Note(); note != "" {
		w.Say(note)
	}
	if note := answers.BoundsNote(found.Untold, found.Bounded); note != "" {
		w.Say(note)
	}
	table := tabwriter.NewWriter(w.Stdout, 0, 8, 2, ' ', 0)
	if !c.JSON {
		fmt.Fprintln(table, "SCORE\tVERSIONS\tFIRST\tLAST\tSTILL\tURL")
	}
	for _, h := range found.Hits {
		tl, err := arch.Timelines.Get(ctx, w.Collection, h.Key)
		if err != nil {
			return err
		}
		url := timeline.MementoAt(tl, h.Best.Version.First).URL
		shownURL := url
		if h.Row > 0 {
			shownURL = fmt.Sprintf("%s (row %d)", url, h.Row)
		}
		if !c.JSON {
			fmt.Fprintf(table, "%.2f\t%d\t%s\t%s\t%t\t%s\n", h.Score, h.Versions, h.First, h.Last, h.Still, console.OneLine(shownURL))
			continue
		}
		line := foundPage{url, h.Row, h.Score, h.Versions, h.First.String(), h.Last.String(), h.Still, found.Missing(&h)}
		if err := json.NewEncoder(w.Stdout).Encode(line); err != nil {
			return err
		}
	}
	return table.Flush()
}

// A foundPage is a line of --json.
type foundPage struct {
	OriginalURI string  `json:"original_uri"`
	Row         int     `json:"row,omitempty"`
	Score       float64 `json:"score"`
	Versions    int     `json:"versions"`
	First       string  `json:"first"`
	Last        string  `json:"last"`
	Still       bool    `json:"still"`
	// Missing are the words of the query that the best version lacks.
	Missing []string `json:"missing"`
}

// A setting is a ranking to be evaluated, with its name in the table.
type setting struct {
	name    string
	ranking *rank.Ranking
}

// settings returns the default ranking, that of the config file, and the named ones.
func (c *searchCmd) settings(of *searches.Collection) ([]setting, error) {
	out := []setting{{"usual", rank.Default()}}
	if of.Settings() != nil {
		r, err := of.Settings().Ranking("")
		if err != nil {
			return nil, err
		}
		out = append(out, setting{"configured", r})
	}
	for _, name := range c.Ranking {
		one, err := c.setting(of, name)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// setting returns a ranking of the config file, or that in a file.
func (c *searchCmd) setting(of *searches.Collection, name string) (setting, error) {
	if r, err := of.Settings().Ranking(name); err == nil {
		return setting{name, r}, nil
	}
	r, err := config.ReadRanking(name, of.Columns()...)
	if err != nil {
		return setting{}, fmt.Errorf("--ranking %s: %w", name, err)
	}
	return setting{strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), r}, nil
}

// evaluate prints the measures of all settings side by side.
func (c *searchCmd) evaluate(ctx context.Context, w *workspace.Workspace, of *searches.Collection) error {
	settings, err := c.settings(of)
	if err != nil {
		return err
	}
	topics, err := config.ReadFile(c.Topics, trec.ReadTopics)
	if err != nil {
		return err
	}
	judged, err := config.ReadFile(c.Evaluate, trec.ReadJudgments)
	if err != nil {
		return err
	}
	means := make([]trec.Scores, len(settings))
	measured := 0
	for i, s := range settings {
		var scores []trec.Scores
		for _, t := range topics {
			one, ok, err := measure(ctx, of, s.ranking, t, judged[t.ID])
			if err != nil {
				return fmt.Errorf("topic %s: %w", t.ID, err)
			}
			if ok {
				scores = append(scores, one)
			}
		}
		means[i], measured = trec.Mean(scores), len(scores)
	}
	if measured == 0 {
		return errors.New("no topic has a relevant document: do the numbers of topics and judgments fit?")
	}
	return printMeasures(w.Stdout, settings, means, measured)
}

// measure searches for a topic. Documents are compared by their SURTs, because the captures of one page may have different spellings of
// its URL.
func measure(
	ctx context.Context, of *searches.Collection, r *rank.Ranking, t trec.Topic, grades map[string]int,
) (s trec.Scores, ok bool, err error) {
	q, err := of.Parse(t.Query)
	if errors.Is(err, query.ErrLong) { // too long in characters; the number of words isn't limited
		q, err = of.Parse(plain(t.Query))
	}
	if err != nil {
		return s, false, err
	}
	found, err := of.RankedPages(ctx, r, q, search.PresentRequest{Limit: evaluatedResults})
	if err != nil {
		return s, false, err
	}
	ranked, byKey := make([]string, len(found.Hits)), map[string]int{}
	for i, h := range found.Hits {
		ranked[i] = h.Key
	}
	for url, grade := range grades {
		key := surt.Of(url)
		byKey[key] = max(byKey[key], grade)
	}
	s, ok = trec.Measure(ranked, byKey)
	return s, ok, nil
}

// plain returns the words of a topic, as many as fit in a query.
func plain(topic string) string {
	var b strings.Builder
	for _, w := range query.Words(topic) {
		if b.Len()+len(w) >= query.MaxLength {
			break
		}
		b.WriteString(w + " ")
	}
	return b.String()
}

func printMeasures(out io.Writer, settings []setting, means []trec.Scores, topics int) error {
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "%d topics\t", topics)
	for _, s := range settings {
		fmt.Fprintf(table, "%s\t", s.name)
	}
	fmt.Fprintln(table)
	for i, name := range trec.Names() {
		fmt.Fprintf(table, "%s\t", name)
		for _, mean := range means {
			fmt.Fprintf(table, "%.4f\t", mean.Values()[i])
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}
