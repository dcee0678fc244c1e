package e2e

import (
	"bytes"
	"image"
	"image/png"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// disguises are pages that hide, cover, move, restyle or imitate the banner without a script.
var disguises = map[string]string{
	"a cover":               `<style>html::before,body::after{content:"";position:fixed;inset:0;z-index:2147483647;background:red}</style>`,
	"a late cover":          `<div style="position:fixed;inset:0;z-index:2147483647;background:red"></div>`,
	"a cover without hits":  `<div style="position:fixed;inset:0;z-index:2147483647;background:#f008;pointer-events:none"></div>`,
	"a transparent root":    `<style>html{opacity:0!important}</style>`,
	"a filtered root":       `<style>html{filter:opacity(0) blur(9px)!important;mix-blend-mode:multiply}</style>`,
	"a moved root":          `<style>html{transform:translate(-9999px,-9999px) rotate(90deg)!important}</style>`,
	"a clipped root":        `<style>html{clip-path:inset(100%)!important;mask:linear-gradient(transparent,transparent)}</style>`,
	"a hidden root":         `<style>html{visibility:hidden!important;overflow:hidden!important;height:0!important}</style>`,
	"no root":               `<style>@layer x{html{display:none!important}}</style>`,
	"no root after a while": `<style>@keyframes x{to{display:none}}html{animation:x 300ms forwards}</style>`,
	"skipped contents":      `<style>html{content-visibility:hidden!important}</style>`,
	"a small root":          `<style>html{zoom:.05!important}</style>`,
	"a large root":          `<style>html{zoom:7!important}</style>`,
	"a root elsewhere":      `<style>html{position:fixed!important;top:-9999px!important;margin:999px!important}</style>`,
	"a turned root":         `<style>html{writing-mode:vertical-rl;direction:rtl;unicode-bidi:bidi-override}</style>`,
	"the host's parts": `<style>varve-banner::part(b),varve-banner::before,varve-banner ` +
		`*{content:"x";display:none!important}</style>`,
	"the host's variables": `<style>*,varve-banner{--bg:red!important;--fg:red!important;--ac:red!important;color:red!important}</style>`,
	"the host's movements": `<style>@keyframes x{to{opacity:0;translate:0 -999px}}varve-banner{animation:x 1ms ` +
		`forwards!important}</style>`,
	"no pointer": `<style>*,varve-banner{pointer-events:none!important;interactivity:inert!important}</style>`,
	"a name as a property": `<style>@property ` +
		`--bg{syntax:"<color>";inherits:true;initial-value:red}@font-face{font-family:system-ui;src:none}</style>`,
	"another banner": `<varve-banner style="position:fixed;inset:0;z-index:2147483647"><template ` +
		`shadowrootmode=open><nav>false</nav></template></varve-banner>`,
	"an open comment":        `<style>body{}</style><!-- <p>`,
	"an open tag":            `<style>body{}</style><link title="<p>`,
	"two templates":          `<template><template>`,
	"an open title":          `<title>`,
	"an open box":            `<textarea>`,
	"an open style":          `<style>`,
	"a selection":            `<select><option>`,
	"a drawing":              `<svg><foreignObject>`,
	"a template":             `<template>`,
	"no frames":              `<noframes>`,
	"the body's own shadow":  `<body><template shadowrootmode=open>the body's</template>`,
	"a body in a column":     `<style>html{display:grid!important;grid-template:1px/1px;gap:999px}body{grid-area:1/1}</style>`,
	"frames":                 `<frameset><frame src=/plain></frameset>`,
	"frames that are hidden": `<style>*{display:none!important;opacity:0!important}</style><frameset rows="*"><frame></frameset>`,
	"frames that are elsewhere": `<style>html,frameset{transform:translateY(-999px)!important;margin:-99px}</style>` +
		`<frameset><frame></frameset>`,
	"an imitation in a frame": `<iframe style="position:fixed;inset:0;width:100%;height:100%;z-index:2147483647" ` +
		`srcdoc="<body bgcolor=red>"></iframe>`,
}

// region returns the picture of the banner's middle row, whose place and words are the same on all pages of the tests.
func (g *stage) region(t *testing.T, at image.Rectangle) image.Image {
	t.Helper()
	b, err := chromedp.Run(g.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	all, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return all.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(at)
}

// differing counts the pixels in which two pictures of one size differ.
func differing(a, b image.Image) (n int) {
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				n++
			}
		}
	}
	return n
}

// middleRow is where the middle row of the banner is shown: left, top, right, bottom.
const middleRow = `(({ left, top, right, bottom }) => [left, top, right, bottom].map(Math.round))($(".ver").getBoundingClientRect())`

func (g *stage) middleRow(t *testing.T) image.Rectangle {
	t.Helper()
	r := evaluate[[]int](t, g, inBanner(middleRow))
	return image.Rect(r[0], r[1], r[2], r[3])
}

