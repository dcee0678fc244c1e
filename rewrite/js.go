package rewrite

import (
	"bytes"
	"io"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// JS rewrites a script. Specifiers of import and export … from, and those of import() where they are
// literals, point to URI-Ms; with Options.JS the rest is prepared for wombat, see [Options]. Options.Use says
// whether it is a module or a worker. Strings that only look like URIs stay: the client side sees what becomes
// of them. From what can't be read as JavaScript on, nothing is changed.
func JS(w io.Writer, r io.Reader, o Options) error {
	return transcoded(w, r, o, doubleByteUnsafe, func(w io.Writer, r io.Reader, c charsetInfo) error {
		return rewrite(w, r, newJSScanner(&o, newBase(o.Base, c.encoding), o.Use), o, maxToken)
	})
}

// A jsScanner finds what is to be changed in a script. It takes the script as a whole, for names declared
// at its end decide what is put at its beginning; behind maxToken nothing is changed.
type jsScanner struct {
	o      *Options
	base   *base
	use    Use
	inline jsInline

	src   []byte
	e     *edits
	stack []jsFrame
	prev  js.TokenType // last significant token
	prev2 js.TokenType
	group jsFrame // the bracket closed last
	line  bool    // a line ended since prev

	functions int  // depth of function bodies
	importing bool // after import or export, before its specifier
	class     jsClass
	evalCall  bool // the next parenthesis is that of a call of eval
	wrap      jsWrap
	tail      string // to be put behind the script
	started   bool
}

// jsInline says where the script stands: in an event handler attribute or a javascript: URI nothing it
// declares is seen elsewhere.
type jsInline uint8

const (
	jsElement jsInline = iota
	jsHandler
	jsURL
)

type jsFrame struct {
	kind  jsKind
	class bool // a class declared at top level: a semicolon is put behind
	eval  bool // the arguments of a call of eval: wombat's parenthesis is closed behind
}

type jsKind uint8

const (
	jsGroup    jsKind = iota // brackets, and parentheses of expressions
	jsControl                // parentheses of if, while, for, with …
	jsParams                 // parentheses of function parameters
	jsBlock                  // a block of statements
	jsFunction               // a function body
	jsObject                 // an object literal or a pattern
	jsClassBody
	jsTemplate // ${ in a template
)

type jsClass uint8

const (
	jsNoClass jsClass = iota
	jsSomeClass
	jsTopClass
)

func newJSScanner(o *Options, b *base, use Use) *jsScanner {
	return &jsScanner{o: o, base: b, use: use}
}

// window reports whether the script runs in a window whose objects wombat stands in for.
func (j *jsScanner) window() bool { return j.o.JS && !j.use.worker() }

func (j *jsScanner) scan(src []byte, last bool, e *edits) int {
	if !j.started {
		j.started = true
		j.src, j.e = src, e
		j.begin()
		if j.inline == jsElement && j.use == Script {
			renameArchivedCallback(src, j.o, e)
		}
		j.lex()
		j.finish()
		j.src = nil
	}
	if last && j.tail != "" {
		e.insert(len(src), j.tail, verbatim)
	}
	return len(src)
}

// lex takes every token that means something.
func (j *jsScanner) lex() {
	in := parse.NewInputBytes(j.src)
	defer in.Restore()
	lex := js.NewLexer(in)
	if bytes.HasPrefix(j.src, []byte("#!")) { // a hashbang, which the lexer doesn't know
		n := bytes.IndexByte(j.src, '\n')
		if n < 0 {
			return
		}
		in.Move(n)
		in.Skip()
	}
	for {
		tt, data := lex.Next()
		if (tt == js.DivToken || tt == js.DivEqToken) && j.regexpMayFollow() {
			tt, data = lex.RegExp()
		}
		switch tt {
		case js.ErrorToken:
			return
		case js.WhitespaceToken, js.CommentToken:
			continue
		case js.LineTerminatorToken, js.CommentLineTerminatorToken:
			j.line = true
			continue
		}
		end := in.Offset()
		j.token(tt, data, end-len(data), end)
		j.prev2, j.prev, j.line = j.prev, tt, false
	}
}

// regexpMayFollow tells a regular expression from a division by what stands before it.
func (j *jsScanner) regexpMayFollow() bool {
	switch j.prev {
	case js.CloseParenToken:
		return j.group.kind == jsControl
	case js.CloseBraceToken:
		return j.group.kind == jsBlock
	case js.CloseBracketToken, js.StringToken, js.TemplateToken, js.TemplateEndToken, js.RegExpToken, js.ThisToken,
		js.SuperToken, js.TrueToken, js.FalseToken, js.NullToken, js.IncrToken, js.DecrToken, js.PrivateIdentifierToken:
		return false
	}
	if j.prev2 == js.DotToken || j.prev2 == js.OptChainToken { // a property, whatever its name
		return false
	}
	return !js.IsNumeric(j.prev) && !js.IsIdentifier(j.prev)
}

func (j *jsScanner) token(tt js.TokenType, data []byte, start, end int) {
	switch tt {
	case js.StringToken:
		if j.importing && j.prev == js.FromToken || j.prev == js.ImportToken && j.prev2 != js.DotToken {
			j.specifier(data, start)
			j.importing = false
		}
	case js.ImportToken:
		j.imports(start, end)
	case js.ExportToken:
		j.importing = true
	case js.SemicolonToken:
		j.importing = false
	case js.OpenParenToken, js.OpenBracketToken, js.OpenBraceToken, js.TemplateStartToken:
		j.open(tt)
	case js.CloseParenToken, js.CloseBracketToken, js.CloseBraceToken, js.TemplateEndToken:
		j.close(end)
	default:
		if j.window() {
			j.windowToken(tt, data, start, end)
		}
	}
}

// open notes which kind of bracket opens.
func (j *jsScanner) open(tt js.TokenType) {
	f := jsFrame{}
	switch tt {
	case js.OpenParenToken:
		f.kind, f.eval = j.parenKind(), j.evalCall
		j.evalCall = false
	case js.OpenBraceToken:
		f = j.brace()
	case js.TemplateStartToken:
		f.kind = jsTemplate
	}
	if f.kind == jsFunction {
		j.functions++
	}
	j.stack = append(j.stack, f)
}

func (j *jsScanner) close(end int) {
	if len(j.stack) == 0 {
		j.group = jsFrame{}
		return
	}
	j.group = j.stack[len(j.stack)-1]
	j.stack = j.stack[:len(j.stack)-1]
	if j.group.kind == jsFunction {
		j.functions--
	}
	if j.group.eval {
		j.e.insert(end, ")", verbatim)
	}
	if j.group.class {
		j.wrap.only(j.e, end, end, ";")
	}
}

func (j *jsScanner) parenKind() jsKind {
	switch j.prev {
	case js.IfToken, js.WhileToken, js.ForToken, js.WithToken, js.SwitchToken, js.CatchToken:
		if j.prev2 != js.DotToken {
			return jsControl
		}
	case js.FunctionToken:
		return jsParams
	}
	if j.prev2 == js.FunctionToken || j.prev2 == js.MulToken && js.IsIdentifierName(j.prev) {
		return jsParams
	}
	return jsGroup
}

// brace tells blocks, function bodies, class bodies and object literals apart.
func (j *jsScanner) brace() jsFrame {
	if j.class != jsNoClass {
		f := jsFrame{kind: jsClassBody, class: j.class == jsTopClass}
		j.class = jsNoClass
		return f
	}
	switch j.prev {
	case js.CloseParenToken:
		if j.group.kind == jsControl {
			return jsFrame{kind: jsBlock}
		}
		return jsFrame{kind: jsFunction}
	case js.ArrowToken:
		return jsFrame{kind: jsFunction}
	case js.ErrorToken, js.SemicolonToken, js.OpenBraceToken, js.CloseBraceToken, js.ElseToken, js.TryToken, js.FinallyToken,
		js.DoToken, js.CatchToken, js.StaticToken:
		return jsFrame{kind: jsBlock}
	}
	return jsFrame{kind: jsObject}
}

// imports takes the word import: the start of a declaration, or of import(), or of import.meta.
func (j *jsScanner) imports(start, end int) {
	if j.prev == js.DotToken {
		return
	}
	at := j.skipSpace(end)
	if at >= len(j.src) || j.src[at] != '(' {
		j.importing = at < len(j.src) && j.src[at] != '.'
		j.metaURL(start, at)
		return
	}
	from := j.skipSpace(at + 1)
	if from < len(j.src) && (j.src[from] == '"' || j.src[from] == '\'') {
		if to := bytes.IndexByte(j.src[from+1:], j.src[from]); to >= 0 {
			next := j.skipSpace(from + to + 2)
			if next < len(j.src) && (j.src[next] == ')' || j.src[next] == ',') {
				j.specifier(j.src[from:from+to+2], from)
				return
			}
		}
	}
	if j.window() {
		j.e.replace(start, at+1, "____wb_rewrite_import__("+quoteJS(j.base.href)+",", verbatim)
	}
}

// metaURL puts the URI-R in place of import.meta.url: what a module makes of it is then rewritten for its own use.
func (j *jsScanner) metaURL(start, at int) {
	if !j.o.JS || at >= len(j.src) || j.src[at] != '.' {
		return
	}
	for _, name := range [...]string{"meta", "url"} {
		if at = j.skipSpace(at); at >= len(j.src) || j.src[at] != '.' {
			return
		}
		at = j.skipSpace(at + 1)
		if string(j.word(at)) != name {
			return
		}
		at += len(name)
	}
	j.e.replace(start, at, quoteJS(j.base.href), verbatim)
}

// specifier rewrites a module specifier that is a URL or a path; bare ones are names (HTML, "resolve a module specifier").
func (j *jsScanner) specifier(quoted []byte, start int) {
	s := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(s, '\\') < 0 && urlLikeSpecifier(s) {
		j.e.reference(start+1, start+1+len(s), s, j.base, Module, inScript)
	}
}

func urlLikeSpecifier(s []byte) bool {
	for _, p := range [...]string{"/", "./", "../", "http://", "https://"} {
		if bytes.HasPrefix(s, []byte(p)) {
			return true
		}
	}
	return false
}

// skipSpace returns the offset of the next byte that is neither white space nor in a comment.
func (j *jsScanner) skipSpace(at int) int {
	for at < len(j.src) {
		rest := j.src[at:]
		switch {
		case rest[0] == ' ' || '\t' <= rest[0] && rest[0] <= '\r':
			at++
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return len(j.src)
			}
			at += n + 4
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				return len(j.src)
			}
			at += n
		default:
			return at
		}
	}
	return at
}

// next returns the next significant byte and the one behind it, 0 for none.
func (j *jsScanner) next(end int) (c, after byte) {
	at := j.skipSpace(end)
	if at < len(j.src) {
		c = j.src[at]
	}
	if at+1 < len(j.src) {
		after = j.src[at+1]
	}
	return c, after
}

// quoteJS writes s as a string literal.
func quoteJS(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	b.Write(inScript.appendString(nil, s))
	b.WriteByte('"')
	return b.String()
}
