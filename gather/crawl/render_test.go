package crawl_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/crawl/browser"
)

// inBrowser are settings of a crawl with a browser, for a test beside others: it mostly waits.
func inBrowser(t *testing.T, s *site) crawl.Settings {
	t.Helper()
	t.Parallel()
	return withBrowser(t, s)
}

// withBrowser are settings of a crawl with a browser. It skips the test if there is none.
func withBrowser(t *testing.T, s *site) crawl.Settings {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no chromium in the path: the browser tests need one")
	}
	set := settings(s)
	set.Browser, set.Threads = true, 2
	return set
}

// html answers with a page.
func html(w http.ResponseWriter, format string, args ...any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html><title>a page</title><link rel=icon href=data:,>"+format, args...)
}

func TestLinksThatOnlyAScriptMakes(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			html(w, `<div id=list></div><script src=/menu.js></script>`)
		case "/menu.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `fetch("/menu.json").then(r => r.json()).then(all => {
				for (const a of all) list.innerHTML += "<a href=/" + "page/" + a + ">x</a>" })`)
		case "/menu.json":
			fmt.Fprint(w, `["a","b","c"]`)
		default:
			html(w, `<img src=/shared.png>`)
		}
	})
	r := run(t, inBrowser(t, s))
	wants(t, s, r, "/", "/menu.js", "/menu.json", "/page/a", "/page/b", "/page/c", "/shared.png")
}

// What scripts would import is kept, even if the page did not get to it.
func TestWhatScriptsImportLater(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			html(w, `<p>x</p><script type=module src=/m.js></script><script src=/c.js></script>`)
		case "/m.js", "/c.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprintf(w, `addEventListener("click", () => import("./later%s"))`, r.URL.Path[1:])
		default:
			w.Header().Set("Content-Type", "text/javascript")
		}
	})
	wants(t, s, run(t, inBrowser(t, s)), "/", "/m.js", "/c.js", "/laterm.js", "/laterc.js")
}

// Thirty things come six at a time as the reader scrolls; each has a page of its own.
func TestInfiniteScroll_long(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			html(w, `<style>p { height: 240px }</style><div id=list></div><div id=end>…</div><script>
				let at = 0, busy = false;
				const more = async () => {
					if (busy || at >= 30) return;
					busy = true;
					const got = await (await fetch("/items?from=" + at)).json();
					for (const n of got) list.insertAdjacentHTML("beforeend", "<p><a href=/item/" + n + ">" + n + "</a></p>");
					at += got.length;
					busy = false;
				};
				new IntersectionObserver(seen => seen.some(e => e.isIntersecting) && more()).observe(end);
				addEventListener("scroll", () => scrollY + innerHeight > document.body.scrollHeight - 50 && more());
			</script>`)
		case "/items":
			from, _ := strconv.Atoi(r.URL.Query().Get("from"))
			var list []int
			for n := from; n < min(from+6, 30); n++ {
				list = append(list, n)
			}
			_ = json.NewEncoder(w).Encode(list)
		default:
			html(w, "%s", r.URL.Path)
		}
	})
	set := inBrowser(t, s)
	set.Threads, set.Actions = 4, steps(t, "[{scroll: end}]")
	r := run(t, set)
	want := append(numbered("/item/%d", 0, 29), "/", "/items?from=0", "/items?from=6", "/items?from=12", "/items?from=18", "/items?from=24")
	wants(t, s, r, want...)
	if r.FailedSteps != 0 {
		t.Errorf("%d steps failed", r.FailedSteps)
	}
}

// A page that computes before it requests more is quiet for longer than one that is complete.
func TestPagesThatCompute(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			return
		}
		html(w, `<script>
			const compute = (ms) => { for (const end = performance.now() + ms; performance.now() < end;); };
			const step = async (n) => {
				for (let i = 0; i < 3; i++) { compute(300); await new Promise((done) => setTimeout(done)); }
				await fetch("/step/" + n);
				if (n < 3) step(n + 1);
			};
			onload = () => setTimeout(step, 100, 1);
		</script>`)
	})
	wants(t, s, run(t, inBrowser(t, s)), "/", "/step/1", "/step/2", "/step/3")
}

// steps reads a chain of actions as a crawl file has it.
func steps(t *testing.T, text string) []browser.Step {
	t.Helper()
	set, err := crawl.Parse([]byte("seeds: ['http://a.example/']\nbrowser: true\nactions: " + text))
	if err != nil {
		t.Fatal(err)
	}
	return set.Actions
}

// What a cookie wall covers is loaded once it has been clicked away; pages behind it remember that.
func TestCookieWall(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		_, err := r.Cookie("consent")
		switch {
		case r.URL.Path == "/content" && err != nil:
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path == "/content":
			fmt.Fprint(w, "<a href=/behind>there</a>")
		default:
			html(w, `<main id=main></main><div id=wall style="position:fixed;inset:0;background:#ccc"></div><script>
				const load = async () => { main.innerHTML = await (await fetch("/content")).text() };
				if (document.cookie.includes("consent")) { wall.remove(); load() } else {
					const root = wall.attachShadow({mode: "open"});
					root.innerHTML = "<button id=accept>Accept</button>";
					root.querySelector("button").onclick = e => { if (e.isTrusted) { document.cookie = "consent=yes"; wall.remove(); load() } };
				}</script>`)
		}
	})
	set := inBrowser(t, s)
	set.Threads = 1
	set.Actions = steps(t, "[{click: '#accept', optional: true, within: 200ms}, {until: 'main a'}]")
	r := run(t, set)
	if diff := cmp.Diff([]string{"/", "/behind", "/content"}, r.got); diff != "" || r.FailedSteps != 0 {
		t.Errorf("%d steps failed, written (-want +got)\n%s", r.FailedSteps, diff)
	}
}

// Behind a login, pages are crawled with its session, and neither the password nor the session is written.
func TestLogin(t *testing.T) {
	const password, session = `hush"hush & 1`, "s3ss10n-of-anna"
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		cookie, err := r.Cookie("sid")
		in := err == nil && cookie.Value == session
		switch {
		case r.URL.Path == "/in" && r.Method == http.MethodPost:
			if r.FormValue("who") == "anna" && r.FormValue("magic") == password && r.FormValue("lang") == "fa" {
				http.SetCookie(w, &http.Cookie{Name: "sid", Value: session, HttpOnly: true})
				http.Redirect(w, r, "/home", http.StatusSeeOther)
				return
			}
			html(w, "wrong")
		case r.URL.Path == "/":
			html(w, `<form action=/in method=post><input name=who><input type=password name=magic>
				<select name=lang><option>en<option value=fa>فارسی</select><button>in</button></form>`)
		case !in:
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path == "/home":
			html(w, "<h1 id=hello>Anna</h1><a href=/letters>letters</a>")
		default:
			html(w, "a letter")
		}
	})
	set := withBrowser(t, s)
	t.Setenv("VARVE_SECRET_PASSWORD", password)
	set.Actions = steps(t, "[{fill: 'input[name=who]', with: anna, optional: true}, {fill: '//input[@type=\"password\"]', "+
		"with: $VARVE_SECRET_PASSWORD, optional: true}, {select: select, option: فارسی, optional: true}, "+
		"{press: Enter}, {until: '#hello', optional: true}]")
	r := run(t, set)
	if diff := cmp.Diff([]string{"/", "/home", "/letters"}, r.got); diff != "" {
		t.Errorf("written (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int64{"200": 3}, r.Status); diff != "" {
		t.Errorf("status (-want +got)\n%s", diff)
	}
	for _, secret := range []string{password, url.QueryEscape(password), session} {
		if text := everything(t, r.dir); strings.Contains(text, secret) {
			t.Errorf("%q is written", secret)
		}
	}
}

