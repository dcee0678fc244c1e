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
		if repl := escapes[context][c]; repl != "" {
			dst = append(append(dst, text[from:i]...), repl...)
			from = i + 1
		}
	}
	return append(dst, text[from:]...)
}

// escapes are what to write for a character in a context; "" for itself. No character behind "`" needs any.
var escapes = [...]['`' + 1]string{
	InAttr: {'&': "&amp;", '"': "&#34;", '\'': "&#39;", '<': "&lt;", '>': "&gt;", '`': "&#96;"},
	InUnquoted: {
		'&': "&amp;", '"': "&#34;", '\'': "&#39;", '<': "&lt;", '>': "&gt;", '`': "&#96;",
		' ': "&#32;", '\t': "&#9;", '\n': "&#10;", '\r': "&#13;", '\f': "&#12;",
	},
	InCSS: {
		'"': `\"`, '\'': `\'`, '(': `\(`, ')': `\)`, '\\': `\\`,
		' ': `\ `, '<': `\3c `, '\t': `\9 `, '\n': `\a `, '\r': `\d `, '\f': `\c `,
	},
	InScript: {
		'"': `\"`, '\'': `\'`, '`': "\\`", '\\': `\\`, '<': `\x3c`, '\n': `\n`, '\r': `\r`, '$': `\x24`,
	},
	InJSON:   {'"': `\"`, '\\': `\\`, '<': `\u003c`, '\n': `\n`, '\r': `\r`, '\t': `\t`},
	InSrcset: {',': "%2C"},
	InComma:  {',': "%2C"},
	InData: {
		'%': "%25", '#': "%23", ' ': "%20", '"': "%22", '\'': "%27", '(': "%28", ')': "%29", '<': "%3C", '>': "%3E", '\\': "%5C",
		'`': "%60", '\t': "%09", '\n': "%0A", '\r': "%0D",
	},
}
