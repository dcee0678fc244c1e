package reference

import (
	"strings"

	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/encoding"
)

// A Base is what the relative URIs of a document are resolved against, parsed once.
type Base struct {
	href    string            // serialised as the URL standard does; "" if there is none
	scheme  string            // "http", "https" or "ftp", "" if relative URIs can't be resolved
	origin  int               // end of "scheme://authority" in href
	dir     int               // end of the path up to and with its last "/"
	path    int               // end of the path
	charset encoding.Encoding // of the document; nil for UTF-8
}

// New parses a URI-R. If it isn't http, https or ftp, only absolute URIs can be resolved.
func New(uri string, charset encoding.Encoding) *Base {
	if len(uri) > maxReferenceSize {
		return &Base{charset: charset}
	}
	u, err := url.Parse(uri)
	if err != nil || !isArchived([]byte(u.Scheme())) {
		return &Base{charset: charset}
	}
	return baseOf(u.Href(true), charset)
}

// baseOf parses a URI of these schemes that is serialised as the URL standard does.
func baseOf(href string, charset encoding.Encoding) *Base {
	scheme, _, _ := strings.Cut(href, ":")
	b := &Base{href: href, scheme: scheme, charset: charset}
	start := len(b.scheme) + len("://")
	b.origin = start + strings.IndexByte(b.href[start:], '/')
	b.path = len(b.href)
	if q := strings.IndexByte(b.href, '?'); q >= 0 {
		b.path = q
	}
	b.dir = strings.LastIndexByte(b.href[:b.path], '/') + 1
	return b
}

// Join returns the base that a <base href> or xml:base sets in a document with base b.
func (b *Base) Join(ref []byte) *Base {
	uri, _, ok := b.Resolve(nil, ref)
	if !ok || len(uri) > maxOdd {
		return b
	}
	return baseOf(string(uri), b.charset)
}

// Href returns the base as the URL standard serialises it, "" if there is none.
func (b *Base) Href() string { return b.href }

// Scheme returns "http", "https" or "ftp", or "" if relative URIs can't be resolved.
func (b *Base) Scheme() string { return b.scheme }

// Origin returns "scheme://host:port", or "" if there is no base.
func (b *Base) Origin() string { return b.href[:b.origin] }

// Authority returns "host:port".
func (b *Base) Authority() string {
	_, authority, _ := strings.Cut(b.Origin(), "://")
	return authority
}

// Hostname returns the host without its port.
func (b *Base) Hostname() string {
	host, _, _ := strings.Cut(b.Authority(), ":")
	return host
}

// Domain returns the registrable domain, "" if there is none.
func (b *Base) Domain() string {
	domain, err := publicsuffix.EffectiveTLDPlusOne(b.Hostname())
	if err != nil {
		return ""
	}
	return domain
}

// Folder returns the path up to and with its last "/".
func (b *Base) Folder() string { return b.href[b.origin:b.dir] }

// Charset returns the encoding of the document, nil for UTF-8.
func (b *Base) Charset() encoding.Encoding { return b.charset }