// A page that leads who isn't logged in to a login is crawled once somebody is, also if it is the only seed.
func TestPagesBehindALogin(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		_, err := r.Cookie("sid")
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case r.URL.Path == "/login" && r.Method == http.MethodPost:
			http.SetCookie(w, &http.Cookie{Name: "sid", Value: "1"})
			http.Redirect(w, r, r.FormValue("next"), http.StatusSeeOther)
		case r.URL.Path == "/login":
			html(w, "<form method=post><input name=who><input type=hidden name=next value="+r.FormValue("next")+"></form>")
		case err != nil:
			http.Redirect(w, r, "/login?next="+r.URL.Path, http.StatusFound)
		case r.URL.Path == "/":
			html(w, "<h1 id=hello>Anna</h1><a href=/letters>letters</a>")
		default:
			html(w, "a letter")
		}
	})
	set := withBrowser(t, s)
	set.Actions = steps(t, "[{fill: 'input[name=who]', with: anna, optional: true}, {press: Enter}, "+
		"{until: '#hello', optional: true, within: 2s}]")
	r := run(t, set)
	if diff := cmp.Diff([]string{"/", "/", "/letters", "/login?next=/", "/login?next=/"}, r.got); diff != "" {
		t.Errorf("written (-want +got)\n%s", diff)
	}
}

