package rewrite

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/tdewolff/parse/v2/css"

	"github.com/varve-archive/varve/rewrite/reference"
)

// A cssSelector is an attribute selector that is being read, such as [href^="http://a.example/"] (Selectors 4 §6). Links in a
// replayed page lead into the archive, so a selector by the beginning of an address would never match.
type cssSelector struct {
	at    int // where it begins
	read  cssSelectorPart
	whole bool // the value is the whole address, not its beginning
	part  bool // the value is any part of the address
	flag  string
	name  string
	value string
}

// cssSelectorPart is the part of a selector that was read last.
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

// stringOf returns the value of a string token or an identifier.
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

// widened returns the selectors to add so that the selector matches here what it matches on the live web. If alternative is true,
// they are alternatives to it; otherwise they restrict it. more is "" if the selector can stay as it is. An address whose spelling
// is kept in the URI-M (see package reference) is compared with that. Other addresses are judged by the domain of the style sheet,
// as the domain of the page is unknown here: a path is on that domain, and an absolute address elsewhere isn't.
func (s *cssSelector) widened(of *reference.Base) (more string, alternative bool) {
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
		spelled := ":not(" + s.whereSpelled() + ")"
		own := s.is("*", "://"+domain+"/", "") + spelled + "," + s.is("*", "."+domain+"/", "") + spelled
		return ":not(" + s.is("*", "://", "") + ")," + own + "," + told, false
	}
	if untold := s.whereHidden(domain); untold != "" {
		return ":is(" + untold + "):not(" + s.whereSpelled() + ")," + told, true
	}
	return told, true
}

// otherScheme reports whether the value begins with a scheme whose addresses stay as they are.
func (s *cssSelector) otherScheme() bool {
	return someScheme.MatchString(s.value) && !plainAddress.MatchString(s.value) && !anyScheme.MatchString(s.value)
}

// whereHidden matches addresses whose URI-M doesn't contain their spelling. It is "" if no such address can have the value.
func (s *cssSelector) whereHidden(domain string) string {
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

// inside returns a restriction for a selector that looks for a part of an address, if every absolute address of the site contains
// that part. Then only addresses that were written in full match.
func (s *cssSelector) inside(domain string) string {
	if domain == "" || s.value == "/" || !strings.Contains("https://"+domain, s.value) && !strings.Contains("http://"+domain, s.value) {
		return ""
	}
	return ":not(" + s.whereSpelled() + "," + s.own(domain) + ")," + s.is("^", "/~http", "")
}

// is returns a selector by the same attribute.
func (s *cssSelector) is(operator, value, flag string) string {
	return "[" + s.name + operator + `="` + value + `"` + flag + "]"
}

// whereSpelled matches addresses whose URI-M contains their spelling.
func (s *cssSelector) whereSpelled() string { return s.is("^", "/~", "") }

// own matches addresses on a domain.
func (s *cssSelector) own(domain string) string {
	return s.is("*", "://"+domain, "") + "," + s.is("*", "."+domain, "")
}
