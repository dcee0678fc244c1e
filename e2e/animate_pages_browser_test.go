package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

const later = "20110101000000"

// changed returns an archive with two captures of each page, by name.
func changed(pages map[string][2]string) *archive {
	a := &archive{}
	for name, p := range pages {
		for i, ts := range []string{day, later} {
			if !strings.Contains(p[i], "<title>") {
				p[i] = "<title>t</title>" + p[i]
			}
			a.page(host+"/"+slug(name), ts, "<!doctype html>"+p[i])
		}
	}
	return a
}

func pairOf(name string) string { return day + "/" + later + "/" + host + "/" + slug(name) }

// mended are changes in all kinds of mark-up. The steps must find their places and lead back.
var mended = map[string][2]string{
	"words across elements":       {"<p>One <b>two <i>three</i></b> four five.", "<p>One five."},
	"words in the middle of them": {"<p>One <b>two three</b> four.", "<p>One <b>two</b> and <b>three</b> and four."},
	"a mark without a space":      {"<p>It stands.", "<p>It stands! Still."},
	"items of a list": {
		"<ul><li>One<li>Two<li>Three<li>Four</ul>",
		"<ul><li>Zero<li>One<li>Three<li>Three and a half<li>Four</ul>",
	},
	"rows of a table": {
		"<table><tr><td>a<td>1<tr><td>b<td>2<tr><td>c<td>3</table>",
		"<table><tr><td>a<td>1<tr><td>c<td>4<tr><td>d<td>5</table>",
	},
	"rows of a table with a head": {
		"<table><thead><tr><th>Name<th>Price<tbody><tr><td>a<td>1<tr><td>b<td>2<tfoot><tr><td>all<td>3</table>",
		"<table><thead><tr><th>Name<th>Price<tbody><tr><td>z<td>0<tr><td>a<td>1<tr><td>b<td>2<tr><td><p>c<p>d<td>4<tr><td>e<td>5" +
			"<tfoot><tr><td>all<td>3</table>",
	},
	"paragraphs and headings": {
		"<h1>Mill</h1><p>Alpha beta gamma.<p>Delta.",
		"<h1>Mill</h1><h2>Water</h2><p>Alpha beta gamma.<p>Entirely new words stand here.<p>And here.<p>Delta.",
	},
	"headings among paragraphs": {
		"<h1>Mill</h1><p>Alpha.<h2>End</h2><p>Omega.",
		"<h1>Mill</h1><p>Alpha.<h2>River</h2><p>It runs.<h2>Bridge</h2><p>It stands.<p>Still.<h2>End</h2><p>Omega.",
	},
	"lines for lines": {
		"<div>One<br>Two<br>Three</div>",
		"<div>One<br>New line<br>Newer words<br>Newest of all<br>Two<br>Three</div>",
	},
	"paragraphs in no element": {
		"<div>Loose text<p>Alpha.</p>more of it</div>",
		"<div>Loose text<p>Alpha.</p><p>Beta words.</p><h3>Gamma</h3>more of it</div>",
	},
	"lines parted by br":     {"<div>One<br>two words<br>three</div>", "<div>One<br>three<br>four words</div>"},
	"the first and the last": {"<p>First.<p>Middle.<p>Last one.", "<p>New start.<p>Middle."},
	"everything":             {"<h1>Old</h1><p>All of this goes.", "<p>Something else entirely, in other words."},
	"nothing there before":   {"<p>.", "<p>. And then there was text.<p>And more of it."},
	"two titles": {
		"<title>Old mill</title><p>Text with a <svg width=9 height=9><title>drawn</title></svg> picture.",
		"<title>New mill</title><p>Text with a <svg width=9 height=9><title>drawn</title></svg> small picture.",
	},
	"broken tables": {
		"<table><p>Foster<tr><td>cell one two</table><p>after",
		"<table><p>Foster<tr><td>cell one</table><p>after all",
	},
	"misnested elements": {"<p><b>bold <i>both</b> slanted</i> plain text", "<p><b>bold <i>both</b> leaning</i> text"},
	"unclosed elements":  {"<div><span><p>One two<div>three four", "<div><span><p>One<div>three five"},
	"right to left": {
		"<p dir=rtl>رودخانهٔ بزرگ در شب طغیان کرد و پل را برد.",
		"<p dir=rtl>رودخانه در شب طغیان کرد و پل کهنه را برد.",
	},
	"no spaces":                 {"<p>東京都に住む人々は川を恐れた。", "<p>東京に住む人は大きな川を恐れた。"},
	"letters of several parts":  {"<p>Flags 🇺🇦 and families 👨‍👩‍👧‍👦 and e\u0301te\u0301 remain.", "<p>Flags and été 🌊 remain."},
	"the same words many times": {"<p>again again again again<p>again again", "<p>again again again<p>again again again"},
	"preformatted text":         {"<pre>one\n  two\n    three</pre>", "<pre>one\n    three\n  four</pre>"},
	"preformatted paragraphs":   {"<pre>one\ntwo\n\nthree four\n\nfive</pre>", "<pre>one\n2\n\nnew words\n\nthree 4\n\nfive</pre>"},
	"values of two rows": {
		"<table><tr><td>Pool<td>open<tr><td>Gym<td>shut</table>", "<table><tr><td>Pool<td>shut<tr><td>Gym<td>open</table>",
	},
	"a column that moved": {
		"<table><tr><td>a<td>1<td>b<tr><td>c<td>2<td>d</table>", "<table><tr><td>a<td>b<td>1<tr><td>c<td>d<td>2</table>",
	},
	"joiners": {"<p>او می\u200cروم خانه\u200cها", "<p>او می\u200cروم کتاب\u200cها"},
	"text among fields": {"<form><label>Name <input name=parentNode><input name=localName><input name=style></label> old " +
		"<button>Send</button></form>", "<form><label>Name <input name=parentNode><input name=localName><input name=style></label> new " +
		"<button>Send it</button></form>"},
	"an older charset": {"<p>caf\u00e9 na\u00efve \u2013 old", "<p>caf\u00e9 \u2013 new"},
}

