package e2e

import (
	"testing"
)

const player = "http://player.example" // a third site, whose pages are embedded in others

// messageFiles are the pages that other sites embed or open. What they hear they repeat to whoever is around them.
var messageFiles = siteFiles{
	player + "/m/ready":  messagePage(`parent.postMessage("ready at " + location.href, "*")`),
	other + "/m/ready":   messagePage(`parent.postMessage({ text: "ready at " + location.href }, "` + host + `")`),
	host + "/m/ready":    messagePage(`parent.postMessage("ready at " + location.href, location.origin)`),
	player + "/m/echo":   messagePage(echoing),
	other + "/m/echo":    messagePage(echoing),
	host + "/m/echo":     messagePage(echoing),
	player + "/m/strict": messagePage(strictly + echoing),
	player + "/m/tells": messagePage(`const tell = (text, ...to) => { try { parent.postMessage(text, ...to) } catch (e) { ` +
		`parent.postMessage(text + " " + e.name + ": " + e.message, "*") } }; ` + targeting + `tell("end", "*")`),
	player + "/m/around": messagePage(`const tell = (...all) => parent.postMessage(all.map(String).join(" "), "*"); ` +
		`const tried = (f) => { try { return f() } catch (e) { return e.name } }; ` +
		`tell(parent === window, top === window, window.parent === parent, window.top === top, self.top === window.top, ` +
		`parent.parent === parent, parent.window === parent, parent.self === parent, parent.top === top, top.top === top); ` +
		`tell(parent.closed, parent.length, parent.frames.length, parent.frames[0] === window, parent[0] === window, frameElement); ` +
		`tell(tried(() => parent.document), tried(() => parent.location.href), tried(() => top.name), tried(() => parent.foo = 1), ` +
		`tried(() => parent.then), tried(() => "postMessage" in parent), Object.prototype.toString.call(parent), typeof parent, ` +
		`parent instanceof Window, typeof parent.postMessage, parent.postMessage.length, tried(() => Object.getPrototypeOf(parent))); ` +
		`tell(window.opener, parent.opener, length, frames === window)`),
	player + "/m/nests": messagePage(`addEventListener("message", (e) => parent.postMessage(["passed on", e.data, e.origin].join(" `+
		`"), "*"))`) + `<iframe src="` + other + `/m/far"></iframe>`,
	other + "/m/far": messagePage(`parent.postMessage("to my parent", "` + player + `"); parent.parent.postMessage("to its ` +
		`parent", "` + host + `")`),
	player + "/m/shares": messagePage(``) + `<iframe src="` + player + `/m/climbs"></iframe>`,
	player + "/m/climbs": messagePage(`parent.parent.postMessage(["climbs", parent !== window, parent.document.URL, parent.parent ` +
		`!== parent].join(" "), "*")`),
	player + "/m/consent": messagePage(`let at = window, found; for (;;) { try { if (at.frames.__consentLocator) { found = at; break ` +
		`} } catch (e) {} ` +
		`if (at === window.top) break; at = at.parent } ` +
		`addEventListener("message", (e) => { if (e.source === found && e.data.consent) parent.postMessage("has " + e.data.consent, ` +
		`"*") }); ` +
		`if (found) found.postMessage({ call: "consent?" }, "*"); else parent.postMessage("no locator", "*")`),
	player + "/m/port": messagePage(`onmessage = (e) => { const [p] = e.ports; if (!p) return; p.onmessage = (m) => { ` +
		`p.postMessage(["got", ` +
		`m.data.text, m.origin === "", m.source].join(" ")); const c = new MessageChannel(); c.port1.onmessage = (m) => ` +
		`p.postMessage("back: " + m.data); ` +
		`p.postMessage({ port: c.port2 }, [c.port2]) }; p.postMessage("port here") }; parent.postMessage("ready", "*")`),
	player + "/m/clones": messagePage(`addEventListener("message", (e) => { const d = e.data; ` +
		`parent.postMessage([Object.prototype.toString.call(d), ` +
		`d instanceof Map ? [...d] : d instanceof ArrayBuffer ? d.byteLength : d && d.getTime ? d.getTime() : JSON.stringify(d)].join(" ` +
		`"), "*") }); ` +
		`parent.postMessage("ready", "*")`),
	player + "/m/sibling": messagePage(`addEventListener("message", (e) => parent.postMessage(["sibling says", e.data, e.origin, ` +
		`e.source === ` +
		`parent.frames[1]].join(" "), "*")); parent.postMessage("first", "*")`),
	other + "/m/sibling": messagePage(`addEventListener("message", (e) => { if (e.data === "go") ` +
		`parent.frames[0].postMessage("hello", "` + player +
		`") }); parent.postMessage("second", "*")`),
	player + "/m/popup": messagePage(`addEventListener("message", (e) => { e.source.postMessage(["popup heard", e.data, e.origin, ` +
		`e.source === ` +
		`opener].join(" "), e.origin); close() }); opener.postMessage("popup at " + location.href, "` + host + `")`),
	player + "/m/bound": messagePage(`const post = parent.postMessage.bind(parent); post("bound", "*"); ` +
		`parent["postMessage"]("named", "*"); ` +
		`parent.postMessage.call(parent, "called", "*"); window.postMessage.call(parent, "applied", "*"); const w = parent; ` +
		`w?.postMessage("optional", "*"); ` +
		`(() => top)().window.postMessage && parent.postMessage("through window", { targetOrigin: "*" })`),
	player + "/m/eval": messagePage(`eval('parent.postMessage("evaluated", "*")'); new Function('window.parent.postMessage("made", ` +
		`"*")')(); ` +
		`setTimeout('parent.postMessage("timed", "*")', 0)`),
	player + "/m/left": messagePage(`parent.postMessage("at " + location.pathname, "*")`),
	host + "/m/looked-at": messagePage(`addEventListener("message", (e) => parent.postMessage(["made", e.source === window].join(" "), ` +
		`"*")); dispatchEvent(new MessageEvent("message", { source: window }))`),
}

