package chunks

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// nameStarts finds where an expression may begin that makes the name of a chunk's file.
var nameStarts = regexp.MustCompile(`(?:\breturn|=>|[\w$]\s*=)\s*(["'({]|[\w$]+\s*\.\s*p\s*\+|[\w$]+\s*(?:===?|\+))`)

// emptyHash begins the hash that old versions of webpack write for chunks without a style sheet: it is that of nothing.
const emptyHash = "31d6cfe0"

// chunkLoads finds the IDs of chunks where they are loaded.
var chunkLoads = regexp.MustCompile(`\.e\(\s*("[^"\\]+"|\d+)\s*\)`)

// files returns the names of files that a runtime can make of the IDs of its chunks, such as by
//
//	e => "js/" + ({7: "about"}[e] || e) + "." + {7: "5f3c"}[e] + ".js"
func files(script []byte) (names []string) {
	left := work(stepsPerByte*len(script) + minSteps)
	text := append(bytes.Clone(script), 0)[:len(script)] // the lexers need a byte after it
	taken := map[string]bool{}
	var loaded []string
	for _, at := range nameStarts.FindAllSubmatchIndex(script, -1) {
		p, value := read(text[at[2]:], &left)
		switch lead := bytes.TrimRight(text[:at[2]], " \t\n\f\r"); {
		case len(p.ids) > 0:
		case p.variable != "":
			if name, ok := value("0"); !ok || !isFile(name) {
				continue // whatever the ID is
			}
			if loaded == nil {
				loaded = append([]string{}, idsOf(script)...)
			}
			p.ids = loaded
		case lead[len(lead)-1] != '=': // a function that knows a single file
			p.knows("")
		}
		for _, id := range p.ids {
			name, ok := value(id)
			if ok && isFile(name) && len(names) < maxFiles && !taken[name] {
				names, taken[name] = append(names, name), true
			}
		}
		if left <= 0 {
			break
		}
	}
	return names
}

// firstLook is how many bytes are first looked at where an expression may begin: an error costs the lexer all bytes that it was given.
const firstLook = 512

// read reads the expression at the beginning of a text, in as many bytes as it takes.
func read(text []byte, left *work) (*parser, value) {
	for look := firstLook; ; look *= 2 {
		within := text[:min(look, len(text))]
		input := parse.NewInputBytes(within)
		p := &parser{input: input, lexer: js.NewLexer(input), work: left}
		p.next()
		v := p.choice()
		input.Restore()
		if input.Offset() < len(within) || len(within) == len(text) || *left <= 0 {
			return p, v
		}
	}
}

// idsOf returns the IDs of chunks that a script loads.
func idsOf(script []byte) (ids []string) {
	for _, m := range chunkLoads.FindAllSubmatch(script, maxFiles) {
		ids = append(ids, plain(string(m[1])))
	}
	return ids
}

func isFile(name string) bool {
	plain, _, _ := strings.Cut(name, "?")
	return !strings.Contains(name, emptyHash) &&
		(strings.HasSuffix(plain, ".js") || strings.HasSuffix(plain, ".mjs") || strings.HasSuffix(plain, ".css"))
}

// A value is an expression with one variable, the ID of a chunk. It is not ok where the expression is undefined.
type value func(id string) (text string, ok bool)

func constant(text string) value { return func(string) (string, bool) { return text, true } }

func undefined(string) (string, bool) { return "", false }

// Limits of expressions.
const (
	maxDepth = 2000 // of choices within others
	maxTerms = 100  // of a sum
)

// What the expressions of a script may cost, in bytes that are read and steps that are made: several may begin within one, and each is
// a function of every ID.
const (
	stepsPerByte = 16
	minSteps     = 1 << 20
)

// work is how many steps are left for a script.
type work int

// takes takes some steps, and reports whether there were any left.
func (w *work) takes(steps int) bool {
	if *w <= 0 {
		return false
	}
	*w -= work(steps)
	return true
}

// A parser reads an expression of a runtime: sums of texts, look-ups in objects, and choices between them. Of any other one it makes an
// undefined value.
type parser struct {
	input    *parse.Input
	lexer    *js.Lexer
	work     *work
	kind     js.TokenType
	text     []byte
	variable string   // its name, once it is known
	ids      []string // that occur
	depth    int
	closed   bool // the parenthesis around an object has been read
}

