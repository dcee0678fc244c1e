package e2e

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// siteFiles are files of archived sites by URI: the media type, a line end, and the body.
type siteFiles map[string]string

func scriptFile(body string) string { return "text/javascript; charset=utf-8\n" + body }

const other = "http://cdn.example" // another site, which lets all read

// workerFiles are what the programs below load. Each says where it is and what it got.
var workerFiles = siteFiles{
	host + "/w/data.txt":  "text/plain\nhome data",
	host + "/data.txt":    "text/plain\nroot data",
	other + "/data.txt":   "text/plain\nother data",
	host + "/w/lib.js":    scriptFile(`self.lib = (self.lib || "") + "lib;"`),
	host + "/lib.js":      scriptFile(`self.lib = (self.lib || "") + "rootlib;"; var top = "mine"`),
	other + "/lib.js":     scriptFile(`self.lib = (self.lib || "") + "otherlib;" + typeof location.href + ";"`),
	other + "/lazy.js":    scriptFile(`self.lib = (self.lib || "") + "lazy;"; later = (u) => import(u)`),
	host + "/w/dep.mjs":   scriptFile(`import { deep } from "./deep.mjs"; export const dep = "dep " + deep + " " + self.location.pathname`),
	host + "/w/deep.mjs":  scriptFile(`export const deep = "deep " + import.meta.url`),
	other + "/dep.mjs":    scriptFile(`export const dep = "other " + import.meta.url`),
	host + "/w/import.js": scriptFile(importing + `try { importScripts("lib.js"); post(lib) } catch (e) { post(e.name + e.message) }`),
	host + "/w/strict.js": scriptFile(`"use strict"; try { undeclared = 1; postMessage("sloppy") } catch (e) { postMessage(e.name) }`),
	host + "/w/where.js":  scriptFile(posting + locating),
	host + "/w/asks.js":   scriptFile(posting + asking),
	host + "/w/module.mjs": scriptFile(`import { dep } from "./dep.mjs"; import { dep as d2 } from ` +
		`"` + other + `/dep.mjs"; ` + posting + `post(dep, d2, import.meta.url); ` + locating + `import("./deep.mjs").then((m) => ` +
		`post("lazily", m.deep)); const n = "/w/deep.mjs"; import(n).then((m) => post("by name", m.deep))`),
	host + "/w/nests.js": scriptFile(posting + nesting),
	host + "/w/nested.js": scriptFile(posting + `post("nested at", location.href); fetch("/data.txt").then((r) => r.text()).then((t) ` +
		`=> post("nested", t))`),
	host + "/w/shared.js": scriptFile(`onconnect = (e) => { const p = e.ports[0]; fetch("data.txt").then((r) => r.text()).then((t) => ` +
		`p.postMessage([location.href, name, t].join(" "))) }`),
	host + "/w/classic.js": scriptFile(posting + `const u = "./deep.mjs"; import(u).then((m) => post(m.deep), (e) => post(e.name)); ` +
		`import("./dep.mjs").then((m) => post(m.dep))`),
	host + "/w/identity.js": scriptFile(posting + `post(self instanceof DedicatedWorkerGlobalScope, new Request("/x") instanceof ` +
		`Request, new Request("/x").url, fetch.length, typeof importScripts, Object.keys(self).filter((k) => ` +
		`/varve|wb|wombat/i.test(k)).join(), String(self.location), self.origin, location instanceof WorkerLocation)`),
	host + "/w/response.js": scriptFile(posting + `fetch("data.txt").then((r) => post(r.url, r.type, r.ok)); const x = new ` +
		`XMLHttpRequest; x.onload = () => post(x.responseURL, x.responseText); x.open("GET", "/data.txt"); x.send()`),
	host + "/w/counts.js": scriptFile(`let n = 0; onconnect = (e) => { n++; e.ports[0].postMessage([n, name, ` +
		`location.pathname].join(" ")) }`),
	host + "/w/later/shares.html": "text/html\n<!doctype html><script>const s = new SharedWorker('../counts.js', 'both'); " +
		"s.port.onmessage = (e) => parent.say('frame', e.data); s.onerror = () => parent.say('error')</script>",
	host + "/w/throws.js":    scriptFile(`importScripts("lib.js"); throw new Error("from the worker")`),
	host + "/w/missing.js":   scriptFile(posting + `try { importScripts("nowhere.js"); post("got it") } catch (e) { post(e.name) }`),
	host + "/w/base/sub.js":  scriptFile(posting + `importScripts("../lib.js", "//cdn.example/lib.js"); post(lib)`),
	host + "/w/picture.svg":  "image/svg+xml\n<svg xmlns='http://www.w3.org/2000/svg' width='7' height='5'/>",
	other + "/picture.svg":   "image/svg+xml\n<svg xmlns='http://www.w3.org/2000/svg' width='9' height='3'/>",
	other + "/style.css":     "text/css\nb{width:33px;display:block;background:url(picture.svg)}",
	host + "/w/inframe.js":   scriptFile(`said.push("script in frame " + location.pathname)`),
	other + "/inframe.js":    scriptFile(`parent.say("other script ran", typeof location.href)`),
	host + "/w/indata.js":    scriptFile(`parent.postMessage("data script ran", "*")`),
	host + "/w/reported.svg": "image/svg+xml\n<svg xmlns='http://www.w3.org/2000/svg'/>",
}

