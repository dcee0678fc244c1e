package search

import (
	"cmp"
	"context"
	"math"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx"
)

// A RisingRequest asks for the terms that are deleted or added more often within the bounds than in as many windows of the same length
// before. Since and Until of the bounds are required.
type RisingRequest struct {
	Kind Kind // Deleted or Added
	Bounds
	Windows int
	Limit   int
}

// A Rising is a term with the number of edits that deleted or added it, and how many that would be if it went on as before.
type Rising struct {
	Term     string
	Changes  int
	Past     int     // edits in all windows before
	Expected float64 // edits, if it had the share of all edits that it had in the past
	Score    float64
}

const (
	// risingFrom is the least number of edits from which on a term may be on the rise: once is no trend.
	risingFrom = 2
	// risingScore is the score from which on it is: what comes by chance has it once in six times.
	risingScore = 1
)

// Rising counts the terms that are on the rise, those first of which it is least likely that they are by chance.
//
// A term's own past says how many edits to expect, as a share of all edits: a collection that is crawled more often now has not changed
// more. The score is the logarithm of a likelihood ratio, of the count seen to the one expected under Poisson's distribution:
// k·ln(k/e) − (k − e).
func (x *Index) Rising(ctx context.Context, req RisingRequest) (out []Rising, err error) {
	all := req
	all.Since = windowsBefore(req.Since, req.Until, req.Windows)
	err = x.view(func(r reader) error {
		t := &tally{reader: r, req: TermsRequest{Kind: req.Kind, Bounds: all.Bounds}}
		out, err = t.rising(ctx, req.Since, req.Limit)
		return err
	})
	return out, err
}

// windowsBefore returns where the first of some windows begins that end where the one from since to until does.
func windowsBefore(since, until cdx.Timestamp, windows int) cdx.Timestamp {
	at := since.Time().Unix() - until.Distance(since)*int64(windows)
	if first := cdx.Timestamp(1_01_01_00_00_00).Time().Unix(); at < first {
		return 0
	}
	return cdx.FromTime(time.Unix(at, 0).UTC())
}

func (t *tally) rising(ctx context.Context, since cdx.Timestamp, limit int) ([]Rising, error) {
	type counts struct{ now, past int }
	words, edits, now := map[string]*counts{}, counts{}, false
	err := t.each(ctx, func(_ string, after cdx.Timestamp) {
		if now = after >= since; now {
			edits.now++
		} else {
			edits.past++
		}
	}, func(w []byte, _ int) {
		c := words[string(w)]
		if c == nil {
			c = &counts{}
			words[string(w)] = c
		}
		if now {
			c.now++
		} else {
			c.past++
		}
	})
	if err != nil || edits.past == 0 { // there is no past to rise from
		return nil, err
	}
	lately, past := map[string]int{}, map[string]int{}
	for term, c := range words {
		lately[term], past[term] = c.now, c.past
	}
	return RisingOf(lately, past, edits.now, edits.past, limit), nil
}

// RisingOf returns the terms that are on the rise: lately and past count edits by their terms, now and before all edits of those times.
func RisingOf(lately, past map[string]int, now, before, limit int) []Rising {
	best := top[Rising]{limit: limit, compare: func(a, b *Rising) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Term, b.Term))
	}}
	for term, n := range lately {
		r := Rising{Term: term, Changes: n, Past: past[term]}
		r.Expected = (float64(r.Past) + 0.5) / (float64(before) + 1) * float64(now)
		if k := float64(n); n >= risingFrom && k > r.Expected {
			r.Score = k*math.Log(k/r.Expected) - (k - r.Expected)
			if r.Score >= risingScore {
				best.add(r)
			}
		}
	}
	return best.from(0)
}

// Past returns the bounds of the windows before.
func (r *RisingRequest) Past() Bounds {
	b := r.Bounds
	b.Since, b.Until = windowsBefore(r.Since, r.Until, r.Windows), r.Since-1
	return b
}
