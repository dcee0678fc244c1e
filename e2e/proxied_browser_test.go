package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Neither the proxy nor the page's policy sees WebRTC. Pages read through the proxy don't have it, and those that try live on.
func TestProxiedPagesSendNoPackets(t *testing.T) {
	t.Parallel() // it mostly waits
	address, count := listen(t)
	a := &archive{}
	statements := map[string]string{}
	for name, statement := range sends {
		statements[slug(name)] = fmt.Sprintf(goes, fmt.Sprintf(statement, address))
	}
	const frame = `const f = document.createElement("iframe"); f.src = "%s"; document.body.append(f)`
	statements["a-frames-own"] = fmt.Sprintf(frame, "/a-connection")
	statements["another-sites-frame"] = fmt.Sprintf(frame, "//cdn.example/a-connection")
	for name, statement := range statements {
		for _, site := range []string{host, other} {
			a.page(site+"/"+name, day, "<!doctype html><title>"+name+"</title><body><p>x<script>self.said = ''; try { "+statement+
				"; said = 'it goes' } catch (e) { said = 'it fails: ' + e }</script>")
		}
	}
	a.page(host+"/after", day, "<!doctype html><title>after</title><p>it goes on")
	open := func(g *stage, scheme, name string) {
		g.navigate(t, scheme+strings.TrimPrefix(host, "http:")+"/"+name)
	}
	proxy := freeAddress(t)
	s := a.serve(t, "--proxy", proxy)
	g := behind(t, proxy, s)
	for name := range statements {
		for _, scheme := range []string{"http:", "https:"} {
			if strings.Contains(name, "unseen") || testing.Short() && (len(name)%2 == 0) == (scheme == "http:") {
				continue
			}
			open(g, scheme, name)
			g.until(t, `self.said && document.readyState === "complete"`)
			open(g, scheme, "after")
			g.until(t, `document.title === "after"`)
		}
	}
	// Chromium ends a page that only its list of connections has kept from sending, so each has a browser of its own.
	bare := freeAddress(t)
	withoutBanner := a.serve(t, "--proxy", bare, "--proxy-banner=false")
	for scheme, name := range map[string]string{"http:": "in-an-unseen-frame", "https:": "in-a-window-of-an-unseen-frame"} {
		if !testing.Short() || scheme == "http:" {
			open(behind(t, proxy, s), scheme, name)
		}
	}
	for scheme, name := range map[string]string{"http:": "another-sites-frame", "https:": "a-connection"} {
		if !testing.Short() || scheme == "http:" {
			open(behind(t, bare, withoutBanner), scheme, name)
		}
	}
	time.Sleep(2 * time.Second) // a connection looks for ways at once
	if n := count.Swap(0); n != 0 {
		t.Errorf("%d packets left", n)
	}
	g.navigate(t, "data:text/html,<title>not%20archived</title>") // the same statement is heard
	evaluate[bool](t, g, "(() => { "+statements["a-connection"]+"; self.kept = c; return true })()")
	for end := time.Now().Add(patience); count.Load() == 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the trap hears nothing")
		}
	}
}

// proxiedStreaming are further ways to say something to a server from a page read through the proxy, and what becomes of each:
// the proxy's answer, that this isn't archived, or an error.
var proxiedStreaming = map[string][2]string{
	"a keepalive fetch": {
		`fetch("http://live.example/kept", {keepalive: true, method: "POST", body: "x"}).then((r) => r.status, () => "error")`, "404",
	},
	"a fetch":          {`fetch("http://live.example/fetched").then((r) => r.status, () => "error")`, "404"},
	"a loopback fetch": {`fetch("http://127.0.0.1:%[1]d/fetched").then((r) => r.status, () => "error")`, "404"},
	"a beacon":         {`"sendBeacon" in navigator ? navigator.sendBeacon("http://live.example/beacon", "x") : true`, "true"},
	"a transport": {
		`"WebTransport" in self ? new WebTransport("https://127.0.0.1:%[1]d/").ready.then(() => "open", () => "error") : "error"`,
		"error",
	},
	"a stream of frames": {
		`"WebSocketStream" in self ? new WebSocketStream("ws://live.example/").opened.then(() => "open", () => "error") : "error"`,
		"error",
	},
}

// What a page read through the proxy opens ends as at a server that is dead or has nothing; nothing hangs and nothing leaves.
func TestProxiedSocketsEnd(t *testing.T) {
	t.Parallel() // it mostly waits
	port, count := accepting(t)
	address, packets := listen(t)
	udp := address[strings.LastIndex(address, ":")+1:]
	want := map[string]string{}
	var all []string
	add := func(name, open, outcome string) {
		want[name] = outcome
		if strings.Contains(open, "%") {
			open = fmt.Sprintf(open, port)
		}
		all = append(all, fmt.Sprintf("outcome(() => %s).then((how) => [%q, String(how)])", open, name))
	}
	for name, open := range streaming {
		add(name, open, "error")
	}
	for name, tt := range proxiedStreaming {
		add(name, tt[0], tt[1])
	}
	add("a transport by UDP", `"WebTransport" in self ? new WebTransport("https://127.0.0.1:`+udp+`/").ready.then(() => "open", () => `+
		`"error") : "error"`, "error")
	script := openers + "Promise.all([" + strings.Join(all, ", ") + "]).then((all) => say(JSON.stringify(Object.fromEntries(all))))"
	a := &archive{}
	for place, run := range within {
		a.page(host+"/"+slug(place), day, "<!doctype html><title>sockets</title><body><script>self.said = ''; {"+
			"const say = (s) => { self.said = s; };"+fmt.Sprintf(run, script)+"}</script>")
	}
	g := throughProxy(t, a)
	for place := range within {
		g.navigate(t, host+"/"+slug(place))
		g.until(t, `self.said`)
		got := evaluate[map[string]string](t, g, `JSON.parse(self.said)`)
		for name, outcome := range want {
			// The worker is made of a blob, whose address nothing is relative to.
			if name == "relative" && place == "a worker" && strings.HasPrefix(got[name], "exception SyntaxError") {
				continue
			}
			if got[name] != outcome {
				t.Errorf("%s in %s ends with %q, want %q", name, place, got[name], outcome)
			}
		}
	}
	if n, m := count.Load(), packets.Load(); n+m != 0 {
		t.Errorf("%d connections and %d packets to this machine", n, m)
	}
}
