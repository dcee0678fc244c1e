package rewrite

import (
	"github.com/tdewolff/parse/v2/js"
)

// open decides which kind of bracket opens.
func (j *jsScanner) open(tt js.TokenType, starts, operand bool) {
	f := j.top()
	n := jsFrame{
		root: -1, outer: j.names.scope, refs: int32(len(j.names.refs)), maybe: int32(len(j.names.maybe)),
		elements: int32(len(j.names.element)), strict: f.strict, call: operand,
	}
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

// openParen distinguishes parameters, heads of statements and other parentheses.
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

// openBrace distinguishes blocks, function bodies, class bodies and object literals.
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

// inherit marks a pattern inside a pattern as a pattern.
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
	f := &j.group
	*f = j.stack[len(j.stack)-1]
	j.stack = j.stack[:len(j.stack)-1]
	if f.kind == jsGroup && len(j.names.maybe) > int(f.maybe) {
		c, after := j.next(end)
		j.names.settleParameters(f, c == '=' && after == '>')
	}
	if len(j.names.bodies) > 0 {
		j.names.endBodies(len(j.stack)+1, 0)
	}
	if f.kind == jsBrackets || f.kind == jsObject {
		j.settleElements(f, end)
	}
	j.names.leave(&j.group)
	if f.eval {
		jsReferrer{j}.closeEval(end)
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

// endList ends an export of names, unless "from" follows.
func (j *jsScanner) endList(end int) {
	if string(j.word(j.skipSpace(end))) != "from" {
		j.importing, j.operand, j.starts = false, false, true
	}
}

// body handles the statement after a head. If a head that declares something (for, with) has no block, its scope lasts
// until that statement ends. An else also ends the statements begun since its if, and a while those since its do.
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
