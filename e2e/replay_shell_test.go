package e2e

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// shellFiles are a site most of whose documents nobody could capture: its service worker makes them of a shell and of data. The
// worker also has the picture and the font that a style sheet names.
var shellFiles = siteFiles{
	host + "/app/": "text/html; charset=utf-8\n<!doctype html><title>start</title><body><a id=first href='view/1'>first</a><script>" +
		`navigator.serviceWorker.register("sw.js"); const ready = () => { document.title = "ready" }; if ` +
		`(navigator.serviceWorker.controller) ` +
		`ready(); else navigator.serviceWorker.addEventListener("controllerchange", ready)</script>`,
	host + "/app/shell.html": "text/html; charset=utf-8\n<!doctype html><title>shell</title><link rel=stylesheet " +
		"href=/app/style.css><body><main></main><img id=made src=/app/picture.svg>" +
		`<script src="/app/view.js"></script>`,
	host + "/app/style.css": "text/css\nmain{display:block;width:50px}",
	host + "/app/view.js": scriptFile(`const id = location.pathname.split("/").pop(); fetch("/app/data/" + id).then((r) => ` +
		`r.text()).then((t) => { ` +
		`document.querySelector("main").innerHTML = "<h1>" + t + "</h1><a id=next href='" + (+id + 1) + "'>next</a>"; document.title = ` +
		`["view", ` +
		`id, location.href, document.URL, navigator.serviceWorker.controller !== null, document.compatMode, ` +
		`document.querySelector("main").getBoundingClientRect().width].join(" ") })`),
	host + "/app/sw.js": scriptFile(`const svg = "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'><rect width='20' ` +
		`height='10' fill='lime'/></svg>";
oninstall = (e) => { skipWaiting(); e.waitUntil(caches.open("a").then((c) => c.addAll(["shell.html", "style.css"]))) };
onactivate = (e) => e.waitUntil(clients.claim());
onfetch = (e) => {
  const { pathname } = new URL(e.request.url), html = (t) => new Response("<!doctype html><title>made</title><body>" + t, { ` +
		`headers: { "Content-Type": "text/html; charset=utf-8" } });
  if (e.request.mode === "navigate" && pathname.startsWith("/app/view/")) e.respondWith(caches.match("/app/shell.html"));
  else if (pathname.startsWith("/app/data/")) e.respondWith(new Response("item " + pathname.split("/").pop()));
  else if (pathname === "/app/frame") e.respondWith(html("<script>parent.postMessage(['framed', location.pathname, parent === ` +
		`top].join(' '), '*')</" + "script>" + [e.request.mode, e.request.destination, e.request.method, ` +
		`e.request.headers.get("accept").split(",")[0]]));
  else if (pathname === "/app/moved") e.respondWith(Response.redirect("/app/frame"));
  else if (pathname === "/app/packets") e.respondWith(html("<script>document.title = 'packets ' + typeof RTCPeerConnection</" + "script>"));
  else if (pathname === "/app/broken") e.respondWith(new Response("<title>sorry</title>offline", { status: 503, headers: { ` +
		`"Content-Type": "text/html" } }));
  else if (pathname === "/app/picture.svg") e.respondWith(new Response(svg, { headers: { "Content-Type": "image/svg+xml" } }));
};`),
	host + "/app/leading": "text/html; charset=utf-8\n<!doctype html><title>leading</title><meta http-equiv=refresh content='0; url=nothing'>",
	host + "/app/framing": "text/html; charset=utf-8\n" + saying + `<script>addEventListener("message", (e) => say(e.data)); const ` +
		`frame = (src) => new Promise((done) => ` +
		`{ const f = document.createElement("iframe"); f.src = src; const look = () => { let t = ""; try { t = ` +
		`f.contentDocument.body.innerText.trim() } ` +
		`catch (e) { } if (t) done(src + ": " + t); else setTimeout(look, 50) }; f.onload = look; document.body.append(f) }); ` +
		`Promise.all(["frame", "moved", "broken"].map(frame)).then((all) => { all.forEach((s) => say(s)); document.title = "framed" ` +
		`})</script>`,
}