// A crawl with a browser calls itself what that does, since sites and scripts tell by it what they can use, and then by its own name. What
// the settings say stands alone.
func TestWhatACrawlWithABrowserCallsItself(t *testing.T) {
	for said, want := range map[string]string{
		"": `^Mozilla/5\.0 \([^)]+\) AppleWebKit/[\d.]+ \(KHTML, like Gecko\) Chrome/[1-9]\d+\.0\.0\.0 Safari/[\d.]+ ` +
			`varve/test \(\+http://a\.example\)$`,
		"me (+http://b.example)": `^me \(\+http://b\.example\)$`,
	} {
		t.Run(said, func(t *testing.T) {
			agent := regexp.MustCompile(want)
			s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
				if !agent.MatchString(r.UserAgent()) {
					t.Errorf("%s: %s", r.URL, r.UserAgent())
				}
				switch r.URL.Path {
				case "/":
					html(w, `<script>new Worker("/worker.js").onmessage = e => {
						if (e.data === %q && navigator.userAgent === e.data) document.write("<a href=/in>x</a>") }</script>`, r.UserAgent())
				case "/worker.js":
					w.Header().Set("Content-Type", "text/javascript")
					fmt.Fprint(w, "postMessage(navigator.userAgent)")
				case "/in":
					html(w, "")
				}
			})
			set := inBrowser(t, s)
			set.UserAgent = said
			r := run(t, set)
			if diff := cmp.Diff([]string{"/", "/in", "/worker.js"}, r.got); diff != "" {
				t.Errorf("written (-want +got)\n%s", diff)
			}
			_, info, _ := strings.Cut(everything(t, r.dir), "http-header-user-agent: ")
			if first, _, _ := strings.Cut(info, "\r\n"); !agent.MatchString(first) {
				t.Errorf("the files say %q", first)
			}
			set.Template = &crawl.Template{Fields: []fields.Field{{Name: "title", CSS: "title", Type: fields.Text}}}
			if err := set.Check(); err != nil {
				t.Fatal(err)
			}
			before := len(s.requests())
			tried := crawl.Config{Settings: set, Agent: "varve/test (+http://a.example)"}
			if _, err := crawl.Try(t.Context(), tried, s.URL+"/"); err != nil || len(s.requests()) == before {
				t.Errorf("%d requests, then %d: %v", before, len(s.requests()), err)
			}
		})
	}
}

// everything returns what the files of a crawl have, unpacked.
func everything(t *testing.T, dir string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	var all strings.Builder
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, plain); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	return all.String()
}

