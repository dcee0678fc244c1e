package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A live frame of data has an origin of its own. In replay it has its page's (docs/isolation.md): in a sandbox, the only way to another
// one, it could not read what it could live. What was archived for every site to read would have to be readable by every site here, too,
// and a varve on loopback has an archive that is the reader's own.
func TestDataFramesReadWhatTheyReadLive(t *testing.T) {
	t.Parallel() // it mostly waits
	hasWombat(t)
	const reads = `<script type=module>const say = (what, text) => parent.postMessage(what + text, "*"); ` +
		`fetch("http://cdn.example/open.json").then((r) => r.text()).then((t) => say("fetch ", t), (e) => say("fetch ", e.name)); ` +
		`import("http://cdn.example/open.mjs").then((m) => say("import ", m.default), (e) => say("import ", e.name))</script>`
	a := (&archive{}).page(host+"/", day, `<!doctype html><title>frames</title><script>var said = { data: [], sandbox: [] }; const `+
		`frame = (name, set) => `+
		`{ const f = document.createElement("iframe"); set(f); document.body.append(f); addEventListener("message", (e) => { if (e.source === `+
		`f.contentWindow) said[name].push(e.data) }) }; addEventListener("load", () => { const text = `+jsText(reads)+`; frame("data", (f) => `+
		`{ f.src = "data:text/html," + encodeURIComponent(text) }); frame("sandbox", (f) => { f.sandbox = "allow-scripts"; f.srcdoc = `+
		`text }) })</script><body>`)
	const open = "Access-Control-Allow-Origin: *"
	a.response("http://cdn.example/open.json", day, "200 OK", `"open"`, "Content-Type: application/json", open)
	a.response("http://cdn.example/open.mjs", day, "200 OK", `export default "module"`, "Content-Type: text/javascript", open)
	g := browse(t, a.serve(t))
	g.navigate(t, g.url+"/web/"+day+"/"+host+"/")
	for name, want := range map[string]string{"data": `fetch "open", import module`, "sandbox": "fetch TypeError, import TypeError"} {
		var got string
		eventually(t, "the frame has said both", func() bool {
			got, _ = chromedp.Run(g.ctx, chromedp.Evaluate[string](`said["`+name+`"].sort().join(", ")`))
			return len(got) >= len(want)
		})
		if got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
