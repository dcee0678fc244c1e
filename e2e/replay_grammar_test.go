package e2e

// grammarPrograms go through what the grammar of scripts allows, as test262 does.
var grammarPrograms = []program{
	// declarations
	{
		"var in a function, assigned by a function above it",
		`<script>function f() { g(); var top; function g() { top = 5 } return top } say(f(), top === window)</script>`,
	},
	{
		"defaults that see later parameters",
		`<script>function f(a = () => parent, parent = 2) { var parent = 3; return [a(), parent] } say(f(), f(undefined, 4)); ` +
			`fails(() => ((a = self, self) => a)())</script>`,
	},
	{
		"patterns in patterns",
		`<script>{ const {a: {location = document.title} = {}, ...parent} = {b: 1}; say(location, JSON.stringify(parent)); ` +
			`const [[self = 1, [top] = [2]] = [], ...[frames]] = [undefined, 3]; say(self, top, frames) } say(self === window)</script>`,
	},
	{
		"dead zones in blocks and cases",
		`<script>{ fails(() => parent); let parent = 1; say(parent) } switch (1) { case 0: let self; case 1: fails(() => { self = 1 }) } ` +
			`fails(() => { for (let location of [location]); }); fails(() => { class frames extends frames {} })</script>`,
	},
	{
		"functions in blocks of functions",
		`<script>function f() { const before = typeof parent; { function parent() { return 1 } } return [before, typeof parent] } ` +
			`function g() { if (0) { function self() {} } return typeof self } ` +
			`function h() { "use strict"; { function self() {} } return self === window } say(f(), g(), h())</script>`,
	},
	{
		"functions in blocks beside let",
		`<script>function f() { let top = 1; { function top() {} } return typeof top } say(f()); ` +
			`{ function frames() { return 7 } } say(typeof frames)</script>`,
	},
	{
		"catch and its variables",
		`<script>try { null.x } catch ({name: parent, message: {length: self}}) { say(parent, self > 0) } ` +
			`function f() { try { throw 1 } catch (top) { var top = 2; say(top) } return top } say(f()); ` +
			`try { throw document } catch { say(top === window) }</script>`,
	},
	{
		"a function's own name",
		`<script>say((function top() { top = 1; return typeof top })()); fails(function self() { "use strict"; self = 1 }); ` +
			`say((class parent { static me() { return parent.name } }).me())</script>`,
	},
	{
		"arguments are parameters",
		`<script>say((function (top) { arguments[0] = 9; return top })(1), (function (location) { "use strict"; arguments[0] = 9; ` +
			`return location })(1), (function () { return arguments[0] === window })(self))</script>`,
	},
	{
		"words that are names",
		`<script>var of = [1, 2], let_ = 0, get = 1, set = 2, async = 3, static_ = 4, from = 5, as = 6, yield = 7, await = 8; ` +
			`for (of of of) let_ += of; say(let_, get, set, async, from, as, yield, await, location ? async : 0); ` +
			`var let = 9; say(let); async = (top) => top; say(async (5), async(self) === window)</script>`,
	},
	{
		"var and let in loops",
		`<script>for (var {length: self2, [0]: parent2 = self === window} of [[], [1]]) say(self2, parent2); ` +
			`for (const [top, {location}] of [[1, {location: 2}]]) say(top, location); for (let in {}); ` +
			`for (let i = 0, parent = 3; i < 1; i++, parent++) say(parent); var let; for (var x in {top}) say(x)</script>`,
	},
	{
		"assigning to what can be replaced",
		`<script>[parent] = [1]; say(parent); ({frames = 5} = {}); say(frames); for (self of [2, 3]); say(self); ` +
			`parent++; say(parent); frames **= 2; say(frames, window.frames); opener = "me"; say(opener, window.opener)</script>`,
	},
	{
		"logical assignment to the window's names",
		`<script>say(typeof (parent &&= "p"), parent, (opener ??= "o"), opener); say((self ||= 1) === window)</script>`,
	},
	{
		"classes in full",
		`<script>class A { static location = "s"; #top() { return "private" } get #self() { return this === globalThis } ` +
			`static #parent = 3; static async *frames() { yield A.#parent } [location.protocol] = 1; static [document.title]() { return ` +
			`2 } ` +
			`all() { return [this.#top(), this.#self, this[location.protocol]] } ` +
			`get top() { return "g" } } class B extends (self, A) { get top() { return super.top + "b" } constructor() { super(); ` +
			`this.t = new.target.name; this.f = () => [super.top, this.top] } } ` +
			`say(new A().all(), A[document.title](), new B().top, new B().t, new B().f(), B.location); ` +
			`(async () => { for await (const x of A.frames()) say(x) })()</script>`,
	},
	{
		"methods in full",
		`<script>const o = {async *location() { yield 1 }, "top"() { return 2 }, 5() { return 3 }, get [location.protocol]() { return ` +
			`4 }, ` +
			`__proto__: {self() { return "proto" }}, self() { return super.self() + "!" }, async: async () => top === window, ` +
			`get() { return 6 }, set() { return 7 }, static() { return 8 }, await() { return 9 }, new() { return 10 }, this: 11}; ` +
			`say(o.top(), o[5](), o[location.protocol], o.self(), o.get(), o.set(), o.static(), o.await(), o.new(), o.this); ` +
			`o.async().then(say); o.location().next().then((x) => say(x.value))</script>`,
	},
	// lexical grammar
	{
		"regular expressions where a division could stand",
		`<script>var g = 2, n = 8; if (top) /location/g.test("location") && say("after a bracket"); {} /top/.exec("top"); ` +
			`say(({}) / 2, (function () {}) / g, [8] / g / 2, n++ /g/ 1, n / g); ` +
			`for (;;) { /self/.test(""); break } say(typeof /x/, void /top/g, !/a/.test("b")); var y = top ? /self/ : /top/; ` +
			`say(y.source); ` +
			`const f = () => /[/\]top]/.source, h = (x) => { return /location/y }; say(f(), h().sticky); ` +
			"say(`${/`top`/.source}`, `${n}` / g)</script>",
	},
	{
		"no semicolons before lines that go on",
		"<script>var n = 1, fn = (x) => x\nvar a = fn\n(top === window)\nvar b = fn\n`x`\nvar c = n\n/2/1\nsay(a, b, c)\n" +
			"var d = n\n++n\nsay(d, n)\nvar e = (() => { return\nlocation })()\nsay(e)\nlet\nq = 1\nsay(q)\nvar async\nasync\nfunction later() " +
			"{ return 5 }\nsay(later())\ndo say(1); while (0) say(top === self)\nx: while (1) { break\nx }\n</script>",
	},
	{
		"comments of all kinds",
		"<script>var a = top/* */=== /*\n*/window\n<!-- old location\nvar b = /* a */ location /* b */ ./**/protocol // top\n--> new location\n" +
			"/* */ --> location\nsay(a, b); // say(nothing)\u2028say('after a separator', typeof self)\n</script>",
	},
	{
		"escapes in names",
		`<script>var \u{61}b = 1, o = {l\u006fcation: 2, t\u{6f}p: 3}; say(ab, o.location, o.top, l\u006fcation.protocol, ` +
			`\u0074op === window, \u{73}elf === window, docu\u006dent === document)</script>`,
	},
	{
		"templates in templates",
		"<script>const t = (s, ...v) => s.raw.join('|') + v.join(); const o = {t}; " +
			"say(t`a${`b${t`c${location.protocol}${{top}.top === window}\\u{}`}`}`, o.t`${(() => { return `}` + self.name })()}`, " +
			"`\\`${'`'}\\${top}${/}/.source}`, new (function () { this.x = 1 })().x, t`a` + t`${[...'xy'].map((top) => " +
			"`${top}`)}`)</script>",
	},
	{
		"optional chains",
		`<script>var n = null; say(n?.location, n?.[location.href], n?.top(), window?.self?.top === top, document?.["title"], ` +
			`self?.eval?.("1 + 1"), top?.5:1, n?.a.b.c.location, (n?.x)?.top, delete n?.x, parent?.location?.["protocol"])</script>`,
	},
	{
		"numbers that end in dots",
		`<script>say(1..toString() + location.protocol, 1.0.toFixed(1), 0x1F, 0b11, 0o17, 1e-7.toString(), .5.toFixed(), 1_0.5, 5n, ` +
			`1?.5:top, [..."ab"].length, {...top?.nothing})</script>`,
	},
	{
		"keywords as properties",
		`<script>var o = {if: 1, class: 2, function: 3, new: 4, return: 5, typeof: 6, in: 7, import: 8, eval: 9, let: 10, this: 11}; ` +
			`say(o.if, o.class, o.function, o.new, o.return / 5, o.typeof, o.in / 7, o.import, o.eval, o.let, o.this); ` +
			`say(o.return /1/ 1, o?.eval, o?.import, o . import, o["eval"])</script>`,
	},
	{
		"labels and blocks that look like objects",
		`<script>location: for (var i = 0; i < 3; i++) { self: for (;;) { continue location } } say(i); ` +
			`{ top: 1 } { location: { break location } } say((() => { parent: 1 })()); say((() => ({parent: 1}).parent)()); ` +
			`if (1) { self: say("labelled") } else parent: say("no"); switch (1) { case 1: top: { break top } default: self: say(2) ` +
			`}</script>`,
	},
	{
		"conditions with objects and arrows",
		`<script>var a = 1 ? {top: 1, self} : {location}, b = top ? (self) => ({self}) : parent => parent; ` +
			`say(a.top, a.self === window, b(1).self, (a ? location : top).protocol, a ? b ? self.name : top : parent); ` +
			`const c = async top => top, d = async (location = 1, {self} = {self: 2}) => [location, self]; c(3).then(say); ` +
			`d().then(say)</script>`,
	},
	{
		"with and what it hides",
		`<script>var o = {location: "mine", top: 1, document: {title: "t"}}; with (o) { say(location, top, document.title, self === ` +
			`window); ` +
			`location = "changed"; var parent3 = 5; (() => say(location, typeof parent))(); with ({top: 2}) say(top, location) } ` +
			`say(o.location, location.protocol, parent3); with (window) { say(location.protocol, typeof document, top === self) } ` +
			`with (document) { say(title, typeof location) }</script>`,
	},
	{
		"with and unscopables",
		`<script>var o = {top: 1, self: 2, [Symbol.unscopables]: {top: true}}; with (o) { say(top === window, self) }</script>`,
	},
	// functions of text
	{
		"kinds of direct eval",
		`<script>var x = "outer"; function f() { var x = "inner"; return [(eval)("x"), (0, eval)("x"), eval?.("x"), eval(...["x"]), ` +
			`eval("x", "y"), (eval, eval)("x"), window.eval("x"), this.eval("x"), ((e) => e("x"))(eval)] } say(f()); ` +
			"say(eval`x`[0], eval.name, eval.length, typeof eval, eval === window.eval, eval(), eval(3), eval([\"x\"])[0]); " +
			`try { new eval("1") } catch (e) { say(e.name) }</script>`,
	},
	{
		"eval under names of one's own",
		`<script>function f(eval) { return eval("x") } say(f((x) => x + "!")); { let eval = (x) => [x]; say(eval("location")) } ` +
			`const {eval: e} = window; var y = 1; say((() => { var y = 2; return e("y") })()); var o = {eval() { return "method" }}; ` +
			`with (o) { say(eval("1")) } say(o.eval("location"))</script>`,
	},
	{
		"eval that declares in functions",
		`<script>function f() { eval("var parent = 5, here = 1; function self() { return 6 }"); return [parent, self(), here] } ` +
			`say(f(), parent === window, typeof here); function g() { eval("let top = 1; const location = 2; class frames {}"); ` +
			`return [top === window, typeof location, frames === window] } say(g()); function h() { "use strict"; eval("var frames = ` +
			`1"); ` +
			`return frames === window } say(h())</script>`,
	},
	{
		"eval that declares for the next",
		`<script>eval("var el = location.protocol"); say(el, delete window.el, typeof el); (0, eval)("var ie = 1; let il = 2; ` +
			`function iff() { ` +
			`return top === window }"); say(ie, typeof il, iff(), Object.getOwnPropertyDescriptor(window, "ie").configurable)</script>` +
			`<script>say(typeof el, ie, typeof il)</script>`,
	},
	{
		"eval in odd places",
		`<script>function f(a = eval("location.protocol"), b = eval("var top = 3; top")) { return [a, b] } say(f()); ` +
			`class C { x = eval("this.y + location.protocol"); y = 1; static { this.z = eval("typeof this") } m() { return ` +
			`eval("super.toString ` +
			`=== Object.prototype.toString") } } const c = new C(); say(c.x, C.z, c.m()); const arrow = (...top) => eval("top.length"); ` +
			`say(arrow(1, 2)); function nt() { return eval("new.target === nt") } say(new nt() instanceof nt, ` +
			`function () { return eval("arguments.length") }(1, 2, 3))</script>`,
	},
	{
		"eval and this",
		`<script>const o = {v: 1, f() { return eval("this.v") }, g() { return (0, eval)("this === window") }, ` +
			`h: () => eval("this === window")}; say(o.f(), o.g(), o.h(), eval("this === self"), eval("(function () { return this })() ` +
			`=== ` +
			`window"), eval("'use strict'; (function () { return this })()"))</script>`,
	},
	{
		"eval's syntax errors",
		`<script>fails(() => eval("let let = 1")); fails(() => eval("location = ")); fails(() => eval("{ location }}")); ` +
			`fails(() => new Function("return top }")); fails(() => Function("a b", "")); say(eval("{}"), eval("({})"), ` +
			`eval("//location"), eval("/* top */ 3"), eval("top\n/* */\n=== window"))</script>`,
	},
	{
		"eval of classes and regular expressions",
		"<script>say(eval('(class { static location = top === window; static self() { return 1 } })').location, " +
			"eval('/top/.source + /[/]location/.source'), eval('`${location.protocol}`'), eval('var a9 = 8, g = 2; a9 / g / top.length " +
			"|| 5'), " +
			"eval('({location: 1, top: {self: 2}}).top.self'), eval('[].concat([{top: 3}]).map(({top}) => top)[0]'), " +
			"eval('(function (location) { return location })(4)'), eval('(() => { var top = 5; return top })()'), " +
			"eval('x9: for (;;) { top: for (;;) { break x9 } } 7'), eval('({get location() { return 6 }}).location'))</script>",
	},
	{
		"functions made of text, all kinds",
		`<script>const kind = (f) => Object.getPrototypeOf(f).constructor; ` +
			`say([...kind(function* () {})("yield location.protocol; yield* [typeof top]")()]); ` +
			`kind(async () => {})("a", "return [await a, location.protocol]")(1).then(say); ` +
			`kind(async function* () {})("yield document.title")().next().then((x) => say(x.value)); ` +
			`say(new Function("a", "b = location.protocol", "return a + b")(1), Function("{location}", "return location")({location: ` +
			`2}), ` +
			`Function("...top", "return top.length")(1, 2), Function("a = top === window", "return a")(), ` +
			`Function.apply(null, ["self", "return self"])(3), Reflect.construct(Function, ["return this === window"])())</script>`,
	},
	{
		"functions made of text have no scope",
		`<script>{ let secret = 1; say(Function("return typeof secret")(), new Function("return typeof location")(), ` +
			`Function()(), Function("").name, Function("a,b", "c", "").length, Function("return arguments.length")(1, 2)) } ` +
			`class F extends Function {} say(new F("return location.protocol")(), new F() instanceof F)</script>`,
	},
	{
		"what functions say of themselves",
		`<script>function plain(a) { return a + 1 } function named() { return location.href + top.name + self } ` +
			`say(plain, named, (location) => location, class { m() { return document } }, {f() { return parent }}.f); ` +
			`say(Function("a", "return location"), eval("(function () { return top })"), Function.prototype.toString.call(named) === ` +
			`named.toString(), /native code/.test(setTimeout), /native code/.test(Function), fetch, Element.prototype.setAttribute, ` +
			`Object.getOwnPropertyDescriptor(Node.prototype, "baseURI").get, postMessage)</script>`,
	},
	{
		"the browser's functions say that they are native, in frames too",
		`<iframe srcdoc="<p>x"></iframe><script>const foreign = (own) => Object.getOwnPropertyNames(own).filter((name) => { ` +
			`const {value} = Object.getOwnPropertyDescriptor(own, name); return typeof value === "function" && !/native code/.test(value) }); ` +
			`const own = foreign(self); addEventListener("load", () => say("said", own, foreign(frames[0])))</script>`,
	},
	{
		"what functions say of this, eval and import",
		`<script>say(function () { return this }, () => this.x, function () { return eval("x") }, () => import("` + host + `/x.mjs"), ` +
			`(a) => import(a), ` +
			`function () { parent.postMessage("x", "*"); top.location = 1; return {location, top} })</script>`,
	},
	{
		"functions made of functions' texts",
		`<script>function where() { return [location.protocol, typeof top, this === window] } const again = eval("(" + where + ")"); ` +
			`say(again(), Function("return (" + where.toString() + ")()")(), again.toString() === where.toString())</script>`,
	},
	{
		"timers and their texts",
		`<script>setTimeout("say(1, location.protocol)", 0); setTimeout("say(2, this === window, typeof top); var later9 = 1", 20); ` +
			`const id = setInterval("say(3, later9); clearInterval(" + "id9)", 40); var id9 = id; setTimeout((a, b) => say(a, b), 60, ` +
			`self === ` +
			`window, location.protocol); setTimeout({toString: () => "say('object', document.title)"}, 80)</script>`,
	},
	// this, globals
	{
		"this everywhere",
		`<script>const f = function () { return this }, s = function () { "use strict"; return this }; say(f() === window, s(), ` +
			`f.call(null) === window, f.call(1) instanceof Number, s.call(1), f.bind(window)() === self, (() => this)() === window, ` +
			`[1].map(function () { return this === window })[0], [1].map(f, document)[0] === document, ` +
			`new (function () { this.location = 1 })().location, {f}.f().f === f, (0, {f}.f)() === window, this.location === ` +
			`location)</script>`,
	},
	{
		"globals by name and by property",
		`<script>var v10 = 1; function f10() {} let l10 = 2; say(window.v10, this.v10, self["v10"], globalThis.v10, "f10" in window, ` +
			`window.l10, Object.keys(window).includes("v10"), delete window.v10, window.hasOwnProperty("v10")); undeclared10 = ` +
			`location.protocol; ` +
			`say(window.undeclared10, delete undeclared10, typeof undeclared10); say(globalThis === window, window.window === window, ` +
			`window.document === document, Object.is(self, globalThis), [window].includes(self), new Set([top, self, ` +
			`parent]).size)</script>`,
	},
	{
		"the window as an object",
		`<script>say(Object.prototype.toString.call(window), String(window), window instanceof EventTarget, window.constructor.name, ` +
			`Object.getPrototypeOf(window) === Window.prototype, Reflect.has(window, "location"), typeof ` +
			`Object.getOwnPropertyDescriptor(window, ` +
			`"location"), window == self, JSON.stringify({w: typeof window}), Object.prototype.toString.call(document), ` +
			`Object.prototype.toString.call(location), location instanceof Location, document.defaultView === window, ` +
			`document.location === location)</script>`,
	},
	{
		"the window in maps, symbols and proxies",
		`<script>const m = new WeakMap([[window, 1], [document, 2]]); say(m.get(self), m.get(window.document), ` +
			`m.get(document.defaultView)); ` +
			`window[Symbol.for("x")] = 3; say(self[Symbol.for("x")]); const p = new Proxy(window, {get: (t, k) => k === "location" ? ` +
			`"proxied" : ` +
			`t[k]}); say(p.location); ` +
			`Object.defineProperty(window, "defined", {get() { return this === window }}); say(defined)</script>`,
	},
	{
		"events and their targets",
		`<script>addEventListener("x", function (e) { say(this === window, e.target === window, e.currentTarget === self, ` +
			`e.composedPath()[0] === window) }); dispatchEvent(new Event("x")); document.addEventListener("y", function (e) { say(this ` +
			`=== ` +
			`document, e.target === document, e.composedPath().includes(window)) }); document.dispatchEvent(new Event("y", {bubbles: ` +
			`true})); ` +
			`const e = new MouseEvent("z", {view: window}); say(e.view === window); ` +
			`onmessage = (e) => say(e.source === window, e.data, e.origin === location.origin); postMessage("hi", "*"); ` +
			`self.postMessage("ho", location.origin)</script>`,
	},
	{
		"handlers by property",
		`<script>window.onx = 1; onclick = function (e) { say(this === window, e.type) }; document.body.click(); ` +
			`document.onclick = function () { say(this === document) }; document.body.click(); onerror = (m) => { say(m); return true }; ` +
			`setTimeout(() => { throw new Error("thrown " + location.protocol) })</script>`,
	},
	{
		"a getter of the window's name",
		`<script>Object.defineProperty(window, "self", {get: () => "got", configurable: true}); say(self); ` +
			`Object.defineProperty(window, "parent", {value: {x: 1}, configurable: true, writable: true}); say(parent.x)</script>`,
	},
	{
		"a universal module in all its forms",
		`<script>(function (g, f) { typeof exports === "object" && typeof module !== "undefined" ? f(exports) : typeof define === ` +
			`"function" ` +
			`&& define.amd ? define(["exports"], f) : (g = typeof globalThis !== "undefined" ? globalThis : g || self, f(g.M1 = {})) ` +
			`})(this, ` +
			`function (e) { e.w = typeof window; e.t = this }); say(M1.w, M1.t === window); !function (e, t) { e.M2 = t(e) }(window, (w) ` +
			`=> ` +
			`w.document === document); say(M2); var root = typeof self == "object" && self.self === self && self || typeof global == ` +
			`"object" && ` +
			`global || this || {}; say(root === window); (1, eval)("this").M3 = 1; say(M3, (function () { return this || (1, ` +
			`eval)("this") })() ` +
			`=== window, Function("return this")().M3)</script>`,
	},
	// what declarations are to other scripts
	{
		"scripts one after the other",
		`<script>let top1 = 1; const parent1 = () => top1; class Self1 { static s = parent1() } var frames1 = Self1.s; function ` +
			`doc1() { return ` +
			`document.title + top1 }</script><script>top1++; say(parent1(), Self1.s, frames1, doc1())</script><script>{ let top1 = 9; ` +
			`say(top1) } ` +
			`say(top1); addEventListener("load", () => say(top1))</script><script type=module>say(top1, parent1(), doc1()); top1 = 7</script>`,
	},
	{
		"a function over a const, and the other way",
		`<script>const k1 = location && 1</script><script>function k1() {} say("not reached")</script><script>function k2() { return ` +
			`2 }</script>` +
			`<script>const k2 = 3; self; say("not reached")</script><script>say(k1, k2()); var k2 = 4; say(k2)</script>` +
			`<script>let k2; document; say("not reached")</script>`,
	},
	{
		"an error before a declaration",
		`<script>say(typeof early, typeof late); document.nothing.x; let late = 1; var early = 2; function hoistedToo() { return 3 ` +
			`}</script>` +
			`<script>say(typeof early, hoistedToo()); fails(() => late)</script>`,
	},
	{
		"asynchronous and deferred scripts",
		`<script defer src="/deferred.js"></script><script>let before11 = location.protocol</script><script>addEventListener("load", ` +
			`() => ` +
			`say(typeof fromDeferred, fromDeferred))</script>`,
	},
	// modules
	{
		"names of the window's that a module imports",
		`<script type=module>import top, {location, self as parent} from "/names.mjs"; import * as document from "/names.mjs"; ` +
			`say(top, location, parent, Object.keys(document), self === window); export {top as frames}; export default self</script>`,
	},
	{
		"what modules export",
		`<script type=module>import * as e from "/exports.mjs"; say(Object.keys(e), e.location, e.parent(), new e.frames().x, e.default, ` +
			`e.self, e.opener); e.set(5); say(e.self)</script>`,
	},
	{
		"import.meta and import()",
		`<script type=module>say(import.meta.url === location.href, new URL("names.mjs", import.meta.url).pathname, typeof ` +
			`import.meta.resolve, ` +
			`import.meta.resolve("./names.mjs") === new URL("names.mjs", location.href).href); const n = "names"; ` +
			`say((await import("/" + n + ".mjs")).default, (await import(/* a chunk */ "/names.mjs")).location, ` +
			"(await import(`/${n}.mjs`)).self, (await import(top ? \"/names.mjs\" : \"/other.mjs\")).default, (await import(new " +
			"URL(\"/names.mjs\", location.href))).default); try { await import(\"/nowhere.mjs\") } catch (e) { say(e.name) }</script>",
	},
	{
		"import() in classic scripts",
		`<script>(async () => { say((await import("/names.mjs")).location, (await import("../names.mjs")).default); ` +
			`await import("bare").catch((e) => say(e.name)); await import("/exports.mjs").then(({default: location}) => say(location)); ` +
			`say((await eval('import("/names.mjs")')).default, (await Function('return import("/names.mjs")')()).self); ` +
			`setTimeout('import("/names.mjs").then((m) => say("timer", m.self))') })()</script>`,
	},
	{
		"a map of imports",
		`<script type=importmap>{"imports": {"names": "/names.mjs", "lib/": "/lib/"}, "scopes": {"/lib/": {"inner": ` +
			`"/exports.mjs"}}}</script>` +
			`<script type=module>import top from "names"; import {deep} from "lib/a.mjs"; say(top, deep, (await ` +
			`import("names")).location)</script>` +
			`<script>import("lib/a.mjs").then((m) => say("classic", m.deep))</script>`,
	},
	{
		"modules of JSON and style sheets",
		`<i id=i></i><script type=module>import data from "/data.json" with { type: "json" }; import sheet from "/sheet.css" with ` +
			`{type: "css"}; ` +
			`document.adoptedStyleSheets = [sheet]; say(data.location, data.list.length, getComputedStyle(i).width, (await ` +
			`import("/data.json", ` +
			`{with: {type: "json"}})).default.top)</script><style>i{display:block}</style>`,
	},
	{
		"modules that import each other",
		`<script type=module>import {a} from "/cycle-a.mjs"; say(a()); export * from "/names.mjs"; export * as top from "/names.mjs"; ` +
			`export {default as location, self as "a name"} from "/names.mjs"</script>`,
	},
	{
		"modules wait",
		`<script type=module>const top = await Promise.resolve(1); for await (const self of [2]) say(self); say(top, await ` +
			`location.protocol, ` +
			`this, typeof arguments); { await 0; function parent() { return 3 } say(parent()) } say(typeof parent)</script>` +
			`<script type=module>import {waited} from "/waits.mjs"; say(waited)</script>`,
	},
	{
		"modules are strict",
		`<script type=module>fails(() => { undeclared12 = 1 }); say((function () { return this })(), typeof undeclared12); var mine12 ` +
			`= 1; ` +
			`fails(() => eval("with ({}) {}")); eval("var inner12 = location.protocol"); say(typeof inner12)</script>` +
			`<script type=module>say(typeof mine12, delete [].length === true)</script>`,
	},
	{
		"modules of data and blobs",
		`<script type=module>import {a} from "data:text/javascript,export const a = typeof location + typeof top"; say(a); const u = ` +
			`URL.createObjectURL(new Blob(["export default location.protocol"], {type: "text/javascript"})); say((await ` +
			`import(u)).default); ` +
			`say((await import("data:text/javascript,export default import.meta.url.slice(0, 5)")).default)</script>`,
	},
	{
		"a script's own element",
		`<script id=me>say(document.currentScript === document.getElementById("me"), document.currentScript.text.length > 0, ` +
			`document.currentScript.src)</script><script src="/current.js?x=1"></script><script ` +
			`type=module>say(document.currentScript)</script>`,
	},
	// mark-up
	{
		"handlers in mark-up, with names of the window's",
		`<a id=a href="/x" onclick="say(location.protocol, top === window, parent === self, this === a, event.target === a, href === ` +
			`a.href); ` +
			`return false">x</a><svg id=s onclick="say(this === s, typeof document.title, evt.type)"></svg><input id=i name=location ` +
			`oninput="let self = 1; say(self, value, name)"><script>a.click(); s.dispatchEvent(new Event("click")); i.value = "v"; ` +
			`i.dispatchEvent(new Event("input")); a.setAttribute("onclick", "say(location.protocol, top === self); return false"); ` +
			`a.click(); ` +
			`say(typeof a.onclick, a.onclick.length)</script>`,
	},
	{
		"handlers that keep a form's scope",
		`<form id=f action="/go" onsubmit="say(typeof action, parent.value, location.value); return false"><input name=parent ` +
			`value=p><input ` +
			`name=location value=l><button id=b onclick="say(parent.value, self === window)">b</button></form><script>b.click()</script>`,
	},
	{
		"elements with names of the window's",
		`<div id=parent></div><form name=self></form><img name=top><p id=mine13>x</p><script>say(parent === window, self === window, ` +
			`top === ` +
			`window, mine13.textContent, window.mine13 === mine13, document.self.tagName, typeof location)</script>`,
	},
	{
		"scripts of other types",
		`<script type="text/template" id=t><a href="/x">${location}</a></script><script type="application/json" id=j>{"location": ` +
			`"/x", "top": ` +
			`1}</script><script type="text/x-unknown">say("not run")</script><script type="">say("empty", ` +
			`location.protocol)</script><script ` +
			`type=" text/javascript ">say("spaces", typeof top)</script><script language=javascript>say("language", self === ` +
			`window)</script>` +
			`<script type=TEXT/ECMASCRIPT>say("capitals", typeof top)</script><script type="module " >say("module", this === ` +
			`undefined)</script>` +
			`<script nomodule>say("not run")</script><script>say(JSON.parse(j.textContent).location, t.textContent)</script>`,
	},
}

