package fuzzy

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"
)

// An Echo is an argument of a request that the response repeats. A page ignores a response with another value than it requested.
type Echo struct {
	Name          string // under which the response has it
	Held, Request string // its value in the captured request and in the present one
}

// mayReplace reports whether a value has the same meaning in every kind of text: it has no quote, escape or space.
func mayReplace(s string) bool {
	return 0 < len(s) && len(s) <= 64 && consistsOf(strings.ToLower(s), digit+letter+"_-")
}

// Repeats reports whether responses to requests with a key repeat arguments.
func Repeats(key string) bool {
	rule := siteRuleOf(key)
	return rule != nil && len(rule.Echo) > 0
}

// Echoes returns the values that must be replaced in the response to a captured request, for a present request with the same meaning.
func Echoes(captured, requested *Request) []Echo {
	rule := siteRuleOf(captured.Key())
	if rule == nil || len(rule.Echo) == 0 || rule != siteRuleOf(requested.Key()) {
		return nil
	}
	var all []Echo
	for name, p := range rule.Echo {
		e := Echo{name, echoIn(p, captured), echoIn(p, requested)}
		if e.Held != e.Request && mayReplace(e.Held) && mayReplace(e.Request) && isNumber(e.Held) == isNumber(e.Request) {
			all = append(all, e)
		}
	}
	return all
}

// echoIn returns what an expression's group matches in the query of a request's address or, failing that, in its body.
func echoIn(p pattern, r *Request) string {
	_, query, _ := strings.Cut(r.URIR, "?")
	query, _, _ = strings.Cut(query, "#")
	body := string(r.Body)
	if strings.HasPrefix(strings.ToLower(r.Type), "application/x-www-form-urlencoded") {
		body = unescapedQuery(body)
	}
	for _, text := range []string{unescapedQuery(query), body} {
		if found := p.FindStringSubmatch(text); len(found) > 1 {
			return found[1]
		}
	}
	return ""
}

func unescapedQuery(query string) string {
	if plain, err := url.QueryUnescape(query); err == nil {
		return plain
	}
	return query
}

// isNumber reports whether a value can be in JSON without quotes.
func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" && (s == "0" || s[0] != '0') }

// Rewrite replaces the values of names in a text: after a name and a colon or equals sign, with or without quotes, escaped or not. Bytes
// that aren't text remain.
func Rewrite(text []byte, echoes []Echo) []byte {
	if bytes.IndexByte(text, 0) >= 0 {
		return text
	}
	for _, e := range echoes {
		const quote = `(?:\\*["']|&quot;|%22)?`
		value := regexp.MustCompile(regexp.QuoteMeta(e.Name) + quote + `\s*(?:[:=]|%3[ADad])\s*` + quote + `(` + regexp.QuoteMeta(e.Held) + `)`)
		var out []byte
		last := 0
		for _, at := range value.FindAllSubmatchIndex(text, -1) {
			if at[0] > 0 && partOfWord(text[at[0]-1]) || at[3] < len(text) && (partOfWord(text[at[3]]) || text[at[3]] == '.') {
				continue
			}
			out = append(append(out, text[last:at[2]]...), e.Request...)
			last = at[3]
		}
		text = append(out, text[last:]...)
	}
	return text
}

func partOfWord(b byte) bool {
	return b == '_' || b == '-' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}
