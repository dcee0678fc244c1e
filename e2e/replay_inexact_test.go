package e2e

// inexactFiles were captured two days after the page that asks for them. A redirect to the capture would be varve's own: scripts
// notice redirects, and the live servers sent none.
var inexactFiles = siteFiles{
	host + "/l/later/data.txt":   "text/plain\nhome data",
	other + "/later/data.txt":    "text/plain\nother data",
	host + "/l/later/events.txt": "text/event-stream\nretry: 100000\ndata: told\n\n",
	other + "/later/events.txt":  "text/event-stream\nretry: 100000\ndata: told by the other\n\n",
	host + "/l/later/lib.js":     scriptFile(`self.lib = "lib"`),
	other + "/later/lib.js":      scriptFile(`self.lib = "other lib"`),
	host + "/l/later/module.mjs": scriptFile(`import { dep } from "./dep.mjs"; export const name = dep + import.meta.url`),
	host + "/l/later/dep.mjs":    scriptFile(`export const dep = "dep at "`),
	other + "/later/module.mjs":  scriptFile(`export const name = "other at " + import.meta.url`),
	host + "/l/later/worker.js":  scriptFile(posting + inexactRequests + `post(location.href)`),
	host + "/l/later/shared.js": scriptFile(`onconnect = (e) => { const post = (...all) => ` +
		`e.ports[0].postMessage(all.join(" ")); ` + inexactRequests + `post(location.href) }`),
	host + "/l/asks.js": scriptFile(posting + inexactRequests),
	host + "/l/imports.js": scriptFile(posting + `try { importScripts("later/lib.js"); post(lib); importScripts("` + other +
		`/later/lib.js"); post(lib) } catch (e) { post(e.name) }`),
	host + "/l/module.mjs": scriptFile(posting + `import { name } from "./later/module.mjs"; post(name); import("` + other +
		`/later/module.mjs").then((m) => post(m.name)); ` + inexactRequests),
}

const inexactRequests = `for (const at of ["/l/later/data.txt", "` + other + `/later/data.txt"]) {
	for (const redirect of ["follow", "error", "manual"]) {
		fetch(at, {redirect}).then((r) => r.text().then((t) => post(redirect, t, r.status, r.type, r.redirected, r.url)),
			(e) => post(redirect, at, e.name));
	}
	fetch(new Request(at, {redirect: "error"})).then((r) => r.text()).then((t) => post("a request", t), (e) => post("a request", at, e.name));
	const x = new XMLHttpRequest, y = new XMLHttpRequest;
	x.onloadend = () => post("xhr", x.status, x.responseText, x.responseURL);
	x.open("GET", at);
	x.send();
	y.open("GET", at, false);
	try { y.send(); post("sync", y.responseText, y.responseURL) } catch (e) { post("sync", at, e.name) }
	if (self.EventSource) {
		const s = new EventSource(at.replace("data", "events"));
		s.onmessage = (e) => { post("event", e.data, e.origin, s.url); s.close() };
		s.onerror = () => { post("error of events", at, s.readyState); s.close() };
	}
} `

var inexactPrograms = []program{
	{"requests", `<script>const post = say; ` + inexactRequests + `</script>`},
	{"a worker that asks", `<script>hear(new Worker("asks.js"))</script>`},
	{"a later worker", `<script>hear(new Worker("later/worker.js"))</script>`},
	{"a later shared worker", `<script>const s = new SharedWorker("later/shared.js"); hear(s.port); s.onerror = () => say("error")</script>`},
	{"a blob worker that asks", inBlob(posting+`try { importScripts("`+host+`/l/later/lib.js", "`+other+
		`/later/lib.js"); post(lib) } catch (e) { post(e.name) }`, "")},
	{"a worker that imports", `<script>hear(new Worker("imports.js"))</script>`},
	{"a module worker", `<script>hear(new Worker("module.mjs", {type: "module"}))</script>`},
	{"modules", `<script type=module>import { name } from "./later/module.mjs"; import { name as far } from "` + other +
		`/later/module.mjs"; say(name, far)</script>`},
	{"modules imported later", `<script>import("./later/module.mjs").then((m) => say(m.name), say); import("` + other +
		`/later/module.mjs").then((m) => say(m.name), say)</script>`},
	{"scripts", `<script src="later/lib.js"></script><script>say(lib)</script><script src="` + other + `/later/lib.js" crossorigin></script>` +
		`<script>say(lib)</script>`},
	{"a request of a frame that the page makes", `<iframe srcdoc="<script>fetch('` + other +
		`/later/data.txt', {redirect: 'error'}).then((r) => r.text()).then((t) => parent.say(t), (e) => parent.say(e.name))</script>"></iframe>`},
}
