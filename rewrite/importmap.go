package rewrite

import (
	"bytes"

	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// importMap rewrites an import map (HTML, "parse an import map string"): the URLs that modules come from, and the
// URL-like specifiers and scopes, since the importing scripts use them as they were rewritten.
func importMap(text []byte, b *reference.Base, e *edits) {
	for s := range jsonStrings(text) {
		value := text[s.at:s.end]
		if bytes.IndexByte(value, '\\') >= 0 || !urlLikeSpecifier(value) {
			continue
		}
		n := len(e.list)
		e.reference(s.at, s.end, value, b, uses.Module, inJSON)
		if len(e.list) > n && value[len(value)-1] == '/' {
			e.list[n].trailingSlashRef = true
		}
	}
}
