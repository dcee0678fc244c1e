package rewrite

import (
	"strings"
	"testing"
)

// body takes the block and the prelude off a wrapped script, for the tables below.
func unwrapped(script string) string {
	if i := strings.Index(script, "[n]);"); i >= 0 && (strings.HasPrefix(script, "{let") || strings.HasPrefix(script, "let[")) {
		script = strings.TrimSuffix(script[i+len("[n]);"):], "\n}")
	}
	return script
}

func TestClientSideScript(t *testing.T) {
	const (
		this = wombatThis + "(this)"
		loc  = wombatLocation
		eval = wombatEval
	)
	for _, tt := range []struct{ name, in, want string }{
		{"this as a value is checked", "return this;", "return " + this + ";"},
		{"this as an argument is checked", "f(a, this)", "f(a, " + this + ")"},
		{"this in an operation is checked", "a||this||b", "a||" + this + "||b"},
		{"this in a template is checked", "`${this}`", "`${" + this + "}`"},
		{"this called with is checked", "(function(){})(this)", "(function(){})(" + this + ")"},
		{"a proxied property of this is checked", "a = this.location.href", "a = " + this + ".location.href"},
		{"postMessage of this is checked", "this.postMessage(1)", this + ".__WB_pmw(window).postMessage(1)"},
		{"another property of this stays", "return this.foo", "return this.foo"},
		{"a longer name stays", "this.$location = 1", "this.$location = 1"},
		{"an underscored name stays", "this. _location = 1", "this. _location = 1"},
		{"an element of this stays", "this[0]", "this[0]"},
		{"a property named this stays", "x.this; x = {foo: bar, this: other}", "x.this; x = {foo: bar, this: other}"},
		{"an identifier with this in it stays", "$this = this$", "$this = this$"},
		{"new this stays", "new this(1)", "new this(1)"},
		{"this in a string stays", "'foo = this'", "'foo = this'"},
		{"this in a comment stays", "/* this */ // this", "/* this */ // this"},
		{"this in a regular expression stays", "x = /this/", "x = /this/"},
		{"this in a conditional is checked", "a ? this : b", "a ? " + this + " : b"},

		{"an assignment to location goes through the check", "location = '/x'", "location =" + loc + " '/x'"},
		{"in an expression too", "a && (location='/x')", "a && (location=" + loc + "'/x')"},
		{"a comparison stays", "location == x; location === y", "location == x; location === y"},
		{"a property of another object stays", "a.location = 1; a?.location", "a.location = 1; a?.location"},
		{"a property of location stays", "location.href = 1", "location.href = 1"},
		{"a key stays", "x = {location: 1}", "x = {location: 1}"},
		{"a local variable stays", "function f() { var location = 1 }", "function f() { var location = 1 }"},
		{"a class field stays", "class A { location = 1; static top = 2\n self = 3 }", "class A { location = 1; static top = 2\n self = 3 }"},
		{"a default in a pattern stays", "({location = 1} = x)", "({location = 1} = x)"},
		{"a default of a parameter stays", "function f(location = 1) {}", "function f(location = 1) {}"},

		{"a direct call of eval keeps its scope", "eval(a)", eval + "a))"},
		{"with a space too", "x = eval (a)", "x = " + eval + "a))"},
		{"with brackets inside", "eval(f(a)[0] + '(')", eval + "f(a)[0] + '('))"},
		{"one in another", "eval(eval(a))", eval + eval + "a))))"},
		{"as an argument too", "foo(a, eval(data));", "foo(a, " + eval + "data)));"},
		{"eval as a value is the window's", "x = eval; x(a);", "x = window.eval; x(a);"},
		{"an indirect call is the window's", "(0, eval)(a)", "(0, window.eval)(a)"},
		{"a method named eval stays", "x.eval(a); x = {eval: 1}; this.$eval(a)", "x.eval(a); x = {eval: 1}; this.$eval(a)"},
		{"a method declared as eval stays", "x = {eval(a) {}}", "x = {eval(a) {}}"},

		{"postMessage goes through the source", "a.postMessage(1, '*')", "a.__WB_pmw(window).postMessage(1, '*')"},
		{"postMessage as a value stays", "a.postMessage", "a.postMessage"},

		{"let at top level becomes var", "let a = document", "var a = document"},
		{"const at top level becomes var", "const {a} = document", "var {a} = document"},
		{"in a block it stays", "if (document) { let a = 1 }", "if (document) { let a = 1 }"},
		{"in a loop it stays", "for (let a of document.x) {}", "for (let a of document.x) {}"},
		{"let as a name stays", "document; let = 1; a.let", "document; let = 1; a.let"},
		{"a class at top level becomes a variable", "class A extends B {}\ndocument", "var A=class A extends B {};\ndocument"},
		{"a class as a value stays", "x = class A {}; document", "x = class A {}; document"},
		{"nothing to stand in for needs no block", "let a = 1; class B {}", "let a = 1; class B {}"},

		{"import() of a path is rewritten", "import('./x.js')", "import('http://archive.test/web/20200101000000esm_/http://example.com/dir/x.js')"},
		{"import() of a value goes through wombat", "import(x)", `____wb_rewrite_import__("http://example.com/dir/page.html",x)`},
		{"a regular expression after a condition is none to divide", "if (x) /'/.test(y); eval(a)", "if (x) /'/.test(y); " + eval + "a))"},
		{"a division is no regular expression", "a = (b) / c; x = '/'; this", "a = (b) / c; x = '/'; " + this},
		{"what can't be read stays", "this; \\ this", this + "; \\ this"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := unwrapped(run(t, JS, tt.in, Options{JS: true, Use: Script}))
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if parses([]byte(tt.in)) && !parses([]byte(got)) {
				t.Errorf("no longer parses: %s", got)
			}
		})
	}
}

