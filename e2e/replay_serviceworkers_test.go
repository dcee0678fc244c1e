package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// tinyFont is a font of one letter, in base64.
const tinyFont = "AAEAAAAKAIAAAwAgT1MvMmPXZQgAAACsAAAAYGNtYXAADAB0AAABDAAAACxnbHlmBewJ2AAAATgAAABIaGVhZGEKQtoAAAGAAAAANmhoZWEFFg" +
	"MjAAABuAAAACRobXR4B9AAAAAAAdwAAAAIbG9jYQAAAGwAAAHkAAAADG1heHAABAAFAAAB8AAAACBuYW1lA+YULgAAAhAAAABccG9zdP+fADIA" +
	"AAJsAAAAIAADA+gBkAAFAAACigK8AAAAjAKKArwAAAHgADEBAgAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAABWQVJWAEAAQQBBAyD/OAAAA+" +
	"gAyAAAAAEAAAAAAfQCvAAAACAAAAAAAAEAAwABAAAADAAEACAAAAAEAAQAAQAAAEH//wAAAEH////AAAEAAAAAAAEAAAAAAfQB9AADAAABAQEB" +
	"AAAB9AAA/gwAAAAAAfQAAAAAAAEAAAAAAfQB9AADAAABAQEBAAAB9AAA/gwAAAAAAfQAAAAAAAEAAAABAADvBwa1Xw889QADA+gAAAAAAAAAAA" +
	"AAAAAAAAAAAAAAAAH0AfQAAAAIAAIAAQAAAAAAAQAAAyD/OAAAA+gAAAAAAfQAAQAAAAAAAAAAAAAAAAAAAAID6AAAA+gAAAAAAAAAAAAkAAAA" +
	"SAABAAAAAgAEAAEAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAABAA2AAMAAQQJAAEACAAAAAMAAQQJAAIADgAIAAMAAQQJAAQACAAWAAMAAQQJAA" +
	"YACAAeAE0AYQBkAGUAUgBlAGcAdQBsAGEAcgBNAGEAZABlAE0AYQBkAGUAAwAAAAAAAP+cADIAAAAAAAAAAAAAAAAAAAAAAAAAAA=="

