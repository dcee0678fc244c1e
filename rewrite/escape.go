package rewrite

// An escape says how a text must be written at its place. Contexts nest (a CSS string in a style attribute in a srcdoc
// attribute): each takes four bits, the innermost the lowest.
type escape uint32

const (
	verbatim   escape = iota
	inAttr            // quoted HTML attribute value, XML attribute value or text
	inUnquoted        // unquoted HTML attribute value
	inCSS             // CSS string or unquoted url()
	inScript          // JavaScript string
	inJSON            // JSON string
	inSrcset          // URL of an image candidate string
	inComma           // URL in a list separated by commas and spaces
	inData            // body of a data: URL
)

// within returns the escape of a text in a part that itself is inside outer.
func (s escape) within(outer escape) escape {
	if outer == verbatim {
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

// appendString appends s escaped.
func (s escape) appendString(dst []byte, text string) []byte {
	if s == verbatim {
		return append(dst, text...)
	}
	return s.append(dst, []byte(text))
}

// append appends text escaped.
func (s escape) append(dst, text []byte) []byte {
	if s&^15 == 0 {
		return appendEscaped(dst, text, s)
	}
	for ; s != 0; s >>= 4 {
		text = appendEscaped(nil, text, s&15)
	}
	return append(dst, text...)
}

// appendEscaped appends text escaped for one context.
func appendEscaped(dst, text []byte, context escape) []byte {
	if context == verbatim {
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
func escapeByte(context escape, c byte) string {
	switch context {
	case inAttr:
		return attrEscapes[c]
	case inUnquoted:
		if c <= ' ' {
			return unquotedEscapes[c]
		}
		return attrEscapes[c]
	case inCSS:
		return cssEscapes[c]
	case inScript:
		return scriptEscapes[c]
	case inJSON:
		return jsonEscapes[c]
	case inData:
		return dataEscapes[c]
	case inSrcset, inComma:
		if c == ',' {
			return "%2C"
		}
	}
	return ""
}

var (
	attrEscapes = [256]string{
		'&': "&amp;", '"': "&#34;", '\'': "&#39;", '<': "&lt;", '>': "&gt;", '`': "&#96;",
	}
	unquotedEscapes = [' ' + 1]string{' ': "&#32;", '\t': "&#9;", '\n': "&#10;", '\r': "&#13;", '\f': "&#12;"}
	cssEscapes      = [256]string{
		'"': `\"`, '\'': `\'`, '(': `\(`, ')': `\)`, '\\': `\\`, ' ': `\ `, '<': `\3c `,
		'\t': `\9 `, '\n': `\a `, '\r': `\d `, '\f': `\c `,
	}
	scriptEscapes = [256]string{
		'"': `\"`, '\'': `\'`, '`': "\\`", '\\': `\\`, '<': `\x3c`, '\n': `\n`, '\r': `\r`, '$': `\x24`,
	}
	dataEscapes = [256]string{
		'%': "%25", '#': "%23", ' ': "%20", '"': "%22", '\'': "%27", '(': "%28", ')': "%29", '<': "%3C", '>': "%3E", '\\': "%5C", '`': "%60",
		'\t': "%09", '\n': "%0A", '\r': "%0D",
	}
	jsonEscapes = [256]string{'"': `\"`, '\\': `\\`, '<': `\u003c`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
)
