// Package rendition takes out of lists of renditions those that were never captured.
//
// A film is offered in several sizes, and a crawler captures the one that its player chose. A player of today chooses otherwise,
// and finds nothing. Of an HLS master playlist ([HLS]) and a DASH description ([DASH]) the renditions that the archive has are
// kept, or all of them if it has none: the rules by which addresses vary may still find them.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package rendition

import (
	"cmp"
	"net/url"
	"slices"
)

// Captured reports for each of the URI-Rs whether the archive has it.
type Captured func(uris []string) []bool

// A choice is one of several renditions: the bytes of the list from start to end.
type choice struct {
	group      string // among which one must stay
	start, end int
	uri        string // "" if it isn't known what is asked for to play it
}

// keep returns the list without the choices that were not captured. In a group of which nothing was, all stay.
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

// without returns the list without parts of it.
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

// resolve returns a reference as an absolute http or https URI-R without fragment, "" if it can't be one.
func resolve(base *url.URL, ref string) string {
	u, err := base.Parse(ref)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}
