package search

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/internal/testkit/chromium"
	"github.com/varve-archive/varve/internal/testkit/looks"
)

// faint is JavaScript for the texts whose contrast with their background, with all its layers of colour, is under 4.5.
const faint = `(() => {
	const px = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d", {willReadFrequently: true});
	const paint = (colour) => { px.fillStyle = colour; px.fillRect(0, 0, 1, 1) };
	const read = () => [...px.getImageData(0, 0, 1, 1).data].slice(0, 3);
	const light = (rgb) => rgb.map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
		.reduce((s, c, i) => s + c * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = (e) => { if (e) { behind(e.parentElement); paint(getComputedStyle(e).backgroundColor) } };
	const says = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && e.checkVisibility();
	return [...document.querySelectorAll("main *")].filter(says).map((e) => {
		const style = getComputedStyle(e);
		behind(e);
		const back = light(read());
		paint(e.namespaceURI.endsWith("svg") ? style.fill : style.color);
		const front = light(read());
		return [(Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05),
			e.localName + "." + (e.getAttribute("class") || "") + " " + e.textContent.trim().slice(0, 30)];
	}).filter(([ratio]) => ratio < 4.5).map(([ratio, what]) => what + " " + ratio.toFixed(2)).join("; ");
})()`

func TestSearchPagesHaveContrast(t *testing.T) {
	ctx, s := chromium.Page(t), looks.Serve(t, looks.Handler(t, root, fixtures))
	for _, scheme := range []string{"light", "dark"} {
		if err := chromedp.Do(ctx, looks.Emulate(1280, 800, scheme)); err != nil {
			t.Fatal(err)
		}
		for name := range fixtures("en") {
			looks.Open(t, ctx, s.URL+"/"+name+".en")
			if got := looks.Evaluate[string](t, ctx, faint); got != "" {
				t.Errorf("%s, %s: too faint: %s", name, scheme, got)
			}
		}
	}
}

func TestSearchSnippetsNeedNoColour(t *testing.T) {
	ctx, s := chromium.Page(t), looks.Serve(t, looks.Handler(t, root, fixtures))
	looks.Open(t, ctx, s.URL+"/search.en")
	for name, expression := range map[string]string{
		"what went is struck":     `getComputedStyle(document.querySelector("del")).textDecorationLine === "line-through"`,
		"what came is underlined": `getComputedStyle(document.querySelector("ins")).textDecorationLine === "underline"`,
		"the words sought have lines": `getComputedStyle(document.querySelector("mark")).borderBlockStartStyle === "solid" && ` +
			`+getComputedStyle(document.querySelector("mark")).fontWeight >= 700`,
		"lines have signs": `[...document.querySelectorAll(".snippets p")].slice(0, 3).map((p) => ` +
			`p.innerText.trim()[0]).join("") === "−A+"`,
		"foreign text runs its own way":   `getComputedStyle(document.querySelector("li:nth-child(3) .snippets p")).direction === "rtl"`,
		"the words sought are in no link": `!document.querySelector("a mark")`,
	} {
		if !looks.Evaluate[bool](t, ctx, expression) {
			t.Errorf("%s: %s is false", name, expression)
		}
	}
}

func TestSearchIsWalkedByKeyboard(t *testing.T) {
	ctx, s := chromium.Page(t), looks.Serve(t, looks.Handler(t, root, fixtures))
	if err := chromedp.Do(ctx, looks.Emulate(1280, 800, "light")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ page, want string }{
		{"search", "skip logo coll q Search summary ✕ ✕ deleted added partly pollution Acid 4"},
		{"search-ask", "skip logo coll q Search change summary url matchType domain from to Search The"},
		{"terms", "skip logo coll url Search deleted added domain from to Show ✕ 1997: 1998:"},
	} {
		looks.Open(t, ctx, s.URL+"/"+c.page+".en")
		var reached []string
		for range strings.Count(c.want, " ") + 1 {
			if err := chromedp.Do(ctx, chromedp.KeyEvent("\t")); err != nil {
				t.Fatal(err)
			}
			reached = append(reached, looks.Evaluate[string](t, ctx,
				`((e) => e.getAttribute("name") || e.getAttribute("class") || (e.localName === "summary" ? "summary" : `+
					`(e.getAttribute("aria-label") || "").includes(":") && e.closest("svg") ? e.getAttribute("aria-label").split(" ")[0] : `+
					`e.textContent.trim().split(/\s/)[0]))(document.activeElement)`))
			if !looks.Evaluate[bool](t, ctx, `((e) => e.closest("svg") ? getComputedStyle(e.querySelector(".room")).stroke !== "none" : `+
				`getComputedStyle(e).outlineStyle !== "none")(document.activeElement)`) {
				t.Errorf("%s: nothing shows that %s has the focus", c.page, reached[len(reached)-1])
			}
		}
		if got := strings.Join(reached, " "); got != c.want {
			t.Errorf("%s: tab goes %s, want %s", c.page, got, c.want)
		}
	}
}

func TestChartYearsArePressedAnywhereInTheirColumn(t *testing.T) {
	ctx, s := chromium.Page(t), looks.Serve(t, looks.Handler(t, root, fixtures))
	for _, lang := range []string{"en", "fa"} {
		looks.Open(t, ctx, s.URL+"/terms."+lang)
		got := looks.Evaluate[string](t, ctx, `((r) => document.elementFromPoint(r.x + r.width / 2, r.y + `+
			`2).closest("a").href.baseVal)(document.querySelectorAll(".chart .room")[3].getBoundingClientRect())`)
		if got != "/web/terms?from=2000&to=2000" {
			t.Errorf("%s: the fourth year leads to %s", lang, got)
		}
	}
}
