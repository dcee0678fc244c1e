package rewrite

import (
	"bytes"
	"io"
	"iter"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/varve-archive/varve/rewrite/charset"
	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// JSON rewrites the strings of a JSON text that are entirely an absolute http or https URI. Names of members, relative
// URIs and markup in strings are left to the script that reads them. JSON also accepts JSONP, and replaces the archived
// callback's name by Options.Callback.
func JSON(w io.Writer, r io.Reader, o Options) error {
	return jsonRewrite(w, r, o, nil)
}

// Manifest rewrites a web app manifest (W3C Web Application Manifest), whose URIs may be relative.
func Manifest(w io.Writer, r io.Reader, o Options) error {
	return jsonRewrite(w, r, o, map[string]uses.Use{
		"src": uses.Image, "start_url": uses.Link, "scope": uses.Link, "url": uses.Link, "action": uses.Link,
	})
}

func jsonRewrite(w io.Writer, r io.Reader, o Options, members map[string]uses.Use) error {
	return charset.Transcode(w, r, o.Charset, func(w io.Writer, r io.Reader, c charset.Info) error {
		s := &jsonScanner{base: reference.New(o.Base, c.Encoding), members: members, callback: o.Callback}
		return rewrite(w, r, s, o, windowSize)
	})
}

// A jsonScanner finds the URIs in a JSON text.
type jsonScanner struct {
	base     *reference.Base
	members  map[string]uses.Use // uses of the URIs in these members, relative ones too
	callback string
	begun    bool
	pass     bool
	key      string // the last member name read, if it is in members
}

func (s *jsonScanner) scan(src []byte, last bool, e *edit.List) int {
	if s.pass {
		return len(src)
	}
	if !s.begun {
		s.begun = true
		renameCallback(src, s.callback, e)
	}
	settled, text := 0, charset.Letters(src, s.base.Charset())
	for str := range jsonStrings(text) {
		next := skipJSONSpace(src, str.end+1)
		if next == len(src) && !last { // only the next window tells whether it is a name or a value
			break
		}
		s.take(src, str, next < len(src) && src[next] == ':', e)
		settled = str.end + 1
	}
	n := bytes.IndexByte(text[settled:], '"')
	if last || n < 0 {
		return len(src)
	}
	if len(src)-settled > maxToken {
		s.pass = true
		return len(src)
	}
	return settled + n
}

// take handles one string of the text.
func (s *jsonScanner) take(src []byte, str jsonString, name bool, e *edit.List) {
	raw := src[str.at:str.end]
	if name {
		s.key = ""
		if _, ok := s.members[string(raw)]; ok {
			s.key = string(raw)
		}
		return
	}
	use, relative := s.members[s.key]
	if !relative && (len(raw) < len("http://") || raw[0] != 'h' && raw[0] != 'H') {
		return
	}
	value := raw
	if bytes.IndexByte(raw, '\\') >= 0 {
		value = jsonUnescape(raw)
	}
	if !relative {
		if !wholeURI(value) {
			return
		}
		use = guessUse(value)
	}
	e.Mention(str.at, str.end, value, s.base, use, edit.InJSON)
}

// wholeURI reports whether text is an absolute http or https URI and nothing else.
func wholeURI(text []byte) bool {
	rest, ok := reference.CutHTTP(text)
	if !ok || !bytes.HasPrefix(rest, []byte("//")) || len(rest) < 3 {
		return false
	}
	for _, c := range text {
		if c <= ' ' || c == '"' || c == '<' || c == '>' || c == '{' || c == '|' || c == '^' || c == '\\' || c == '`' {
			return false
		}
	}
	return true
}

// guessUse guesses from its extension what a URI in data is used for.
func guessUse(uri []byte) uses.Use {
	if i := bytes.IndexAny(uri, "?#"); i >= 0 {
		uri = uri[:i]
	}
	slash := bytes.LastIndexByte(uri, '/')
	dot := bytes.LastIndexByte(uri, '.')
	if dot < slash {
		return uses.Link
	}
	switch string(bytes.ToLower(uri[dot+1:])) {
	case "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp":
		return uses.Image
	case "js":
		return uses.Script
	case "mjs":
		return uses.Module
	case "css":
		return uses.Style
	case "json", "xml", "mp3", "mp4", "webm", "ogg", "m4a", "m4s", "m4v", "ts", "m3u8", "mpd", "woff", "woff2", "ttf", "wasm", "vtt", "swf":
		return uses.Object
	}
	return uses.Link
}

// jsonString is the place of a string's content, without the quotes.
type jsonString struct{ at, end int }

// jsonStrings yields the strings in a JSON text, in order, including the names of members.
func jsonStrings(text []byte) iter.Seq[jsonString] {
	return func(yield func(jsonString) bool) {
		for i := 0; i < len(text); {
			n := bytes.IndexByte(text[i:], '"')
			if n < 0 {
				return
			}
			at := i + n + 1
			end := jsonStringEnd(text, at)
			if end < 0 || !yield(jsonString{at, end}) {
				return
			}
			i = end + 1
		}
	}
}

// jsonStringEnd returns the offset of the quote that ends the string whose content begins at at, or -1.
func jsonStringEnd(text []byte, at int) int {
	for at < len(text) {
		switch text[at] {
		case '"':
			return at
		case '\\':
			at++
		}
		at++
	}
	return -1
}

func skipJSONSpace(s []byte, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r') {
		i++
	}
	return i
}

// jsonUnescape resolves the escapes of a string (RFC 8259 §7); anything else stays.
func jsonUnescape(s []byte) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		switch s[i] {
		case 'u':
			r, n := jsonRune(s[i+1:])
			out = utf8.AppendRune(out, r)
			i += n
		case 'b', 'f', 'n', 'r', 't':
			out = append(out, ' ')
		default:
			out = append(out, s[i])
		}
	}
	return out
}

// jsonRune reads what follows "\u", including the second half of a surrogate pair, and returns its length.
func jsonRune(s []byte) (r rune, n int) {
	r, ok := hexRune(s)
	if !ok {
		return utf8.RuneError, 0
	}
	if utf16.IsSurrogate(r) && len(s) >= 10 && s[4] == '\\' && s[5] == 'u' {
		if low, ok := hexRune(s[6:]); ok {
			return utf16.DecodeRune(r, low), 10
		}
	}
	return r, 4
}

func hexRune(s []byte) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s[:4]), 16, 16)
	return rune(n), err == nil
}