// Sites that only a browser can crawl: what is wanted is got once, nothing is missed, and nothing else is asked for.
func TestSitesInTheBrowser_long(t *testing.T) {
	for name, tt := range map[string]struct {
		pages   map[string]string // by path; a text that doesn't begin with < is JSON
		actions string
		want    []string // written, once each
		skipped map[string]int64
		failed  int64 // steps
		trap    string
	}{
		"what is sent is kept once": {
			pages: map[string]string{
				"/": `<p id=said></p><a href=/b>b</a><script>
					for (const n of [1, 2, 1]) fetch("/level", {method: "POST", body: "gauge=" + n})</script>`,
				"/b": `<script>fetch("/level", {method: "POST", body: "gauge=2"})</script>`, "/level": `"two metres"`,
			},
			want: []string{"/", "/b", "/level", "/level"},
		},
		"a page that sends to itself and asks for itself": {
			pages: map[string]string{"/": `<script>fetch("/", {method: "POST", body: "x"}); fetch("/")</script>`},
			want:  []string{"/", "/"},
		},
		"scripts that go elsewhere": {
			pages: map[string]string{
				"/":       `<script>location = "/inside"</script>`,
				"/inside": `<script>setTimeout(() => location.href = "http://elsewhere.invalid/", 100)</script><a href=/next>x</a>`,
				"/next": `<script>history.pushState({}, "", "/pushed"); window.open("/opened")</script>
					<meta http-equiv=refresh content="0;url=/fresh">`,
				"/pushed": "<p>", "/opened": "<p>", "/fresh": "<p>",
			},
			want:    []string{"/", "/inside", "/next", "/pushed", "/opened", "/fresh"},
			skipped: map[string]int64{"scope": 1},
		},
		"dialogs": {
			pages: map[string]string{
				"/":      `<script>alert("a"); if (!confirm("b") && prompt("c") === null) document.write("<a href=/after>x</a>")</script>`,
				"/after": `<script>onbeforeunload = () => "stay"</script>`,
			},
			want: []string{"/", "/after"},
		},
		"frames": {
			pages: map[string]string{
				"/": `<iframe src=/frame></iframe><script>
					document.body.append(Object.assign(document.createElement("iframe"), {srcdoc: "<a href=/written>x</a>"}))</script>`,
				"/frame": `<script>document.write("<a href=/in>x</a><img src=/a.png>")</script>`, "/in": "<p>", "/written": "<p>", "/a.png": "1",
			},
			want: []string{"/", "/frame", "/in", "/written", "/a.png"},
		},
		"a page that loads itself anew": {
			pages: map[string]string{
				"/":   `<script>if (!document.cookie) { document.cookie = "a=b"; location.reload() } else document.write("<a href=/in>x</a>")</script>`,
				"/in": "<p>",
			},
			want: []string{"/", "/in"},
		},
		"what no script asks for": {
			pages: map[string]string{
				"/": `<img srcset="/1.png 1x, /2.png 2x"><div style="height:9000px"></div><img loading=lazy src=/3.png>
					<link rel=stylesheet media=print href=/print.css><noscript><img src=/4.png></noscript>`,
				"/1.png": "1", "/2.png": "2", "/3.png": "3", "/4.png": "4", "/5.png": "5", "/print.css": "p { background: url(/5.png) }",
			},
			want: []string{"/", "/1.png", "/2.png", "/3.png", "/4.png", "/5.png", "/print.css"},
		},
		"what robots.txt and the file leave out": {
			pages: map[string]string{
				"/robots.txt": "User-agent: *\nDisallow: /secret",
				"/":           `<a href=/secret/page>x</a><script>fetch("/secret/data"); fetch("/left-out"); fetch("/taken")</script>`, "/taken": "1",
			},
			want:    []string{"/", "/taken"},
			skipped: map[string]int64{"robots": 2, "excluded": 1},
		},
		"workers": {
			pages: map[string]string{
				"/": `<script>new Worker("/worker.js").onmessage = e => document.body.innerHTML = "<a href=" + e.data + ">x</a>";
					navigator.serviceWorker?.register("/service.js")</script>`,
				"/worker.js": `fetch("/data").then(r => r.json()).then(postMessage)`, "/data": `"/in"`, "/in": "<p>", "/service.js": "",
			},
			want: []string{"/", "/worker.js", "/data", "/in"},
		},
		"what loads when it comes into view": {
			pages: map[string]string{
				"/": `<p id=first></p><div style="height: 9000px"></div><p id=end>end</p><script>
					new IntersectionObserver(([e]) => e.isIntersecting && fetch("/seen")).observe(end)
					onscroll = () => { first.innerHTML = scrollY ? "" : "<a href=/in-view>x</a>" }</script>`,
				"/seen": "1", "/in-view": "<p>",
			},
			want: []string{"/", "/seen", "/in-view"},
		},
		"pages that scripts make of fragments": {
			pages: map[string]string{
				"/": `<a href=#/a>a</a> <a href="#!b">b</a> <a href=#c>c</a> <a href=#/left-out>x</a> <a href=/d#/e>d</a><main id=m></main><script>
					onhashchange = async () => {
						const t = await (await fetch("/" + location.hash.replace(/^#[!/]*/, "") + ".json")).json()
						m.innerHTML = "<a href=" + t + ">x</a><div></div>"
						m.lastChild.attachShadow({mode: "open"}).innerHTML = "<a href=#/a>a</a><a href=/far>x</a>" }</script>`,
				"/a.json": `"#/next"`, "/next.json": `"/deep"`, "/b.json": `"/b"`, "/c.json": "1", "/left-out.json": "1", "/e.json": "1",
				"/deep": "<p>", "/b": "<a href=#/a>a</a>", "/d": "<p>", "/far": "<p>",
			},
			want: []string{"/", "/a.json", "/next.json", "/b.json", "/deep", "/b", "/d", "/far"},
		},
		"a fragment that leads away": {
			pages: map[string]string{
				"/":     `<a href=#/a>a</a><a href=#/b>b</a><script>onhashchange = () => location = "/away"</script>`,
				"/away": "<p>",
			},
			want: []string{"/", "/away"},
		},
		"a site that sends small screens elsewhere": {
			pages: map[string]string{"/": `<script>if (Math.min(screen.width, innerWidth) <= 1024) location = "/small"</script>`},
			want:  []string{"/"},
		},
		"shared workers": {
			pages: map[string]string{
				"/": `<script>new SharedWorker("/shared.js").port.onmessage = e => document.body.innerHTML = "<a href=" + e.data + ">x</a>"</script>`,
				"/shared.js": `onconnect = async e => {
					await fetch("/left-out").catch(() => 0)
					const sent = await fetch("/sent", {method: "POST", body: "x"})
					e.ports[0].postMessage(await (await fetch("/data?" + await sent.text())).json()) }`,
				"/sent": "1", "/data": `"/in"`, "/in": "<p>",
			},
			want: []string{"/", "/shared.js", "/sent", "/data?1", "/in"}, skipped: map[string]int64{"excluded": 1},
		},
		"more until there is no more": {
			pages: map[string]string{
				"/": `<div id=list></div><button id=more>more</button><script>let n = 0; more.onclick = () => {
					list.innerHTML += "<a href=/" + ++n + ">x</a>"; if (n === 4) more.remove() }</script>`,
				"/1": "<p>", "/2": "<p>", "/3": "<p>", "/4": "<p>",
			},
			actions: `[{click: '#more', gone: '#more', optional: true}]`,
			want:    []string{"/", "/1", "/2", "/3", "/4"},
		},
		"actions that fail": {
			pages: map[string]string{"/": `<a href=/in>x</a><button id=a style="display:none">x</button>`, "/in": `<p>`},
			actions: `[{click: '#a', within: 100ms}, {wait: 10ms}, {until: '#none', within: 100ms}, {gone: a, within: 100ms},
				{click: '#a', optional: true, within: 100ms}, {gone: a, optional: true, within: 100ms}]`,
			want: []string{"/", "/in"}, failed: 5,
		},
		"elements that are clicked on each": {
			pages: map[string]string{
				"/": `<i>1</i><i>2</i><b>3</b><script>
					for (const e of document.querySelectorAll("i")) e.onclick = () => fetch("/" + e.textContent)</script>`,
				"/1": "1", "/2": "2",
			},
			actions: `[{click: '//i', all: true}, {scroll: 300}]`,
			want:    []string{"/", "/1", "/2"},
		},
		"a redirect": {
			pages: map[string]string{
				"/": `<a href=/from>x</a><img src=/pic>`, "/from": ">/to", "/to": "<a href=/out>x</a>",
				"/out": ">http://elsewhere.invalid/", "/pic": ">/real.png", "/real.png": "1",
			},
			want: []string{"/", "/from", "/to", "/out", "/pic", "/real.png"}, skipped: map[string]int64{"scope": 1},
		},
		"an address without end": {
			pages: map[string]string{"/": `<script>fetch("/?" + "x".repeat(20000)); location = "/?" + "y".repeat(20000)</script>`},
			want:  []string{"/"}, trap: "length",
		},
		"requests without end": {
			pages: map[string]string{"/": `<script>for (let n = 0; n < 6000; n++) new Image().src = "data:," + n;
				for (let n = 0; n < 5100; n++) fetch("/left-out?" + n).catch(() => 0)</script>`},
			want: []string{"/"}, trap: "requests",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
				text, ok := tt.pages[r.URL.Path]
				to, redirects := strings.CutPrefix(text, ">")
				switch {
				case !ok:
					http.NotFound(w, r)
				case redirects:
					http.Redirect(w, r, to, http.StatusFound)
				case strings.HasPrefix(text, "<"):
					html(w, "%s", text)
				default:
					w.Header().Set("Content-Type", mime.TypeByExtension(filepath.Ext(r.URL.Path)))
					fmt.Fprint(w, text)
				}
			})
			set := inBrowser(t, s)
			set.Exclude = []string{"/left-out"}
			if tt.actions != "" {
				set.Actions = steps(t, tt.actions)
			}
			r := run(t, set)
			slices.Sort(tt.want)
			if diff := cmp.Diff(tt.want, r.got); diff != "" {
				t.Errorf("written (-want +got)\n%s", diff)
			}
			if tt.skipped == nil {
				tt.skipped = map[string]int64{}
			}
			if diff := cmp.Diff(tt.skipped, r.Skipped); diff != "" && tt.trap == "" {
				t.Errorf("skipped (-want +got)\n%s", diff)
			}
			if r.FailedSteps != tt.failed || tt.trap != "" && r.Traps[tt.trap] != 1 {
				t.Errorf("%+v", r.Report)
			}
			missed, twice := 0, 0
			for _, path := range tt.want {
				n := s.times(path)
				if n == 0 {
					missed++
				}
				if n > 1 {
					twice++
				}
			}
			t.Logf("%d wanted, %d got, %d missed, %d asked for twice; %d steps failed", len(tt.want), len(r.got), missed, twice, r.FailedSteps)
		})
	}
}

