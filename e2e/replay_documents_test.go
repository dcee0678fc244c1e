package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	svgOpen = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:h="http://www.w3.org/1999/xhtml" xmlns:x="http://www.w3.org/1999/xlink">`
	leave   = `location="http://live.example/"+location.pathname.slice(20);`
)

// documents are archived documents of other types than HTML that leave, or request something. A type comes first, further
// header fields behind it.
var documents = map[string]struct{ head, body string }{
	"SVG":           {"image/svg+xml", svgOpen + `<script>` + leave + `</script></svg>`},
	"SVG's handler": {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" onload='` + leave + `'/>`},
	"SVG's HTML":    {"image/svg+xml", svgOpen + `<h:script>` + leave + `</h:script></svg>`},
	"SVG's refresh": {"image/svg+xml", svgOpen + `<h:meta http-equiv="refresh" content="0; url=http://live.example/svg-refresh"/></svg>`},
	"SVG's entity": {"image/svg+xml", `<!DOCTYPE svg [<!ENTITY e "<script ` +
		`xmlns='http://www.w3.org/2000/svg'>location=&#39;http://live.example/entity&#39;</script>">]>` + svgOpen + `&e;</svg>`},
	"SVG's hidden one": {"image/svg+xml", `<!DOCTYPE svg [<!-- ' " -->]>` + svgOpen + `<script>` + leave + `</script></svg>`},
	"XML":              {"text/xml", `<a xmlns:h="http://www.w3.org/1999/xhtml"><h:script>` + leave + `</h:script></a>`},
	"XML's refresh": {"application/xml", `<a xmlns:h="http://www.w3.org/1999/xhtml"><h:meta http-equiv="refresh" content="0; ` +
		`url=http://live.example/xml-refresh"/></a>`},
	"a feed": {
		"application/rss+xml",
		`<rss xmlns:h="http://www.w3.org/1999/xhtml"><h:script>` + leave + `</h:script></rss>`,
	},
	"XSLT's result":                     {"text/xml", `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="/leave.xsl"?><a/>`},
	"UTF-16":                            {"image/svg+xml", utf16(svgOpen + `<script>` + leave + `</script></svg>`)},
	"no type":                           {"", "<x><script>" + leave + "</script>"},
	"a type not named":                  {"text/unknown-to-all", "<html><script>" + leave + "</script>"},
	"two types":                         {"text/plain\r\nContent-Type: image/svg+xml", svgOpen + `<script>` + leave + `</script></svg>`},
	"a type with junk":                  {"text/html+json;;", "<html><script>" + leave + "</script>"},
	"text that goes":                    {"text/plain\r\nRefresh: 0; url=http://live.example/refreshed-text", "text"},
	"text that goes to a broken place":  {"text/plain\r\nRefresh: 0; url=http://live.example:0x50/broken", "text"},
	"text that goes to a quoted place":  {"text/plain\r\nRefresh: 0; url='http://live.example/quoted'garbage", "text"},
	"text that goes without a url":      {"text/plain\r\nRefresh: .5,http://live.example/bare", "text"},
	"text that goes after a tab":        {"text/plain\r\nRefresh: 0;\turl\t=\thttp://live.example/tab", "text"},
	"text that goes with a late header": {"text/plain\r\nRefresh: 0\r\nRefresh: 0; url=http://live.example/second", "text"},
	"a picture that goes":               {"image/gif\r\nRefresh: 0; url=http://live.example/picture", "GIF89a\x01\x00\x01\x00\x00\x00\x00;"},
	"JSON that goes":                    {"application/json\r\nRefresh: 0; url=//live.example/json", "{}"},
}

func utf16(s string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for _, c := range []byte(s) {
		b.WriteByte(c)
		b.WriteByte(0)
	}
	return b.String()
}

