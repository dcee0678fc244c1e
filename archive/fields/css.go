package fields

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// A css finder walks once over a page, whatever its selectors are. Matching each selector separately takes time that grows like the depth
// of the page to the power of the number of its parts.
type css struct{ chains []chain }

// A chain is a selector, split at its combinators: links[i] is joined to links[i-1].
type chain []link

type link struct {
	combinator byte // ' ', '>', '+' or '~'; 0 for the first
	matches    cascadia.Matcher
}

// maxLinks bounds the parts of a selector, since a set has one bit for each.
const maxLinks = 64

func newCSS(s string) (c css, err error) {
	whole, err := cascadia.ParseGroup(s)
	if err != nil {
		return c, err
	}
	apart := takeApart(s)
	if len(apart) != len(whole) {
		return c, errors.New("the selector can't be taken apart")
	}
	for _, parts := range apart {
		if len(parts) > maxLinks {
			return c, fmt.Errorf("a selector may have at most %d parts", maxLinks)
		}
		ch := make(chain, len(parts))
		for i, p := range parts {
			if ch[i].matches, err = cascadia.Parse(p.text); err != nil {
				return c, err
			}
			ch[i].combinator = p.combinator
		}
		c.chains = append(c.chains, ch)
	}
	return c, nil
}

// A set has a bit for each part of a chain that an element matches together with all preceding parts.
type set uint64

// around has the matches of the elements around an element, for one chain.
type around struct{ above, parent, before, previous set }

// of returns the matches of an element.
func (ch chain) of(n *html.Node, at around) (own set) {
	for i, l := range ch {
		joined, last := set(1), set(1)<<max(i-1, 0)
		switch l.combinator {
		case ' ':
			joined = at.above & last
		case '>':
			joined = at.parent & last
		case '+':
			joined = at.previous & last
		case '~':
			joined = at.before & last
		}
		if joined != 0 && l.matches.Match(n) {
			own |= 1 << i
		}
	}
	return own
}

func (c css) find(ctx context.Context, doc *html.Node, each func(place) bool) error {
	err := c.children(ctx, doc, make([]around, len(c.chains)), each)
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// children walks over the children of an element. above has, by chain, the matches around the first child.
func (c css) children(ctx context.Context, parent *html.Node, above []around, each func(place) bool) error {
	at, below := append([]around{}, above...), make([]around, len(above))
	for n := range parent.ChildNodes() {
		if n.Type != html.ElementNode {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		found := false
		for i, ch := range c.chains {
			own := ch.of(n, at[i])
			found = found || own>>(len(ch)-1)&1 != 0
			at[i].before, at[i].previous = at[i].before|own, own
			below[i] = around{above: at[i].above | own, parent: own}
		}
		if found && !each(place{node: n}) {
			return errEnough
		}
		if err := c.children(ctx, n, below, each); err != nil {
			return err
		}
	}
	return nil
}

// A part of a selector is what is between two combinators.
type part struct {
	combinator byte
	text       string
}

// takeApart splits a valid group of selectors at commas and combinators outside of parentheses, brackets and strings.
func takeApart(s string) (out [][]part) {
	chain, current := []part(nil), part{}
	join := byte(0)
	end := func() {
		if current.text != "" {
			chain = append(chain, current)
			current = part{}
		}
	}
	for i := 0; i < len(s); {
		n := tokenLength(s[i:])
		token := s[i : i+n]
		i += n
		switch {
		case token == ",":
			end()
			out, chain, join = append(out, chain), nil, 0
		case strings.Contains(" \t\r\n\f>+~", token[:1]) || strings.HasPrefix(token, "/*"):
			end()
			if strings.Contains(">+~", token[:1]) {
				join = token[0]
			} else if join == 0 && len(chain) > 0 {
				join = ' '
			}
		default:
			if current.text == "" {
				current.combinator, join = join, 0
			}
			current.text += token
		}
	}
	end()
	return append(out, chain)
}

// tokenLength returns the length of the token at the beginning of a selector, at least 1: an escape, a comment, a string, or something in
// parentheses or brackets.
func tokenLength(s string) int {
	switch s[0] {
	case '\\':
		return escapeLength(s)
	case '/':
		if end := strings.Index(s, "*/"); strings.HasPrefix(s, "/*") && end >= 2 {
			return end + 2
		}
	case '"', '\'':
		for i := 1; i < len(s); i++ {
			if s[i] == s[0] {
				return i + 1
			}
			if s[i] == '\\' {
				i++
			}
		}
		return len(s)
	case '(', '[':
		for i := 1; i < len(s); {
			if s[i] == ')' || s[i] == ']' {
				return i + 1
			}
			i += tokenLength(s[i:])
		}
		return len(s)
	}
	return 1
}

// escapeLength returns the length of an escape: a character, or up to six hexadecimal digits and the white space that ends them.
func escapeLength(s string) int {
	n := 1
	for n < len(s) && n <= 6 && strings.Contains("0123456789abcdefABCDEF", s[n:n+1]) {
		n++
	}
	switch {
	case n == 1:
		return min(2, len(s))
	case strings.HasPrefix(s[n:], "\r\n"):
		return n + 2
	case n < len(s) && strings.Contains(" \t\r\n\f", s[n:n+1]):
		return n + 1
	}
	return n
}
