package e2e

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// requesting are statements that request something without leaving the page. They may wait.
var requesting = map[string]string{
	"fetch":                  `fetch("http://live.example/fetch").catch(() => {})`,
	"fetch of a Request":     `fetch(new Request("//live.example/request")).catch(() => {})`,
	"fetch of varve":         `fetch("/-/metrics").catch(() => {}); fetch("/other/20100101000000/http://a.example/").catch(() => {})`,
	"fetch of varve in full": `fetch(self.origin + "/-/api/openapi.json").catch(() => {})`,
	"XMLHttpRequest":         `const x = new XMLHttpRequest(); x.open("GET", "http://live.example/xhr"); x.send()`,
	"an image":               `new Image().src = "http://live.example/image.png"`,
	"a socket":               `new WebSocket("ws://live.example/socket")`,
	"server-sent events":     `new EventSource("http://live.example/events")`,
	"a beacon":               `navigator.sendBeacon("http://live.example/beacon", "x")`,
	"a dynamic import":       `import("http://live.example/module.js").catch(() => {})`,
	"an import by name":      `const s = "http://live" + ".example/named.js"; import(s).catch(() => {})`,
	"a classic worker":       `new Worker("http://live.example/worker.js")`,
	"a module worker":        `new Worker("http://live.example/worker.mjs", {type: "module"})`,
	"a shared worker":        `new SharedWorker("http://live.example/shared.js")`,
	"a worker of a blob": `new Worker(URL.createObjectURL(new ` +
		`Blob(["fetch('http://live.example/blob').catch(()=>{});importScripts('http://live.example/blob.js')"])))`,
	"a worker that asks": `new Worker("/worker.js")`,
	"a service worker":   `navigator.serviceWorker && navigator.serviceWorker.register("/sw.js").catch(() => {})`,
	"a page with its service worker": `navigator.serviceWorker.register("/sw.js").catch(() => {}); ` +
		`navigator.serviceWorker.oncontrollerchange = ` +
		`() => { fetch("http://live.example/controlled").catch(() => {}); new Image().src = "http://live.example/controlled.png"; ` +
		`new EventSource("http://live.example/controlled-events") }`,
	"a worker of data": `new Worker("data:text/javascript,fetch('http://live.example/data-worker').catch(()=>{});" + ` +
		`"importScripts('http://live.example/data-worker.js')")`,
	"a module worker of a blob": `new Worker(URL.createObjectURL(new Blob(["import 'http://live.example/blob.mjs'"])), {type: "module"})`,
	"a frame of data": `const q = document.createElement("iframe"); q.src = "data:text/html,<img src=http://live.example/data.png>` +
		`<link rel=stylesheet href=http://live.example/data.css><script>fetch('http://live.example/data')</" + "script>"; ` +
		`document.body.append(q)`,
	"document.write": `document.write('<img src="http://live.example/written.png"><script src="//live.example/written.js"></' + ` +
		`'script><link rel=stylesheet href=http://live.example/written.css>')`,
	"innerHTML": `document.body.insertAdjacentHTML("beforeend", '<img srcset="http://live.example/set.png 2x" ` +
		`src=//live.example/inner.png><video poster=http://live.example/poster.png></video><svg><image ` +
		`href="http://live.example/svg.png"/></svg>')`,
	"an element": `const l = document.createElement("link"); l.rel = "stylesheet"; l.href = "http://live.example/link.css"; ` +
		`document.head.append(l)`,
	"a script element": `const e = document.createElement("script"); e.setAttribute("src", "http://live.example/element.js"); ` +
		`document.head.append(e)`,
	"a style": `document.body.style.backgroundImage = "url(http://live.example/style.png)"`,
	"a style element": `const y = document.createElement("style"); y.textContent = "@import 'http://live.example/import.css'; ` +
		`body{cursor:url(http://live.example/cursor.png),auto}"; document.head.append(y)`,
	"a style rule": `const z = document.createElement("style"); document.head.append(z); ` +
		`z.sheet.insertRule("p{background:url(http://live.example/rule.png)}")`,
	"a font": `new FontFace("x", "url(http://live.example/font.woff2)").load().catch(() => {})`,
	"a prefetch": `for (const rel of ["prefetch", "preload", "preconnect", "dns-prefetch", "prerender", "modulepreload", ` +
		`"manifest", "icon"]) { const l = document.createElement("link"); l.rel = rel; l.as = "image"; l.href = "http://live.example/" + ` +
		`rel; document.head.append(l) }`,
	"speculation rules": `const r = document.createElement("script"); r.type = "speculationrules"; r.textContent = ` +
		`'{"prefetch":[{"source":"list","urls":["http://live.example/speculation"]}]}'; document.head.append(r)`,
	"an iframe": `const f = document.createElement("iframe"); f.src = "http://live.example/iframe"; document.body.append(f)`,
	"an iframe's own fetch": `const g = document.createElement("iframe"); document.body.append(g); ` +
		`g.contentWindow.fetch("http://live.example/frame-fetch").catch(() => {}); new g.contentWindow.Image().src = ` +
		`"http://live.example/frame-image"`,
	"srcdoc": `const d = document.createElement("iframe"); d.srcdoc = "<img ` +
		`src=http://live.example/srcdoc.png><script>fetch('http://live.example/srcdoc')</" + "script>"; document.body.append(d)`,
	"a frame of a script": `const j = document.createElement("iframe"); j.src = "javascript:'<img ` +
		`src=http://live.example/javascript.png>'"; document.body.append(j)`,
	"a base": `const b = document.createElement("base"); b.href = "http://live.example/"; document.head.prepend(b); new ` +
		`Image().src = "relative.png"; fetch("relative").catch(() => {})`,
	"document.domain": `document.domain = "example"`,
	"eval": `eval("new Image().src = 'http://live.example/eval.png'"); (0, ` +
		`eval)("fetch('http://live.example/eval').catch(() => {})")`,
	"new Function":     `new Function("fetch('http://live.example/function').catch(() => {})")()`,
	"a timer's string": `setTimeout("new Image().src='http://live.example/timer.png'", 0)`,
	"an object": `document.body.insertAdjacentHTML("beforeend", "<object data=http://live.example/object></object><embed ` +
		`src=http://live.example/embed>")`,
	"a parent's reach": `top.fetch("http://live.example/top").catch(() => {}); self["fe" + ` +
		`"tch"]("http://live.example/self").catch(() => {})`,
	"the function's window": `Function("return this")().fetch("http://live.example/this").catch(() => {}); (function () { return this ` +
		`})().fetch("http://live.example/sloppy").catch(() => {})`,
	"an attribute": `document.body.insertAdjacentHTML("beforeend", "<img id=i>"); document.getElementById("i").setAttributeNS(null, ` +
		`"src", "http://live.example/ns.png")`,
	"a cloned node": `const t = document.createElement("template"); t.innerHTML = "<img src=http://live.example/template.png>"; ` +
		`document.body.append(t.content.cloneNode(true))`,
	"a parser": `document.body.append(new DOMParser().parseFromString("<img src=http://live.example/parser.png>", ` +
		`"text/html").body.firstChild)`,
	"an audio": `new Audio("http://live.example/audio.mp3").play().catch(() => {})`,
	"a report": `new ReportingObserver(() => {}).observe(); navigator.credentials && 0`,
}

