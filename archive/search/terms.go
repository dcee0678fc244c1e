package search

import (
	"cmp"
	"context"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/best"
)

// A TermsRequest asks for the terms deleted or added most often.
type TermsRequest struct {
	Kind Kind // Deleted or Added
	Bounds
	Limit int
}

// A TermCount says how many edits deleted or added a term. Stop words of the page's language and terms without a letter are left out, and
// so are changes of furniture alone and those of the whole content.
type TermCount struct {
	Term    string
	Changes int // edits
	Times   int // occurrences in all edits
	Years   []Count
	Hosts   []Count // most first
}

// A TermsAnswer is the result of [Index.Terms].
type TermsAnswer struct {
	Terms []TermCount // most edits first
	Years []Count     // edits by year
	Hosts []Count     // edits by host, most first
}

// Terms counts the terms that most edits deleted or added. It reads all edits twice: first to find the most frequent terms, then to count
// the hosts and years of these.
func (x *Index) Terms(ctx context.Context, req TermsRequest) (*TermsAnswer, error) {
	out := &TermsAnswer{}
	err := x.view(func(r reader) error {
		t := &tally{reader: r, req: req}
		best, err := t.best(ctx)
		if err != nil {
			return err
		}
		out, err = t.details(ctx, best)
		return err
	})
	return out, err
}

// A tally counts terms in one pass.
type tally struct {
	reader
	req TermsRequest
}

// A counted is a term with its numbers of edits and of occurrences.
type counted struct {
	term           string
	changes, times int
}

// compareCounted orders terms by edits, then by occurrences (most first), then alphabetically.
func compareCounted(a, b *counted) int {
	return cmp.Or(cmp.Compare(b.changes, a.changes), cmp.Compare(b.times, a.times), strings.Compare(a.term, b.term))
}

func (t *tally) best(ctx context.Context) ([]counted, error) {
	all := map[string]*counted{}
	err := t.each(ctx, func(string, cdx.Timestamp) {}, func(w []byte, times int) {
		c := all[string(w)]
		if c == nil {
			c = &counted{term: string(w)}
			all[c.term] = c
		}
		c.changes++
		c.times += times
	})
	first := best.Of(t.req.Limit, compareCounted)
	for _, c := range all {
		first.Add(*c)
	}
	return first.Take(0), err
}

// details counts the hosts and years of the chosen terms, and those of all edits.
func (t *tally) details(ctx context.Context, chosen []counted) (*TermsAnswer, error) {
	type places struct{ hosts, years map[string]int }
	of := map[string]places{}
	for _, c := range chosen {
		of[c.term] = places{map[string]int{}, map[string]int{}}
	}
	all := places{map[string]int{}, map[string]int{}}
	var atHost, atYear string
	err := t.each(ctx, func(host string, after cdx.Timestamp) {
		atHost, atYear = host, after.String()[:4]
		all.hosts[atHost]++
		all.years[atYear]++
	}, func(w []byte, _ int) {
		if p, ok := of[string(w)]; ok {
			p.hosts[atHost]++
			p.years[atYear]++
		}
	})
	out := &TermsAnswer{Years: listed(all.years), Hosts: MostFirst(listed(all.hosts))}
	for _, c := range chosen {
		p := of[c.term]
		out.Terms = append(out.Terms, TermCount{
			Term: c.term, Changes: c.changes, Times: c.times, Years: listed(p.years), Hosts: MostFirst(listed(p.hosts)),
		})
	}
	return out, err
}

