package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/varve-archive/varve/archive/content/pdf"
)

// everyPage are pages of every type, of the sample archive.
var everyPage = []struct{ name, path string }{
	{"home", "/"},
	{"addresses", "/web/?url=*"},
	{"addresses by versions", "/web/?url=*&sort=-versions"},
	{"calendar", "/web/*/http://www.riverbend.example/"},
	{"day", "/web/20160901*/http://www.riverbend.example/"},
	{"calendar over all", "/-/calendar?url=http://www.riverbend.example/"},
	{"captures", "/web/timemap/html/http://www.riverbend.example/"},
	{"search, unasked", "/web/search"},
	{"present", "/web/search?q=river"},
	{"deleted", "/web/search?q=tannery&change=deleted"},
	{"added", "/web/search?q=river&change=added"},
	{"partly deleted", "/web/search?q=river&change=semi-deleted"},
	{"search over all", "/-/search?q=river"},
	{"terms", "/web/terms"},
	{"missing", "/web/landing/20170301092254/http://www.riverbend.example/water.html"},
	{"never archived", "/web/2017/http://nowhere.example/page"},
	{"similar", "/web/similar/20160801092036/http://www.riverbend.example/history.html"},
	{"diff", "/web/diff/20160801092036/20160901092136/" + history},
	{"slider", "/web/diff?url=" + history},
	{"animation", "/web/animate/20160801092036/20160901092136/" + history},
	{"where from", "/web/20170301092239/info?url=http://www.riverbend.example/"},
	{"uploads", "/-/uploads"},
	{"jobs", "/-/jobs"},
	{"settings", "/-/settings"},
	{"not understood", "/web/timemap/nonsense/x"},
	{"banner", "/web/20160901092136/" + history},
}

// walking makes window.walk: what may take the focus on a page of varve's, and, in an archived page, in the bars that varve adds.
// They are in the order of the document, with where each is to be seen.
const walking = `(() => {
	const bars = [...document.querySelectorAll("varve-banner, varve-animation")].map((b) => b.shadowRoot).filter(Boolean);
	const roots = bars.length > 0 ? bars : [document];
	const able = "a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]";
	const box = (e) => {
		const r = e.getBoundingClientRect();
		return { x: r.left + scrollX, y: r.top + scrollY, w: r.width, h: r.height };
	};
	const isOpen = (e) => {
		for (let d = e.closest("details"); d; d = d.parentElement && d.parentElement.closest("details")) {
			if (!d.open && !(e.localName === "summary" && e.parentElement === d)) return false;
		}
		return true;
	};
	const isStop = (e) => e.tabIndex >= 0 && !e.disabled && e.type !== "hidden" && e.checkVisibility({ visibilityProperty: true }) &&
		isOpen(e) && e.getBoundingClientRect().width > 0 && !isOther(e);
	const isOther = (e) => e.type === "radio" && !e.checked && // Tab goes to the checked one, the arrow keys to the others
		[...(e.form || e.getRootNode()).querySelectorAll(":checked[name=" + e.name + "]")].some((o) => o.form === e.form);
	const label = (e) => (e.localName + " " + (e.getAttribute("aria-label") || e.textContent || e.name || e.className || "")).trim()
		.replace(/\s+/g, " ").slice(0, 40);
	const paint = (e) => [e, ...e.querySelectorAll("rect")].map((r) => ((s) => (s.outlineStyle === "none" ? "" : s.outline + s.outlineOffset) +
		s.boxShadow + s.fill + s.stroke)(getComputedStyle(r))).join();
	const walk = window.walk = { stops: [], paint: new Map() };
	for (const root of roots) walk.stops.push(...[...root.querySelectorAll(able)].filter(isStop));
	for (const e of walk.stops) walk.paint.set(e, paint(e)); // some have a mark before they have the focus
	walk.list = () => JSON.stringify(walk.stops.map((e) => ({ name: label(e), ...box(e) })));
	// here says where the focus is, and whether that is to be seen.
	walk.here = () => {
		let e = document.activeElement;
		while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
		if (!e || e === document.body || e === document.documentElement) return "";
		if (!roots.includes(e.getRootNode())) return ""; // the archived page begins here
		const s = getComputedStyle(e), r = e.getBoundingClientRect(), root = e.getRootNode();
		const marked = walk.paint.has(e) ? walk.paint.get(e) !== paint(e) : s.outlineStyle !== "none" || s.boxShadow !== "none";
		const inView = r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth;
		const seen = [...e.getClientRects()].some((r) => [0.5, 0.1, 0.9].some((part) => {
			const middle = (Math.max(r.top, 0) + Math.min(r.bottom, innerHeight)) / 2; // a table may be higher than the window
			const top = root.elementFromPoint(r.left + r.width * part, middle);
			return top && (top === e || e.contains(top) || top.contains(e));
		}));
		return JSON.stringify({ i: walk.stops.indexOf(e), name: label(e), marked, inView, seen, ...box(e) });
	};
	return walk.list();
})()`

