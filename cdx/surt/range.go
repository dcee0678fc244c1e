package surt

import (
	"fmt"
	"strings"
)

// A Match says which captures a URL stands for in a CDX query.
type Match string

// The match types of the wayback CDX server.
const (
	Exact  Match = "exact"  // those of the URL
	Prefix Match = "prefix" // those of all URLs that begin so
	Host   Match = "host"   // those of the URL's host
	Domain Match = "domain" // those of the URL's host and the hosts below it
)

// Range returns the keys that a URL stands for: from inclusive, to exclusive, "" to the end.
//
// With match "" a leading "*." means domain, a trailing "*" prefix, and "*" alone everything; a URL
// without a wildcard is matched exactly. The range of an exact match holds its key alone.
// A prefix keeps the slash or question mark it ends in, which a key would lose.
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
		if !strings.Contains(host, ",") { // a top-level domain
			return host + ",", host + "-", nil
		}
		return host + ")", host + "-", nil
	}
	return "", "", fmt.Errorf("matchType %.40q: want exact, prefix, host or domain; url=* is everything", string(match))
}

// Wildcards replaces the wildcards of url by the match type they stand for, if none is given.
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

// next returns the string that follows all strings with the prefix s. Keys hold no byte above ~.
func next(s string) string {
	return s[:len(s)-1] + string(s[len(s)-1]+1)
}
