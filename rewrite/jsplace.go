package rewrite

import (
	"bytes"

	"github.com/tdewolff/parse/v2/js"
)

// What a word means in a script depends on where it stands. This file follows a script's brackets and statements as
// far as that needs: it reads tokens, not a grammar, so that what is newer than varve, or wrong, passes through.

// A jsFrame is an open bracket.
type jsFrame struct {
	kind    jsKind
	value   bool      // what it closes is an operand: an object, a function or class that is an expression
	key     bool      // the name of a member comes next
	eval    bool      // the arguments of a direct call of eval
	arrow   bool      // the body of an arrow function
	forHead bool      // the parentheses of for
	ifHead  bool      // those of if
	last    bool      // those of while behind do: they end the statement
	strict  bool      // its code is strict
	class   jsClass   // a class was begun whose body is to come
	called  uint8     // its name plus one, if it is one of windowNames and only the class itself sees it
	decl    jsDecl    // where in a declaration the scan stands
	binds   jsBinding // what names at the start of an element are: a declaration's, or just names
	declare jsBinding // what the declaration that decl stands in declares
	ternary int32     // ? without their :
	root    int32     // the scope of the parenthesis that may turn out to be an arrow function's parameters; -1 for none
	outer   int32     // the scope around it
	inner   int32     // the scope in it
	refs    int32     // how many references there were when it opened
	maybe   int32     // how many of them may have been parameters
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
	jsInitialiser        // what they begin with
)

// statements reports whether statements stand in the bracket.
func (f *jsFrame) statements() bool { return f.kind == jsBlock || f.kind == jsFunction }

func (j *jsScanner) top() *jsFrame { return &j.stack[len(j.stack)-1] }

// begin opens the frame that is the script itself.
func (j *jsScanner) begin() {
	j.stack = append(j.stack[:0], jsFrame{kind: jsBlock, root: -1, strict: j.use.module()})
	j.names.scopes = append(j.names.scopes[:0], jsScope{parent: -1})
	j.starts, j.directives = true, jsDirectives{open: true, at: -1}
}

