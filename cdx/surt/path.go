package surt

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// A sessionID is one way of writing a session id. Searching for literal first is cheaper than matching.
type sessionID struct {
	literal string
	pattern *regexp.Regexp // groups 1 and 2 are what precedes and follows the id
}

// Session ids of ASP.NET in a path: /(S(24 characters))/page.aspx and /(24 characters)/page.aspx.
var pathSessions = [...]sessionID{
	{"/(", regexp.MustCompile(`^(.*/)\((?:[a-z]\([0-9a-z]{24}\))+\)/([^?]+\.aspx.*)$`)},
	{"/(", regexp.MustCompile(`^(.*/)\([0-9a-z]{24}\)/([^?]+\.aspx.*)$`)},
}

// Session ids in a query, as the Internet Archive's canonicaliser defines them. They may begin in the middle of an
// argument; the last one of each kind is removed.
var querySessions = [...]sessionID{
	{"jsessionid=", regexp.MustCompile(`^(.*)jsessionid=[0-9a-z]{32}(?:&(.*))?$`)},
	{"phpsessid=", regexp.MustCompile(`^(.*)phpsessid=[0-9a-z]{32}(?:&(.*))?$`)},
	{"sid=", regexp.MustCompile(`^(.*)sid=[0-9a-z]{32}(?:&(.*))?$`)},
	{"aspsessionid", regexp.MustCompile(`^(.*)aspsessionid[a-z]{8}=[a-z]{24}(?:&(.*))?$`)},
	{"&cftoken=", regexp.MustCompile(`^(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?$`)},
}

// appendPath appends the canonical path. After a host it is a hierarchical path, "/" if empty; otherwise it is any
// text.
func appendPath(dst []byte, path string, hasHost bool) []byte {
	start := len(dst)
	if hasHost && path == "" {
		return append(dst, '/')
	}
	dst = appendUnescaped(dst, path)
	if p := dst[start:]; hasHost && (bytes.Contains(p, []byte("//")) || bytes.Contains(p, []byte("/."))) {
		dst = append(dst[:start], removeDots(string(p))...)
	}
	dst = escapeTail(dst, start, &lowerCase)
	dst = cutSessions(dst, start, pathSessions[:])
	if n := len(dst); n > start+1 && dst[n-1] == '/' {
		dst = dst[:n-1]
	}
	return dst
}

// removeDots resolves "." and ".." and drops empty segments except the last. It keeps a ".." with nothing before it.
func removeDots(path string) []byte {
	var kept []string
	for seg := range strings.SplitSeq(path[1:], "/") {
		switch {
		case seg == ".":
		case seg == ".." && len(kept) > 0:
			kept = kept[:len(kept)-1]
		default:
			kept = append(kept, seg)
		}
	}
	out := make([]byte, 1, len(path))
	out[0] = '/'
	for i, seg := range kept {
		out = append(out, seg...)
		if seg != "" && i < len(kept)-1 {
			out = append(out, '/')
		}
	}
	return out
}

// appendQuery appends the canonical query, its arguments sorted by name, then by value.
func appendQuery(dst []byte, query string) []byte {
	start := len(dst)
	dst = escapeTail(appendUnescaped(dst, query), start, &lowerCase)
	dst = cutSessions(dst, start, querySessions[:])
	if q := dst[start:]; !argsSorted(q) {
		args := bytes.Split(bytes.Clone(q), []byte("&"))
		slices.SortFunc(args, compareArgs)
		dst = dst[:start]
		for i, a := range args {
			if i > 0 {
				dst = append(dst, '&')
			}
			dst = append(dst, a...)
		}
	}
	return dst
}

// cutSessions removes session ids from dst[start:].
func cutSessions(dst []byte, start int, ids []sessionID) []byte {
	for _, id := range ids {
		if !bytes.Contains(dst[start:], []byte(id.literal)) {
			continue
		}
		if m := id.pattern.FindStringSubmatch(string(dst[start:])); m != nil {
			dst = append(append(dst[:start], m[1]...), m[2]...)
		}
	}
	return dst
}

func argsSorted(query []byte) bool {
	prev, rest, more := bytes.Cut(query, []byte("&"))
	for more {
		var next []byte
		next, rest, more = bytes.Cut(rest, []byte("&"))
		if compareArgs(prev, next) > 0 {
			return false
		}
		prev = next
	}
	return true
}

// compareArgs orders by name, then by value; a name without a value comes before one with an empty value.
func compareArgs(a, b []byte) int {
	an, bn := nameLen(a), nameLen(b)
	if c := bytes.Compare(a[:an], b[:bn]); c != 0 {
		return c
	}
	return bytes.Compare(a[an:], b[bn:])
}

func nameLen(arg []byte) int {
	if i := bytes.IndexByte(arg, '='); i >= 0 {
		return i
	}
	return len(arg)
}