// A stop is what has the focus: i is its place in the document, -1 if nobody knew of it.
type stop struct {
	I                    int
	Name                 string
	Marked, InView, Seen bool
	X, Y, W, H           float64
}

// above reports whether a stop is seen before another that comes before it by Tab: higher in the same column, or before it in
// the same line. Columns follow each other.
func (s *stop) above(before *stop, rtl bool) bool {
	sameColumn := s.X < before.X+before.W && before.X < s.X+s.W
	sameLine := min(s.Y+s.H, before.Y+before.H)-max(s.Y, before.Y) > min(s.H, before.H)/2
	switch {
	case sameLine && rtl:
		return s.X > before.X+before.W-1
	case sameLine:
		return s.X+s.W < before.X+1
	default:
		return sameColumn && s.Y+s.H < before.Y+1
	}
}

// speaks has the browser ask for pages in a language.
func (g *stage) speaks(t *testing.T, lang string) {
	t.Helper()
	err := chromedp.Do(g.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := cdp.Call(ctx, target, network.Enable, network.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, target, network.SetExtraHTTPHeaders,
			network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": lang}})
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
}

// tabThrough presses Tab until the focus leaves the page, and returns where it was.
func (g *stage) tabThrough(t *testing.T, most int) (all []stop) {
	t.Helper()
	for range most {
		g.strike(t, kb.Tab)
		here := evaluate[string](t, g, "walk.here()")
		if here == "" {
			return all
		}
		var s stop
		if err := json.Unmarshal([]byte(here), &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	t.Fatalf("the focus goes on after %d times Tab: it is trapped", most)
	return nil
}

// Every page can be walked by Tab alone: each stop is reached once, in the order in which it is seen, the focus is marked and
// nothing lies over it, and at the end it leaves the page.
func TestEveryPageIsWalkedByKeyboard(t *testing.T) {
	t.Parallel()
	g := browse(t, searchable(t))
	for _, view := range []struct {
		lang          string
		width, height int64
	}{{"en", 1280, 900}, {"fa", 390, 844}} {
		if testing.Short() && view.width < 1280 {
			continue
		}
		g.speaks(t, view.lang)
		if err := chromedp.Do(g.ctx, chromedp.EmulateViewport(view.width, view.height)); err != nil {
			t.Fatal(err)
		}
		for _, page := range everyPage {
			t.Run(fmt.Sprint(page.name, " ", view.lang, " ", view.width), func(t *testing.T) {
				g.open(t, page.path)
				var stops []stop
				if err := json.Unmarshal([]byte(evaluate[string](t, g, walking)), &stops); err != nil || len(stops) < 3 {
					t.Fatalf("%d stops (%v)", len(stops), err)
				}
				g.isWalked(t, stops, view.lang == "fa")
			})
		}
	}
}

func (g *stage) isWalked(t *testing.T, stops []stop, rtl bool) {
	t.Helper()
	all := g.tabThrough(t, len(stops)+20)
	reached := make([]int, len(stops))
	for i := range all {
		s := &all[i]
		if !s.Marked || !s.InView || !s.Seen {
			t.Errorf("%q: the focus is marked %t, in view %t, uncovered %t", s.Name, s.Marked, s.InView, s.Seen)
		}
		if s.I >= 0 {
			reached[s.I]++
		}
		if i > 0 && s.above(&all[i-1], rtl) {
			t.Errorf("%q (%.0f, %.0f) comes after %q (%.0f, %.0f), but is seen before it", s.Name, s.X, s.Y, all[i-1].Name, all[i-1].X, all[i-1].Y)
		}
	}
	for i, n := range reached {
		if n != 1 {
			t.Errorf("%q was reached %d times", stops[i].Name, n)
		}
	}
}

// No page that varve serves has a barrier that axe knows of, at the desk and on a phone; the list below the box has none either.
func TestServedPagesHaveNoBarriers(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile("../internal/testkit/looks/axe/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe is not there: make needs installs it")
	}
	g := browse(t, searchable(t))
	const barriers = `axe.run(document.querySelector("varve-banner, varve-animation") ?
		{include: [["varve-banner"], ["varve-animation"]].filter(([s]) => document.querySelector(s))} : document, {resultTypes: ["violations"]})
		.then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.html + " " + n.any.concat(n.all, n.none)
		.map((c) => c.message).join("; "))).join("\n"))`
	for _, width := range []int64{390, 1280} {
		if testing.Short() && width > 390 {
			continue
		}
		if err := chromedp.Do(g.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
			t.Fatal(err)
		}
		for _, page := range append(slices.Clone(everyPage), struct{ name, path string }{"completions", "/web/"}) {
			t.Run(fmt.Sprint(page.name, " ", width), func(t *testing.T) {
				g.open(t, page.path)
				if page.name == "completions" {
					g.typeInto(t, "river", "riverbend")
					g.strike(t, kb.ArrowDown)
				}
				evaluate[bool](t, g, string(axe)+"; true")
				if found := evaluate[string](t, g, barriers); found != "" {
					t.Error(found)
				}
			})
		}
	}
}

// printed returns the text of the page as it is printed.
func (g *stage) printed(t *testing.T) string {
	t.Helper()
	var content []byte
	err := chromedp.Do(g.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		r, err := cdp.Call(ctx, target, page.PrintToPDF, page.PrintToPDFParams{})
		content = r.Data
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
	text, err := pdf.Text(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(text), " ")
}

// media has the page styled for the screen or for paper, in a dark scheme.
func (g *stage) media(t *testing.T, medium string) {
	t.Helper()
	err := chromedp.Do(g.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
		})
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
}

// On paper there is nothing to press and nothing over the text, black is on white whatever the screen has, and what was deleted
// and added can be told apart without colours.
func TestPagesArePrinted(t *testing.T) {
	t.Parallel()
	g := browse(t, searchable(t))
	g.media(t, "print")
	for _, page := range everyPage {
		t.Run(page.name, func(t *testing.T) {
			g.open(t, page.path)
			lies := evaluate[string](t, g, `(() => {
				const roots = [document, ...[...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean)];
				const ours = document.querySelector("varve-banner, varve-animation") ? roots.slice(1) : roots;
				return ours.flatMap((r) => [...r.querySelectorAll("*")]).filter((e) => e.checkVisibility({ visibilityProperty: true }) &&
					e.getBoundingClientRect().height > 2 && (["fixed", "sticky"].includes(getComputedStyle(e).position) ||
					e.matches("button, input:not([type=hidden]), select"))).map((e) => e.outerHTML.slice(0, 90)).join("\n");
			})()`)
			if lies != "" {
				t.Errorf("on paper there is:\n%s", lies)
			}
			if strings.HasPrefix(page.name, "banner") || page.name == "animation" {
				return
			}
			alone := evaluate[string](t, g, `[...document.querySelectorAll("main :is(h2, h3)")].filter((h) => h.checkVisibility() &&
				![...h.parentElement.children].some((e) => h.compareDocumentPosition(e) & 4 && e.checkVisibility() && e.getClientRects().length))
				.map((h) => h.textContent).join("; ")`)
			if alone != "" {
				t.Errorf("on paper nothing follows the headings %s", alone)
			}
			faint := evaluate[string](t, g, `[...new Set([...document.querySelectorAll(".day")]
				.filter((d) => getComputedStyle(d).printColorAdjust !== "exact").map((d) => d.className))].join("; ")`)
			if faint != "" {
				t.Errorf("what fills these days may be left out on paper: %s", faint)
			}
			ink := evaluate[string](t, g, `((s) => s.color + " on " + s.backgroundColor)(getComputedStyle(document.body))`)
			if ink != "rgb(0, 0, 0) on rgb(255, 255, 255)" {
				t.Errorf("it is printed %s", ink)
			}
		})
	}
	g.open(t, "/web/diff/20160801092036/20160901092136/"+history)
	for tag, line := range map[string]string{"del": "line-through", "ins": "underline"} {
		if got := evaluate[string](t, g, `getComputedStyle(document.querySelector("`+tag+`")).textDecorationLine`); got != line {
			t.Errorf("%s is marked by %q on paper", tag, got)
		}
	}
	text := strings.ReplaceAll(g.printed(t), " ", "") // readers of PDF put spaces where letters are kerned
	for _, want := range []string{"settling ponds", "businesses upstream", "1 August 2016"} {
		if !strings.Contains(text, strings.ReplaceAll(want, " ", "")) {
			t.Errorf("printed without %q:\n%.2000s", want, text)
		}
	}
	for _, no := range []string{"Open", "earlierchange"} {
		if strings.Contains(text, no) {
			t.Errorf("printed with %q:\n%.2000s", no, text)
		}
	}
}