// token takes a token and returns what it is for the next: a property named like a keyword is a name.
func (j *jsScanner) token(tt js.TokenType, data []byte, start, end int) js.TokenType {
	if j.ended || j.prev == js.CloseParenToken {
		j.body(tt)
	}
	if (j.prev == js.DotToken || j.prev == js.OptChainToken) && (js.IsIdentifierName(tt) || tt == js.PrivateIdentifierToken) {
		j.property(data, start, end)
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
			j.specifier(data, start)
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

// begins reports whether a token begins an operand or a statement, so that it can't stand behind an operand.
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

// endStatement ends a statement without a semicolon, or a member of a class.
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

// keyword takes a reserved word.
func (j *jsScanner) keyword(tt js.TokenType, starts bool, start, end int) {
	j.operand = false
	f := j.top()
	switch tt {
	case js.ThisToken:
		j.this(start, end)
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

// identifier takes a name, and the words that are keywords only in places.
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
		j.name(data, starts, start, end)
	}
	j.operand = true
}

// bindingFollows reports whether what follows let can be declared.
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
		j.open(tt, starts, operand, start)
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

// colon takes the one of a key, of a conditional or of a label.
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

// member takes what stands where an object or a class expects the name of a member.
func (j *jsScanner) member(tt js.TokenType, data []byte, start, end int) (as js.TokenType, done bool) {
	f := j.top()
	named := js.IsIdentifierName(tt)
	switch {
	case named || tt == js.StringToken || js.IsNumeric(tt) || tt == js.PrivateIdentifierToken:
		if c, _ := j.next(end); named && f.kind == jsObject && (c == ',' || c == '}' || c == '=') {
			j.shorthand(data, start, end)
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

// open notes which kind of bracket opens.
func (j *jsScanner) open(tt js.TokenType, starts, operand bool, start int) {
	f := j.top()
	n := jsFrame{root: -1, outer: j.names.scope, refs: int32(len(j.names.refs)), maybe: int32(len(j.names.maybe)), strict: f.strict}
	switch tt {
	case js.OpenParenToken:
		j.openParen(f, &n)
	case js.OpenBracketToken:
		n.kind, n.value = jsBrackets, true
		if !operand && !f.key {
			j.inherit(f, &n)
		}
	case js.OpenBraceToken:
		j.openBrace(f, &n, starts)
	case js.TemplateStartToken:
		n.kind, n.value = jsTemplate, true
	}
	n.inner = j.names.scope
	j.stack = append(j.stack, n)
}

// openParen tells parameters, the heads of statements and other parentheses apart.
func (j *jsScanner) openParen(f, n *jsFrame) {
	switch {
	case f.key:
		f.key = false
		n.kind, n.binds = jsParams, jsLexical
		j.names.enter(true)
	case j.names.pending != jsNoFunction:
		n.kind, n.binds, n.value = jsParams, jsLexical, j.names.pending == jsFunctionExpression
		j.names.enter(true)
		j.names.nameFunction()
	case j.prev == js.ForToken, j.prev == js.AwaitToken && j.prev2 == js.ForToken:
		n.kind, n.forHead = jsControl, true
		j.names.enter(false)
	case j.prev == js.CatchToken:
		n.kind, n.binds = jsControl, jsLexical
		j.names.enter(false)
	case j.prev == js.WithToken:
		n.kind = jsControl
		j.names.scopes[j.names.enter(false)].dynamic = true
	case j.prev == js.IfToken, j.prev == js.WhileToken, j.prev == js.SwitchToken:
		n.kind, n.ifHead, n.last = jsControl, j.prev == js.IfToken, j.prev == js.WhileToken && j.doWhile
		j.doWhile = false
	default:
		n.kind, n.value, n.eval = jsGroup, true, j.evalCall
		n.root = j.names.enter(false)
	}
	j.evalCall = false
}

// openBrace tells blocks, function bodies, class bodies and object literals apart.
func (j *jsScanner) openBrace(f, n *jsFrame, starts bool) {
	switch {
	case f.class != jsNoClass && j.prev != js.ExtendsToken:
		n.kind, n.key, n.value, n.strict = jsClassBody, true, f.class == jsClassExpression, true
		j.names.enter(false)
		if f.called > 0 {
			j.names.declare(int(f.called)-1, jsLexical)
		}
		f.class, f.called = jsNoClass, 0
	case f.key && j.prev == js.StaticToken:
		n.kind = jsFunction
		j.names.enter(true)
	case j.prev == js.CloseParenToken && j.group.kind == jsParams:
		n.kind, n.value = jsFunction, j.group.value
		j.names.scope = j.group.inner
		j.names.enter(true)
	case j.prev == js.ArrowToken:
		n.kind, n.value, n.arrow = jsFunction, true, true
		j.names.scope = j.names.arrowScope
		j.names.enter(true)
	case j.prev == js.CloseParenToken && j.group.kind == jsControl:
		n.kind = jsBlock
		j.names.scope = j.group.inner
		j.names.enter(false)
	case j.importing:
		n.kind = jsList
	case starts || j.prev == js.ReturnToken && j.line:
		n.kind = jsBlock
		j.names.enter(false)
	case j.prev == js.CatchToken:
		n.kind = jsBlock
		j.names.enter(false)
	default:
		n.kind, n.key, n.value = jsObject, true, true
		j.inherit(f, n)
	}
	j.starts = n.statements()
}

// inherit makes a pattern in a pattern one too.
func (j *jsScanner) inherit(f, n *jsFrame) {
	switch {
	case f.decl == jsDeclaring:
		n.binds = f.declare
	case j.elementStarts(f):
		n.binds, n.root = f.binds, f.root
	}
}

// elementStarts reports whether the next token begins an element of a list.
func (j *jsScanner) elementStarts(f *jsFrame) bool {
	switch j.prev {
	case js.CommaToken, js.EllipsisToken:
		return true
	case js.OpenParenToken:
		return f.kind == jsGroup || f.kind == jsParams || f.kind == jsControl
	case js.OpenBracketToken:
		return f.kind == jsBrackets
	case js.ColonToken:
		return f.kind == jsObject && !j.conditional
	}
	return false
}

func (j *jsScanner) close(end int) {
	j.endArrows(-1)
	if len(j.stack) == 1 {
		j.group = jsFrame{}
		return
	}
	f := j.stack[len(j.stack)-1]
	j.stack = j.stack[:len(j.stack)-1]
	j.group = f
	if f.kind == jsGroup {
		c, after := j.next(end)
		j.names.settleParameters(&f, c == '=' && after == '>')
	}
	j.names.endBodies(len(j.stack)+1, 0)
	j.names.leave(&j.group)
	if f.eval {
		j.closeEval(end)
	}
	j.operand = f.value || f.kind == jsGroup
	outer := j.top()
	switch {
	case f.kind == jsList:
		j.operand = true
		j.endList(end)
	case f.kind == jsFunction && outer.kind == jsClassBody && !f.value:
		outer.key, j.operand = true, false
	case f.statements() && !f.value, f.kind == jsClassBody && !f.value:
		j.starts, j.ended = true, true
	case f.kind == jsControl:
		j.starts, j.ended = true, f.last
	}
}

// endList ends an export of names, unless it says where they are from.
func (j *jsScanner) endList(end int) {
	if string(j.word(j.skipSpace(end))) != "from" {
		j.importing, j.operand, j.starts = false, false, true
	}
}

// body follows the statement behind a head. Where a head that declares something (for, with) has no block, its scope lasts until
// that statement ends; else ends those begun since its if, and while those since its do.
func (j *jsScanner) body(tt js.TokenType) {
	n := &j.names
	if j.ended {
		j.ended = false
		switch tt {
		case js.ElseToken:
			n.endBodies(len(j.stack), js.IfToken)
		case js.WhileToken:
			j.doWhile = n.endBodies(len(j.stack), js.DoToken)
		case js.CatchToken, js.FinallyToken:
		default:
			n.endBodies(len(j.stack), 0)
		}
	}
	g := &j.group
	if j.prev != js.CloseParenToken || g.kind != jsControl {
		return
	}
	if g.last {
		g.inner, g.outer = n.scope, n.scope
	} else if g.ifHead {
		n.bodies = append(n.bodies, jsBody{len(j.stack), n.scope, js.IfToken})
	} else if tt != js.OpenBraceToken && g.inner != g.outer {
		n.bodies = append(n.bodies, jsBody{len(j.stack), g.outer, js.ForToken})
		n.scope = g.inner
	}
}

// jsDirectives finds the end of a script's directives ("use strict"), before which nothing may be put.
type jsDirectives struct {
	open   bool // nothing else was seen
	string bool // a string was seen of which it isn't clear whether it is a directive
	strict bool // it is "use strict"
	from   int  // where it begins
	at     int  // where the script's own statements begin; -1 if not yet known
}

func (d *jsDirectives) token(j *jsScanner, tt js.TokenType, data []byte, start int) {
	if d.string {
		d.string = false
		if tt == js.SemicolonToken || tt == js.CloseBraceToken || j.starts {
			j.top().strict = j.top().strict || d.strict
		} else if len(j.stack) == 1 && d.open {
			d.open, d.at = false, d.from
		}
		if tt == js.SemicolonToken {
			return
		}
	}
	if tt == js.StringToken && j.starts && j.directivePlace() {
		d.string, d.from = true, start
		d.strict = bytes.Equal(data[1:len(data)-1], []byte("use strict"))
		return
	}
	if d.open && len(j.stack) == 1 {
		d.open, d.at = false, start
	}
}

// directivePlace reports whether the scan stands at the start of a script or a function.
func (j *jsScanner) directivePlace() bool {
	if len(j.stack) == 1 {
		return j.directives.open
	}
	return j.top().kind == jsFunction && j.prev == js.OpenBraceToken
}
