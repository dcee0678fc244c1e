package rewrite

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2/js"

	"github.com/varve-archive/varve/rewrite/ascii"
	"github.com/varve-archive/varve/rewrite/edit"
)

// A name that a script doesn't declare itself (location, top, document …) is a property of the window. It is replaced by
// _varve_.location, which the client side provides (static/assets/names.js). That property can be read, assigned to, called and
// destructured like the name. It begins with an identifier, so that it doesn't join the previous line. Where other scripts may
// declare the name, the client side reads the window's own variable. So scripts need no wrapper, and all their declarations stay as
// they are.
const (
	namesObject = "_varve_"
	// A direct call of eval remains one, so that it keeps its scope.
	evalCode = namesObject + ".code("
	postOpen = "__WB_pmw(" + namesObject + ".window)."
	// namesFallback is put at the start of scripts that may run in a window without varve's client side, such as a frame that only
	// a script has filled. There it uses wombat, or the window itself. None of its characters has to be escaped in HTML.
	namesFallback = `globalThis._varve_||(globalThis._varve_=new Proxy(v=>v,{` +
		`get:(f,n)=>n=="code"?(s,c)=>c:(globalThis._WB_wombat_obj_proxy||globalThis)[n],` +
		`set:(f,n,v)=>((globalThis._WB_wombat_obj_proxy||globalThis)[n]=v,!0)}));`
	// beginFrame begins the client side in a new frame: it is there once somebody looks at the frame's window from outside.
	beginFrame = `frameElement?.contentWindow;`
)

// windowNames are the names for which the client side stands in. wombat has no proxy for the last one: it is a function
// whose argument is a script.
var windowNames = [...]string{"window", "globalThis", "self", "document", "location", "top", "parent", "frames", "opener", "eval"}

const (
	nameWindow     = 0
	nameGlobalThis = 1
	nameLocation   = 4
	nameEval       = len(windowNames) - 1
)

// windowName returns the index of a name among windowNames, or -1. It runs for every identifier.
func windowName(name []byte) int {
	switch string(name) {
	case "window":
		return nameWindow
	case "globalThis":
		return nameGlobalThis
	case "self":
		return 2
	case "document":
		return 3
	case "location":
		return nameLocation
	case "top":
		return 5
	case "parent":
		return 6
	case "frames":
		return 7
	case "opener":
		return 8
	case "eval":
		return nameEval
	}
	return -1
}

// A jsReferrer finds references to the window and its properties, and redirects them to the archived window.
type jsReferrer struct{ *jsScanner }

// name handles an identifier that is a label, declared, or used.
func (j jsReferrer) name(data []byte, starts bool, start, end int) {
	i := windowName(unescaped(data))
	if i < 0 || !j.window() {
		return
	}
	c, after := j.next(end)
	f, n := j.top(), &j.names
	switch {
	case (j.prev == js.BreakToken || j.prev == js.ContinueToken) && !j.line, starts && c == ':':
	case j.importing:
		j.imported(i, end)
	case j.prev == js.ClassToken && f.class == jsClassExpression:
		f.called = uint8(i) + 1
	case j.prev == js.ClassToken:
		n.declare(i, jsLexical)
	case n.pending != jsNoFunction:
		n.called = i + 1
		if n.pending == jsFunctionDeclaration {
			n.declare(i, j.functionBinding())
		}
	case f.decl == jsDeclaring:
		n.declare(i, f.declare)
		j.declaredGlobal(i, c, after, start)
	case f.binds != jsNothing && j.elementStarts(f):
		n.declare(i, f.binds)
	case c == '=' && after == '>':
		around := n.scope
		n.single = n.enter(false)
		n.declare(i, jsLexical)
		n.scope = around
	case i == nameEval && c == '(' && j.prev != js.NewToken:
		j.openEval(start, end)
	case i == nameEval && c == ')' && j.inParentheses(end):
		j.openEval(start, j.skipSpace(end)+1)
	case len(data) != len(windowNames[i]): // with an escape
		j.refer(i, jsMember, start)
	default:
		j.refer(i, j.formOf(c, after), start)
	}
}

// inParentheses reports whether the last name stands alone in parentheses, and whether these are called.
func (j jsReferrer) inParentheses(end int) bool {
	f := j.top()
	c, _ := j.next(j.skipSpace(end) + 1)
	return j.prev == js.OpenParenToken && f.kind == jsGroup && !f.call && c == '('
}