// serviceFiles are archived workers, and what they and their pages ask for.
var serviceFiles = siteFiles{
	host + "/s/precached.txt": "text/plain\nprecached",
	host + "/s/plain.txt":     "text/plain\nfrom the network",
	other + "/far.txt":        "text/plain\nfrom afar",
	host + "/s/helper.js":     scriptFile(`self.help = (text) => "helped " + text`),
	host + "/s/helper.mjs":    scriptFile(`export const help = (text) => "imported " + text`),
	host + "/s/idle.js":       scriptFile(`self.addEventListener("install", () => {})`),
	host + "/s/broken.js":     scriptFile(`throw new Error("broken")`),
	host + "/s/fails.js":      scriptFile(`oninstall = (e) => e.waitUntil(Promise.reject(new Error("no")))`),
	host + "/s/makes.js": scriptFile(`
const svg = "<svg xmlns='http://www.w3.org/2000/svg' width='11' height='6'/>";
const made = {
  "/made/text": ["text/plain", "made text"], "/made/data.json": ["application/json", '{"made": [1, 2]}'],
  "/made/picture.svg": ["image/svg+xml", svg], 
  "/made/script.js": ["text/javascript", "self.ran = (self.ran || 0) + 1; say('made script ran')"],
  "/made/style.css": ["text/css", "b{display:block;width:77px}"],
  "/made/font.ttf": ["font/ttf", Uint8Array.from(atob("` + tinyFont + `"), (c) => c.charCodeAt(0))],
};
addEventListener("install", (e) => { self.skipWaiting(); e.waitUntil(caches.open("v1").then((c) => c.addAll(["precached.txt",
    "/s/plain.txt"]))) });
addEventListener("activate", (e) => e.waitUntil(self.clients.claim()));
addEventListener("fetch", (e) => {
  const { pathname, search } = new URL(e.request.url), it = made[pathname];
  if (it) e.respondWith(new Response(it[1], { headers: { "Content-Type": it[0], "X-Made": "yes" } }));
  else if (pathname === "/made/echo") e.respondWith(e.request.text().then((t) => new Response([e.request.method, t,
    e.request.headers.get("x-a"), ` +
		`search, e.request.mode, e.request.destination].join(" "), { status: 201, statusText: "Made" })));
  else if (pathname === "/made/missing") e.respondWith(new Response("none", { status: 404 }));
  else if (pathname === "/made/far") e.respondWith(fetch("` + other + `/far.txt"));
  else if (pathname === "/made/redirect") e.respondWith(fetch("plain.txt").then(async (r) => new Response(await r.text() + "!", r)));
  else if (pathname === "/s/precached.txt") e.respondWith(caches.match(e.request)
    .then(async (r) => new Response("cache: " + await r.text())));
});`),
	host + "/s/talks.js": scriptFile(`
self.onmessage = (e) => {
  if (e.ports[0]) e.ports[0].postMessage("by port: " + e.data);
  e.source.postMessage({ got: e.data, from: e.source.url.split("/").pop(), type: e.source.type });
  e.waitUntil(self.clients.matchAll({ includeUncontrolled: true }).then((all) => {
    for (const c of all) if (c.url === e.source.url) c.postMessage("to all") }));
};`),
	host + "/s/looks.js": scriptFile(`
const seen = () => [self instanceof ServiceWorkerGlobalScope, typeof window, typeof XMLHttpRequest, location.href,
    registration.scope, self.origin, ` +
		`typeof skipWaiting, typeof importScripts, ExtendableEvent.name, FetchEvent.prototype instanceof ExtendableEvent, "onfetch" in ` +
		`self].join(" ");
addEventListener("message", (e) => e.source.postMessage(seen()));`),
	host + "/s/imports.js": scriptFile(`importScripts("helper.js"); addEventListener("activate", (e) => e.waitUntil(clients.claim())); ` +
		`onfetch = (e) => { if (e.request.url.endsWith("/made/help")) e.respondWith(new Response(help("text"))) }`),
	host + "/s/imports.mjs": scriptFile(`import { help } from "./helper.mjs"; addEventListener("activate", (e) => ` +
		`e.waitUntil(clients.claim())); ` +
		`onfetch = (e) => { if (e.request.url.endsWith("/made/help")) e.respondWith(new Response(help("module"))) }`),
	host + "/s/cleans.js": scriptFile(`
oninstall = (e) => e.waitUntil(Promise.all(["old-1", "old-2", "new"].map((n) => caches.open(n).then((c) => c.put("/x?" + n,
    new Response(n))))));
onactivate = (e) => e.waitUntil((async () => {
    for (const n of await caches.keys()) if (n.startsWith("old")) await caches.delete(n); await clients.claim() })());
onfetch = (e) => { if (e.request.url.includes("/made/caches")) e.respondWith((async () => { const c = await caches.open("new");
    return new Response([
  (await caches.keys()).filter((n) => n !== "v1"), await caches.has("old-1"), (await c.keys()).map((r) => r.url),
    await (await c.match("/x", {ignoreSearch: true})).text(),
  await c.match("/y"), await c.delete("/x?new"), (await c.keys()).length].join(" ")) })()) }`),
}

// serving is what the programs have in common: at is the scope of each, so that they keep apart.
const serving = `<script>const at = location.pathname + "-scope", sw = navigator.serviceWorker;
const scope = location.pathname, text = (r) => r.text();
const register = (script, more) => sw.register(script, { scope, ...more });
const controlled = () => new Promise((done) => sw.controller ? done() : sw.addEventListener("controllerchange", () => done(), {
    once: true }));
const activated = (reg) => new Promise((done) => { const w = reg.installing || reg.waiting || reg.active;
    if (w.state === "activated") return done(w);
  w.addEventListener("statechange", () => w.state === "activated" && done(w)) });
const shown = (e) => say("loaded", e.tagName, e.naturalWidth || "");
</script>`