// A document that the service worker of its site made live, and that nobody could capture, is made by its stand-in.
func TestServiceWorkersMakeDocuments_long(t *testing.T) {
	t.Parallel() // it mostly waits
	hasWombat(t)
	origin := httptest.NewServer(shellFiles)
	defer origin.Close()
	a := shellFiles.archive()
	secure := strings.Replace(host, "http:", "https:", 1) // elsewhere browsers don't tell a proxy what they ask for
	live := browseWhole(t, &server{url: origin.URL}, "proxy-server="+origin.URL, "unsafely-treat-insecure-origin-as-secure="+host)
	ways := map[string]*stage{
		"live":     live,
		"replayed": browseWhole(t, a.serve(t)),
	}
	if !testing.Short() {
		ways["on many origins"] = onManyOrigins(t, a.serve(t, "--public-url", publicOrigin, "--replay-url", "http://*.replay.localhost"))
		ways["through the proxy"] = throughProxy(t, a)
	}
	for how, g := range ways {
		t.Run(how, func(t *testing.T) {
			at, site := g.url+"/web/"+day+"mp_/"+host, host
			switch how {
			case "live":
				at = host
			case "through the proxy":
				at, site = secure, secure
			}
			g.navigate(t, at+"/app/")
			g.until(t, `document.title === "ready"`)
			for i, link := range []string{"first", "next", "next"} {
				id := string(rune('1' + i))
				evaluate[bool](t, g, `(document.getElementById("`+link+`").click(), true)`)
				uri := site + "/app/view/" + id
				g.until(t, `document.title === "view `+id+" "+uri+" "+uri+` true CSS1Compat 50"`)
				if got := evaluate[string](t, g, `document.querySelector("h1").innerText`); got != "item "+id {
					t.Errorf("it shows %q", got)
				}
				g.until(t, `document.getElementById("made").naturalWidth === 20`)
			}
			g.navigate(t, at+"/app/framing")
			g.until(t, `document.title === "framed"`)
			const want = "broken: offline\nframe: navigate,iframe,GET,text/html\nframed /app/frame true\nframed /app/frame true\n" +
				"moved: navigate,iframe,GET,text/html"
			if got := evaluate[string](t, g, `[...said].sort().join("\n")`); got != want {
				t.Errorf("frames say\n%s\nwant\n%s", got, want)
			}
			if how == "live" {
				return
			}
			if _, leaks := g.seen(); len(leaks) > 0 {
				t.Errorf("left: %q", leaks)
			}
			g.navigate(t, at+"/app/")
			g.until(t, `document.title === "ready"`)
			evaluate[bool](t, g, `(Object.assign(document.getElementById("first"), { href: "/app/nothing#part" }).click(), true)`)
			const none = `document.body && /No capture|has no capture/.test(document.body.innerText)`
			g.until(t, none) // neither archive nor worker
			g.navigate(t, at+"/app/")
			g.until(t, `document.title === "ready"`)
			evaluate[bool](t, g, `(Object.assign(document.getElementById("first"), { href: "/app/packets" }).click(), true)`)
			g.until(t, `document.title === "packets undefined"`)
			g.scripts(t, false)
			g.navigate(t, at+"/app/leading")
			g.until(t, none)
		})
	}
}

// The server sends an empty document for the worker to fill only to pages of the same site, and it has their policy.
func TestShellsAreGuarded(t *testing.T) {
	s := shellFiles.archive().serve(t)
	at := "/web/" + day + "mp_/" + host + "/app/nothing"
	page := func(referer, dest string) *answer {
		return s.get(t, at, "Accept: text/html", "Sec-Fetch-Dest: "+dest, "Sec-Fetch-Mode: navigate", "Referer: "+referer)
	}
	hasWombat(t)
	for _, tt := range []struct {
		name, referer, dest string
		shell               bool
	}{
		{"a page of the site", s.url + "/web/" + day + "mp_/" + host + "/app/", "document", true},
		{"a frame", s.url + "/web/" + day + "/" + host + "/app/", "iframe", true},
		{"another site", s.url + "/web/" + day + "mp_/" + other + "/", "document", false},
		{"another scheme", s.url + "/web/" + day + "mp_/" + strings.Replace(host, "http:", "https:", 1) + "/", "document", false},
		{"the reader", "", "document", false},
		{"one of varve's own", s.url + "/web/*/" + host + "/app/", "document", false},
		{"a picture", s.url + "/web/" + day + "mp_/" + host + "/app/", "image", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := page(tt.referer, tt.dest)
			got.expect(t, 404)
			if shell := strings.Contains(got.body, "inside.js"); shell != tt.shell {
				t.Fatalf("a document to fill: %t", shell)
			}
			if policy := got.header.Get("Content-Security-Policy"); tt.shell != strings.Contains(policy, "/web/ ") {
				t.Errorf("policy %q", policy)
			}
		})
	}
}
