package rewrite

import (
	"bytes"

	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// importMap rewrites an import map (HTML, "parse an import map string"): the URLs of modules, and the specifiers and scopes that
// look like URLs, because they are also rewritten in the importing scripts.
func importMap(text []byte, b *reference.Base, e *edit.List) {
	for s := range jsonStrings(text) {
		value := text[s.at:s.end]
		if bytes.IndexByte(value, '\\') >= 0 || !urlLikeSpecifier(value) {
			continue
		}
		if value[len(value)-1] == '/' {
			e.Prefix(s.at, s.end, value, b, uses.Module, edit.InJSON)
		} else {
			e.Reference(s.at, s.end, value, b, uses.Module, edit.InJSON)
		}
	}
}