// TestStepsFindTheirPlaces_long walks changes in all kinds of mark-up.
func TestStepsFindTheirPlaces_long(t *testing.T) {
	t.Parallel() // it mostly waits
	g := browse(t, changed(mended).serve(t))
	for name := range mended {
		t.Run(name, func(t *testing.T) {
			if n, lost := g.walk(t, pairOf(name)); n == 0 || lost != "" {
				t.Errorf("%d steps, of which no place have\n%s", n, lost)
			}
		})
	}
	g.contained(t)
}

// Cells of a new row are in a row of their own, where the newer page has it.
func TestNewRowsAreRows(t *testing.T) {
	t.Parallel()
	g := browse(t, changed(mended).serve(t))
	const rows = `[...document.querySelectorAll("tr")].filter((r) => r.offsetHeight).map((r) => name(r.parentNode) + ": " + ` +
		`[...r.cells].map((c) => name(c) + " " + c.innerText.trim().replace(/\s+/g, " ")).join("|")).join("\n")`
	const lines = `((name) => ` + rows + `)((e) => e.tagName.toLowerCase())`
	for _, name := range []string{"rows of a table", "rows of a table with a head"} {
		g.open(t, "/web/animate/"+later+"/"+later+"/"+host+"/"+slug(name))
		want := evaluate[string](t, g, lines)
		g.open(t, "/web/animate/"+pairOf(name))
		evaluate[bool](t, g, inBar(`(() => { for (let i = 0; i < 50; i++) $(".next").click(); return true })()`))
		if got := evaluate[string](t, g, lines); got != want || strings.Count(want, "\n") < 2 {
			t.Errorf("%s: at the end the table is\n%s\nwant\n%s", name, got, want)
		}
	}
}