var servicePrograms = []program{
	{"a page that waits for ready", `<script>register("idle.js").then((r) => sw.ready.then((reg) => say(reg === r, reg.scope, ` +
		`reg.active.scriptURL, ` +
		`sw.controller, reg instanceof ServiceWorkerRegistration, reg.active instanceof ServiceWorker, sw instanceof ` +
		`ServiceWorkerContainer)))</script>`},
	{"a page that waits for its controller", `<script>register("makes.js"); controlled().then(() => fetch("/made/text")).then((r) => { ` +
		`say(r.status, r.ok, ` +
		`r.url, r.headers.get("x-made")); return r.text() }).then(say)</script>`},
	{"content from a filled cache", `<script>register("makes.js"); controlled().then(() => ` +
		`fetch("precached.txt")).then(text).then(say)</script>`},
	{"a page reads its worker's cache", `<script>register("makes.js"); controlled().then(() => ` +
		`caches.match("precached.txt")).then(text).then(say); </script>`},
	{"requests with bodies", `<script>register("makes.js"); controlled().then(() => fetch("/made/echo?q=1", {method: "POST", body: ` +
		`"sent", headers: {"X-A": "b"}}))` +
		`.then(async (r) => say(r.status, r.statusText, await r.text())); controlled().then(() => fetch(new Request("/made/echo", {method: ` +
		`"PUT", ` +
		`body: "put"}))).then(text).then(say)</script>`},
	{"statuses and other sites", `<script>register("makes.js"); controlled().then(async () => { const r = await fetch("/made/missing"); ` +
		`say(r.status, await ` +
		`r.text()); say(await (await fetch("/made/far")).text(), await (await fetch("/made/redirect")).text(), await (await ` +
		`fetch("plain.txt")).text()) })</script>`},
	{"XMLHttpRequest", `<script>register("makes.js"); controlled().then(() => { const x = new XMLHttpRequest; x.open("GET", ` +
		`"/made/data.json"); x.responseType = ` +
		`"json"; x.onload = () => say(x.status, x.response.made, x.getResponseHeader("X-Made"), x.responseURL); x.send(); const y = new ` +
		`XMLHttpRequest; ` +
		`y.open("GET", "/s/plain.txt"); y.onload = () => say(y.status, y.responseText); y.send() })</script>`},
	{"elements", `<b></b><script>register("makes.js"); controlled().then(() => { const i = new Image(); i.onload = () => shown(i); ` +
		`i.onerror = () => say("broken"); ` +
		`i.src = "/made/picture.svg"; const s = document.createElement("script"); s.src = "/made/script.js"; s.onload = () => say("script ` +
		`loaded", self.ran); ` +
		`document.head.append(s); const l = document.createElement("link"); l.rel = "stylesheet"; l.href = "/made/style.css"; l.onload ` +
		`= () ` +
		`=> { shown(l); ` +
		`say(document.querySelector("b").offsetWidth) }; document.head.append(l); const n = new Image(); n.onerror = () => say("nothing ` +
		`there"); ` +
		`n.src = "/nothing.png" })</script>`},
	{"what style sheets name", `<style>@font-face{font-family:made;src:url(/made/font.ttf)}` +
		`p{display:inline-block;content:url(/made/picture.svg)}` +
		`</style><p></p><script>register("makes.js"); controlled().then(() => { document.querySelector("p").className = "x"; const s = ` +
		`document.createElement("style"); s.textContent = "u{display:inline-block;content:url(/made/picture.svg?later)}"; ` +
		`document.head.append(s); ` +
		`const u = document.createElement("u"); document.body.append(u); const look = () => { if (u.offsetWidth === 11) say("shown", ` +
		`u.offsetHeight); ` +
		`else setTimeout(look, 50) }; look(); const f = () => document.fonts.load("20px made").then((all) => all.length && ` +
		`document.fonts.check("20px made") ` +
		`&& all[0].status === "loaded" ? say("font", all.length) : setTimeout(f, 100), () => setTimeout(f, 100)); f() })</script>`},
	{"a page that loads itself again", `<script>say("controlled", !!sw.controller); if (sw.controller) ` +
		`fetch("/made/text").then(text).then(say); else ` +
		`register("makes.js").then(activated).then(() => location.reload())</script>`},
	{"an uncontrolled page", `<script>register("imports.js").then(activated); fetch("/s/plain.txt").then(text).then(say); ` +
		`say(sw.controller)</script>`},
	{"states", `<script>register("idle.js").then((r) => { const w = r.installing; say(w.state, r.waiting, r.active); r.onupdatefound = ` +
		`() => say("found"); ` +
		`w.onstatechange = () => say(w.state, r.installing === w, r.active === w) })</script>`},
	{"messages", `<script>sw.onmessage = (e) => say("got", JSON.stringify(e.data), e.origin, e.source === sw.controller || e.source ` +
		`instanceof ServiceWorker); ` +
		`register("talks.js").then(activated).then((w) => { const c = new MessageChannel; c.port1.onmessage = (e) => say(e.data); ` +
		`w.postMessage("hello", ` +
		`[c.port2]) })</script>`},
	{"messages by listener", `<script>sw.addEventListener("message", (e) => say(e.data)); sw.startMessages(); ` +
		`register("looks.js").then(activated)` +
		`.then((w) => w.postMessage("look"))</script>`},
	{"imported scripts", `<script>register("imports.js"); controlled().then(() => fetch("/made/help")).then(text).then(say)</script>`},
	{"a module", `<script>register("imports.mjs", {type: "module"}); controlled().then(() => ` +
		`fetch("/made/help")).then(text).then(say)</script>`},
	{"caches", `<script>register("cleans.js"); controlled().then(() => fetch("/made/caches")).then(text).then(say)</script>`},
	{"registrations", `<script>register("idle.js").then(activated).then(async () => { const r = await sw.getRegistration(); say(r.scope ` +
		`=== location.href); ` +
		`say((await sw.getRegistrations()).includes(r), await register("idle.js") === r, await r.unregister(), await r.unregister(), ` +
		`await sw.getRegistration("/elsewhere/")) })</script>`},
	{"what can't be registered", `<script>for (const s of ["missing.js", "broken.js", "` + other + `/sw.js"]) register(s).then(() => ` +
		`say("registered"), (e) => ` +
		`say(s, e.name)); sw.register("idle.js", {scope: "` + other + `/"}).catch((e) => say(e.name)); fails(() => new ` +
		`ServiceWorkerContainer())</script>`},
	{"an install that fails", `<script>register("fails.js").then((r) => { const w = r.installing; w.onstatechange = () => say(w.state, ` +
		`r.active) })</script>`},
}

