package e2e

import "strings"

// madeFiles are what the documents and style sheets that programs make refer to. Pictures differ in their size.
var madeFiles = siteFiles{
	host + "/d/7x5.svg":     "image/svg+xml\n<svg xmlns='http://www.w3.org/2000/svg' width='7' height='5'/>",
	host + "/8x5.svg":       "image/svg+xml\n<svg xmlns='http://www.w3.org/2000/svg' width='8' height='5'/>",
	other + "/9x3.svg":      "image/svg+xml\n<svg xmlns='http://www.w3.org/2000/svg' width='9' height='3'/>",
	other + "/style.css":    "text/css\nb{display:block;width:33px}i::before{content:url(9x3.svg)}",
	other + "/imported.css": "text/css\nu{display:block;width:44px}",
	other + "/script.js":    scriptFile(`tell("the other site's script", typeof location.href)`),
	other + "/module.mjs":   scriptFile(`import { dep } from "./dep.mjs"; export const module = dep`),
	other + "/dep.mjs":      scriptFile(`export const dep = "dependency"`),
	host + "/d/script.js":   scriptFile(`tell("the site's own script", location.protocol)`),
	host + "/d/data.txt":    "text/plain\nthe data",
	host + "/d/frame.html": "text/html\n<!doctype html><title>a frame</title>" +
		"<script>parent.said.push('frame ' + location.href + ' ' + document.referrer)</script>",
}

// frames lets a page repeat what the documents that it makes post, and make them.
const frames = `<script>
addEventListener("message", function (e) { say("told:", e.data, e.origin) });
const frame = (set) => { const f = document.createElement("iframe"); set(f); document.body.append(f); return f };
const doc = (text, type) => new Blob([text], {type: type || "text/html"});
const blobOf = (text, type) => URL.createObjectURL(doc(text, type));
const width = (of, tag) => of.querySelector(tag || "b").getBoundingClientRect().width;
const soon = (f) => { let n = 0;
const i = setInterval(() => { let got; try { got = f() } catch (e) {} if (got || ++n > 40) { clearInterval(i); say(got) } }, 25) };
</script>`

const (
	// telling is what a document needs to tell the page something. A busy browser may send the event of a picture of SVG before it has worked
	// out its size.
	telling = `<!doctype html><meta charset=utf-8><title>made</title><script>
function tell() { parent.postMessage([].map.call(arguments, String).join(" "), "*") }
function seen(e, tries) { if (e.tagName === "IMG" && !e.naturalWidth && (tries || 0) < 40)
return setTimeout(seen, 25, e, (tries || 0) + 1); tell("loaded", e.tagName, e.naturalWidth || "") }
</script>`
	// absoluteParts are parts that a document without an address of its own can name.
	absoluteParts = `<img src="` + other + `/9x3.svg" onload="seen(this)" onerror="tell('broken')"><link rel=stylesheet href="` + other +
		`/style.css" onload="seen(this)"><script src="` + other + `/script.js"></script><script type=module>import { module } from ` +
		`"` + other +
		`/module.mjs"; tell(module)</script><style>@import "` + other + `/imported.css"; ` +
		`s::before{content:url(` + host + `/8x5.svg)}</style>` +
		`<b></b><i></i><u></u><s></s><script>onload = () => setTimeout(() => tell(...["b", "i", "u", "s"].map((n) => ` +
		`document.querySelector(n).getBoundingClientRect().width)), 50); new Image(); const m = document.createElement("img"); ` +
		`m.onload = ` +
		`() => seen(m); ` +
		`m.src = "` + host + `/8x5.svg"; fetch("` + other + `/dep.mjs").then((r) => r.text()).then(tell, (e) => tell(e.name))</script>`
	relativeParts = `<img src="7x5.svg" onload="seen(this)" onerror="tell('broken')"><img src="/8x5.svg" onload="seen(this)"><script ` +
		`src=script.js>` +
		`</script><script>fetch("data.txt").then((r) => r.text()).then(tell, (e) => tell(e.name))</script>`
	whereabouts = `<script>tell(location.href.replace(/[0-9a-f-]{36}/, "uuid"), document.URL.slice(0, 12), ` +
		`document.baseURI.replace(/[0-9a-f-]{36}/, ` +
		`"uuid"), document.referrer, location.protocol, location.pathname.length > 0, self.origin, document.domain); try { ` +
		`tell(parent.location.href, parent.document.title, document.location === location) } catch (e) { tell(e.name) }</script>`
)

