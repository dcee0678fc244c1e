package holdings

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/catalogue"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// An Overview summarizes a collection. Pages are addresses that people open: pages and documents.
type Overview struct {
	Captures, Addresses int
	Pages, Versions     int // of pages
	Bytes               int64
	First, Last         cdx.Timestamp
	Years               []Year // with captures or versions of pages, in order of time
	Hosts               []HostCount
	AllHosts            int
	Sorts               []SortCount // that have addresses, in the order of [Sorts]

	// Numbers of entries, the first in rank first: those with the most versions, those that changed last, those with the longest time between
	// first and last capture, and the candidates from which [Counts.Entries] chooses.
	Changed, Recent, Longest []int
	entries                  []int
}

// A Year has the captures of pages in a year, and the versions that began in it.
type Year struct{ Year, Captures, Versions int }

// A HostCount is a host with its pages.
type HostCount struct {
	Host                      string // as it is written in addresses
	Pages, Captures, Versions int    // of pages
}

// A SortCount is a sort of addresses.
type SortCount struct {
	Sort                Sort
	Addresses, Captures int
	Bytes               int64
}

const (
	topPages   = 8   // pages of each kind in an overview
	topHosts   = 10  // those with the most pages
	topEntries = 200 // to choose from
)

// A survey makes an overview from addresses, ordered by key.
type survey struct {
	out                               Overview
	years                             map[int]*Year
	sorts                             map[Sort]*SortCount
	host                              HostCount // the current host
	hosts                             tops[HostCount]
	changed, recent, longest, entries tops[ranked]
}

// ranked is an entry with the values that decide its rank.
type ranked struct {
	number int
	rank   float64
}

func newSurvey() *survey {
	best := func(a, b ranked) int { return cmp.Compare(b.rank, a.rank) }
	top := func(n int) tops[ranked] { return tops[ranked]{most: n, compare: best} }
	return &survey{
		years: map[int]*Year{}, sorts: map[Sort]*SortCount{}, changed: top(topPages), recent: top(topPages), longest: top(topPages),
		entries: top(topEntries),
		hosts:   tops[HostCount]{most: topHosts, compare: func(a, b HostCount) int { return cmp.Compare(b.Pages, a.Pages) }},
	}
}

func (s *survey) add(number int, a *Address, e *catalogue.Entry) {
	o := &s.out
	o.Captures, o.Addresses, o.Bytes = o.Captures+a.Captures, o.Addresses+1, o.Bytes+a.Bytes
	if o.First == 0 || a.First < o.First {
		o.First = a.First
	}
	o.Last = max(o.Last, a.Last)
	sort := a.Sort()
	of := s.sorts[sort]
	if of == nil {
		of = &SortCount{Sort: sort}
		s.sorts[sort] = of
	}
	of.Addresses, of.Captures, of.Bytes = of.Addresses+1, of.Captures+a.Captures, of.Bytes+a.Bytes
	if a.IsRead() {
		s.addPage(number, a, e)
	}
}

// addPage adds an address that people open.
func (s *survey) addPage(number int, a *Address, e *catalogue.Entry) {
	s.out.Pages, s.out.Versions = s.out.Pages+1, s.out.Versions+e.Versions
	for _, y := range a.years {
		s.year(y.year).Captures += y.n
	}
	for _, y := range e.Began {
		s.year(y).Versions++
	}
	s.toHost(a.Key)
	s.host.Pages, s.host.Captures, s.host.Versions = s.host.Pages+1, s.host.Captures+a.Captures, s.host.Versions+e.Versions
	if e.Versions > 1 {
		s.changed.add(ranked{number, float64(e.Versions)})
		s.recent.add(ranked{number, float64(e.Changed)})
	}
	if life := a.Last.Time().Sub(a.First.Time()); life > 0 && a.Status < 400 {
		s.longest.add(ranked{number, life.Hours()})
	}
	if rank := entryRank(a, e); rank > 0 {
		s.entries.add(ranked{number, rank})
	}
}

func (s *survey) year(y int) *Year {
	if s.years[y] == nil {
		s.years[y] = &Year{Year: y}
	}
	return s.years[y]
}

