package rewrite

import (
	"bytes"
	"strings"
)

// maxCallback is longer than any callback's name.
const maxCallback = 256

// renameCallback puts the callback's name that the client asked with in place of the one in a JSONP text
// (comments before it are tolerated). Asked with an odd name, or with none, it leaves the text.
func renameCallback(text []byte, asked string, e *edits) {
	if asked == "" || len(asked) > maxCallback || callbackEnd([]byte(asked), 0) != len(asked) {
		return
	}
	at := (&jsScanner{src: text}).skipSpace(0)
	if bytes.HasPrefix(text[at:], []byte(utf8BOM)) {
		at += len(utf8BOM)
	}
	end := callbackEnd(text, at)
	if next := skipJSONSpace(text, end); end == at || next == len(text) || text[next] != '(' || string(text[at:end]) == "function" {
		return
	}
	e.replace(at, end, asked, verbatim)
}

// renameArchivedCallback does so in a script that begins with a call of the function its own URI names as callback.
func renameArchivedCallback(text []byte, o *Options, e *edits) {
	if o.Callback == "" {
		return
	}
	at := (&jsScanner{src: text}).skipSpace(0)
	name := string(text[at:callbackEnd(text, at)])
	_, query, _ := strings.Cut(o.Base, "?")
	if name != "" && strings.Contains("&"+query+"&", "="+name+"&") {
		renameCallback(text, o.Callback, e)
	}
}

// callbackEnd returns where a name like "a.b$[0]" ends that begins at at.
func callbackEnd(s []byte, at int) int {
	for at < len(s) && (isAlnum(s[at]) || bytes.IndexByte([]byte("_$.[]"), s[at]) >= 0) {
		at++
	}
	return at
}
