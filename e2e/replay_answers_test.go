package e2e

// answerFiles are what programs fetch: captured a second after the page, with headers that scripts read.
var answerFiles = map[string]string{"/list.json": "[1]", "/late.js": "postMessage([self.location.pathname, self.location.search].join(' '))"}

// answerHead is what their server said of them.
var answerHead = []string{"X-Next-Cursor: 9", `ETag: "v7"`, `Link: <?page=2>; rel="next"`, "X-Nextjs-Cache: HIT", "Hx-Trigger: saved"}

// answerPrograms ask for answers and look at them as programs of today's frameworks do.
var answerPrograms = []program{
	{"a fetched answer", `<script>fetch("/list.json").then((r) => r.text().then((t) =>
		say(t, r.status, r.redirected, r.type, new URL(r.url).pathname, r.url.includes("list.json?"))))</script>`},
	{"an answer that must not be a redirect", `<script>fetch("/list.json", {redirect: "error"}).then((r) => say(r.status), say)</script>`},
	{"an answer whose redirects are followed by hand", `<script>fetch("/list.json", {redirect: "manual"}).then((r) => say(r.status, r.type))</script>`},
	{"headers of a fetched answer", `<script>fetch("/list.json").then((r) =>
		say(r.headers.get("X-Next-Cursor"), r.headers.get("etag"), r.headers.get("x-nextjs-cache"), r.headers.get("hx-trigger"),
			/<([^>]*)>; rel="next"/.exec(r.headers.get("link"))[1]))</script>`},
	{"headers by XMLHttpRequest", `<script>var x = new XMLHttpRequest(); x.open("GET", "/list.json"); x.onload = () =>
		say(x.getResponseHeader("X-Next-Cursor"), x.getResponseHeader("ETag"), x.responseURL.endsWith("/list.json"), x.responseText);
		x.send()</script>`},
	{"a worker", `<script>new Worker("/late.js").onmessage = (e) => say(e.data)</script>`},
	{"an event of storage", `<script>try {
		const e = new StorageEvent("storage", {key: "k", newValue: "v", storageArea: localStorage});
		addEventListener("storage", (e) => say(e.key, e.newValue, e.storageArea === localStorage)); dispatchEvent(e);
		say(new StorageEvent("storage", {storageArea: sessionStorage}).storageArea === sessionStorage,
			new StorageEvent("storage").storageArea, e instanceof StorageEvent);
	} catch (e) { say(e.name + ": " + e.message) }</script>`},
	{"a module's address after pushState", `<script>history.pushState(null, "", "/elsewhere?x=1")</script>
		<script type=module>say(new URL(import.meta.url).pathname); say(new URL("a.png", import.meta.url).pathname)</script>`},
	{"the answer of a script that is missing", `<script>addEventListener("error", (e) => e.target !== window && say(e.type, e.target.tagName), true)</script>
		<script src="/missing.js"></script><link rel=stylesheet href="/missing.css">`},
}
