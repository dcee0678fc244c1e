package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// streaming are expressions that open a connection which stays open, and become a promise of what became of it: "error" as
// from a server that is dead, or what else happened. They run in pages, frames and workers.
var streaming = map[string]string{
	"ws":         `socket("ws://live.example/ws")`,
	"wss":        `socket("wss://live.example/wss", ["chat"])`,
	"http":       `socket("http://live.example/http")`,
	"relative":   `socket("/relative")`,
	"a loopback": `socket("ws://127.0.0.1:%[1]d/loopback")`,
	"varve's own": `socket("ws://" + (self.origin === "null" ? location.host : self.origin.split("/")[2]) + ` +
		`"/-/metrics")`,
	"events":          `events("http://live.example/events")`,
	"loopback events": `events("http://127.0.0.1:%[1]d/events")`,
	"a stream": `"WebSocketStream" in self ? new WebSocketStream("ws://127.0.0.1:%[1]d/stream").opened.then(() => "open", () => "error") ` +
		`: "error"`,
}

const openers = `
const ended = (o) => new Promise((done) => {
  o.onopen = () => done("open");
  o.onerror = () => setTimeout(() => done(o.readyState === o.CLOSED ? "error" : "error, but still trying"), 50);
  setTimeout(() => done("nothing"), 20000); // Chromium lets those that fail often wait
});
const socket = (...how) => ended(new WebSocket(...how));
const events = (at) => ended(new EventSource(at));
const outcome = async (open) => { try { return await open() } catch (e) { return "exception " + e } };
`

// within are ways to run a function of a page's own: %s is a script that calls say with the outcome.
var within = map[string]string{
	"a page": `%s`,
	"a worker": "const w = new Worker(URL.createObjectURL(new Blob([`const say = (s) => postMessage(s);%s`]))); " +
		`w.onmessage = (e) => say(e.data); w.onerror = (e) => say("no worker " + e.message)`,
	"a frame": `const f = document.createElement("iframe"); f.src = location.href.replace("/a-frame", "/a-page"); ` +
		`document.body.append(f); setInterval(() => { if (f.contentWindow.said) say(f.contentWindow.said) }, 50); if (0) { %s }`,
	"an empty frame": "const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.say = say; " +
		"f.contentWindow.eval(`{%s}`)",
	"an unseen frame": "document.body.insertAdjacentHTML('beforeend', '<iframe></iframe>'); frames[0].say = say; " +
		"frames[0].eval(`{%s}`)",
}

// A page that opens a socket, or asks for events, gets what it would get from a server that is dead, and nothing leaves.
func TestSocketsEndAsAtADeadServer(t *testing.T) {
	t.Parallel()
	hasWombat(t)
	port, count := accepting(t)
	var all []string
	for name, open := range streaming {
		if strings.Contains(open, "%") {
			open = fmt.Sprintf(open, port)
		}
		all = append(all, fmt.Sprintf("outcome(() => %s).then((how) => [%q, how])", open, name))
	}
	script := openers + "Promise.all([" + strings.Join(all, ", ") + "]).then((all) => say(JSON.stringify(Object.fromEntries(all))))"
	a := &archive{}
	for place, run := range within {
		a.page(host+"/"+slug(place), day, "<!doctype html><title>sockets</title><body><script>self.said = ''; {"+
			"const say = (s) => { self.said = s; };"+fmt.Sprintf(run, script)+"}</script>")
	}
	g := browse(t, a.serve(t))
	for place := range within {
		g.navigate(t, g.url+at14("/"+slug(place)))
		g.until(t, `self.said`)
		got := evaluate[map[string]string](t, g, `JSON.parse(self.said)`)
		for name := range streaming {
			// The worker is made of a blob, whose address nothing is relative to.
			if invalid := name == "relative" && place == "a worker"; invalid && strings.HasPrefix(got[name], "exception SyntaxError") {
				continue
			}
			if got[name] != "error" {
				t.Errorf("%s in %s ends with %q", name, place, got[name])
			}
		}
		g.contained(t)
	}
	if n := count.Load(); n != 0 {
		t.Errorf("%d connections to this machine", n)
	}
}