const (
	posting   = `const post = (...all) => postMessage(all.join(" ")); `
	importing = posting + `importScripts("` + other + `/lib.js"); importScripts("/lib.js", "//cdn.example/lazy.js"); post(lib, ` +
		`typeof top); ` +
		`later("` + other + `/dep.mjs").then((m) => post("imported", m.dep)); `
	locating = `post(location.href, self.location.pathname, location.host, location.origin, self.origin, location.protocol, ` +
		`"" + location, new URL("x", location).href); `
	asking = `const got = (r) => r.text(); fetch("` + other + `/data.txt").then(got).then((t) => post("fetch", t)); ` +
		`fetch("/data.txt").then(got).then((t) => post("fetch root", t)); fetch(new Request("//cdn.example/data.txt")).then(got)` +
		`.then((t) => post("fetch request", t)); fetch(new URL("` + other + `/data.txt")).then(got).then((t) => post("fetch url", t)); ` +
		`const x = new XMLHttpRequest; x.onload = () => post("xhr", x.responseText); x.open("GET", "` + other + `/data.txt"); x.send(); ` +
		`const y = new XMLHttpRequest; y.open("GET", "` + host + `/data.txt", false); y.send(); post("sync xhr", y.responseText); `
	nesting = `const n = new Worker("nested.js"); n.onmessage = (e) => post("from nested:", e.data); const m = new ` +
		`Worker(URL.createObjectURL(` +
		`new Blob(["postMessage(location.protocol); importScripts('` + other + `/lib.js'); postMessage(lib)"]))); m.onmessage = (e) => ` +
		`post("from nested blob:", e.data); `
)

// hears makes a page repeat what a worker says and what goes wrong in it.
const hears = `<script>const hear = (w) => { w.onmessage = (e) => say("worker:", e.data); w.onerror = (e) => { ` +
	`say("worker error:", e.message || e.type); e.preventDefault() } }; const blobOf = (text, type) => ` +
	`URL.createObjectURL(new Blob([text], {type: type || "text/javascript"}))</script>`

// inBlob makes a program that runs a script as a worker made from a blob. The address is revoked at once, as pages do.
func inBlob(script, options string) string {
	return `<script>const u = blobOf(` + jsText(script) + `); hear(new Worker(u` + options + `)); URL.revokeObjectURL(u)</script>`
}

// inFunction does so with the text of a function that the page's script contains.
func inFunction(f string) string {
	return `<script>hear(new Worker(blobOf("(" + String(` + f + `) + ")()")))</script>`
}

func jsText(s string) string {
	return "`" + strings.NewReplacer("\\", "\\\\", "`", "\\`", "${", "\\${", "</script", "<\\/script").Replace(s) + "`"
}

const absolutely = `const base = "` + host + `/w/"; `

