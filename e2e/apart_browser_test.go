package e2e

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// onManyOrigins starts varve with a host for each archived origin, and a browser that knows all of them.
func onManyOrigins(t *testing.T, s *server) *stage {
	t.Helper()
	const names = "archive.localhost;*.replay.localhost"
	var rules []string
	for name := range strings.SplitSeq(names, ";") {
		rules = append(rules, "MAP "+name+":80 "+strings.TrimPrefix(s.url, "http://"))
	}
	g := browseWhole(t, s, "host-resolver-rules="+strings.Join(rules, ","), "proxy-bypass-list=<-loopback>;"+names)
	g.url = publicOrigin
	return g
}

const secret = "varve-secret"

// storing is what the first site does when it is opened: it leaves its secret wherever a browser keeps one.
const storing = `localStorage.setItem("s", "` + secret + `"); sessionStorage.setItem("s", "` + secret + `"); document.cookie = ` +
	`"s=` + secret + `; path=/";
document.title = self.secret = "` + secret + `"; try { document.domain = "replay.localhost" } catch {}
indexedDB.open("` + secret + `"); caches.open("` + secret + `"); navigator.locks.request("` + secret + `", () => new Promise(() => {}));
const c = new BroadcastChannel("c"); setInterval(() => c.postMessage("` + secret + `"), 20)`

// prying is what the second site does to learn it. Each gives what it learned.
var prying = map[string]string{
	"storage":                         `Object.values(localStorage).join()`,
	"session storage":                 `Object.values(sessionStorage).join()`,
	"cookies":                         `document.cookie`,
	"databases":                       `indexedDB.databases().then((all) => all.map((d) => d.name).join())`,
	"caches":                          `caches.keys().then((all) => all.join())`,
	"a frame":                         `framed().then((f) => f.contentWindow.secret || "")`,
	"a frame's text":                  `framed().then((f) => f.contentDocument.body.textContent)`,
	"a frame with a domain in common": `framed().then((f) => { document.domain = "replay.localhost"; return f.contentWindow.secret || "" })`,
	"a window": `new Promise((done) => { const w = open(other); setTimeout(() => { try { done(w.secret || "") } catch { done("") } ` +
		`}, 800) })`,
	"a channel": `framed().then(() => new Promise((done) => { new BroadcastChannel("c").onmessage = (e) => done(e.data); ` +
		`setTimeout(done, 500, "") }))`,
	"a lock":    `framed().then(() => navigator.locks.query()).then((all) => all.held.map((l) => l.name).join())`,
	"a request": `fetch(other).then((r) => r.text())`,
}

const pryingWith = `const other = "/web/` + day + `mp_/http://one.example/";
const framed = () => new Promise((done) => { 
  const f = document.createElement("iframe"); f.src = other; f.onload = () => setTimeout(done, 200, f); document.body.append(f) });
Promise.resolve().then(() => `

// pry opens the first site and then the second one, and returns what that learns.
func (g *stage) pry(t *testing.T, how ...string) map[string]string {
	t.Helper()
	g.open(t, "/web/"+day+"mp_/http://one.example/")
	g.until(t, `document.title === "`+secret+`"`)
	learned := map[string]string{}
	for _, name := range how {
		script := prying[name]
		g.open(t, "/web/"+day+"mp_/http://two.example/")
		got, err := chromedp.Run(g.ctx, chromedp.Evaluate[string](pryingWith+script+`).then((s) => String(s), () => `+
			`"")`, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(got, secret) {
			learned[name] = got
		}
	}
	return learned
}

// Archived sites keep out of each other's storage, cookies, windows and bytes if each has a host of its own. Wombat, which keeps some of
// it apart by itself, is left out.
func TestArchivedSitesKeepOutOfEachOther_long(t *testing.T) {
	t.Parallel()
	starts(t, withoutWombat(t))
	a := &archive{}
	a.page("http://one.example/", day, "<!doctype html><body>"+secret+"<script>"+storing+"</script>")
	a.page("http://two.example/", day, "<!doctype html><title>two</title><body>two")
	a.response("http://one.example/shared", day, "200 OK", "shared", "Content-Type: text/plain", "Access-Control-Allow-Origin: *")
	a.response("http://one.example/with-two", day, "200 OK", "with two", "Content-Type: text/plain",
		"Access-Control-Allow-Origin: http://two.example")
	a.response("http://one.example/with-three", day, "200 OK", "with three", "Content-Type: text/plain",
		"Access-Control-Allow-Origin: http://three.example")
	one := a.serve(t, "--public-url", publicOrigin, "--replay-url", replayOrigin)
	many := a.serve(t, "--public-url", publicOrigin, "--replay-url", "http://*.replay.localhost")

	g := onManyOrigins(t, many)
	for name, got := range g.pry(t, slices.Collect(maps.Keys(prying))...) {
		t.Errorf("%s: one site learns %.80q of the other", name, got)
	}
	for path, want := range map[string]string{"shared": "shared", "with-two": "with two", "with-three": ""} {
		if got := evaluate[string](t, g, `fetch("/web/`+day+`mp_/http://one.example/`+path+`").then((r) => r.text(), () => "")`); got != want {
			t.Errorf("what was archived as %s is read as %q", path, got)
		}
	}

	// The same two sites on one origin: what the test looks for is there to be found.
	h := browseAsReaders(t, one,
		"host-resolver-rules=MAP archive.localhost:80 "+strings.TrimPrefix(one.url, "http://")+",MAP replay.localhost:80 "+
			strings.TrimPrefix(one.url, "http://"), "proxy-bypass-list=<-loopback>;archive.localhost;replay.localhost")
	h.url = publicOrigin
	there := []string{"storage", "cookies", "a frame", "a request"}
	learned := h.pry(t, there...)
	for _, name := range there {
		if learned[name] == "" {
			t.Errorf("%s: learns nothing on one origin either", name)
		}
	}
}

// A reader goes on and comes back where each archived origin has its host.
func TestReaderWalksAcrossManyOrigins(t *testing.T) {
	t.Parallel()
	s := start(t, "demo", "--public-url", publicOrigin, "--replay-url", "http://*.replay.localhost")
	g := onManyOrigins(t, s)
	const uri = "http://www.riverbend.example/history.html"
	g.open(t, "/web/20160901092136/"+uri)
	g.arrive(t, "/web/20160901092136/"+uri)
	host := evaluate[string](t, g, `location.host`)
	if !strings.HasSuffix(host, ".replay.localhost") || len(host) != 26+len(".replay.localhost") {
		t.Errorf("the page is at %s", host)
	}
	g.until(t, inBanner(`host && $("nav").getBoundingClientRect().height > 40`))
	if broken := evaluate[int](t, g, `[...document.images].filter((i) => !(i.complete && i.naturalWidth > 0)).length + `+
		`[...document.styleSheets].filter((s) => !s.cssRules.length).length`); broken > 0 {
		t.Errorf("%d pictures or style sheets are broken", broken)
	}
	evaluate[bool](t, g, inBanner(`($('a[rel="predecessor-version"]').click(), true)`))
	g.arrive(t, "/web/20160801092036/"+uri)
	evaluate[bool](t, g, inBanner(`($('a[href*="/web/diff/"]').click(), true)`))
	g.until(t, `document.querySelectorAll("ins, del").length > 0`)
	if got := evaluate[string](t, g, `location.origin`); got != publicOrigin {
		t.Errorf("the diff is at %s", got)
	}
	_, leaks := g.seen()
	if len(leaks) > 0 {
		t.Errorf("left: %q", leaks)
	}
}