// times returns how often a path was asked for.
func (s *site) times(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[path]
}

// An acceptor counts who connects to it.
type acceptor struct {
	addr string
	n    atomic.Int64
}

func (a *acceptor) taken() int64 { return a.n.Load() }

func accepting(t *testing.T, addr string) *acceptor {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	a := &acceptor{addr: l.Addr().String()}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			a.n.Add(1)
			c.Close()
		}
	}()
	return a
}

// What never ends is cut off: a page, a stream, a script that keeps its page busy. What has an end that comes late is had whole.
func TestWhatNeverEnds_long(t *testing.T) {
	for name, tt := range map[string]struct {
		page string
		want []string
	}{
		"a page":        {"ENDLESS<a href=/in>x</a>", []string{"/", "/in"}},
		"a stream":      {`<a href=/in>x</a><script>new EventSource("/stream")</script>`, []string{"/", "/in", "/stream"}},
		"a picture":     {`<a href=/in>x</a><img src=/slow.png>`, []string{"/", "/in", "/slow.png"}},
		"a busy script": {`<a href=/in>x</a><script>for (;;);</script>`, []string{"/", "/in"}},
		"a page that grows": {
			`<div id=a></div><script>new ResizeObserver(() => 0); 
			addEventListener("scroll", () => { a.style.height = document.body.scrollHeight + 500 + "px" })</script><a href=/in>x</a>`,
			[]string{"/", "/in"},
		},
		"routes without end": {
			`<a href=#/1>1</a><a href=/in>x</a><script>
			onhashchange = () => document.body.innerHTML = "<a href=#/" + (Number(location.hash.slice(2)) + 1) + ">x</a>"</script>`,
			[]string{"/", "/in"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			ended := make(chan struct{})
			s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
				wait := func() {
					w.(http.Flusher).Flush()
					select {
					case <-r.Context().Done():
					case <-ended:
					}
				}
				switch r.URL.Path {
				case "/":
					rest, endless := strings.CutPrefix(tt.page, "ENDLESS")
					html(w, "%s", rest)
					if endless {
						wait()
					}
				case "/stream":
					w.Header().Set("Content-Type", "text/event-stream")
					fmt.Fprint(w, "data: one\n\n")
					wait()
				case "/slow.png":
					w.Header().Set("Content-Length", "4")
					fmt.Fprint(w, "ab")
					w.(http.Flusher).Flush()
					time.Sleep(1500 * time.Millisecond)
					fmt.Fprint(w, "cd")
				default:
					html(w, "")
				}
			})
			t.Cleanup(func() { close(ended) })
			set := inBrowser(t, s)
			r := runOn(t, t.Context(), kvtest.NewMemory(), t.TempDir(), set, func(c *crawl.Crawl) { c.PageTime(2 * time.Second) })
			if diff := cmp.Diff(tt.want, r.got); diff != "" || r.State != crawl.Completed {
				t.Errorf("%s, written (-want +got)\n%s", r.State, diff)
			}
			if text := everything(t, r.dir); name == "a picture" && !strings.Contains(text, "abcd") {
				t.Error("the picture is not whole")
			} else if cut := strings.Contains(text, "WARC-Truncated: time"); cut != (name == "a page" || name == "a stream") {
				t.Errorf("truncated: %t", cut)
			}
			if trap := r.Traps["links"] == 1; trap != (name == "routes without end") {
				t.Errorf("%+v", r.Traps)
			}
		})
	}
}

