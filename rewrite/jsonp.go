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

// renameCallback replaces the callback's name in a JSONP text by the one that the client asked for.
func renameCallback(text []byte, asked string, e *edit.List) {
	if asked != "" {
		rename(text, calledNames(text), asked, e)
	}
}

// renameArchivedCallback does the same in a script that begins with a call of the function named as callback in the script's own
// URI. It returns the part of the text that names the callback, if that was replaced.
func renameArchivedCallback(text []byte, o *Options, e *edit.List) (renamed jsSpan) {
	if o.Callback == "" {
		return jsSpan{}
	}
	names := calledNames(text)
	if names == nil {
		return jsSpan{}
	}
	name := nameAt(text, names)
	_, query, _ := strings.Cut(o.Base, "?")
	query, _, _ = strings.Cut(query, "#")
	if name == AskedCallback(query) || strings.Contains("&"+query+"&", "="+name+"&") {
		return rename(text, names, o.Callback, e)
	}
	return jsSpan{}
}

// rename replaces the name of a function at all places, unless the new one isn't a plausible name, or stands there. It returns the part of
// the text that they are in, if it was replaced.
func rename(text []byte, places []jsSpan, asked string, e *edit.List) (renamed jsSpan) {
	if places == nil || len(asked) > maxCallback || callbackEnd([]byte(asked), 0) != len(asked) || nameAt(text, places) == asked {
		return jsSpan{}
	}
	for _, name := range places {
		e.Replace(name.start, name.end, asked, edit.Verbatim)
	}
	return jsSpan{places[0].start, places[len(places)-1].end}
}

// nameAt returns the name that is at each of the places.
func nameAt(text []byte, places []jsSpan) string { return string(text[places[0].start:places[0].end]) }

// calledNames returns where a text that begins with the call of a function names that function, nil if it begins with something else.
// It may first ask whether there is one: "typeof f === 'function' && f(…)", "f && f(…)". Before it may be comments, ";" and "try {".
func calledNames(text []byte) []jsSpan {
	at := callStart(text)
	rest, typed := bytes.CutPrefix(text[at:], []byte("typeof "))
	at = len(text) - len(rest)
	first := jsSpan{at, callbackEnd(text, at)}
	name := string(text[first.start:first.end])
	switch {
	case name == "" || name == "function":
		return nil
	case opensCall(text, first.end):
		if typed {
			return nil
		}
		return []jsSpan{first}
	}
	const longest = len(" === 'function' && ") * 2
	test, _, found := bytes.Cut(text[first.end:min(len(text), first.end+longest)], []byte("&&"))
	said := strings.NewReplacer(" ", "", `"`, "'").Replace(string(test))
	if !found || typed && said != "==='function'" && said != "=='function'" || !typed && said != "" {
		return nil
	}
	at = skipJSONSpace(text, first.end+len(test)+len("&&"))
	second := jsSpan{at, callbackEnd(text, at)}
	if string(text[second.start:second.end]) != name || !opensCall(text, second.end) {
		return nil
	}
	return []jsSpan{first, second}
}

// opensCall reports whether a parenthesis is next in a text.
func opensCall(text []byte, at int) bool {
	at = skipJSONSpace(text, at)
	return at < len(text) && text[at] == '('
}

// callStart returns where a call at the beginning of a text begins.
func callStart(text []byte) int {
	scanner := &jsScanner{src: text}
	at := scanner.skipSpace(0)
	if bytes.HasPrefix(text[at:], []byte(charset.BOM)) {
		at = scanner.skipSpace(at + len(charset.BOM))
	}
	for at < len(text) {
		if opened := skipJSONSpace(text, min(len(text), at+len("try"))); bytes.HasPrefix(text[at:], []byte("try")) &&
			opened < len(text) && text[opened] == '{' {
			at = opened
		} else if text[at] != ';' {
			break
		}
		at = scanner.skipSpace(at + 1)
	}
	return at
}

// callbackEnd returns the end of the name that begins at at, which may look like "a.b$[0]".
func callbackEnd(s []byte, at int) int {
	for at < len(s) && (ascii.IsAlnum(s[at]) || bytes.IndexByte([]byte("_$.[]"), s[at]) >= 0) {
		at++
	}
	return at
}