// The bar must count and name what can't be shown in the page.
func TestBarNamesStepsWithoutAPlace(t *testing.T) {
	t.Parallel()
	pages := map[string][2]string{
		"a field":       {"<p>a<textarea>old words</textarea>", "<p>a<textarea>new words</textarea>"},
		"a drawing":     {"<p>a<svg><text y=20>old words</text></svg>", "<p>a<svg><text y=20>new words</text></svg>"},
		"a hidden menu": {"<p>a<ul style=display:none><li>old words</ul>", "<p>a<ul style=display:none><li>new words</ul>"},
		"far outside":   {"<p>a<p style=position:absolute;left:-9999px>old words", "<p>a<p style=position:absolute;left:-9999px>new words"},
		"the title":     {"<title>old words</title><p>a", "<title>new words</title><p>a"},
		"a folded part": {
			"<p>a<details><summary>More</summary><p>old words</details>",
			"<p>a<details><summary>More</summary><p>new words</details>",
		},
		"a shadow root": {
			"<p>a<x-b><template shadowrootmode=open>old words</template></x-b>", "<p>a<x-b><template shadowrootmode=open>new words</template></x-b>",
		},
		"what no browser has": {"<p>a<object>old words</object>", "<p>a<object>new words</object>"},
	}
	g := browse(t, changed(pages).serve(t))
	for name, want := range map[string]string{
		"a field":       "No place for this in the page: deleted: old added: new",
		"a drawing":     "No place for this in the page: deleted: old added: new",
		"a hidden menu": "In the page, but hidden: deleted: old added: new", "far outside": "In the page, but hidden: deleted: old added: new",
		"a shadow root": "No place for this in the page: deleted: old added: new",
		"the title":     "In the page’s title: deleted: old added: new", "a folded part": "deleted: old added: new",
		"what no browser has": "deleted: old added: new",
	} {
		t.Run(name, func(t *testing.T) {
			g.open(t, "/web/animate/"+pairOf(name))
			before := evaluate[string](t, g, `document.body.outerHTML`)
			g.press(t, "next")
			if got := evaluate[string](t, g, inBar(`$(".say").textContent.trim()`)); got != want {
				t.Errorf("the bar says %q, want %q", got, want)
			}
			if n := evaluate[string](t, g, inBar(`$(".n").textContent`)); n != "Change 1 of 1" {
				t.Errorf("the counter says %q", n)
			}
			g.press(t, "back")
			if after := evaluate[string](t, g, `document.body.outerHTML`); after != before {
				t.Errorf("back again the page is\n%s\nwant\n%s", after, before)
			}
		})
	}
	g.contained(t)
}

func TestReadersWhoWantNoMotionGetSteps(t *testing.T) {
	t.Parallel()
	g := browse(t, demo(t))
	g.prefers(t, "prefers-reduced-motion", "reduce")
	g.open(t, tannery)
	if !evaluate[bool](t, g, inBar(`$(".play").offsetWidth === 0 && $(".speed").offsetWidth === 0 && $(".next").offsetWidth > 0`)) {
		t.Fatal("it offers to play")
	}
	g.press(t, "next")
	if got := evaluate[string](t, g, `document.querySelector("varve-del").textContent.slice(-9) + " " + `+
		`document.querySelector("varve-ins").textContent.slice(-9)`); got != "\nnothing. the town." {
		t.Errorf("a step shows %q", got)
	}
	g.picture(t, "animation-step")
	g.press(t, "next")
	if got := g.state(t); got != "end 1" {
		t.Errorf("behind the last step it is %s", got)
	}
	g.press(t, "again")
	if got := g.state(t); got != "start 0" {
		t.Errorf("from the start it is %s", got)
	}
	g.contained(t)
}

