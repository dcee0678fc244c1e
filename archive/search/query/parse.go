package query

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/varve-archive/varve/archive/content/tokenize"
	"github.com/varve-archive/varve/internal/sentinel"
)

// MaxLength is the greatest length of a query in bytes: some thousand words.
const MaxLength = 32 << 10

// maxClauses bounds the clauses that aren't optional, because each costs a lookup; maxOpen bounds the clauses that expand to many words,
// because each costs many.
const (
	maxClauses = 64
	maxOpen    = 16
)

// Sentences for the person who typed a query: ErrEmpty is an error of [Parse], ErrNoWord says why a [Query.Wordless] one finds nothing.
const (
	ErrEmpty  = sentinel.Error("there is nothing to search for: give a word, or a phrase in double quotes")
	ErrNoWord = sentinel.Error("there is no word in this query: words have letters or digits")
)

// ErrLong is the error of [Parse] for a query that is too long.
var ErrLong = fmt.Errorf("the query is too long: at most %d bytes, and %d words with operators, or phrases", MaxLength, maxClauses)

// quotes replaces typographic double quotes by plain ones.
var quotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‟", `"`, "«", `"`, "»", `"`, "＂", `"`)

// PlainQuotes replaces typographic double quotes by plain ones, apart from those within plain ones: they are part of a sentence that was
// copied. A quote between Hebrew letters is part of a word, as in צה"ל; it becomes a gershayim, which [Words] take for the same.
func PlainQuotes(typed string) string {
	text := []rune(quotes.Replace(withoutInner(typed)))
	for i := 1; i+1 < len(text); i++ {
		if text[i] == '"' && unicode.Is(unicode.Hebrew, text[i-1]) && unicode.Is(unicode.Hebrew, text[i+1]) {
			text[i] = '״'
		}
	}
	return string(text)
}

// withoutInner replaces the typographic quotes within plain ones by spaces, if no others are outside.
func withoutInner(typed string) string {
	parts := strings.Split(typed, `"`)
	for i, part := range parts {
		plain := quotes.Replace(part)
		switch {
		case len(parts)%2 == 0, i%2 == 0 && plain != part:
			return typed
		case i%2 == 1:
			parts[i] = strings.ReplaceAll(plain, `"`, " ")
		}
	}
	return strings.Join(parts, `"`)
}

// Parse reads a query over pages that have named fields, such as price. The error is [ErrEmpty] or [ErrLong].
func Parse(typed string, named ...Name) (Query, error) {
	typed = strings.TrimSpace(strings.ToValidUTF8(typed, " "))
	if typed == "" {
		return Query{}, ErrEmpty
	}
	if len(typed) > MaxLength {
		return Query{}, ErrLong
	}
	p := parser{rest: PlainQuotes(typed), named: named}
	q := p.query()
	if bound, open := q.sizes(); p.long || bound > maxClauses || open > maxOpen {
		return Query{}, ErrLong
	}
	if len(q.Wanted()) == 0 {
		q.readExclusionsAsText()
	}
	if len(q.Wanted()) == 0 { // signs are text like any other, which no page has as a word
		q = Query{Wordless: true, Clauses: []Clause{{Words: []string{typed}}}}
	}
	return q, nil
}

// sizes counts the clauses that aren't optional, and those that expand to many words.
func (q *Query) sizes() (bound, open int) {
	for i := range q.Clauses {
		if c := &q.Clauses[i]; !c.Optional {
			bound++
		}
		if q.Clauses[i].Match != Exact {
			open++
		}
	}
	return bound, open
}

// readExclusionsAsText turns a query that only excludes, such as -a -b, into a b.
func (q *Query) readExclusionsAsText() {
	var text terms
	for _, c := range q.Clauses {
		if c.Field != Site {
			c.Not = false
			c.Optional = c.mayBeOptional() && len(c.Words) == 1
		}
		text.add(c)
	}
	q.Clauses = text.clauses()
}

// A parser parses one item after the other: a word or phrase with its operators.
type parser struct {
	rest  string
	named []Name
	depth int  // number of open parentheses
	long  bool // an OR has more combinations than there may be clauses
}

// item parses the next item; ok is false if it has no word.
func (p *parser) item() (c Clause, ok bool) {
	sign := byte(0)
	if (p.rest[0] == '-' || p.rest[0] == '+') && begins(p.rest[1:]) {
		sign, p.rest = p.rest[0], p.rest[1:]
	}
	c.Not = sign == '-'
	if field, after := fieldOf(p.rest); field != Anywhere {
		c.Field, p.rest = field, after
	} else if p.readNamed(&c) {
		return c, true
	}
	if phrase, after, ok := quoted(p.rest); ok {
		p.rest = after
		c.Words = c.words(phrase)
		return c, len(c.Words) > 0
	}
	c.read(p.chunk())
	c.Optional = sign == 0 && c.mayBeOptional()
	return c, len(c.Words) > 0
}

