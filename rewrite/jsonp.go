package rewrite

import (
	"bytes"
	"net/url"
	"strings"
)

// maxCallback is longer than any callback's name.
const maxCallback = 256

// AskedCallback returns the name of the function that a request asks a JSONP answer to call, "" for none: the value of a
// parameter named callback or jsonp, or that ends so (jsoncallback, foocallback). query is as it stands in the URI-R.
func AskedCallback(query string) string {
	for param := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(param, "=")
		if key = strings.ToLower(key); strings.HasSuffix(key, "callback") || strings.HasSuffix(key, "jsonp") {
			if name, err := url.QueryUnescape(value); err == nil && name != "" {
				return name
			}
		}
	}
	return ""
}

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
	query, _, _ = strings.Cut(query, "#")
	if name != "" && (name == AskedCallback(query) || strings.Contains("&"+query+"&", "="+name+"&")) {
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
