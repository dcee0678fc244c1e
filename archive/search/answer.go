package search

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/cdx/surt"
)

// add counts a page, and keeps it if it is among the first.
func (p *presence) add(s *sighting) {
	p.count(s)
	p.best.Add(hit{Found: s.found})
}

func (p *presence) count(s *sighting) {
	p.total++
	if s.found.Whole {
		p.whole++
	}
	p.facets.add(s)
}

// facets count matching pages by host, year, media type and language.
type facets struct {
	hosts        map[string]int // by host part of the key
	years, chart map[int]int
	mimes, langs map[string]int
}

func newFacets() facets {
	return facets{map[string]int{}, map[int]int{}, map[int]int{}, map[string]int{}, map[string]int{}}
}

func (f *facets) add(s *sighting) {
	f.hosts[hostPart(s.found.Key)]++
	for _, y := range s.years {
		f.years[y]++
	}
	for _, y := range s.chart {
		f.chart[y]++
	}
	for _, m := range s.mimes {
		f.mimes[m]++
	}
	for _, l := range s.langs {
		f.langs[l]++
	}
}

// hostPart returns the part of a key before its path, unchanged.
func hostPart(key string) string {
	host, _, _ := strings.Cut(key, ")")
	return host
}

func (f *facets) answer() *PresentAnswer {
	hosts := map[string]int{}
	for part, n := range f.hosts {
		hosts[surt.HostOf(part+")/")] += n
	}
	return &PresentAnswer{
		Hosts: mostFirst(listed(hosts)), Years: listed(named(f.years)), MIMEs: mostFirst(listed(f.mimes)),
		Langs: mostFirst(listed(f.langs)), Chart: listed(named(f.chart)),
	}
}

func named(years map[int]int) map[string]int {
	out := make(map[string]int, len(years))
	for y, n := range years {
		out[strconv.Itoa(y)] = n
	}
	return out
}

// compareHits compares two hits by [presence.compare].
func (p *presence) compareHits(a, b *hit) int { return p.compare(&a.Found, &b.Found) }

// compare orders pages as the request sorts them.
func (p *presence) compare(a, b *Found) int {
	newest := cmp.Compare(b.Last, a.Last)
	last := strings.Compare(a.Key, b.Key)
	switch p.req.Sort {
	case Newest:
		return cmp.Or(newest, cmp.Compare(b.Score, a.Score), last)
	case Oldest:
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(b.Score, a.Score), last)
	case ByField:
		return cmp.Or(a.place.compare(&b.place, p.req.Falling), cmp.Compare(b.Score, a.Score), newest, last)
	}
	return cmp.Or(WholeFirst(a, b), cmp.Compare(b.Score, a.Score), newest, last)
}

// WholeFirst puts pages with all optional clauses before the others.
func WholeFirst(a, b *Found) int { return trueFirst(a.Whole, b.Whole) }

func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// compare orders two places; pages without a value come last in both directions.
func (a *place) compare(b *place, falling bool) int {
	if a.known != b.known {
		if a.known {
			return -1
		}
		return 1
	}
	by := cmp.Or(cmp.Compare(a.number, b.number), strings.Compare(strings.ToLower(a.text), strings.ToLower(b.text)),
		strings.Compare(a.text, b.text))
	if falling {
		return -by
	}
	return by
}

// FormWeight is the weight of a word on a page that has only other forms of it.
const FormWeight = 0.8

// Score rates a version by its text.
func (p BM25) Score(s *Statistics, m *Match) (score float64) {
	length := 1.0
	if s.MeanWords > 0 {
		length = float64(m.Words) / s.MeanWords
	}
	for i, n := range m.Text {
		part := p.Part(IDF(uint64(s.Having[i]), uint64(s.Documents)), n, length)
		if i < len(m.Formed) && m.Formed[i] {
			part *= FormWeight
		}
		score += part
	}
	return score
}
