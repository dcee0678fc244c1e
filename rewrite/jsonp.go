package rewrite

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/rewrite/ascii"
	"github.com/varve-archive/varve/rewrite/charset"
	"github.com/varve-archive/varve/rewrite/edit"
)

// maxCallback is longer than the name of any callback.
const maxCallback = 256

// AskedCallback returns the name of the function that a request wants a JSONP answer to call, or "". It is the value of
// a parameter whose name is or ends in callback or jsonp (jsoncallback, foocallback). query is written as in the URI-R.
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

// renameCallback replaces the callback's name in a JSONP text, which may begin with comments, by the one that the client asked for.
// It leaves the text alone if that name is missing or isn't a plausible one, or stands there. It returns where the replaced name is.
func renameCallback(text []byte, asked string, e *edit.List) (renamed jsSpan) {
	if asked == "" || len(asked) > maxCallback || callbackEnd([]byte(asked), 0) != len(asked) {
		return jsSpan{}
	}
	at := (&jsScanner{src: text}).skipSpace(0)
	if bytes.HasPrefix(text[at:], []byte(charset.BOM)) {
		at += len(charset.BOM)
	}
	end := callbackEnd(text, at)
	name := string(text[at:end])
	if next := skipJSONSpace(text, end); next == len(text) || text[next] != '(' || name == "" || name == "function" || name == asked {
		return jsSpan{}
	}
	e.Replace(at, end, asked, edit.Verbatim)
	return jsSpan{at, end}
}

// renameArchivedCallback does the same in a script that begins with a call of the function named as callback in the script's own
// URI.
func renameArchivedCallback(text []byte, o *Options, e *edit.List) (renamed jsSpan) {
	if o.Callback == "" {
		return jsSpan{}
	}
	at := (&jsScanner{src: text}).skipSpace(0)
	name := string(text[at:callbackEnd(text, at)])
	_, query, _ := strings.Cut(o.Base, "?")
	query, _, _ = strings.Cut(query, "#")
	if name != "" && (name == AskedCallback(query) || strings.Contains("&"+query+"&", "="+name+"&")) {
		return renameCallback(text, o.Callback, e)
	}
	return jsSpan{}
}

// callbackEnd returns the end of the name that begins at at, which may look like "a.b$[0]".
func callbackEnd(s []byte, at int) int {
	for at < len(s) && (ascii.IsAlnum(s[at]) || bytes.IndexByte([]byte("_$.[]"), s[at]) >= 0) {
		at++
	}
	return at
}
