// Package rendition removes from lists of renditions those that were never captured.
//
// A video is offered in several sizes, and a crawler captures the one that its player chose. Today's player chooses
// another, and finds nothing. From an HLS master playlist ([HLS]) or a DASH description ([DASH]) the package keeps the
// renditions that the archive has. If it has none it keeps all: the rules by which addresses vary may still find them.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package rendition

import (
	"cmp"
	"net/url"
	"slices"
)

// Captured reports for each URI-R whether the archive has it.
type Captured func(uris []string) []bool

// A choice is one of several renditions: the bytes of the list from start to end.
type choice struct {
	group      string // group of renditions of which one must stay
	start, end int
	uri        string // what is requested to play it; "" if unknown
}

// keep returns the list without the choices that were not captured. If nothing of a group was captured, all of it
// stays.
func keep(list []byte, choices []choice, captured Captured) []byte {
	var uris []string
	for _, c := range choices {
		if c.uri != "" {
			uris = append(uris, c.uri)
		}
	}
	if len(uris) == 0 {
		return list
	}
	answers := captured(uris)
	has, alive := make([]bool, len(choices)), map[string]bool{}
	for i, c := range choices {
		if has[i] = c.uri == ""; !has[i] {
			has[i], answers = answers[0], answers[1:]
			alive[c.group] = alive[c.group] || has[i]
		}
	}
	var gone []choice
	for i, c := range choices {
		if !has[i] && alive[c.group] {
			gone = append(gone, c)
		}
	}
	return without(list, gone)
}

// without returns the list without some parts.
func without(list []byte, parts []choice) []byte {
	if len(parts) == 0 {
		return list
	}
	slices.SortFunc(parts, func(a, b choice) int { return cmp.Compare(a.start, b.start) })
	out, at := make([]byte, 0, len(list)), 0
	for _, p := range parts {
		out = append(out, list[at:p.start]...)
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
