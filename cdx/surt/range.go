package surt

import (
	"fmt"
	"slices"
	"strings"
)

// A Match says which captures a URL selects in a CDX query.
type Match string

// The match types of the wayback CDX server.
const (
	Exact  Match = "exact"  // of this URL
	Prefix Match = "prefix" // of all URLs that begin with it
	Host   Match = "host"   // of the URL's host
	Domain Match = "domain" // of the URL's host and its subdomains
)

// Range returns the keys that a URL selects: from inclusive, to exclusive; to is "" for no end.
//
// With match "" a leading "*." means domain, a trailing "*" prefix, and "*" alone everything; a URL without a wildcard is matched exactly.
// An exact range contains only its key. A prefix keeps its final slash or question mark, which a key would lose: see [Ranges].
func Range(url string, match Match) (from, to string, err error) {
	url, match = Wildcards(strings.TrimSpace(url), match)
	key := Of(url)
	switch match {
	case Exact:
		return key, key + "!", nil
	case Prefix:
		if url == "" {
			return "", "", nil
		}
		if end := url[len(url)-1:]; (end == "/" || end == "?") && !strings.HasSuffix(key, end) {
			key += end
		}
		return key, next(key), nil
	case Host, Domain:
		host, _, found := strings.Cut(key, ")/")
		if !found {
			return "", "", fmt.Errorf("matchType=%s needs a url with a host, which %.200q has not", match, url)
		}
		if match == Host {
			return host + ")", host + "*", nil
		}
		return host + ")", host + "-", nil
	}
	return "", "", fmt.Errorf("matchType %.40q: want exact, prefix, host or domain; url=* is everything", string(match))
}

// Keys is a range of keys: From inclusive, To exclusive; To is "" for no end.
type Keys struct{ From, To string }

// InAny reports whether a key is in one of the ranges.
func InAny(ranges []Keys, key string) bool {
	return slices.ContainsFunc(ranges, func(k Keys) bool { return key >= k.From && (k.To == "" || key < k.To) })
}

// Around returns the range from the first of ranges to the last, with what is between them.
func Around(ranges []Keys) Keys { return Keys{ranges[0].From, ranges[len(ranges)-1].To} }

// Ranges is [Range] with what a folder has in other places: its own page, with a query too. Their keys have lost the slash that a prefix
// such as http://example.org/a/* ends in. The ranges are disjoint and in order.
func Ranges(url string, match Match) ([]Keys, error) {
	from, to, err := Range(url, match)
	if err != nil {
		return nil, err
	}
	all := []Keys{{from, to}}
	url, match = Wildcards(strings.TrimSpace(url), match)
	if folder := Of(url); match == Prefix && from == folder+"/" {
		all = []Keys{{folder, folder + "!"}, {from, to}, {folder + "?", folder + "@"}}
	}
	return all, nil
}

// Wildcards replaces the wildcards of url by the match type they mean, if match is "".
func Wildcards(url string, match Match) (string, Match) {
	if match != "" {
		return url, match
	}
	scheme, rest, found := strings.Cut(url, "://")
	if !found {
		scheme, rest = "", url
	}
	switch {
	case strings.HasPrefix(rest, "*."):
		return rest[2:], Domain
	case strings.HasSuffix(rest, "*") && found:
		return scheme + "://" + rest[:len(rest)-1], Prefix
	case strings.HasSuffix(rest, "*"):
		return rest[:len(rest)-1], Prefix
	}
	return url, Exact
}

// next returns the first string after all those with the prefix s. Keys contain no byte above ~, so the last byte can
// be incremented.
func next(s string) string {
	return s[:len(s)-1] + string(s[len(s)-1]+1)
}