// What a page's mark-up and styles do must neither hide nor cover the banner.
func TestStylesCannotTouchTheBanner(t *testing.T) {
	t.Parallel() // it mostly waits
	a := (&archive{}).page(host+"/plain", day, "<!doctype html><title>t</title><p>text")
	for name, page := range disguises {
		a.page(host+"/"+slug(name), day, "<!doctype html>"+page+"<p>text")
	}
	g := browse(t, a.serve(t))
	g.open(t, at14("/plain"))
	row := g.middleRow(t)
	want := g.region(t, row)
	if row.Dx() < 300 || row.Dy() < 40 || differing(want, g.region(t, row)) > 0 {
		t.Fatalf("the banner's row %v is not seen twice alike", row)
	}
	for i, name := range slices.Sorted(maps.Keys(disguises)) {
		if testing.Short() && i%4 != 0 {
			continue // the long form tries all
		}
		t.Run(name, func(t *testing.T) {
			g.open(t, at14("/"+slug(name)))
			time.Sleep(100 * time.Millisecond)
			if n := differing(want, g.region(t, row)); n > 0 {
				t.Errorf("%d of %d pixels differ", n, row.Dx()*row.Dy())
				g.picture(t, "spoof-"+slug(name))
			}
			if !evaluate[bool](t, g, inBanner(`(({ left, top, width, height }) => document.elementFromPoint(left + width / 2, top + `+
				`height / 2) === host)($(".now summary").getBoundingClientRect())`)) {
				t.Error("a click on it meets something else")
			}
		})
	}
}

// meddling are scripts that remove, cover or break the banner, without doing so for ever.
var meddling = map[string]string{
	"removes it": `banner().remove()`,
	"removes it often": `let n = 9; new MutationObserver(() => banner() && n-- > 0 && ` +
		`banner().remove()).observe(document, {childList: true, subtree: true}); banner().remove()`,
	"empties the root": `document.documentElement.innerHTML = "<head></head><body>new</body>"`,
	"replaces the root": `const r = document.createElement("html"); r.append(document.createElement("body")); ` +
		`document.documentElement.replaceWith(r)`,
	"writes a document": `document.open(); document.write("<!doctype html><body>written</body>"); document.close()`,
	"moves it":          `document.body.append(banner())`,
	"hides it":          `banner().hidden = true; banner().style = "display:none!important"; banner().inert = false`,
	"shows a dialog": `const d = document.createElement("dialog"); document.body.append(d); d.style = ` +
		`"inset:0;width:100%;height:100%;max-width:none;max-height:none;background:red"; d.showModal()`,
	"shows a popover": `const d = document.createElement("div"); d.popover = "manual"; document.body.append(d); d.style = ` +
		`"position:fixed;inset:0;width:100%;height:100%;background:red"; d.showPopover()`,
	"defines its element": `customElements.define("varve-banner", class extends HTMLElement { connectedCallback() { ` +
		`if (!self.once) { self.once = 1; this.remove() } } })`,
}

// tampering are scripts that run before the banner is read.
var tampering = map[string]string{
	"finding":   `Document.prototype.querySelector = Document.prototype.getElementsByTagName = () => null`,
	"inserting": `Node.prototype.insertBefore = Node.prototype.appendChild = (n) => n; Element.prototype.setAttribute = () => {}`,
	"showing":   `HTMLElement.prototype.showPopover = () => {}; HTMLElement.prototype.hidePopover = () => {}`,
	"watching":  `self.MutationObserver = self.ResizeObserver = class { observe() {} disconnect() {} }; self.setTimeout = () => 0`,
	"its root":  `Element.prototype.attachShadow = () => { throw 1 }; self.getComputedStyle = () => ({})`,
	"its name": `customElements.define("varve-banner", class extends HTMLElement { constructor() { super(); self.taken = ` +
		`this.shadowRoot } })`,
}

// The banner of a page whose scripts wrote the page anew, or got in the banner's way, comes back.
func TestScriptsDoNotLoseTheBanner(t *testing.T) {
	t.Parallel() // it mostly waits
	const before = `<!doctype html><title>t</title><script>const banner = () => document.querySelector("varve-banner");</script>`
	a := (&archive{}).page(host+"/plain", day, before+"<p>text")
	for name, script := range meddling {
		a.page(host+"/meddles/"+slug(name), day, before+"<p>text<script>onload = () => { "+script+" }</script>")
	}
	for name, script := range meddling {
		a.page(host+"/frames/meddles/"+slug(name), day, before+"<script>onload = () => { "+script+" }</script><frameset><frame></frameset>")
	}
	for name, script := range tampering {
		a.page(host+"/tampers/"+slug(name), day, before+"<script>"+script+"</script><div "+
			`style="position:fixed;inset:0;z-index:2147483647;background:red"></div>`)
	}
	g := browse(t, a.serve(t))
	g.open(t, at14("/plain"))
	row := g.middleRow(t)
	want := g.region(t, row)
	comesBack := func(t *testing.T, path string) {
		t.Helper()
		g.open(t, at14(path))
		n := 0
		eventually(t, "the banner is seen", func() bool {
			n = differing(want, g.region(t, row))
			return n == 0
		})
	}
	for i, name := range slices.Sorted(maps.Keys(meddling)) {
		if testing.Short() && i%3 != 0 {
			continue // the long form tries all
		}
		t.Run(name, func(t *testing.T) { comesBack(t, "/meddles/"+slug(name)) })
		t.Run("in a frameset: "+name, func(t *testing.T) { comesBack(t, "/frames/meddles/"+slug(name)) })
	}
	for i, name := range slices.Sorted(maps.Keys(tampering)) {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run("before: "+name, func(t *testing.T) { comesBack(t, "/tampers/"+slug(name)) })
	}
}