func (p *parser) next() {
	for {
		before := p.input.Offset()
		p.kind, p.text = p.lexer.Next()
		steps := p.input.Offset() - before
		if p.kind == js.ErrorToken {
			steps += p.input.Len()
		}
		if !p.work.takes(steps) {
			p.kind, p.text = js.ErrorToken, nil
		}
		switch p.kind {
		case js.WhitespaceToken, js.LineTerminatorToken, js.CommentToken, js.CommentLineTerminatorToken:
		default:
			return
		}
	}
}

// takes reports whether the next token is of a kind, and passes over it.
func (p *parser) takes(kind js.TokenType) bool {
	if p.kind != kind {
		return false
	}
	p.next()
	return true
}

func (p *parser) knows(id string) {
	if len(p.ids) < maxFiles && !slices.Contains(p.ids, id) {
		p.ids = append(p.ids, id)
	}
}

// choice reads a ? b : c, or what may stand for a.
func (p *parser) choice() value {
	if p.depth++; p.depth > maxDepth {
		return undefined
	}
	defer func() { p.depth-- }()
	is := p.either()
	if !p.takes(js.QuestionToken) {
		return is
	}
	yes := p.choice()
	if !p.takes(js.ColonToken) {
		return undefined
	}
	no := p.choice()
	return func(id string) (string, bool) {
		if !p.work.takes(1) {
			return "", false
		}
		if text, ok := is(id); ok && text != "" {
			return yes(id)
		}
		return no(id)
	}
}

// either reads a || b.
func (p *parser) either() value {
	first := p.equality()
	if !p.takes(js.OrToken) {
		return first
	}
	second := p.equality()
	return func(id string) (string, bool) {
		if text, ok := first(id); ok && text != "" {
			return text, true
		}
		return second(id)
	}
}

// equality reads a === b, whose constant is an ID.
func (p *parser) equality() value {
	a := p.sum()
	if !p.takes(js.EqEqEqToken) && !p.takes(js.EqEqToken) {
		return a
	}
	b := p.sum()
	for _, side := range []value{a, b} {
		if id, ok := side(""); ok && id != "" {
			p.knows(id)
		}
	}
	return func(id string) (string, bool) {
		one, _ := a(id)
		if other, ok := b(id); ok && one == other {
			return "true", true
		}
		return "", true
	}
}

func (p *parser) sum() value {
	terms := []value{p.operand()}
	for p.takes(js.AddToken) {
		if len(terms) == maxTerms {
			return undefined
		}
		terms = append(terms, p.operand())
	}
	return func(id string) (sum string, ok bool) {
		for _, term := range terms {
			text, ok := term(id)
			if !ok || !p.work.takes(1+len(text)) {
				return "", false
			}
			sum += text
		}
		return sum, true
	}
}

func (p *parser) operand() value {
	text := string(p.text)
	switch {
	case p.kind == js.StringToken && !strings.Contains(text, `\`), js.IsNumeric(p.kind):
		p.next()
		return constant(plain(text))
	case p.takes(js.OpenParenToken):
		inner := p.choice()
		if p.closed {
			p.closed = false
		} else if !p.takes(js.CloseParenToken) {
			return undefined
		}
		return inner
	case p.takes(js.OpenBraceToken):
		return p.lookup()
	case !js.IsIdentifierName(p.kind):
		return undefined
	}
	p.next()
	if p.kind == js.DotToken { // the folder of all files is added to all names
		p.next()
		if string(p.text) != "p" {
			return undefined
		}
		p.next()
		return constant("")
	}
	if p.variable == "" {
		p.variable = text
	}
	if p.variable != text {
		return undefined
	}
	return func(id string) (string, bool) { return id, true }
}

// plain returns the text of a literal; that of a number as a key of an object has it: 1e3 is "1000".
func plain(literal string) string {
	if n, err := strconv.ParseFloat(literal, 64); err == nil {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return strings.Trim(literal, `"'`)
}

// lookup reads the rest of an object and its index, whose keys are IDs.
func (p *parser) lookup() value {
	object := map[string]string{}
	for !p.takes(js.CloseBraceToken) {
		key := plain(string(p.text))
		if p.next(); !p.takes(js.ColonToken) {
			return undefined
		}
		text, ok := p.choice()("")
		if !ok || p.kind != js.CloseBraceToken && !p.takes(js.CommaToken) {
			return undefined
		}
		object[key] = text
		p.knows(key)
	}
	p.closed = p.takes(js.CloseParenToken)
	if !p.takes(js.OpenBracketToken) {
		return undefined
	}
	index := p.choice()
	if !p.takes(js.CloseBracketToken) {
		return undefined
	}
	return func(id string) (string, bool) {
		key, ok := index(id)
		text, has := object[key]
		return text, ok && has
	}
}