const (
	echoing = `addEventListener("message", (e) => e.source.postMessage({ echo: e.data, from: e.origin, me: location.origin, self: ` +
		`self.origin, ` +
		`parent: e.source === parent, trusted: e.isTrusted }, e.origin)); parent.postMessage("ready", "*"); `
	strictly = `addEventListener("message", (e) => { if (e.origin !== "` + host + `") e.stopImmediatePropagation() }); `
	// targeting sends a message to each kind of target. Those that must not arrive say so.
	targeting = `tell("any", "*"); tell("exact", "` + host + `"); tell("with a slash", "` + host + `/"); tell("with a path", "` + host +
		`/a/b?c#d"); tell("in capitals", "HTTP://Replay.Example:80"); tell("mine: lost", "/"); tell("default: lost"); tell("other: ` +
		`lost", "` + other +
		`"); tell("scheme: lost", "https://replay.example"); tell("port: lost", "` + host + `:81"); tell("longer: lost", "` + host +
		`.evil.example"); tell("user", "http://u@replay.example"); tell("opaque: lost", "data:,"); tell("none", ""); tell("wrong", ` +
		`"replay.example"); ` +
		`tell("by option", { targetOrigin: "` + host + `" }); tell("by option: lost", { targetOrigin: "` + other + `" }); tell("null: ` +
		`lost", null); ` +
		`tell("undefined: lost", undefined); tell("empty option: lost", {}); tell("with ports", "*", []); `
)

// messagePage is a page with a script.
func messagePage(script string) string {
	return "text/html; charset=utf-8\n<!doctype html><meta charset=utf-8><title>embedded</title><body><script>" + script + "</script>"
}

// hearing lets a page say what it hears and from whom: by is the frame that it embeds, if it has one.
const hearing = `<script>
const by = () => document.querySelector("iframe");
const heard = (e, ...more) => say(typeof e.data === "string" ? e.data : JSON.stringify(e.data), e.origin, by() && e.source === ` +
	`by().contentWindow, ...more);
const embed = (src, then) => { const f = document.createElement("iframe"); f.src = src; if (then) f.onload = () => ` +
	`then(f.contentWindow, f);
  document.body.append(f); return f };
const tried = (f) => { try { return f() } catch (e) { return e.name } };
</script>`

