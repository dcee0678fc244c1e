package duplicates

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
)

// A HostShare says how many pages of two hosts are the same.
type HostShare struct{ A, B HostPages }

// HostPages counts the pages of a host that have a text, and those of them that also exist on another host, furniture included.
type HostPages struct {
	Host      string
	Alike, Of int
}

const (
	maxHostPairs  = 100     // of a collection; further groups have no shares
	maxAlikeHosts = 20      // of one text
	maxHostPages  = 200_000 // pages of these hosts that are counted
)

// pages are SURTs of pages, by host.
type pages map[string]map[string]struct{}

func (p pages) add(c *cdx.Capture) {
	h := host(c)
	if p[h] == nil {
		p[h] = map[string]struct{}{}
	}
	p[h][c.Key] = struct{}{}
}

// A hostCounter collects the pages that pairs of hosts have in common.
type hostCounter map[[2]string]pages

// countHosts sets the shares of hosts in groups of mirrors.
func countHosts(ctx context.Context, a *archive.Archive, coll string, groups []Group) error {
	counter := hostCounter{}
	for i := range groups {
		g := &groups[i]
		for _, captures := range g.texts {
			counter.add(captures)
		}
		for _, e := range g.edges {
			if e.whole {
				counter.add(g.texts[e.a], g.texts[e.b])
			}
		}
	}
	all, err := counter.pages(ctx, a, coll)
	if err != nil {
		return err
	}
	for i := range groups {
		groups[i].Hosts = counter.sharesIn(&groups[i], all)
	}
	return nil
}

// add counts captures whose content is alike.
func (n hostCounter) add(alike ...[]cdx.Capture) {
	here := pages{}
	for _, captures := range alike {
		for i := range captures {
			here.add(&captures[i])
		}
	}
	hosts := slices.Sorted(maps.Keys(here))
	hosts = hosts[:min(len(hosts), maxAlikeHosts)]
	for i, b := range hosts {
		for _, a := range hosts[:i] {
			both := n[[2]string{a, b}]
			if both == nil && len(n) == maxHostPairs {
				continue
			}
			if both == nil {
				both = pages{a: {}, b: {}}
				n[[2]string{a, b}] = both
			}
			maps.Copy(both[a], here[a])
			maps.Copy(both[b], here[b])
		}
	}
}

// pages returns all pages with a text of the hosts that are counted.
func (n hostCounter) pages(ctx context.Context, a *archive.Archive, coll string) (pages, error) {
	all := pages{}
	for hosts := range n {
		all[hosts[0]], all[hosts[1]] = map[string]struct{}{}, map[string]struct{}{}
	}
	if len(all) == 0 {
		return all, nil
	}
	total := 0
	for c, err := range a.Index.ByText(ctx, coll) {
		if err != nil {
			return nil, err
		}
		if all[host(c)] == nil || !isGood(c) {
			continue
		}
		all.add(c)
		if total++; total == maxHostPages {
			break
		}
	}
	return all, nil
}

func (n hostCounter) sharesIn(g *Group, all pages) (out []HostShare) {
	here := pages{}
	for i := range g.Captures {
		here.add(&g.Captures[i])
	}
	for hosts, both := range n {
		a, b := hosts[0], hosts[1]
		if here[a] != nil && here[b] != nil {
			out = append(out, HostShare{HostPages{a, len(both[a]), len(all[a])}, HostPages{b, len(both[b]), len(all[b])}})
		}
	}
	slices.SortFunc(out, func(a, b HostShare) int {
		return cmp.Or(cmp.Compare(a.A.Host, b.A.Host), cmp.Compare(a.B.Host, b.B.Host))
	})
	return out
}
