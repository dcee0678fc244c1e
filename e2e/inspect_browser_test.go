package e2e

import (
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// inspector opens the inspector's page on a capture, and waits until its frame can be pointed at.
func (g *stage) inspector(t *testing.T, ts, uri string) {
	t.Helper()
	g.open(t, "/web/inspect/"+ts+"/"+uri)
	g.until(t, `document.getElementById("still") && document.readyState === "complete"`)
}

// point clicks at a place in the frame, and waits until the answer is there. A frame of another origin hears clicks only when the
// browser knows where it is, some time after it was moved.
func (g *stage) point(t *testing.T, x, y float64) {
	t.Helper()
	at := evaluate[[]float64](t, g, `((f) => (f.scrollIntoView({ block: "center" }), [f.getBoundingClientRect().x + f.clientLeft, `+
		`f.getBoundingClientRect().y + f.clientTop]))(document.getElementById("still"))`)
	evaluate[bool](t, g, `(self.heard = 0, addEventListener("message", (e) => heard += e.data.varve === "chosen"), true)`)
	eventually(t, "a click in the frame", func() bool {
		if err := chromedp.Do(g.ctx, chromedp.MouseClickXY(at[0]+x, at[1]+y)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
		return evaluate[int](t, g, `heard`) > 0
	})
	g.until(t, `document.querySelector("#values table tbody tr") && !document.getElementById("values").hasAttribute("aria-busy")`)
}

func (g *stage) selector(t *testing.T) string {
	t.Helper()
	return evaluate[string](t, g, `document.querySelector('#fieldform [name="css"]').value`)
}

// A page with something to point at, at known places, that changes.
func offers(attack string) *archive { return (&archive{}).offers(host, attack) }

func (a *archive) offers(host, attack string) *archive {
	body := func(price string) string {
		return `<!doctype html><html><head><title>Offers</title><meta name=viewport content="width=device-width">` +
			`<link rel=stylesheet href=/look.css></head><body style="margin:0"><div id=offer><p class=price style="margin:0;height:40px">` +
			price + `</p></div><a href="http://live.example/away" target=_top style="display:block;height:40px">away</a><img src=/map.png ` +
			`alt=Map width=40 height=40 style="display:block"><p>It is a ladder of wood.</p>` + attack + `</body></html>`
	}
	return a.page(host+"/", "20100101000000", body("EUR 20")).page(host+"/", "20110101000000", body("EUR 25")).
		page(host+"/", "20120101000000", body("EUR 25.50")).
		response(host+"/look.css", "20100101000000", "200 OK", ".price { background: rgb(1, 2, 3); }", "Content-Type: text/css").
		response(host+"/map.png", "20100101000000", "200 OK", dot, "Content-Type: image/svg+xml")
}

const dot = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="9"/></svg>`

// Click an element, get a selector, see the value in all versions.
func TestReaderPointsAtAnElement(t *testing.T) {
	t.Parallel()
	g := browse(t, offers("").serve(t))
	g.inspector(t, "20110101000000", host+"/")
	g.point(t, 20, 20)
	if got := g.selector(t); got != "p.price" {
		t.Errorf("the selector is %q", got)
	}
	const cells = `[...document.querySelectorAll("#values tbody tr")].map((r) => r.cells[2].textContent.trim().replace(/\s+/g, " ")).join("|")`
	if got := evaluate[string](t, g, cells); got != "20|changed 25|changed 25.5" {
		t.Errorf("the values are %q", got)
	}
	if got := evaluate[string](t, g, `["type", "name", "clean"].map((n) => document.querySelector('#fieldform [name="' + n + `+
		`'"]').value).join(" ")`); got !=
		"number price [^0-9.]" {
		t.Errorf("beside it the form says %q", got)
	}
	g.picture(t, "inspect")

	// A link leads nowhere; it can be chosen.
	g.point(t, 20, 60)
	g.until(t, `document.querySelector('#fieldform [name="css"]').value === "a"`)
	if got := evaluate[string](t, g, `location.pathname + " " + document.title.split(" ")[0]`); got != "/web/inspect Values" {
		t.Errorf("the browser is at %s", got)
	}
	// Out of it, by the list of what it is in; then the field goes into the template, and another one is chosen.
	evaluate[bool](t, g, `(document.querySelector(".within a:nth-last-of-type(1)").click(), true)`)
	g.until(t, `document.querySelector('#fieldform [name="css"]').value !== "a"`)
	g.point(t, 20, 20)
	g.until(t, `document.querySelector('#fieldform [name="css"]').value === "p.price"`)
	evaluate[bool](t, g, `(document.querySelector('#fieldform [name="add"]').click(), true)`)
	g.until(t, `document.querySelector('#fieldform [name="template"]').value.includes("price")`)
	g.point(t, 20, 100)
	g.until(t, `document.querySelectorAll("#values th").length === 4`)
	if got := evaluate[string](t, g, `[...document.querySelectorAll("#values th")].map((h) => h.textContent.trim()).join(" ")`); got !=
		"From To price image" {
		t.Errorf("the columns are %q", got)
	}
	if got := evaluate[string](t, g, `document.querySelector("#values pre").textContent`); !strings.Contains(got, "{name: price, "+
		"css: p.price, type: number, clean: ['[^0-9.]']}") {
		t.Errorf("to copy: %s", got)
	}
	asked := strings.Join(g.contained(t), " ")
	for _, part := range []string{"cs_/" + host + "/look.css", "im_/" + host + "/map.png"} {
		if !strings.Contains(asked, part) {
			t.Errorf("the frame did not ask for %s", part)
		}
	}
}

// What was pointed at is carried to the page of templates, saved there, and in force.
func TestTemplateOfTheInspectorIsSaved(t *testing.T) {
	t.Parallel()
	server := offers("").serve(t)
	g := browse(t, server)
	g.inspector(t, "20110101000000", host+"/")
	g.point(t, 20, 20)
	evaluate[bool](t, g, `document.querySelector('a[href*="/-/settings"]').click() === undefined`)
	g.until(t, `document.readyState === "complete" && document.querySelector("[name=text]")?.value.includes("p.price")`)
	if templates := server.get(t, "/-/settings").body; strings.Contains(templates, "p.price") {
		t.Errorf("in force before it is saved: %s", templates)
	}
	evaluate[bool](t, g, `document.querySelector("[name=text]").form.querySelector("[value=save]").click() === undefined`)
	g.until(t, `document.querySelector("main [role=status]")?.textContent.includes("Saved")`)
	if templates := server.get(t, "/-/settings").body; !strings.Contains(templates, "p.price") {
		t.Errorf("saved: %s", templates)
	}
}

// Elements are reached and chosen without a mouse, and the form works by Enter.
func TestInspectorByKeyboard(t *testing.T) {
	t.Parallel()
	g := browse(t, offers("").serve(t))
	g.inspector(t, "20110101000000", host+"/")
	g.keys(t, `document.getElementById("still").focus()`, kb.ArrowDown) // the body
	g.until(t, `document.getElementById("said").textContent.startsWith("body ")`)
	for _, want := range []string{"div", "p"} {
		g.strike(t, kb.ArrowDown)
		g.until(t, `document.getElementById("said").textContent.startsWith("`+want+` ")`)
	}
	g.strike(t, kb.Enter)
	g.until(t, `document.querySelector('#fieldform [name="css"]').value === "p.price"`)
	g.strike(t, kb.ArrowLeft)
	g.until(t, `document.getElementById("said").textContent.startsWith("div ")`)
	g.keys(t, `(document.querySelector('#fieldform [name="css"]').value = "h6", document.querySelector('#fieldform `+
		`[name="css"]').focus())`, kb.Enter)
	g.until(t, `document.querySelector("#values").textContent.includes("nothing found")`)
	g.keys(t, `(document.querySelector('#fieldform [name="css"]').value = "h6[", document.querySelector('#fieldform `+
		`[name="css"]').focus())`, kb.Enter)
	g.until(t, `document.getElementById("wrong") && document.activeElement.name === "css"`)
}

func TestInspectorWithoutScripts(t *testing.T) {
	t.Parallel()
	g := browse(t, offers("").serve(t))
	g.scripts(t, false)
	g.inspector(t, "20110101000000", host+"/")
	g.keys(t, `(document.querySelector('#fieldform [name="css"]').value = "#offer p", document.querySelector('#fieldform `+
		`[name="css"]').focus())`, kb.Enter)
	g.until(t, `location.search.includes("css=") && document.querySelectorAll("#values tbody tr").length === 3`)
}

// An archived page neither runs scripts nor goes anywhere nor leaves its frame, and can be pointed at all the same.
func TestHostilePagesCannotInspect(t *testing.T) {
	t.Parallel() // it mostly waits
	const did = `top.document.title="did it";top.location="http://live.example/"`
	attacks := map[string]string{
		"scripts": `<script>` + did + `</script><script src=/evil.js></script><script type=module>` + did + `</script>`,
		"handlers": `<img src=/none.png onerror='` + did + `'><svg onload='` + did + `'></svg><details open ` +
			`ontoggle='` + did + `'></details>`,
		"frames": `<iframe src=/evil></iframe><iframe srcdoc="<script>` + did + `</script>"></iframe><object data=/evil>` +
			`</object><embed src=/evil>`,
		"a refresh": `<meta http-equiv=refresh content="0;url=http://live.example/">`,
		"read twice": `<svg><style><img src=x onerror='` + did + `'></style></svg><math><mtext><table><mglyph><style><!--</style>` +
			`<img title="--&gt;&lt;img src=1 onerror=` + did + `&gt;">`,
		"a form": `<form action="http://live.example/" target=_top><button style="position:fixed;top:0;left:0;width:99px;` +
			`height:40px">x</button></form>`,
		"a base": `<base href="http://live.example/" target=_top><a href=x style="position:fixed;top:0;left:0;width:99px;` +
			`height:40px">x</a>`,
		"forged numbers": `<p data-varve-n=99999 data-varve-here=chosen>x</p><style>[data-varve-n]{display:block!important}</style>`,
		"its own words": `<script>parent.postMessage({varve:"chosen",element:3},"*")</script><a href="javascript:` + did + `" ` +
			`autofocus accesskey=x>x</a>`,
		"a shadow tree": `<div><template shadowrootmode=closed><script>` + did + `</script><a href="http://live.example/">x</a>` +
			`</template></div>`,
		"styles": `<style>@import "http://live.example/a.css";body{background:url(http://live.example/b.png)}*{cursor` +
			`:none!important;outline:none!important}</style>`,
		"prefetching": `<link rel=prefetch href=http://live.example/c><link rel=preconnect href=http://live.example><link ` +
			`rel=dns-prefetch href=//live.example>`,
	}
	a, site := &archive{}, func(name string) string { return "http://" + strings.ToLower(slug(name)) + ".example" }
	for name, attack := range attacks {
		a.offers(site(name), attack)
		a.response(site(name)+"/evil.js", "20100101000000", "200 OK", did, "Content-Type: text/javascript")
		a.page(site(name)+"/evil", "20100101000000", "<script>"+did+"</script>")
	}
	g := browse(t, a.serve(t))
	for name := range attacks {
		t.Run(name, func(t *testing.T) {
			g.inspector(t, "20110101000000", site(name)+"/")
			g.point(t, 20, 20)
			if got := evaluate[string](t, g, `location.pathname + " " + document.title.split(" ")[0]`); got != "/web/inspect Values" {
				t.Errorf("the browser is at %s", got)
			}
			if g.selector(t) == "" || evaluate[int](t, g, `document.querySelectorAll("#values tbody tr").length`) != 3 {
				t.Errorf("%q is chosen", g.selector(t))
			}
			for _, path := range g.contained(t) {
				if strings.Contains(path, "evil") {
					t.Errorf("asked for %s", path)
				}
			}
		})
	}
}

// With an origin for archived pages the frame works as without one: it has an origin of its own.
func TestInspectorOnTwoOrigins(t *testing.T) {
	t.Parallel()
	g := onTwoOrigins(t, "demo")
	g.open(t, "/web/inspect/"+floodsAt+"/"+floods)
	g.at(t, publicOrigin, "/web/inspect/"+floodsAt+"/"+floods)
	g.point(t, 200, 300)
	if g.selector(t) == "" {
		t.Error("nothing is chosen")
	}
	g.contained(t)
}

// The page as it is served has no barrier that axe knows of, and the source of a capture leads to it.
func TestInspectorHasNoBarriers(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile("../internal/testkit/looks/axe/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe is not there: make needs installs it")
	}
	g := browse(t, demo(t))
	for _, width := range []int64{390, 1280} {
		if err := chromedp.Do(g.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
			t.Fatal(err)
		}
		g.open(t, "/web/"+floodsAt+"/info?url="+url.QueryEscape(floods))
		evaluate[bool](t, g, `(document.querySelector('a[href*="/inspect/"]').click(), true)`)
		g.arrive(t, "/web/inspect/"+floodsAt+"/"+floods)
		g.settle()
		g.point(t, 60, 300)
		evaluate[bool](t, g, string(axe)+"; true")
		found := evaluate[string](t, g, `axe.run(document, {resultTypes: ["violations"], iframes: false}).then((r) => `+
			`r.violations.flatMap((v) => `+
			`v.nodes.map((n) => v.id + ": " + n.html + " " + n.any.concat(n.all, n.none).map((c) => c.message).join("; "))).join("\n"))`)
		if found != "" {
			t.Errorf("at %d pixels: %s", width, found)
		}
		if over := evaluate[int](t, g, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("at %d pixels it is %d wider than the window", width, over)
		}
	}
}