const listens = `<script>addEventListener("message", (e) => heard(e))</script>`

func embedding(uri string) string { return `<iframe src="` + uri + `"></iframe>` }

var messagePrograms = []program{
	{"a frame says that it is ready", listens + embedding(player+"/m/ready")},
	{"a frame sends an object to this site", listens + embedding(other+"/m/ready")},
	{"a frame of the same site", listens + embedding("/m/ready")},
	{"what an event is", `<script>addEventListener("message", (e) => say(e.isTrusted, e instanceof MessageEvent, e.type, e.bubbles, ` +
		`e.target === window, e.currentTarget === window, e.ports.length, e.lastEventId === "", e.eventPhase, "origin" in e, ` +
		`JSON.stringify(e.data)))</script>` + embedding(player+"/m/ready")},
	{"heard by onmessage", `<script>onmessage = (e) => heard(e); say(typeof onmessage, typeof window.onmessage)</script>` +
		embedding(player+"/m/ready")},
	{"heard by an attribute", `<script>document.body.setAttribute("onmessage", "heard(event)")</script>` + embedding(player+"/m/ready")},
	{"heard by an object", `<script>const o = { n: 0, handleEvent(e) { this.n++; heard(e, this === o, this.n) } }; ` +
		`addEventListener("message", o)` +
		`</script>` + embedding(player+"/m/ready")},
	{"not heard any more", `<script>const no = () => say("lost"); addEventListener("message", no); removeEventListener("message", no); ` +
		`onmessage = no; onmessage = null; say(onmessage); const stop = new AbortController(); addEventListener("message", no, { signal: ` +
		`stop.signal }); stop.abort(); addEventListener("message", (e) => heard(e), { once: true })</script>` + embedding(player+"/m/tells")},
	{"listeners in their order", `<script>addEventListener("message", () => say(1)); onmessage = () => say(said.length, "on"); ` +
		`addEventListener("message", () => say(said.length, 3)); window.addEventListener("message", (e) => { say(said.length, ` +
		`"captured") }, true)` +
		`</script>` + embedding(player+"/m/ready")},
	{"an echo", listens + `<script>embed("` + player + `/m/echo", (w) => w.postMessage("hello", "` + player + `"))</script>`},
	{"an echo of this site", listens + `<script>embed("/m/echo", (w) => w.postMessage("hello", location.origin))</script>`},
	{"a frame that checks who speaks", listens + `<script>embed("` + player + `/m/strict", (w) => w.postMessage("hello", "*"))</script>`},
	{"targets upwards", listens + embedding(player+"/m/tells")},
	{"targets downwards", listens + `<script>embed("` + player + `/m/echo", (w) => { const tell = (text, ...to) => { try { ` +
		`w.postMessage(text, ...to) } ` +
		`catch (e) { say(text, e.name, e.message) } }; ` + targetsOf(player) + ` })</script>`},
	{"targets on this site", listens + `<script>embed("/m/echo", (w) => { const tell = (text, ...to) => { try { w.postMessage(text, ` +
		`...to) } ` +
		`catch (e) { say(text, e.name, e.message) } }; tell("mine", "/"); tell("default"); tell("exact", location.origin); tell("other: ` +
		`lost", "` +
		other + `") })</script>`},
	{"a page to itself", listens + `<script>postMessage("default"); window.postMessage("any", "*"); self.postMessage("mine", "/"); ` +
		`window.postMessage("exact", "` + host + `"); postMessage("lost", "` + other + `"); fails(() => postMessage()); fails(() => ` +
		`window.postMessage(() => {}, "*")); say(typeof postMessage, postMessage.length, postMessage.name)</script>`},
	{"falsy messages", `<script>let n = 0; addEventListener("message", (e) => say(++n, typeof e.data, String(e.data), e.origin)); ` +
		`for (const v of ` +
		`[0, "", null, undefined, false, NaN]) postMessage(v, "*")</script>`},
	{"a message in a replay tool's words", listens + `<script>postMessage({ from: "a", to_origin: "b", message: "c", src_id: 1 }, "*"); ` +
		`embed("` + player + `/m/echo", (w) => w.postMessage({ from: "` + other + `", message: "mine" }, "*"))</script>`},
	{"structured clones", `<script>addEventListener("message", (e) => { say(e.data); if (e.data !== "ready") return; const w = ` +
		`by().contentWindow, ` +
		`b = new ArrayBuffer(8), c = new ArrayBuffer(4); for (const v of [new Map([[1, "a"]]), new Date(5), [1, , 3], { a: { b: null } ` +
		`}, /x/g, c, 0, ` +
		`undefined, new Set([1]), new Error("x")]) w.postMessage(v, "*"); w.postMessage(b, "*", [b]); say(b.byteLength, c.byteLength); ` +
		`say(tried(() => w.postMessage(() => {}, "*")), tried(() => w.postMessage(Symbol(), "*")), tried(() => w.postMessage(b, "*", ` +
		`[b]))) })</script>` +
		embedding(player+"/m/clones")},
	{"ports", `<script>const c = new MessageChannel(); c.port1.onmessage = (e) => { if (e.data.port) return ` +
		`e.data.port.postMessage("a third way"); ` +
		`say("by port:", e.data, e.origin === "", e.source); if (e.data === "port here") c.port1.postMessage({ text: "hi" }) }; ` +
		`addEventListener("message", ` +
		`(e) => { heard(e); by().contentWindow.postMessage("take it", "` + player + `", [c.port2]) ` +
		`})</script>` + embedding(player+"/m/port")},
	{"siblings", `<script>let n = 0; addEventListener("message", (e) => { say(e.data, e.origin, ` +
		`[...document.querySelectorAll("iframe")].findIndex((f) ` +
		`=> f.contentWindow === e.source)); if (["first", "second"].includes(e.data) && ++n === 2) frames[1].postMessage("go", ` +
		`"` + other + `") })` +
		`</script>` + embedding(player+"/m/sibling") + embedding(other+"/m/sibling")},
	{"grandchildren", `<script>addEventListener("message", (e) => heard(e, e.source === frames[0], e.source === frames[0][0], ` +
		`e.source.parent === frames[0]))</script>` + embedding(player+"/m/nests")},
	{"a frame of the other site in its own", `<script>addEventListener("message", (e) => heard(e, e.source === ` +
		`frames[0].frames[0]))</script>` +
		embedding(player+"/m/shares")},
	{"what is around a frame", listens + embedding(player+"/m/around")},
	{"what a frame is to its page", `<script>const f = embed("` + player + `/m/ready", (w) => { say(w === f.contentWindow, w === ` +
		`frames[0], ` +
		`window[0] === w, w === frames.named, window.named === w, w.window === w, w.self === w, w.frames === w, w.parent === window, ` +
		`w.top === top, ` +
		`w.closed, w.length, w.opener, w !== window); say(tried(() => w.document), tried(() => w.location.href), tried(() => w.name), ` +
		`tried(() => ` +
		`w.foo = 1), f.contentDocument, typeof w.postMessage, Object.prototype.toString.call(w), w instanceof Window, tried(() => ` +
		`String(w.then)), ` +
		`tried(() => w.focus()), tried(() => w.blur()), frames.length) }); f.name = "named"</script>`},
	{"a window taken before it is another site's", listens + `<script>const f = embed("` + player + `/m/echo"), early = ` +
		`f.contentWindow; f.onload = () => ` +
		`{ say(early === f.contentWindow, tried(() => early.document)); early.postMessage("early", "*") }</script>`},
	{"a frame that is looked at while it loads", listens + `<script>const f = embed("/m/looked-at"), look = setInterval(() => ` +
		`f.contentWindow.document.title, 1); f.contentWindow.document.title; f.onload = () => clearInterval(look)</script>`},
	{"a frame led on", listens + `<script>let n = 0; embed("` + player + `/m/ready", (w) => { if (n++ === 0) w.location = "` + player +
		`/m/left"; else if (n === 2) w.location.href = "` + other + `/m/ready"; else if (n === 3) ` +
		`w.location.replace("` + host + `/m/ready") })</script>`},
	{"a consent frame", `<iframe name=__consentLocator></iframe><script>addEventListener("message", (e) => { if (e.data.call) { ` +
		`say(e.data.call, e.origin); ` +
		`e.source.postMessage({ consent: "all of it" }, "*") } else say(e.data) })</script>` + embedding(player+"/m/consent")},
	{"by other ways to call it", listens + embedding(player+"/m/bound")},
	{"from text", listens + embedding(player+"/m/eval")},
	{"a frame by its bare name", listens + `<iframe name=thePlayer src="` + player + `/m/echo"></iframe><script>onload = () => { ` +
		`thePlayer.postMessage("by name", "` + player + `"); thePlayer ?. postMessage("perhaps", "*"); window.thePlayer.postMessage("by ` +
		`window", "*"); new Function('thePlayer.postMessage("from text", "*")')(); const c = new MessageChannel; c.port1.onmessage = (e) => ` +
		`say("by port", e.data); c.port2.postMessage("kept"); say(tried(() => nobody.postMessage("lost", "*"))) }</script>`},
	{"a document that is made", `<script>addEventListener("message", (e) => say(e.data, e.origin)); embed("about:blank", (w, f) => { ` +
		`const s = ` +
		`w.document.createElement("script"); s.textContent = "parent.postMessage('from blank', '*'); parent.postMessage('exact', '` + host +
		`')"; w.document.body.append(s) })</script>`},
	{"a document in an attribute", listens + `<iframe srcdoc="<script>parent.postMessage('from srcdoc', '` + host + `'); onmessage = ` +
		`(e) => ` +
		`e.source.postMessage('back ' + e.data + e.origin, e.origin)</script>" onload="contentWindow.postMessage('to srcdoc', '` + host +
		`')"></iframe>`},
	{"a sandboxed frame", listens + `<iframe sandbox="allow-scripts" src="` + player + `/m/ready"></iframe>`},
	{"a sandboxed frame that answers", `<script>addEventListener("message", (e) => { heard(e); if (e.data === "ready") { const w = ` +
		`by().contentWindow; ` +
		`w.postMessage("any", "*"); w.postMessage("lost", "` + player + `"); say(tried(() => w.document)) } })</script>` +
		`<iframe sandbox="allow-scripts" src="` + player + `/m/sandboxed"></iframe>`},
	{"a sandboxed document", listens + `<iframe sandbox="allow-scripts" srcdoc="<script>parent.postMessage('sandboxed ' + ` +
		`self.origin, '*'); ` +
		`parent.postMessage('exact', '` + host + `')</script>"></iframe>`},
	{"an event that a page makes", `<script>const c = new MessageChannel; addEventListener("message", (e) => say(e.data, e.origin, ` +
		`e.source === window, ` +
		`e.isTrusted, e.ports.length)); dispatchEvent(new MessageEvent("message", { data: "made", origin: "x:y", source: window, ports: ` +
		`[c.port1] })); ` +
		`dispatchEvent(new MessageEvent("message"))</script>`},
	{"other channels", `<script>const b = new BroadcastChannel("c" + Math.random()), d = new BroadcastChannel(b.name); d.onmessage = ` +
		`(e) => ` +
		`say("broadcast", e.data, e.origin); b.postMessage("to all"); const w = new Worker(URL.createObjectURL(new ` +
		`Blob(["postMessage('worker')"]))); ` +
		`w.onmessage = (e) => say(e.data, e.origin === "", e.source); const c = new MessageChannel; c.port2.onmessage = (e) => ` +
		`say(e.data.from, ` +
		`e.data.message); c.port1.postMessage({ from: "a", message: "b" }); class P { postMessage(...all) { say("its own", ...all) } } new ` +
		`P().postMessage("x", "*")</script>`},
}