func TestPreludeDeclaresWhatTheScriptUses(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		use      Use
		want     string // the list of names
	}{
		{"only names that are used", "location.href", Script, "location"},
		{"in a fixed order", "top; document; window", Script, "window,document,top"},
		{"not those used as properties or keys", "a.location; x = {top: 1}; document", Script, "document"},
		{"not those the script declares", "var self = 1; const parent = document", Script, "document"},
		{"not those declared later in a list", "var a = 1, top = 2; document", Script, "document"},
		{"those declared in functions only", "function f() { var self = this } self.x", Script, "self"},
		{"not a function's name", "function parent() {} document; parent()", Script, "document"},
		{"not imported names", "import {top} from './x.js'; document; top()", Module, "document"},
		{"all but one if all mean the window", "window; self; frames; globalThis", Script, "window,globalThis,self"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, JS, tt.in, Options{JS: true, Use: tt.use})
			_, list, _ := strings.Cut(got, "let[")
			list, _, _ = strings.Cut(list, "]")
			if list != tt.want {
				t.Errorf("declares %s, want %s, in %s", list, tt.want, got)
			}
			if !parses([]byte(got)) {
				t.Errorf("doesn't parse: %s", got)
			}
		})
	}
}

func TestAScriptCallsBackAsAskedFor(t *testing.T) {
	for _, tt := range []struct{ name, base, asked, in, want string }{
		{"the archived callback", "http://example.com/f?callback=jQuery1_2&x=1", "jQuery3_4", "/**/ jQuery1_2({n: 7})", "/**/ jQuery3_4({n: 7})"},
		{"another function than the callback", "http://example.com/f?callback=init", "start", "define([], 1)", "define([], 1)"},
		{"a callback that is no name", "http://example.com/f?callback=a", "alert(1)//", "a(1)", "a(1)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, JS, tt.in, Options{Base: tt.base, Use: Script, Callback: tt.asked}); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestModuleSpecifiers(t *testing.T) {
	const m = "http://archive.test/web/20200101000000esm_/http://example.com"
	for _, tt := range []struct{ name, in, want string }{
		{"a relative one", "import a from './x.js'", "import a from '" + m + "/dir/x.js'"},
		{"for the side effect", `import"/x.js"`, `import"` + m + `/x.js"`},
		{"on one line with others", "import{a}from'./a.js';import*as b from'./b.js';", "import{a}from'" + m + "/dir/a.js';import*as b from'" + m + "/dir/b.js';"},
		{"over several lines", "import {\n a,\n b as c\n}\nfrom './x.js'", "import {\n a,\n b as c\n}\nfrom '" + m + "/dir/x.js'"},
		{"of a re-export", "export * as x from './x.js'", "export * as x from '" + m + "/dir/x.js'"},
		{"with attributes", "import d from './d.json' with {type: 'json'}", "import d from '" + m + "/dir/d.json' with {type: 'json'}"},
		{"a bare one stays", "import 'lodash'", "import 'lodash'"},
		{"an export of a value stays", "export const from = './x.js'", "export const from = './x.js'"},
		{"a string elsewhere stays", "x = './x.js'; from './y.js'", "x = './x.js'; from './y.js'"},
		{"import.meta stays", "import.meta.url; './x.js'", "import.meta.url; './x.js'"},
		{"in a string or comment stays", "'import \"./x.js\"' // import './x.js'", "'import \"./x.js\"' // import './x.js'"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, JS, tt.in, Options{Use: Module}); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestWorkersLoadTheirSideOfWombatFirst(t *testing.T) {
	o := Options{JS: true, WorkerScript: "http://h/-/static/wombatWorkers.js", WorkerPrefix: "http://h/web/20200101000000"}
	const config = `new WBWombat({prefix:"http://h/web/20200101000000/",prefixMod:"http://h/web/20200101000000wkrf_/",mod:"wkrf_",originalURL:"http://example.com/dir/page.html"});`
	o.Use = Worker
	if got, want := run(t, JS, "self.x = this", o), `importScripts("http://h/-/static/wombatWorkers.js");`+config+"self.x = this"; got != want {
		t.Errorf("classic: %s", got)
	}
	o.Use = ModuleWorker
	if got, want := run(t, JS, "self.x = 1", o), `import "http://h/-/static/wombatWorkers.js";`+config+"self.x = 1"; got != want {
		t.Errorf("module: %s", got)
	}
}
