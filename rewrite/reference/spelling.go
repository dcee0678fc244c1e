package reference

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/varve-archive/varve/rewrite/ascii"
)

// Scripts read how a page wrote its addresses: a router compares the result of getAttribute with its own paths. The spelling can be
// derived from nearly every URI-M: references to the page's own origin were written as paths, all others in full. Where that is
// wrong, the URI-M begins with the original spelling and a ".." that removes it:
//
//	/~img%2Fx.png~45/../web/20200101000000im_/http://example.com/img/x.png
//
// Everything that resolves URIs drops the first two segments (URL standard, "path state"). The number after the second "~" is the
// length of the rest, from "/web/" on. The client side (static/assets/attributes.js) shows scripts the original spelling.

// maxSpelling bounds the length of references whose spelling is kept.
const maxSpelling = 2 << 10

// IsSpellable reports whether the client side can decode the spelling of a reference.
func IsSpellable(ref []byte, b *Base) bool {
	return len(ref) <= maxSpelling && (ascii.Only(ref) || b.charset == nil && utf8.Valid(ref))
}

// derivedSpelling returns the spelling that is derived from a URI-M in a page of an origin: the URI-R, without the page's own origin.
func derivedSpelling(uriM, origin string) string {
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

// AppendSpelling appends a prefix with the spelling of ref for uriM and the fragment after it. It appends nothing if the spelling
// can be derived from uriM.
func AppendSpelling(dst []byte, ref, fragment []byte, uriM, origin string) []byte {
	was := derivedSpelling(uriM, origin)
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

// units returns the length of a text in UTF-16 code units, as scripts count it.
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
