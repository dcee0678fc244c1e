package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

const (
	history   = "http://www.riverbend.example/history.html"
	tannery   = "/web/animate/20160801092036/20160901092136/" + history
	wholePage = `[...document.body.querySelectorAll("*")].filter((e) => e.localName === "varve-ins" || e.localName === ` +
		`"varve-del").length === 0`
)

// inBar returns JavaScript that evaluates an expression with host (the bar's element), nav and the finder $.
func inBar(expression string) string {
	return `(() => { const host = document.querySelector("varve-animation"), nav = host.shadowRoot.querySelector("nav"), $ = (s) => ` +
		`nav.querySelector(s); return ` + expression + ` })()`
}

// text is JavaScript for the visible text of the page below the bar, without white space.
const text = `(() => {
	const w = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL,
		(n) => /^(script|style|template|noscript|iframe|varve-animation|varve-banner)$/.test(n.localName) ? 2 : 1);
	let s = "";
	while (w.nextNode()) if (w.currentNode.nodeType === 3) s += w.currentNode.data;
	return s.replace(/\s+/g, "");
})()`

// press clicks a button of the bar.
func (g *stage) press(t *testing.T, button string) {
	t.Helper()
	evaluate[bool](t, g, inBar(`($(".`+button+`").click(), true)`))
}

func (g *stage) state(t *testing.T) string {
	t.Helper()
	return evaluate[string](t, g, inBar(`nav.dataset.state + " " + nav.dataset.at`))
}

// prefers sets a media feature such as prefers-reduced-motion.
func (g *stage) prefers(t *testing.T, name, value string) {
	t.Helper()
	err := chromedp.Do(g.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: name, Value: value}}})
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
}

// The text must be struck through and disappear letter by letter, and the new text must be typed.
func TestAnAnimationPlaysToItsEnd(t *testing.T) {
	t.Parallel()
	g := browse(t, demo(t))
	g.open(t, "/web/20160901092136/"+history)
	want := evaluate[string](t, g, text)
	g.open(t, tannery)
	if got := g.state(t); got != "start 0" {
		t.Fatalf("it begins as %s: nothing moves by itself", got)
	}
	if !evaluate[bool](t, g, wholePage) || strings.Contains(evaluate[string](t, g, text), "damaged") {
		t.Error("before it plays the page is not as it was")
	}
	g.press(t, "play")
	g.until(t, `document.querySelector("varve-del")`)
	if look := evaluate[string](t, g, `(({ textDecorationLine, backgroundColor }) => textDecorationLine + " " + `+
		`backgroundColor)(getComputedStyle(document.querySelector("varve-del")))`); look != "line-through rgb(253, 232, 204)" {
		t.Errorf("what goes looks %s", look)
	}
	if n := evaluate[string](t, g, inBar(`$(".n").textContent`)); n != "Change 1 of 1" {
		t.Errorf("the counter says %q", n)
	}
	g.until(t, `((e) => e.textContent.length < 150 && e.textContent.length > 10)(document.querySelector("varve-del"))`)
	g.press(t, "play") // pauses it
	half := evaluate[string](t, g, `document.querySelector("varve-del").textContent`)
	if !strings.HasPrefix("The flood tore open the settling ponds of the tannery at Upper Mill. For three weeks the river carried\ndye "+
		"and chromium through the town, and the wells", half) {
		t.Errorf("half way what is left is %q", half)
	}
	if got := g.state(t); got != "step 1" {
		t.Errorf("held, it is %s", got)
	}
	if !evaluate[bool](t, g, `((r) => r.top > 60 && r.bottom < innerHeight)(document.querySelector("varve-del").getBoundingClientRect())`) {
		t.Error("the place is not on the screen")
	}
	g.picture(t, "animation-half")
	g.press(t, "play")
	g.until(t, `((e) => e && e.textContent.length > 20 && e.textContent.length < 90)(document.querySelector("varve-ins"))`)
	g.picture(t, "animation-typing")
	g.until(t, inBar(`nav.dataset.state === "end"`))
	if got := evaluate[string](t, g, text); got != want {
		t.Errorf("at the end the page says\n%s\nwant\n%s", got, want)
	}
	if says := evaluate[string](t, g, inBar(`$(".say").textContent`)); says != "All changes shown. These places now read as they did "+
		"on 1 September 2016, 09:21 UTC." {
		t.Errorf("at the end the bar says %q", says)
	}
	g.picture(t, "animation-end")
	g.press(t, "again")
	g.until(t, inBar(`nav.dataset.state === "playing" && nav.dataset.at === "1"`))
	g.contained(t)
}

