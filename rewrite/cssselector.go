package rewrite

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/tdewolff/parse/v2/css"
	"golang.org/x/net/publicsuffix"
)

// A cssSelector is an attribute selector that is being read, such as [href^="http://a.example/"] (Selectors 4 §6). Links lead into
// the archive here, so that what a selector says of the beginning of an address would never match.
type cssSelector struct {
	at    int // where it begins
	part  cssSelectorPart
	whole bool // the value is the whole address, not its beginning
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
		*s = cssSelector{at: end - len(data), part: cssBracket}
	case s.part == cssNoSelector, tt == css.WhitespaceToken, tt == css.CommentToken:
	case s.part == cssBracket && tt == css.IdentToken && namesAddress(data):
		s.part, s.name = cssName, strings.ToLower(string(data))
	case s.part == cssName && (tt == css.PrefixMatchToken || tt == css.DelimToken && data[0] == '='):
		s.part, s.whole = cssOperator, tt == css.DelimToken
	case s.part == cssOperator && (tt == css.IdentToken || tt == css.StringToken):
		s.part, s.value = cssValue, stringOf(data)
	case s.part == cssValue && tt == css.RightBracketToken:
		s.part = cssNoSelector
		return true
	default: // [href^="x" i], another attribute, no selector at all
		s.part = cssNoSelector
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
)

// meant returns the selectors that match here what this one matches on the live web, "" if there are none. An address on any other
// site is one that is not on the sheet's own domain: links that a page wrote without a host look like others here.
func (s *cssSelector) meant(of *base) string {
	value := func(operator, v string) string { return "[" + s.name + operator + `="` + v + `"]` }
	switch {
	case anyScheme.MatchString(s.value) && !s.whole:
		host, _, _ := strings.Cut(strings.TrimPrefix(of.authority, "//"), ":")
		domain, err := publicsuffix.EffectiveTLDPlusOne(host)
		if err != nil {
			return ""
		}
		return value("*", "/"+s.value) + ":not(" + value("*", "://"+domain) + "," + value("*", "."+domain) + ")"
	case !plainAddress.MatchString(s.value):
		return ""
	case s.whole && strings.Count(s.value, "/") == 2: // a host, behind which a slash is written
		return value("$", "/"+s.value) + "," + value("$", "/"+s.value+"/")
	case s.whole:
		return value("$", "/"+s.value)
	}
	return value("*", "/"+s.value)
}
