package e2e

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// A program is a page whose scripts report what they find. A browser must report the same live and in replay, including
// uncaught errors.
type program struct{ name, markup string }

// saying precedes each program.
const saying = `<!doctype html><meta charset=utf-8><title>program</title><script>
var said = [];
function say() { said.push([].map.call(arguments, String).join(" ")) }
function fails(f) { try { f(); say("no error") } catch (e) { say(e.name + ": " + e.message) } }
addEventListener("error", function (e) { said.push("error: " + e.message) });
addEventListener("unhandledrejection", function (e) { said.push("rejected: " + e.reason) });
</script><body>`

var programs = []program{
	// the next script sees top-level declarations
	{
		"let without a value",
		`<script>let name_ = null; let b; say(name_, b, typeof name_, document.title)</script>` +
			`<script>say(name_ === null, b === undefined)</script>`,
	},
	{"let of a window's property", `<script>let name = null; say(name, typeof name, window.name === "", document.title)</script>`},
	{
		"const of a window's property",
		`<script>const history = []; history.push(1); say(history.length, Array.isArray(history), document.title)</script>` +
			`<script>say(history.length, window.history === history)</script>`,
	},
	{
		"const of another",
		`<script>const status = {a: 1}, screen = location && 2; say(status.a, screen)</script><script>say(typeof status, screen)</script>`,
	},
	{
		"let is no property of window",
		`<script>let a = document; var b = document; say("a" in window, "b" in window, window.a, window.b === document)</script>`,
	},
	{
		"const can't be assigned",
		`<script>const c = location.pathname; fails(() => { c = 2 }); say(c)</script><script>fails(() => { c++ }); say(c)</script>`,
	},
	{"temporal dead zone", `<script>fails(() => later); document; let later = 1; say(later)</script>`},
	{"temporal dead zone of typeof", `<script>fails(() => typeof later2); self; const later2 = 1</script>`},
	{
		"class before its definition",
		`<script>fails(() => new K()); class K { where() { return document.title } } say(new K().where())</script>`,
	},
	{
		"class again",
		`<script>class R { a() { return this === window } } say(new R().a())</script>` +
			`<script>class R { b() { return location } } say("not reached")</script>` +
			`<script>say(typeof R.prototype.a, typeof R.prototype.b)</script>`,
	},
	{
		"let again",
		`<script>let twice = 1; location</script><script>let twice = 2; location; say("not reached")</script><script>say(twice)</script>`,
	},
	{
		"let after var",
		`<script>var v1 = location && 1</script><script>let v1 = 2; document; say("not reached")</script><script>say(v1)</script>`,
	},
	{"let twice in one", `<script>let one = 1; let one = 2; location; say("not reached")</script><script>say(typeof one)</script>`},
	{
		"functions are hoisted",
		`<script>say(hoisted(), location.pathname.length > 0); function hoisted() { return "up " + document.title }</script>` +
			`<script>say(typeof window.hoisted, hoisted())</script>`,
	},
	{
		"async functions and generators are hoisted",
		`<script>say(typeof af, typeof gf, typeof agf, document.title); ` +
			`async function af() {} function* gf() { yield 1 } async function* agf() {}</script><script>say([...gf()], window.gf === gf)</script>`,
	},
	{
		"functions in blocks",
		`<script>say(typeof inner); if (document) { function inner() { return 1 } } say(typeof inner, inner())</script>` +
			`<script>say(typeof window.inner)</script>`,
	},
	{
		"classes reach the next script",
		`<script>class A { #p = location.pathname; get p() { return this.#p } static s = document.title } </script>` +
			`<script>class B extends A {} say(new B().p.length > 0, B.s, "A" in window)</script>`,
	},
	{
		"destructuring declarations reach the next script",
		`<script>const {title: t1, location: {protocol}} = document; let [x1, , ...rest1] = [1, 2, location.pathname.length > 0]</script>` +
			`<script>say(t1, protocol, x1, rest1)</script>`,
	},
	{
		"a handler sees let",
		`<b id=b onclick="say(counter++, document.title, this.id)">b</b><script>let counter = location ? 5 : 0; ` +
			`document.getElementById("b").click(); document.getElementById("b").click()</script>`,
	},
	{"a later script sets an earlier let", `<script>let shared = document.title</script><script>shared += "!"; parent; say(shared)</script>`},
	{
		"a let named self",
		`<script>let self = {x: 1}; say(self.x)</script><script>say(self.x, self === window, window.self === window)</script>`,
	},
	{
		"a const named parent",
		`<script>const parent = document.body; say(parent.tagName)</script>` +
			`<script>say(parent.tagName, parent === window.parent); fails(() => { parent = 1 })</script>`,
	},
	{
		"a var named self",
		`<script>var self = this; say(self === window)</script><script>self.q = 1; say(window.q, self.location === location)</script>`,
	},
	{
		"a var named frames",
		`<script>var frames = [1, 2]; say(frames.length)</script><script>say(frames.length, window.frames === frames)</script>`,
	},
	{"a function named parent", `<script>function parent() { return "mine" } say(parent())</script><script>say(parent())</script>`},
	{"a let named self in its dead zone", `<script>fails(() => self); let self = 1; say(self)</script>`},
	{"a let named top can't be", `<script>let top = 1; say("not reached")</script><script>say(top === window)</script>`},
	{
		"top can't be assigned",
		`<script>top = 5; say(top === window); var top = 6; say(top === window)</script>` +
			`<script>"use strict"; try { top = 7 } catch (e) { say(e.name) }</script>`,
	},
	{
		"an external script's declarations",
		`<script src="/shared-a.js"></script><script src="/shared-b.js"></script><script>say(fromA, typeof FromA, fromB)</script>`,
	},
	// strict mode
	{
		"use strict at the top",
		`<script>"use strict"; fails(() => { undeclared = location }); say((function () { return this })(), document.title)</script>`,
	},
	{"use strict behind a comment", `<script>/* a */ // b
'use strict'
fails(() => { undeclared2 = location }); say(function () { return typeof this }())</script>`},
	{
		"use strict in a function",
		`<script>function s() { "use strict"; return this === undefined } function l() { return this === window } say(s(), l(), ` +
			`document.title)</script>`,
	},
	{"use strict that is none", `<script>("use strict"); x3 = location && 1; say(x3, "use strict" + document.title)</script>`},
	{"a string first that goes on", `<script>"use strict".length
+ location; say(function () { return this === window }())</script>`},
	{"strict delete and duplicate", `<script>"use strict"; fails(() => { delete Object.freeze({a: location}).a })</script>`},
	{
		"octal numbers and with",
		`<script>say(010, 08, document.title); with ({top: 1, location: "mine"}) { say(top, location, typeof self) }</script>`,
	},
	// this
	{"this at the top", `<script>say(this === window, this === self, typeof this.document); this.fromThis = 1; say(fromThis)</script>`},
	{
		"this in functions",
		`<script>say((function () { return this === window })(), (() => this === window)(), ({f() { return this.v }, v: 2}).f(), ` +
			`document.title)</script>`,
	},
	{
		"this in classes and fields",
		`<script>class F { a = this; b = () => this; static c = this; top = location.pathname.length; ` +
			`self() { return this } } const f = new F; say(f.a === f, f.b() === f, F.c === F, f.top > 0, f.self() === f)</script>`,
	},
	{
		"this in a universal module",
		`<script>(function (root, factory) { root.U = factory(root) }(typeof self !== "undefined" ? self : this, function (w) { return w ` +
			`=== window })); say(U)</script>`,
	},
	// names
	{
		"members named import and eval",
		`<script>class X { import(a) { return "i" + a } static eval(a) { return "e" + a } async eval() { return 1 } get location() { return ` +
			`"l" } set location(v) { say("set", v) } } const x = new X; say(x.import(1), X.eval(2), typeof x.eval, x.location); ` +
			`x.location = document.title</script>`,
	},
	{
		"keys named import and eval",
		`<script>const o = {import(x) { return x }, eval: (x) => x, async top() {}, *self() { yield location ? 3 : 0 }, get parent() { ` +
			`return 4 }}; say(o.import(1), o.eval(2), typeof o.top, [...o.self()], o.parent)</script>`,
	},
	{"fields named like globals", `<script>class G { location = 1; top = 2
self = 3
static parent
static window = 4; #document = 5; get() { return this.#document } static static() { return 6 } } ` +
		`const g = new G; say(g.location, g.top, g.self, G.parent, G.window, g.get(), G.static(), document.title)</script>`},
	{
		"parameters named like globals",
		`<script>function p(location, {top, self: s = location}, [parent] = [window], ...frames) { return [location, top, s, parent === ` +
			`window, frames.length] } say(p(1, {top: 2}), p(1, {top: 2, self: 3}, [4], 5, 6), document.title)</script>`,
	},
	{
		"arrow parameters with defaults",
		`<script>const ap = (location = 5, {top = 6, self} = {}, [parent = location] = []) => [location, top, self, parent]; ` +
			`say(ap(), ap(1, {self: 2}, [3]), typeof location)</script>`,
	},
	{
		"arrow parameters in arrows",
		`<script>say([1, 2].map(top => [3].map(self => top + self)), (async (location) => location).length, (parent => parent ? self === ` +
			`window : 0)(1), top === window)</script>`,
	},
	{
		"destructuring with names of globals",
		`<script>function d() { let location, top; ({location, a: {top = 3}} = {location: 1, a: {}}); ` +
			`const [self, {parent}] = [4, {parent: 5}]; return [location, top, self, parent] } say(d(), document.title)</script>`,
	},
	{
		"destructuring from the window",
		`<script>const {document: doc, location: loc, top: {self: ts}} = window; ` +
			`say(doc === document, loc === location, ts === window, loc.pathname === location.pathname)</script>`,
	},
	{
		"shorthand",
		`<script>const sh = {location, document, self, top}; say(sh.location === location, sh.document === document, sh.self === window, ` +
			`sh.top === top, Object.keys(sh))</script>`,
	},
	{"computed keys", `<script>const ck = {[location.protocol]: 1, [typeof top]() { return 2 }}; say(Object.keys(ck), ck.object())</script>`},
	{
		"catch and loops",
		`<script>try { throw 1 } catch (top) { say(top) } for (let self = 0; self < 2; self++) say(self); ` +
			`for (const location of ["a"]) say(location); for (var i in {parent}) say(i); say(top === window, self === window)</script>`,
	},
	{"labels", `<script>top: for (;;) { self: for (;;) { break top } } parent: { break parent } say(location ? "out" : "")</script>`},
	{
		"cases and conditionals",
		`<script>switch (window) { case top: say("top"); case parent: { say("parent"); ` +
			`break } default: say("none") } say(document ? location ? "b" : self : top, {a: top ? 1 : 2, top: 3}.top)</script>`,
	},
	{
		"closures over block scopes",
		`<script>const fs = []; for (let i = 0; i < 3; i++) { const top = i; ` +
			`fs.push(() => top + i) } say(fs.map((f) => f()), top === window)</script>`,
	},
	{
		"generators and async",
		`<script>function* g1(top) { const location = yield top; yield* [location, self === window] } const it = g1(1); ` +
			`say(it.next().value, it.next(2).value, it.next().value); (async () => { for await (const top of [Promise.resolve(3)]) say(top); ` +
			`say(await document.title) })()</script>`,
	},
	{
		"default parameters see the globals",
		`<script>function dp(a = location.protocol, b = () => top === window, {c = document.title} = {}) { var location = 1, top = 2; ` +
			`return [a, b(), c, location, top] } say(dp())</script>`,
	},
	{
		"functions named like globals",
		`<script>(function () { function location() { return "fn" } class top { static x = 1 } say(location(), top.x, (function self() { ` +
			`return typeof self })()) })(); say(typeof location, self === window)</script>`,
	},
	{
		"arguments and typeof",
		`<script>function ar() { location; return arguments.length } say(ar(1, 2), typeof arguments, typeof location, typeof top, typeof ` +
			`opener, typeof nothing)</script>`,
	},
	{
		"delete and in and void",
		`<script>say(delete window.nope, "location" in window, void top, document instanceof Document, window instanceof Window, !self)</script>`,
	},
	// syntax
	{"no semicolons", `<script>let n1 = 1
let n2 = location
;[n1].forEach(x => say(x))
const n3 = top => top
location.hash
say(n3(4), typeof n2)
var n4 = function () { return self === window }
say(n4())</script>`},
	{
		"regular expressions and divisions",
		`<script>var a = 8, g = 2, re = /[/]'"top/g; say(a / g / 2, re.source, "x'\"".replace(/['"]/g, location ? "q" : ""), a++ / 2, ` +
			`[4][0] / 2); if (a) /top/.test("") ; { } /self/.test(top)</script>`,
	},
	{
		"templates",
		"<script>say(`a${location.protocol}b${`${top === window} ${{top: 1}.top}`}`, ((s, ...v) => s.raw.join() + v)`x${typeof " +
			"self}\\n${document.title}y`)</script>",
	},
	{
		"optional chaining and nullish",
		`<script>say(window?.location?.protocol, self?.["document"]?.title, top?.nothing?.(), opener ?? "no opener", parent?.self === self, ` +
			`a5?.b); var a5</script>`,
	},
	{
		"assignment operators",
		`<script>(function () { let top = null; top ??= 1; top ||= 2; top &&= 3; top **= 2; let self = 1; self++; --self; ` +
			`say(top, self) })(); window.z5 ??= document.title; say(z5)</script>`,
	},
	{"old comments", "<script><!-- hidden top\nsay(location ? 1 : 0)\n--> top is hidden\n</script>"},
	{
		"byte order mark and hashbang",
		`<script src="/bom.js"></script><script src="/hashbang.js"></script><script>say(fromBOM, fromHashbang)</script>`,
	},
	{
		"comments between",
		`<script>say(location /* . */ . /* top */ protocol, /* self */ top /* => */ === window); ` +
			`const o7 = { top /* : */ : 1, /* self */ self }; say(o7.top, o7.self === window)</script>`,
	},
	{"unicode names", `<script>const été = location.protocol, \u0061b = 2; say(été, ab, "\u2028".length)</script>`},
	{
		"getters and setters",
		`<script>const gs = {get location() { return "g" }, set top(v) { say("s", v) }, get: 1, set: 2, async: 3, static: 4, get eval() { ` +
			`return 5 }}; gs.top = document.title; say(gs.location, gs.get, gs.set, gs.async, gs.static, gs.eval)</script>`,
	},
	{
		"private fields in",
		`<script>class P { #top = 1; static has(o) { return #top in o } m() { return this.#top + this?.#top } } say(P.has(new P), ` +
			`P.has(document), new P().m())</script>`,
	},
	{
		"static blocks",
		`<script>class S { static #x; static { var top = 5; this.#x = top; ` +
			`S.t = typeof self } static get x() { return this.#x } } say(S.x, S.t, top === window)</script>`,
	},
	{"numbers", `<script>say(1_000, 0xff, 1e3, .5, 5..toString(), 10n ** 2n, location ? 1.e1 : 0)</script>`},
	{
		"new",
		`<script>class N { constructor() { this.t = new.target === N } } window.N = N; ` +
			`say(new window.N().t, new (self.N)().t, new self.Date(0).getTime(), new top.Array(2).length)</script>`,
	},
	{"sequence and spread", `<script>say(...[location.protocol, (0, top) === window], Math.max(...[1, 2]), {...{top: 1}}.top)</script>`},
	// eval and its like
	{
		"direct eval keeps its scope",
		`<script>function de(a) { var b = 2; eval("b = a + 1; var c = 3"); return [b, c] } say(de(1), document.title)</script>`,
	},
	{
		"direct eval sees the page",
		`<script>function de2(top) { return eval("[top, location.protocol, typeof self, document.title]") } say(de2(1)); ` +
			`say(eval("location.href") === location.href)</script>`,
	},
	{
		"eval's value",
		`<script>say(eval("1;2"), eval("({a: location ? 1 : 0})").a, eval("if (top) { 5 } else { 6 }"), eval(7), eval())</script>`,
	},
	{
		"eval declares",
		`<script>eval("var ev1 = location.protocol; function ef1() { return top === window } let el1 = 1"); ` +
			`say(ev1, ef1(), typeof el1, window.ev1)</script><script>say(ev1, ef1())</script>`,
	},
	{"strict eval", `<script>"use strict"; eval("var ev2 = location.protocol; say(ev2)"); say(typeof ev2)</script>`},
	{
		"indirect eval",
		`<script>(function (location) { say((0, eval)("location.protocol"), (1, eval)("var ie1 = 3; this === window")) })("mine"); ` +
			`say(ie1, window.ie1); const ge = eval; say(ge("typeof top"), ge("document.title"))</script>`,
	},
	{"eval under another name", `<script>say(window.eval("location.protocol"), self.eval("1 + 1"), eval?.("top === window"))</script>`},
	{
		"new Function",
		`<script>say(new Function("return location.protocol")(), Function("a", "b", "return a + b + typeof top")(1, 2), new ` +
			`Function("location", "return location")("mine"), Function("return this")() === window)</script>`,
	},
	{
		"new Function and its this",
		`<script>say(Function("return this")().location === location, new Function("return this.location.href")() === location.href, (() => ` +
			`{}).constructor("return location.protocol")(), Function("return typeof document")())</script>`,
	},
	{
		"new Function with templates and with",
		"<script>say(new Function('o', 'with (o) { return top + location.protocol }')({top: 1}), new Function('return " +
			"`${location.protocol}`')(), Function.length, (function () {}) instanceof Function, Function.prototype.constructor === " +
			"Function)</script>",
	},
	{"a timer's string", `<script>setTimeout("let ts1 = location.protocol; say(ts1)", 1); setTimeout("say(typeof ts1)", 60)</script>`},
	{
		"a script that a script makes",
		`<script>function make(t) { const s = document.createElement("script"); s.textContent = t; ` +
			`document.head.append(s) } make("let mk1 = location.protocol; class MK {}"); make("say(mk1, typeof MK, 'mk1' in window)"); ` +
			`say(mk1)</script>`,
	},
	{
		"a frame's scripts",
		`<script>const f = document.createElement("iframe"); document.body.append(f); const s = f.contentDocument.createElement("script"); ` +
			`s.textContent = "let fr = top === parent; parent.say(fr, self !== parent, typeof location, self.frameElement === parent.f)"; ` +
			`f.contentDocument.body.append(s)</script>`,
	},
	{
		"a javascript: address",
		`<a id=j href="javascript:void say(location.protocol, typeof top); let ja = 1">j</a><script>document.getElementById("j").click(); ` +
			`setTimeout(() => say(ja), 50)</script>`,
	},
	{
		"handlers and their scope",
		`<form id=f><input name=top value=field><button type=button id=hb onclick="say(top.value, typeof location, id, this === hb, ` +
			`event.type); var own = 1; return false">x</button></form><script>hb.click(); say(typeof own)</script>`,
	},
	{
		"a handler that evaluates",
		`<b id=he onclick="say(eval('this.id'), eval('document.title'))">b</b><script>document.getElementById("he").click()</script>`,
	},
	{
		"modules keep to themselves",
		`<script type=module>let self = 1; const top = 2; say(self, top, typeof this, location.protocol); export {top}; ` +
			`export default location</script><script type=module>say(self === window, typeof top)</script>`,
	},
	{"a written address is loaded", `<script>history.pushState(1, "", "/program/0"); location.href = location.href</script>`},
	{"a written address is assigned", `<script>history.pushState(1, "", "/program/0"); location.assign("/program/0")</script>`},
	{"a written address is replaced", `<script>history.replaceState(1, "", "/program/0"); location.replace(location)</script>`},
	{"json and dates", `<script>say(JSON.stringify({location: 1, top: [2]}), Object.keys({self: 1, ...{parent: 2}}))</script>`},
	{
		"events and elements are copied",
		`<button id=b></button><script>b.onclick = (e) => { const copy = {}; for (const name in e) copy[name] = e[name]; ` +
			`say(copy.target === b, copy.currentTarget === b, copy.srcElement === b, "view" in copy) }; b.click(); ` +
			`for (const tag of ["img", "a", "iframe", "script", "form"]) { const names = []; ` +
			`for (const name in document.createElement(tag)) if (/^(src|href|action|content|inner|base)/.test(name)) ` +
			`names.push(name); say(tag, names.sort()) }</script>`,
	},
	{"errors stop the script", `<script>say(1); location.nothing.more; say("not reached")</script><script>say(2, document.title)</script>`},
	{"a syntax error stops only itself", `<script>say("not reached"); location = ; </script><script>say(typeof top)</script>`},
}

