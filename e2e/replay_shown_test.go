package e2e

// shownPrograms look at what the page's own text, its frames and the browser tell them.
var shownPrograms = []program{
	{
		"mark-up in XML",
		`<div id=d><a href="/x">1</a><a href="http://other.example/z">3</a><p ` +
			`style="background:url(/x.svg)"></p></div><script>say(new XMLSerializer().serializeToString(d))</script>`,
	},
	{
		"styles of elements as text",
		`<p id=p style="background:url(/x.svg)"></p><p id=q style="background-image: ` +
			`url('http://cdn.example/y.png')"></p><script>say(p.getAttribute("style")); say(q.getAttribute("style")); ` +
			`say(p.style.cssText); say(q.style.cssText); say(p.outerHTML); say(p.attributes.style.value, ` +
			`p.getAttributeNode("style").value); q.setAttribute("style", "background:url(/z.png)"); say(q.getAttribute("style"), ` +
			`q.style.background, q.style.cssText); q.style.backgroundImage = "url(/w.png)"; say(q.getAttribute("style")); ` +
			`say(getComputedStyle(p).backgroundImage, p.style.background, p.style["background-image"], ` +
			`p.style.getPropertyValue("background"))</script>`,
	},
	{
		"mark-up of many elements",
		`<div id=d data-src="http://cdn.example/y" data-bg="/x.svg"></div><a id=a ping="/ping" href="/x"></a><form id=f ` +
			`action="/go"><button id=b formaction="/e">x</button></form><video id=v poster="/x.svg"></video><blockquote id=q ` +
			`cite="/c"></blockquote><object id=o data="/x.svg"></object><link id=l rel=preload href="/x.svg" as=image ` +
			`imagesrcset="/x.svg 1x"><meta id=m property="og:image" content="http://replay.example/x.svg"><meta id=r ` +
			`property="og:url" content="/rel"><body id=bo background="/x.svg"><script>for (const e of [d, a, f, b, v, q, o, l, m, ` +
			`r, bo]) say(e.cloneNode().outerHTML)</script>`,
	},
	{
		"what a page says of itself",
		`<meta id=u property="og:url" content="http://replay.example/x"><meta id=i property="og:image" ` +
			`content="https://replay.example/x.svg"><meta id=r name="twitter:url" content="/x"><meta id=c name="twitter:player" ` +
			`content="http://cdn.example/y"><script>for (const e of [u, i, r, c]) say(e.content, e.getAttribute("content"), ` +
			`e.attributes.content.value, e.outerHTML)</script>`,
	},
	{
		"mark-up that comes back as it was",
		`<div id=d></div><script>d.innerHTML = '<a href="/x">1</a><a href="rel">2</a><a href="//c.example/x">3</a><img ` +
			`src="/x.svg" srcset="/x.svg 1x, http://cdn.example/y.svg 2x"><p style="background: ` +
			`url(/x.svg)"></p><style>b{background:url(/x.svg)}</style><iframe srcdoc="<p>hi"></iframe>'; say(d.innerHTML); for ` +
			`(const e of d.children) say(e.outerHTML); const h = d.innerHTML; d.innerHTML = h; say(d.innerHTML === h, d.getHTML && ` +
			`d.getHTML() === h)</script>`,
	},
	{
		"documents that a parser makes",
		`<script>const o = new DOMParser().parseFromString('<p style="background:url(/x.svg)"><a href="/x">x</a><img ` +
			`src="y.svg"></p>', "text/html"); say(o.body.innerHTML, o.querySelector("a").href, o.URL, o.baseURI, ` +
			`o.querySelector("img").src); const x = new DOMParser().parseFromString('<r xmlns:x="http://www.w3.org/1999/xlink"><a ` +
			`href="http://other.example/x" x:href="/y"/></r>', "text/xml"); say(new XMLSerializer().serializeToString(x)); const i ` +
			`= document.implementation.createHTMLDocument("t"); i.body.innerHTML = "<a href='/x'>x</a>"; say(i.body.innerHTML, ` +
			`i.body.firstChild.href, i.title, i.URL)</script>`,
	},
	{
		"parts of a document",
		`<div id=d><a href="/x">x</a></div><script>const r = document.createRange(); r.selectNodeContents(d); const f = ` +
			`r.cloneContents(); const e = document.createElement("div"); e.append(f); say(e.innerHTML); const g = ` +
			`r.createContextualFragment("<img src='/x.svg'><p style='background:url(/x.svg)'>"); e.append(g); say(e.innerHTML); ` +
			`say(new XMLSerializer().serializeToString(e)); say(e.isEqualNode(e.cloneNode(true)))</script>`,
	},
	{
		"parent replaced",
		`<script>parent = 5; say(parent, window.parent, self.parent === 5)</script><script>say(parent, window.parent)</script>`,
	},
	{
		"frames by their names",
		`<iframe id=f name=foo src="/p.html"></iframe><script>f.onload = () => { say(typeof foo, foo === f.contentWindow, ` +
			`foo.location.pathname, foo.location.href, window.foo === foo, frames.foo === foo, frames["foo"].location.pathname, ` +
			`foo.document.title, foo.document.URL, foo.inside, foo.parent === window, foo.top === window); ` +
			`addEventListener("message", e => { say(e.data, e.source === foo, e.origin); foo.location = "/p.html?2"; f.onload = () ` +
			`=> say(foo.location.href, f.src) }); foo.postMessage("x", "*") }</script>`,
	},
	{
		"frames with an empty src",
		`<iframe id=e src=""></iframe><iframe id=s src=" "></iframe><iframe id=n></iframe><script>addEventListener("load", () => { ` +
			`const d = document.createElement("iframe"); d.src = ""; document.body.append(d); for (const f of [e, s, n, d]) { ` +
			`const w = f.contentWindow; w.document.body.innerHTML = "<a href='/x'>x</a>"; say(w.location.href, w.document.baseURI, ` +
			`w.origin, w.document.links[0].href); f.onload = () => say(w.document.URL, w.inside); w.location.replace("/p.html") } })` +
			`</script>`,
	},
	{
		"opening a frame by its name",
		`<iframe id=f name=bar src="about:blank"></iframe><script>f.onload = () => say(f.contentWindow.location.href, ` +
			`bar.location.pathname); const w = open("/p.html", "bar"); say(w === f.contentWindow, w === bar, open("", "bar") === ` +
			`bar, bar.name)</script>`,
	},
	{
		"where errors are from",
		`<script>onerror = (m, src, line, col, e) => { say(m, src, line > 0, e && ` +
			`e.stack.split("\n").map(s => s.replace(/:\d+:\d+/, ":L")).join("|")); }; addEventListener("error", e => ` +
			`say(e.filename, e.lineno > 0))</script><script src="/err.js"></script>` +
			`<script>setTimeout(function here() { undefinedName.x }, 30)</script>`,
	},
	{
		"stacks of errors",
		`<script>function f() { return new Error("m").stack } say(f().replace(/:\d+:\d+/g, ":L")); const o = {}; ` +
			`Error.captureStackTrace && Error.captureStackTrace(o); say(o.stack.replace(/:\d+:\d+/g, ":L")); try { null.x } catch ` +
			`(e) { say(e.stack.replace(/:\d+:\d+/g, ":L")) } new Promise((_, r) => r(new TypeError("t"))).catch(e => ` +
			`say(e.stack.replace(/:\d+:\d+/g, ":L")))</script>`,
	},
	{
		"what was loaded, and when",
		`<link rel=stylesheet href="/s.css"><script src="/err2.js"></script><script src="/empty.js"></script><script>onload = ` +
			`() => { say(performance.getEntriesByType("resource").map(e => e.name).sort()); ` +
			`say(performance.getEntriesByType("navigation").map(e => e.name)); ` +
			`say(performance.getEntriesByName("http://replay.example/empty.js").length, ` +
			`JSON.stringify(performance.getEntriesByType("navigation")[0]).includes("replay.example")); new PerformanceObserver(l ` +
			`=> say(l.getEntries().map(e => e.name))).observe({type: "resource", buffered: false}); fetch("/empty.js?x") }</script>`,
	},
	{
		"opening what is there",
		`<iframe id=f name=bar src="about:blank"></iframe><script>const w = open("", "bar"); say(w, w === bar, w === ` +
			`f.contentWindow)</script>`,
	},
	{
		"mark-up as it was written",
		`<div id=d><a href="/x?a=1&b=2">1</a><a href="http://other.example/z">3</a><img src="/x.svg" srcset="/x.svg 1x, ` +
			`http://cdn.example/y.svg 2x"><a href="#f">5</a><p style="background:url(/x.svg)">p</p></div><script>say(d.outerHTML); ` +
			`say(d.innerHTML); say(d.cloneNode(true).outerHTML, d.getHTML() === d.innerHTML)</script>`,
	},
	{
		"values of attributes",
		`<a id=a href="/x" style="background:url(/x.svg)">1</a><img id=i src="/x.svg" srcset="/x.svg 2x"><script>for (const e ` +
			`of [a, i]) for (const t of e.attributes) say(t.name, t.value, t.nodeValue, t.textContent); ` +
			`say(a.getAttributeNode("href").value, a.getAttributeNS(null, "href"), a.attributes[1].value, ` +
			`a.attributes.getNamedItem("href").value); a.getAttributeNode("href").value = "/changed"; say(a.href, ` +
			`a.getAttribute("href")); const n = document.createAttribute("href"); n.value = "/new"; a.setAttributeNode(n); ` +
			`say(a.href, a.getAttribute("href"), a.outerHTML)</script>`,
	},
	{
		"styles and their text",
		`<style>b{background:url(/x.svg)} @import "/s.css"; @font-face{font-family:f;src:url(/f.woff2)} ` +
			`i{background:url("http://cdn.example/z.png")}</style><link id=l rel=stylesheet href="/s.css"><script>onload = () => { ` +
			`const t = document.querySelector("style"); say(t.textContent, t.innerHTML, t.innerText, t.firstChild.data, ` +
			`t.firstChild.nodeValue); for (const s of document.styleSheets) { say(s.href, s.ownerNode.localName); for (const r of ` +
			`s.cssRules) say(r.cssText, r.style && r.style.background, r.style && r.style.cssText) } t.textContent = ` +
			`"b{background:url(/y.svg)}"; say(t.textContent, t.sheet.cssRules[0].cssText, t.sheet.cssRules[0].style === ` +
			`t.sheet.cssRules[0].style) }</script>`,
	},
	{
		"the page's own elements",
		`<template id=t><a href="/x">x</a></template><script id=s type="text/template"><a href="/x">x</a></script><script ` +
			`id=c>var q = location.href; /* c */ say(c.textContent, c.text, c.innerHTML, c.outerHTML)</script><noscript id=n><img ` +
			`src="/x.svg"></noscript><script>say(t.innerHTML, t.content.firstChild.outerHTML, s.textContent, s.innerHTML, ` +
			`n.textContent, n.innerHTML); say(document.scripts.length, ` +
			`document.scripts[0].textContent.length, document.head.children.length, ` +
			`document.head.firstElementChild.localName)</script>`,
	},
	{
		"selectors that begin with a path",
		`<style>a{color:rgb(1,1,1)} a[href^="/"]{color:rgb(2,2,2)} a[href="/x"]{font-weight:700} ` +
			`a[href^="/dir/"]{color:rgb(3,3,3)} img[src^="/"]{width:9px} ` +
			`a:not([href^="/"]){text-decoration:line-through}</style><a id=a href="/x">1</a><a id=b href="/dir/y">2</a><a id=d ` +
			`href="#f">4</a><a id=e href="http://other.example/">5</a><img id=i src="/x.svg"><script>const c = ` +
			`document.createElement("a"); c.id = "c"; c.href = "/dir/made"; document.body.append(c); for (const x of ` +
			`document.links) { const s = getComputedStyle(x); say(x.id, s.color, s.fontWeight, s.textDecorationLine) } ` +
			`say(getComputedStyle(i).width); for (const q of ['a[href^="/"]', 'a[href="/x"]', 'a[href^="/dir"]', 'img[src^="/"]', ` +
			`'a:not([href^="/"])', 'a[href^="http"]', "a[href^='/']", 'a[href^="/"]:not([href^="//"])']) say(q, ` +
			`[...document.querySelectorAll(q)].map(e => e.id), [...document.links].filter(e => e.matches(q)).map(e => ` +
			`e.id))</script>`,
	},
	{
		"a router",
		`<a id=l href="/app/list?x=1#top">l</a><script>const routes = []; const go = (p) => { history.pushState({p}, "", p); ` +
			`render() }; const render = () => say(location.pathname + location.search + location.hash, document.URL === ` +
			`location.href, history.state && history.state.p); addEventListener("popstate", () => ` +
			`{ render(); say(history.length > 2, a2()) }); ` +
			`document.addEventListener("click", (e) => { const a = e.target.closest("a"); if (!a) return; const u = new ` +
			`URL(a.href); say(u.pathname, u.origin === location.origin, a.pathname, a.origin, a.host === location.host); ` +
			`e.preventDefault(); go(u.pathname + u.search + u.hash) }); l.click(); go("/app/2"); go("rel"); setTimeout(() => ` +
			`history.back(), 50); function a2() { const x = ` +
			`document.createElement("a"); x.setAttribute("href", "./n"); return x.pathname + new URL("../z", location).pathname + ` +
			`new URL("q", document.baseURI).href }</script>`,
	},
	{
		"the Navigation API",
		`<script>navigation.addEventListener("navigate", (e) => { const u = new URL(e.destination.url); say("navigate", ` +
			`u.pathname, u.origin === location.origin, e.navigationType, e.canIntercept); if (e.canIntercept && ` +
			`u.pathname.startsWith("/spa")) e.intercept({handler: async () => say("handled", location.pathname)}) }); say(new ` +
			`URL(navigation.currentEntry.url).pathname, navigation.currentEntry.url === location.href); ` +
			`navigation.navigate("/spa/1").finished.then(() => say(location.pathname, new ` +
			`URL(navigation.currentEntry.url).pathname, document.URL)); </script>`,
	},
	{
		"attributes of elements of one's own",
		`<my-pic src="/x.svg" data-href="/d" href="/rel.html"><a slot=a ` +
			`href="/in">in</a></my-pic><script>customElements.define("my-pic", class extends HTMLElement { static ` +
			`observedAttributes = ["src", "href", "data-href"]; attributeChangedCallback(n, o, v) { say("attr", n, o, v) } ` +
			`connectedCallback() { say(this.getAttribute("src"), this.getAttribute("href"), this.dataset.href, ` +
			`this.attributes.src.value, this.outerHTML); const r = this.attachShadow({mode: "open"}); r.innerHTML = ` +
			"`<style>:host{background:url(/x.svg)}</style><img src=\"${this.getAttribute(\"src\")}\"><slot name=a></slot>`; " +
			`say(r.innerHTML, r.querySelector("img").src, r.querySelector("slot").assignedElements()[0].href) } }); ` +
			`document.querySelector("my-pic").setAttribute("src", "/new.svg")</script>`,
	},
	{
		"what observers tell of attributes",
		`<div id=d><a id=a href="/x">x</a></div><script>const o = new MutationObserver((l) => { for (const m of l) say(m.type, ` +
			`m.attributeName, m.oldValue, m.target.id, m.attributeName && m.target.getAttribute(m.attributeName)) }); o.observe(d, ` +
			`{attributes: true, attributeOldValue: true, subtree: true, childList: true}); a.href = "/y"; a.setAttribute("href", ` +
			`"/z"); a.setAttribute("style", "background:url(/x.svg)"); d.insertAdjacentHTML("beforeend", "<img id=i ` +
			`src='/x.svg'>"); setTimeout(() => { i.src = "/x.svg?2"; i.removeAttribute("src") }, 20)</script>`,
	},
	{
		"sets of pictures and variables in styles",
		`<div id=d></div><style>:root{--u:url("/x.svg")} .c{background:image-set("/x.svg" 1x)}</style><script>onload = () => { ` +
			`say(getComputedStyle(document.documentElement).getPropertyValue("--u")); d.className = "c"; ` +
			`say(getComputedStyle(d).backgroundImage); d.style.setProperty("--w", "url(/q.svg)"); ` +
			`say(d.style.getPropertyValue("--w"), d.getAttribute("style"), d.style.cssText); d.style.background = ` +
			`"image-set('/x.svg' 1x, '/y.png' type('image/png') 2x)"; say(d.style.backgroundImage, ` +
			`getComputedStyle(d).backgroundImage, d.style === d.style); const s = new CSSStyleSheet(); ` +
			`s.replaceSync("i{background:url(/x.svg)}"); document.adoptedStyleSheets = [s]; say(s.cssRules[0].cssText); ` +
			`s.insertRule("b{background:url('/y.svg')}", 1); say(s.cssRules[1].cssText, s.cssRules[1].style.backgroundImage) ` +
			`}</script>`,
	},
	{
		"symbols of vector graphics",
		`<svg id=v><use id=u href="/sprite.svg#s"/><use id=w xlink:href="/sprite.svg#s"/><image id=i href="/x.svg"/><a id=a ` +
			`href="/l"><text>t</text></a></svg><script>say(u.href.baseVal, u.getAttribute("href"), w.href.baseVal, ` +
			`w.getAttribute("xlink:href"), a.href.baseVal, i.href.animVal); say(v.outerHTML); u.setAttribute("href", ` +
			`"/sprite.svg#t"); say(u.href.baseVal, u.getAttribute("href")); u.href.baseVal = "/sprite.svg#s"; ` +
			`say(u.getAttribute("href"))</script>`,
	},
	{
		"events of a server",
		`<script>const e = new EventSource("/nothing"); say(e.url, e.withCredentials); e.onerror = () => { say("error", ` +
			`e.readyState); e.close() }; say(typeof navigator.sendBeacon("/beacon", "x"))</script>`,
	},
	{
		"a library's tests",
		`<div id=d></div><script>const wrap = document.createElement("div"); wrap.innerHTML = "  <link/><table></table><a ` +
			`href='/a'>a</a><input type='checkbox'/>"; const a = wrap.getElementsByTagName("a")[0]; say(a.getAttribute("href") === ` +
			`"/a", a.getAttribute("href", 2), wrap.firstChild.nodeType); const form = document.createElement("form"); form.action ` +
			`= "/submit?x=1"; say(form.action, form.getAttribute("action")); const img = new Image(); img.src = ` +
			`"//cdn.example/x.png"; say(img.src, img.outerHTML, img.getAttribute("src")); const s = ` +
			`document.createElement("script"); s.src = "/err2.js?cb=" + encodeURIComponent(location.href); say(s.src, ` +
			`s.outerHTML); const ifr = document.createElement("iframe"); ifr.src = "javascript:false"; say(ifr.src); ` +
			`ifr.setAttribute("src", "about:blank"); document.body.appendChild(ifr); say(ifr.contentWindow.location.href, ` +
			`ifr.contentDocument.URL); const l = document.createElement("link"); l.rel = "stylesheet"; l.href = "s.css"; ` +
			`say(l.href, l.outerHTML); const v = document.createElement("video"); v.poster = "/p.png"; say(v.poster, v.outerHTML); ` +
			`v.innerHTML = "<source src='/a.mp4'>"; say(v.innerHTML, v.firstChild.src)</script>`,
	},
	{
		"messages with options",
		`<iframe id=f src="/p.html"></iframe><script>onmessage = (e) => say(e.origin, e.data, e.source === f.contentWindow, ` +
			`e.source === frames[0], e.source.location.href); f.onload = () => { f.contentWindow.postMessage("a", ` +
			`"http://replay.example"); frames[0].postMessage("b", "*"); f.contentWindow.postMessage("c", "http://no.example"); ` +
			`window.frames[0].postMessage({toString() { return "x" }}.toString(), {targetOrigin: "*"}) }</script>`,
	},
}

