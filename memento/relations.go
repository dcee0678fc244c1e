package memento

import (
	"slices"

	"github.com/varve-archive/varve/cdx"
)

// A Neighbourhood is a capture and its neighbours among the captures of its URI-R, for the Link header of its URI-M.
// Captures that don't exist are nil.
type Neighbourhood struct {
	Original string       // URI-R; "" for the URI-R of Current
	Current  *cdx.Capture // the memento itself; nil at a TimeGate

	First, Prev, Next, Last *cdx.Capture // Prev and Next are the adjacent captures of any status

	Predecessor *cdx.Capture // the last capture of the previous version (RFC 5829 §3.5)
	Successor   *cdx.Capture // the first capture of the next version (RFC 5829 §3.6)
}

func (n *Neighbourhood) original() string {
	if n.Original == "" && n.Current != nil {
		return n.Current.URL
	}
	return n.Original
}

// MementoLinks returns the links of a URI-M (RFC 7089 §2.2, §4.2.1): original, timegate, timemap, first, prev, next
// and last memento, and the previous and next version in the terms of RFC 5829. Relations with the same URI-M share
// one link. The URI-Ms have no modifier.
func (u URIs) MementoLinks(n *Neighbourhood) []Link {
	uriR := n.original()
	links := make([]Link, 0, 9)
	links = append(links,
		Link{URI: uriR, Rels: []string{"original"}},
		Link{URI: u.TimeGate(uriR), Rels: []string{"timegate"}},
		u.timeMapLink(n, uriR))
	return u.appendMementos(links, n)
}

// TimeGateLinks returns the links of the answer of a URI-G (RFC 7089 §4.2.1): original, timemap, first and last memento,
// and Current as the selected memento, because some clients read nothing else. n needs Original, First and Last. Without
// captures it returns original alone.
func (u URIs) TimeGateLinks(n *Neighbourhood) []Link {
	links := []Link{{URI: n.original(), Rels: []string{"original"}}}
	if n.First == nil {
		return links
	}
	links = append(links, u.timeMapLink(n, n.original()))
	links = u.appendMementos(links, &Neighbourhood{First: n.First, Last: n.Last})
	selected := u.uriM(n.Current)
	if selected == "" || slices.ContainsFunc(links, func(l Link) bool { return l.URI == selected }) {
		return links
	}
	return append(links, Link{URI: selected, Rels: []string{"memento"}, Datetime: n.Current.Time})
}

// DetourLinks returns the links of an answer that leads to the URI-M of n.Current without being a TimeGate or a memento
// itself (RFC 7089 §4.5.7): original, timegate and timemap.
func (u URIs) DetourLinks(n *Neighbourhood) []Link {
	uriR := n.original()
	return []Link{{URI: uriR, Rels: []string{"original"}}, {URI: u.TimeGate(uriR), Rels: []string{"timegate"}}, u.timeMapLink(n, uriR)}
}

// ProxyLinks returns the links of a memento that a proxy answers at its URI-R, which is then its own TimeGate (RFC
// 7089 §4.1.2, pattern 1.2: URI-R = URI-G).
func (u URIs) ProxyLinks(n *Neighbourhood) []Link {
	uriR := n.original()
	links := make([]Link, 0, 8)
	links = append(links, Link{URI: uriR, Rels: []string{"original", "timegate"}}, u.timeMapLink(n, uriR))
	return u.appendMementos(links, n)
}

func (u URIs) timeMapLink(n *Neighbourhood, uriR string) Link {
	l := Link{URI: u.TimeMap("link", 1, uriR), Rels: []string{"timemap"}, Type: LinkFormat}
	if n.First != nil && n.Last != nil {
		l.From, l.Until = n.First.Time, n.Last.Time
	}
	return l
}

func (u URIs) appendMementos(links []Link, n *Neighbourhood) []Link {
	start := len(links)
	self := u.uriM(n.Current)
	add := func(c *cdx.Capture, rel string) {
		if c == nil {
			return
		}
		uri := u.uriM(c)
		if uri == self && rel != "first" && rel != "last" {
			return // a capture of the same second shares the URI-M
		}
		i := slices.IndexFunc(links[start:], func(l Link) bool { return l.URI == uri })
		if i < 0 {
			links = append(links, Link{URI: uri, Rels: []string{rel, "memento"}, Datetime: c.Time})
			return
		}
		l := &links[start+i]
		l.Rels = slices.Insert(l.Rels, len(l.Rels)-1, rel)
	}
	add(n.First, "first")
	add(n.Prev, "prev")
	add(n.Next, "next")
	add(n.Last, "last")
	add(n.Predecessor, "predecessor-version")
	add(n.Successor, "successor-version")
	return links
}

func (u URIs) uriM(c *cdx.Capture) string {
	if c == nil {
		return ""
	}
	return u.Memento(c.Time, "", c.URL)
}