var workerPrograms = []program{
	{"a worker that imports", `<script>hear(new Worker("import.js"))</script>`},
	{"a worker by absolute address", `<script>hear(new Worker("` + host + `/w/where.js#x"))</script>`},
	{"a worker by path", `<script>hear(new Worker("/w/where.js"))</script>`},
	{"a worker by URL object", `<script>hear(new Worker(new URL("where.js", location.href)))</script>`},
	{"a strict worker", `<script>hear(new Worker("strict.js"))</script>`},
	{"a worker that asks", `<script>hear(new Worker("asks.js"))</script>`},
	{"a worker in another folder", `<script>hear(new Worker("base/sub.js"))</script>`},
	{"a worker that nests", `<script>hear(new Worker("nests.js"))</script>`},
	{"a worker with import()", `<script>hear(new Worker("classic.js"))</script>`},
	{"what a worker sees of itself", `<script>hear(new Worker("identity.js"))</script>`},
	{"what a worker's answers say", `<script>hear(new Worker("response.js"))</script>`},
	{"a worker that throws", `<script>hear(new Worker("throws.js"))</script>`},
	{"a worker that misses something", `<script>hear(new Worker("missing.js"))</script>`},
	{"a worker with a name", `<script>hear(new Worker(blobOf("postMessage(name)"), {name: "its name"}))</script>`},
	{"a module worker", `<script>hear(new Worker("module.mjs", {type: "module"}))</script>`},
	{"a shared worker", `<script>const s = new SharedWorker("shared.js", "n"); hear(s.port); s.onerror = (e) => say("error", ` +
		`e.type)</script>`},
	{"a shared worker of a blob", `<script>const s = new SharedWorker(blobOf(` + jsText(`onconnect = (e) => { importScripts("`+other+
		`/lib.js"); e.ports[0].postMessage(lib) }`) + `)); hear(s.port); s.onerror = (e) => say("error", e.type)</script>`},
	{"a shared worker of a page and its frame", `<script>const s = new SharedWorker("counts.js", "both"); s.port.onmessage = (e) => { ` +
		`say("page", e.data); document.body.append(Object.assign(document.createElement("iframe"), {src: "later/shares.html"})) ` +
		`}</script>`},
	{"shared workers of frames that a page makes", `<script>const s = new SharedWorker("counts.js", "made"); s.port.onmessage = (e) => { ` +
		`say("page", e.data); const f = document.createElement("iframe"); document.body.append(f); const b = new ` +
		`f.contentWindow.SharedWorker("` + host + `/w/counts.js", "made"); b.port.onmessage = (e) => { say("empty frame", e.data); ` +
		`const d = document.createElement("iframe"); d.srcdoc = "<script>const s = new SharedWorker('counts.js', 'made'); ` +
		`s.port.onmessage = ` +
		`(e) => parent.say('srcdoc', e.data)</" + "script>"; document.body.append(d) } }</script>`},
	{"a shared worker of a blob, in a page and its frame", `<script>const u = blobOf("let n = 0; onconnect = (e) => ` +
		`e.ports[0].postMessage(++n + name)"); const s = new SharedWorker(u, "b"); s.port.onmessage = (e) => { say("page", e.data); ` +
		`const d = document.createElement("iframe"); d.srcdoc = "<script>const s = new SharedWorker(parent.u, 'b'); s.port.onmessage = ` +
		`(e) => parent.say('frame', e.data)</" + "script>"; document.body.append(d) }</script>`},
	{"two shared workers with an address", `<script>const a = new SharedWorker("counts.js", {name: "one"}), b = new ` +
		`SharedWorker("/w/counts.js", "two"), c = new SharedWorker(new URL("counts.js", location), "two"); hear(a.port); hear(b.port); ` +
		`hear(c.port)</script>`},
	{"a blob worker that imports", inBlob(`importScripts("`+other+`/lib.js"); importScripts("`+host+`/lib.js", "`+host+
		`/w/lib.js"); postMessage(lib + typeof top)`, "")},
	{"a blob worker with a relative import", inBlob(`try { importScripts("lib.js"); postMessage(lib) } catch (e) { postMessage(e.name) `+
		`}`, "")},
	{"a blob worker that imports by protocol", inBlob(`try { importScripts("//cdn.example/lib.js"); postMessage(lib) } catch (e) { `+
		`postMessage(e.name) }`, "")},
	{"a blob worker that asks", inBlob(absolutely+posting+strings.ReplaceAll(strings.ReplaceAll(asking, `"/data`, `"`+host+`/data`),
		`"//cdn`, `"http://cdn`), "")},
	{"a blob worker that asks relatively", inBlob(posting+`fetch("/data.txt").then((r) => r.text()).then(post, (e) => post(e.name)); try `+
		`{ const `+
		`x = new XMLHttpRequest; x.open("GET", "data.txt"); post("opened") } catch (e) { post(e.name) }`, "")},
	{"where a blob worker is", inBlob(posting+`post(location.protocol, location.origin, self.origin, location.pathname.startsWith("`+host+
		`/"), location.href.startsWith("blob:`+host+`/"))`, "")},
	{"a blob worker that nests", inBlob(posting+strings.ReplaceAll(nesting, `"nested.js"`, `"`+host+`/w/nested.js"`), "")},
	{"a strict blob worker", inBlob(`"use strict"; try { undeclared = 1; postMessage("sloppy") } catch (e) { postMessage(e.name) }`, "")},
	{"a blob module worker", inBlob(`import { dep } from "`+host+`/w/dep.mjs"; import {dep as d2} from '`+other+`/dep.mjs'; `+posting+
		`post(dep.replace(/[0-9a-f-]{36}/, "uuid"), d2); const n = "`+host+`/w/deep.mjs"; import(n).then((m) => post(m.deep))`, `, {type: `+
		`"module"}`)},
	{"a data worker", `<script>hear(new Worker("data:text/javascript," + encodeURIComponent(` + jsText(posting+`importScripts("`+other+
		`/lib.js"); post(lib, self.origin, location.protocol); fetch("`+other+`/data.txt").then((r) => r.text()).then(post, (e) => `+
		`post(e.name))`) +
		`)))</script>`},
	{"a blob worker with wide letters", inBlob(`postMessage("äöü €")`, "")},
	{"a worker that imports a blob", `<script>hear(new Worker(blobOf("importScripts('" + blobOf("self.inner = 'inner'") + ` +
		`"'); postMessage(inner)")))</script>`},
	{"no worker", `<script>fails(() => new Worker())</script>`},
	{"a worker without new", `<script>fails(() => Worker("where.js")); fails(() => SharedWorker("where.js")); say(Worker.name, ` +
		`Worker.prototype.constructor === Worker); class W extends Worker {} hear(new W("where.js"))</script>`},
	{"a worker of a function's text", inFunction(`function () { self.postMessage(typeof window + typeof document); ` +
		`self.importScripts("` + other + `/lib.js"); self.postMessage(self.lib + this.lib + location.protocol + ` +
		`(function () { return this === self })()); import("` + host + `/w/deep.mjs").then((m) => self.postMessage(m.deep)) }`)},
	{"a worker of a function's text with eval", inFunction(`function () { const own = 1; eval("self.postMessage('evaluated' + own)") }`)},
}