// shownPages are what they load.
var shownPages = map[string]string{
	"/p.html": `<!doctype html><title>frame</title><script>var inside = 1; ` +
		`addEventListener("message", (e) => e.source.postMessage("got " + e.data, "*"))</script>`,
	"/s.css":      `a{color:red;background:url(/x.svg)}`,
	"/err.js":     `function thrower() { null.boom } setTimeout(thrower, 5)`,
	"/err2.js":    ``,
	"/sprite.svg": `<svg xmlns="http://www.w3.org/2000/svg"><symbol id="s"><rect width="5" height="5"/></symbol></svg>`,
}

// writtenPrograms read the text of scripts and styles, which the server has changed, in all ways in which a script reads text.
var writtenPrograms = []program{
	{"the text of what contains a script", `<div id=box><script id=s>var self1 = top.location; document.title</script>` +
		`<style id=st>b{background:url(/shown.css)}</style></div><script>` + writtenReads + `</script>`},
	{"a script that is copied", `<div id=box><script id=s>var frames1 = parent === self</script></div><script>
		const copy = document.getElementById("s").cloneNode(true), box = document.getElementById("box").cloneNode(true);
		say(copy.text, "|", copy.textContent, "|", copy.outerHTML, "|", box.innerHTML, "|", box.textContent);
		const from = document.importNode(document.getElementById("s"), true); say(from.text, from.firstChild.data);
		const f = document.createDocumentFragment(); f.append(box);
		say(f.textContent, new XMLSerializer().serializeToString(f).includes("varve"));
	</script>`},
}

