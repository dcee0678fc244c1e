package cdx

import (
	"fmt"
	"strings"
)

// A MatchType says which captures a URL stands for in a CDX query.
type MatchType string

// The match types of the wayback CDX server.
const (
	MatchExact  MatchType = "exact"  // those of the URL
	MatchPrefix MatchType = "prefix" // those of all URLs that begin so
	MatchHost   MatchType = "host"   // those of the URL's host
	MatchDomain MatchType = "domain" // those of the URL's host and the hosts below it
)

// KeyRange returns the keys that a URL stands for: from inclusive, to exclusive, "" to the end.
//
// With match "" a leading "*." means domain, a trailing "*" prefix, and "*" alone everything; a URL
// without a wildcard is matched exactly. The range of an exact match holds its key alone.
// A prefix keeps the slash or question mark it ends in, which a key would lose.
func KeyRange(url string, match MatchType) (from, to string, err error) {
	url, match = wildcards(strings.TrimSpace(url), match)
	key := Key(url)
	switch match {
	case MatchExact:
		return key, key + "!", nil
	case MatchPrefix:
		if url == "" {
			return "", "", nil
		}
		if end := url[len(url)-1:]; (end == "/" || end == "?") && !strings.HasSuffix(key, end) {
			key += end
		}
		return key, next(key), nil
	case MatchHost, MatchDomain:
		host, _, found := strings.Cut(key, ")/")
		if !found {
			return "", "", fmt.Errorf("matchType=%s needs a url with a host, which %.200q has not", match, url)
		}
		if match == MatchHost {
			return host + ")", host + "*", nil
		}
		if !strings.Contains(host, ",") { // a top-level domain
			return host + ",", host + "-", nil
		}
		return host + ")", host + "-", nil
	}
	return "", "", fmt.Errorf("matchType %.40q: want exact, prefix, host or domain", string(match))
}

// wildcards replaces the wildcards of url by the match type they stand for, if none is given.
func wildcards(url string, match MatchType) (string, MatchType) {
	if match != "" {
		return url, match
	}
	scheme, rest, found := strings.Cut(url, "://")
	if !found {
		scheme, rest = "", url
	}
	switch {
	case strings.HasPrefix(rest, "*."):
		return rest[2:], MatchDomain
	case strings.HasSuffix(rest, "*") && found:
		return scheme + "://" + rest[:len(rest)-1], MatchPrefix
	case strings.HasSuffix(rest, "*"):
		return rest[:len(rest)-1], MatchPrefix
	}
	return url, MatchExact
}

// next returns the string that follows all strings with the prefix s. Keys hold no byte above ~.
func next(s string) string {
	return s[:len(s)-1] + string(s[len(s)-1]+1)
}