// unescaped resolves the escapes in a name (ECMA-262, "Names and Keywords").
func unescaped(name []byte) []byte {
	if bytes.IndexByte(name, '\\') < 0 {
		return name
	}
	var out []byte
	for len(name) > 0 {
		text, size := string(name[:1]), 1
		if digits := escapedRune.FindSubmatch(name); digits != nil {
			code, _ := strconv.ParseUint(string(digits[1])+string(digits[2]), 16, 32)
			text, size = string(rune(code)), len(digits[0])
		}
		out, name = append(out, text...), name[size:]
	}
	return out
}

var escapedRune = regexp.MustCompile(`^\\u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})`)

// imported handles a name in the clause of an import, or in a list of exports, whose names are the module's own.
func (j jsReferrer) imported(i, end int) {
	if j.exports || string(j.word(j.skipSpace(end))) == "as" {
		return
	}
	j.names.declare(i, jsVar)
}

// declaredGlobal redirects a global "var location = …" of a script: on the live web that declares nothing and navigates.
func (j jsReferrer) declaredGlobal(i int, c, after byte, start int) {
	if i == nameLocation && c == '=' && after != '=' && j.top().declare == jsVar {
		j.refer(i, jsMember, start)
		j.names.refs[len(j.names.refs)-1].form = jsGlobalVar
	}
}

// formOf decides from its surroundings how a name is used.
func (j jsReferrer) formOf(c, after byte) jsForm {
	f := j.top()
	switch {
	case j.prev == js.DeleteToken:
		return jsMember
	case j.prev == js.NewToken:
		return jsConstructed
	case (f.kind == jsObject || f.kind == jsBrackets) && j.elementStarts(f):
		return jsListed
	case j.prev == js.IncrToken, j.prev == js.DecrToken, f.forHead,
		c == '=' && after != '=', after == '=' && strings.IndexByte("+-*/%&|^", c) >= 0, c == after && strings.IndexByte("+-*<>&|?", c) >= 0:
		return jsAssigned
	}
	return jsValue
}

// shorthand handles {location}, which is a key and also a use or a declaration.
func (j jsReferrer) shorthand(data []byte, end int) {
	i := windowName(unescaped(data))
	if i < 0 || !j.window() {
		return
	}
	f := j.top()
	if f.binds != jsNothing {
		j.names.declare(i, f.binds)
		return
	}
	j.refer(i, jsShorthand, end)
	j.names.perhaps(f.root)
}

// refer reserves the place where a name is used, until finish decides what to write there.
func (j jsReferrer) refer(i int, form jsForm, at int) { j.referTo(i, form, at, at) }

// referTo does the same for a place that replaces text instead of inserting it.
func (j jsReferrer) referTo(i int, form jsForm, at, end int) {
	if form == jsListed {
		j.names.element = append(j.names.element, int32(len(j.names.refs)))
	}
	j.names.refs = append(j.names.refs, jsRef{int32(j.e.Reserve(at, end)), j.names.scope, uint8(i), form})
	if f := j.top(); f.root >= 0 && j.elementStarts(f) {
		j.names.perhaps(f.root)
	}
}

// openEval handles a direct call of eval. The code it runs sees the scopes around the call and may declare names in
// them.
func (j jsReferrer) openEval(start, end int) {
	n := &j.names
	j.referTo(nameEval, jsEval, start, j.skipSpace(end)+1)
	if j.top().strict {
		n.refs[len(n.refs)-1].form = jsStrictEval
	} else if at := n.scopes[n.scope].function; at != 0 || !j.global() {
		n.scopes[at].dynamic = true
	}
	j.evalCall = true
}

func (j jsReferrer) closeEval(end int) { j.refer(nameEval, jsEvalEnd, end) }

// property handles the name after a dot.
func (j jsReferrer) property(data []byte, start, end int) {
	if j.prev2 == js.SuperToken || string(data) != "postMessage" || !j.window() {
		return
	}
	if c, _ := j.next(end); c == '(' {
		j.addressee(start)
		j.e.Insert(start, postOpen, edit.Verbatim)
		j.names.used = true
	}
}

// addressee handles the object of a postMessage call if it is a single name. If it is a frame's window, the client side uses the
// real one.
func (j jsReferrer) addressee(start int) {
	at, name := j.skipSpace(j.alone.end), j.src[j.alone.start:j.alone.end]
	if at < start && j.src[at] == '?' {
		at++
	}
	if len(name) == 0 || at >= start || j.src[at] != '.' || j.skipSpace(at+1) != start || windowName(name) >= 0 {
		return
	}
	j.e.Insert(j.alone.start, namesObject+"(", edit.Verbatim)
	j.e.Insert(j.alone.end, ",1)", edit.Verbatim)
}

// this handles this if it is a value, or the object of a name for which the client side stands in. It leaves this.x of
// other names alone, which is cheaper.
func (j jsReferrer) this(start, end int) {
	if !j.window() || j.prev == js.NewToken {
		return
	}
	at := j.skipSpace(end)
	if at < len(j.src) {
		switch rest := j.src[at:]; {
		case rest[0] == '(', rest[0] == '[' && !j.namedElement(at):
			return
		case rest[0] == '.' || rest[0] == '?' && len(rest) > 1 && rest[1] == '.':
			name := j.word(j.skipSpace(at + bytes.IndexByte(rest, '.') + 1))
			if i := windowName(name); (i < 0 || i == nameEval) && string(name) != "postMessage" {
				return
			}
		}
	}
	j.e.Replace(start, end, namesObject+"(this)", edit.Verbatim)
	j.names.used = true
}

// namedElement reports whether ["location"], or another of the names, is at a place.
func (j jsReferrer) namedElement(at int) bool {
	at = j.skipSpace(at + 1)
	return at+1 < len(j.src) && (j.src[at] == '"' || j.src[at] == '\'') && windowName(j.word(at+1)) >= 0
}

// word returns the ASCII identifier at a place.
func (j *jsScanner) word(at int) []byte {
	end := at
	for end < len(j.src) && (ascii.IsAlnum(j.src[end]) || j.src[end] == '_' || j.src[end] == '$') {
		end++
	}
	return j.src[at:end]
}

// finish decides about each use of a name, as all declarations are known by then.
func (j jsReferrer) finish() {
	n := &j.names
	n.member = j.e.Keep(namesObject + ".")
	j.inheritNames()
	for _, r := range n.refs {
		if j.windows(r.name, r.scope) {
			n.used = true
			j.settle(r, n.scopes[r.scope].dynamic)
		} else {
			at, _ := j.e.Reserved(int(r.edit))
			j.e.Fill(int(r.edit), at, at, edit.Text{})
		}
	}
	if start := j.startText(); start != "" && j.directives.at >= 0 {
		j.e.Fill(j.fallback, j.directives.at, j.directives.at, j.e.Keep(start))
	}
}

// settle fills in the replacement of one use of a window's name.
func (j jsReferrer) settle(r jsRef, dynamic bool) {
	name := windowNames[r.name]
	at, end := j.e.Reserved(int(r.edit))
	put := func(text string) { j.e.Fill(int(r.edit), at, end, j.e.Keep(text)) }
	switch {
	case r.form == jsShorthand:
		put(":" + namesObject + "." + name)
	case r.form == jsGlobalVar:
		put(namesObject + "v=" + namesObject + ".")
	case r.form == jsEval:
		put(string(j.src[at:end]) + evalCode + `"` + j.shadowed(r.scope) + `",`)
	case r.form == jsStrictEval:
		put(string(j.src[at:end]) + evalCode + `"!` + j.shadowed(r.scope) + `",`)
	case r.form == jsEvalEnd:
		put(")")
	case dynamic && int(r.name) != nameEval && dynamicText[r.form] != nil:
		end = at + len(name)
		put(dynamicText[r.form](name))
	default:
		j.e.Fill(int(r.edit), at, end, j.names.member)
	}
}

// dynamicText has the replacements of names whose meaning is known at run time only. An assignment goes to the window's property or
// to the variable that the name means there.
var dynamicText = [...]func(name string) string{
	jsValue:       func(name string) string { return namesObject + "(" + name + ")" },
	jsConstructed: func(name string) string { return "(" + namesObject + "(" + name + "))" },
	jsAssigned: func(name string) string {
		return strings.ReplaceAll(namesObject+"(("+namesObject+"(NAME)==="+namesObject+".NAME?"+namesObject+
			":{set NAME(_){NAME=_},get NAME(){return NAME}})).NAME", "NAME", name)
	},
	jsEvalEnd: nil,
}

// startText returns what must run before the script's own statements.
func (j jsReferrer) startText() string {
	switch {
	case j.o.JS && j.use.IsWorker():
		return j.o.WorkerStart
	case j.names.used && j.inline == jsFrameURL:
		return beginFrame
	case j.names.used && !j.ready:
		return j.fallbackText()
	}
	return ""
}

// fallbackText returns namesFallback with a name of the window that the script doesn't declare itself.
func (j jsReferrer) fallbackText() string {
	if j.windows(nameGlobalThis, 0) {
		return namesFallback
	}
	return strings.ReplaceAll(namesFallback, windowNames[nameGlobalThis], windowNames[nameWindow])
}
