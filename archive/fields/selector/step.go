package selector

import (
	"fmt"
	"strconv"
	"strings"
)

// A path leads to an element, step by step. It can be written as CSS and as XPath.
type path []step

// A step describes an element. Zero fields are not conditions.
type step struct {
	child     bool // a child of the previous step's element, not any descendant
	root      bool // the outermost element
	tag       string
	id        string
	class     string
	attribute string
	value     string // of attribute, if hasValue
	hasValue  bool
	nth       int // position among siblings of the same tag; without a tag, among all
}

// css writes the path as a selector.
func (p path) css() string {
	var b strings.Builder
	for i, s := range p {
		if i > 0 && s.child {
			b.WriteString(" > ")
		} else if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s.css())
	}
	return b.String()
}

func (s *step) css() string {
	var b strings.Builder
	b.WriteString(s.tag)
	if s.root {
		b.WriteString(":root")
	}
	if s.id != "" {
		b.WriteString("#" + identifier(s.id))
	}
	if s.class != "" {
		b.WriteString("." + identifier(s.class))
	}
	if s.hasValue {
		fmt.Fprintf(&b, "[%s=%s]", s.attribute, quoted(s.value))
	} else if s.attribute != "" {
		fmt.Fprintf(&b, "[%s]", s.attribute)
	}
	if s.nth > 0 && s.tag != "" {
		fmt.Fprintf(&b, ":nth-of-type(%d)", s.nth)
	} else if s.nth > 0 {
		fmt.Fprintf(&b, ":nth-child(%d)", s.nth)
	}
	return b.String()
}

// xpath writes the path as an expression, "" if that isn't possible.
func (p path) xpath() string {
	var b strings.Builder
	for _, s := range p {
		if s.child || s.root {
			b.WriteByte('/')
		} else {
			b.WriteString("//")
		}
		if s.tag == "" {
			b.WriteByte('*')
		}
		b.WriteString(s.tag)
		if s.nth > 0 { // first, so that it counts like CSS
			fmt.Fprintf(&b, "[%d]", s.nth)
		}
		for _, said := range [...]struct{ test, value string }{
			{"[@id=%s]", s.id},
			{`[contains(concat(" ",normalize-space(@class)," "),%s)]`, spaced(s.class)},
		} {
			if said.value == "" {
				continue
			}
			l := literal(said.value)
			if l == "" {
				return ""
			}
			fmt.Fprintf(&b, said.test, l)
		}
		if s.attribute != "" && !s.hasValue {
			fmt.Fprintf(&b, "[@%s]", s.attribute)
		} else if s.attribute != "" {
			l := literal(s.value)
			if l == "" {
				return ""
			}
			fmt.Fprintf(&b, "[@%s=%s]", s.attribute, l)
		}
	}
	return b.String()
}

func spaced(class string) string {
	if class == "" {
		return ""
	}
	return " " + class + " "
}

// literal writes a text for XPath 1.0, which has no escapes; "" if it has quotes of both kinds.
func literal(s string) string {
	switch {
	case !strings.Contains(s, `"`):
		return `"` + s + `"`
	case !strings.Contains(s, "'"):
		return "'" + s + "'"
	}
	return ""
}

func isOrdinary(r rune) bool {
	return r == '-' || r == '_' || r >= 0x80 || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
}

// identifier writes a name for CSS (CSSOM, "serialize an identifier").
func identifier(s string) string {
	var b strings.Builder
	for i, r := range s {
		afterHyphen := i == 1 && s[0] == '-'
		switch {
		case r < 0x20 || r == 0x7F || '0' <= r && r <= '9' && (i == 0 || afterHyphen):
			b.WriteString(`\` + strconv.FormatInt(int64(r), 16) + " ")
		case r == '-' && (len(s) == 1 || afterHyphen) || !isOrdinary(r):
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// quoted writes a text for CSS (CSSOM, "serialize a string").
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r < 0x20 || r == 0x7F:
			b.WriteString(`\` + strconv.FormatInt(int64(r), 16) + " ")
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