// making are statements by which a page makes a document of its own that leaves.
var making = map[string]string{
	"a blob": `location = URL.createObjectURL(new Blob(["<script>" + leave("blob") + "</" + "script>"], {type: ` +
		`"text/html"}))`,
	"a blob with a doctype": `location = URL.createObjectURL(new Blob(["<!doctype html><script>" + leave("doctype") + "</" + ` +
		`"script>"], {type: "text/html;charset=utf-8"}))`,
	"a blob in a frame": `frame(URL.createObjectURL(new Blob(["<script>top." + leave("framed") + leave("frame-itself") + ` +
		`"</" + "script>"], {type: "text/html"})))`,
	"a blob in a window":        `open(URL.createObjectURL(new Blob(["<script>" + leave("window") + "</" + "script>"], {type: "text/html"})))`,
	"a blob of SVG":             `location = URL.createObjectURL(new Blob([svg("blob-svg")], {type: "image/svg+xml"}))`,
	"a blob of SVG in a window": `open(URL.createObjectURL(new Blob([svg("window-svg")], {type: "image/svg+xml"})))`,
	"a blob of XHTML": `location = URL.createObjectURL(new Blob(["<html xmlns='http://www.w3.org/1999/xhtml'><script>" + ` +
		`leave("xhtml") + "</" + "script></html>"], {type: "application/xhtml+xml"}))`,
	"a file": `location = URL.createObjectURL(new File(["<script>" + leave("file") + "</" + "script>"], "a.html", ` +
		`{type: "text/html"}))`,
	"a blob without a type": `location = URL.createObjectURL(new Blob(["<html><script>" + leave("typeless") + "</" + "script>"]))`,
	"a blob by a link": `const a = document.createElement("a"); a.target = "_blank"; a.href = URL.createObjectURL(new ` +
		`Blob([svg("link")], {type: "image/svg+xml"})); document.body.append(a); a.click()`,
	"a blob of a fresh frame": `location = frame("about:blank").contentWindow.URL.createObjectURL(new Blob(["<script>" + ` +
		`leave("fresh") + "</" + "script>"], {type: "text/html"}))`,
	"data in a frame": `frame("data:text/html,<script>top.location='http://live.example/data'</" + "script>")`,
	"data by property": `const f = frame("about:blank"); f.src = "data:text/html," + encodeURIComponent("<script>top." + ` +
		`leave("data-top") + ` +
		`leave("data-itself") + "open('http://live.example/data-open');</" + "script><meta http-equiv=refresh ` +
		`content='0;url=http://live.example/` +
		`data-refresh'><img src=http://live.example/data.png>")`,
	"SVG data by property": `const f = frame("about:blank"); f.src = "data:image/svg+xml," + encodeURIComponent(svg("svg-data"))`,
	"srcdoc by property": `const f = frame("about:blank"); f.srcdoc = "<script>top." + leave("srcdoc-top") + leave("srcdoc-itself") + ` +
		`"parent._WBWombatInit&&open('http://live.example/srcdoc-open');</" + "script><meta http-equiv=refresh ` +
		`content='0;url=http://live.example/srcdoc-refresh'>"`,
	"a page's service worker": `navigator.serviceWorker.register("/worker.js"); ` +
		`navigator.serviceWorker.addEventListener("controllerchange", ` +
		`() => { frame("/made-frame"); fetch("http://live.example/by-worker").catch(() => {}); new Image().src = ` +
		`"http://live.example/by-worker.png"; ` +
		`const s = document.createElement("script"); s.src = "http://live.example/by-worker.js"; document.body.append(s) })`,
	"data in an object": `document.body.insertAdjacentHTML("beforeend", "<object ` +
		`data=\"data:text/html,<script>location='http://live.example/object-data'</" + "script>\"></object>")`,
	"an empty frame": `const f = frame("about:blank"), s = f.contentDocument.createElement("script"); s.textContent = ` +
		`leave("empty") + "top." + leave("top-of-empty"); f.contentDocument.body.append(s)`,
	"a window led on":         `const w = open("", "x"); w.location = "http://live.example/led"`,
	"a window led by href":    `open("about:blank", "y").location.href = "http://live.example/led-by-href"`,
	"a window led by replace": `const w = open(); setTimeout(() => w.location.replace("http://live.example/led-by-replace"), 50)`,
	"a window written": `const w = open(); w.document.write("<script>" + leave("written-window") + "</" + "script>"); ` +
		`w.document.close()`,
	"a window by its name": `open("", "z"); document.body.insertAdjacentHTML("beforeend", "<a id=n target=z>x</a>"); const a = ` +
		`document.getElementById("n"); a.setAttributeNS(null, "href", "http://live.example/by-name"); a.click()`,
	"an empty window": `const w = open(), s = w.document.createElement("script"); s.textContent = leave("empty-window"); ` +
		`w.document.body.append(s)`,
	"a written frame": `const f = frame("about:blank"); f.contentDocument.write("<script>" + leave("written") + "</" + ` +
		`"script><meta http-equiv=refresh content='0;url=http://live.example/meta-written'>")`,
	"a new window of a link": `const a = document.createElement("a"); a.target = "_blank"; a.href = "http://live.example/blank"; ` +
		`document.body.append(a); a.click()`,
	"a link's statement": `const a = document.createElement("a"); a.href = statement("statement"); document.body.append(a); a.click()`,
	"a form's statement": `const f = document.createElement("form"); f.action = ` +
		`statement("form-statement"); document.body.append(f); f.submit()`,
	"a statement opened here": `open(statement("opened-statement"), "_self")`,
	"a statement opened":      `open(statement("window-statement"))`,
	"a statement to go to":    `location = statement("location-statement")`,
	"a statement to assign":   `location.assign(statement("assigned-statement"))`,
	"a statement in a frame":  `frame("javascript:'<script>top." + leave("framed-statement").replaceAll("'", '"') + "</" + "script>'")`,
	"a link that isn't there": `const a = document.createElement("a"); a.target = "_blank"; a.setAttribute("href", ` +
		`"http://live.example/blank"); a.click()`,
	"a new window of an area": `document.body.insertAdjacentHTML("beforeend", "<map name=m><area id=a target=_blank ` +
		`href=x></map>"); const a = document.getElementById("a"); a.setAttributeNS(null, "href", "http://live.example/area"); a.click()`,
	"a link of SVG": `document.body.insertAdjacentHTML("beforeend", "<svg><a id=a target=_blank href=x></a></svg>"); ` +
		`const a = document.getElementById("a"); a.setAttributeNS("http://www.w3.org/1999/xlink", "href", "http://live.example/svg-a"); ` +
		`a.setAttributeNS(null, "href", "http://live.example/svg-a"); a.dispatchEvent(new MouseEvent("click", {bubbles: true, ` +
		`cancelable: true}))`,
	"a link that an animation leads": `document.body.insertAdjacentHTML("beforeend", "<svg><a id=a target=_blank href=/page>` +
		`<set attributeName=href to=http://live.example/animated></set></a></svg>"); document.querySelector("svg").setCurrentTime(1); ` +
		`setTimeout(() => document.getElementById("a").dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true})), 300)`,
	"the browser's own open": `const { call } = Function.prototype, found = []; Function.prototype.call = function (...given) { ` +
		`found.push(this); return Reflect.apply(this, given[0], given.slice(1)) }; try { open("/page", "_blank") } catch {} ` +
		`Function.prototype.call = call; for (const f of found) if (f.name === "open") try { Reflect.apply(f, window, ` +
		`["about:blank"]).location = "http://live.example/called" } catch {}`,
	"a link of MathML": `document.body.insertAdjacentHTML("beforeend", "<math><mtext id=a>x</mtext></math>"); ` +
		`const a = document.getElementById("a"); a.setAttributeNS(null, "href", "http://live.example/math"); ` +
		`a.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}))`,
	"a dispatched click": `const a = document.createElement("a"); a.target = "_blank"; a.setAttributeNS(null, "href", ` +
		`"http://live.example/dispatched"); a.dispatchEvent(new MouseEvent("click"))`,
	"a form's new window": `const f = document.createElement("form"); f.target = "_blank"; f.setAttributeNS(null, "action", ` +
		`"http://live.example/form"); document.body.append(f); f.submit()`,
	"a link in a closed tree": `const h = document.createElement("div"); document.body.append(h); const s = h.attachShadow({mode: ` +
		`"closed"}); s.setHTMLUnsafe("<a target=_blank>x</a>"); s.firstChild.setAttributeNS(null, "href", "http://live.example/closed"); ` +
		`s.firstChild.dispatchEvent(new MouseEvent("click", {composed: false}))`,
	"a service worker": `navigator.serviceWorker.register("/web/` + day + `sw_/` + host + `/worker.js").then(() => ` +
		`navigator.serviceWorker.ready, () => {})` +
		`; setTimeout(() => frame("/web/` + day + `sw_/` + host + `/made"), 300)`,
	"other nets": `const p = new RTCPeerConnection({iceServers: [{urls: "stun:live.example:3478"}, {urls: "turn:live.example", ` +
		`username: "a", credential: "b"}]}); ` +
		`p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o)); try { new ` +
		`WebTransport("https://live.example:443/") } catch {}`,
	"hints": `for (const rel of ["preconnect", "dns-prefetch", "prefetch", "prerender"]) { const l = document.createElement("link"); ` +
		`l.rel = rel; ` +
		`l.setAttributeNS(null, "href", "http://live.example/" + rel); document.head.append(l) }; const s = document.createElement("script"); ` +
		`s.type = "speculationrules"; s.textContent = '{"prerender":[{"source":"list","urls":["http://live.example/prerendered"]}],` +
		`"prefetch":[{"source":"list","urls":["http://live.example/prefetched"]}]}'; document.head.append(s)`,
}