// leaving are statements that navigate away.
var leaving = map[string]string{
	"location":             `location = "http://live.example/location"`,
	"location.href":        `location.href = "http://live.example/href"`,
	"window.location":      `window.location = "http://live.example/window"`,
	"top.location":         `top.location = "http://live.example/top"`,
	"parent.location":      `parent.location.href = "http://live.example/parent"`,
	"document.location":    `document.location = "http://live.example/document"`,
	"self in brackets":     `self["location"]["href"] = "http://live.example/brackets"`,
	"location.replace":     `location.replace("http://live.example/replace")`,
	"location.assign":      `location.assign("//live.example/assign")`,
	"location.host":        `location.host = "live.example"`,
	"window.open":          `window.open("http://live.example/open")`,
	"window.open in place": `window.open("http://live.example/self", "_self")`,
	"a link's click":       `const a = document.createElement("a"); a.href = "http://live.example/click"; document.body.append(a); a.click()`,
	"a pinging click": `document.body.insertAdjacentHTML("beforeend", "<a id=p href='#x' ping='http://live.example/ping'>p</a>"); ` +
		`document.getElementById("p").click()`,
	"a form": `const f = document.createElement("form"); f.action = "http://live.example/form"; document.body.append(f); ` +
		`f.submit()`,
	"a form by markup": `document.body.insertAdjacentHTML("beforeend", "<form id=f method=post ` +
		`action=http://live.example/post><input name=a value=b></form>"); document.getElementById("f").submit()`,
	"a meta refresh": `const m = document.createElement("meta"); m.httpEquiv = "refresh"; m.content = "0; ` +
		`url=http://live.example/refresh"; document.head.append(m)`,
	"a base and a link": `document.head.insertAdjacentHTML("afterbegin", "<base href=http://live.example/>"); const a = ` +
		`document.createElement("a"); a.setAttribute("href", "based"); document.body.append(a); a.click()`,
	"document.write": `document.write("<meta http-equiv=refresh content='0; url=http://live.example/written'>")`,
	"eval":           `eval("location.href = 'http://live.example/eval'")`,
	"new Function":   `new Function("location.href = 'http://live.example/function'")()`,
	"a javascript: link": `const a = document.createElement("a"); a.href = "javascript:location.href='http://live.example/link'"; ` +
		`document.body.append(a); a.click()`,
	"an inline handler": `document.body.insertAdjacentHTML("beforeend", "<b id=h ` +
		`onclick='location.href=\"http://live.example/handler\"'>h</b>"); document.getElementById("h").click()`,
	"history": `history.pushState(null, "", "/pushed"); history.replaceState(null, "", "http://replay.example/replaced")`,
}

