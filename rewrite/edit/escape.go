package edit

// An Escape says how a text must be written at its place. Contexts nest (a CSS string in a style attribute in a srcdoc
// attribute): each takes four bits, the innermost the lowest.
type Escape uint32

const (
	Verbatim   Escape = iota
	InAttr            // quoted HTML attribute value, XML attribute value or text
	InUnquoted        // unquoted HTML attribute value
	InCSS             // CSS string or unquoted url()
	InScript          // JavaScript string
	InJSON            // JSON string
	InSrcset          // URL of an image candidate string
	InComma           // URL in a list separated by commas and spaces
	InData            // body of a data: URL
)

// within returns the escape of a text in a part that itself is inside outer.
func (s Escape) within(outer Escape) Escape {
	if outer == Verbatim {
		return s
	}
	shift := 0
	for s>>shift != 0 {
		shift += 4
	}
	if shift >= 32 {
		return s // eight contexts deep: no document nests like that
	}
	return s | outer<<shift
}

// AppendString appends s escaped.
func (s Escape) AppendString(dst []byte, text string) []byte {
	if s == Verbatim {
		return append(dst, text...)
	}
	return s.append(dst, []byte(text))
}

func (s Escape) append(dst, text []byte) []byte {
	if s&^15 == 0 {
		return appendEscaped(dst, text, s)
	}
	for ; s != 0; s >>= 4 {
		text = appendEscaped(nil, text, s&15)
	}
	return append(dst, text...)
}

// appendEscaped appends text escaped for one context.
func appendEscaped(dst, text []byte, context Escape) []byte {
	if context == Verbatim {
		return append(dst, text...)
	}
	from := 0
	for i, c := range text {
		if c > '\\' && c != '`' {
			continue
		}
		if repl := escapeByte(context, c); repl != "" {
			dst = append(append(dst, text[from:i]...), repl...)
			from = i + 1
		}
	}
	return append(dst, text[from:]...)
}

// escapeByte returns what to write for c, or "" for c itself.
func escapeByte(context Escape, c byte) string {
	switch context {
	case InAttr:
		return attrEscape(c)
	case InUnquoted:
		if c <= ' ' {
			return unquotedEscape(c)
		}
		return attrEscape(c)
	case InCSS:
		return cssEscape(c)
	case InScript:
		return scriptEscape(c)
	case InJSON:
		return jsonEscape(c)
	case InData:
		return dataEscape(c)
	case InSrcset, InComma:
		if c == ',' {
			return "%2C"
		}
	}
	return ""
}

// attrEscape returns what stands for c in an attribute value in quotes, or "".
func attrEscape(c byte) string {
	switch c {
	case '&':
		return "&amp;"
	case '"':
		return "&#34;"
	case '\'':
		return "&#39;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '`':
		return "&#96;"
	}
	return ""
}

// unquotedEscape returns what stands for c in one without quotes, or "".
func unquotedEscape(c byte) string {
	switch c {
	case ' ':
		return "&#32;"
	case '\t':
		return "&#9;"
	case '\n':
		return "&#10;"
	case '\r':
		return "&#13;"
	case '\f':
		return "&#12;"
	}
	return ""
}

// cssEscape returns what stands for c in a style sheet, or "".
func cssEscape(c byte) string {
	switch c {
	case '"':
		return `\"`
	case '\'':
		return `\'`
	case '(':
		return `\(`
	case ')':
		return `\)`
	case '\\':
		return `\\`
	case ' ':
		return `\ `
	case '<':
		return `\3c `
	case '\t':
		return `\9 `
	case '\n':
		return `\a `
	case '\r':
		return `\d `
	case '\f':
		return `\c `
	}
	return ""
}

// scriptEscape returns what stands for c in a string of a script, or "".
func scriptEscape(c byte) string {
	switch c {
	case '"':
		return `\"`
	case '\'':
		return `\'`
	case '`':
		return "\\`"
	case '\\':
		return `\\`
	case '<':
		return `\x3c`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '$':
		return `\x24`
	}
	return ""
}

// dataEscape returns what stands for c in the body of a data: URL, or "".
func dataEscape(c byte) string {
	switch c {
	case '%':
		return "%25"
	case '#':
		return "%23"
	case ' ':
		return "%20"
	case '"':
		return "%22"
	case '\'':
		return "%27"
	case '(':
		return "%28"
	case ')':
		return "%29"
	case '<':
		return "%3C"
	case '>':
		return "%3E"
	case '\\':
		return "%5C"
	case '`':
		return "%60"
	case '\t':
		return "%09"
	case '\n':
		return "%0A"
	case '\r':
		return "%0D"
	}
	return ""
}

// jsonEscape returns what stands for c in a string of JSON, or "".
func jsonEscape(c byte) string {
	switch c {
	case '"':
		return `\"`
	case '\\':
		return `\\`
	case '<':
		return `\u003c`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return ""
}