// unwatched are the same where no script of varve sees them: only browsers with Connection-Allowlist hold them.
var unwatched = map[string]string{
	"an unseen frame's window":           unseen + `w.location = "http://live.example/unseen"`,
	"an unseen frame's window, replaced": unseen + `w.location.replace("http://live.example/unseen-replaced")`,
	"an unseen frame's window, opened":   unseen + `frames[0].open("http://live.example/unseen-opened")`,
	"an unseen frame's window, asking": unseen + `w.fetch("http://live.example/unseen-fetch").catch(() => {}); ` +
		`new w.Image().src = "http://live.example/unseen-image"`,
	"an unseen frame's window, written": unseen + `w.document.write("<script>location='http://live.example/unseen-written'</" + "script>")`,
	"an unseen frame's link": unseen + `const a = frames[0].document.createElement("a"); a.target = "_blank"; a.href = ` +
		`"http://live.example/unseen-link"; frames[0].document.body.append(a); frames[0].HTMLElement.prototype.click.call(a)`,
	"an unseen frame's form": unseen + `const f = frames[0].document.createElement("form"); f.target = "_blank"; f.action = ` +
		`"http://live.example/unseen-form"; frames[0].document.body.append(f); frames[0].HTMLFormElement.prototype.submit.call(f)`,
	"an unseen frame's blob": unseen + `frames[0].open(frames[0].URL.createObjectURL(new frames[0].Blob(["<script>" + leave("unseen-blob") ` +
		`+ "</" + "script>"], {type: "text/html"})))`,
	"an XML document in a frame": `frame(URL.createObjectURL(new Blob(["<html xmlns='http://www.w3.org/1999/xhtml'><script>` +
		`const w=open();w.location='http://live.example/xml-frame';top.location='http://live.example/xml-top';</" + "script></html>"], {type: ` +
		`"application/xhtml+xml"})))`,
}

