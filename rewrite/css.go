package rewrite

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"

	"github.com/varve-archive/varve/rewrite/ascii"
	"github.com/varve-archive/varve/rewrite/charset"
	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// CSS rewrites a style sheet: url(), src(), @import, image-set() and the like (CSS Syntax 3). The URIs of @namespace
// and @document stay: they are names, and nothing is loaded from them.
func CSS(w io.Writer, r io.Reader, o Options) error {
	head := bufio.NewReader(r)
	return charset.Transcode(w, head, cmp.Or(o.Charset, sheetCharset(head)), func(w io.Writer, r io.Reader, c charset.Info) error {
		return rewrite(w, r, &cssScanner{base: reference.New(o.Base, c.Encoding)}, o, windowSize)
	})
}

// sheetCharset returns the charset that a style sheet declares at its start, "" if it declares none. Only this spelling counts, and what
// could be read as ASCII is not UTF-16 (CSS Syntax 3 §3.2).
func sheetCharset(r *bufio.Reader) string {
	head, _ := r.Peek(charset.SniffLen)
	rest, ok := bytes.CutPrefix(head, []byte(`@charset "`))
	name, _, ended := bytes.Cut(rest, []byte(`";`))
	switch {
	case !ok || !ended:
		return ""
	case bytes.HasPrefix(bytes.ToLower(name), []byte("utf-16")):
		return "utf-8"
	}
	return string(name)
}

// A cssScanner finds the URIs of a style sheet.
type cssScanner struct {
	base *reference.Base
	src  []byte
	at   cssState
	pass bool

	inData bool // the sheet is in a data: URL

	selector cssSelector
}

// cssState is where in the grammar the scan is. It is small because it is copied at every ";", "{" and "}".
type cssState struct {
	rule     cssRule
	images   int32 // depth of parentheses inside image-set() and the like, where strings are URIs; 0 outside
	inserted bool  // the at-rule has had its URI
}

type cssRule uint8

const (
	cssPlain cssRule = iota
	cssImport
	cssNames // @namespace, @document: URIs are names
	cssFont
)

func (c *cssScanner) scan(src []byte, last bool, e *edit.List) int {
	if c.pass {
		return len(src)
	}
	settled, state, m := 0, c.at, e.Mark()
	c.src = src
	in := parse.NewInputBytes(charset.Letters(src, c.base.Charset()))
	lex := css.NewLexer(in)
	for {
		tt, data := lex.Next()
		end := in.Offset()
		if tt == css.ErrorToken {
			break
		}
		c.token(tt, data, end, e)
		switch tt {
		case css.SemicolonToken, css.LeftBraceToken, css.RightBraceToken:
			settled, state, m = end, c.at, e.Mark()
		}
	}
	in.Restore()
	if last {
		return len(src)
	}
	if len(src)-settled > maxToken {
		c.pass = true
		return len(src)
	}
	c.at = state
	e.Rollback(m)
	return settled
}

// token handles one token, which ends at end.
func (c *cssScanner) token(tt css.TokenType, data []byte, end int, e *edit.List) {
	if c.selector.token(tt, data, end) && !c.inData {
		c.widen(end, e)
	}
	switch tt {
	case css.URLToken:
		c.uri(data, end, e)
	case css.StringToken:
		if c.at.rule == cssImport && !c.at.inserted || c.at.images == 1 {
			c.quoted(data, end-len(data), e)
		}
	case css.AtKeywordToken:
		c.at.rule, c.at.inserted = cssRuleOf(data), false
	case css.FunctionToken, css.LeftParenthesisToken:
		if c.at.images > 0 || takesImageStrings(data) {
			c.at.images++
		}
	case css.RightParenthesisToken:
		if c.at.images > 0 {
			c.at.images--
		}
	case css.SemicolonToken, css.LeftBraceToken, css.RightBraceToken:
		c.at.images = 0
		if tt == css.RightBraceToken || c.at.rule != cssFont {
			c.at.rule = cssPlain
		}
	}
}

