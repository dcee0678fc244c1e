package rewrite

import (
	"github.com/tdewolff/parse/v2/js"
)

// What a word means in a script depends on its place. This file follows a script's brackets and statements as far as that requires.
// It reads tokens, not a grammar, so that unknown or invalid syntax passes through.

// A jsFrame is an open bracket.
type jsFrame struct {
	kind     jsKind
	value    bool      // after it closes, it is an operand: an object, or a function or class expression
	key      bool      // the name of a member comes next
	eval     bool      // the arguments of a direct call of eval
	call     bool      // what precedes it is called, or is a keyword's name
	arrow    bool      // the body of an arrow function
	forHead  bool      // the parentheses of a for
	ifHead   bool      // the parentheses of an if
	last     bool      // the parentheses of the while of a do: they end the statement
	strict   bool      // its code is strict
	class    jsClass   // a class has begun and its body is still to come
	called   uint8     // its name in windowNames plus one, if only the class itself sees it; else 0
	decl     jsDecl    // where in a declaration the scan is
	binds    jsBinding // what the names at the start of an element are: declared, or just names
	declare  jsBinding // what the current declaration declares
	ternary  int32     // number of ? still without their :
	root     int32     // the scope of the parenthesis that may turn out to be an arrow function's parameters; -1 for none
	outer    int32     // the scope around it
	inner    int32     // the scope inside it
	refs     int32     // number of references before it opened
	maybe    int32     // number of possible parameters before it opened
	elements int32     // number of elements of open lists before it opened
}

type jsKind uint8

const (
	jsBlock     jsKind = iota // statements
	jsFunction                // a function body
	jsGroup                   // parentheses of expressions and calls
	jsControl                 // parentheses of if, while, for, with …
	jsParams                  // parentheses of function parameters
	jsBrackets                // an array, an element, a computed name
	jsObject                  // an object literal or a pattern
	jsClassBody               // the members of a class
	jsTemplate                // ${ in a template
	jsList                    // the names between the braces of import and export
)

type jsClass uint8

const (
	jsNoClass jsClass = iota
	jsClassDeclaration
	jsClassExpression
)

type jsDecl uint8

const (
	jsNoDecl      jsDecl = iota
	jsDeclaring          // names are declared
	jsInitialiser        // the value that they are initialised with
)

// statements reports whether the bracket contains statements.
func (f *jsFrame) statements() bool { return f.kind == jsBlock || f.kind == jsFunction }

func (j *jsScanner) top() *jsFrame { return &j.stack[len(j.stack)-1] }

// begin opens the frame of the script itself.
func (j *jsScanner) begin() {
	j.stack = append(j.stack[:0], jsFrame{kind: jsBlock, root: -1, strict: j.use.IsModule()})
	j.names.scopes = append(j.names.scopes[:0], jsScope{parent: -1})
	j.starts, j.directives = true, jsDirectives{open: true, at: -1}
}

// token handles a token and returns its type for the next one: a property named like a keyword is an identifier.
func (j *jsScanner) token(tt js.TokenType, data []byte, start, end int) js.TokenType {
	if j.ended || j.prev == js.CloseParenToken {
		j.body(tt)
	}
	if (j.prev == js.DotToken || j.prev == js.OptChainToken) && (js.IsIdentifierName(tt) || tt == js.PrivateIdentifierToken) {
		jsReferrer{j}.property(data, start, end)
		j.operand = true
		return js.IdentifierToken
	}
	if j.top().key {
		if as, done := j.member(tt, data, start, end); done {
			return as
		}
	}
	if j.operand && j.begins(tt) {
		j.endStatement()
		j.body(tt)
		if j.top().kind == jsClassBody {
			as, _ := j.member(tt, data, start, end)
			return as
		}
	}
	if j.starts || j.directives.string {
		j.directives.token(j, tt, data, start)
	}
	starts := j.starts
	j.starts = false
	switch {
	case tt == js.TemplateToken, tt == js.StringToken, tt == js.RegExpToken, tt == js.PrivateIdentifierToken, js.IsNumeric(tt):
		if tt == js.StringToken && (j.importing && j.prev == js.FromToken || j.prev == js.ImportToken) {
			j.specifier(start, start+len(data))
			j.importing = false
		}
		j.operand = true
	case js.IsReservedWord(tt):
		j.keyword(tt, starts, start, end)
	case js.IsIdentifier(tt):
		j.identifier(tt, data, starts, start, end)
	default:
		j.punctuator(tt, starts, start, end)
	}
	return tt
}

// begins reports whether a token begins an operand or a statement, so that it can't follow an operand.
func (j *jsScanner) begins(tt js.TokenType) bool {
	switch tt {
	case js.StringToken, js.NotToken, js.BitNotToken, js.PrivateIdentifierToken:
		return !j.importing
	case js.InToken, js.InstanceofToken, js.ExtendsToken:
		return false
	case js.OfToken:
		return !j.top().forHead
	case js.FunctionToken:
		return j.prev != js.AsyncToken || j.line
	case js.MulToken:
		return j.prev == js.CloseBraceToken && j.group.arrow
	case js.OpenBraceToken:
		return j.top().class == jsNoClass && !j.top().key && !j.importing && (j.prev != js.CloseParenToken || j.group.kind != jsParams)
	}
	if j.importing || j.prev == js.AsyncToken && !j.line {
		return false
	}
	return js.IsNumeric(tt) || js.IsIdentifierName(tt)
}

