package e2e

import (
	"errors"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestScriptsSeeTheArchivedPage_long runs scripts under wombat. What they read about themselves must be what they would
// have read on the live web, and their declarations must be where they look for them.
func TestScriptsSeeTheArchivedPage_long(t *testing.T) {
	t.Parallel() // it mostly waits
	hasWombat(t)
	const page = host + "/scripts"
	tests := []struct {
		name, scripts string // mark-up that leaves its result in window.result
		want          string
	}{
		{"location", `<script>result = location.href</script>`, page},
		{
			"location's parts", `<script>result = [location.host, location.pathname, location.protocol, window.location.origin].join()</script>`,
			"replay.example,/scripts,http:,http://replay.example",
		},
		{"location by other names", `<script>result = [self.location.href, document.location.href, top.location.href, ` +
			`globalThis.location.href, String(window.location)].every((x) => x === "` + page + `")</script>`, "true"},
		{
			"document.URL", `<script>result = [document.URL, document.documentURI, document.baseURI].join()</script>`,
			strings.Join([]string{page, page, page}, ","),
		},
		{"document.domain", `<script>result = document.domain</script>`, "replay.example"},
		{"top and parent are the page itself", `<script>result = [top === window, parent === self, window.top === window.self, frames === ` +
			`window].join()</script>`, "true,true,true,true"},
		{"a link's address", `<a id=a href="/other?x=1#y">a</a><script>const a = document.getElementById("a"); result = [a.href, ` +
			`a.getAttribute("href"), a.host, a.pathname].join()</script>`, host + "/other?x=1#y,/other?x=1#y,replay.example,/other"},
		{
			"the address of a host", `<a id=a href="http://other.example">a</a><script>const a = document.getElementById("a"); a.innerHTML = ` +
				`"<img src='http://Other.example:80/a b?c d'>"; result = [a.href, String(a), a.firstChild.src].join()</script>`,
			"http://other.example/,http://other.example/,http://other.example/a%20b?c%20d",
		},
		{"an image's address", `<script>const i = new Image(); i.src = "/picture.png"; result = i.src</script>`, host + "/picture.png"},
		{
			"let, const and class reach the next script",
			`<script>let a = location.pathname; const b = 2; class C { get x() { return 3 } }</script><script>result = [a, b, new ` +
				`C().x].join()</script>`, "/scripts,2,3",
		},
		{"functions reach the next script", `<script>function f() { return location.pathname } async function g() {} function* h() { ` +
			`yield 1 }</script><script>result = [f(), typeof g, [...h()].join()].join()</script>`, "/scripts,function,1"},
		{"and an earlier handler", `<b id=b onclick="result = say(location.pathname)">b</b><script>const say = (x) => "said " + x; ` +
			`document.getElementById("b").click()</script>`, "said /scripts"},
		{"var is a property of window", `<script>var v = location && 1; result = window.v + self.v</script>`, "2"},
		{
			"this is the window", `<script>this.q = 5; result = [q, this === window, (function () { return this === window })()].join()</script>`,
			"5,true,true",
		},
		{"eval keeps its scope", `<script>function f() { let x = 4; eval("x = 7; var y = 1"); return x + y } result = f()</script>`, "8"},
		{"eval of location", `<script>result = eval("location.href")</script>`, page},
		{"indirect eval is global", `<script>(0, eval)("var ie = 3"); result = window.ie</script>`, "3"},
		{"new Function", `<script>result = new Function("a", "b", "return a + b")(1, 2)</script>`, "3"},
		{"a timer's string", `<script>result = 0; setTimeout("result = 'later'", 0)</script>`, "later"},
		{"a local named location", `<script>(function (location) { result = location })("mine"); (() => { const top = 1, self = 2; result ` +
			`+= top + self })()</script>`, "mine3"},
		{
			"destructuring", `<script>const { location: { pathname }, document: d } = window; result = pathname + (d === document)</script>`,
			"/scriptstrue",
		},
		{"template literals", "<script>result = `${location.host}/${`${document.title}`}`</script>", "replay.example/scripts"},
		{
			"a regular expression that looks like code",
			`<script>result = /location = "top"/.test('location = "top"') && "a/location/b".split(/\//)[1]</script>`, "location",
		},
		{
			"optional chaining", `<script>result = [window?.location?.pathname, self?.["location"].host].join()</script>`,
			"/scripts,replay.example",
		},
		{
			"a label, a key and a method of that name",
			`<script>const o = { top: 1, location() { return 2 }, get self() { return 3 }, document: 4 }; result = [o.top, o.location(), ` +
				`o.self, o.document].join()</script>`, "1,2,3,4",
		},
		{
			"shorthand keys", `<script>const p = { location, document }; result = p.location.href + (p.document === document)</script>`,
			page + "true",
		},
		{"a class field named location", `<script>class K { location = 5; static top = 6; parent() { return this.location } } result = ` +
			`new K().parent() + K.top</script>`, "11"},
		{"cookies", `<script>document.cookie = "a=1; path=/"; document.cookie = "b=2; domain=.replay.example"; result = ` +
			`document.cookie.split("; ").filter((c) => /^[ab]=/.test(c)).sort().join()</script>`, "a=1,b=2"},
		{
			"cookies of varve's own and of other hosts",
			`<script>document.cookie = "varve-go=*; path=/"; document.cookie = "c=3; path=/; domain=127.0.0.1"; result = 0; ` +
				`cookieStore.set({name: "varve-go", value: "*", path: "/"}).then(() => ` +
				`cookieStore.set({name: "d", value: "4", path: "/", domain: "127.0.0.1"})).catch(() => {}).then(() => ` +
				`cookieStore.getAll()).then((all) => { result = all.map((c) => c.name + (c.domain || "") + (c.path === "/"))` +
				`.filter((c) => /^(c|d|varve)/.test(c)).sort().join() })</script>`,
			"dfalse", // document.cookie refuses another host's, as browsers do; cookieStore, which http pages don't have live, keeps it for the page
		},
		{"localStorage", `<script>localStorage.setItem("k", "v"); result = localStorage.getItem("k") + localStorage.k + ` +
			`localStorage.length</script>`, "vv1"},
		{"sessionStorage", `<script>sessionStorage.s = "w"; result = sessionStorage.getItem("s")</script>`, "w"},
		{"postMessage", `<script>result = 0; addEventListener("message", (e) => { result = e.data + " from " + e.origin }); ` +
			`window.postMessage("hello", "http://replay.example")</script>`, "hello from http://replay.example"},
		{"postMessage of a frame", `<script>result = 0; addEventListener("message", (e) => { result = e.data + " at " + e.origin ` +
			`})</script><iframe src="/frame"></iframe>`, "frame of http://replay.example/frame, false true, at http://replay.example"},
		{
			"history", `<script>history.pushState({ n: 1 }, "", "/pushed?x"); result = location.href + history.state.n</script>`,
			host + "/pushed?x1",
		},
		{
			"fetch", `<script>result = 0; fetch("/data.json").then((r) => r.json().then((j) => { result = j.a + " " + r.url }))</script>`,
			"http://else.example/a http://replay.example/data.json",
		},
		{"XMLHttpRequest", `<script>const x = new XMLHttpRequest(); x.open("GET", "data.json", false); x.send(); result = ` +
			`JSON.parse(x.responseText).a + " " + x.responseURL</script>`, "http://else.example/a http://replay.example/data.json"},
		{
			"the date is the capture's", `<script>result = new Date().getUTCFullYear() + "-" + new Date(Date.now()).getUTCFullYear()</script>`,
			"2010-2010",
		},
		{"document.write", `<script>document.write('<a id=w href="http://else.example/w">w</a>'); result = ` +
			`document.getElementById("w").href</script>`, "http://else.example/w"},
		{"innerHTML reads back", `<div id=d></div><script>const d = document.getElementById("d"); d.innerHTML = '<img ` +
			`src="http://replay.example/picture.png">'; result = d.innerHTML</script>`, `<img src="http://replay.example/picture.png">`},
		{"a module", `<script type=module>import { name, where } from "/module.js"; window.result = name + " " + where + " " + ` +
			`location.pathname</script>`, "module http://replay.example/module.js /scripts"},
		{"a dynamic import", `<script>result = 0; import("/module.js").then((m) => { result = m.name })</script>`, "module"},
		{"an import map", `<script type=importmap>{"imports": {"mapped": "/module.js", "dir/": "/"}}</script><script type=module>import { ` +
			`name } from "mapped"; import * as again from "dir/module.js"; window.result = name + again.name</script>`, "modulemodule"},
		{"a worker", `<script>result = 0; new Worker("/worker.js").onmessage = (e) => { result = e.data }</script>`, "http://else.example/a"},
		{
			"a module worker", `<script>result = 0; new Worker("/worker.mjs", { type: "module" }).onmessage = (e) => { result = e.data }</script>`,
			"module http://else.example/a",
		},
		{"a worker of a blob", `<script>result = 0; new Worker(URL.createObjectURL(new Blob(["postMessage('blob')"]))).onmessage = (e) => ` +
			`{ result = e.data }</script>`, "blob"},
		{"jQuery's JSONP", `<script>function jQuery17_99(x) { result = x.n } const s = document.createElement("script"); s.src = ` +
			`"/jsonp?callback=jQuery17_99&_=12345"; document.head.append(s)</script>`, "7"},
		{
			"a script by its element", `<script src="/classic.js"></script><script>result = fromClassic + currentSource</script>`,
			"classic " + host + "/classic.js",
		},
		{"a handler attribute", `<b id=h onclick="result = location.href + this.id + ` +
			`event.type">h</b><script>document.getElementById("h").click()</script>`, page + "hclick"},
		{"a javascript: link", `<a id=j href="javascript:void(result = location.pathname)">j</a><script>result = 0; ` +
			`document.getElementById("j").click()</script>`, "/scripts"},
		{"a javascript: address that goes on", `<a id=j href="javascript:'<b>linked</b>'+">j</a><script>result = 0; ` + // is no document
			`location = "javascript:'<b>set</b>'+"; j.click(); setTimeout(() => { result = document.links.length }, 300)</script>`, "1"},
		{"a comment in old style", "<script><!--\nresult = location.pathname\n//--></script>", "/scripts"},
		{"CDATA in a script", "<script>//<![CDATA[\nresult = location.pathname\n//]]></script>", "/scripts"},
		{"no semicolons", "<script>let q1 = location\nlet q2 = q1.pathname\n;[q2].forEach((x) => { result = x })</script>", "/scripts"},
		{"let twice in blocks", `<script>let z = 1; { let z = location; } for (let i = 0, top = 2; i < 1; i++) z += top; result = ` +
			`z</script>`, "3"},
		{"a generator and a label", `<script>function* gen() { const location = yield 1; return location } const it = gen(); it.next(); ` +
			`outer: for (;;) { break outer } result = it.next("sent").value</script>`, "sent"},
		{"typeof and delete", `<script>result = [typeof location, typeof top, typeof undefinedThing].join()</script>`, "object,object,undefined"},
		{"window in a strict function", `<script>(function () { "use strict"; window.answer = 42; window.result = window.answer + ` +
			`String(window === globalThis) })()</script>`, "42true"},
		{"a universal module", `<script>(function (root, factory) { if (typeof define === "function" && define.amd) define([], factory); ` +
			`else root.Lib = factory() }(this, function () { return { v: 9 } })); result = Lib.v</script>`, "9"},
		{"arguments at top level of a function", `<script>function ar() { location.hash; return arguments.length } result = ar(1, ` +
			`2)</script>`, "2"},
	}
	a := &archive{}
	a.response(host+"/data.json", day, "200 OK", `{"a": "http://else.example/a"}`, "Content-Type: application/json")
	a.page(host+"/frame", day, `<script>parent.postMessage("frame of " + location.href + ", " + (parent === window) + " " + (top === `+
		`parent) + ",", "*")</script>`)
	for name, js := range map[string]string{
		"/module.js":  `export const name = "module"; export const where = import.meta.url`,
		"/classic.js": `var fromClassic = "classic ", currentSource = document.currentScript.src`,
		"/worker.js":  `fetch("/data.json").then((r) => r.json()).then((j) => postMessage(j.a))`,
		"/worker.mjs": `import { name } from "/module.js"; fetch("/data.json").then((r) => r.json()).then((j) => ` +
			`postMessage(name + " " + j.a))`,
		"/jsonp?callback=jQuery18_1&_=777": `jQuery18_1({"n": 7})`,
	} {
		a.response(host+name, day, "200 OK", js, "Content-Type: text/javascript")
	}
	for i, tt := range tests {
		stamp := "201001010000" + string([]byte{'0' + byte(i/10), '0' + byte(i%10)})
		if i >= 60 {
			t.Fatal("a minute has room for sixty captures")
		}
		a.page(page, stamp, "<!doctype html><title>scripts</title><body>"+tt.scripts)
	}
	const workers = 6
	g := browse(t, a.serve(t))
	tabs := g.tabs(t, workers, true)
	sideBySide(len(tests), workers, func(worker, i int) {
		tab, tt := tabs[worker], &tests[i]
		err := tab.goes(tab.url + "/web/201001010000" + string([]byte{'0' + byte(i/10), '0' + byte(i%10)}) + "/" + page)
		got, failed := chromedp.Run(tab.ctx, chromedp.Evaluate[string](`new Promise((done) => { const start = performance.now(), `+
			`f = () => (typeof result !== "undefined" && result) || performance.now() - start > 60000 ? `+
			`done(String(typeof result === "undefined" ? "nothing" : result)) : setTimeout(f, 20); f() })`, chromedp.EvalAwaitPromise))
		if err = errors.Join(err, failed); err != nil || got != tt.want {
			t.Errorf("%s:\n got %s (%v)\nwant %s", tt.name, got, err, tt.want)
		}
	})
	g.settle()
	g.contained(t)
}