var madePrograms = []program{
	{"pictures in properties of styles", `<b></b><i></i><script>const style = (e) => document.querySelector(e).style; for (const e ` +
		`of ["b", "i"]) ` +
		`style(e).display = "inline-block"; style("b").content = "url(` + other + `/9x3.svg)"; style("i").setProperty("content", ` +
		`"url(/8x5.svg)"); ` +
		`soon(() => width(document) === 9 && width(document, "i") === 8 && "shown"); style("b").webkitMaskImage = "url(7x5.svg)"; ` +
		`say(style("b").filter, /url/.test(style("b").webkitMaskImage))</script>`},
	{"srcdoc in mark-up", `<iframe srcdoc='` + attributeText(telling+absoluteParts) + `'></iframe>`},
	{"srcdoc in mark-up, relative", `<iframe srcdoc='` + attributeText(telling+relativeParts) + `'></iframe>`},
	{"where srcdoc in mark-up is", `<iframe srcdoc='` + attributeText(telling+whereabouts) + `'></iframe>`},
	{"srcdoc by property", `<script>frame((f) => f.srcdoc = ` + jsText(telling+absoluteParts) + `)</script>`},
	{"srcdoc by property, relative", `<script>frame((f) => f.srcdoc = ` + jsText(telling+relativeParts) + `)</script>`},
	{"where srcdoc by property is", `<script>const f = frame((f) => f.srcdoc = ` + jsText(telling+whereabouts) + `); ` +
		`say(f.srcdoc.length, f.src)</script>`},
	{"srcdoc by attribute", `<script>frame((f) => f.setAttribute("srcdoc", ` + jsText(telling+whereabouts+relativeParts) + `))</script>`},
	{"srcdoc by innerHTML", `<div id=d></div><script>document.getElementById("d").innerHTML = "<iframe srcdoc='" + ` +
		jsText(attributeText(telling+whereabouts+relativeParts)) + ` + "'></iframe>"</script>`},
	{"a fragment as srcdoc", `<script>const f = frame((f) => f.srcdoc = "<p>a<b>c"); f.onload = () => ` +
		`say(f.contentDocument.body.innerHTML)</script>`},
	{"a blob frame", `<script>frame((f) => f.src = blobOf(` + jsText(telling+absoluteParts) + `))</script>`},
	{"a blob frame, relative", `<script>frame((f) => f.src = blobOf(` + jsText(telling+`<img src="7x5.svg" onload="seen(this)" `+
		`onerror="tell('broken')">`) + `))</script>`},
	{"where a blob frame is", `<script>frame((f) => f.src = blobOf(` + jsText(telling+whereabouts) + `))</script>`},
	{"a whole page as blob", `<script>frame((f) => f.src = ` +
		`blobOf(` + jsText("<!DOCTYPE html><html lang=en><head><title>t</title></head><body class=c>"+telling+
		absoluteParts+`<script>tell(document.documentElement.lang, document.body.className, `+
		`document.compatMode)</script></body></html>`) + `))</script>`},
	{"a blob frame with a charset", `<script>frame((f) => f.src = ` +
		`blobOf(` + jsText(telling+"<p id=p>äöü €</p><script>tell(p.textContent)</script>") +
		`, "text/html;charset=utf-8"))</script>`},
	{"a blob read by its page", `<script>fetch(blobOf("<p>as it was</p>")).then((r) => r.text()).then(say); const x = new ` +
		`XMLHttpRequest; x.onload = ` +
		`() => say(x.responseText); x.open("GET", blobOf("<p>again</p>")); x.send()</script>`},
	{"a data frame", `<script>frame((f) => f.src = "data:text/html," + ` +
		`encodeURIComponent(` + jsText(telling+absoluteParts) + `))</script>`},
	{"a data frame of base64", `<script>frame((f) => f.src = "data:text/html;base64," + ` +
		`btoa(` + jsText(telling+`<b>x</b><script>tell("base64")</script>`) + `))</script>`},
	{"a data frame in mark-up", `<iframe src="data:text/html,<script>parent.postMessage('said ' + self.origin, '*')</script>"></iframe>`},
	{"where a data frame is", `<script>frame((f) => f.src = "data:text/html," + encodeURIComponent(` + jsText(telling+
		`<script>tell(location.protocol, self.origin, document.referrer)</script>`) + `))</script>`},
	{"all that a data frame says of its place", `<script>const f = frame((f) => f.src = "data:text/html," + encodeURIComponent(` +
		jsText(telling+`<script>tell(location.href.slice(0, 30), document.URL === location.href, document.baseURI === location.href, `+
			`location.origin, location.pathname.slice(0, 9), location.host === "", String(location).length > 100, document.domain === "", `+
			`document.contentType, document.compatMode); try { new URL("x", location); tell("a URL") } catch (e) { tell(e.name) } `+
			`fetch("/8x5.svg").then(() => tell("fetched"), (e) => tell(e.name))</script>`) + `)); say(f.src.slice(0, 15))</script>`},
	{"a data frame in mark-up with parts", `<iframe src='data:text/html;charset=utf-8,` + attributeText(strings.ReplaceAll(telling+
		absoluteParts, "%", "%25")) + `'></iframe>`},
	{"a data frame with wide letters", `<script>const text = ` + jsText(telling+`<p id=p>äöü `+
		`€</p><script>tell(p.textContent)</script>`) + `; ` +
		`frame((f) => f.src = "data:text/html;charset=utf-8," + encodeURIComponent(text)); frame((f) => f.src = ` +
		`"data:text/html;charset=UTF-8," + ` +
		`text.replace(/[%#]/g, encodeURIComponent)); frame((f) => f.src = "data:text/html;charset=utf-8;base64," + ` +
		`btoa(unescape(encodeURIComponent(text))))</script>`},
	{"data frames in data frames", `<script>const inner = "data:text/html," + encodeURIComponent("<script>top.postMessage('inner ' + ` +
		`location.protocol + self.origin, '*')</" + "script>"); frame((f) => f.src = "data:text/html," + encodeURIComponent('<iframe ` +
		`src="' + ` +
		`inner + '"></iframe>')); addEventListener("message", () => {}); parent.addEventListener("message", (e) => { if ` +
		`(/inner/.test(e.data) && ` +
		`!said.length) say(e.data) })</script>`},
	{"a frame that is led to data", `<script>const f = frame((f) => f.src = "frame.html"); f.onload = () => { f.onload = null; ` +
		`f.src = "data:text/html,<script>parent.postMessage(location.protocol, '*')</" + "script>" }</script>`},
	{"a data frame that is led to a page", `<script>const f = frame((f) => f.src = ` +
		`"data:text/html,<script>parent.postMessage('data', '*')</" ` +
		`+ "script>"); f.onload = () => { f.onload = null; f.src = "frame.html" }</script>`},
	{"a data frame in what is written", `<script>document.write("<iframe ` +
		`src=\"data:text/html,<script>parent.postMessage(location.protocol + ` +
		`self.origin, '*')</" + "script>\"></iframe>")</script>`},
	{"a data frame in a template", `<template id=t><iframe src="data:text/html,<script>parent.postMessage(location.protocol, '*')` +
		`</script>"></iframe></template><script>document.body.append(t.content.cloneNode(true))</script>`},
	{"a data frame by attribute", `<script>frame((f) => f.setAttribute("src", "data:text/html,<script>parent.postMessage('attribute', ` +
		`'*')</" + "script>"))</script>`},
	{"a frame of the site", `<iframe src=frame.html></iframe>`},
	{"replaceSync", `<b></b><script>const s = new CSSStyleSheet(); s.replaceSync("b::before{content:url(` + other + `/9x3.svg)} ` +
		`b{display:inline-block}"); ` +
		`document.adoptedStyleSheets = [s]; soon(() => width(document) === 9 && 9)</script>`},
	{"replaceSync, relative", `<b></b><script>const s = new CSSStyleSheet(); s.replaceSync("b::before{content:url('7x5.svg')} ` +
		`b{display:inline-block}"); ` +
		`document.adoptedStyleSheets = [s]; soon(() => width(document) === 7 && 7)</script>`},
	{"replaceSync, by path", `<b></b><script>const s = new CSSStyleSheet(); s.replaceSync("b::before{content:url(/8x5.svg)} ` +
		`b{display:inline-block}"); ` +
		`document.adoptedStyleSheets = [s]; soon(() => width(document) === 8 && 8)</script>`},
	{"replace", `<b></b><script>new CSSStyleSheet().replace("b::before{content:url(` + other + `/9x3.svg)} ` +
		`b{display:inline-block}").then((s) => { ` +
		`document.adoptedStyleSheets = [s]; soon(() => width(document) === 9 && 9) })</script>`},
	{"insertRule", `<b></b><script>const s = new CSSStyleSheet(); s.insertRule("b::before{content:url(//cdn.example/9x3.svg)}"); ` +
		`s.insertRule("b{display:` +
		`inline-block}"); document.adoptedStyleSheets = [s]; soon(() => width(document) === 9 && 9)</script>`},
	{"insertRule in a group", `<b></b><style>@media ` +
		`all{b{display:inline-block}}</style><script>document.styleSheets[0].cssRules[0].insertRule("b::before{content:` +
		`url(/8x5.svg)}"); soon(() => width(document) === 8 && 8)</script>`},
	{"a blob style sheet", `<b></b><script>const l = document.createElement("link"); l.rel = "stylesheet"; l.href = ` +
		`blobOf("b{display:inline-block}b::before{content:` +
		`url(` + other + `/9x3.svg)}", "text/css"); document.head.append(l); soon(() => width(document) === 9 && 9)</script>`},
	{"a shadow tree's sheet", `<p id=p></p><script>const r = p.attachShadow({mode: "open"}); r.innerHTML = "<b></b>"; const s = new ` +
		`CSSStyleSheet(); ` +
		`s.replaceSync("b{display:inline-block}b::before{content:url(/8x5.svg)}"); r.adoptedStyleSheets = [s]; soon(() => width(r) === ` +
		`8 && ` +
		`8)</script>`},
	{"a blob script", `<script>const e = document.createElement("script"); e.src = blobOf("say(location.href, document.URL, window === ` +
		`self, this === window); let own = 1", ` +
		`"text/javascript"); e.onload = () => say(own); document.head.append(e)</script>`},
	{"a blob module", `<script>const e = document.createElement("script"); e.type = "module"; e.src = blobOf("import { module } from ` +
		`'` + other +
		`/module.mjs'; say(module, location.href)", "text/javascript"); document.head.append(e)</script>`},
	{"an imported blob", `<script>import(blobOf("import { module } from '` + other + `/module.mjs'; export const got = module + ` +
		`location.href", "text/javascript"))` +
		`.then((m) => say(m.got), (e) => say(e.name))</script>`},
}

// attributeText writes mark-up as the value of an attribute in single quotes.
func attributeText(s string) string { return attributeEscapes.Replace(s) }

var attributeEscapes = strings.NewReplacer("&", "&amp;", "'", "&#39;")