// walked returns pairs of captures of the sample archive, some far apart and some close together.
func walked(t *testing.T, s *server) []string {
	var out []string
	for _, page := range []string{
		"history.html", "", "gauge.html", "birds/", "events", "visit.html", "people.html", "uk/", "fa/", "2011/flood.html", "about/",
		"water.html",
	} {
		uri := "http://www.riverbend.example/" + page
		var found struct {
			Ranges []struct{ First, Last, Kind string }
		}
		if err := json.Unmarshal([]byte(s.get(t, "/web/changes?level=text&url="+uri).body), &found); err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(found.Ranges); i += 1 + len(found.Ranges)/2 {
			if a, b := found.Ranges[i-1], found.Ranges[i]; a.Kind == "page" && b.Kind == "page" {
				out = append(out, a.Last+"/"+b.First+"/"+uri)
			}
		}
		if n := len(found.Ranges); n > 2 && found.Ranges[n-1].Kind == "page" {
			out = append(out, found.Ranges[0].First+"/"+found.Ranges[n-1].Last+"/"+uri)
		}
	}
	return out
}

// Going forward step by step, the page must end with the newer text. Going back, it must be the old page to the
// letter.
func TestStepsGoForwardAndBack_long(t *testing.T) {
	t.Parallel() // it mostly waits
	s := demo(t)
	g := browse(t, s)
	steps := 0
	for _, pair := range walked(t, s) {
		t.Run(pair, func(t *testing.T) {
			n, lost := g.walk(t, pair)
			if steps += n; lost != "" {
				t.Errorf("no place for\n%s", lost)
			}
		})
	}
	if steps < 60 {
		t.Errorf("only %d steps were walked", steps)
	}
	g.contained(t)
}

// walk goes through an animation and back. It returns the number of steps, and what the bar says about those without
// a place in the page, but for entries of select lists, which nothing can be typed into.
func (g *stage) walk(t *testing.T, pair string) (n int, lost string) {
	t.Helper()
	_, newer, _ := strings.Cut(pair, "/")
	b, _, _ := strings.Cut(newer, "/")
	g.open(t, "/web/animate/"+b+"/"+newer) // the newer page as in its mark-up, without what its scripts write
	want := evaluate[string](t, g, text)
	const entries = `[...document.querySelectorAll("option")].map((o) => o.textContent.trim())`
	listed := evaluate[[]string](t, g, entries)
	g.open(t, "/web/animate/"+pair)
	listed = append(listed, evaluate[[]string](t, g, entries)...)
	if n = evaluate[int](t, g, inBar(`JSON.parse($(".steps").textContent).length`)); n == 0 {
		return 0, ""
	}
	before := evaluate[string](t, g, `document.body.outerHTML`)
	nodes := evaluate[int](t, g, `(window.was = [...document.body.querySelectorAll("*")], was.length)`)
	without := evaluate[[]string](t, g, inBar(`(() => {
		const without = [];
		for (let i = 0; i < `+fmt.Sprint(n)+`; i++) {
			$(".next").click();
			const b = $(".say b");
			if (b && b.textContent.startsWith("No place")) without.push($(".say").textContent);
		}
		$(".next").click();
		return without;
	})()`))
	for _, said := range without {
		if _, words, _ := strings.Cut(said, "ed: "); !slices.Contains(listed, strings.TrimSpace(words)) {
			lost += said + "\n"
		}
	}
	if got := g.state(t); got != fmt.Sprintf("end %d", n) {
		t.Errorf("after %d steps it is %s", n, got)
	}
	if got := evaluate[string](t, g, text); got != want && len(without) == 0 {
		t.Errorf("at the end the page says\n%s\nwant\n%s", got, want)
	}
	evaluate[bool](t, g, inBar(`(() => { for (let i = 0; i <= `+fmt.Sprint(n)+`; i++) $(".back").click(); return true })()`))
	if got := g.state(t); got != "start 0" {
		t.Errorf("back again it is %s", got)
	}
	if after := evaluate[string](t, g, `document.body.outerHTML`); after != before {
		t.Errorf("back again the page is\n%s\nwant\n%s", after, before)
	}
	if !evaluate[bool](t, g, fmt.Sprintf(`[...document.body.querySelectorAll("*")].every((e, i) => e === was[i]) && was.length === %d`,
		nodes)) {
		t.Error("back again the elements are others")
	}
	return n, lost
}