// A troupe is a number of programs with what they load.
type troupe struct {
	path     string // of their pages
	files    siteFiles
	before   string // mark-up that all of them begin with
	programs []program
}

var troupes = map[string]troupe{
	"workers":                     {"/w/", workerFiles, hears, workerPrograms},
	"what pages make":             {"/d/", madeFiles, frames, madePrograms},
	"answers of another datetime": {"/l/", inexactFiles, hears, inexactPrograms},
}

var serviceWorkers = troupe{"/s/", serviceFiles, serving, servicePrograms}

// TestWorkersAndMadeDocumentsAreAsTheyWereLive_long runs the programs of each troupe live, replayed on one origin and, in the long form,
// with a host for each archived origin.
func TestWorkersAndMadeDocumentsAreAsTheyWereLive_long(t *testing.T) {
	t.Parallel() // it mostly waits
	hasWombat(t)
	for name, c := range troupes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.asLive(t, browseAsReaders)
		})
	}
}

// What service workers answer is also compared through the proxy. The headless shell has none.
func TestServiceWorkersAnswerAsTheyDidLive_long(t *testing.T) {
	t.Parallel() // it mostly waits
	hasWombat(t)
	a, want := serviceWorkers.asLive(t, browseWhole)
	if testing.Short() {
		return
	}
	t.Run("through the proxy", func(t *testing.T) { // where only what fills the window has any
		g := throughProxy(t, a)
		serviceWorkers.compare(t, g, want, serviceWorkers.oneByOne(t, g, want))
	})
}

// asLive compares what the programs say live and replayed, in browsers that browse starts. It returns their archive, and what they said
// live.
func (c troupe) asLive(t *testing.T, browse func(*testing.T, *server, ...string) *stage) (*archive, []string) {
	t.Helper()
	files := c.files.with(c.path, c.before, c.programs)
	origin := httptest.NewServer(files)
	defer origin.Close()
	a := files.archive()
	original := browse(t, &server{url: origin.URL}, "proxy-server="+origin.URL, "unsafely-treat-insecure-origin-as-secure="+host)
	ways := map[string]*stage{"replayed": browse(t, a.serve(t))}
	if !testing.Short() {
		ways["on many origins"] = onManyOrigins(t, a.serve(t, "--public-url", publicOrigin, "--replay-url", "http://*.replay.localhost"))
	}
	at := host + c.path + allPrograms
	want := original.saidInFrames(t, at, nil)
	for how, g := range ways {
		t.Run(how, func(t *testing.T) { c.compare(t, g, want, g.saidInFrames(t, g.url+"/web/"+day+"/"+at, want)) })
	}
	return a, want
}

