package query

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/varve-archive/varve/archive/content/tokenize"
)

// MaxLength is the greatest length of a query in bytes.
const MaxLength = 4096

// maxClauses bounds the clauses of a query, because each of them costs a look-up, and maxOpen those that stand for many
// words, because each of them costs many.
const (
	maxClauses = 64
	maxOpen    = 16
)

// The errors of [Parse], in sentences for the person who typed the query.
var (
	ErrEmpty  = errors.New("there is nothing to search for: give a word, or a phrase in double quotes")
	ErrNoWord = errors.New("there is no word in this query: words have letters or digits")
	ErrLong   = fmt.Errorf("the query is too long: at most %d bytes, and %d words or phrases", MaxLength, maxClauses)
)

// quotes replaces typographic double quotes by plain ones.
var quotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‟", `"`, "«", `"`, "»", `"`, "＂", `"`)

// Parse reads a query over pages that have named fields, such as price. The error is one of [ErrEmpty], [ErrNoWord] and
// [ErrLong].
func Parse(typed string, named ...Name) (Query, error) {
	if strings.TrimSpace(typed) == "" {
		return Query{}, ErrEmpty
	}
	if len(typed) > MaxLength {
		return Query{}, ErrLong
	}
	p := parser{rest: quotes.Replace(strings.ToValidUTF8(typed, " ")), named: named}
	for p.next() {
		if len(p.query.Clauses) > maxClauses || p.open > maxOpen {
			return Query{}, ErrLong
		}
	}
	if len(p.query.Wanted()) == 0 {
		p.query.readExclusionsAsText()
	}
	if len(p.query.Wanted()) == 0 {
		return Query{}, ErrNoWord
	}
	return p.query, nil
}

// readExclusionsAsText turns -a -b, of which nothing could be left, into a b.
func (q *Query) readExclusionsAsText() {
	clauses := q.Clauses
	q.Clauses = nil
	for _, c := range clauses {
		if c.Field != Site {
			c.Not = false
		}
		if !q.has(&c) {
			q.Clauses = append(q.Clauses, c)
		}
	}
}

// A parser reads one clause after the other.
type parser struct {
	rest  string
	query Query
	open  int // clauses that stand for many words
	named []Name
}

// next reads the next clause, or returns false at the end.
func (p *parser) next() bool {
	p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace)
	if p.rest == "" {
		return false
	}
	var c Clause
	if after, ok := strings.CutPrefix(p.rest, "-"); ok && begins(after) {
		c.Not, p.rest = true, after
	}
	if field, after := fieldOf(p.rest); field != Anywhere {
		c.Field, p.rest = field, after
	} else if p.addNamed(c) {
		return true
	}
	if phrase, after, ok := quoted(p.rest); ok {
		p.rest = after
		p.add(c, phrase)
		return true
	}
	end := strings.IndexFunc(p.rest, func(r rune) bool { return unicode.IsSpace(r) || r == '"' })
	switch {
	case end < 0:
		end = len(p.rest)
	case end == 0: // a quote that nothing closes
		end = 1
	}
	chunk := p.rest[:end]
	p.rest = p.rest[end:]
	p.addChunk(c, chunk)
	return true
}

// addNamed adds a clause on a named field, if one comes next.
func (p *parser) addNamed(c Clause) bool {
	for _, name := range p.named {
		rest, ok := strings.CutPrefix(p.rest, name.Name+":")
		if !ok || !begins(rest) {
			continue
		}
		value, after, isPhrase := quoted(rest)
		if !isPhrase {
			end := strings.IndexFunc(rest, unicode.IsSpace)
			if end < 0 {
				end = len(rest)
			}
			value, after = rest[:end], rest[end:]
		}
		c.Field, c.Name = Named, name.Name
		if name.Range == nil {
			c.Words = AddressWords(value)
		} else if r, ok := name.Range(value); ok {
			c.Words, c.Numbers = []string{value}, &r
		}
		if len(c.Words) == 0 {
			return false // read as text
		}
		p.rest = after
		if !p.query.has(&c) {
			p.query.Clauses = append(p.query.Clauses, c)
		}
		return true
	}
	return false
}

// fieldOf cuts the name of a field off; it is Anywhere if there is none or nothing follows.
func fieldOf(s string) (f Field, after string) {
	for f := Title; f <= Site; f++ {
		name := fieldNames[f]
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

// quoted cuts a phrase in double quotes off.
func quoted(s string) (phrase, after string, ok bool) {
	if s, ok = strings.CutPrefix(s, `"`); !ok {
		return "", "", false
	}
	return strings.Cut(s, `"`)
}

// addChunk adds text without white space, perhaps with a sign behind it. Signs apply to single words.
func (p *parser) addChunk(c Clause, chunk string) {
	for m := Prefix; m <= Near && c.Field != Site; m++ {
		text, ok := strings.CutSuffix(chunk, matchSigns[m])
		if !ok {
			continue
		}
		if len(c.words(text)) == 1 && isBare(text) {
			c.Match, chunk = m, text
		}
		break
	}
	p.add(c, chunk)
}

// isBare reports whether a word has no other sign before or behind it.
func isBare(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	last, _ := utf8.DecodeLastRuneInString(word)
	return !strings.ContainsFunc(string([]rune{first, last}), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// words returns the words of a text in the form of the clause's field.
func (c *Clause) words(text string) []string {
	switch c.Field {
	case URL:
		return AddressWords(text)
	case Site:
		return domain(text)
	}
	return Words(text)
}

// add adds a clause with the words of text, if there are any.
func (p *parser) add(c Clause, text string) {
	if c.Words = c.words(text); len(c.Words) > 0 && !p.query.has(&c) {
		p.query.Clauses = append(p.query.Clauses, c)
		if c.Match != Exact {
			p.open++
		}
	}
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

// AddressWords returns the words of an address, which are its runs of letters and digits.
func AddressWords(url string) []string {
	var n tokenize.Normalizer
	return strings.FieldsFunc(string(n.Norm(url)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
}

// domain returns what names a host in the value of site:, which may be a whole address. It is empty if nothing does.
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
