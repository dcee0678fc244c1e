package meaning

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"

	"github.com/varve-archive/varve/cdx/surt"
)

// An Echo is an argument of a request that its answer repeats: the page drops an answer with another value than it asked with.
type Echo struct {
	Name          string // under which the answer has it
	Held, Request string // its value in the captured request and in the one that is answered
}

// echoed matches the values that may be replaced. They mean the same in every text that a page may read: no quote, escape or space
// is among them.
var echoed = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Echoes returns what the answer to a captured address must repeat of a requested one that means the same.
func Echoes(captured, requested string) []Echo {
	rule := siteRuleOf(surt.Of(captured))
	if rule == nil || len(rule.Echo) == 0 || rule != siteRuleOf(surt.Of(requested)) {
		return nil
	}
	var all []Echo
	for name, p := range rule.Echo {
		e := Echo{name, echoIn(p, captured), echoIn(p, requested)}
		if e.Held != e.Request && echoed.MatchString(e.Held) && echoed.MatchString(e.Request) && isNumber(e.Held) == isNumber(e.Request) {
			all = append(all, e)
		}
	}
	return all
}

// echoIn returns what an expression's group matches in the query of an address.
func echoIn(p pattern, address string) string {
	_, query, _ := strings.Cut(address, "?")
	query, _, _ = strings.Cut(query, "#")
	if plain, err := url.QueryUnescape(query); err == nil {
		query = plain
	}
	if found := p.FindStringSubmatch(query); len(found) > 1 {
		return found[1]
	}
	return ""
}

// isNumber reports whether a value can stand in JSON without quotes.
func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" && (s == "0" || s[0] != '0') }

// Rewrite replaces in a text what stands as the value of each name: after it and a colon or an equals sign, with or without quotes,
// escaped or not. Bytes that are no text stay as they are.
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