// unseen opens a window by the functions of a frame that no script of varve has seen.
const unseen = `document.body.insertAdjacentHTML("beforeend", "<iframe></iframe>"); const w = frames[0].open("about:blank"); `

const makers = `const leave = (to) => "location='http://live.example/" + to + "';";
const statement = (to) => "javascript:'<script>" + leave(to).replaceAll("'", '"') + "</" + "script>'";
const svg = (to) => '<svg xmlns="http://www.w3.org/2000/svg"><script>' + leave(to) + "</" + "script></svg>";
const frame = (src) => {
  const f = document.createElement("iframe"); f.setAttributeNS(null, "src", src); document.body.append(f); return f };
`

// asDocuments are the modifiers under which an archived page is opened as it is, or for another use than that of a page.
var asDocuments = []string{
	"id_", "ir_", "oe_", "im_", "js_", "cs_", "fw_", "dl_", "wkrf_", "wkr_", "sw_", "esm_", "mp_", "if_", "fr_", "bn_",
}

// travelling returns an archive of the documents above.
func travelling() *archive {
	a := &archive{}
	for name, d := range documents {
		var head []string
		if d.head != "" {
			head = strings.Split("Content-Type: "+d.head, "\r\n")
		}
		a.response(host+"/documents/"+slug(name), day, "200 OK", d.body, head...)
	}
	all := maps.Clone(making)
	maps.Copy(all, unwatched)
	for name, script := range all {
		a.page(host+"/making/"+slug(name), day, "<!doctype html><title>making</title><body><p>x<script>"+makers+"try { "+script+
			" } catch (e) { console.error(e) }</script>")
	}
	a.page(host+"/page", day, "<!doctype html><title>page</title><body><script>"+leave+"</script>")
	a.response(host+"/not-a-page", day, "200 OK", "x<script>"+leave+"</script>", "Content-Type: text/html")
	a.response(host+"/leave.xsl", day, "200 OK", `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">`+
		`<xsl:template match="/"><html><body><script>`+leave+`</script></body></html></xsl:template></xsl:stylesheet>`, "Content-Type: text/xsl")
	a.response(host+"/worker.js", day, "200 OK", `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (e) => e.waitUntil(clients.claim()));
self.addEventListener("fetch", (e) => { if (e.request.mode !== "cors") e.respondWith(new Response(`+
		`"<img src=http://live.example/made.png><script>fetch('http://live.example/made')</script>", {headers: {"Content-Type": `+
		`"text/html"}})) })`,
		"Content-Type: text/javascript")
	return a
}