// grammarFiles are what they load.
var grammarFiles = map[string]string{
	"/deferred.js": `let fromDeferred = before11 + document.readyState; say(document.currentScript !== null, this === window)`,
	"/names.mjs":   `export const location = "their location", self = "their self"; export default "their default"`,
	"/exports.mjs": `export let location = 1, self = 2; export function parent() { return typeof parent } export class frames { x ` +
		`= top === window } export default class top {}; export { document as opener }; const document = 3; export const set = (x) ` +
		`=> { self = x }`,
	"/lib/a.mjs":   `import x, { location } from "inner"; import top from "names"; export const deep = [typeof x, location, top].join()`,
	"/cycle-a.mjs": `import { b } from "./cycle-b.mjs"; export function a() { return "a" + b() + typeof location }`,
	"/cycle-b.mjs": `import { a } from "./cycle-a.mjs"; export const b = () => "b" + typeof a + (self === window)`,
	"/waits.mjs":   `export const waited = await import("./names.mjs").then((m) => m.default + location.protocol)`,
	"/current.js": `say(document.currentScript.getAttribute("src"), new URL(document.currentScript.src).pathname, new ` +
		`URL(document.currentScript.src).search)`,
	"/data.json": `{"location": "/x", "top": 1, "list": [1, 2]}`,
	"/sheet.css": `i{width:21px}`,
}