// A crawl that is stopped behind a login, or whose browser crashes there, is still logged in when it goes on.
func TestSessionsOutliveTheBrowser(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		_, err := r.Cookie("sid")
		switch {
		case r.URL.Path == "/":
			http.SetCookie(w, &http.Cookie{Name: "sid", Value: "s3ss10n", HttpOnly: true, SameSite: http.SameSiteLaxMode})
			html(w, "<a href=/in>x</a>")
		case err != nil:
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path == "/in" && ctx.Err() == nil:
			stop()
			<-r.Context().Done()
		default:
			html(w, "<h1>hello</h1>")
		}
	})
	set := inBrowser(t, s)
	cookies, dir, on := filepath.Join(t.TempDir(), "cookies.json"), t.TempDir(), kvtest.NewMemory()
	keeping := func(c *crawl.Crawl) { c.Cookies(cookies) }
	if r := runOn(t, ctx, on, dir, set, keeping); r.State != crawl.Stopped {
		t.Errorf("%+v", r.Report)
	}
	if info, err := os.Stat(cookies); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the cookies: %v, %v", info, err)
	}
	r := runOn(t, t.Context(), on, dir, set, keeping)
	if diff := cmp.Diff(map[string]int64{"200": 2}, r.Status); diff != "" || r.State != crawl.Completed {
		t.Errorf("%s, status (-want +got)\n%s", r.State, diff)
	}
	if _, err := os.Stat(cookies); err == nil {
		t.Error("a complete crawl leaves its cookies")
	}
}

