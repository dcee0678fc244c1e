package e2e

// oldPages are what the programs below lead windows and frames to.
var oldPages = map[string]string{
	"/program/led.html": `<!doctype html><title>led</title><script>parent.led(location.href)</script>`,
	"/old/at.html":      `<!doctype html><title>old frame</title><p>in a folder`,
	"/old/led.html":     `<!doctype html><title>led</title><script>parent.led(location.href)</script>`,
}

// oldPrograms do what scripts did until about 2010: they write windows and frames, and lead them by addresses of all kinds.
var oldPrograms = []program{
	{
		"a window that its opener writes",
		`<script>const w = open("", "written", "width=300,scrollbars=yes"); say(!!w); if (w) { w.document.write("<html><head><title>pop</title>` +
			`</head><body bgcolor=white><img src=/x.svg><a href=/p.html>link</a><script>opener.say(location.href, opener.document.title, ` +
			`document.title)</" + "script></body></html>"); w.document.close(); say(w.document.images[0].src, w.document.links[0].href, ` +
			`w.opener === window, w.closed); setTimeout(() => { w.close() }, 300) }</script>`,
	},
	{
		"an address that is set again",
		`<script>location.hash = "one"; history.replaceState(null, "", "#two"); location.hash = "one"; say(location.href, location.hash); ` +
			`var n = 0; location.href = "javascript:void n++"; setTimeout(() => { location.href = "javascript:void n++" }, 50); ` +
			`const wait = () => { if (n < 2) setTimeout(wait, 20); else say(n, location.href) }; wait()</script>`,
	},
	{
		"an address that a window gets, or its document",
		`<script>var n = [0, 0]; window.location = "javascript:void n[0]++"; document.location = "javascript:void n[1]++"; ` +
			`setTimeout(() => { window.location = "#at"; say(n, location.hash) }, 100)</script>`,
	},
	{
		"a javascript: address of a drawing's link",
		`<svg><a id=sx xlink:href="javascript:void say(location.protocol, 1)"></a><a id=sh href="javascript:void say(2)"></a></svg>` +
			`<script>for (const e of [sx, sh]) e.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}))</script>`,
	},
	{
		"an address that is an object",
		`<script>location = new String("#three"); say(location.hash); location.href = {toString: () => "#four"}; say(location.hash); ` +
			`location.assign(new String("#five")); say(location.hash); location.replace(["#six"]); say(location.hash)</script>`,
	},
	{
		"an address for another window",
		`<iframe name=f src="/old/at.html"></iframe><script>const ways = [(w) => { w.location.href = "led.html?1" }, ` +
			`(w) => { w.location = "led.html?2" }, (w) => w.location.assign("led.html?3"), (w) => ` +
			`w.location.replace("led.html?4"), (w) => { w.location = "/old/led.html?5" }]; ` +
			`function led(to) { say(to); const f = frames.f; setTimeout(() => { f.onload = null; next() }, 50) } ` +
			`function next() { const way = ways.shift(); if (way) { document.querySelector("iframe").onload = () => { ` +
			`document.querySelector("iframe").onload = null; way(frames.f) }; frames.f.location.replace("/old/at.html?" + ways.length) } ` +
			`else say("done") } addEventListener("load", next)</script>`,
	},
	{
		"frames of script addresses",
		`<script>function content() { return "<u>" + location.pathname.length + "</u>" }</script>` +
			`<iframe name=a src="javascript:'<b>' + parent.document.title + '</b>'"></iframe><iframe name=b src="javascript:parent.content()">` +
			`</iframe><iframe name=c src="javascript:void((function(){document.open();document.write('<i>' + location.href + document.domain ` +
			`+ '</i>');document.close()})())"></iframe><iframe name=d src="javascript:false"></iframe><script>` +
			`const made = document.createElement("iframe"); made.src = "javascript:'<s>' + parent.document.title + '</s>'"; ` +
			`document.body.append(made); addEventListener("load", () => { for (let i = 0; i < 5; i++) ` +
			`say(i, frames[i].document.body.innerHTML, frames[i].location.href) })</script>`,
	},
	{
		"what an editor inserts",
		`<iframe id=e></iframe><script>addEventListener("load", () => { const d = e.contentWindow.document; d.open(); ` +
			`d.write("<html><head><base href='" + location.href + "'></head><body><p><img src=/x.svg>x</p></body></html>"); d.close(); ` +
			`d.designMode = "on"; say(d.baseURI, d.images[0].src); e.contentWindow.focus(); d.execCommand("selectAll"); ` +
			`d.execCommand("insertHTML", false, "<img src=/x.svg?1><a href=/p.html>y</a>"); d.execCommand("insertImage", false, "/x.svg?2"); ` +
			`say([].map.call(d.images, (i) => i.src), d.links[0].href, d.body.innerHTML); setTimeout(() => say([].map.call(d.images, (i) => ` +
			`i.complete && i.naturalWidth > 0)), 500) })</script>`,
	},
	{
		"objects that are written",
		`<script>document.write('<object data="/x.svg" type="image/svg+xml"><param name="src" value="/x.svg"><embed src="/x.svg"></object>'); ` +
			`const o = document.querySelector("object"); say(o.data, o.getAttribute("data"), o.innerHTML); addEventListener("load", () => ` +
			`say(document.body.background))</script><body background="/x.svg">`,
	},
	{
		"handlers as they were written",
		`<a id=a href="javascript:parent.location.reload()" onclick="location='/x'; return false">a</a><script>say(a.getAttribute("onclick"), ` +
			`a.getAttribute("href"), a.href, a.attributes.onclick.value, a.outerHTML); const d = document.createElement("div"); d.innerHTML = ` +
			`a.outerHTML; say(d.innerHTML === a.outerHTML, d.firstChild.getAttribute("onclick"), d.firstChild.href, d.innerHTML)</script>`,
	},
	{
		"what arrays are given",
		`<script>const a = []; a.push.apply(a, [document, window]); say(a[0] === document, a[1] === window); [].push.call(a, document); ` +
			`say(a[2] === document, [].concat.apply([], [[document]])[0] === document, [].slice.apply([document, self])[1] === self, ` +
			`[].indexOf.call([document], document), [].unshift.apply(a, [self]), a[0] === self, [].splice.call(a, 0, 1)[0] === window)</script>`,
	},
	{
		"a text that declares over several lines",
		`<script>eval("var a = [1],\n\t\tl = a.length, base, top,\n parent; top = 5; if (top && top !== l) parent = ++top; " + ` +
			`"say(top, parent, window.name)"); new Function("var x,\n location\n; location = 2; say(location)")()</script>`,
	},
}
