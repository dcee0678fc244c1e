// Package fuzzy recognizes different addresses that request the same resource.
//
// A replayed page sends the requests that it sent when it was captured, except for values from its clock, its random numbers and its
// session, and for the server that was nearest to the crawler. [Of] removes such values from an index key, and [Spans] returns the ranges
// of an index with keys of the same meaning. A rule must never lead to another resource: whatever may identify the requested resource
// counts.
//
// Keys are SURTs (package surt): hosts in SURT order, everything in lower case, query arguments sorted. Stability: for varve alone.
package fuzzy

import (
	"strings"

	"github.com/varve-archive/varve/cdx/surt"
)

// Of returns the key without its varying parts. Two addresses for which it is equal count as the same resource if the requested one was
// never captured.
func Of(key string) string {
	if strings.Contains(key, ";") {
		path, query, found := strings.Cut(key, "?")
		if key = pathSession.ReplaceAllString(path, ""); found {
			key += "?" + query
		}
	}
	rule := siteRuleOf(key)
	if rule != nil {
		key = rule.rename(key)
	}
	path, query, _ := strings.Cut(key, "?")
	switch {
	case rule != nil && rule.decides():
		return withQuery(path, rule.reduced(query), rule.counts)
	case surt.HasMethod(key): // the body decides, whatever the path looks like
		return withQuery(path, query, sentCounts)
	case plainFiles.MatchString(path):
		return withQuery(path, query, partCounts)
	}
	return withQuery(path, query, genericCounts)
}

// Page returns the key of a page in a file, for an address with arguments: servers ignore these, and scripts in the page read them. It is
// "" if the page seems to be generated for its arguments: there is a rule for the site, or an argument that asks for a part or a search
// (but the search pages of Sphinx, which Read the Docs and many others use, are files).
func Page(key string) string {
	path, query, found := strings.Cut(key, "?")
	if sphinx := strings.Contains(query, "check_keywords="); sphinx && strings.HasSuffix(strings.TrimSuffix(path, ".html"), "/search") {
		return path
	}
	if !found || !isPageFile(path) || surt.HasMethod(key) || siteRuleOf(key) != nil {
		return ""
	}
	for arg := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(arg, "="); pageOf.MatchString(name) || partCounts(name, value) {
			return ""
		}
	}
	return path
}

// withQuery appends to path the arguments of query for which counts returns true.
func withQuery(path, query string, counts func(name, value string) bool) string {
	if query == "" {
		return path
	}
	var b strings.Builder
	b.WriteString(path)
	sep := byte('?')
	for arg := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(arg, "="); arg != "" && counts(name, value) {
			b.WriteByte(sep)
			if libraryCallback.MatchString(value) {
				arg = name + "="
			}
			b.WriteString(arg)
			sep = '&'
		}
	}
	return b.String()
}

// A Span is a range of keys, To exclusive. Only the first Most keys need to be compared.
type Span struct {
	From, To string
	Most     int
}

// Limits of the keys that are compared: of one path, of requests with a body, whose keys differ more, and of a site whose hosts vary.
const (
	maxQueries = 100
	maxSent    = 1000
	maxSite    = 2000
)

// Spans returns the ranges that contain the keys with the same meaning as key.
func Spans(key string) []Span {
	want := Of(key)
	path, _, _ := strings.Cut(want, "?")
	spans := []Span{{want, want + "\x00", 1}}
	rule := siteRuleOf(key)
	switch {
	case rule != nil && len(rule.Under) > 0:
		for _, prefix := range rule.Under {
			spans = append(spans, Span{prefix, prefix + "\xff", maxSite})
		}
	case rule != nil && rule.decides() && surt.HasMethod(key):
		spans = append(spans, Span{path + "?", path + "@", maxSent})
	case surt.HasMethod(key):
		same := sentBegin(key)
		spans = append(spans, Span{same, same + "\xff", maxSent})
	default:
		spans = append(spans, Span{path, path + "\x00", 1}, Span{path + "?", path + "@", maxQueries}, Span{path + ";", path + "<", maxQueries})
	}
	return spans
}