// What a page takes from another host is asked for once for all pages, with what browsers ask before they send.
func TestPartsFromAnotherHost(t *testing.T) {
	other := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "x-gauge")
		switch {
		case r.Method == http.MethodOptions:
		case r.URL.Path == "/a.js":
			w.Header().Set("Content-Type", "text/javascript")
			w.Header().Set("Cache-Control", "no-cache")
			fmt.Fprintf(w, `fetch("http://%s/data", {headers: {"X-Gauge": "7"}}).then(r => r.text())
				.then(t => document.body.innerHTML += t)`, r.Host)
		default:
			fmt.Fprint(w, "<a href=/said>x</a>")
		}
	})
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/file.zip":
			w.Header().Set("Content-Type", "application/zip")
			w.Header().Set("Content-Disposition", "attachment")
			fmt.Fprint(w, "PK")
		case "/text":
			fmt.Fprint(w, "plain")
		default:
			html(w, "<script src=%[1]s/a.js></script><a href=/b>b</a><a href=/file.zip>z</a><a href=/text>t</a><a href=%[1]s/>out</a>", other.URL)
		}
	})
	set := inBrowser(t, s)
	set.Actions = steps(t, "[{until: 'a[href=\"/said\"]'}]")
	r := run(t, set)
	r.got = slices.DeleteFunc(r.got, func(path string) bool { return path == "/favicon.ico" }) // a whole Chromium wants one
	if diff := cmp.Diff([]string{"/", "/a.js", "/b", "/data", "/file.zip", "/said", "/text"}, r.got); diff != "" || r.FailedSteps != 0 {
		t.Errorf("%d steps failed, written (-want +got)\n%s", r.FailedSteps, diff)
	}
	if n := other.times("/a.js"); n != 1 {
		t.Errorf("a script was asked for %d times", n)
	}
}

// Values and continuations are read from what scripts have made of a page, and a page can be tried so. A part whose server is busy is asked
// for once more.
func TestFieldsAndPaginationOfRenderedPages(t *testing.T) {
	var asked atomic.Int64
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(strings.Trim(r.URL.Path, "/"))
		switch {
		case r.URL.Path == "/busy.png":
			if asked.Add(1) == 1 {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		case r.URL.Path == "/" || err == nil && n < 3:
			html(w, `<img src=/busy.png><h1>served</h1><div id=a></div><script>document.querySelector("h1").textContent = "made %[1]d";
				a.innerHTML = "<a class=next href=/%[2]d>next</a><a href=/deeper>x</a>"</script>`, n, n+1)
		default:
			html(w, "<h2>the end</h2>")
		}
	})
	set := inBrowser(t, s)
	set.MaxDepth, set.Pagination = 1, []string{"a.next"}
	set.Template = &crawl.Template{Fields: []fields.Field{{Name: "title", CSS: "h1", Type: fields.Text}}}
	r := run(t, set)
	if diff := cmp.Diff([]string{"/", "/1", "/2", "/3", "/busy.png", "/deeper"}, r.got); diff != "" || r.Docs != 3 || r.Status["200"] != 6 {
		t.Errorf("%+v, written (-want +got)\n%s", r.Report, diff)
	}
	lines, err := os.ReadFile(filepath.Join(r.dir, "test.jsonl"))
	if err != nil || strings.Count(string(lines), `"made `) != 3 || strings.Contains(string(lines), "served") {
		t.Errorf("documents: %s, %v", lines, err)
	}
	set.Actions = steps(t, "[{click: '#none', within: 100ms}]")
	if err := set.Check(); err != nil {
		t.Fatal(err)
	}
	before := len(s.requests())
	got, err := crawl.Try(t.Context(), crawl.Config{Settings: set, Agent: "varve/test"}, s.URL+"/2")
	if err != nil || strings.Join(got.Rows[0].Values["title"], "") != "made 2" || len(got.Failed) != 1 || len(s.requests()) < before+1 {
		t.Errorf("tried: %+v, %v", got, err)
	}
}

