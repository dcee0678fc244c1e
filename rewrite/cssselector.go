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
	plainPath    = regexp.MustCompile(`^/(?:[A-Za-z0-9._~:?#@!$&()*+,;=%-][A-Za-z0-9._~:/?#@!$&()*+,;=%-]*)?$`)
)

// widened returns what stands behind the selector so that it matches here what it matches on the live web, and whether it matches that
// besides what it matches anyway. It is empty if nothing has to be said. An address on any other site is one that is not on the sheet's
// own domain, and a path is one on that domain: how a page wrote its links can't be seen here.
func (s *cssSelector) widened(of *base) (more string, besides bool) {
	value := func(operator, v string) string { return "[" + s.name + operator + `="` + v + `"]` }
	domain := of.domain()
	switch {
	case anyScheme.MatchString(s.value) && !s.whole && domain != "":
		return value("*", "/"+s.value) + ":not(" + value("*", "://"+domain) + "," + value("*", "."+domain) + ")", true
	case s.value == "/" && !s.whole && domain != "": // with which everything here begins
		return ":not(" + value("*", "://") + ")," + value("*", "://"+domain+"/") + "," + value("*", "."+domain+"/"), false
	case plainPath.MatchString(s.value) && domain != "":
		operator := "*"
		if s.whole {
			operator = "$"
		}
		return value(operator, "://"+domain+s.value) + "," + value(operator, "."+domain+s.value), true
	case !plainAddress.MatchString(s.value):
		return "", false
	case s.whole && strings.Count(s.value, "/") == 2: // a host, behind which a slash is written
		return value("$", "/"+s.value) + "," + value("$", "/"+s.value+"/"), true
	case s.whole:
		return value("$", "/"+s.value), true
	}
	return value("*", "/"+s.value), true
}

// domain returns the registrable domain of a base, "" if it has none.
func (b *base) domain() string {
	host, _, _ := strings.Cut(strings.TrimPrefix(b.authority, "//"), ":")
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return ""
	}
	return domain
}