// programScripts are the scripts that programs load.
var programScripts = map[string]string{
	"/shared-a.js": `"use strict"; let fromA = location.protocol; class FromA { top() {} }`,
	"/shared-b.js": `const fromB = fromA + new FromA().constructor.name + document.title`,
	"/bom.js":      "\ufeffvar fromBOM = location ? 'bom' : ''",
	"/hashbang.js": "#!/usr/bin/env top\nvar fromHashbang = location ? 'hashbang' : ''",
}

// TestScriptsMeanWhatTheyMeantLive_long runs each program live and in replay.
func TestScriptsMeanWhatTheyMeantLive_long(t *testing.T) {
	t.Parallel() // it mostly waits
	hasWombat(t)
	a := &archive{}
	live := http.NewServeMux()
	scripts := maps.Clone(programScripts)
	maps.Copy(scripts, grammarFiles)
	maps.Copy(scripts, sitePages)
	maps.Copy(scripts, shownPages)
	maps.Copy(scripts, oldPages)
	for path, script := range scripts {
		kind := mime.TypeByExtension(filepath.Ext(path))
		a.response(host+path, day, "200 OK", script, "Content-Type: "+kind)
		live.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, script)
		})
	}
	for path, body := range answerFiles {
		kind := mime.TypeByExtension(filepath.Ext(path))
		a.response(host+path, "20100101000001", "200 OK", body, append([]string{"Content-Type: " + kind}, answerHead...)...)
		live.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			for _, field := range answerHead {
				name, value, _ := strings.Cut(field, ": ")
				w.Header().Set(name, value)
			}
			fmt.Fprint(w, body)
		})
	}
	programs := slices.Concat(programs, grammarPrograms, sitePrograms, shownPrograms, writtenPrograms, spellingPrograms, edgePrograms,
		answerPrograms, oldPrograms, namedPrograms)
	for i, p := range programs {
		path := fmt.Sprintf("/program/%d", i)
		a.page(host+path, day, saying+p.markup)
		live.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, saying+p.markup)
		})
	}
	origin := httptest.NewServer(live)
	defer origin.Close()
	const workers = 6
	original := browse(t, &server{url: origin.URL}, "proxy-server="+origin.URL).tabs(t, workers, true)
	replayed := browse(t, a.serve(t)).tabs(t, workers, true)
	for _, tab := range slices.Concat(original, replayed) {
		tab.zone(t, "America/New_York")
	}
	var differ atomic.Int64
	sideBySide(len(programs), workers, func(worker, i int) {
		live, now := original[worker], replayed[worker]
		if err := errors.Join(live.goes(fmt.Sprintf("%s/program/%d", host, i)),
			now.goes(fmt.Sprintf("%s/web/%s/%s/program/%d", now.url, day, host, i))); err != nil {
			t.Errorf("%s: %v", programs[i].name, err)
			return
		}
		want, got := saidAlike(live, now)
		if want == "" {
			t.Errorf("%s: the program says nothing", programs[i].name)
		}
		if got != want {
			differ.Add(1)
			t.Errorf("%s: replayed:\n%s\nlive:\n%s", programs[i].name, got, want)
		}
	})
	t.Logf("%d programs, %d differ", len(programs), differ.Load())
}

// saidAlike returns what two pages have said, once that is the same and neither says more, or after a time in which both could.
func saidAlike(original, replayed *stage) (want, got string) {
	const quiet = 300 * time.Millisecond
	for start, since := time.Now(), time.Now(); time.Since(start) < patience; time.Sleep(100 * time.Millisecond) {
		w, g := original.said(), replayed.said()
		if w != want || g != got {
			want, got, since = w, g, time.Now()
		}
		if want == got && want != "" && time.Since(since) > quiet {
			break
		}
	}
	return want, got
}

// said returns what the program in the window has said so far.
func (g *stage) said() string {
	said, _ := chromedp.Run(g.ctx, chromedp.Evaluate[string](`said.join("\n").trim()`))
	return said
}

// zone sets the time zone of the reader in the window.
func (g *stage) zone(t *testing.T, name string) {
	t.Helper()
	err := chromedp.Do(g.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: name})
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
}