// scriptless are pages that leave, or request something, without a script.
var scriptless = map[string]string{
	"everything that loads": `<link rel=stylesheet href=http://live.example/a.css><link rel=preload as=image ` +
		`href=//live.example/p.png><link rel="dns-prefetch preconnect" href=http://live.example>` +
		`<style>@import "http://live.example/i.css"; p{background:url(//live.example/bg.png)}</style><img src=http://live.example/i.png ` +
		`srcset="http://live.example/2.png 2x" lowsrc=http://live.example/l.png>` +
		`<p style="background:url('http://live.example/s.png')" background=http://live.example/old.png>x<body ` +
		`background=http://live.example/body.png><iframe src=http://live.example/f></iframe><iframe srcdoc="<img ` +
		`src=http://live.example/d.png>"></iframe>` +
		`<object data=http://live.example/o></object><embed src=http://live.example/e><video src=http://live.example/v ` +
		`poster=http://live.example/vp></video><audio><source src=http://live.example/au></audio><input type=image ` +
		`src=http://live.example/in.png>` +
		`<svg><image xlink:href="http://live.example/x.png"/><use href="http://live.example/u.svg#a"/></svg><picture><source ` +
		`srcset=http://live.example/pic.png></picture><table background=http://live.example/t.png><tr><td>x</table>` +
		`<noscript><img src=http://live.example/noscript.png></noscript><template><img ` +
		`src=http://live.example/template.png></template><!--[if IE]><img src=http://live.example/ie.png><![endif]-->` +
		`<script src=http://live.example/s.js></script><script type=module src=http://live.example/m.js></script><script ` +
		`type=importmap>{"imports":{"a":"http://live.example/a.js"}}</script><script type=module>import "a"</script>`,
	"a meta refresh": `<meta http-equiv=refresh content="0; url=http://live.example/refresh">`,
	"a late refresh": `<p>x<meta http-equiv="REFRESH" content="0;URL='http://live.example/late'">`,
	"a frameset":     `<frameset cols="*,*"><frame src=http://live.example/1><frame src=http://live.example/2></frameset>`,
}

// TestPagesCannotReachOut lets archived pages try everything that scripts can do. All requests must go to the
// collection.
func TestPagesCannotReachOut(t *testing.T) {
	t.Parallel() // it mostly waits
	hasWombat(t)
	browseAsReaders(t, hostile().serve(t)).attemptAll(t)
}

// Without JavaScript, pages are replayed as the server rewrote them.
func TestPagesCannotReachOutWithoutScripts(t *testing.T) {
	t.Parallel() // it mostly waits
	g := browseAsReaders(t, hostile().serve(t))
	g.scripts(t, false)
	for name := range scriptless {
		g.open(t, at14("/still/"+slug(name)))
		asked := g.contained(t)
		if strings.Contains(name, "refresh") { // it would interrupt the way to the next page
			eventually(t, name, func() bool {
				asked = append(asked, g.contained(t)...)
				return slices.ContainsFunc(asked, func(a string) bool { return strings.Contains(a, "live.example") })
			})
		}
	}
}

