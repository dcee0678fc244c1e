// Package rendition removes from lists of renditions those that were never captured.
//
// A video is offered in several sizes, and a crawler captures the one that its player chose. Today's player chooses another, which
// isn't in the archive. From an HLS master playlist ([HLS]), a DASH description ([DASH]) or the JSON lists that the players of some
// sites read ([Player]), the package keeps the renditions that the archive has. If it has none of them, it keeps all: fuzzy
// matching of addresses may still find them.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package rendition

import (
	"cmp"
	"net/url"
	"slices"
)

// An Archive says which renditions were captured.
type Archive interface {
	// Has reports for each URI-R whether the archive has it.
	Has(uris []string) []bool
	// Read returns the archived text of a URI-R, nil if there is none or it is too long.
	Read(uri string) []byte
}

// A choice is one of several renditions: the bytes of the list from start to end.
type choice struct {
	group      string // group of renditions of which one must stay
	start, end int
	uri        string // what is requested to play it; "" if unknown
}

// A part is a change to a list: the bytes from start to end are replaced by a text.
type part struct {
	start, end int
	put        string
}

// An extent says how much of a rendition was captured.
type extent int

const (
	nothing extent = iota
	entry          // what a player requests first; of the rest nothing, or it is unknown
	some           // of its segments
	whole          // all of them
	unknown        // only the player knows what it requests
)

// keep removes the choices of which less was captured than of others in their group. least returns the extent that is enough, given
// the best extent in the group. If nothing of a group was captured, all of it stays.
func keep(list []byte, choices []choice, extents []extent, least func(group string, best extent) extent) []byte {
	best := map[string]extent{}
	for i, c := range choices {
		if extents[i] != unknown {
			best[c.group] = max(best[c.group], extents[i])
		}
	}
	var gone []part
	for i, c := range choices {
		if extents[i] < least(c.group, best[c.group]) {
			gone = append(gone, part{start: c.start, end: c.end})
		}
	}
	return without(list, gone)
}

// begun returns the extents that follow from a player's first requests alone.
func begun(choices []choice, a Archive) []extent {
	var uris []string
	for _, c := range choices {
		if c.uri != "" {
			uris = append(uris, c.uri)
		}
	}
	out := make([]extent, len(choices))
	if len(uris) == 0 {
		return slices.Repeat([]extent{unknown}, len(choices))
	}
	has := a.Has(uris)
	for i, c := range choices {
		if c.uri == "" {
			out[i] = unknown
			continue
		}
		if has[0] {
			out[i] = entry
		}
		has = has[1:]
	}
	return out
}

// without returns the list with parts replaced. Of nested parts only the outer ones count.
func without(list []byte, parts []part) []byte {
	if len(parts) == 0 {
		return list
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.start, b.start) })
	out, at := make([]byte, 0, len(list)), 0
	for _, p := range parts {
		if p.start < at {
			continue
		}
		out = append(append(out, list[at:p.start]...), p.put...)
		at = p.end
	}
	return append(out, list[at:]...)
}

// resolve returns a reference as an absolute http or https URI-R without fragment, or "".
func resolve(base *url.URL, ref string) string {
	u, err := base.Parse(ref)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}
