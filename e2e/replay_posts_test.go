package e2e

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"google.golang.org/protobuf/encoding/protowire"
)

// postingPage asks for the answers that it shows by POST. What it sends says when, and who asks, as it did when it was captured, which was
// seconds after the page.
const postingPage = `<!doctype html><meta charset=utf-8><title>posts</title><ol id=list></ol><script>
const show = (name, text) => { const li = document.createElement("li"); li.textContent = name + ": " + text; list.append(li) };
const now = Date.now(), nonce = Math.random().toString(16).slice(2, 12).padEnd(10, "a");
const ask = (name, uri, init) => fetch(uri, {method: "POST", ...init}).then(
	(r) => r.text().then((t) => show(name, r.status + " " + t + " " + r.url)), (e) => show(name, e.name));
const json = {"Content-Type": "application/json"};
ask("GraphQL", "/graphql", {headers: json, body: JSON.stringify({operationName: "Boats", query: "query Boats { boats }",
	variables: {harbour: 7, now}, requestId: nonce})});
ask("another variable", "/graphql", {headers: json, body: JSON.stringify({operationName: "Boats", query: "query Boats { boats }",
	variables: {harbour: 8, now}, requestId: nonce})});
ask("never captured", "/graphql", {headers: json, body: JSON.stringify({operationName: "Boats", query: "query Boats { boats }",
	variables: {harbour: 9, now}, requestId: nonce})});
ask("JSON", new Request("/json", {headers: json, method: "POST", body: JSON.stringify({id: 7, timestamp: now})}));
const posted = new Request("/json", {headers: json, method: "POST", body: JSON.stringify({id: 8, timestamp: now})});
ask("request of a request", new Request(posted, {cache: "no-store"}));
ask("request with more", new Request("/json"), {headers: json, body: JSON.stringify({id: 7, timestamp: now})});
ask("form", "/form", {body: new URLSearchParams({id: "7", _wpnonce: nonce, timestamp: String(now)})});
const parts = new FormData();
parts.append("id", "7");
parts.append("timestamp", String(now));
ask("parts", "/parts", {body: parts});
const varint = (n) => { const b = []; for (n = BigInt(n); n > 127n; n >>= 7n) b.push(Number(n & 127n) | 128); return [...b, Number(n)] };
ask("protocol buffers", "/rpc", {headers: {"Content-Type": "application/x-protobuf"},
	body: new Uint8Array([8, 7, 18, 4, 98, 111, 97, 116, 24, ...varint(now)])});
const x = new XMLHttpRequest();
x.open("POST", "http://api.example/json");
x.setRequestHeader("Content-Type", "application/json");
x.onload = () => show("another host", x.status + " " + x.responseText);
x.send(JSON.stringify({id: 7, timestamp: now}));
const form = document.createElement("form");
Object.assign(form, {method: "post", action: "/sent", target: "answer"});
for (const [name, value] of [["id", "7"], ["timestamp", String(now)]]) {
	form.append(Object.assign(document.createElement("input"), {name, value}));
}
const frame = Object.assign(document.createElement("iframe"), {name: "answer"});
frame.onload = () => { const text = frame.contentDocument.body.textContent; if (text) show("a form that is sent", text) };
document.body.append(form, frame);
form.submit();
</script>`

// A page's API requests follow it by seconds, and differ in what varies. They find what they were answered with.
func TestPagesGetAnswersToWhatTheyPost(t *testing.T) {
	t.Parallel() // it mostly waits
	hasWombat(t)
	const site, later, json, form = "http://replay.example", "20100101000007", "application/json", "application/x-www-form-urlencoded"
	then := capturedAt(later)
	at := strconv.FormatInt(then.UnixMilli(), 10)
	a := (&archive{}).page(site+"/", day, postingPage)
	for _, harbour := range []string{"7", "8"} {
		a.posted(site+"/graphql", later, json, `{"operationName":"Boats","query":"query Boats { boats }","variables":{"harbour":`+harbour+
			`,"now":`+at+`},"requestId":"0a1b2c3d4e"}`, "boats of "+harbour)
	}
	for _, id := range []string{"7", "8"} {
		a.posted(site+"/json", later, json, `{"id":`+id+`,"timestamp":`+at+`}`, "json "+id)
		a.posted("http://api.example/json", later, json, `{"id":`+id+`,"timestamp":`+at+`}`, "api "+id)
		a.posted(site+"/form", later, form, "id="+id+"&_wpnonce=0a1b2c3d4e&timestamp="+at, "form "+id)
		a.posted(site+"/parts", later, "multipart/form-data; boundary=xyz", multipartBody("xyz", "id", id, "timestamp", at), "parts "+id)
		a.posted(site+"/sent", later, form, "id="+id+"&timestamp="+at, "sent "+id)
	}
	sent := "\x12\x04boat\x18" + string(protowire.AppendVarint(nil, uint64(then.UnixMilli())))
	a.posted(site+"/rpc", later, "application/x-protobuf", "\x08\x07"+sent, "rpc 7")
	a.posted(site+"/rpc", later, "application/x-protobuf", "\x08\x08"+sent, "rpc 8")
	g := browse(t, a.serve(t))
	want := []string{
		"GraphQL: 200 boats of 7 http://replay.example/graphql", "another variable: 200 boats of 8 http://replay.example/graphql",
		"never captured: 404 ", "JSON: 200 json 7", "request of a request: 200 json 8", "request with more: 200 json 7",
		"form: 200 form 7", "parts: 200 parts 7", "protocol buffers: 200 rpc 7",
		"another host: 200 api 7", "a form that is sent: sent 7",
	}
	for _, ts := range []string{day, later, "2010"} {
		g.navigate(t, g.url+"/web/"+ts+"/"+site+"/")
		var answers []string
		eventually(t, "answers at "+ts, func() bool {
			answers, _ = chromedp.Run(g.ctx, chromedp.Evaluate[[]string](`[...document.querySelectorAll("li")].map((e) => e.textContent)`))
			return len(answers) >= len(want)
		})
		text := strings.Join(answers, "\n")
		for _, w := range want {
			if !strings.Contains(text+"\n", w) {
				t.Errorf("at %s: no %q in\n%.2000s", ts, w, text)
			}
		}
	}
}
