package rewrite

import (
	"strings"

	"github.com/tdewolff/parse/v2/js"

	"github.com/varve-archive/varve/rewrite/edit"
)

// jsNames records where each name is declared and used in a script.
type jsNames struct {
	scopes  []jsScope
	refs    []jsRef
	maybe   []jsMaybe
	element []int32 // references that are assigned to if the open list turns out to be a pattern
	arrows  []jsArrow
	bodies  []jsBody
	member  edit.Text // what most references are replaced by
	scope   int32     // the innermost scope
	pending jsPending // a function whose parameters come next
	called  int       // its name in windowNames plus one, or 0
	// The parameters of the arrow function whose arrow or body comes next.
	single, arrowScope int32
	lexical            uint16 // names that the script itself declares by let, const or class
	used               bool   // the client side is needed
}

// A jsScope is where declarations are visible: a function, a block, the head of a loop.
type jsScope struct {
	parent   int32
	function int32  // the nearest scope for var: this one or one around it
	declared uint16 // by index of windowNames; inheritNames adds what is declared around it
	dynamic  bool   // the meaning of names in it is only known at run time: with, and eval in sloppy code
}

// A jsRef is a place where a name is used, or seems to be: it may turn out to be a parameter.
type jsRef struct {
	edit  int32 // index of the edit, which is filled in at the end
	scope int32 // -1 for a parameter
	name  uint8
	form  jsForm
}

// A jsMaybe is a reference that would be a parameter if the parenthesis root were an arrow function's.
type jsMaybe struct{ ref, root int32 }

type jsForm uint8

const (
	jsMember      jsForm = iota // _varve_.location
	jsValue                     // the same, but only read: in dynamic scopes the client side checks the meaning of the name
	jsAssigned                  // the same, but possibly assigned to: in dynamic scopes it is the variable that the name means there
	jsListed                    // in a list: jsAssigned if the list turns out to be a pattern, else jsValue
	jsConstructed               // after new: as jsValue, but its parentheses are not those of the arguments
	jsShorthand                 // {location} is {location:_varve_.location}
	jsGlobalVar                 // var location= is var _varve_v=_varve_.location=
	jsEval                      // eval( is eval(_varve_.code(…,
	jsStrictEval
	jsEvalEnd
)

type jsBinding uint8

const (
	jsNothing jsBinding = iota
	jsLexical           // in the block
	jsVar               // in the function
)

type jsPending uint8

const (
	jsNoFunction jsPending = iota
	jsFunctionDeclaration
	jsFunctionExpression
)

// A jsArrow is the body of an arrow function that is an expression.
type jsArrow struct {
	depth   int
	ternary int32
	outer   int32
}

// A jsBody is the statement after a head: if, do, or one that has a scope and no block.
type jsBody struct {
	depth int
	outer int32
	head  js.TokenType
}

// enter opens a scope inside the innermost one.
func (n *jsNames) enter(function bool) int32 {
	id := int32(len(n.scopes))
	s := jsScope{parent: n.scope, function: id}
	if !function {
		s.function = n.scopes[n.scope].function
	}
	n.scopes = append(n.scopes, s)
	n.scope = id
	return id
}

// leave closes what a bracket opened and drops a scope that contained nothing.
func (n *jsNames) leave(f *jsFrame) {
	n.scope = f.outer
	if f.inner == f.outer || int(f.inner) != len(n.scopes)-1 || len(n.refs) > int(f.refs) {
		return
	}
	if s := n.scopes[f.inner]; s.declared == 0 && !s.dynamic {
		n.scopes = n.scopes[:f.inner]
		f.inner = f.outer
	}
}

// endBodies ends the statements after heads at a depth of brackets: those begun since the last head of this kind, or
// all if there is none.
func (n *jsNames) endBodies(depth int, head js.TokenType) (found bool) {
	from := len(n.bodies)
	for from > 0 && n.bodies[from-1].depth >= depth && !found {
		from--
		found = n.bodies[from].head == head
	}
	if from < len(n.bodies) {
		n.scope = n.bodies[from].outer
		n.bodies = n.bodies[:from]
	}
	return found
}

func (n *jsNames) declare(name int, b jsBinding) {
	at := n.scope
	if b == jsVar {
		at = n.scopes[at].function
	}
	n.scopes[at].declared |= 1 << name
	if at == 0 && b == jsLexical {
		n.lexical |= 1 << name
	}
}

