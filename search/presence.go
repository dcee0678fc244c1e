package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/search/history"
)

// A presence is one run over the matches of a [PresentRequest].
type presence struct {
	req       PresentRequest
	all, none []condition
	stats     Statistics

	mu     sync.Mutex
	total  int
	best   top[Found]
	facets facets
	parts  map[string]*sighting // pages whose history has several parts, until all are read
}

// A condition is a clause, ready to count.
type condition struct {
	field   Field
	phrases []Phrase
	needles []history.Needle
}

func newCondition(c Clause) condition {
	out := condition{field: c.Field, phrases: c.Any}
	for _, p := range c.Any {
		out.needles = append(out.needles, history.NewNeedle(p))
	}
	return out
}

func newPresence(req PresentRequest) *presence {
	if req.Score == nil {
		req.Score = UsualBM25.Score
	}
	p := &presence{req: req, facets: newFacets(), parts: map[string]*sighting{}}
	p.best = top[Found]{limit: req.Skip + req.Limit, compare: req.Sort.compare}
	for _, c := range req.All {
		p.all = append(p.all, newCondition(c))
	}
	for _, c := range req.None {
		p.none = append(p.none, newCondition(c))
	}
	return p
}

// prepare returns a walker over the documents that may match. It is to be closed even after an error.
func (p *presence) prepare(r reader) (walk allOf, err error) {
	if p.stats, err = r.statistics(); err != nil {
		return nil, err
	}
	for _, c := range p.req.All {
		var any anyOf
		for _, phrase := range c.Any {
			words, err := r.phrase(fieldNames[c.Field], phrase)
			if err != nil {
				any.close()
				return walk, err
			}
			any = append(any, words)
		}
		p.stats.Having = append(p.stats.Having, min(int(any.documents()), p.stats.Documents))
		walk = append(walk, any)
	}
	return r.narrowed(walk, p.req.Page)
}

// A sighting is what is known of a page that matches.
type sighting struct {
	found               Found
	years, mimes, langs []string
	chart               map[string]int
}

// look finds the versions of a candidate that match.
func (p *presence) look(c *candidate) error {
	s := p.sight(c)
	whole := c.last && !c.Rows[0].Carried
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

// sight returns nil if no version matches.
func (p *presence) sight(c *candidate) *sighting {
	var out *sighting
	counter := newCounter(c, p.all, p.none)
	for i := range c.Rows {
		if !p.wants(c, i) || !counter.matches(i) {
			continue
		}
		if out == nil {
			out = &sighting{found: Found{Key: c.key}, chart: map[string]int{}}
		}
		row := &c.Rows[i]
		m := Match{
			Key: c.key, Version: row.Version, Words: row.Words, Versions: len(c.Rows), Newest: c.last && i == len(c.Rows)-1,
		}
		counter.fill(&m, i)
		out.add(m, p.req.Score(&p.stats, &m))
	}
	return out
}

// wants reports whether a version is within the filters.
func (p *presence) wants(c *candidate, i int) bool {
	v, req := &c.Rows[i], &p.req
	switch {
	case v.Missing, v.Soft404:
		return false
	case v.First < req.Since && v.Last < req.Since, req.Until != 0 && v.First > req.Until:
		return false
	case req.MIME != "" && v.MIME != req.MIME, req.Lang != "" && v.Lang != req.Lang, req.Status != 0 && v.Status != req.Status:
		return false
	case req.At == 0:
		return !v.Carried
	case i+1 < len(c.Rows):
		return v.First <= req.At && c.Rows[i+1].First > req.At
	}
	return v.First <= req.At && c.last // the next part has the version too, and knows when it ended
}

// add adds a version.
func (s *sighting) add(m Match, score float64) {
	one := sighting{
		found: Found{
			Key: m.Key, Versions: 1, Best: m, First: m.Version.First, Last: m.Version.Last, Still: m.Newest, Score: score,
		},
		mimes: []string{m.Version.MIME}, langs: []string{m.Version.Lang}, chart: map[string]int{},
	}
	for y := year(m.Version.First); y <= year(m.Version.Last); y++ {
		name := strconv.Itoa(y)
		one.years = append(one.years, name)
		one.chart[name] = 1
	}
	s.join(&one)
}

func year(t cdx.Timestamp) int { return int(t / 1_00_00_00_00_00) }

// join adds what is known from other versions of the page.
func (s *sighting) join(o *sighting) {
	f, g := &s.found, &o.found
	if f.Versions == 0 || g.Score > f.Score || g.Score == f.Score && g.Best.Version.First >= f.Best.Version.First {
		f.Best, f.Score = g.Best, g.Score
	}
	if f.Versions == 0 || g.First < f.First {
		f.First = g.First
	}
	f.Last = max(f.Last, g.Last)
	f.Versions += g.Versions
	f.Still = f.Still || g.Still
	s.years, s.mimes, s.langs = union(s.years, o.years), union(s.mimes, o.mimes), union(s.langs, o.langs)
	for y, n := range o.chart {
		s.chart[y] += n
	}
}

func union(a, b []string) []string {
	for _, s := range b {
		if s != "" && !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}

// add counts a page, and keeps it if it is among the first.
func (p *presence) add(s *sighting) {
	p.total++
	p.facets.add(s)
	p.best.add(s.found)
}

func (p *presence) answer(untold int) *PresentAnswer {
	for _, s := range p.parts {
		p.add(s)
	}
	f := &p.facets
	return &PresentAnswer{
		Total: p.total, Hits: p.best.from(p.req.Skip), Statistics: p.stats, Untold: untold, Hosts: mostFirst(counts(f.hosts)),
		Years: counts(f.years), MIMEs: mostFirst(counts(f.mimes)), Langs: mostFirst(counts(f.langs)), Chart: counts(f.chart),
	}
}

// facets count pages by what they have in common.
type facets struct{ hosts, years, mimes, langs, chart map[string]int }

func newFacets() facets {
	return facets{map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}}
}

func (f *facets) add(s *sighting) {
	f.hosts[surt.HostOf(s.found.Key)]++
	for _, of := range []struct {
		names  []string
		counts map[string]int
	}{{s.years, f.years}, {s.mimes, f.mimes}, {s.langs, f.langs}} {
		for _, name := range of.names {
			of.counts[name]++
		}
	}
	for y, n := range s.chart {
		f.chart[y] += n
	}
}

// compare is the order of hits.
func (o Sort) compare(a, b *Found) int {
	newest := cmp.Compare(b.Last, a.Last)
	switch o {
	case Newest:
		return cmp.Or(newest, cmp.Compare(b.Score, a.Score), strings.Compare(a.Key, b.Key))
	case Oldest:
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(b.Score, a.Score), strings.Compare(a.Key, b.Key))
	}
	return cmp.Or(cmp.Compare(b.Score, a.Score), newest, strings.Compare(a.Key, b.Key))
}

// Score rates a version by its text.
func (p BM25) Score(s *Statistics, m *Match) (score float64) {
	length := 1.0
	if s.MeanWords > 0 {
		length = float64(m.Words) / s.MeanWords
	}
	for i, n := range m.Text {
		score += p.Part(IDF(uint64(s.Having[i]), uint64(s.Documents)), n, length)
	}
	return score
}