// mayBeOptional reports whether a clause that is written without a sign is optional. What would be read as a field is written as a phrase.
func (c *Clause) mayBeOptional() bool {
	field, _ := fieldOf(c.chunk())
	return c.plain() && field == Anywhere
}

// chunk reads up to white space, a quote, or the end of the parentheses.
func (p *parser) chunk() string {
	open := 0
	end := strings.IndexFunc(p.rest, func(r rune) bool {
		switch r {
		case '(':
			open++
		case ')':
			open--
		}
		return unicode.IsSpace(r) || r == '"' || open < 0 && p.depth > 0
	})
	switch {
	case end < 0:
		end = len(p.rest)
	case end == 0: // an unmatched quote or parenthesis
		end = 1
	}
	chunk := p.rest[:end]
	p.rest = p.rest[end:]
	return chunk
}

// readNamed reads a clause on a named field, if one comes next.
func (p *parser) readNamed(c *Clause) bool {
	for _, name := range p.named {
		rest, ok := strings.CutPrefix(p.rest, name.Name+":")
		if !ok || !begins(rest) {
			continue
		}
		value, after, isPhrase := quoted(rest)
		if !isPhrase {
			of := parser{rest: rest, depth: p.depth}
			value, after = of.chunk(), of.rest
		}
		named := Clause{Not: c.Not, Field: Named, Name: name.Name}
		if name.Range == nil {
			named.Words = AddressWords(value)
		} else if r, ok := name.Range(value); ok {
			named.Words, named.Numbers = []string{value}, &r
		}
		if len(named.Words) == 0 {
			return false // the value is read as text
		}
		p.rest, *c = after, named
		return true
	}
	return false
}

// fieldOf cuts off a field prefix. It returns Anywhere if there is none or nothing follows it.
func fieldOf(s string) (f Field, after string) {
	for f := Title; f <= Site; f++ {
		name := f.prefix()
		if len(s) > len(name) && strings.EqualFold(s[:len(name)], name) && begins(s[len(name):]) {
			return f, s[len(name):]
		}
	}
	return Anywhere, s
}

// begins reports whether a word or a phrase may begin here.
func begins(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && !unicode.IsSpace(r)
}

// quoted cuts off a phrase in double quotes.
func quoted(s string) (phrase, after string, ok bool) {
	if s, ok = strings.CutPrefix(s, `"`); !ok {
		return "", "", false
	}
	return strings.Cut(s, `"`)
}

// read parses text without white space, with a sign behind it if it has one. Signs apply to single words.
func (c *Clause) read(chunk string) {
	for m := Prefix; m <= Near && c.Field != Site; m++ {
		text, ok := strings.CutSuffix(chunk, m.sign())
		if !ok {
			continue
		}
		field, _ := fieldOf(strings.Join(c.words(text), " ")) // whose name nothing but odd characters separate from the word before
		if len(c.words(text)) == 1 && isBare(text) && (c.Field != Anywhere || field == Anywhere) {
			c.Match, chunk = m, text
		}
		break
	}
	c.Words = c.words(chunk)
}

// isBare reports whether a word has no other sign before or after it.
func isBare(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	last, _ := utf8.DecodeLastRuneInString(word)
	return !strings.ContainsFunc(string([]rune{first, last}), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) })
}

// words tokenizes a text for the clause's field.
func (c *Clause) words(text string) []string {
	switch c.Field {
	case URL:
		return AddressWords(text)
	case Site:
		return domain(text)
	}
	return Words(text)
}

// Words returns the words of a text as they are compared: UAX #29 words in lower case and NFC.
func Words(text string) []string {
	var out []string
	tokenize.Terms(text, func(t tokenize.Term) bool {
		out = append(out, string(t.Norm))
		return true
	})
	return out
}

// Phrase returns the words of a text, joined by spaces.
func Phrase(text string) string { return strings.Join(Words(text), " ") }

// AddressWords returns the words of an address, of its SURT, or of the value of a named field, which has them too: [Words] of its runs of
// letters and digits, percent-encoded ones too.
func AddressWords(address string) []string {
	if plain, err := url.PathUnescape(address); err == nil {
		address = plain
	}
	return Words(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return ' '
	}, address))
}

// domain returns the host in the value of site:, which may be a whole URL. It is empty if there is none.
func domain(text string) []string {
	if _, after, ok := strings.Cut(text, "://"); ok {
		text = after
	}
	text = strings.TrimPrefix(text, "*.")
	if end := strings.IndexAny(text, "/?#"); end >= 0 {
		text = text[:end]
	}
	text = strings.Trim(strings.ToLower(text), ".")
	if strings.ContainsFunc(text, func(r rune) bool { return !hostRune(r) }) || len(AddressWords(text)) == 0 {
		return nil
	}
	return []string{text}
}

func hostRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || strings.ContainsRune(".-_:", r)
}