func targetsOf(site string) string {
	return `tell("any", "*"); tell("exact", "` + site + `"); tell("with a path", "` + site + `/x"); tell("mine: lost", "/"); ` +
		`tell("default: lost"); ` +
		`tell("other: lost", "` + other + `"); tell("this: lost", "` + host + `"); tell("longer: lost", "` + site + `.example"); ` +
		`tell("wrong", "x"); ` +
		`tell("by option", { targetOrigin: "` + site + `" }); tell("empty option: lost", {}); `
}

func init() {
	messageFiles[player+"/m/sandboxed"] = messagePage(`addEventListener("message", (e) => parent.postMessage(["heard", e.data, ` +
		`e.origin, ` +
		`self.origin, e.source === parent].join(" "), "*")); parent.postMessage("ready", "*")`)
}

// separated are the programs that say what windows of two sites keep from each other. On one origin that is nothing
// (docs/isolation.md), and a function that is taken from a window and called later is that window's own.
var separated = []string{
	"what is around a frame", "what a frame is to its page", "a window taken before it is another site's", "by other ways to call it",
	"a window with a name",
}

// windowPrograms open windows. Each runs alone, as they take the front from each other.
var windowPrograms = []program{
	{"a window of another site", `<script>let w; addEventListener("message", (e) => { say(e.data, e.origin, e.source === w); if ` +
		`(/^popup at/.test(e.data)) ` +
		`w.postMessage("hello", "` + player + `") }); w = open("` + player + `/m/popup"); const i = setInterval(() => { if (w.closed) { ` +
		`say("closed"); ` +
		`clearInterval(i) } }, 50)</script>`},
	{"a window with a name", `<script>addEventListener("message", (e) => { if (/^popup at/.test(e.data)) { say(e.source === w, ` +
		`tried(() => w.document), ` +
		`w.opener === window); w.close() } }); let w = window.open("` + player + `/m/popup", "named", "width=200,height=200")</script>`},
}