// The datetimes of both captures must stay visible and link to the captures. The diff must be one link away.
func TestAnimationsNameTheirCaptures(t *testing.T) {
	t.Parallel()
	s := demo(t)
	g := browse(t, s)
	if _, err := chromedp.Run(g.ctx, chromedp.EmulateViewport(360, 640)); err != nil {
		t.Fatal(err)
	}
	g.open(t, tannery)
	evaluate[bool](t, g, `(scrollTo(0, 99999), true)`)
	seen := evaluate[string](t, g, inBar(`[...nav.querySelectorAll(".end a")].filter((a) => { const r = a.getBoundingClientRect(); `+
		`return r.top >= 0 && r.bottom < innerHeight && r.right <= innerWidth && host.shadowRoot.elementFromPoint(r.x + 5, r.y + r.height `+
		`/ 2) === a; }).map((a) => a.textContent + " " + a.getAttribute("href")).join("\n")`))
	want := "1 August 2016, 09:20 UTC /web/20160801092036/" + history + "\n1 September 2016, 09:21 UTC /web/20160901092136/" + history
	if seen != want {
		t.Errorf("in sight are\n%s\nwant\n%s", seen, want)
	}
	if wide := evaluate[float64](t, g, inBar(`nav.scrollWidth`)); wide > 360 {
		t.Errorf("the bar is %v px wide", wide)
	}
	g.press(t, "next")
	evaluate[bool](t, g, inBar(`($(".diff").click(), true)`))
	g.arrive(t, "/web/diff/20160801092036/20160901092136/"+history)
	evaluate[bool](t, g, `([...document.querySelectorAll("main a")].find((a) => a.textContent === "Watch it happen in the `+
		`page").click(), true)`)
	g.arrive(t, tannery)
	g.contained(t)
}

func TestAnimationsOfAWord(t *testing.T) {
	t.Parallel()
	g := browse(t, demo(t))
	at := func(term string) string {
		return "/web/animate?from=20080301091927&to=20160901092136&url=" + history + "&term=" + term
	}
	g.open(t, at("Tannery"))
	if got := evaluate[string](t, g, inBar(`$(".n").textContent + " " + JSON.parse($(".steps").textContent)[0].deleted.slice(0, `+
		`60)`)); got != "1 change The flood tore open the settling ponds of the tannery at Upp" {
		t.Errorf("of the word it shows %q", got)
	}
	g.open(t, at("cathedral"))
	if got := evaluate[string](t, g, inBar(`$(".say").textContent + $(".notes `+
		`a").getAttribute("href")`)); got != "“cathedral” is neither deleted nor added between these two "+
		"captures./web/animate/20080301091927/20160901092136/"+history {
		t.Errorf("of another word it says %q", got)
	}
	g.contained(t)
}

func TestAnimationsWithoutScript(t *testing.T) {
	t.Parallel()
	g := browse(t, demo(t))
	g.scripts(t, false)
	g.open(t, tannery)
	if !evaluate[bool](t, g, inBar(`nav.getBoundingClientRect().height > 40 && $(".ctl").offsetHeight === 0 && `+
		`$("noscript").offsetHeight > 10`)) {
		t.Error("it does not say that it needs a script")
	}
	if href := evaluate[string](t, g, inBar(`$("noscript a").getAttribute("href")`)); href != "/web/diff/20160801092036/20160901092136/"+
		history {
		t.Errorf("in words it is at %s", href)
	}
	g.contained(t)
}

