package replay

import (
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/search"
)

// changeBounds reads the filters of changes: a domain (the hosts below it too) and a prefix of URLs, both where both are
// given, and datetimes.
func changeBounds(domain, prefix, from, to string) (b search.Bounds, err error) {
	if domain != "" {
		if b.From, b.To, err = surt.Range(domain, surt.Domain); err != nil {
			return b, badQuery("%s", err)
		}
	}
	if prefix != "" {
		first, end, err := surt.Range(prefix, surt.Prefix)
		if err != nil {
			return b, badQuery("%s", err)
		}
		if key := surt.Of(URIR(prefix)); key >= b.From && (b.To == "" || key < b.To) {
			b.Also = key
		}
		b.From = max(b.From, first)
		if b.To == "" || end != "" && end < b.To {
			b.To = end
		}
	}
	if from != "" {
		if b.Since, err = cdx.ParseTimestamp(from); err != nil {
			return b, badQuery("from %.20q: want 1 to 14 digits of a datetime", from)
		}
	}
	if to != "" {
		if b.Until, err = cdx.ParseTimestampEnd(to); err != nil {
			return b, badQuery("to %.20q: want 1 to 14 digits of a datetime", to)
		}
	}
	return b, nil
}

// A SearchState says how many pages can be searched yet.
type SearchState struct {
	Pages    int64 `json:"pages"`
	Searched int64 `json:"searched"`
}

// A SearchFacet counts the changes of one domain or year.
type SearchFacet struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

func facets(counts []search.Count) []SearchFacet {
	out := make([]SearchFacet, 0, min(len(counts), maxFacets))
	for _, c := range counts[:min(len(counts), maxFacets)] {
		out = append(out, SearchFacet{c.Name, c.Count})
	}
	return out
}

// maxFacets bounds how many domains are listed; years are fewer.
const maxFacets = 100

// state says how far the index is.
func (of *searchOf) state() SearchState {
	return SearchState{Pages: of.progress.Pages.Load(), Searched: of.progress.Done.Load()}
}
