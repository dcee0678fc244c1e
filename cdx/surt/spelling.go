package surt

import (
	"strings"

	"github.com/varve-archive/varve/internal/percent"
)

// SameSpelling reports whether two URIs differ in no more than scheme, "www.", default port and a trailing slash. Many URIs with one SURT
// differ in more, such as the case of a letter in the path, or "%2B" and "+".
func SameSpelling(a, b string) bool { return a == b || spelling(a) == spelling(b) }

// spelling returns a form that is equal for all URIs of the same spelling.
func spelling(uri string) string {
	u := splitURI(cleanURI(uri))
	host, port := splitHostPort(u.authority)
	number := strings.ToLower(host[:len(host)-len(stripWWW(host))]) // a SURT knows no "www2." either
	host = strings.TrimPrefix(number, "www.") + strings.ToLower(canonicalHost(host))
	if port != "" && port != defaultPort(u.scheme) {
		host += ":" + port
	}
	if u.authority == "" {
		host = strings.ToLower(u.scheme) + ":"
	}
	return host + escapeNonASCII(strings.TrimSuffix(u.path, "/")+"?"+u.query)
}

// escapeNonASCII percent-encodes the characters that browsers do, so that an address is the same before and after a browser requested it.
func escapeNonASCII(s string) string {
	return percent.Encode(s, func(c byte) bool { return c <= ' ' || percent.NonASCII(c) })
}