// widen extends a selector that ends at end so that it also matches what it matches on the live web. Its specificity stays the
// same.
func (c *cssScanner) widen(end int, e *edit.List) {
	more, alternative := c.selector.widened(c.base)
	switch {
	case more == "":
	case alternative:
		e.ReplaceIfActive(c.selector.at, c.selector.at, ":is(", edit.Verbatim)
		e.ReplaceIfActive(end, end, ",:where("+more+"))", edit.Verbatim)
	default:
		e.ReplaceIfActive(end, end, ":where("+more+")", edit.Verbatim)
	}
}

func cssRuleOf(keyword []byte) cssRule {
	switch {
	case bytes.EqualFold(keyword, []byte("@import")):
		return cssImport
	case bytes.EqualFold(keyword, []byte("@font-face")):
		return cssFont
	case bytes.EqualFold(keyword, []byte("@namespace")), bytes.EqualFold(keyword, []byte("@document")),
		bytes.EqualFold(keyword, []byte("@-moz-document")):
		return cssNames
	}
	return cssPlain
}

// takesImageStrings reports whether a function takes URIs as strings (CSS Images 4; src() of CSS Values 4).
func takesImageStrings(name []byte) bool {
	for _, f := range [...]string{"image-set(", "-webkit-image-set(", "image(", "cross-fade(", "src("} {
		if bytes.EqualFold(name, []byte(f)) {
			return true
		}
	}
	return false
}

// use says what a URI at this place is used for.
func (c *cssScanner) use() uses.Use {
	switch c.at.rule {
	case cssImport:
		return uses.Style
	case cssFont:
		return uses.Object
	}
	return uses.Image
}

const cssSpaces = " \t\n\r\f"

// uri handles a url() token.
func (c *cssScanner) uri(data []byte, end int, e *edit.List) {
	if c.at.rule == cssNames {
		return
	}
	at := bytes.IndexByte(data, '(') + 1 // an escape may make the name longer
	text := bytes.TrimSuffix(data[at:], []byte(")"))
	left := bytes.TrimLeft(text, cssSpaces)
	start := end - len(data) + at + len(text) - len(left)
	if text = bytes.TrimRight(left, cssSpaces); len(text) > 0 && (text[0] == '"' || text[0] == '\'') {
		c.quoted(text, start, e)
		return
	}
	c.note(text, start, e)
}

// quoted handles a string, which begins at start.
func (c *cssScanner) quoted(s []byte, start int, e *edit.List) {
	to := len(s)
	if to > 1 && s[to-1] == s[0] {
		to--
	}
	c.note(s[1:to], start+1, e)
}

// note records a URI, which begins at start. text is what the lexer read.
func (c *cssScanner) note(text []byte, start int, e *edit.List) {
	c.at.inserted = true
	ref := c.src[start : start+len(text)]
	if bytes.IndexByte(text, '\\') >= 0 {
		ref = cssUnescape(ref)
	} else if c.use() == uses.Style && !c.inData {
		e.Plainly(func() {
			edit.Part{Text: ref, At: start}.Within(e, edit.InCSS, func(text []byte) { dataSheet(text, e) })
		})
	}
	e.Reference(start, start+len(text), ref, c.base, c.use(), edit.InCSS)
}

// cssUnescape resolves the escapes of a string or url() (CSS Syntax 3 §4.3.7).
func cssUnescape(s []byte) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		n := i
		for n < len(s) && n < i+6 && isHex(s[n]) {
			n++
		}
		switch {
		case n > i:
			code, _ := strconv.ParseUint(string(s[i:n]), 16, 32)
			out = utf8.AppendRune(out, rune(code))
			if n < len(s) && ascii.IsSpace(s[n]) {
				if s[n] == '\r' && n+1 < len(s) && s[n+1] == '\n' {
					n++
				}
				n++
			}
			i = n - 1
		case s[i] == '\n' || s[i] == '\f':
		case s[i] == '\r':
			if i+1 < len(s) && s[i+1] == '\n' {
				i++
			}
		default:
			out = append(out, s[i])
		}
	}
	return out
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }
