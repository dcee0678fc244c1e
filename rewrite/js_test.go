package rewrite

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/rewrite/uses"
)

func TestNamesOfTheWindow(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a use", "a = location.href", "a = _varve_.location.href"},
		{
			"each of them", "window; globalThis; self; document; location; top; parent; frames; opener",
			"_varve_.window; _varve_.globalThis; _varve_.self; _varve_.document; _varve_.location; _varve_.top; _varve_.parent; " +
				"_varve_.frames; _varve_.opener",
		},
		{
			"an assignment", "location = '/x'; a && (location='/y'); location += 'z'",
			"_varve_.location = '/x'; a && (_varve_.location='/y'); _varve_.location += 'z'",
		},
		{
			"a part of a pattern", "[location] = a; ({location} = b); ({location = 1} = b); ({a: [top]} = c)",
			"[_varve_.location] = a; ({location:_varve_.location} = b); ({location:_varve_.location = 1} = b); ({a: [_varve_.top]} = c)",
		},
		{"a loop over it", "for (location of a) ; for (self in b) ;", "for (_varve_.location of a) ; for (_varve_.self in b) ;"},
		{"shorthand", "x = {location, document}", "x = {location:_varve_.location, document:_varve_.document}"},
		{"a computed key", "x = {[top]: top, [self]() {}}", "x = {[_varve_.top]: _varve_.top, [_varve_.self]() {}}"},
		{"a spread", "f(...frames, {...window}, [...top])", "f(..._varve_.frames, {..._varve_.window}, [..._varve_.top])"},
		{
			"an operator before it", "typeof window; delete parent; void top; !self; -top",
			"typeof _varve_.window; delete _varve_.parent; void _varve_.top; !_varve_.self; -_varve_.top",
		},
		{"new", "new self.X(); new (window.X)", "new _varve_.self.X(); new (_varve_.window.X)"},
		{"a template", "`${location.host}/${`${document.title}`}`", "`${_varve_.location.host}/${`${_varve_.document.title}`}`"},
		{
			"a line that has no semicolon before it", "a = b\nlocation = c\ntop.x\n[top]",
			"a = b\n_varve_.location = c\n_varve_.top.x\n[_varve_.top]",
		},
		{"a property stays", "a.location = 1; a?.top; a. self; this.x.window", "a.location = 1; a?.top; a. self; this.x.window"},
		{"a key stays", "x = {location: 1, top: 2, 'self': 3, get window() {}, set document(a) {}, async parent() {}, *frames() {}, async " +
			"*opener() {}}", "x = {location: 1, top: 2, 'self': 3, get window() {}, set document(a) {}, async parent() {}, *frames() {}, " +
			"async *opener() {}}"},
		{
			"a member of a class stays", "class A { location = 1; static top = 2\n self = 3\n parent\n static frames; window() {} static " +
				"document() {} get opener() {} #top = 1 }",
			"class A { location = 1; static top = 2\n self = 3\n parent\n static frames; window() {} static document() {} get opener() {} " +
				"#top = 1 }",
		},
		{
			"but not what it is set to", "class A { a = location; [top] = self\n static { window.x } b() { return top } }",
			"class A { a = _varve_.location; [_varve_.top] = _varve_.self\n static { _varve_.window.x } b() { return _varve_.top } }",
		},
		{"a label stays", "top: for (;;) { break top; continue top }\n{ self: x }", "top: for (;;) { break top; continue top }\n{ self: x }"},
		{
			"a label after case", "switch (a) { case top: location = 1; default: self: { break self } }",
			"switch (a) { case _varve_.top: _varve_.location = 1; default: self: { break self } }",
		},
		{
			"a conditional is no key", "x = {a: b ? top : self, c: d ? {top: 1} : location}",
			"x = {a: b ? _varve_.top : _varve_.self, c: d ? {top: 1} : _varve_.location}",
		},
		{
			"a block is no object", "if (a) {top} else {self}; case_: {location}",
			"if (a) {_varve_.top} else {_varve_.self}; case_: {_varve_.location}",
		},
		{"a string, a comment and a regular expression stay", "'top'; // top\n/* top */ /top/", "'top'; // top\n/* top */ /top/"},

		{
			"a parameter is the function's", "function f(top, {self}, [parent], ...frames) { top; self; parent; frames; location }",
			"function f(top, {self}, [parent], ...frames) { top; self; parent; frames; _varve_.location }",
		},
		{
			"a parameter's default is not", "function f(a = top, {b = self, c: d = parent} = location) {}",
			"function f(a = _varve_.top, {b = _varve_.self, c: d = _varve_.parent} = _varve_.location) {}",
		},
		{
			"an arrow function's", "(top => top)(top); ((top, self) => top + self); (location = 1) => location",
			"(top => top)(_varve_.top); ((top, self) => top + self); (location = 1) => location",
		},
		{
			"an arrow function's pattern", "({location, a: {top}, b: [self = window]}, ...parent) => [location, top, self, parent, window]",
			"({location, a: {top}, b: [self = _varve_.window]}, ...parent) => [location, top, self, parent, _varve_.window]",
		},
		{
			"a default of an arrow's parameter", "(a = {location}, b = [top], c = f(self)) => location",
			"(a = {location:_varve_.location}, b = [_varve_.top], c = f(_varve_.self)) => _varve_.location",
		},
		{
			"arrows in arrows", "top => self => [top, self, (parent) => parent, parent], top",
			"top => self => [top, self, (parent) => parent, _varve_.parent], _varve_.top",
		},
		{
			"an arrow in a conditional", "a ? top => b ? top : 1 : top; x => a ? top => top : top",
			"a ? top => b ? top : 1 : _varve_.top; x => a ? top => top : _varve_.top",
		},
		{"an arrow's end without a semicolon", "const f = top => top.x\ntop", "const f = top => top.x\n_varve_.top"},
		{
			"an async arrow", "async (top) => { top }; async top => top; async(top)",
			"async (top) => { top }; async top => top; async(_varve_.top)",
		},
		{"a call is no parameter list", "f(top, (self)); g((top), [self])", "f(_varve_.top, (_varve_.self)); g((_varve_.top), [_varve_.self])"},
		{
			"var is the function's, wherever it stands", "function f() { top; if (a) { for (var top of b) ; } }",
			"function f() { top; if (a) { for (var top of b) ; } }",
		},
		{"let is the block's", "{ let top = 1; top; { top } } top", "{ let top = 1; top; { top } } _varve_.top"},
		{
			"a list of declarations", "function f() { var a = 1, top = g(a, self), {parent} = top, [b = self] = c; const self = 1\n parent }",
			"function f() { var a = 1, top = g(a, self), {parent} = top, [b = self] = c; const self = 1\n parent }",
		},
		{
			"a loop's own", "for (let top = 0, n = self; top < n; top++) { top } top",
			"for (let top = 0, n = _varve_.self; top < n; top++) { top } _varve_.top",
		},
		{
			"a loop's own over a pattern", "for (const {top, a: [self]} of b) { top + self } self",
			"for (const {top, a: [self]} of b) { top + self } _varve_.self",
		},
		{"a loop's own without a block", "function f() { for (const top of a) top.x() }", "function f() { for (const top of a) top.x() }"},
		{
			"a caught error", "try {} catch (top) { top } try {} catch ({self}) { self } try {} catch { top }",
			"try {} catch (top) { top } try {} catch ({self}) { self } try {} catch { _varve_.top }",
		},
		{
			"a function's name", "function f() { function top() {} top() } (function self() { self }); self",
			"function f() { function top() {} top() } (function self() { self }); _varve_.self",
		},
		{"a class's name", "{ class top { a() { top } } new top } top", "{ class top { a() { top } } new top } _varve_.top"},
		{
			"a method's parameter", "x = {a(top) { top }, set b(self) { self }, get c() { return top }}",
			"x = {a(top) { top }, set b(self) { self }, get c() { return _varve_.top }}",
		},
		{"let as a name", "let = 1; a.let; let\n= 2", "let = 1; a.let; let\n= 2"},
		{
			"a property of the window is asked of the client side", "var frames; function opener() {} frames + opener",
			"var frames; function opener() {} _varve_.frames + _varve_.opener",
		},
		{
			"what hides one is not", "let self = 1; const parent = 2; class frames {} self + parent + frames",
			"let self = 1; const parent = 2; class frames {} self + parent + frames",
		},
		{
			"a function in a block", "function f() { { function top() {} } top } function g() { 'use strict'; { function top() {} } top }",
			"function f() { { function top() {} } top } function g() { 'use strict'; { function top() {} } _varve_.top }",
		},
		{
			"a loop's own, at the end of a line", "for (let top of a) if (b) top.x(); else top.y()\ntop",
			"for (let top of a) if (b) top.x(); else top.y()\n_varve_.top",
		},
		{
			"loops in loops", "for (let top of a) for (let self of top) { self + top } top + self",
			"for (let top of a) for (let self of top) { self + top } _varve_.top + _varve_.self",
		},
		{"a with without a block", "with (a) top.x; top", "with (a) _varve_(top).x; _varve_.top"},
		{"a default doesn't see what the body declares", "function f(a = top) { var top }", "function f(a = _varve_.top) { var top }"},
		{"var location goes there", "var a, location = '/x'", "var a, _varve_v=_varve_.location = '/x'"},
		{"in a function it doesn't", "function f() { var location = '/x' }", "function f() { var location = '/x' }"},
		{"with", "with (a) { top; new top.X } top", "with (a) { _varve_(top); new (_varve_(top)).X } _varve_.top"},
		{"an escaped name", `t\u006fp + \u{6c}ocation`, `_varve_.t\u006fp + _varve_.\u{6c}ocation`},
		{"an escaped name that is declared", `{ let t\u006fp; top } top`, `{ let t\u006fp; top } _varve_.top`},
		{"a function that evaluates", "function f() { eval(a); return top }", `function f() { eval(_varve_.code("",a)); return _varve_(top) }`},
		{"a division after a block's end is none", "if (x) /'/.test(y); {} /'/.test(top)", "if (x) /'/.test(y); {} /'/.test(_varve_.top)"},
		{
			"a division", "a = (b) / c; x = '/'; top; a = {} / 1; y = '/'; self",
			"a = (b) / c; x = '/'; _varve_.top; a = {} / 1; y = '/'; _varve_.self",
		},
		{"an old octal number", "a = 010 + 08; top", "a = 010 + 08; _varve_.top"},
		{"a hashbang", "#!top\ntop", "#!top\n_varve_.top"},
		{"an old comment", "<!-- top\ntop\n--> top", "<!-- top\n_varve_.top\n--> top"},
		{"what can't be read stays", "top; \\ top", "_varve_.top; \\ top"},
	} {
		t.Run(tt.name, func(t *testing.T) { rewritten(t, uses.Script, tt.in, tt.want) })
	}
}

// rewritten fails unless a script becomes what is wanted, apart from what may be put before it.
func rewritten(t *testing.T, use uses.Use, in, want string) {
	t.Helper()
	got := strings.Replace(run(t, JS, in, Options{JS: true, Use: use}), namesFallback, "", 1)
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if was, is := syntaxError(in, use), syntaxError(got, use); was == "" && is != "" {
		t.Errorf("no longer parses: %s\n%s", is, got)
	}
}

func TestNamesInModules(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{
			"what it declares is its own", "let self = 1; var top; function parent() {} self + top + parent + location",
			"let self = 1; var top; function parent() {} self + top + parent + _varve_.location",
		},
		{
			"what it imports too", "import top, {self, a as parent} from 'x'; top + self + parent + location",
			"import top, {self, a as parent} from 'x'; top + self + parent + _varve_.location",
		},
		{
			"the name of an export isn't", "import {self as a} from 'x'; export {a as top}; export * as frames from 'x'\nself",
			"import {self as a} from 'x'; export {a as top}; export * as frames from 'x'\n_varve_.self",
		},
		{
			"exports", "export default top; export const a = self; export function f(top) { top }\nexport class B { c = top }",
			"export default _varve_.top; export const a = _varve_.self; export function f(top) { top }\nexport class B { c = _varve_.top }",
		},
		{"a list of exports without a semicolon", "const a = 1\nexport {a}\nlocation = b", "const a = 1\nexport {a}\n_varve_.location = b"},
	} {
		t.Run(tt.name, func(t *testing.T) { rewritten(t, uses.Module, tt.in, tt.want) })
	}
}

func TestThisEvalAndImport(t *testing.T) {
	const lazy = `____wb_rewrite_import__("http://example.com/dir/page.html",`
	for _, tt := range []struct{ name, in, want string }{
		{"this as a value is checked", "f = function () { return this; }", "f = function () { return _varve_(this); }"},
		{"this as an argument is checked", "f(a, this)", "f(a, _varve_(this))"},
		{"this in an operation is checked", "a||this||b; a ? this : b", "a||_varve_(this)||b; a ? _varve_(this) : b"},
		{"this in a template is checked", "`${this}`", "`${_varve_(this)}`"},
		{
			"a window's property of this is checked", "a = this.location.href; this?.top; this['self']",
			"a = _varve_(this).location.href; _varve_(this)?.top; _varve_(this)['self']",
		},
		{
			"another property of this stays", "this.foo; this.$location = 1; this. _location = 1; this[0]; this?.foo",
			"this.foo; this.$location = 1; this. _location = 1; this[0]; this?.foo",
		},
		{
			"a property named this stays", "x.this; x = {foo: bar, this: other}; class A { this() {} }",
			"x.this; x = {foo: bar, this: other}; class A { this() {} }",
		},
		{"new this stays", "new this(1); new this.X", "new this(1); new this.X"},

		{"a direct call of eval keeps its scope", "eval(a)", `eval(_varve_.code("",a))`},
		{"with a space and brackets inside", "x = eval (f(a)[0] + '(')", `x = eval (_varve_.code("",f(a)[0] + '('))`},
		{"one in parentheses", "(eval)(a)", `(eval)(_varve_.code("",a))`},
		{"none: eval is an argument", "f(eval)(a); if (eval) (a)", "f(_varve_.eval)(a); if (_varve_.eval) (a)"},
		{"one in another", "eval(eval(a))", `eval(_varve_.code("",eval(_varve_.code("",a))))`},
		{"one that sees other names", "function f(top) { eval(a) }", `function f(top) { eval(_varve_.code("top",a)) }`},
		{
			"one in strict code", "'use strict'; eval(a); class B { c() { eval(a) } }",
			`'use strict'; eval(_varve_.code("!",a)); class B { c() { eval(_varve_.code("!",a)) } }`,
		},
		{"eval as a value is the window's", "x = eval; (0, eval)(a); eval?.(a)", "x = _varve_.eval; (0, _varve_.eval)(a); _varve_.eval?.(a)"},
		{"an eval of one's own stays", "function f(eval) { eval(a) }", "function f(eval) { eval(a) }"},
		{
			"a member named eval stays", "x.eval(a); x = {eval: 1, async eval(a) {}}; class A { static eval(a) {} eval = 1; async eval() {} }",
			"x.eval(a); x = {eval: 1, async eval(a) {}}; class A { static eval(a) {} eval = 1; async eval() {} }",
		},

		{
			"postMessage goes through the source", "a.postMessage(1, '*'); a?.postMessage(1)",
			"_varve_(a,1).__WB_pmw(_varve_.window).postMessage(1, '*'); _varve_(a,1)?.__WB_pmw(_varve_.window).postMessage(1)",
		},
		{
			"a comment ends where a line does", "a//\r.postMessage(1); b//\u2028.postMessage(1); import//\r('./x')",
			"_varve_(a,1)//\r.__WB_pmw(_varve_.window).postMessage(1); _varve_(b,1)//\u2028.__WB_pmw(_varve_.window).postMessage(1); " +
				"import//\r('http://archive.test/web/20200101000000esm_/http://example.com/dir/x')",
		},
		{
			"postMessage as a value stays", "a.postMessage; class B extends C { postMessage(a) { super.postMessage(a) } }",
			"a.postMessage; class B extends C { postMessage(a) { super.postMessage(a) } }",
		},

		{
			"import() of a path is rewritten", "import('./x.js')",
			"import('http://archive.test/web/20200101000000esm_/http://example.com/dir/x.js')",
		},
		{
			"import() of a path with attributes", "import('./x.js', {with: {type: 'json'}})",
			"import('http://archive.test/web/20200101000000esm_/http://example.com/dir/x.js', {with: {type: 'json'}})",
		},
		{"import() of a value goes through wombat", "import(x)", lazy + "x)"},
		{
			"a member named import stays", "class X { import(a) { return import(a) } static import() {} async import() {} #import() {} }; x " +
				"= {import(y) {}, get import() {}, import: 1}; x.import(z)",
			"class X { import(a) { return " + lazy + "a) } static import() {} async import() {} #import() {} }; x = {import(y) {}, get " +
				"import() {}, import: 1}; x.import(z)",
		},
	} {
		t.Run(tt.name, func(t *testing.T) { rewritten(t, uses.Script, tt.in, tt.want) })
	}
}

func TestNothingStandsBeforeDirectives(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing at all where nothing is used", "'use strict'; let a = 1", "'use strict'; let a = 1"},
		{"at the beginning", "top", "@_varve_.top"},
		{"behind comments", "// a\n/* b */ <!-- c\ntop", "// a\n/* b */ <!-- c\n@_varve_.top"},
		{"behind a directive", "'use strict'; top", "'use strict'; @_varve_.top"},
		{"behind some", "'use strict'\n\"b\"\n;top", "'use strict'\n\"b\"\n;@_varve_.top"},
		{"before a string that is none", "'a'.b; top", "@'a'.b; _varve_.top"},
		{"before one over a line", "'a'\n+ top", "@'a'\n+ _varve_.top"},
		{"behind a byte order mark", "\ufefftop", "\ufeff@_varve_.top"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, JS, tt.in, Options{JS: true, Use: uses.Script})
			if want := strings.Replace(tt.want, "@", namesFallback, 1); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestAScriptCallsBackAsAskedFor(t *testing.T) {
	long := strings.Repeat("b", 256)
	for _, tt := range []struct{ name, base, asked, in, want string }{
		{"the archived callback", "http://example.com/f?callback=jQuery1_2&x=1", "jQuery3_4", "/**/ jQuery1_2({n: 7})", "/**/ jQuery3_4({n: 7})"},
		{"one of another kind", "http://example.com/f?jsoncallback=jq%5B1%5D", "jq[2]", "jq[1]({n: 7})", "jq[2]({n: 7})"},
		{"another function than the callback", "http://example.com/f?callback=init", "start", "define([], 1)", "define([], 1)"},
		{"a callback as long as may be", "http://example.com/f?callback=a", long, "a(1)", long + "(1)"},
		{"a longer one", "http://example.com/f?callback=a", long + "c", "a(1)", "a(1)"},
		{"a callback in a parameter of any name", "http://example.com/f?x=1&fn=a", "b", "a(1)", "b(1)"},
		{"one named behind the query", "http://example.com/f?x=1#fn=a", "b", "a(1)", "a(1)"},
		{"no call", "http://example.com/f?callback=a", "b", "a = (1)", "a = (1)"},
		{"nothing but its name", "http://example.com/f?callback=a", "b", "a ", "a "},
		{"a function without a name", "http://example.com/f?callback=function", "b", "function(a) {}", "function(a) {}"},
		{"none asked for", "http://example.com/f?callback=a", "", "a(1)", "a(1)"},
		{
			"what Express writes", "http://example.com/f?callback=a", "b", "/**/ typeof a === 'function' && a({n: 7});",
			"/**/ typeof b === 'function' && b({n: 7});",
		},
		{"the same, shorter", "http://example.com/f?callback=a", "b.c", `typeof a=="function"&&a({n: 7})`, `typeof b.c=="function"&&b.c({n: 7})`},
		{"another test", "http://example.com/f?callback=a", "b", "typeof a === 'object' && a(1)", "typeof a === 'object' && a(1)"},
		{"a test of another", "http://example.com/f?callback=a", "b", "typeof a === 'function' && c(1)", "typeof a === 'function' && c(1)"},
		{"a test without a call", "http://example.com/f?callback=a", "b", "typeof a (1)", "typeof a (1)"},
		{"whether there is one", "http://example.com/f?callback=a.c", "b", "a.c && a.c (1)", "b && b (1)"},
		{"a call with && in it", "http://example.com/f?callback=a", "b", `a({"q":"c && a (1)"})`, `b({"q":"c && a (1)"})`},
		{"whether one answers", "http://example.com/f?callback=a", "b", "a(1) && a(2)", "b(1) && a(2)"},
		{"whether two are equal", "http://example.com/f?callback=a", "b", "a == c && a(1)", "a == c && a(1)"},
		{"a call that may fail", "http://example.com/f?callback=a", "b", ";try { a(1) } catch (e) {}", ";try { b(1) } catch (e) {}"},
		{"and at once", "http://example.com/f?callback=a", "b", "try{a(1)}catch(e){}", "try{b(1)}catch(e){}"},
		{"a name that begins like it", "http://example.com/f?callback=tryAll", "b", "tryAll(1)", "b(1)"},
		{"an end after that", "http://example.com/f?callback=a", "b", "try", "try"},
		{"one of its name", "http://example.com/f?callback=try", "b", "try(1)", "b(1)"},
		{"a callback that is no name", "http://example.com/f?callback=a", "alert(1)//", "a(1)", "a(1)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, JS, tt.in, Options{Base: tt.base, Use: uses.Script, Callback: tt.asked}); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	for _, tt := range []struct{ asked, in, want string }{
		{"window.a[0]", "window.a[0](top)", "@_varve_.window.a[0](_varve_.top)"},
		{"window.c", "window.a[0](top)", "@window.c(_varve_.top)"},
		{"c", "/**/ window.a[0]({n: top.b})", "/**/ @c({n: _varve_.top.b})"},
		{"c", "window.a[0](1)", "c(1)"},
		{"c", "typeof window.a[0] === 'function' && window.a[0](top)", "@typeof c === 'function' && c(_varve_.top)"},
		{"c", "window.a[0](1);parent.postMessage(1)", "@c(1);_varve_.parent.__WB_pmw(_varve_.window).postMessage(1)"},
	} {
		o := Options{JS: true, Base: "http://example.com/f?callback=window.a[0]", Use: uses.Script, Callback: tt.asked}
		if got, want := run(t, JS, tt.in, o), strings.Replace(tt.want, "@", namesFallback, 1); got != want {
			t.Errorf("%s: got %s, want %s", tt.asked, got, want)
		}
	}
	for in, want := range map[string]string{
		"/**/ a({n: 7})": "/**/ b({n: 7})", "\ufeffa(1)": "\ufeffb(1)", "a\n(1)": "b\n(1)", "(1)": "(1)", "a": "a", "": "",
	} {
		if got := run(t, JSON, in, Options{Callback: "b"}); got != want {
			t.Errorf("JSON: got %q, want %q", got, want)
		}
	}
}

func TestAskedCallback(t *testing.T) {
	for query, want := range map[string]string{
		"callback=a": "a", "x=1&jsonp=b.c&y": "b.c", "jsoncallback=d": "d", "fooCallback=e%5B0%5D": "e[0]", "jsonp_x=f": "", "a=callback": "",
		"": "", "callback=&jsonp=g": "g", "callback=%zz": "",
	} {
		if got := AskedCallback(query); got != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
}

func TestModuleSpecifiers(t *testing.T) {
	const m = "http://archive.test/web/20200101000000esm_/http://example.com"
	for _, tt := range []struct{ name, in, want string }{
		{"a relative one", "import a from './x.js'", "import a from '" + m + "/dir/x.js'"},
		{"for the side effect", `import"/x.js"`, `import"` + m + `/x.js"`},
		{
			"on one line with others", "import{a}from'./a.js';import*as b from'./b.js';",
			"import{a}from'" + m + "/dir/a.js';import*as b from'" + m + "/dir/b.js';",
		},
		{"over several lines", "import {\n a,\n b as c\n}\nfrom './x.js'", "import {\n a,\n b as c\n}\nfrom '" + m + "/dir/x.js'"},
		{"of a re-export", "export * as x from './x.js'", "export * as x from '" + m + "/dir/x.js'"},
		{"with attributes", "import d from './d.json' with {type: 'json'}", "import d from '" + m + "/dir/d.json' with {type: 'json'}"},
		{"a bare one stays", "import 'lodash'", "import 'lodash'"},
		{"an export of a value stays", "export const from = './x.js'", "export const from = './x.js'"},
		{"a string elsewhere stays", "x = './x.js'; from './y.js'", "x = './x.js'; from './y.js'"},
		{"import.meta stays", "import.meta.url; './x.js'", "import.meta.url; './x.js'"},
		{"none yet", "import", "import"},
		{"in a string or comment stays", "'import \"./x.js\"' // import './x.js'", "'import \"./x.js\"' // import './x.js'"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, JS, tt.in, Options{Use: uses.Module}); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestScriptsOfWorkersBeginWithTheirStart(t *testing.T) {
	o := Options{JS: true, WorkerStart: `start();`}
	for _, c := range []struct {
		name     string
		use      uses.Use
		in, want string
	}{
		{"a classic worker", uses.Worker, "self.x = this", "start();self.x = this"},
		{"a module worker", uses.ModuleWorker, "self.x = 1", "start();self.x = 1"},
		{"directives come first", uses.Worker, "// a\n'use strict'\nlocation = 1", "// a\n'use strict'\nstart();location = 1"},
		{"a hashbang comes first", uses.ModuleWorker, "#!/usr/bin/env x\nlocation", "#!/usr/bin/env x\nstart();location"},
		{"an import is no literal", uses.Worker, "import(x)", `start();____wb_rewrite_import__("http://example.com/dir/page.html",x)`},
		{"an empty worker", uses.Worker, " // nothing", " // nothing"},
		{"a script", uses.Script, "self.x", namesFallback + "_varve_.self.x"},
	} {
		o.Use = c.use
		if got := run(t, JS, c.in, o); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}
