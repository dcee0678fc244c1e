package reference

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/varve-archive/varve/rewrite/ascii"
)

// Resolve appends the absolute URI of ref (URL standard, "basic URL parser") to dst, without the fragment, which it
// returns with its "#". It is not ok if there is nothing to look up in an archive: an empty or fragment-only reference,
// a scheme other than http, https or ftp, or no URI at all.
//
// Plain references, nearly all of them, take a path of their own, some twenty times as fast as the library that handles
// the others. A fuzz test checks that the two agree.
func (b *Base) Resolve(dst, ref []byte) (uri, fragment []byte, ok bool) {
	ref = trimControls(ref)
	if len(ref) == 0 || ref[0] == '#' {
		return dst, nil, false
	}
	if hash := bytes.IndexByte(ref, '#'); hash >= 0 {
		ref, fragment = ref[:hash], ref[hash:]
	}
	scheme, rest := splitScheme(ref)
	if scheme != nil && !isArchived(scheme) {
		return dst, nil, false
	}
	if scheme == nil && b.scheme == "" {
		return dst, nil, false
	}
	if len(fragment) > maxReferenceSize {
		fragment = nil
	}
	if len(ref) > maxReferenceSize {
		return b.shortened(dst, ref), fragment, true
	}
	if plainReference(rest) && b.scheme != "ftp" && (scheme == nil || isHTTP(scheme)) {
		if uri, done := b.resolvePlain(dst, scheme, rest); done {
			return uri, fragment, true
		}
	}
	if len(ref) > maxOdd {
		return b.shortened(dst, ref), fragment, true
	}
	uri, ok = b.resolveOdd(dst, ref)
	return uri, fragment, ok
}

// No capture has a URI longer than maxReferenceSize. The limit for the library is lower, since its time grows with the square of
// the length. Anything longer is shortened to maxShort.
const (
	maxReferenceSize = 64 << 10
	maxOdd           = 4 << 10
	maxShort         = 1 << 10
)

// ellipsis ends a shortened URI; a reader sees it on the page that says that there is no capture of it.
const ellipsis = "%E2%80%A6"

// shortened resolves the beginning of a reference that is too long: left as it is, it would lead to the live web.
func (b *Base) shortened(dst, ref []byte) []byte {
	start := len(dst)
	short := stripNewlines(ref[:maxShort])
	if escape := bytes.LastIndexByte(short, '%'); escape >= 0 && escape > len(short)-len("%41") {
		short = short[:escape]
	}
	for len(short) > 0 && short[len(short)-1] >= utf8.RuneSelf { // perhaps half a character
		short = short[:len(short)-1]
	}
	if out, ok := b.resolveOdd(dst, short); ok {
		return append(out, ellipsis...)
	}
	origin := invalidOrigin
	if b.scheme != "" {
		origin = b.href[:b.origin] + "/"
	}
	return append(append(dst[:start], origin...), ellipsis...)
}

// invalidOrigin precedes a reference that is not a URI (RFC 2606 §2).
const invalidOrigin = "http://invalid/"