// No document leads to the live web, of whatever type and made by whom.
func TestDocumentsCannotLeave_long(t *testing.T) {
	t.Parallel() // it mostly waits
	hasWombat(t)
	g := browseAsReaders(t, travelling().serve(t))
	g.documentsLeave(t)
	g.madeOnesLeave(t)
}

// Documents that pages create are guarded without wombat too, which handles only some of them.
func TestDocumentsCannotLeaveWithoutWombat(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("what every page tries is tried once more without wombat in the long form of the tests")
	}
	starts(t, withoutWombat(t))
	s := travelling().serve(t)
	browseAsReaders(t, s).madeOnesLeave(t)
}

// documentsLeave opens the documents, many at a time. What leaves names itself.
func (g *stage) documentsLeave(t *testing.T) {
	targets := pagesAsDocuments()
	for name := range documents {
		targets = append(targets, at14("/documents/"+slug(name)))
	}
	g.staysInside(t, targets)
}

// pagesAsDocuments are the targets of [asDocuments].
func pagesAsDocuments() (targets []string) {
	for _, mod := range asDocuments {
		targets = append(targets, fmt.Sprintf("/web/%s%s/%s/page", day, mod, host), fmt.Sprintf("/web/%s%s/%s/not-a-page", day, mod, host))
	}
	return targets
}

// staysInside opens targets and reports what leaves for the live web, and what was never opened.
func (g *stage) staysInside(t *testing.T, targets []string) {
	t.Helper()
	g.opensAll(t, targets)
	asked, leaks := g.seen()
	for _, l := range leaks {
		t.Errorf("left for the live web: %s", l)
	}
	for _, target := range targets {
		if !slices.Contains(asked, target) {
			t.Errorf("%s was never opened", target)
		}
	}
}

// opensAll opens each target in a window of its own, many at a time, until nothing more is asked for.
func (g *stage) opensAll(t *testing.T, targets []string) {
	t.Helper()
	g.open(t, "/-/healthz")
	for batch := range slices.Chunk(targets, 20) {
		windows, err := json.Marshal(batch)
		if err != nil {
			t.Fatal(err)
		}
		evaluate[bool](t, g, `(self.opened = `+string(windows)+`.map((at) => open(at)), true)`)
		g.quiet(800*time.Millisecond, 15*time.Second)
		evaluate[bool](t, g, `(opened.forEach((w) => w && w.close()), true)`)
	}
}

func (g *stage) madeOnesLeave(t *testing.T) {
	g.attempt(t, "making", slices.AppendSeq(slices.Collect(maps.Keys(making)), maps.Keys(unwatched)))
}
