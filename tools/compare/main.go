// Command compare prints how well varve and other methods tell from the archived bytes that a page's own text changed. The result is a
// table for the notes: precision and recall on the sample archives with a ground truth, and how many steps to or from a capture of a wall
// make a version.
//
//	go run -C tools/compare . ../../bin/varve ../../../shared/corpus
//
// The other methods compare two neighbouring captures: their digests, the SimHash of their visible words, and the text that
// go-trafilatura takes for the page's own. The command is a module of its own, because varve itself needs none of these libraries.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: compare VARVE CORPORA")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

var errNoCorpus = errors.New("no *.wild.jsonl.gz and no *.truth.jsonl.gz: the sample archives are not there")

func run(binary, root string, out io.Writer) error {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	sets, err := corpora(root)
	if err != nil {
		return err
	}
	if len(sets) == 0 {
		return fmt.Errorf("%s: %w", root, errNoCorpus)
	}
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "corpus\tmethod\tprecision\trecall\ttp\tfp\tfn\ttn\twalls")
	for _, c := range sets {
		scores, err := c.measure(binary)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		for i, m := range methodNames {
			s := scores[i]
			fmt.Fprintf(table, "%s\t%s\t%.3f\t%.3f\t%d\t%d\t%d\t%d\t%s\n", c.name, m, s.precision(), s.recall(), s.tp, s.fp, s.fn, s.tn, s.wallsOf())
		}
		table.Flush()
	}
	return nil
}

// A score counts the answers of one method.
type score struct{ tp, fp, fn, tn, walls, wallSteps int }

func (s *score) add(want, got bool) {
	switch {
	case want && got:
		s.tp++
	case want:
		s.fn++
	case got:
		s.fp++
	default:
		s.tn++
	}
}

func (s *score) wall(got bool) {
	s.wallSteps++
	if got {
		s.walls++
	}
}

func (s *score) precision() float64 { return share(s.tp, s.fp) }
func (s *score) recall() float64    { return share(s.tp, s.fn) }

// wallsOf returns "" for a corpus without walls.
func (s *score) wallsOf() string {
	if s.wallSteps == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", s.walls, s.wallSteps)
}

func share(a, b int) float64 { return float64(a) / float64(max(a+b, 1)) }