// Lead resolves a reference that browsers follow. Browsers and the library may disagree about what a valid URI is. An invalid
// reference left as it is would lead to the live web, so it becomes the address of a page that explains the problem.
func (b *Base) Lead(dst, ref []byte) (uri, fragment []byte, ok bool) {
	uri, fragment, ok = b.Resolve(dst, ref)
	if ok {
		return uri, fragment, ok
	}
	ref = stripNewlines(trimControls(ref))
	scheme, rest := splitScheme(ref)
	switch {
	case len(ref) == 0 || ref[0] == '#' || scheme != nil && !isArchived(scheme):
		return dst, nil, false
	case scheme != nil || b.scheme != "":
		return appendPercent(append(dst, invalidOrigin...), ref[:min(len(ref), maxShort)]), nil, true
	case len(rest) > 1 && isSlash(rest[0]) && isSlash(rest[1]): // the scheme would be that of the archive
		return b.Lead(dst, append([]byte("http:"), ref...))
	}
	return dst, nil, false
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// appendPercent appends text, escaped for use in a path.
func appendPercent(dst, text []byte) []byte {
	const hex = "0123456789ABCDEF"
	for _, c := range text {
		if ascii.IsAlnum(c) || strings.IndexByte("-._~:/", c) >= 0 {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

// IsShortened reports whether a URI-R is the beginning of a reference that was too long to be resolved.
func IsShortened(uriR string) bool { return strings.HasSuffix(uriR, ellipsis) }

// IsInvalid reports whether a URI-R stands for an invalid reference.
func IsInvalid(uriR string) bool { return strings.HasPrefix(uriR, invalidOrigin) }

// trimControls cuts C0 controls and spaces off both ends.
func trimControls(s []byte) []byte {
	for len(s) > 0 && s[0] <= ' ' {
		s = s[1:]
	}
	for len(s) > 0 && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	return s
}

// splitScheme splits off "scheme:", including tabs and newlines inside it; scheme is nil if there is none.
func splitScheme(ref []byte) (scheme, rest []byte) {
	for i, c := range ref {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', c == '\t', c == '\n', c == '\r':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case c == ':' && i > 0:
			return ref[:i], ref[i+1:]
		default:
			return nil, ref
		}
	}
	return nil, ref
}

// CutHTTP returns what follows "http:" or "https:".
func CutHTTP(ref []byte) (rest []byte, ok bool) {
	scheme, rest := splitScheme(ref)
	return rest, scheme != nil && isHTTP(scheme)
}

func isHTTP(scheme []byte) bool {
	scheme = stripNewlines(scheme)
	return bytes.EqualFold(scheme, []byte("http")) || bytes.EqualFold(scheme, []byte("https"))
}

// isArchived reports whether archives have what is at addresses of a scheme. Crawlers store the files of FTP servers too.
func isArchived(scheme []byte) bool {
	return isHTTP(scheme) || bytes.EqualFold(stripNewlines(scheme), []byte("ftp"))
}

// plain reports whether a byte needs no escaping or decoding in a reference.
func plain(c byte) bool {
	switch c {
	case '"', '\'', '<', '>', '\\', '^', '`', '{', '|', '}', '[', ']':
		return false
	}
	return '!' <= c && c <= '~'
}

func plainReference(ref []byte) bool {
	for _, c := range ref {
		if !plain(c) {
			return false
		}
	}
	return true
}

// resolvePlain resolves a reference of plain bytes. It is not done if the library has to decide.
func (b *Base) resolvePlain(dst, scheme, rest []byte) (uri []byte, done bool) {
	start := len(dst)
	switch {
	case scheme != nil: // "http:x" with one or no slash is relative or gets repaired: not plain
		if len(rest) < 3 || rest[0] != '/' || rest[1] != '/' || rest[2] == '/' || !plainReference(scheme) {
			return dst, false
		}
		dst = append(dst, "https://"[:len(scheme)]...)
		dst = append(dst, "://"...)
		return appendAuthority(dst, start, rest[2:], len(scheme) == len("https"))
	case rest[0] != '/':
		if rest[0] == '?' {
			return append(append(dst, b.href[:b.path]...), rest...), true
		}
		dst = append(dst, b.href[:b.dir]...)
		return appendPath(dst, start+b.origin, rest)
	case len(rest) > 1 && rest[1] == '/':
		if len(rest) == 2 || rest[2] == '/' {
			return dst, false
		}
		dst = append(append(dst, b.scheme...), "://"...)
		return appendAuthority(dst, start, rest[2:], b.scheme == "https")
	}
	dst = append(dst, b.href[:b.origin]...)
	return appendPath(dst, start+b.origin, rest)
}

// appendAuthority appends host, port and what follows. It is not done for hosts that need more than lower case.
func appendAuthority(dst []byte, start int, rest []byte, secure bool) ([]byte, bool) {
	end := bytes.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	host, port := rest[:end], []byte(nil)
	if colon := bytes.IndexByte(host, ':'); colon >= 0 {
		host, port = host[:colon], host[colon:]
	}
	if !plainHost(host) || !plainPort(port) {
		return dst[:start], false
	}
	for _, c := range host {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	if len(port) > 1 && !(secure && string(port) == ":443" || !secure && string(port) == ":80") {
		dst = append(dst, port...)
	}
	root := len(dst)
	if end == len(rest) || rest[end] == '?' {
		dst = append(dst, '/')
	}
	out, ok := appendPath(dst, root, rest[end:])
	if !ok {
		return dst[:start], false
	}
	return out, true
}

// plainHost reports whether host is made of letters, digits, "-" and "_" in labels that are neither
// punycode nor, in the last place, a number (which would make it an IPv4 address in one of its notations).
func plainHost(host []byte) bool {
	label := 0
	for i, c := range host {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '-', c == '_':
		case c == '.' && i > label:
			if punycode(host[label:i]) {
				return false
			}
			label = i + 1
		default:
			return false
		}
	}
	last := host[label:]
	return len(last) > 0 && !punycode(last) && !('0' <= last[0] && last[0] <= '9')
}

func punycode(label []byte) bool {
	return len(label) >= 4 && label[2] == '-' && label[3] == '-'
}

// plainPort reports whether port is empty or ":" and a number below 10000 without leading zero.
func plainPort(port []byte) bool {
	if len(port) > 5 || len(port) > 1 && port[1] == '0' {
		return false
	}
	for i, c := range port {
		if i > 0 && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// appendPath appends path and query to dst, whose path begins at root, and removes dot segments. It is not done for
// segments that write their dots as %2e.
func appendPath(dst []byte, root int, rest []byte) ([]byte, bool) {
	path, query := rest, []byte(nil)
	if q := bytes.IndexByte(rest, '?'); q >= 0 {
		path, query = rest[:q], rest[q:]
	}
	if bytes.Contains(path, []byte("%2e")) || bytes.Contains(path, []byte("%2E")) {
		return dst, false
	}
	if !bytes.Contains(path, []byte("/.")) && (len(path) == 0 || path[0] != '.') {
		return append(append(dst, path...), query...), true
	}
	if len(path) > 0 && path[0] == '/' {
		dst, path = append(dst, '/'), path[1:]
	}
	for more := true; more; {
		segment := path
		slash := bytes.IndexByte(path, '/')
		if more = slash >= 0; more {
			segment, path = path[:slash], path[slash+1:]
		}
		switch string(segment) {
		case ".":
		case "..":
			if parent := bytes.LastIndexByte(dst[root:len(dst)-1], '/'); parent >= 0 {
				dst = dst[:root+parent+1]
			}
		default:
			dst = append(dst, segment...)
			if more {
				dst = append(dst, '/')
			}
		}
	}
	return append(dst, query...), true
}

// resolveOdd resolves what is not plain, using the library.
func (b *Base) resolveOdd(dst, ref []byte) ([]byte, bool) {
	s := string(b.toUTF8(stripNewlines(ref)))
	u, err := url.ParseRef(b.href, s)
	if err != nil || !isArchived([]byte(u.Scheme())) {
		return dst, false
	}
	return append(dst, u.Href(true)...), true
}

func stripNewlines(s []byte) []byte {
	if !bytes.ContainsAny(s, "\t\r\n") {
		return s
	}
	out := make([]byte, 0, len(s))
	for _, c := range s {
		if c != '\t' && c != '\r' && c != '\n' {
			out = append(out, c)
		}
	}
	return out
}

// toUTF8 prepares a reference with non-ASCII bytes for the library. Host and path are read in the document's charset;
// the query keeps that charset's bytes, percent-encoded (URL standard, "query state").
func (b *Base) toUTF8(ref []byte) []byte {
	if ascii.Only(ref) {
		return ref
	}
	path, query := ref, []byte(nil)
	if q := bytes.IndexByte(ref, '?'); q >= 0 {
		path, query = ref[:q], ref[q:]
	}
	if b.charset != nil && (!utf8.Valid(path) || b.inPairs()) {
		if decoded, err := b.charset.NewDecoder().Bytes(path); err == nil {
			path = decoded
		}
	}
	out := append([]byte(nil), path...)
	const hex = "0123456789ABCDEF"
	for _, c := range query {
		if c < utf8.RuneSelf {
			out = append(out, c)
		} else {
			out = append(out, '%', hex[c>>4], hex[c&15])
		}
	}
	return out
}

// inPairs reports whether the document's charset writes characters as pairs of bytes, which may look like UTF-8 by chance. Others hardly
// do: a page that says that it is in one of them, and has what looks so, has its addresses in UTF-8 nevertheless.
func (b *Base) inPairs() bool {
	name, _ := htmlindex.Name(b.charset)
	return slices.Contains([]string{"big5", "euc-jp", "euc-kr", "gb18030", "gbk", "shift_jis"}, name)
}
