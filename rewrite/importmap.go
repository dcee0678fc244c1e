package rewrite

import (
	"bytes"

	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// importMap rewrites an import map (HTML, "parse an import map string"): the URLs of modules, and the specifiers and scopes that
// look like URLs, because they are also rewritten in the importing scripts. Its hashes are of the modules as they were.
func importMap(text []byte, b *reference.Base, e *edit.List) {
	for s := range jsonStrings(text) {
		value := text[s.at:s.end]
		if string(value) == "integrity" && startsObject(text[s.end+1:]) {
			e.Neutralise(s.at, edit.InJSON)
			continue
		}
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

// startsObject reports whether a member whose name is just before after has an object as its value.
func startsObject(after []byte) bool {
	value, found := bytes.CutPrefix(bytes.TrimLeft(after, " \t\r\n"), []byte(":"))
	return found && bytes.HasPrefix(bytes.TrimLeft(value, " \t\r\n"), []byte("{"))
}
