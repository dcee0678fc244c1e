package e2e

// sitePrograms do what pages do that others have found hard to replay.
var sitePrograms = []program{
	{
		"texts of functions of all kinds",
		`<script>(async () => { const [A, G, B] = [async () => {}, function* () {}, async function* () {}].map((f) => f.constructor); ` +
			`say(await new A("await 0; with ({b: 1}) { return location.pathname + b + (window === top) + this.document.URL }")(), ` +
			`G("a", "yield a + location.host")(1).next().value, (await new B("yield document.location.href")().next()).value, ` +
			`(async () => {}) instanceof A, new G("") instanceof G, A.name, A.prototype.constructor === A, ` +
			`Object.getOwnPropertyDescriptor(B.prototype, "constructor").writable, Function("return location.href")(), ` +
			`(() => {}).constructor === Function, await A("location", "return location")("mine")) })()</script>`,
	},
	{
		"objects that answer to every name",
		`<script>var all = new Proxy({}, { get: (of, name) => ({ name }) }), one = new Proxy({}, { get(of, name) { if (name !== "a") ` +
			`throw new Error("no " + String(name)); return "an a" } }); window.held = all; frames.odd = new Proxy(window, { get: (of, ` +
			`name) => name }); function asked() { return this.a } say(globalThis.all.x.name, window.all === all, self.held.z.name, ` +
			`window.one.a, asked.call(one), asked.call(all).name, window.odd.name, asked.call(window.odd)); ` +
			`try { window.one.b } catch (e) { say(e.message) }</script>`,
	},
	{
		"the window's class replaced",
		`<script>window.Window = function () {}; window.Document = undefined; window.Location = null; const d = ` +
			`document.createElement("div"); d.innerHTML = "<a href=/x>x</a>"; document.body.append(d); say(d.firstChild.pathname); ` +
			`addEventListener("message", (e) => say(e.data, e.source === window)); postMessage("m", "*")</script>`,
	},
	{
		"the browser's functions replaced",
		`<script>Array.prototype.map = function () { return "mapped" }; String.prototype.startsWith = () => true; JSON.stringify = () ` +
			`=> "no"; Object.keys = () => []; window.URL = function (u) { this.href = "mine" }; Object.prototype.extra = 1; const a = ` +
			`document.createElement("a"); a.href = "/path?q#h"; say(a.pathname, a.search, a.hash, new URL("x").href); const i = new ` +
			`Image; i.src = "/x.svg"; say(i.getAttribute("src")); document.write("<b id=w>written</b>"); say(w.textContent)</script>`,
	},
	{
		"addresses that elements tell",
		`<a id=a href="/path/x.html?q=1#h">a</a><img id=i src="/x.svg" srcset="/x.svg 1x, /y.svg 2x"><form id=f ` +
			`action="/go"></form><link id=l rel=alternate href="feed.xml"><script id=s src="/empty.js"></script><iframe id=fr ` +
			`src="/page.html"></iframe><script>say(a.href, a.host, a.origin, a.pathname, a.search, a.hash, a.protocol, ` +
			`a.getAttribute("href"), a.attributes.href.value); say(i.src, i.srcset, i.getAttribute("srcset"), f.action, ` +
			`f.getAttribute("action"), l.href, s.src, s.getAttribute("src"), fr.src, fr.getAttribute("src")); say(String(a)); ` +
			`say(a.cloneNode().href, a.getAttributeNode("href").value, a.getAttributeNames(), ` +
			`i.attributes.getNamedItem("src").nodeValue)</script>`,
	},
	{
		"addresses that scripts set",
		`<script>const a = document.createElement("a"), i = new Image(); a.href = "rel"; say(a.href, a.getAttribute("href")); ` +
			`a.setAttribute("href", "//cdn.example/x"); say(a.href, a.getAttribute("href")); a.search = "?y"; say(a.href); a.pathname = ` +
			`"/z"; say(a.href); a.hash = "w"; say(a.href); a.host = "b.example"; say(a.href); a.removeAttribute("href"); say(a.href === ` +
			`"", a.getAttribute("href")); i.srcset = "/x.svg 2x"; say(i.srcset, i.getAttribute("srcset")); i.setAttribute("srcset", ` +
			`"/y.svg"); say(i.srcset); a.href = "mailto:a@b.example"; say(a.href, a.protocol); a.href = "javascript:void 0"; ` +
			`say(a.href); a.href = "#x"; say(a.getAttribute("href"), a.hash, a.href === location.href + "#x"); a.href = ""; say(a.href ` +
			`=== location.href)</script>`,
	},
	{
		"looking for elements by their address",
		`<a id=a href="/path/x.html">a</a><a id=b href="http://cdn.example/y">b</a><img id=i src="x.svg"><script>const q = (s) => ` +
			`[...document.querySelectorAll(s)].map((e) => e.id); say(q('a[href="/path/x.html"]'), q('a[href^="/path"]'), ` +
			`q('a[href^="http"]'), q("[href*='cdn.example']"), q('img[src="x.svg"]'), a.matches('[href="/path/x.html"]'), ` +
			`!!document.querySelector('a[href^="/"]'), a.closest('[href^="/path"]') === a, q('a:not([href^="http"])'));</script>`,
	},
	{
		"styles that look at addresses",
		`<style>a{color:rgb(1,1,1)}a[href^="http"]{color:rgb(2,2,2)}a[href^='https://cdn.example/']{color:rgb(3,3,3)}` +
			`a[href="http://one.example"]{color:rgb(4,4,4)}a[href$=".pdf"]{font-weight:700}a.last{color:rgb(5,5,5)}</style>` +
			`<a href="/x">1</a><a href="http://cdn.example/y.pdf">2</a><a href="https://cdn.example/z">3</a><a href="http://one.example">4` +
			`</a><a class=last href="http://two.example/">5</a><a href="mailto:a@b.example">6</a><script>for (const a of ` +
			`document.links) { const { color, fontWeight } = getComputedStyle(a); say(a.textContent, color, fontWeight) }</script>`,
	},
	{
		"attributes in data",
		`<div id=d data-src="/x.svg" data-url="http://cdn.example/y" data-json='{"u":"/z"}'></div><script>say(d.dataset.src, ` +
			`d.dataset.url, d.dataset.json, d.getAttribute("data-src")); d.dataset.more = "/w"; say(d.outerHTML); const i = new Image; ` +
			`i.src = d.dataset.src; i.onload = () => say("loaded", i.src)</script>`,
	},
	{
		"styles that name pictures",
		`<div id=d style="background:url(/x.svg)"></div><style>#d::after{content:url("/x.svg")} ` +
			`:root{--u:url(/x.svg)}</style><script>say(d.style.backgroundImage); d.style.backgroundImage = "url('rel.svg')"; ` +
			`say(d.style.backgroundImage, d.style.getPropertyValue("background-image")); d.style.cssText = ` +
			`"background:url(http://cdn.example/z.svg)"; say(getComputedStyle(d).backgroundImage, ` +
			`document.styleSheets[0].cssRules[0].style.content)</script>`,
	},
	{
		"mark-up that scripts set and read",
		`<div id=d></div><script>d.innerHTML = "<a href='/x'>x</a><img src=/x.svg><style>b{background:url(/x.svg)}</style>"; ` +
			`say(d.firstChild.getAttribute("href"), d.firstChild.href, d.children[1].getAttribute("src")); ` +
			`d.insertAdjacentHTML("beforeend", "<a href=//cdn.example/y>y</a>"); say(d.lastChild.href, d.lastChild.outerHTML); ` +
			`d.outerHTML = "<p id=p><a href=z>z</a></p>"; say(p.innerHTML, p.firstChild.href); const r = document.createRange(); ` +
			`r.selectNode(document.body); p.append(r.createContextualFragment("<img src='/x.svg'>")); say(p.lastChild.src); const o = ` +
			`new DOMParser().parseFromString("<a href='/x'>x</a>", "text/html"); say(o.querySelector("a").getAttribute("href"), ` +
			`o.body.innerHTML); const t = document.createElement("template"); t.innerHTML = "<img src='/t.svg'>"; ` +
			`say(t.content.firstChild.getAttribute("src"), t.innerHTML); p.replaceChildren(t.content.cloneNode(true)); ` +
			`say(p.innerHTML)</script>`,
	},
	{
		"mark-up that is written in pieces",
		`<script>document.write("<di"); document.write("v id=d><a hre"); document.write("f='/x'>x</a></div><scr" + ` +
			`"ipt>say('written', location.protocol, typeof top)</scr" + "ipt>"); say(d.firstChild.href, d.firstChild.textContent); ` +
			`document.writeln("<p id=p>", "two", "</p>"); say(p.textContent); document.write("<script src='/says.js'></scr" + ` +
			`"ipt>")</script><script>say("after")</script>`,
	},
	{
		"a document written anew",
		`<iframe id=f></iframe><script>const w = f.contentWindow, d = f.contentDocument; d.open(); d.write("<!doctype ` +
			`html><title>t</title><a id=a href='/x'>x</a><script>parent.say(document.title, location.href, typeof top, a.href, ` +
			`document.URL, parent === top)</scr" + "ipt>"); d.close(); say(d.compatMode, d.getElementById("a").pathname, w.document === ` +
			`d, w.location.href)</script>`,
	},
	{
		"history and where a page is",
		`<script>const at = () => [location.pathname, location.search, location.hash, document.URL === location.href, ` +
			`document.documentURI === location.href, document.baseURI === location.href, document.location.href === ` +
			`location.href].join(); say(at()); history.pushState({a: 1}, "", "/pushed/x?y=1#z"); say(at(), history.state.a, new URL("n", ` +
			`location).pathname, new URL("n", document.baseURI).pathname); history.replaceState(null, "", "rel"); say(at()); ` +
			`history.pushState(2, "", "?q=only"); say(at()); history.pushState(3, "", "#frag"); say(at()); history.pushState(4, "", ` +
			`location.origin + "/abs"); say(at()); try { history.pushState(5, "", "http://other.example/"); say("allowed") } catch { ` +
			`say("refused") } const a = document.createElement("a"); a.href = "n"; say(a.pathname); history.pushState(6, ""); say(at()); ` +
			`addEventListener("popstate", (e) => say("back", e.state, location.pathname)); history.go(-2)</script>`,
	},
	{
		"fragments",
		`<a id=a href="#one">1</a><a id=b href="/program/none#two">2</a><script>addEventListener("hashchange", (e) => say(new ` +
			`URL(e.oldURL).hash, new URL(e.newURL).hash)); a.click(); location.hash = "three"; say(location.hash, ` +
			`location.href.endsWith("#three")); location.href = "#four"; say(location.hash); location = "#five"; say(location.hash); ` +
			`location.replace("#six"); say(location.hash); location.assign("#seven"); say(location.hash)</script>`,
	},
	{
		"the location in pieces",
		`<script>say(location, location.host, location.hostname, location.port === "", location.origin, location.protocol, ` +
			`location.ancestorOrigins.length, Object.keys(location).includes("href"), ` +
			`JSON.stringify(location).includes("replay.example"), location.toString() === location.href, location + "" === ` +
			`location.href, new URL(location).host, location.valueOf() === location, "href" in location, typeof location.assign, typeof ` +
			`location.reload, {...location}.host, document.domain, self.origin)</script>`,
	},
	{
		"asking for things",
		`<script>(async () => { const r = await fetch("/data.json"); say(r.url, r.ok, r.redirected, r.type, (await ` +
			`r.json()).location); const q = new Request("/data.json", {headers: {a: "b"}}); say(q.url, q.method, q.mode, (await ` +
			`fetch(q)).status, new Request(q).url); say((await fetch("/nowhere")).status); const x = new XMLHttpRequest(); x.open("GET", ` +
			`"data.json/../../data.json"); x.responseType = "json"; x.onload = () => say(x.responseURL, x.response.top, x.status, ` +
			`x.getResponseHeader("content-type")); x.send(); x.onloadend = async () => { say((await fetch(new URL("/data.json", ` +
			`location)).then((r) => r.text())).length, (await fetch(location.origin + "/data.json")).url, (await (await ` +
			`fetch("data:text/plain,hi")).text())); } })()</script>`,
	},
	{
		"cookies",
		`<script>document.cookie = "a=1"; document.cookie = "b=2; path=/; SameSite=Lax"; document.cookie = "c=3; path=/elsewhere"; ` +
			`document.cookie = "d=4; domain=replay.example"; document.cookie = "e=5; max-age=0"; say(document.cookie.split("; ` +
			`").sort()); document.cookie = "a=; expires=Thu, 01 Jan 1970 00:00:00 GMT"; say(/a=/.test(document.cookie), ` +
			`navigator.cookieEnabled)</script>`,
	},
	{
		"stores",
		`<script>localStorage.setItem("k", "v"); localStorage.l = 2; say(localStorage.k, localStorage.getItem("l"), ` +
			`localStorage.length, Object.keys(localStorage).sort(), "k" in localStorage, localStorage.nothing, ` +
			`localStorage.getItem("nothing"), localStorage instanceof Storage); delete localStorage.k; say(localStorage.getItem("k")); ` +
			`localStorage.clear(); say(localStorage.length); sessionStorage.s = {}; say(sessionStorage.s, ` +
			`Storage.prototype.getItem.call(sessionStorage, "s")); sessionStorage.clear()</script>`,
	},
	{
		"databases, caches and channels",
		`<script>const c = new BroadcastChannel("c"), d = new BroadcastChannel("c"); d.onmessage = (e) => say(e.data, e.origin === ` +
			`location.origin, d.name); c.postMessage("channel"); const o = indexedDB.open("db"); o.onupgradeneeded = () => ` +
			`o.result.createObjectStore("s"); o.onsuccess = () => { say([...o.result.objectStoreNames]); o.result.close(); ` +
			`indexedDB.deleteDatabase("db") }; o.onerror = () => say("error")</script>`,
	},
	{
		"observers",
		`<div id=d></div><script>new MutationObserver((l) => l.forEach((m) => say(m.type, m.attributeName, m.target.getAttribute && ` +
			`m.target.getAttribute(m.attributeName), [...m.addedNodes].map((n) => n.nodeName)))).observe(d, {attributes: true, ` +
			`childList: true, attributeOldValue: true, subtree: true}); d.innerHTML = "<a href='/x'>x</a>"; d.firstChild.href = "/y"; ` +
			`d.title = "t"</script>`,
	},
	{
		"elements of one's own",
		`<x-link href="/mark-up"></x-link><script>customElements.define("x-link", class extends HTMLElement { static ` +
			`observedAttributes = ["href", "src"]; constructor() { super(); this.attachShadow({mode: "open"}).innerHTML = "<a ` +
			`href='/shadow'><slot></slot></a><img src='/x.svg'>" } attributeChangedCallback(n, o, v) { say(n, o, this.getAttribute(n)) } ` +
			`connectedCallback() { say("connected", this.getAttribute("href"), this.shadowRoot.firstChild.href) } }); const e = ` +
			`document.createElement("x-link"); e.setAttribute("src", "/set"); document.body.append(e); class L extends HTMLAnchorElement ` +
			`{ get where() { return this.href } } customElements.define("x-a", L, {extends: "a"}); const l = document.createElement("a", ` +
			`{is: "x-a"}); l.href = "/builtin"; say(l.where)</script>`,
	},
	{
		"declared shadow trees",
		`<div id=h><template shadowrootmode=open><style>i{display:block;width:9px}</style><i></i><img src="/x.svg" ` +
			`onload="window.drawn = this.width"><a ` +
			`href="/s">s</a></template></div><script>say(h.shadowRoot.querySelector("a").href, ` +
			`getComputedStyle(h.shadowRoot.querySelector("i")).width); addEventListener("load", () => say("shadow picture", drawn))</script>`,
	},
	{
		"vector graphics",
		`<svg width=20 height=20><defs><pattern id=p width=4 height=4></pattern></defs><image id=im href="/x.svg" width=5 height=5 ` +
			`/><use id=u href="#p" /><a id=a href="/link"><rect id=r width=5 height=5 fill="url(#p)" ` +
			`/></a></svg><script>say(im.getAttribute("href"), u.href.baseVal, r.getAttribute("fill"), getComputedStyle(r).fill); ` +
			`im.setAttributeNS("http://www.w3.org/1999/xlink", "xlink:href", "/y.svg"); say(im.getAttribute("xlink:href"), ` +
			`im.getAttributeNS("http://www.w3.org/1999/xlink", "href")); im.href.baseVal = "/z.svg"; say(im.getAttribute("href")); ` +
			`r.setAttribute("fill", "url(#q)"); say(r.getAttribute("fill"))</script>`,
	},
	{
		"a base",
		`<base href="/based/"><a id=a href="x">x</a><svg><use id=u href="#s" /></svg><script>say(a.href, document.baseURI, new ` +
			`URL("y", document.baseURI).pathname, document.querySelector("base").href, ` +
			`document.querySelector("base").getAttribute("href"));</script>`,
	},
	{
		"forms",
		`<form id=f method=get action="find"><input name=q value=v><input type=hidden name=action value=other><button id=b ` +
			`formaction="/elsewhere" name=n value=1>go</button></form><script>say(f.method, b.formAction, b.getAttribute("formaction"), ` +
			`[...new FormData(f, b)].join("|"), new URLSearchParams(new FormData(f)).toString()); f.addEventListener("submit", (e) => { ` +
			`e.preventDefault(); say("submit", e.submitter === b, f.querySelector("input").form === f) }); b.click(); ` +
			`f.requestSubmit()</script>`,
	},
	{
		"frames and their windows",
		`<iframe id=f name=inner src="/page.html"></iframe><script>say(frames.length, frames[0] === f.contentWindow, window[0] === ` +
			`f.contentWindow, f.contentWindow.parent === window, f.contentWindow.top === top, f.contentWindow.frameElement === f); ` +
			`f.onload = () => { const w = f.contentWindow; say(w.location.pathname, f.contentDocument.title, f.contentDocument.URL === ` +
			`w.location.href, w.fromPage, w instanceof w.Window, f.contentDocument.querySelector("a").href) }</script>`,
	},
	{
		"messages and events of windows",
		`<iframe id=f src="/page.html"></iframe><script>addEventListener("message", function (e) { say(e.data, e.source === ` +
			`f.contentWindow, e.origin === location.origin, this === window, e.target === window, e.currentTarget === window, e ` +
			`instanceof MessageEvent) }); f.onload = () => { f.contentWindow.postMessage({ask: 1}, location.origin); ` +
			`f.contentWindow.postMessage({ask: 2}, "http://other.example"); f.contentWindow.postMessage({ask: 3}, {targetOrigin: "/"}) ` +
			`}; const c = new MessageChannel(); c.port1.onmessage = (e) => say("port", e.data); c.port2.postMessage("p"); ` +
			`structuredClone(new Map([[1, location.href]])).forEach((v) => say(v === location.href))</script>`,
	},
	{
		"errors that are told",
		`<script>onerror = (m, src, line, col, e) => { say(m, line > 0, e.message); return true }; setTimeout(() => { null.x }, 0); ` +
			`setTimeout(() => { Promise.reject(new Error("r")) }, 10); try { undefinedName } catch (e) { say(e.stack.split("\n").length ` +
			`> 1, e.stack.includes("_varve_"), e.stack.includes(location.origin)) }</script>`,
	},
	{
		"pictures as bytes",
		`<canvas id=c width=2 height=2></canvas><script>const i = new Image(); i.crossOrigin = "anonymous"; i.onload = async () => { ` +
			`const x = c.getContext("2d"); x.drawImage(i, 0, 0); try { say(c.toDataURL().slice(0, 14), i.crossOrigin, i.naturalWidth) } ` +
			`catch (e) { say(e.name) } const b = await (await fetch("/x.svg")).blob(), j = new Image(); j.onload = () => say("blob", ` +
			`j.width, b.type); j.src = URL.createObjectURL(b) }; i.onerror = () => say("broken"); i.src = "/x.svg"</script>`,
	},
	{
		"what scripts bring in",
		`<div id=d></div><script>const t = document.createElement("script"); t.text = "say('text', typeof top, location.protocol)"; ` +
			`d.appendChild(t); const s = document.createElement("script"); s.src = "/says.js"; s.onload = () => { say("loaded", s.src, ` +
			`s.getAttribute("src")); document.head.append(l) }; document.head.appendChild(s); const l = document.createElement("link"); ` +
			`l.rel = "stylesheet"; l.href = "/sheet.css"; l.onload = () => { say(l.sheet.href, l.sheet.cssRules.length, ` +
			`getComputedStyle(d).display); d.innerHTML = "<script>say('never')</" + "script><img src=/x.svg onload='say(\"handler\", ` +
			`this.src)'>" }</script>`,
	},
	{
		"fonts, media and others",
		`<video id=v src="/film.mp4" poster="/x.svg"><source src="/film.webm"></video><object id=o data="/x.svg" ` +
			`type="image/svg+xml"></object><embed id=e src="/x.svg"><input id=n type=image src="/x.svg"><picture><source id=s ` +
			`srcset="/x.svg 1x"><img></picture><blockquote id=q cite="/c"></blockquote><table id=t ` +
			`background="/x.svg"></table><script>say(v.src, v.poster, o.data, e.src, n.src, s.srcset, q.cite); ` +
			`const f = new FontFace("x", "url(/font.woff2)"), lacking = f.load().catch((e) => e.name); const a = new Audio("/a.mp3"); ` +
			`say(a.src, a.getAttribute("src")); v.src = "other.mp4"; say(v.src); ` +
			`Promise.all([lacking, new Promise((done) => addEventListener("load", done))]).then(([name]) => say(name, v.currentSrc))</script>`,
	},
	{
		"an application's sandbox",
		`<script>const fake = {}, box = new Proxy(fake, {get: (t, k) => k === Symbol.unscopables ? undefined : k in t ? t[k] : typeof ` +
			`window[k] === "function" && !window[k].prototype ? window[k].bind(window) : window[k], has: () => true, set: (t, k, v) => { ` +
			`t[k] = v; return true }}); new Function("window", "with (window) { mine = location.protocol; say(mine, typeof setTimeout, ` +
			`document.title, typeof self.nothing); parent = 'p'; say(parent) }").call(box, box); say(fake.mine, fake.parent, typeof ` +
			`mine, parent === window)</script>`,
	},
	{
		"a loader of modules",
		`<script>const modules = {1: function (m, e, r) { e.top = r(2).location }, 2: (m, e) => { e.location = typeof location + ` +
			`this.location.protocol }}; const cache = {}; function require(id) { const m = cache[id] ||= {exports: {}}; ` +
			`modules[id].call(m.exports, m, m.exports, require); return m.exports } say(require(1).top); (self.chunks = self.chunks || ` +
			`[]).push([[7], {8: () => say("chunk")}]); window.chunks.push = (c) => c[1][8](); self.chunks.push(window.chunks[0]); ` +
			`say(Object.keys(globalThis).includes("chunks")); define = (d, f) => say(f(...d.map((x) => x === "window" ? window : ` +
			`document)) === document); define.amd = {}; define(["window", "document"], (w, d) => w.document === d && d)</script>`,
	},
	{
		"a policy for types",
		`<script>const p = trustedTypes.createPolicy("p", {createHTML: (s) => s, createScriptURL: (s) => s, createScript: (s) => s}); ` +
			`const d = document.createElement("div"); d.innerHTML = p.createHTML("<a href='/x'>x</a>"); say(d.firstChild.href); const s ` +
			`= document.createElement("script"); s.src = p.createScriptURL("/says.js"); s.onload = () => say(s.src); ` +
			`document.head.append(s); say(eval(p.createScript("typeof location")), trustedTypes.isHTML(p.createHTML("")))</script>`,
	},
}

// sitePages are what they load.
var sitePages = map[string]string{
	"/x.svg":    `<svg xmlns='http://www.w3.org/2000/svg' width='7' height='5'/>`,
	"/empty.js": ``,
	"/says.js":  `say("says.js", document.currentScript.src, location.protocol)`,
	"/page.html": `<!doctype html><title>a page</title><a href="/from-page">x</a><script>var fromPage = "its own"; ` +
		`addEventListener("message", (e) => e.source.postMessage("answer " + e.data.ask + (e.origin === location.origin), ` +
		`e.origin))</script>`,
}
