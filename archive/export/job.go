package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// A Job is something to export. Archive and Selection are required.
type Job struct {
	Archive *archive.Archive
	Selection
	Software string      // name and version of the exporting program
	Now      time.Time   // the date of the export
	Report   func(error) // called for each record that can't be exported; may be nil
	Progress Progress
}

// Progress counts what a job has done. It may be read at any time.
type Progress struct {
	Captures, Total atomic.Int64 // Total is 0 until it is known
	Held            atomic.Int64 // captures that are listed but hidden by access rules
	Problems        atomic.Int64
}

// A Selection is a part of a collection.
type Selection struct {
	Coll     string
	URLs     []string // as they were given; none means all
	From, To cdx.Timestamp
	spans    []cdx.Span     // sorted by key and disjoint
	only     []*cdx.Capture // if not nil, instead of the other fields
}

// Select selects the captures of URLs in a collection between two datetimes, inclusive; 0 leaves that side open. A URL may have the
// wildcards of the CDX API. No URL means all.
func Select(coll string, urls []string, from, to cdx.Timestamp) (Selection, error) {
	s := Selection{Coll: coll, URLs: urls, From: from, To: to}
	if from != 0 && to != 0 && from > to {
		return s, fmt.Errorf("from %s is after to %s", from, to)
	}
	if len(urls) == 0 {
		s.spans = []cdx.Span{s.span("", "")}
	}
	for _, u := range urls {
		ranges, err := surt.Ranges(u, "")
		if err != nil {
			return s, err
		}
		for _, k := range ranges {
			s.spans = append(s.spans, s.span(k.From, k.To))
		}
	}
	s.spans = apart(s.spans)
	return s, nil
}

// Only selects given captures of a collection, each once, ignoring nil ones. what describes them, such as the URI-R of the page that the
// first one is.
func Only(coll, what string, captures []*cdx.Capture) Selection {
	s := Selection{Coll: coll, URLs: []string{what}, only: []*cdx.Capture{}}
	for _, c := range captures {
		if c != nil && !s.has(c) {
			s.only = append(s.only, c)
		}
	}
	return s
}

func (s *Selection) span(first, end string) cdx.Span {
	return cdx.Span{Coll: s.Coll, From: first, To: end, Since: s.From, Until: s.To}
}

// apart sorts spans and joins overlapping ones.
func apart(spans []cdx.Span) (out []cdx.Span) {
	slices.SortFunc(spans, func(a, b cdx.Span) int { return cmp.Compare(a.From, b.From) })
	for _, s := range spans {
		last := len(out) - 1
		switch {
		case last < 0 || out[last].To != "" && out[last].To <= s.From:
			out = append(out, s)
		case out[last].To != "" && (s.To == "" || s.To > out[last].To):
			out[last].To = s.To
		}
	}
	return out
}

func (s *Selection) has(c *cdx.Capture) bool {
	if s.only != nil {
		return slices.ContainsFunc(s.only, func(o *cdx.Capture) bool { return placeOf(o.Location) == placeOf(c.Location) })
	}
	if c.Time < s.From || s.To != 0 && c.Time > s.To {
		return false
	}
	return slices.ContainsFunc(s.spans, func(p cdx.Span) bool { return c.Key >= p.From && (p.To == "" || c.Key < p.To) })
}

// String says what is selected.
func (s *Selection) String() string {
	what := "everything"
	if len(s.URLs) > 0 {
		what = strings.Join(s.URLs, " ")
	}
	if s.From != 0 {
		what += " from " + s.From.String()
	}
	if s.To != 0 {
		what += " to " + s.To.String()
	}
	return what + " in the collection " + s.Coll
}

// captures yields and counts the selected captures, in the order of the index or as they were given.
func (j *Job) captures(ctx context.Context) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		if err := j.count(ctx); err != nil {
			yield(nil, err)
			return
		}
		for _, c := range j.only {
			each := *c // a copy, because a job modifies it
			if !yield(&each, nil) {
				return
			}
			j.Progress.Captures.Add(1)
		}
		for _, span := range j.spans {
			for c, err := range j.Archive.Index.Captures(ctx, span) {
				if !yield(c, err) || err != nil {
					return
				}
				j.Progress.Captures.Add(1)
			}
		}
	}
}

func (j *Job) count(ctx context.Context) error {
	total := int64(len(j.only))
	for _, span := range j.spans {
		n, err := j.Archive.Index.Count(ctx, span)
		if err != nil {
			return err
		}
		total += n
	}
	j.Progress.Total.Store(total)
	return nil
}

// problem reports why a record is left out. Errors that don't concern a single record are returned and end the job.
func (j *Job) problem(ctx context.Context, err error) error {
	var held *archive.BlockedError
	var bad *archive.UnreadableError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &held):
		j.Progress.Held.Add(1)
		return nil
	case !errors.As(err, &bad):
		return err
	}
	j.Progress.Problems.Add(1)
	if j.Report != nil {
		c := &bad.Capture
		j.Report(fmt.Errorf("%s offset %d: %w (%s %s)", c.FileName, c.Offset, bad.Cause, c.Time, c.URL))
	}
	return nil
}