// compare compares what the programs said live and replayed.
func (c troupe) compare(t *testing.T, g *stage, want, got []string) {
	t.Helper()
	for i, p := range c.programs {
		switch {
		case want[i] == "":
			t.Errorf("%s: the program says nothing", p.name)
		case got[i] != want[i]:
			t.Errorf("%s:\n%s\nlive:\n%s", p.name, got[i], want[i])
		}
	}
	if _, leaks := g.seen(); len(leaks) > 0 {
		t.Errorf("left: %q", leaks)
	}
	t.Logf("%d programs", len(c.programs))
}

// oneByOne opens each program in the window.
func (c troupe) oneByOne(t *testing.T, g *stage, want []string) []string {
	t.Helper()
	var got []string
	for i, p := range c.programs {
		got = append(got, g.saidInWindow(t, host+c.path+slug(p.name), want[i]))
	}
	return got
}

const allPrograms = "all-programs"

// with returns the files, a page for each program, and one page with all of them in frames.
func (f siteFiles) with(path, before string, programs []program) siteFiles {
	all, frames := maps.Clone(f), "text/html; charset=utf-8\n<!doctype html><title>all programs</title>"
	for _, p := range programs {
		all[host+path+slug(p.name)] = "text/html; charset=utf-8\n" + saying + before + p.markup
		frames += "<iframe src=" + slug(p.name) + "></iframe>"
	}
	all[host+path+allPrograms] = frames
	return all
}

func (f siteFiles) archive() *archive {
	a := &archive{}
	for uri, file := range f {
		kind, body, _ := strings.Cut(file, "\n")
		ts := day
		if strings.Contains(uri, "/later/") {
			ts = "20100104000000"
		}
		a.response(uri, ts, "200 OK", body, "Content-Type: "+kind, "Access-Control-Allow-Origin: *")
	}
	return a
}

// throughProxy starts varve as a proxy, and a browser that has only this way to the web.
func throughProxy(t *testing.T, a *archive, args ...string) *stage {
	t.Helper()
	proxy := freeAddress(t)
	return behind(t, proxy, a.serve(t, append(args, "--proxy", proxy)...))
}

// behind starts a browser that has only a server's proxy to the web.
func behind(t *testing.T, proxy string, s *server) *stage {
	t.Helper()
	g := browseAsReaders(t, s, "proxy-server=http://"+proxy, "proxy-bypass-list=<-loopback>", "ignore-certificate-errors")
	g.url = ""
	return g
}

// ServeHTTP is the live web with these files and no others.
func (f siteFiles) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind, body, ok := strings.Cut(f["http://"+r.Host+r.URL.Path], "\n")
	w.Header().Set("Access-Control-Allow-Origin", "*")
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write([]byte(body))
}

// saidInFrames opens a page and returns what the program in each of its frames has said, in sorted lines: what runs side by
// side has no order. It returns once all have been quiet, for longer if that isn't what is wanted.
func (g *stage) saidInFrames(t *testing.T, uri string, want []string) []string {
	t.Helper()
	g.navigate(t, uri)
	wanted, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	return evaluate[[]string](t, g, `new Promise((done) => { const wanted = `+string(wanted)+`; let before = "", since = `+
		`performance.now(); `+
		`const start = since; const look = () => { `+
		`const all = [...document.querySelectorAll("iframe")].map((f) => [...(f.contentWindow.said || [])].sort().join("\n")), now = `+
		`performance.now(), said = all.join("\n\n"); if (said !== before) { before = said; since = now } `+
		`const enough = !wanted ? 3000 : said === wanted.join("\n\n") ? 500 : 15000; `+
		`if (now - since > enough || now - start > 90000) done(all); else setTimeout(look, 30) }; look() })`)
}

// saidInWindow opens a program and gives it time to say what is wanted. It asks from here, as the page may load itself again.
func (g *stage) saidInWindow(t *testing.T, uri, want string) (said string) {
	t.Helper()
	g.navigate(t, uri)
	for start := time.Now(); said != want && time.Since(start) < patience; time.Sleep(30 * time.Millisecond) {
		said, _ = chromedp.Run(g.ctx, chromedp.Evaluate[string](`self.said ? [...said].sort().join("\n") : ""`))
	}
	return said
}
