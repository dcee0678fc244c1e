// Package rendition removes from lists of renditions those that were never captured.
//
// A video is offered in several sizes, and a crawler captures the one that its player chose. Today's player chooses
// another, and finds nothing. From an HLS master playlist ([HLS]), a DASH description ([DASH]) or the lists that the players
// of some sites read in JSON ([Player]) the package keeps the renditions that the archive has. If it has none it keeps all:
// the rules by which addresses vary may still find them.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package rendition

import (
	"cmp"
	"net/url"
	"slices"
)

// An Archive is what lists are compared with.
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

// A part is what goes: the bytes of a list from start to end, and what comes in their place.
type part struct {
	start, end int
	put        string
}

// How much of a rendition was captured.
type extent int

const (
	nothing extent = iota
	entry          // what a player requests first, and of the rest nothing or nobody knows what
	some           // of its segments
	whole          // all of them
	unknown        // only the player knows what it requests
)

// keep returns the list without the choices of which less was captured than of others in their group. least says which
// extent is enough when the best of a group has a given one. If nothing of a group was captured, all of it stays.
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

// begun returns the extents as far as what a player requests first tells them.
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

// without returns the list without some parts. Of parts within others only the outer ones count.
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