// nameFunction declares a function's name inside the function, if only the function itself sees it.
func (n *jsNames) nameFunction() {
	if n.called > 0 && n.pending == jsFunctionExpression {
		n.declare(n.called-1, jsLexical)
	}
	n.called, n.pending = 0, jsNoFunction
}

// functionBinding says how a function's name is declared: in sloppy code it leaves its block (ECMA-262 Annex B.3.2).
func (j *jsScanner) functionBinding() jsBinding {
	if n := &j.names; j.top().strict && n.scopes[n.scope].function != n.scope {
		return jsLexical
	}
	return jsVar
}

// perhaps records that the last reference may be a parameter of an arrow function.
func (n *jsNames) perhaps(root int32) {
	if root >= 0 {
		n.maybe = append(n.maybe, jsMaybe{int32(len(n.refs)) - 1, root})
	}
}

// settleElements decides, when an outermost list closes, whether its names are assigned to: in a pattern they are.
func (j *jsScanner) settleElements(f *jsFrame, end int) {
	n, around := &j.names, j.top()
	if len(n.element) == int(f.elements) || around.kind == jsBrackets || around.kind == jsObject {
		return
	}
	form := jsValue
	if c, after := j.next(end); c == '=' && after != '=' || around.forHead {
		form = jsAssigned
	}
	for _, i := range n.element[f.elements:] {
		n.refs[i].form = form
	}
	n.element = n.element[:f.elements]
}

// settleParameters decides, when a parenthesis closes, what the apparent uses in it are: before => they are parameters.
func (n *jsNames) settleParameters(f *jsFrame, arrow bool) {
	for _, m := range n.maybe[f.maybe:] {
		if r := &n.refs[m.ref]; arrow && m.root == f.inner {
			n.scopes[f.inner].declared |= 1 << r.name
			r.scope = -1
		}
	}
	n.maybe = n.maybe[:f.maybe]
}

// arrow handles =>: the names in the parentheses before it are parameters.
func (j *jsScanner) arrow(end int) {
	n := &j.names
	n.arrowScope = n.scope
	switch {
	case j.prev == js.CloseParenToken && j.group.kind == jsGroup:
		n.arrowScope = j.group.inner
	case n.single > 0:
		n.arrowScope = n.single
	}
	n.single = 0
	if c, _ := j.next(end); c != '{' {
		n.arrows = append(n.arrows, jsArrow{len(j.stack), j.top().ternary, n.scope})
		n.scope = n.arrowScope
	}
}

// endArrows ends the arrow function expressions of this bracket: all of them, or those begun after the ? that ends.
func (j *jsScanner) endArrows(ternary int32) {
	n := &j.names
	for len(n.arrows) > 0 {
		a := n.arrows[len(n.arrows)-1]
		if a.depth != len(j.stack) || a.ternary < ternary {
			return
		}
		n.scope = a.outer
		n.arrows = n.arrows[:len(n.arrows)-1]
	}
}

// global reports whether declarations outside functions are visible to every script.
func (j *jsScanner) global() bool { return !j.use.IsModule() && j.inline != jsHandler }

// inheritNames adds to each scope what is declared around it. What a script declares globally by var or function is a property of
// the window, and window properties are handled by the client side.
func (j *jsScanner) inheritNames() {
	scopes := j.names.scopes
	if len(scopes) == 0 {
		return
	}
	if j.global() {
		scopes[0].declared &= j.names.lexical
	}
	scopes[0].dynamic = scopes[0].dynamic || j.inline == jsHandler
	for i := 1; i < len(scopes); i++ {
		around := scopes[scopes[i].parent]
		scopes[i].declared |= around.declared
		scopes[i].dynamic = scopes[i].dynamic || around.dynamic
	}
}

// windows reports whether a name in a scope means the property of the window.
func (j *jsScanner) windows(name uint8, scope int32) bool {
	return scope >= 0 && j.names.scopes[scope].declared&(1<<name) == 0
}

// shadowed returns the names that mean something else in a scope.
func (j *jsScanner) shadowed(scope int32) string {
	var list []string
	for i, name := range windowNames {
		if !j.windows(uint8(i), scope) {
			list = append(list, name)
		}
	}
	return strings.Join(list, " ")
}
