package rewrite

import (
	"strings"

	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/text/encoding"
)

// A base is what the relative URIs of a document are resolved against, parsed once.
type base struct {
	href      string            // serialised as the URL standard does; "" if there is none
	scheme    string            // "http" or "https", "" if relative URIs can't be resolved
	origin    int               // end of "scheme://authority" in href
	dir       int               // end of the path up to and with its last "/"
	path      int               // end of the path
	charset   encoding.Encoding // of the document; nil for UTF-8
	authority string            // "//host:port"
}

// newBase parses a URI-R. If it isn't http or https, only absolute URIs can be resolved.
func newBase(uri string, charset encoding.Encoding) *base {
	if len(uri) > maxReferenceSize {
		return &base{charset: charset}
	}
	u, err := url.Parse(uri)
	if err != nil || (u.Scheme() != "http" && u.Scheme() != "https") {
		return &base{charset: charset}
	}
	return baseOf(u.Href(true), charset)
}

// baseOf parses an http or https URI that is serialised as the URL standard does.
func baseOf(href string, charset encoding.Encoding) *base {
	scheme, _, _ := strings.Cut(href, ":")
	b := &base{href: href, scheme: scheme, charset: charset}
	start := len(b.scheme) + len("://")
	b.origin = start + strings.IndexByte(b.href[start:], '/')
	b.path = len(b.href)
	if q := strings.IndexByte(b.href, '?'); q >= 0 {
		b.path = q
	}
	b.dir = strings.LastIndexByte(b.href[:b.path], '/') + 1
	b.authority = b.href[len(b.scheme)+1 : b.origin]
	return b
}

// join returns the base that a <base href> or xml:base sets in a document with base b.
func (b *base) join(ref []byte) *base {
	uri, _, ok := b.resolve(nil, ref)
	if !ok || len(uri) > maxOdd {
		return b
	}
	return baseOf(string(uri), b.charset)
}
