package search

import (
	"slices"

	"github.com/varve-archive/varve/cdx"
)

// counts say how often the conditions of a request occur in each version of a page.
type counts interface {
	// count returns how often a condition occurs in its field in a version.
	count(condition, row int) int
	// places returns how often it occurs in each part of the version.
	places(condition, row int) places
}

// places are numbers of occurrences, by part of a version.
type places struct{ text, title, url, heading, furniture int }

// A pageHit collects what is known about a matching page.
type pageHit struct {
	found        Found
	years        []int
	mimes, langs []string
	chart        []int // one entry for each year of each matching version
}

// match finds the versions of a candidate that match.
func (p *presence) match(c *candidate) error {
	s := p.hitOf(c, newCounter(c, p.asked.list))
	whole := c.last && !c.Rows[0].Carried
	if s != nil && whole && p.send != nil {
		return p.send(s.found)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case s == nil:
	case whole:
		p.add(s)
	case p.parts[c.key] == nil:
		p.parts[c.key] = s
	default:
		p.parts[c.key].join(s)
	}
	return nil
}

// hitOf returns the matching versions of a candidate, nil if there are none.
func (p *presence) hitOf(c *candidate, of counts) *pageHit {
	var out *pageHit
	var to linkCounts
	seen := p.asked.matching(of, len(c.Rows))
	for i := range c.Rows {
		if !p.wants(c, i) {
			continue
		}
		fits := seen.grade(i)
		if fits == unfit || out != nil && out.found.Whole && fits == some {
			continue
		}
		if out == nil {
			out = &pageHit{found: Found{Key: c.key}}
			to = p.pointing.at(c.key)
		}
		row := &c.Rows[i]
		m := Match{
			Key: c.key, Version: row.Version, Words: row.Words, Versions: len(c.Rows), Newest: c.last && i == len(c.Rows)-1,
			Anchors: to.anchors, Inlinks: to.inlinks,
		}
		seen.fill(&m, i)
		out.add(m, p.req.Score(&p.stats, &m), fits == whole)
	}
	if out != nil {
		out.found.PlaceBy(&p.req.Order, p.by)
	}
	return out
}

// wants reports whether a version passes the filters.
func (p *presence) wants(c *candidate, i int) bool {
	v, req := &c.Rows[i], &p.req
	switch {
	case v.Missing, v.Soft404:
		return false
	case v.Last < req.Since, req.Until != 0 && v.First > req.Until:
		return false
	case req.MIME != "" && v.MIME != req.MIME, req.Lang != "" && v.Lang != req.Lang, req.Status != 0 && v.Status != req.Status:
		return false
	case req.At == 0:
		return !v.Carried
	case i+1 < len(c.Rows):
		return v.First <= req.At && c.Rows[i+1].First > req.At
	}
	return v.First <= req.At && c.last // otherwise the next part begins with this version and knows when it ended
}

// add adds a matching version. whole says that it has all optional clauses.
func (s *pageHit) add(m Match, score float64, whole bool) {
	v := &m.Version
	if whole && !s.found.Whole {
		*s = pageHit{}
	}
	s.best(Found{Key: m.Key, Versions: 1, Best: m, First: v.First, Last: v.Last, Still: m.Newest, Whole: whole, Score: score})
	for y := year(v.First); y <= year(v.Last); y++ {
		s.years = union(s.years, y)
		s.chart = append(s.chart, y)
	}
	s.mimes, s.langs = unionOfNamed(s.mimes, v.MIME), unionOfNamed(s.langs, v.Lang)
}

func year(t cdx.Timestamp) int { return int(t / 1_00_00_00_00_00) }

// best merges the best version and the bounds of other matching versions.
func (s *pageHit) best(g Found) {
	f := &s.found
	if f.Versions == 0 || g.Score > f.Score || g.Score == f.Score && g.Best.Version.First >= f.Best.Version.First {
		f.Best, f.Score = g.Best, g.Score
	}
	if f.Versions == 0 || g.First < f.First {
		f.First = g.First
	}
	f.Last = max(f.Last, g.Last)
	f.Key, f.Whole = g.Key, g.Whole
	f.Versions += g.Versions
	f.Still = f.Still || g.Still
}

// join merges what was found in another part of the page's history.
func (s *pageHit) join(o *pageHit) {
	if s.found.Whole != o.found.Whole {
		if o.found.Whole {
			*s = *o
		}
		return
	}
	s.best(o.found)
	s.years, s.mimes, s.langs = union(s.years, o.years...), union(s.mimes, o.mimes...), union(s.langs, o.langs...)
	s.chart = append(s.chart, o.chart...)
}

func union[T comparable](list []T, more ...T) []T {
	for _, v := range more {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

func unionOfNamed(list []string, name string) []string {
	if name == "" {
		return list
	}
	return union(list, name)
}