// endStatement ends a statement without a semicolon, or a class member.
func (j *jsScanner) endStatement() {
	f := j.top()
	j.endArrows(-1)
	f.decl, f.ternary = jsNoDecl, 0
	j.operand, j.ended = false, true
	switch {
	case f.kind == jsClassBody:
		f.key = true
	case f.statements():
		j.starts = true
	}
}

func (j *jsScanner) keyword(tt js.TokenType, starts bool, start, end int) {
	j.operand = false
	f := j.top()
	switch tt {
	case js.ThisToken:
		jsReferrer{j}.this(start, end)
		j.operand = true
	case js.SuperToken, js.TrueToken, js.FalseToken, js.NullToken:
		j.operand = true
	case js.VarToken:
		f.decl, f.declare = jsDeclaring, jsVar
	case js.ConstToken:
		f.decl, f.declare = jsDeclaring, jsLexical
	case js.FunctionToken:
		j.names.pending = jsFunctionExpression
		if starts || j.prev == js.DefaultToken && j.prev2 == js.ExportToken {
			j.names.pending = jsFunctionDeclaration
		}
	case js.ClassToken:
		f.class = jsClassExpression
		if starts || j.prev == js.DefaultToken && j.prev2 == js.ExportToken {
			f.class = jsClassDeclaration
		}
	case js.ImportToken:
		j.imports(start, end)
	case js.ExportToken:
		c, _ := j.next(end)
		j.importing = c == '{' || c == '*'
		j.exports = j.importing
		j.starts = true
	case js.DoToken:
		j.names.bodies = append(j.names.bodies, jsBody{len(j.stack), j.names.scope, js.DoToken})
		j.starts = true
	case js.ElseToken, js.TryToken, js.FinallyToken:
		j.starts = true
	case js.InToken:
		if f.forHead {
			f.decl = jsNoDecl
		}
	}
}

// identifier handles a name, and the words that are keywords only in some places.
func (j *jsScanner) identifier(tt js.TokenType, data []byte, starts bool, start, end int) {
	f := j.top()
	switch {
	case tt == js.LetToken && (starts || f.forHead && j.prev == js.OpenParenToken) && j.bindingFollows(end):
		f.decl, f.declare, j.operand = jsDeclaring, jsLexical, false
		return
	case tt == js.OfToken && f.forHead && j.operand:
		f.decl, j.operand = jsNoDecl, false
		return
	case tt == js.AsyncToken:
		j.starts = starts
	case tt == js.IdentifierToken:
		if j.prev != js.NewToken {
			j.alone = jsSpan{start, end}
		}
		jsReferrer{j}.name(data, starts, start, end)
	}
	j.operand = true
}

// bindingFollows reports whether let can declare what follows it.
func (j *jsScanner) bindingFollows(end int) bool {
	at := j.skipSpace(end)
	if at == len(j.src) {
		return false
	}
	c := j.src[at]
	if c == '[' || c == '{' || c == '\\' || c >= 0x80 {
		return true
	}
	w := string(j.word(at))
	return w != "" && (c < '0' || '9' < c) && w != "in" && w != "instanceof" && w != "of"
}

func (j *jsScanner) punctuator(tt js.TokenType, starts bool, start, end int) {
	f := j.top()
	operand := j.operand
	j.operand = false
	switch tt {
	case js.OpenParenToken, js.OpenBracketToken, js.OpenBraceToken, js.TemplateStartToken:
		j.open(tt, starts, operand)
	case js.CloseParenToken, js.CloseBracketToken, js.CloseBraceToken, js.TemplateEndToken:
		j.close(end)
	case js.SemicolonToken:
		j.endStatement()
		j.importing = false
	case js.CommaToken:
		if len(j.names.arrows) > 0 {
			j.endArrows(-1)
		}
		if f.decl == jsInitialiser {
			f.decl = jsDeclaring
		}
		f.key = f.kind == jsObject
	case js.ColonToken:
		j.colon(f)
	case js.QuestionToken:
		f.ternary++
	case js.EqToken:
		if f.decl == jsDeclaring {
			f.decl = jsInitialiser
		}
	case js.ArrowToken:
		j.arrow(end)
	case js.TemplateMiddleToken:
		j.endArrows(-1)
		f.ternary = 0
	case js.IncrToken, js.DecrToken:
		j.operand = operand
	}
}

// colon handles the colon of a key, of a conditional or of a label.
func (j *jsScanner) colon(f *jsFrame) {
	switch {
	case f.ternary > 0:
		j.endArrows(f.ternary)
		f.ternary--
		j.conditional = true
	case f.statements():
		j.endArrows(-1)
		j.starts = true
	}
}

// member handles a token at which an object or a class expects the name of a member.
func (j *jsScanner) member(tt js.TokenType, data []byte, start, end int) (as js.TokenType, done bool) {
	f := j.top()
	named := js.IsIdentifierName(tt)
	switch {
	case named || tt == js.StringToken || js.IsNumeric(tt) || tt == js.PrivateIdentifierToken:
		if c, _ := j.next(end); named && f.kind == jsObject && (c == ',' || c == '}' || c == '=') {
			jsReferrer{j}.shorthand(data, end)
		}
		j.operand = true
		if tt == js.StaticToken {
			return tt, true
		}
		return js.IdentifierToken, true
	case tt == js.MulToken, tt == js.SemicolonToken:
		j.operand = false
		return tt, true
	case tt == js.ColonToken, tt == js.EqToken, tt == js.EllipsisToken:
		f.key, j.operand, j.conditional = false, false, false
		return tt, true
	}
	return tt, false
}