// toHost begins another host, unless key is of the current one.
func (s *survey) toHost(key string) {
	host := surt.HostOf(key)
	if host == s.host.Host {
		return
	}
	if s.host.Pages > 0 {
		s.out.AllHosts++
		s.hosts.add(s.host)
	}
	s.host = HostCount{Host: host}
}

func (s *survey) done() Overview {
	s.toHost("")
	o := &s.out
	for _, y := range s.years {
		o.Years = append(o.Years, *y)
	}
	slices.SortFunc(o.Years, func(a, b Year) int { return cmp.Compare(a.Year, b.Year) })
	for _, sort := range Sorts() {
		if of := s.sorts[sort]; of != nil {
			o.Sorts = append(o.Sorts, *of)
		}
	}
	o.Hosts = s.hosts.done()
	o.Changed, o.Recent, o.Longest, o.entries = numbersOf(&s.changed), numbersOf(&s.recent), numbersOf(&s.longest), numbersOf(&s.entries)
	return *o
}

func numbersOf(t *tops[ranked]) (out []int) {
	for _, r := range t.done() {
		out = append(out, r.number)
	}
	return out
}

// entryRank rates a page as a starting point, 0 if it isn't one: home pages and pages near them rank high, and so do pages that were
// captured and changed often. Pages with a query, and pages that were errors at last, rank 0.
func entryRank(a *Address, e *catalogue.Entry) float64 {
	_, path, _ := strings.Cut(a.Key, ")")
	if a.Sort() != SortPage || a.Status != 200 || strings.Contains(path, "?") {
		return 0
	}
	depth := strings.Count(strings.Trim(path, "/"), "/")
	rank := 1 + math.Log2(1+float64(e.Versions)) + math.Log2(1+float64(a.Captures))/4
	if surt.IsHomeKey(a.Key) {
		rank += 4
	} else {
		rank -= float64(min(depth, 4)) / 2
	}
	return max(rank, 0.1)
}

// tops keeps the first values of an order; equal ones in the order in which they came.
type tops[T any] struct {
	most    int
	compare func(a, b T) int
	list    []T
}

func (t *tops[T]) add(v T) {
	if t.list = append(t.list, v); len(t.list) >= 2*t.most {
		t.cut()
	}
}

func (t *tops[T]) cut() {
	slices.SortStableFunc(t.list, t.compare)
	t.list = t.list[:min(len(t.list), t.most)]
}

func (t *tops[T]) done() []T {
	t.cut()
	return t.list
}

// entriesOfHost bounds the chosen entries of a host, so that one host can't fill the list.
const entriesOfHost = 2

// Entries chooses n pages as starting points and returns their numbers: home pages, pages that changed often and, if there is a search,
// pages with many links to them.
func (s *Counts) Entries(ctx context.Context, coll string, of *List, n int) ([]int, error) {
	var keys []string
	list := make([]ranked, len(of.Overview.entries))
	for i, number := range of.Overview.entries {
		e := of.At(number)
		a := ListedOf(&e)
		keys, list[i] = append(keys, e.Key), ranked{i, entryRank(&a.Address, &e)}
	}
	links, err := s.links(ctx, coll, keys)
	if err != nil {
		return nil, err
	}
	for i := range links {
		list[i].rank += math.Log2(1 + float64(links[i]))
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(b.rank, a.rank) })
	hosts := map[string]int{}
	var out []int
	for _, r := range list {
		host := surt.HostOf(keys[r.number])
		if hosts[host]++; hosts[host] <= entriesOfHost || len(of.Overview.Hosts) == 1 {
			out = append(out, of.Overview.entries[r.number])
		}
		if len(out) == n {
			break
		}
	}
	return out, nil
}

// links returns how many pages link to each key, nil if there is no search.
func (s *Counts) links(ctx context.Context, coll string, keys []string) ([]int, error) {
	if s.Searches == nil {
		return nil, nil
	}
	of, err := s.Searches.Of(coll)
	if err != nil {
		return nil, nil
	}
	links, err := of.Inlinks(ctx, keys)
	if errors.Is(err, opensearch.ErrAway) {
		return nil, nil
	}
	return links, err
}
