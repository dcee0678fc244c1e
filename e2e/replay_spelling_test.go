package e2e

// spellingPrograms look at how their page wrote its addresses: relative, from the root, without a scheme, in full.
var spellingPrograms = []program{
	{
		"links as they were written",
		`<a id=a href="/about">1</a><a id=b href="img/x.png">2</a><a id=c href="../up">3</a><a id=d href="//cdn.example/x">4</a><a id=e ` +
			`href="http://replay.example/about">5</a><a id=f href="http://other.example">6</a><a id=g href="?q=1&amp;r=2#f">7</a><a id=h ` +
			`href="#f">8</a><a id=i href="HTTP://Other.example/A b">9</a><a id=j href=" ./x(1)'s~.html ">10</a><a id=k href="">11</a><a ` +
			`id=l href="mailto:x@y.example">12</a><a id=m href="//replay.example/own">13</a><a id=n href="ä/ö?ü">14</a><a id=o ` +
			`href="http://replay.example.org/x">15</a><script>for (const e of document.links) say(e.id, e.getAttribute("href"), e.href, ` +
			`e.pathname, e.origin, e.attributes.href.value, e.getAttributeNode("href").nodeValue, e.outerHTML, e.cloneNode().outerHTML, ` +
			`String(e))</script>`,
	},
	{
		"pictures as they were written",
		`<img id=i src="x.svg" srcset="x.svg 1x, ../y.svg 2x, http://replay.example/x.svg 3x, //cdn.example/z.svg 4x"><img id=j ` +
			`src="http://replay.example/x.svg"><img id=k src="//replay.example/x.svg"><video id=v poster="p.svg" src="v.mp4"><source id=s ` +
			`src="w.mp4"></video><input id=n type=image src="../x.svg"><script>for (const e of [i, j, k, v, s, n]) say(e.id, ` +
			`e.getAttribute("src"), e.src, e.outerHTML); say(i.getAttribute("srcset"), i.srcset, v.poster, v.getAttribute("poster"))</script>`,
	},
	{
		"sheets, scripts and forms as they were written",
		`<link id=l rel=stylesheet href="../s.css"><link id=m rel=icon href="x.svg"><script id=s src="../err2.js"></script><script id=t ` +
			`src="http://replay.example/err2.js"></script><form id=f action="go?x"><button id=b formaction="../e">x</button></form><form ` +
			`id=g action="http://replay.example/go"></form><object id=o data="x.svg"></object><blockquote id=q cite="c"></blockquote><iframe ` +
			`id=r src="../p.html"></iframe><embed id=x src="../x.svg"><area id=y href="z"><script>for (const e of [l, m, s, t, f, b, g, o, q, ` +
			`r, x, y]) for (const n of ["href", "src", "action", "formaction", "data", "cite"]) if (e.hasAttribute(n)) say(e.id, ` +
			`e.getAttribute(n), e[n === "formaction" ? "formAction" : n], e.outerHTML)</script>`,
	},
	{
		"styles as they were written",
		`<style id=t>p{background:url(x.svg)} b{background:url("http://replay.example/y.svg")} ` +
			`i{background:url('//cdn.example/(z).svg')} @font-face{font-family:f;src:url(../f.woff2)}</style><p id=p ` +
			`style="background:url(x.svg)"></p><p id=q style="background-image:url('http://replay.example/x.svg')"></p>` +
			`<script>say(t.textContent); ` +
			`for (const r of t.sheet.cssRules) say(r.cssText); for (const e of [p, q]) say(e.getAttribute("style"), e.style.cssText, ` +
			`e.style.backgroundImage, getComputedStyle(e).backgroundImage, e.outerHTML)</script>`,
	},
	{
		"a base, and what is relative to it",
		`<base id=base href="dir/"><a id=a href="x">1</a><a id=b href="/y">2</a><a id=c href="../z">3</a><img id=i ` +
			`src="x.svg"><script>say(base.getAttribute("href"), base.href, document.baseURI, base.outerHTML); for (const e of [a, b, c]) ` +
			`say(e.getAttribute("href"), e.href, e.outerHTML); say(i.getAttribute("src"), i.src)</script>`,
	},
	{
		"vector graphics as they were written",
		`<svg id=v><use id=u href="../sprite.svg#s"/><use id=w xlink:href="http://replay.example/sprite.svg#s"/><image id=i ` +
			`href="x.svg"/><a id=a href="l"><text>t</text></a></svg><script>for (const e of [u, i, a]) say(e.getAttribute("href"), ` +
			`e.href.baseVal, e.href.animVal, e.outerHTML); say(w.getAttribute("xlink:href"), ` +
			`w.getAttributeNS("http://www.w3.org/1999/xlink", "href"), w.href.baseVal); say(v.outerHTML)</script>`,
	},
	{
		"selectors by how addresses are written",
		`<style>a{color:rgb(1,1,1)} a[href^="http"]{color:rgb(2,2,2)} a[href^="/"]{font-weight:700} a[href^="img/"]{width:9px} ` +
			`a[href="../up"]{opacity:.5} a[href*="://"]{text-indent:3px} a[href^="//"]{text-indent:4px} a{display:block}</style><a id=a ` +
			`href="/about">1</a><a id=b ` +
			`href="img/x.png">2</a><a id=c href="../up">3</a><a id=d href="//cdn.example/x">4</a><a id=e ` +
			`href="http://replay.example/about">5</a><a id=f href="http://other.example/">6</a><a id=g href="?q=1">7</a><a id=h ` +
			`href="http://other.example/about">8</a><a id=i href="/">9</a><script>document.links[8].setAttribute("href", "/"); ` +
			`for (const q of ['[href^="http"]', '[href^="/"]', ` +
			`'[href="/about"]', '[href^="img/"]', '[href="img/x.png"]', '[href="../up"]', '[href^="//"]', '[href^="http://replay.example"]', ` +
			`'[href="http://replay.example/about"]', '[href*="://"]', '[href*="replay.example"]', '[href*="http"]', '[href^="?"]', ` +
			`'[href^="../"]', '[href$="about"]', '[href$="/about"]', '[href*="about"]', 'a:not([href^="http"])', '[href*="web/"]', ` +
			`'[href^="HTTP" i]', '[href="/ABOUT" i]', '[href~="/about"]', '[href|="img"]', '[href*="IMG" i]', '[href*="img/"]', ` +
			`'[href$="/"]', '[href*="/"]', '[href$="t"]', '[href$="../up"]', "a[href ^= 'http' ]", '[href^=http][href*=other]', ` +
			`'[href^="/"]:not([href^="//"])']) ` +
			`say(q, [...document.querySelectorAll(q)].map(e => e.id), [...document.links].filter(e => e.matches(q)).map(e => e.id)); ` +
			`for (const e of document.links) { const s = getComputedStyle(e); say(e.id, s.color, s.fontWeight, s.width === "9px", s.opacity, ` +
			`s.textIndent) }</script>`,
	},
	{
		"paths by how addresses are written",
		`<a id=a href="/about">1</a><a id=b href="img/x.png">2</a><a id=e href="http://replay.example/about">5</a><a id=f ` +
			`href="http://other.example/">6</a><img id=i src="x.svg"><script>const at = (q) => { const r = document.evaluate(q, document, ` +
			`null, 7, null), ids = []; ` +
			`for (let n = 0; n < r.snapshotLength; n++) ids.push(r.snapshotItem(n).id || r.snapshotItem(n).value); say(q, ids) }; ` +
			`at('//a[@href="/about"]'); at('//a[starts-with(@href, "http")]'); at('//a[contains(@href, "img/")]'); at('//@href'); ` +
			`at('//img[@src="x.svg"]'); at('//a[@href]'); say(document.evaluate("string(//a/@href)", document, null, 2, null).stringValue); ` +
			`say(new XPathEvaluator().evaluate("string(//img/@src)", document, null, 2, null).stringValue)</script>`,
	},
	{
		"nodes that are moved keep what was written",
		`<div id=d><a id=a href="img/x.png">1</a><img id=i src="x.svg"><style>b{background:url(x.svg)}</style></div><div ` +
			`id=o></div><script>const [d, o, a] = ["d", "o", "a"].map(n => document.getElementById(n)); o.append(d); say(o.innerHTML, ` +
			`a.getAttribute("href"), a.href); const c = d.cloneNode(true); o.append(c); ` +
			`say(o.innerHTML); const h = d.innerHTML; d.innerHTML = h; say(d.innerHTML === h, d.innerHTML); const f = ` +
			`document.importNode(d, true); say(f.outerHTML); a.replaceWith(a.cloneNode(true)); say(d.outerHTML, ` +
			`d.isEqualNode(d.cloneNode(true))); const t = document.createElement("template"); t.innerHTML = h; say(t.innerHTML, ` +
			`t.content.firstChild.getAttribute("href"))</script>`,
	},
	{
		"what is written anew counts",
		`<a id=a href="img/x.png">1</a><img id=i src="x.svg"><script>a.href = "http://replay.example/n"; say(a.getAttribute("href"), ` +
			`a.href, a.outerHTML); ` +
			`a.setAttribute("href", "rel"); say(a.getAttribute("href"), a.href); a.hash = "h"; say(a.href, a.getAttribute("href")); ` +
			`a.removeAttribute("href"); ` +
			`say(a.getAttribute("href"), a.href, a.hasAttribute("href")); i.src = i.src; say(i.getAttribute("src"), i.src); i.src = ` +
			`i.getAttribute("src"); ` +
			`say(i.src); const o = new MutationObserver(l => say(l.map(m => m.oldValue + " " + m.target.getAttribute(m.attributeName)))); ` +
			`o.observe(i, {attributes: true, attributeOldValue: true}); i.src = "y.svg"; i.toggleAttribute("src")</script>`,
	},
	{
		"a base that a script inserts",
		`<a id=a href="x">1</a><a id=b href="/y">2</a><a id=c href="http://replay.example/z">3</a><form id=f ` +
			`action="go"></form><script>const s = () => say(document.baseURI, a.href, ` +
			`b.href, c.href, f.action, a.getAttribute("href"), a.pathname); s(); const e = document.createElement("base"); e.href = ` +
			`"/dir/sub/"; ` +
			`document.head.append(e); s(); e.href = "http://other.example/o/"; s(); e.setAttribute("href", "/third/"); s(); e.remove(); ` +
			`s()</script>`,
	},
	{
		"links after a base that a script inserts",
		`<a id=a href="p.html">1</a><script>const e = document.createElement("base"); e.href = "http://replay.example/"; ` +
			`document.head.append(e); say(a.href); const f = document.createElement("iframe"); f.name = "into"; document.body.append(f); ` +
			`a.target = "into"; f.onload = () => { if (f.contentWindow.inside) say(f.contentWindow.location.href) }; setTimeout(() => ` +
			`a.click(), 50)</script>`,
	},
}

