package surt

import (
	"strings"
)

// Of returns the SURT of a URI: the key by which its captures are sorted, computed as the wayback ecosystem does (the
// canonicalisation of the Safe Browsing rules, then that of the Internet Archive), except that a host has one key
// however it is spelled: [URLKey] has the difference.
//
// The host comes first and reversed ("org,example)/path?a=1&b=2"). Scheme, userinfo, a leading "www12.", the scheme's
// default port, the fragment, session ids and one trailing slash are removed. Everything is in lower case.
// Percent-encoding is undone as often as it was done, then applied to what a key can't contain (controls, space, #, %
// and bytes above ~). Query arguments are sorted. IDN hosts become punycode; IPv4 addresses in any spelling become
// dotted and are reversed like names. A URI without a host ("dns:example.org", "urn:…", "screenshot:http://…/") keeps
// its scheme.
//
// Of never fails: text that isn't a URI gets a key too, and "" gets "-". A key consists of the bytes ! to ~, so it
// contains no space and no NUL. URIs that differ only in ASCII case or in their fragment have the same key.
func Of(uri string) string {
	var buf [256]byte
	return string(Append(buf[:0], uri))
}

// Append appends the key of a URI to dst.
func Append(dst []byte, uri string) []byte {
	uri = cleanURI(uri)
	switch {
	case uri == "":
		return append(dst, '-')
	case strings.HasPrefix(uri, "filedesc"): // the first record of an ARC file: not a URI, taken as it is
		start := len(dst)
		return escapeTail(append(dst, uri...), start, &keepCase)
	}
	u := splitURI(uri)
	start := len(dst)
	dst = appendAuthority(dst, u)
	hasHost := len(dst) > start
	if !hasHost {
		dst = escapeTail(append(dst, u.scheme...), start, &lowerCase)
		dst = append(dst, ':')
	}
	n := len(dst)
	dst = appendPath(dst, u.path, hasHost)
	if q := len(dst); u.query != "" {
		dst = append(dst, '?')
		dst = appendQuery(dst, u.query)
		switch {
		case len(dst) == q+1: // the query is empty without them
			dst = dst[:q]
		case q == n: // a query needs a path before it
			dst = append(dst, 0)
			copy(dst[q+1:], dst[q:])
			dst[q] = '/'
		}
	}
	return dst
}

// cleanURI removes white space from both ends, and tabs and line breaks everywhere.
func cleanURI(uri string) string {
	uri = strings.Trim(uri, " \t\r\n\v\f")
	if strings.ContainsAny(uri, "\t\r\n") {
		uri = strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(uri)
	}
	return uri
}

type uriParts struct {
	scheme    string // as written
	authority string
	path      string // "" or, after an authority, with its slash
	query     string // without the question mark
}

func splitURI(uri string) uriParts {
	uri, _, _ = strings.Cut(uri, "#")
	u := uriParts{scheme: "http"}
	scheme, rest, found := cutScheme(uri)
	if found {
		u.scheme = scheme
	}
	switch {
	case found && !isHTTP(scheme) && !strings.HasPrefix(rest, "//"):
		u.path, u.query, _ = strings.Cut(rest, "?")
		return u
	case found && !isHTTP(scheme):
		rest = rest[2:]
	default: // http:/x and http:////x mean http://x
		rest = strings.TrimLeft(rest, "/")
	}
	for isHTTP(u.scheme) { // http://https://x was meant as https://x
		inner, after, ok := cutScheme(rest)
		if !ok || !isHTTP(inner) || !strings.HasPrefix(after, "//") {
			break
		}
		u.scheme, rest = inner, strings.TrimLeft(after, "/")
	}
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	u.authority = rest[:end]
	u.path, u.query, _ = strings.Cut(rest[end:], "?")
	return u
}

// cutScheme cuts "scheme:" off a URI. In "example.org:8080/" the part before the colon is a host.
func cutScheme(uri string) (scheme, rest string, found bool) {
	for i := range len(uri) {
		switch c := uri[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':' && !startsWithPort(uri[i+1:]):
			return uri[:i], uri[i+1:], true
		default:
			return "", uri, false
		}
	}
	return "", uri, false
}

func startsWithPort(s string) bool {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n > 0 && n <= 5 && (n == len(s) || s[n] == '/' || s[n] == '?')
}

func isHTTP(scheme string) bool {
	return len(scheme) >= 4 && strings.EqualFold(scheme[:4], "http")
}