func TestTabReachesTheControls(t *testing.T) {
	t.Parallel()
	g := browse(t, demo(t))
	g.open(t, tannery)
	var reached []string
	for range 9 {
		if err := chromedp.Do(g.ctx, chromedp.KeyEvent("\t")); err != nil {
			t.Fatal(err)
		}
		reached = append(reached, evaluate[string](t, g,
			inBar(`((e) => e ? e.getAttribute("class") || e.textContent : "")(host.shadowRoot.activeElement)`)))
	}
	if got, want := strings.Join(reached, ", "),
		"logo, 1 August 2016, 09:20 UTC, 1 September 2016, 09:21 UTC, diff, again, back, play, next, speed"; got != want {
		t.Errorf("Tab goes %s, want %s", got, want)
	}
	if err := chromedp.Do(g.ctx, chromedp.KeyEvent("\r")); err != nil {
		t.Fatal(err)
	}
	if got := evaluate[string](t, g, inBar(`$(".speed").textContent`)); got != "2×" {
		t.Errorf("the speed is %s", got)
	}
}

// Nothing of an archived page may run, hide the bar or navigate away.
func TestHostilePagesCannotPlayThemselves(t *testing.T) {
	t.Parallel() // it mostly waits
	const did = `document.documentElement.setAttribute("data-did", "it")`
	attacks := map[string]string{
		"an inline script":    `<script>` + did + `</script>`,
		"a script of its own": `<script src=/evil.js></script>`,
		"varve's own script":  `<script src="/-/static/inside.js" data-prefix="http://live.example/"></script>`,
		"a module":            `<script type=module>` + did + `</script>`,
		"a handler":           `<img src=/none.png onerror='` + did + `'><body onload='` + did + `'><svg onload='` + did + `'></svg>`,
		"a script in a link":  `<iframe src='javascript:parent.` + did + `'></iframe><a href='javascript:` + did + `' id=a autofocus>x</a>`,
		"a frame's script":    `<iframe src=/frame></iframe><iframe sandbox="allow-scripts allow-same-origin" src=/frame></iframe>`,
		"a written frame": `<iframe srcdoc="<script>parent.document.documentElement.dataset.did=1</script><script ` +
			`src=/evil.js></script>"></iframe>`,
		"an embedded page":  `<object data=/frame type=text/html></object><embed src=/frame type=text/html>`,
		"a refresh":         `<meta http-equiv=refresh content="0; url=/frame">`,
		"rules to go ahead": `<script type=speculationrules>{"prerender":[{"urls":["/frame"]}]}</script>`,
		"elements like handles": `<img name=createElement><img name=createTextNode><img name=getElementsByTagName><img ` +
			`name=elementsFromPoint><form name=body><input name=insertBefore></form><img name=documentElement><form id=varvePage></form>`,
		"a bar of its own": `<varve-animation><template shadowrootmode=open><nav class=b data-texts="|||||||||"><p ` +
			`class=say>Nothing changed</p><div class=steps>[]</div></nav></template></varve-animation>`,
		"a popover": `<button popovertarget=over>x</button><div id=over popover style="inset:0;width:auto;height:auto">Over ` +
			`all</div>`,
		"a dialogue": `<button command=show-modal commandfor=over>x</button><dialog id=over ` +
			`style="inset:0;width:auto;height:auto">Over all</dialog>`,
		"a style that hides":  `<style>*{display:none!important}</style>`,
		"a style that covers": `<style>body::before{content:"";position:fixed;inset:0;z-index:2147483647;background:red}</style>`,
		"a style that moves": `<style>html{transform:translateX(-200vw) ` +
			`scale(.1);opacity:0;filter:blur(9px)}varve-animation{position:fixed!important;top:-9999px!important}</style>`,
		"a style for our marks": `<style>varve-del,varve-ins{display:none!important;text-decoration:none!important;` +
			`background:none!important;transition:all 99s!important}` +
			`varve-del::before{content:"never"!important}@layer a{varve-ins{display:none!important}}</style>`,
		"a style that goes on": `<style>*{animation:a 1s infinite!important;transition:all 99s!important}@keyframes ` +
			`a{to{visibility:hidden}}</style>`,
		"an end of our own tags": `</template></nav></varve-animation>`,
	}
	pages := map[string][2]string{}
	for name, attack := range attacks {
		pages[name] = [2]string{
			attack + "<p>The old </varve-animation><b>tannery</b> stood here.",
			attack + "<p>The </varve-animation><b>mill</b> stood here.",
		}
	}
	a := changed(pages)
	a.response(host+"/evil.js", day, "200 OK", "top."+did, "Content-Type: text/javascript")
	a.page(host+"/frame", day, "<!doctype html><title>f</title><script>top."+did+
		";top.document.querySelector('varve-animation').remove()</script>framed")
	g := browse(t, a.serve(t))
	for name := range attacks {
		t.Run(name, func(t *testing.T) {
			g.open(t, "/web/animate/"+pairOf(name))
			if got := evaluate[string](t, g, `location.pathname + (document.documentElement.dataset.did || "")`); got != "/web/animate/"+
				pairOf(name) {
				t.Fatalf("the page is %s", got)
			}
			evaluate[bool](t, g, `(document.querySelectorAll("[popovertarget],[command]").forEach((e) => e.click()), true)`)
			if !evaluate[bool](t, g, inBar(`((r) => host.shadowRoot.elementFromPoint(r.x + 5, r.y + r.height / 2) === $(".end a") && r.width `+
				`> 50)($(".end a").getBoundingClientRect())`)) {
				t.Error("the dates can't be seen")
			}
			g.press(t, "next")
			if got := evaluate[string](t, g, inBar(`nav.dataset.state + " " + $(".n").textContent`)); got != "step Change 1 of 1" {
				t.Errorf("a step further it is %s", got)
			}
			if name == "a style that hides" {
				return
			}
			look := evaluate[string](t, g, `(({ display, textDecorationLine, backgroundColor }) => [display, textDecorationLine, `+
				`backgroundColor].join(" "))(getComputedStyle(document.querySelector("varve-del")))`)
			if look != "inline line-through rgb(253, 232, 204)" {
				t.Errorf("what goes looks %s", look)
			}
		})
		g.contained(t)
	}
}