// edgePrograms do what browsers refuse, and what few pages do.
var edgePrograms = []program{
	{
		"the text of made addresses",
		`<script>(async () => { const t = "<p>" + location.href + "<a href='/x'>x</a>"; const u = URL.createObjectURL(new Blob([t], {type: ` +
			`"text/html"})); say(await (await fetch(u)).text() === t); const j = "self.onmessage = (e) => postMessage(location.href + ` +
			`e.data); top"; ` +
			`const v = URL.createObjectURL(new Blob([j], {type: "text/javascript"})); say(await (await fetch(v)).text()); const x = new ` +
			`XMLHttpRequest(); ` +
			`x.open("GET", v); x.onload = () => say(x.responseText === j); x.send(); say(await (await fetch(new Request(v))).text() === j); ` +
			`const c = URL.createObjectURL(new Blob(["b{background:url(/x.svg)}"], {type: "text/css"})); say(await (await fetch(c)).text(), ` +
			`(await (await fetch(c)).blob()).type) })()</script>`,
	},
	{
		"workers of text read from a blob",
		`<script>(async () => { const j = URL.createObjectURL(new Blob(["postMessage(typeof top + location.protocol + self.origin)"], {type: ` +
			`"text/javascript"})); const text = await (await fetch(j)).text(); const w = new Worker(URL.createObjectURL(new Blob([text]))); ` +
			`w.onmessage = ` +
			`(e) => say(e.data, text) })()</script>`,
	},
	{
		"cookies of other sites",
		`<script>document.cookie = "a=1; domain=other.example"; say(document.cookie); document.cookie = "b=2; domain=replay.example"; ` +
			`document.cookie = "c=3; domain=.example"; document.cookie = "d=4; secure"; document.cookie = "e=5; path=/"; document.cookie = ` +
			`"__Secure-f=6; secure"; document.cookie = "__Host-g=7; path=/; secure"; document.cookie = "h=8; path=/nowhere"; document.cookie = ` +
			`"i=9; max-age=0"; document.cookie = "j"; document.cookie = "k=1; SameSite=None"; say(document.cookie.split("; ").sort())</script>`,
	},
	{
		"domains",
		`<script>say(document.domain); fails(() => { document.domain = "other.example" }); fails(() => { document.domain = "example" }); ` +
			`fails(() => ` +
			`{ document.domain = "" }); fails(() => { document.domain = "replay.example"; say(document.domain) }); say(isSecureContext, ` +
			`origin, self.origin)</script>`,
	},
	{
		"addresses that are none",
		`<script>const n = (f) => { try { f(); say("no error") } catch (e) { say(e.name) } }; (async () => { for (const u of ["http://[bad", ` +
			`"http://x:99999/", "https://"]) { await fetch(u).then(() => say("answered"), (e) => say(e.name)); n(() => new Request(u)); n(() => ` +
			`{ new XMLHttpRequest().open("GET", u) }); n(() => open(u)); n(() => location.assign(u)); n(() => location.replace(u)); n(() => new ` +
			`URL(u)) } })()</script>`,
	},
	{
		"answers made by scripts",
		`<script>const r = Response.redirect("/x", 302); say(r.status, r.headers.get("location"), r.url); fails(() => ` +
			`Response.redirect("http://[")); ` +
			`fails(() => Response.redirect("/x", 200)); const q = new Request("/y", {method: "POST", body: "b"}); say(q.url, q.clone().url, ` +
			`q.referrer, ` +
			`new Request(q).url, new Response("x").url); const l = document.createElement("link"); l.integrity = "sha256-x"; say(l.integrity, ` +
			`l.getAttribute("integrity"), l.outerHTML); const s = document.createElement("script"); s.integrity = "sha384-y"; s.crossOrigin = ` +
			`"anonymous"; s.nonce = "n"; say(s.integrity, s.crossOrigin, s.nonce, s.getAttribute("integrity"), s.outerHTML)</script>`,
	},
	{
		"what elements said of trust",
		`<link id=l rel=preload as=style href="/s.css" integrity="sha256-x" crossorigin><script id=s src="/err2.js" ` +
			`crossorigin="use-credentials" ` +
			`nonce=n></script><img id=i src="/x.svg" crossorigin=anonymous><script>for (const e of [l, s, i]) say(e.crossOrigin, e.integrity, ` +
			`e.nonce, e.getAttribute("crossorigin"), e.getAttribute("integrity"), e.hasAttribute("integrity"), e.outerHTML, ` +
			`[...e.attributes].map(a => a.name))</script>`,
	},
	{
		"objects and frames in shadows",
		`<div id=h></div><script>const f = document.createElement("iframe"), o = document.createElement("object"); f.src = o.data = "/p.html"; ` +
			`o.type = "text/html"; const loaded = (e) => new Promise((done) => { e.onload = done }); addEventListener("load", () => { ` +
			`document.body.append(o); h.attachShadow({mode: "open"}).append(f); Promise.all([loaded(f), loaded(o)]).then(() => { ` +
			`say(f.contentWindow.inside, f.contentWindow.location.href, f.contentWindow.parent === window, f.contentDocument.URL); ` +
			`say(typeof o.contentWindow.inside, o.contentWindow.location.href, o.contentDocument.URL, o.contentWindow.parent === window, ` +
			`o.contentWindow.top === top, o.data) }) })</script>`,
	},
	{
		"closed shadows",
		`<div id=h></div><script>const r = h.attachShadow({mode: "closed"}); r.innerHTML = "<iframe src='/p.html'></iframe><a ` +
			`href='/x'>x</a>"; const f = ` +
			`r.firstChild; f.onload = () => say(f.contentWindow.inside, f.contentWindow.location.href, f.contentWindow.parent === window, ` +
			`r.innerHTML, r.querySelector("a[href='/x']").href, h.shadowRoot)</script>`,
	},
	{
		"dates",
		`<script>class D extends Date { next() { return new D(+this + 1) } } const d = new D(2001, 6, 4, 12); say(d.next() - d, d instanceof ` +
			`D, d.constructor === D, String(d), d.toTimeString(), d.getTimezoneOffset(), Date.parse(d) - d, new Date(2001, 6, 4) - new ` +
			`Date("2001-07-04"), typeof Date(), Date.name, Date.length); say(+new Date(undefined), +new Date(null), +new Date(2020, ` +
			`undefined), new Date(2020, 1, 2, 3, 4, 5, 6).toISOString(), Date.now() - new Date() < 99, Date.parse(Date()) > 0, new Date() ` +
			`.constructor === Date); const year = new Intl.DateTimeFormat("en", {year: "numeric"}); say(year.format() === "" + new Date() ` +
			`.getFullYear(), year.format(0), [1e12].map(year.format)); const f = document.createElement("iframe"); ` +
			`document.body.append(f); class E extends f.contentWindow.Date { two() { return 2 } } ` +
			`say(new E(5).two(), new E(5).getTime(), new E() - new Date() < 99)</script>`,
	},
	{
		"handlers that scripts write",
		`<div id=d></div><script>const s = (e) => say(e.getAttribute("onclick")), b = document.createElement("b"); b.setAttribute("onclick", ` +
			`"say(location.href, top === self, this === window.b, event.type)"); window.b = b; b.click(); s(b); b.onclick = () => ` +
			`say("own"); b.click(); b.setAttribute("ONCLICK", "location.hash = 'there'; say(location.hash)"); b.click(); d.innerHTML = ` +
			`'<b id=c onclick="say(location.pathname, document.domain, id)">c</b><form id=f onsubmit="say(location.host); return false">` +
			`<input name=attributes></form>'; d.firstChild.click(); f.requestSubmit(); d.insertAdjacentHTML("beforeend", "<i ` +
			`onclick='say(window.location.port)'>i</i>"); d.lastChild.click(); b.removeAttribute("onclick"); b.click(); s(b)</script>`,
	},
	{
		"what an event says of fragments",
		`<a id=a href="#two">a</a><script>onhashchange = (e) => { say(e.oldURL, e.newURL, location.hash); if (e.newURL.endsWith("one")) ` +
			`a.click() }; location.hash = "one"</script>`,
	},
	{
		"stores keep text",
		`<script>localStorage.setItem("n", 5); sessionStorage.setItem("b", true); localStorage.o = {}; localStorage.setItem("u"+1, null); ` +
			`say(localStorage.getItem("n") === "5", sessionStorage.getItem("b") === "true", localStorage.o, typeof localStorage.u1)</script>`,
	},
	{
		"modules by names that are worked out",
		`<script type=importmap>{"imports": {"names": "/names.mjs", "all/": "/"}}</script><script type=module>const names = ["names", ` +
			`"all/names.mjs", "./../names.mjs", new URL("/names.mjs", location), "data:text/javascript,export default 'data'"]; for (const n ` +
			`of names) say((await import(n)).default); for (const n of ["none", "none/x.mjs", "/data.json"]) await import(n).then(say, (e) => ` +
			`say(e.name)); const j = "/data.json"; say((await import(j, {with: {type: "json"}})).default.top); say((await ` +
			`eval("import(names[1])")).default, (await new Function("n", "return import(n)")("/names.mjs")).default)</script>`,
	},
	{
		"who led to empty frames",
		`<iframe id=a></iframe><iframe id=b src="about:blank"></iframe><iframe id=c srcdoc="x"></iframe><script>onload = () => ` +
			`say(a.contentDocument.referrer, b.contentDocument.referrer, c.contentDocument.referrer)</script>`,
	},
	{
		"sets of pictures that scripts set",
		`<img id=i><picture id=p><source srcset="/x.svg 2x"></picture><link id=l rel=preload as=image imagesrcset="/x.svg 1x"><script>for ` +
			`(const s of ["http://replay.example/x.svg 1x", "x.svg 1x, http://cdn.example/y.svg 2x", "data:,x 1x", ""]) { i.srcset = s; ` +
			`say(i.srcset, i.getAttribute("srcset")); p.firstChild.setAttribute("srcset", s); say(p.firstChild.srcset, ` +
			`p.firstChild.getAttribute("srcset")) } i.srcset = "//replay.example/x.svg 1x"; say(i.cloneNode().srcset, i.outerHTML); ` +
			`i.removeAttribute("srcset"); say(i.srcset, i.getAttribute("srcset")); l.imageSrcset = "http://replay.example/x.svg 2x"; ` +
			`say(l.imageSrcset, l.getAttribute("imagesrcset"))</script>`,
	},
	{
		"a document in an attribute",
		`<script>const f = document.createElement("iframe"); f.srcdoc = "<a href=/y>y</a>"; say(f.getAttribute("srcdoc"), ` +
			`f.attributes.srcdoc.value, f.cloneNode().getAttribute("srcdoc")); f.setAttribute("srcdoc", "<b>z</b>"); ` +
			`say(f.getAttribute("SRCDOC"), f.srcdoc); f.removeAttribute("srcdoc"); say(f.getAttribute("srcdoc"))</script>`,
	},
	{
		"copies of the location",
		`<script>say(Object.keys({...location}).filter((k) => typeof location[k] !== "function").sort(), {...location}.href, ` +
			`Object.assign({}, location).host, JSON.parse(JSON.stringify(location)).href, JSON.stringify(location).includes("/web/"))</script>`,
	},
}