// Without wombat only the Content-Security-Policy limits a page. It must stop all requests from within the page. No
// policy can stop a page that navigates elsewhere; see docs/isolation.md.
func TestPolicyHoldsWithoutWombat(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("what every page tries is tried once more without wombat in the long form of the tests")
	}
	starts(t, withoutWombat(t))
	s := hostile().serve(t)
	if page := s.get(t, at14("/still/a-frameset")); strings.Contains(page.body, "wombat.js") {
		t.Fatal("this binary has wombat")
	}
	browseAsReaders(t, s).attemptAll(t)
}

// The trap of the other tests must notice a page that does leave.
func TestTrapCatchesRequests(t *testing.T) {
	t.Parallel()
	g := browseAsReaders(t, demo(t))
	_ = chromedp.Do(g.ctx, chromedp.Navigate("http://live.example/"))
	if _, leaks := g.seen(); len(leaks) == 0 || !strings.Contains(leaks[0], "live.example") {
		t.Errorf("caught %q", leaks)
	}
}

// attemptAll lets all pages of [hostile] try what they can.
func (g *stage) attemptAll(t *testing.T) {
	for kind, names := range map[string][]string{
		"still": slices.Collect(maps.Keys(scriptless)), "asking": slices.Collect(maps.Keys(requesting)),
		"leaving": slices.Collect(maps.Keys(leaving)),
	} {
		t.Run(kind, func(t *testing.T) { g.attempt(t, kind, names) })
	}
}

// attempt opens pages of a kind, many side by side, and waits until all of them are quiet. What leaves names itself.
func (g *stage) attempt(t *testing.T, kind string, names []string) {
	t.Helper()
	const most = 12
	slices.Sort(names)
	tabs := g.tabs(t, min(most, len(names)), false)
	for batch := range slices.Chunk(names, most) {
		g.seen()
		sideBySide(len(batch), len(batch), func(_, i int) {
			if err := tabs[i].goes(g.url + at14("/"+kind+"/"+slug(batch[i]))); err != nil {
				t.Error(err)
			}
		})
		g.quiet(600*time.Millisecond, 10*time.Second)
		asked := g.contained(t)
		for _, name := range batch {
			if !slices.Contains(asked, at14("/"+kind+"/"+slug(name))) {
				t.Errorf("%s was never opened", name)
			}
		}
		if t.Failed() {
			t.Logf("these were open: %q", batch)
		}
	}
	for _, tab := range tabs {
		tab.reset(t)
	}
}

// hostile returns an archive of the pages above.
func hostile() *archive {
	a := &archive{}
	for name, body := range scriptless {
		a.page(host+"/still/"+slug(name), day, "<!doctype html><title>still</title>"+body)
	}
	for kind, list := range map[string]map[string]string{"asking": requesting, "leaving": leaving} {
		for name, script := range list {
			a.page(host+"/"+kind+"/"+slug(name), day, "<!doctype html><title>"+kind+"</title><body><p>x<script>try { "+script+
				" } catch (e) { console.error(e) }</script>")
		}
	}
	const worker = "fetch('http://live.example/in-worker').catch(()=>{});const x=new " +
		"XMLHttpRequest();x.open('GET','http://live.example/xhr-in-worker');x.send();importScripts('http://live.example/imported.js')"
	a.response(host+"/worker.js", day, "200 OK", worker, "Content-Type: text/javascript")
	a.response(host+"/sw.js", day, "200 OK", "self.addEventListener('fetch',(e)=>e.respondWith(fetch('http://live.example/answered')));"+
		"fetch('http://live.example/in-service-worker').catch(()=>{});onactivate=(e)=>e.waitUntil(clients.claim());"+
		"oninstall=(e)=>e.waitUntil(caches.open('a').then((c)=>c.addAll(['http://live.example/cached','//live.example/cached.css'])));"+
		"try{new EventSource('http://live.example/events-in-service-worker')}catch{};"+
		"try{importScripts('http://live.example/imported-by-service')}catch{};"+
		"clients.openWindow('http://live.example/opened');import('http://live.example/lazy.mjs').catch(()=>{})",
		"Content-Type: text/javascript", "Service-Worker-Allowed: /")
	return a
}

func slug(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, name)
}