// TestMessagesAreAsTheyWereLive_long lets pages of three sites write to each other.
func TestMessagesAreAsTheyWereLive_long(t *testing.T) {
	t.Parallel() // it mostly waits
	encounter{
		frames:    troupe{"/m/", messageFiles, hearing, messagePrograms},
		windows:   troupe{"/m/", nil, hearing, windowPrograms},
		separated: separated,
	}.isAsItWasLive(t)
}

// saidQuietly opens a program in the window and returns what it has said once it is quiet.
func (g *stage) saidQuietly(t *testing.T, uri string) string {
	t.Helper()
	g.navigate(t, uri)
	return evaluate[string](t, g, `new Promise((done) => { let before = "", since = performance.now(); const start = since; const `+
		`look = () => { `+
		`const now = performance.now(), all = [...said].sort().join("\n"); if (all !== before) { before = all; since = now } `+
		`if (all && now - since > 1000 || now - start > 60000) done(all); else setTimeout(look, 30) }; look() })`)
}

// Where each archived origin has its host, a script that gets around wombat can't write in another one's name: what a message says
// of its sender counts only if it comes from there.
func TestMessagesDoNotForgeTheirSender(t *testing.T) {
	t.Parallel() // it mostly waits
	hasWombat(t)
	a := &archive{}
	a.page(player+"/", day, `<!doctype html><script>addEventListener("message", (e) => parent.postMessage([e.data, e.origin].join(" `+
		`from "), "*"))`+
		`;parent.postMessage("ready", "*")</script>`)
	a.page(other+"/", day, saying+`<script>addEventListener("message", (e) => say(e.data))</script><iframe src="`+player+`/"></iframe>`)
	g := onManyOrigins(t, a.serve(t, "--public-url", publicOrigin, "--replay-url", "http://*.replay.localhost"))
	g.open(t, "/web/"+day+"mp_/"+other+"/")
	g.until(t, `said.includes("ready")`)
	write := func(from, to, text string) {
		evaluate[bool](t, g, `(frames[0].postMessage({_varve: {from: "`+from+`", to: "`+to+`"}, message: "`+text+`"}, "*"), true)`)
	}
	write(player, "*", "forged")
	write(other, "http://elsewhere.example", "lost")
	write(other, player, "honest")
	g.until(t, `said.includes("honest from `+other+`")`)
	if got := evaluate[string](t, g, `said.join()`); got != "ready,forged from null,honest from "+other {
		t.Errorf("heard %s", got)
	}
	if _, leaks := g.seen(); len(leaks) > 0 {
		t.Errorf("left: %q", leaks)
	}
}