// A worker ends with its page: nothing of it is left in the browser, and no page of another site, of another collection or of
// varve meets it.
func TestServiceWorkersEndWithTheirPage(t *testing.T) {
	t.Parallel()
	hasWombat(t)
	all := serviceFiles.with("/s/", serving, servicePrograms)
	all[other+"/s/elsewhere"] = all[host+"/s/an-uncontrolled-page"]
	a := all.archive()
	const later = "20200101000000"
	a.page(host+"/s/a-page-that-loads-itself-again", later, saying+serving+`<script>say("controlled", !!sw.controller)</script>`)
	g := browseWhole(t, a.serve(t))
	at := "mp_/" + host + "/s/a-page-that-loads-itself-again"
	g.navigate(t, g.url+"/web/"+day+at)
	g.until(t, `self.said && said.join() === "controlled true,made text"`)
	const none = `navigator.serviceWorker.getRegistrations().then((all) => all.length)`
	for name, page := range map[string]string{"another site": "/web/" + day + "mp_/" + other + "/s/elsewhere", "years later": "/web/" +
		later + at} {
		g.navigate(t, g.url+page)
		if evaluate[bool](t, g, `navigator.serviceWorker.controller !== null`) {
			t.Errorf("%s: the page is controlled", name)
		}
	}
	g.contained(t)
	g.navigate(t, g.url+"/web/")
	if n := evaluate[int](t, g, none); n != 0 {
		t.Errorf("%d service workers are left", n)
	}
	if n := evaluate[int](t, g, `caches.keys().then((all) => all.length)`); n != 0 {
		t.Errorf("%d caches are left", n)
	}
}

// What a worker caches and nobody captured must not keep its page from showing the rest.
func TestServiceWorkersStartWithoutWhatIsMissing(t *testing.T) {
	t.Parallel()
	hasWombat(t)
	a := &archive{}
	a.page(host+"/", day, `<!doctype html><title>empty</title><body><script>navigator.serviceWorker.register("sw.js"); `+
		`navigator.serviceWorker.addEventListener("controllerchange", () => fetch("/shown").then((r) => r.text()).then((t) => `+
		`document.title = t))</script>`)
	all := `"/", "/lost.css"`
	for i := range 20 { // what is there takes longer than what is missing
		large := fmt.Sprintf("/large%d", i)
		a.response(host+large, day, "200 OK", strings.Repeat(large, 50_000), "Content-Type: text/plain")
		all += `, "` + large + `"`
	}
	a.response(host+"/sw.js", day, "200 OK", `const opened = async () => {
  for (let i = 0; i < 50; i++) await caches.open(String(i));
  return caches.open("a") };
oninstall = (e) => e.waitUntil(Promise.all([opened().then((c) => c.addAll([`+all+`])), `+
		`fetch("/lost.json").then((r) => r.json())])); onactivate = (e) => e.waitUntil(clients.claim()); onfetch = (e) => `+
		`e.respondWith(caches.match("/").then((r) => new Response("shown " + r.ok)))`, "Content-Type: text/javascript")
	g := browseWhole(t, a.serve(t))
	g.open(t, at14("/"))
	g.until(t, `document.title === "shown true"`)
	g.contained(t)
}