const writtenReads = `
	const box = document.getElementById("box"), s = document.getElementById("s"), st = document.getElementById("st");
	const ways = {
		text: () => s.text, textContent: () => s.textContent, innerText: () => s.innerText, innerHTML: () => s.innerHTML,
		outer: () => s.outerHTML, data: () => s.firstChild.data, value: () => s.firstChild.nodeValue, whole: () => s.firstChild.wholeText,
		listed: () => document.scripts.s.text, child: () => s.childNodes[0].textContent, sub: () => s.firstChild.substringData(0, 12),
		box: () => box.textContent, boxText: () => box.innerText, boxMarkup: () => box.innerHTML, boxOuter: () => box.outerHTML,
		outerText: () => s.outerText, serialized: () => new XMLSerializer().serializeToString(s),
		html: () => typeof box.getHTML === "function" && box.getHTML(),
		range: () => { const r = document.createRange(); r.selectNodeContents(box); return r.toString() },
		fragment: () => { const r = document.createRange(); r.selectNodeContents(s); return r.cloneContents().textContent },
		selection: () => { getSelection().selectAllChildren(s); return getSelection().toString() },
		walker: () => {
			const w = document.createTreeWalker(box, NodeFilter.SHOW_TEXT), all = [];
			while (w.nextNode()) all.push(w.currentNode.data);
			return all.join();
		},
		xpath: () => document.evaluate("string(//*[@id='s'])", document, null, XPathResult.STRING_TYPE, null).stringValue,
		style: () => st.textContent + st.innerHTML + st.firstChild.data, length: () => s.text.length + " " + s.firstChild.length,
		clone: () => s.firstChild.cloneNode().data, body: () => /_varve[_]/.test(document.body.textContent),
		root: () => /_varve[_]/.test(document.documentElement.outerHTML), other: () => document.body.lastChild.textContent.length > 100,
	};
	for (const [name, way] of Object.entries(ways)) try { say(name, way()) } catch (e) { say(name, e.name) }
`