// A long text must take hardly longer than a short one.
func TestLongTextsTakeSeconds(t *testing.T) {
	t.Parallel() // it waits
	long := strings.Repeat("This sentence is one of very many that the page lost on that day. ", 400)
	g := browse(t, changed(map[string][2]string{"long": {"<p>Kept.<p>" + long + "<p>Kept too.", "<p>Kept.<p>Kept too."}}).serve(t))
	g.open(t, "/web/animate/"+pairOf("long"))
	took := evaluate[float64](t, g, `new Promise((done) => {
		const began = performance.now(), nav = document.querySelector("varve-animation").shadowRoot.querySelector("nav");
		nav.querySelector(".play").click();
		const f = () => nav.dataset.state === "end" ? done(performance.now() - began) : setTimeout(f, 50);
		f() })`)
	t.Logf("%d characters went in %v", len(long), time.Duration(took)*time.Millisecond)
	if !evaluate[bool](t, g, `document.body.innerText.includes("Kept too.") && !document.body.innerText.includes("sentence")`) {
		t.Error("the text is still there")
	}
}

// Pictures and styles must be those of the replayed page.
func TestAnimatedPagesLookAsReplayed(t *testing.T) {
	t.Parallel()
	g := browse(t, demo(t))
	g.open(t, "/web/animate/20140301090136/20160901092139/http://www.riverbend.example/")
	if broken := evaluate[string](t, g, `[...document.images].filter((i) => !(i.complete && i.naturalWidth > 0)).map((i) => `+
		`i.src).join(" ")`); broken != "" {
		t.Errorf("pictures are broken: %s", broken)
	}
	if !evaluate[bool](t, g, `document.styleSheets.length > 0 && [...document.styleSheets].every((s) => s.cssRules.length > 0) && `+
		`document.images.length > 0`) {
		t.Error("pictures or style sheets are missing")
	}
	g.picture(t, "animation-home")
	g.contained(t)
}
