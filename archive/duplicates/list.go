package duplicates

import (
	"math"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// A List is the answer of /{coll}/duplicates and varve duplicates. It has either groups or pairs.
type List struct {
	Threshold float64     `json:"threshold"`
	Across    bool        `json:"across"`
	Groups    []GroupItem `json:"groups,omitempty"`
	Pairs     []PairItem  `json:"pairs,omitempty"`
	Pictures  []GroupItem `json:"pictures,omitempty"`
	Total     int         `json:"total"`         // groups, or pairs if they were asked for
	Equal     int         `json:"equal"`         // groups of equal pictures
	Cut       bool        `json:"cut,omitempty"` // there are more, but the limit was reached
}

// A GroupItem is a group.
type GroupItem struct {
	Kind       string        `json:"kind"`
	Similarity float64       `json:"similarity"`
	Captures   []CaptureItem `json:"captures"`
	Hosts      []HostItem    `json:"hosts,omitempty"`
}

// A CaptureItem is a capture.
type CaptureItem struct {
	URIM        string `json:"uri_m"`
	OriginalURI string `json:"original_uri"`
	Datetime    string `json:"datetime"`
}

// A HostItem has two hosts with the numbers of their pages that also exist on the other.
type HostItem [2]struct {
	Host  string `json:"host"`
	Alike int    `json:"alike"`
	Of    int    `json:"of"`
}

// A PairItem is a pair.
type PairItem struct {
	Kind       string         `json:"kind"`
	Similarity float64        `json:"similarity"`
	Captures   [2]CaptureItem `json:"captures"`
}

// List returns groups in the form of JSON: limit of them after the first from, and as many of pictures.
func (f *Found) List(uris memento.URIs, from, limit int) *List {
	out := f.head()
	out.Groups, out.Pictures = items(uris, f.Groups, from, limit), items(uris, f.Pictures, from, limit)
	return out
}

// ListPairs returns pairs in the form of JSON, those of pictures last.
func (f *Found) ListPairs(uris memento.URIs, from, limit int) *List {
	out := f.head()
	out.Total, out.Pairs = 0, []PairItem{}
	for _, groups := range [][]Group{f.Groups, f.Pictures} {
		for i := range groups {
			n := groups[i].pairs()
			out.Total += n
			for p := range groups[i].pairsFrom(max(0, from-(out.Total-n))) {
				if len(out.Pairs) == limit {
					break
				}
				out.Pairs = append(out.Pairs, PairItem{
					p.Kind.String(), rounded(p.Similarity), [2]CaptureItem{item(uris, &p.A), item(uris, &p.B)},
				})
			}
		}
	}
	return out
}

func (f *Found) head() *List {
	return &List{Threshold: f.Threshold, Across: f.Across, Total: len(f.Groups), Equal: len(f.Pictures), Cut: f.Cut}
}

func (g *Group) pairs() (n int) {
	for b := range g.blocks() {
		n += b.pairs
	}
	return n
}

func items(uris memento.URIs, groups []Group, from, limit int) []GroupItem {
	out := []GroupItem{}
	for i := min(from, len(groups)); i < len(groups) && len(out) < limit; i++ {
		g := &groups[i]
		it := GroupItem{Kind: g.Kind.String(), Similarity: rounded(g.Similarity)}
		for j := range g.Captures {
			it.Captures = append(it.Captures, item(uris, &g.Captures[j]))
		}
		for _, h := range g.Hosts {
			var both HostItem
			both[0].Host, both[0].Alike, both[0].Of = h.A.Host, h.A.Alike, h.A.Of
			both[1].Host, both[1].Alike, both[1].Of = h.B.Host, h.B.Alike, h.B.Of
			it.Hosts = append(it.Hosts, both)
		}
		out = append(out, it)
	}
	return out
}

func item(uris memento.URIs, c *cdx.Capture) CaptureItem {
	return CaptureItem{uris.Memento(c.Time, "", c.URL), c.URL, c.Time.String()}
}

// rounded rounds to the decimal places that the estimate supports.
func rounded(v float64) float64 { return math.Round(v*1000) / 1000 }
