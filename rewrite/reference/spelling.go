package reference

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/varve-archive/varve/rewrite/ascii"
)

// Scripts read how a page wrote its addresses: a router compares what getAttribute says with its own paths. From nearly every
// URI-M that can be told: what leads to the page's own origin was written from its root, and everything else in full. Where that
// is wrong, the URI-M begins with the address as it was written, and takes that back:
//
//	/~img%2Fx.png~45/../web/20200101000000im_/http://example.com/img/x.png
//
// Browsers and all others that resolve URIs drop the first two segments (URL standard, "path state"). Behind the second "~" is the
// length of what follows, from "/web/" on. The client side (static/assets/attributes.js) shows scripts what was written.

// maxSpelling bounds the addresses that are written twice.
const maxSpelling = 2 << 10

// IsSpellable reports whether the client side can read how a reference was written.
func IsSpellable(ref []byte, b *Base) bool {
	return len(ref) <= maxSpelling && (ascii.Only(ref) || b.charset == nil && utf8.Valid(ref))
}

// told returns what an address in a page of an origin is thought to be written as: what stands behind a URI-M's modifier, without
// the page's own origin.
func told(uriM, origin string) string {
	at := strings.Index(uriM, "/http")
	if at < 0 {
		return ""
	}
	uri := uriM[at+1:]
	if rest, own := strings.CutPrefix(uri, origin); own {
		return rest
	}
	return uri
}

// AppendSpelling appends what precedes a URI-M, which fragment follows, if it does not tell how ref was written.
func AppendSpelling(dst []byte, ref, fragment []byte, uriM, origin string) []byte {
	was := told(uriM, origin)
	if uriM[0] != '/' || len(was) > 0 && (was[0] == '/' || was[0] == 'h') && len(was)+len(fragment) == len(ref) &&
		string(ref[:len(was)]) == was && bytes.Equal(ref[len(was):], fragment) {
		return dst
	}
	dst = AppendComponent(append(dst, "/~"...), ref)
	dst = strconv.AppendInt(append(dst, '~'), int64(units(uriM)+units(string(fragment))), 10)
	return append(dst, "/.."...)
}

// AppendComponent appends text as encodeURIComponent would write it, with "!", "'", "(", ")", "*" and "~" as escapes too.
func AppendComponent(dst, text []byte) []byte {
	const hex = "0123456789ABCDEF"
	from := 0
	for i, c := range text {
		if ascii.IsAlnum(c) || c == '-' || c == '_' || c == '.' {
			continue
		}
		dst = append(append(dst, text[from:i]...), '%', hex[c>>4], hex[c&15])
		from = i + 1
	}
	return append(dst, text[from:]...)
}

// units is the length of a text as scripts count it, in UTF-16.
func units(s string) int {
	n := 0
	if ascii.Only([]byte(s)) {
		return len(s)
	}
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
