package e2e

import "strings"

// withNames returns elements with these names. Such elements take the place of properties of the form or the document that they are in.
func withNames(tag, names string) string {
	var b strings.Builder
	for name := range strings.FieldsSeq(names) {
		b.WriteString("<" + tag + " name=" + name + ">")
	}
	return b.String()
}

// Names that fields, pictures and forms have in pages, which are also properties of forms or documents.
const (
	formNames  = "action target method enctype submit requestSubmit reset elements length name acceptCharset"
	fieldNames = "children remove before after style dataset hidden lang dir prefix parentNode nodeType nodeName id title contains matches " +
		"focus click attributes append className firstChild nextSibling parentElement"
	pictureNames = "head links forms images title domain cookie open close write referrer URL all hidden scripts embeds anchors plugins " +
		"children append prepend firstChild contains nodeName"
)

// namedPrograms have elements whose names hide what scripts of replay might use.
var namedPrograms = []program{
	{
		"fields that are named like properties of their form",
		`<iframe name=there></iframe><form id=f action="/old/at.html" target=there>` + withNames("input", formNames) + `</form><script>` +
			`say(f.action.tagName, f.getAttribute("action"), f.method.name, f.target.name, f.elements.tagName, f.length.tagName); ` +
			`const own = HTMLFormElement.prototype, of = (name) => Object.getOwnPropertyDescriptor(own, name); ` +
			`say(of("action").get.call(f), of("target").get.call(f), of("length").get.call(f)); of("action").set.call(f, "/old/led.html"); ` +
			`say(f.getAttribute("action"), of("action").get.call(f)); f.setAttribute("action", "/old/at.html"); say(f.outerHTML); ` +
			`document.querySelector("iframe").onload = (e) => say(e.target.contentWindow.location.pathname, ` +
			`e.target.contentWindow.location.search.length); addEventListener("load", () => own.submit.call(f))</script>`,
	},
	{
		"fields that are named like properties of all elements",
		`<form action="/old/at.html">` + withNames("input", fieldNames) + `<img src=/sprite.svg><a href=/p.html>p</a></form>` +
			`<script>const f = document.forms[0], get = Element.prototype.getAttribute, all = Document.prototype.querySelectorAll; ` +
			`const action = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, "action"); say(action.get.call(f), get.call(f, "action")); ` +
			`action.set.call(f, "/p.html"); say(get.call(f, "action")); say(document.links[0].href, document.images[0].src); ` +
			`const d = document.createElement("div"); d.innerHTML = new XMLSerializer().serializeToString(f); ` +
			`document.body.append(d); const g = d.firstChild; say(get.call(g, "action"), action.get.call(g), ` +
			`all.call(document, "img").length, all.call(document, "img")[1].src, all.call(document, "a")[1].href); ` +
			`const i = document.createElement("img"); i.src = "/sprite.svg"; Node.prototype.appendChild.call(f, i); ` +
			`Element.prototype.insertAdjacentHTML.call(f, "beforeend", "<img src='/sprite.svg'><a href='/q.html'>q</a>"); ` +
			`Element.prototype.append.call(f, new Image()); document.body.insertBefore(f, document.body.firstChild); ` +
			`say([].map.call(document.images, (i) => i.src), [].map.call(document.links, (a) => a.href)); ` +
			`const c = Node.prototype.cloneNode.call(f, true); document.body.append(c); say(action.get.call(c)); ` +
			`Element.prototype.remove.call(f); ` +
			`document.body.innerHTML = document.body.innerHTML; say(document.images.length, document.links[0].href); ` +
			`const shown = () => [].filter.call(document.images, (i) => i.naturalWidth > 0).length; ` +
			`(function wait(n) { if (shown() < 4 && n < 50) setTimeout(wait, 100, n + 1); else say(shown()) })(0)</script>`,
	},
	{
		"pictures that are named like properties of the document",
		`<script>var own = Document.prototype, create = own.createElement, body = document.body, where = document.location;</script>` +
			withNames("img", pictureNames) +
			`<script>say(document.head.tagName, document.cookie.tagName, document.write.tagName, document.children.tagName); ` +
			`const a = create.call(document, "a"); a.href = "/p.html"; say(a.href, a.pathname); body.append(a); ` +
			`const i = new Image(); i.src = "/sprite.svg"; body.append(i); say(i.src); const f = create.call(document, "iframe"); ` +
			`f.src = "/old/at.html"; f.onload = () => { say(f.contentWindow.location.pathname, f.contentDocument.title); ` +
			`fetch("/old/at.html").then((r) => say(r.url, r.status)) }; ` +
			`const d = create.call(document, "div"); d.innerHTML = "<a href='/q.html'>q</a><img src='/sprite.svg'>"; body.append(d); ` +
			`say(d.firstChild.href, d.lastChild.src, d.innerHTML); const s = create.call(document, "script"); ` +
			`s.textContent = "say(location.href, document.location === window.location)"; body.append(s); location.hash = "one"; ` +
			`history.pushState(null, "", "?two"); say(location.href); const x = new XMLHttpRequest(); x.open("GET", "/old/at.html", false); ` +
			`x.send(); say(x.status, x.responseURL); body.append(f); ` +
			`own.write.call(document, "<p><a id=w href=/w.html>w</a>"); say(window.w && w.href)</script>`,
	},
	{
		"frames that are named like windows' properties",
		`<iframe name=parent src="/old/at.html"></iframe><iframe name=top></iframe><iframe name=location></iframe><iframe name=document>` +
			`</iframe><iframe name=self></iframe><iframe name=frames></iframe><iframe name=history></iframe><iframe name=fetch></iframe>` +
			`<a id=postMessage></a><a id=opener></a><script>addEventListener("load", () => { say(parent === window, top === window, ` +
			`location.pathname, document.title, self === window, frames.length, typeof history.pushState, typeof fetch, typeof postMessage, ` +
			`frames[0].location.pathname, frames[0].parent === window); history.pushState(null, "", "?a"); say(location.search) })</script>`,
	},
}
