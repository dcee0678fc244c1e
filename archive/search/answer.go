package search

import (
	"strconv"
	"strings"

	"github.com/varve-archive/varve/cdx/surt"
)

// finish adds the pages with several parts.
func (p *presence) finish() {
	for _, s := range p.parts {
		s.found.PlaceBy(&p.req.Order, p.by)
		p.add(s)
	}
}

// add counts a page, and keeps it if it is among the first.
func (p *presence) add(s *pageHit) {
	p.count(s)
	p.best.Add(hit{Found: s.found})
}

func (p *presence) count(s *pageHit) {
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

func (f *facets) add(s *pageHit) {
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
		Hosts: MostFirst(listed(hosts)), Years: listed(named(f.years)), MIMEs: MostFirst(listed(f.mimes)),
		Langs: MostFirst(listed(f.langs)), Chart: listed(named(f.chart)),
	}
}

func named(years map[int]int) map[string]int {
	out := make(map[string]int, len(years))
	for y, n := range years {
		out[strconv.Itoa(y)] = n
	}
	return out
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
		part := p.Part(idf(uint64(s.Having[i]), uint64(s.Documents)), n, length)
		if i < len(m.Formed) && m.Formed[i] {
			part *= FormWeight
		}
		score += part
	}
	return score
}