// What a browser refuses to ask for is asked for without it.
func TestWhatTheBrowserDoesNotAskFor(t *testing.T) {
	unsafe := unsafeSite(t)
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Strict-Transport-Security", "max-age=1000")
		html(w, "<a href=%s/unsafe>x</a>", unsafe)
	})
	set := inBrowser(t, s)
	set.Scope = crawl.ScopeAny
	r := run(t, set)
	if diff := cmp.Diff([]string{"/", "/made", "/unsafe"}, r.got); diff != "" || r.Pages != 3 {
		t.Errorf("%+v, written (-want +got)\n%s", r.Report, diff)
	}
}

// unsafeSite serves a page on a port that browsers refuse (Fetch Standard, "bad port").
func unsafeSite(t *testing.T) string {
	t.Helper()
	for _, port := range []string{"6665", "6666", "6667", "6668", "6669", "6697", "10080"} {
		l, err := net.Listen("tcp", "127.0.0.1:"+port)
		if err != nil {
			continue
		}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { html(w, "<a href=/made>x</a>") })}
		go func() { _ = server.Serve(l) }()
		t.Cleanup(func() { _ = server.Close() })
		return "http://" + l.Addr().String()
	}
	t.Fatal("all ports that browsers refuse are taken")
	return ""
}

// What fill writes goes into no frame of another host, where anybody may read it, not even if that takes the focus.
func TestFillWritesInTheScopeOnly_long(t *testing.T) {
	const hush, frame = "$VARVE_SECRET_PASSWORD", "<iframe src=%s/></iframe>"
	t.Setenv("VARVE_SECRET_PASSWORD", "hush & hush")
	const field = `<input id=password autofocus oninput="fetch('/got?' + encodeURIComponent(this.value))"
		onchange="fetch('/got?' + encodeURIComponent(this.value))">`
	for name, tt := range map[string]struct {
		page   string // %s is the other host
		scope  crawl.Scope
		action string
		got    bool // by the host itself
		failed int64
	}{
		"a frame of another host":       {frame, crawl.ScopeHost, hush, false, 1},
		"in the scope, but no seed":     {frame, crawl.ScopeAny, hush, false, 1},
		"a plain text":                  {frame, crawl.ScopeHost, "plain text", false, 1},
		"one without origin":            {frame + `<iframe sandbox=allow-scripts src=/own></iframe>`, crawl.ScopeHost, "plain text", false, 1},
		"the page, beside such a frame": {frame + field, crawl.ScopeHost, hush, true, 0},
		"an own frame, beside it":       {frame + `<iframe src=/own></iframe>`, crawl.ScopeHost, hush, true, 0},
		"one page":                      {frame + field, crawl.ScopePage, hush, true, 0},
		"a written frame": {
			frame + `<iframe srcdoc="` + strings.ReplaceAll(field, `"`, "&quot;") + `"></iframe>`,
			crawl.ScopePrefix, hush, true, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			foreign := newSite(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, field+`<script>setInterval(() => document.querySelector("input").focus(), 1)</script>`)
			})
			s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/":
					html(w, tt.page, foreign.URL)
				case "/own":
					html(w, "%s", field)
				}
			})
			set := withBrowser(t, s)
			set.Scope, set.Include = tt.scope, []string{"/$"}
			set.Actions = steps(t, "[{wait: 200ms}, {fill: '#password', with: "+tt.action+", within: 1s}]")
			r := run(t, set)
			asked := strings.Join(s.requests(), " ")
			if got := strings.Contains(asked, "/got?hush%20%26%20hush"); got != tt.got || r.FailedSteps != tt.failed {
				t.Errorf("written: %t, %d steps failed: %s", got, r.FailedSteps, asked)
			}
			if asked := strings.Join(foreign.requests(), " "); strings.Contains(asked, "/got") {
				t.Errorf("the other host got it: %s", asked)
			}
		})
	}
}
