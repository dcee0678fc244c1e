package rewrite

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/tdewolff/parse/v2/css"

	"github.com/varve-archive/varve/rewrite/reference"
)

// A cssSelector is an attribute selector that is being read, such as [href^="http://a.example/"] (Selectors 4 §6). Links lead into
// the archive here, so that what a selector says of the beginning of an address would never match.
type cssSelector struct {
	at    int // where it begins
	read  cssSelectorPart
	whole bool // the value is the whole address, not its beginning
	part  bool // the value is any part of the address
	flag  string
	name  string
	value string
}

// cssSelectorPart is what was read last of a selector.
type cssSelectorPart uint8

const (
	cssNoSelector cssSelectorPart = iota
	cssBracket
	cssName
	cssOperator
	cssValue
)

// token reads the next token, which ends at end. It returns true once the selector is complete.
func (s *cssSelector) token(tt css.TokenType, data []byte, end int) (complete bool) {
	switch {
	case tt == css.LeftBracketToken:
		*s = cssSelector{at: end - len(data), read: cssBracket}
	case s.read == cssNoSelector, tt == css.WhitespaceToken, tt == css.CommentToken:
	case s.read == cssBracket && tt == css.IdentToken && namesAddress(data):
		s.read, s.name = cssName, strings.ToLower(string(data))
	case s.read == cssName && (tt == css.PrefixMatchToken || tt == css.SubstringMatchToken || tt == css.DelimToken && data[0] == '='):
		s.read, s.whole, s.part = cssOperator, tt == css.DelimToken, tt == css.SubstringMatchToken
	case s.read == cssOperator && (tt == css.IdentToken || tt == css.StringToken):
		s.read, s.value = cssValue, stringOf(data)
	case s.read == cssValue && s.flag == "" && tt == css.IdentToken && len(data) == 1 && (data[0]|0x20 == 'i' || data[0]|0x20 == 's'):
		s.flag = " " + string(data)
	case s.read == cssValue && tt == css.RightBracketToken:
		s.read = cssNoSelector
		return true
	default: // another attribute, no selector at all
		s.read = cssNoSelector
	}
	return false
}

// namesAddress reports whether an attribute has an address that is rewritten as a whole.
func namesAddress(name []byte) bool {
	for _, n := range [...]string{"href", "src", "action"} {
		if strings.EqualFold(n, string(name)) {
			return true
		}
	}
	return false
}

// stringOf returns what a string or a name means.
func stringOf(data []byte) string {
	if data[0] == '"' || data[0] == '\'' {
		data = bytes.TrimSuffix(data[1:], data[:1])
	}
	return string(cssUnescape(data))
}

var (
	anyScheme    = regexp.MustCompile(`^(?i:https?)(?::/{0,2})?$`)
	plainAddress = regexp.MustCompile(`^(?i:https?)://[A-Za-z0-9._~:/?#@!$&()*+,;=%-]+$`) // nothing that ends a string or an element
	someScheme   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
	plainValue   = regexp.MustCompile(`^[A-Za-z0-9._~:/?#@!$&()*+,;=% -]+$`) // nothing that ends a string or an element
	plainPath    = regexp.MustCompile(`^/(?:[A-Za-z0-9._~:?#@!$&()*+,;=%-][A-Za-z0-9._~:/?#@!$&()*+,;=%-]*)?$`)
)

// widened returns what stands behind the selector so that it matches here what it matches on the live web, and whether it matches that
// besides what it matches anyway. It is empty if nothing has to be said. An address of which the page tells how it was written
// (spelling.go) is what is told. Of the others, one on any other site is one that is not on the sheet's own domain, and a path is one on
// that domain: whose page a sheet is for can't be seen here.
func (s *cssSelector) widened(of *reference.Base) (more string, besides bool) {
	if !plainValue.MatchString(s.value) || s.value[0] == '#' || s.otherScheme() {
		return "", false
	}
	domain := of.Domain()
	if s.part {
		return s.inside(domain), false
	}
	told := s.is("^", "/~"+string(reference.AppendComponent(nil, []byte(s.value))), s.flag)
	if s.whole {
		told = s.is("^", "/~"+string(reference.AppendComponent(nil, []byte(s.value)))+"~", s.flag)
	}
	if s.value == "/" && !s.whole && domain != "" { // with which everything here begins
		own := s.is("*", "://"+domain+"/", "") + ":not(" + s.told() + ")," + s.is("*", "."+domain+"/", "") + ":not(" + s.told() + ")"
		return ":not(" + s.is("*", "://", "") + ")," + own + "," + told, false
	}
	if untold := s.untold(domain); untold != "" {
		return ":is(" + untold + "):not(" + s.told() + ")," + told, true
	}
	return told, true
}

// otherScheme reports whether the value begins with a scheme whose addresses stay as they are.
func (s *cssSelector) otherScheme() bool {
	return someScheme.MatchString(s.value) && !plainAddress.MatchString(s.value) && !anyScheme.MatchString(s.value)
}

// untold matches the addresses of which the page does not tell how they were written; "" if none was written so.
func (s *cssSelector) untold(domain string) string {
	operator := "*"
	if s.whole {
		operator = "$"
	}
	value := func(v string) string { return s.is(operator, v, s.flag) }
	switch {
	case anyScheme.MatchString(s.value) && !s.whole && domain != "":
		return value("/"+s.value) + ":not(" + s.own(domain) + ")"
	case plainPath.MatchString(s.value) && domain != "":
		return value("://"+domain+s.value) + "," + value("."+domain+s.value)
	case !plainAddress.MatchString(s.value):
		return ""
	case s.whole && strings.Count(s.value, "/") == 2: // a host, behind which a slash is written
		return value("/"+s.value) + "," + value("/"+s.value+"/")
	}
	return value("/" + s.value)
}

// inside says more of a selector that asks for a part of an address, where that is in every address of the site: it was in those that
// were written in full.
func (s *cssSelector) inside(domain string) string {
	if domain == "" || s.value == "/" || !strings.Contains("https://"+domain, s.value) && !strings.Contains("http://"+domain, s.value) {
		return ""
	}
	return ":not(" + s.told() + "," + s.own(domain) + ")," + s.is("^", "/~http", "")
}

// is returns a selector by the same attribute.
func (s *cssSelector) is(operator, value, flag string) string {
	return "[" + s.name + operator + `="` + value + `"` + flag + "]"
}

// reference.told matches the addresses of which the page tells how they were written.
func (s *cssSelector) told() string { return s.is("^", "/~", "") }

// own matches the addresses on a domain.
func (s *cssSelector) own(domain string) string {
	return s.is("*", "://"+domain, "") + "," + s.is("*", "."+domain, "")
}