// On a phone the bar has the width of the screen, on pages that say nothing of phones too. Each control of it can be hit with a
// finger, which takes 44 pixels, and no word of it is cut off.
func TestTheBarFitsPhones(t *testing.T) {
	t.Parallel()
	a := &archive{}
	for path, head := range map[string]string{"/desk": "", "/phone": `<meta name="viewport" content="width=device-width">`} {
		const before, after = "in the night and took the mill with it", "of stone, which has stood ever since that summer"
		a.page(host+path, day, "<!doctype html>"+head+"<title>t</title><p>The river rose over the bridge "+before+".<p>One two three.").
			page(host+path, later, "<!doctype html>"+head+"<title>t</title><p>The river rose over the bridge "+after+".<p>One four three.")
	}
	g := browse(t, a.serve(t))
	if _, err := chromedp.Run(g.ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile)); err != nil {
		t.Fatal(err)
	}
	heights := map[string]string{}
	for _, path := range []string{"/phone", "/desk"} {
		for kind, target := range map[string]string{
			"all changes": "/web/animate/" + day + "/" + later + "/" + host + path,
			"a word":      "/web/animate?url=" + host + path + "&from=" + day + "&to=" + later + "&term=stone",
		} {
			g.open(t, target)
			g.press(t, "next")
			if got := evaluate[string](t, g, inBar(barOnScreen)); !strings.HasPrefix(got, "390 wide") {
				t.Errorf("%s of %s: %s", kind, path, got)
			} else if path == "/phone" {
				heights[kind] = got
			} else if got != heights[kind] {
				t.Errorf("%s: on a page for desks %s, on one for phones %s", kind, got, heights[kind])
			}
			if missed := evaluate[string](t, g, inBar(barMissed)); missed != "" {
				t.Errorf("%s of %s: a finger misses %s", kind, path, missed)
			}
			if cut := evaluate[string](t, g, inBar(barCut)); cut != "" {
				t.Errorf("%s of %s: cut off: %s", kind, path, cut)
			}
			if over := evaluate[int64](t, g, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
				t.Errorf("%s of %s: the page is %d px too wide", kind, path, over)
			}
		}
	}
}

// JavaScript for inBar: the size of the bar on the screen; which controls are not where a finger of 44 pixels points; which
// elements have more text than they show.
const (
	barOnScreen = `(({ width, height }) => Math.round(width * visualViewport.scale) + " wide, " + Math.round(height * ` +
		`visualViewport.scale) + " high")(nav.getBoundingClientRect())`
	barMissed = `[...nav.querySelectorAll("a, button")].filter((e) => e.offsetWidth).filter((e) => {
		const p = e.closest(".end") || e, r = p.getBoundingClientRect(), to = 21 / visualViewport.scale;
		const x = r.x + r.width / 2, y = r.y + r.height / 2;
		return [[0, 0], [-to, 0], [to, 0], [0, -to], [0, to]].some(([dx, dy]) => {
			const hit = host.shadowRoot.elementFromPoint(x + dx, y + dy);
			return !hit || hit.closest("a, button") !== e;
		});
	}).map((e) => e.className || e.textContent).join(", ")`
	barCut = `[...nav.querySelectorAll(".n, .end, .end a, .mu, button, .say del, .say ins")].filter((e) => e.offsetWidth &&
		(e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline")).map((e) => e.className || e.localName).join(", ")`
)