// each calls edit with each edit within the bounds, and then word with each word that it deleted (or added, depending on the request's
// kind).
func (t *tally) each(ctx context.Context, edit func(host string, after cdx.Timestamp), word func(w []byte, times int)) error {
	walk, err := t.posting(fieldEdited, presentTerm)
	if err != nil {
		return err
	}
	defer walk.close()
	pages := documents{reader: t.reader, wants: t.req.wantsKey, field: fieldEdits}
	histories := documents{reader: t.reader, field: fieldHistory}
	var edits history.EditReader
	for doc := uint64(0); ; doc++ {
		at, ok, err := walk.seek(doc)
		if err = errors.Join(err, ctx.Err()); err != nil || !ok {
			return err
		}
		doc = at
		p, ok, err := pages.name(doc)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		packed, err := pages.value(doc)
		if err != nil {
			return err
		}
		h := surt.HostOf(p.key)
		table := func() ([]byte, error) { return histories.value(doc) }
		err = edits.Each(packed, table, t.req.Kind == Added, func(after cdx.Timestamp) bool {
			if after < t.req.Since || t.req.Until != 0 && after > t.req.Until {
				return false
			}
			edit(h, after)
			return true
		}, word)
		if err != nil {
			return err
		}
	}
}

// A RisingRequest asks for terms that are deleted or added more often within the bounds than in the Windows windows of the same length
// before them. Since and Until of the bounds are required.
type RisingRequest struct {
	Kind Kind // Deleted or Added
	Bounds
	Windows int
	Limit   int
}

// A Rising is a rising term, with the edits that deleted or added it and the number that its past would predict.
type Rising struct {
	Term     string
	Changes  int
	Past     int     // edits in all earlier windows
	Expected float64 // edits at its past share of all edits
	Score    float64
}

const (
	// risingFrom is the least number of edits of a rising term; a single one is no trend.
	risingFrom = 2
	// risingScore is the least score of a rising term. By chance, one term in six reaches it.
	risingScore = 1
)

// Rising returns the terms that are on the rise, the least likely to be so by chance first.
//
// The expected number of edits comes from the term's past share of all edits, because a collection that is crawled more often has more
// edits of every kind. The score is the logarithm of the Poisson likelihood ratio of the observed count k to the expected count e:
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

// windowsBefore returns the beginning of the earliest of the windows that precede the one from since to until.
func windowsBefore(since, until cdx.Timestamp, windows int) cdx.Timestamp {
	at := since.Time().Unix() - until.Distance(since)*int64(windows)
	if first := cdx.Timestamp(1_01_01_00_00_00).Time().Unix(); at < first {
		return 0
	}
	return cdx.FromTime(time.Unix(at, 0).UTC())
}

func (t *tally) rising(ctx context.Context, since cdx.Timestamp, limit int) ([]Rising, error) {
	type counts struct {
		edits int
		of    map[string]int
	}
	lately, past := counts{of: map[string]int{}}, counts{of: map[string]int{}}
	now := &past
	err := t.each(ctx, func(_ string, after cdx.Timestamp) {
		if now = &past; after >= since {
			now = &lately
		}
		now.edits++
	}, func(w []byte, _ int) { now.of[string(w)]++ })
	if err != nil || past.edits == 0 { // without a past nothing can be expected
		return nil, err
	}
	return RisingOf(lately.of, past.of, lately.edits, past.edits, limit), nil
}

// RisingOf returns the rising terms. lately and past have the recent and the earlier edits of each term; now and before are the numbers of
// all recent and all earlier edits.
func RisingOf(lately, past map[string]int, now, before, limit int) []Rising {
	first := best.Of(limit, func(a, b *Rising) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Term, b.Term))
	})
	for term, n := range lately {
		r := Rising{Term: term, Changes: n, Past: past[term]}
		r.Expected = (float64(r.Past) + 0.5) / (float64(before) + 1) * float64(now)
		if k := float64(n); n >= risingFrom && k > r.Expected {
			r.Score = k*math.Log(k/r.Expected) - (k - r.Expected)
			if r.Score >= risingScore {
				first.Add(r)
			}
		}
	}
	return first.Take(0)
}

// Past returns the bounds of the earlier windows together.
func (r *RisingRequest) Past() Bounds {
	b := r.Bounds
	b.Since, b.Until = windowsBefore(r.Since, r.Until, r.Windows), r.Since-1
	return b
}