// The address bar is what a reader can trust. Scripts change it as on the live web: not to another origin, and not to
// another datetime.
func TestScriptsCannotForgeTheAddress(t *testing.T) {
	t.Parallel() // it mostly waits
	const other = "/web/20200101000000/http://other.example/"
	forging := map[string]string{
		"a push":           `history.pushState(null, "", "` + other + `")`,
		"a replacement":    `history.replaceState(null, "", "` + other + `")`,
		"another datetime": `history.pushState(null, "", location.pathname.replace(/\d{14}/, "20200101000000"))`,
		"varve's own page": `history.pushState(null, "", "/web/")`,
		"a frame's push":   `frames[0].History.prototype.pushState.call(history, null, "", "` + other + `")`,
		"an unseen frame's push": `document.body.insertAdjacentHTML("beforeend", "<iframe></iframe>"); ` +
			`frames[1].History.prototype.pushState.call(history, null, "", "` + other + `")`,
		"an unseen frame's document": `document.body.insertAdjacentHTML("beforeend", "<iframe></iframe>"); ` +
			`frames[1].Document.prototype.open.call(document); frames[1].History.prototype.replaceState.call(history, null, "", "` + other + `")`,
		"a frame's document":   `frames[0].eval("top.document.open(); top.document.write('<p>forged'); top.document.close()")`,
		"its native functions": `frames[0].eval("Document.prototype.open.call(top.document)")`,
		"navigation": `navigation.navigate("` + other + `", {history: "replace"}); ` +
			`navigation.addEventListener("navigate", (e) => e.intercept())`,
		"an intercepted one": `navigation.addEventListener("navigate", (e) => e.intercept()); navigation.navigate("` + other +
			`")`,
	}
	a := (&archive{}).page(host+"/framed", "20150101000000", "<!doctype html><p>framed")
	a.page(host+"/page", day, "<!doctype html><title>t</title><p>text").page("http://other.example/", "20200101000000", "<p>other")
	g := browse(t, a.serve(t))
	for name, script := range forging {
		t.Run(name, func(t *testing.T) {
			g.open(t, at14("/page"))
			evaluate[bool](t, g, `new Promise((done) => { const f = document.createElement("iframe"); f.onload = () => done(true); `+
				`f.setAttributeNS(null, "src", "/web/20150101000000if_/`+host+`/framed"); document.body.append(f) })`)
			_, _ = chromedp.Run(g.ctx, chromedp.Evaluate[int](`{ try { `+script+` } catch (e) { console.error(e) } }; 0`))
			g.settle()
			// Where the browser went to the other page, it shows that.
			g.until(t, `location.pathname.startsWith("`+at14("/")+`") || document.body.textContent.trim() === "other"`)
		})
	}
	g.open(t, at14("/page"))
	for _, to := range []string{"/page#there", "/other?a=b"} {
		evaluate[bool](t, g, `(history.pushState({a: 1}, "", "`+host+to+`"), true)`)
		if got := evaluate[string](t, g, `location.pathname + location.search + location.hash`); got != at14(to) {
			t.Errorf("an address of the page's own is %s, want %s", got, at14(to))
		}
	}
}

// What a page does with clicks doesn't concern the links of the banner: they lead where the server wrote.
func TestPagesDoNotHearTheBannersLinks(t *testing.T) {
	t.Parallel()
	a := (&archive{}).page(host+"/", "20090101000000", "<!doctype html><title>t</title><p>what it said before").
		page(host+"/", day, `<!doctype html><title>t</title><base target=_blank><p>what it said then<script>
self.heard = 0;
for (const at of [self, document, document.documentElement]) for (const type of ["click", "auxclick"]) {
  at.addEventListener(type, (e) => { heard++; e.preventDefault(); e.stopImmediatePropagation() }, true);
}
navigation.addEventListener("navigate", (e) => { if (e.sourceElement) heard++ });
</script>`)
	g := browse(t, a.serve(t))
	g.open(t, at14("/"))
	at := evaluate[[]float64](t, g, inBanner(`(({ left, top, width, height }) => [left + width / 2, top + height / 2])`+
		`($("a[rel=predecessor-version]").getBoundingClientRect())`))
	if err := chromedp.Do(g.ctx, chromedp.MouseClickXY(5, 400)); err != nil {
		t.Fatal(err)
	}
	if n := evaluate[int](t, g, `heard`); n == 0 {
		t.Error("the page doesn't hear clicks on itself")
	}
	if err := chromedp.Do(g.ctx, chromedp.MouseClickXY(at[0], at[1])); err != nil {
		t.Fatal(err)
	}
	g.arrive(t, "/web/20090101000000/"+host+"/")
}
