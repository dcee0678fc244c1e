package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// inBanner returns JavaScript that evaluates an expression with host (the banner's element) and the finder $.
func inBanner(expression string) string {
	return `(() => { const host = document.querySelector("varve-banner"), $ = (s) => host.shadowRoot.querySelector(s); return ` +
		expression + ` })()`
}

// arrive waits until the browser shows a path of the server. It ignores errors of a page that is being left.
func (g *stage) arrive(t *testing.T, path string) {
	t.Helper()
	ctx, stop := context.WithTimeout(g.ctx, patience)
	defer stop()
	var got string
	var err error
	for ; ctx.Err() == nil; time.Sleep(30 * time.Millisecond) {
		got, err = chromedp.Run(ctx, chromedp.Evaluate[string](`document.readyState === "complete" ? location.pathname : ""`))
		if err == nil && got == path {
			return
		}
	}
	t.Fatalf("the browser is at %s (%v), want %s", got, err, path)
}

// The large arrows of the banner go to versions, the small ones to captures. The calendar leads to a day.
func TestReaderWalksThroughTheDemo(t *testing.T) {
	t.Parallel()
	g := browse(t, demo(t))
	const page = "/http://www.riverbend.example/history.html"
	g.open(t, "/web/20160901092136"+page)
	for _, step := range []struct{ rel, want string }{
		{"predecessor-version", "/web/20160801092036" + page},
		{"successor-version", "/web/20160901092136" + page},
		{"next", "/web/20161001092236" + page},
		{"prev", "/web/20160901092136" + page},
		{"successor-version", "/web/20210901095636" + strings.Replace(page, "http:", "https:", 1)},
	} {
		evaluate[bool](t, g, inBanner(`($('a[rel="`+step.rel+`"]').click(), true)`))
		g.arrive(t, step.want)
	}
	g.open(t, "/web/*/http://www.riverbend.example/")
	evaluate[bool](t, g, `([...document.querySelectorAll('a[href^="/web/20160901092139/"]')].find((a) => a.click).click(), true)`)
	g.arrive(t, "/web/20160901092139/http://www.riverbend.example/")
	// A link of the page leads to its nearest capture.
	evaluate[bool](t, g, `([...document.querySelectorAll("a")].find((a) => a.getAttribute("href").endsWith("history.html")).click(), true)`)
	g.arrive(t, "/web/20160901092136"+page)
	g.contained(t)
}

// On each page of the sample archive, over the years, pictures must load, and nothing may leave the server.
func TestDemoPagesLookWhole(t *testing.T) {
	t.Parallel()
	g := browse(t, demo(t))
	for _, target := range []string{
		"/web/20080301091930/http://www.riverbend.example/", "/web/20140301090136/http://www.riverbend.example/",
		"/web/20240901091739/https://www.riverbend.example/",
		"/web/20160901092136/http://www.riverbend.example/history.html", "/web/20210901095636/https://www.riverbend.example/history.html",
		"/web/20160901092145/http://www.riverbend.example/uk/",
	} {
		g.open(t, target)
		broken := evaluate[string](t, g, `[...document.images].filter((i) => !(i.complete && i.naturalWidth > 0)).map((i) => i.src).join(" ")`)
		if broken != "" {
			t.Errorf("%s: pictures are broken: %s", target, broken)
		}
		if n := evaluate[int](t, g, `document.images.length`); n == 0 && strings.HasSuffix(target, ".example/") {
			t.Errorf("%s has no pictures", target)
		}
		if !evaluate[bool](t, g, `document.styleSheets.length > 0 && [...document.styleSheets].every((s) => s.cssRules.length > 0)`) {
			t.Errorf("%s: a style sheet is empty", target)
		}
		if !evaluate[bool](t, g, inBanner(`host.getBoundingClientRect().height > 40`)) {
			t.Errorf("%s: no banner", target)
		}
	}
	g.contained(t)
}

func TestPersianPageStaysRightToLeft(t *testing.T) {
	t.Parallel()
	s := demo(t)
	g := browse(t, s)
	a := s.get(t, "/web/http://www.riverbend.example/fa/")
	_, path, _ := strings.Cut(strings.TrimPrefix(a.header.Get("Location"), "http://"), "/")
	g.open(t, "/"+path)
	if !evaluate[bool](t, g, `getComputedStyle(document.body).direction === "rtl" && document.querySelector("h1").textContent.length > 0`) {
		t.Error("the page is not right to left")
	}
	if !evaluate[bool](t, g, inBanner(`getComputedStyle($("nav")).direction === "ltr"`)) {
		t.Error("the banner, in the reader's English, is not left to right")
	}
}

func TestFoldedBannerStaysFolded(t *testing.T) {
	t.Parallel()
	g := browse(t, demo(t))
	g.open(t, "/web/20160901092139/http://www.riverbend.example/")
	tall := evaluate[float64](t, g, inBanner(`host.getBoundingClientRect().height`))
	evaluate[bool](t, g, inBanner(`($(".x").click(), true)`))
	if now := evaluate[float64](t, g, inBanner(`$("nav").getBoundingClientRect().height`)); now >= tall {
		t.Errorf("folded it is %v high, before %v", now, tall)
	}
	g.open(t, "/web/20140301090136/http://www.riverbend.example/")
	if !evaluate[bool](t, g, inBanner(`$(".x").checked`)) {
		t.Error("on the next page it is open again")
	}
}

// The page's CSS must not break the banner.
func TestHostilePagesCannotHideTheBanner(t *testing.T) {
	t.Parallel()
	styles := map[string]string{
		"all":        `*{display:none!important}`,
		"by name":    `varve-banner{display:none!important;visibility:hidden!important;opacity:0!important}`,
		"moved away": `varve-banner{position:fixed!important;top:-9999px!important;transform:scale(0)!important;clip-path:inset(100%)!important}`,
		"squeezed":   `varve-banner{height:0!important;width:0!important;max-height:0!important;overflow:hidden!important}`,
		"covered":    `body::before{content:"";position:fixed;inset:0;z-index:2147483647;background:red}`,
	}
	a := &archive{}
	for name, css := range styles {
		a.page(fmt.Sprintf("%s/%s", host, strings.ReplaceAll(name, " ", "-")), day,
			"<!doctype html><html><head><title>t</title><style>"+css+"</style></head><body><p>text</p></body></html>")
	}
	g := browse(t, a.serve(t))
	for name := range styles {
		g.open(t, shown("/"+strings.ReplaceAll(name, " ", "-")))
		if !evaluate[bool](t, g, inBanner(`(({ height, width, top, left }) => height > 40 && width > 300 && top > -1 && left > `+
			`-1)($("nav").getBoundingClientRect())`)) {
			t.Errorf("%s: the banner has no room", name)
		}
		if name == "covered" || name == "all" {
			continue
		}
		if !evaluate[bool](t, g, inBanner(`["visibility:visible", "opacity:1", "clipPath:none"].every((d) => `+
			`getComputedStyle(host)[d.split(":")[0]] === d.split(":")[1])`)) {
			t.Errorf("%s: the banner is not seen", name)
		}
	}
}

// Lines that run from top to bottom begin below the banner, in sight.
func TestVerticalPagesStandBelowTheBanner(t *testing.T) {
	t.Parallel()
	a := &archive{}
	for i, css := range []string{"html{writing-mode:vertical-rl}", "body{writing-mode:vertical-lr}", "body{writing-mode:sideways-lr}"} {
		a.page(fmt.Sprintf("%s/%d", host, i), day, "<!doctype html><title>t</title><style>"+css+"</style><p>text")
	}
	g := browse(t, a.serve(t))
	for i := range 3 {
		g.open(t, shown(fmt.Sprintf("/%d", i)))
		const below = `((p, b) => p.top >= b.bottom && p.left >= 0 && p.right <= innerWidth && b.top === 0 && b.width > 300)` +
			`(document.querySelector("p").getBoundingClientRect(), $("nav").getBoundingClientRect())`
		if !evaluate[bool](t, g, inBanner(below)) {
			t.Errorf("%d: the page is not below the banner", i)
		}
		evaluate[bool](t, g, inBanner(`($(".x").click(), true)`))
		eventually(t, "a folded banner leaves its room", func() bool {
			return evaluate[bool](t, g, `document.querySelector("p").getBoundingClientRect().top < 30`)
		})
		evaluate[bool](t, g, inBanner(`($(".x").click(), true)`))
	}
}

// The links of the banner are plain mark-up. Without script they must exist and lead somewhere.
func TestBannerWorksWithoutScript(t *testing.T) {
	t.Parallel()
	s := demo(t)
	g := browse(t, s)
	g.scripts(t, false)
	g.open(t, "/web/20160901092136/http://www.riverbend.example/history.html")
	if !evaluate[bool](t, g, inBanner(`host.getBoundingClientRect().height > 40 && $('a[rel="predecessor-version"]').offsetHeight > 10`)) {
		t.Error("without script there is no banner")
	}
	for rel, want := range map[string]string{"predecessor-version": "20160801092036", "prev": "20160801092036", "next": "20161001092236"} {
		if href := evaluate[string](t, g, inBanner(`$('a[rel="`+rel+`"]').getAttribute("href")`)); !strings.Contains(href,
			"/web/"+want+"/http://") {
			t.Errorf("%s leads to %s", rel, href)
		}
	}
	evaluate[bool](t, g, inBanner(`($('a[rel="predecessor-version"]').click(), true)`))
	g.arrive(t, "/web/20160801092036/http://www.riverbend.example/history.html")
	g.contained(t)
}

// Every page must work at a width of 320 px. The banner must not make it scroll sideways.
func TestBannerFitsNarrowScreens(t *testing.T) {
	t.Parallel()
	a := (&archive{}).page(host+"/", day, `<!doctype html><meta name="viewport" content="width=device-width"><title>t</title><p>text`).
		page(host+"/", "20110101000000", `<!doctype html><meta name="viewport" content="width=device-width"><title>t</title><p>other `+
			`words altogether`)
	g := browse(t, a.serve(t))
	for _, width := range []int64{320, 360, 800} {
		if _, err := chromedp.Run(g.ctx, chromedp.EmulateViewport(width, 640)); err != nil {
			t.Fatal(err)
		}
		g.open(t, shown("/"))
		if got := evaluate[int64](t, g, `document.documentElement.scrollWidth`); got > width {
			t.Errorf("at %d px the page is %d px wide", width, got)
		}
	}
}

// A phone lays out a page that says nothing of phones as wide as a desk's screen, and shows it small. The banner stays as large as
// on any other page, and no wider than the screen.
func TestBannerIsReadableOnPhones(t *testing.T) {
	t.Parallel()
	a := (&archive{}).page(host+"/", day, `<!doctype html><title>t</title><p>text`).
		page(host+"/phone", day, `<!doctype html><meta name="viewport" content="width=device-width"><title>t</title><p>text`)
	g := browse(t, a.serve(t))
	if _, err := chromedp.Run(g.ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile)); err != nil {
		t.Fatal(err)
	}
	const size = `Math.round($("nav").getBoundingClientRect().width * visualViewport.scale) + " wide, " + ` +
		`Math.round($(".top").getBoundingClientRect().height * visualViewport.scale) + " high"`
	g.open(t, at14("/phone"))
	want := evaluate[string](t, g, inBanner(size))
	g.open(t, at14("/"))
	if got := evaluate[string](t, g, inBanner(size)); got != want || !strings.HasPrefix(want, "390 wide") {
		t.Errorf("%s, on a page for phones %s", got, want)
	}
}

// Browsers show texts and pictures by themselves. A reader sees them below the banner, which leads from version to version.
func TestDocumentsHaveTheBanner(t *testing.T) {
	t.Parallel()
	const gif = "GIF89a\x03\x00\x02\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x00\x00\x00\x00\x00,\x00\x00\x00\x00\x03\x00\x02\x00" +
		"\x00\x02\x02\x84\x5f\x00;"
	a := (&archive{}).response(host+"/a.txt", day, "200 OK", "Gr\xfc\xdfe aus dem Schilf", "Content-Type: text/plain").
		response(host+"/a.txt", later, "200 OK", "Nothing of it is left", "Content-Type: text/plain").
		response(host+"/a.gif", day, "200 OK", gif, "Content-Type: image/gif")
	g := browse(t, a.serve(t))
	const fills = `((text, bar) => bar.height > 40 && text.top >= bar.bottom && text.bottom === innerHeight && text.width === innerWidth)` +
		`(document.querySelector("iframe").getBoundingClientRect(), $("nav").getBoundingClientRect())`
	g.open(t, shown("/a.txt"))
	eventually(t, "the text fills the room below the banner", func() bool { return evaluate[bool](t, g, inBanner(fills)) })
	g.scripts(t, false)
	evaluate[bool](t, g, inBanner(`($('a[rel="successor-version"]').click(), true)`))
	g.arrive(t, "/web/"+later+"/"+host+"/a.txt")
	g.scripts(t, true)
	g.open(t, shown("/a.gif"))
	const below = `((p) => p.naturalWidth === 3 && p.getBoundingClientRect().top >= $("nav").offsetHeight)(document.images[0])`
	if !evaluate[bool](t, g, inBanner(below)) {
		t.Error("the picture is not shown below the banner")
	}
	g.contained(t)
}

// Browsers save what a link with "download" leads to. Firefox asks for it as for a page, so the address must be of what has no banner.
func TestWhatScriptsSaveHasNoBanner(t *testing.T) {
	t.Parallel()
	hasWombat(t)
	g := browse(t, (&archive{}).page(host+"/", day, `<title>t</title><p>x`).serve(t))
	g.open(t, shown("/"))
	const native = `WB_wombat_location.wombat.wb_getAttribute.call(a, "href")`
	for name, script := range map[string]string{
		"clicked":    `a.download = "b.txt"; a.href = "/b.txt"; a.click()`,
		"dispatched": `a.href = "/b.txt"; a.download = ""; document.body.append(a); a.dispatchEvent(new MouseEvent("click"))`,
	} {
		got := evaluate[string](t, g, `((a) => { `+script+`; return `+native+` })(document.createElement("a"))`)
		if want := "/web/" + day + "mp_/" + host + "/b.txt"; !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	const read = `((a) => { a.href = "/b.txt"; a.download = "b"; a.click(); return a.href })(document.createElement("a"))`
	if got := evaluate[string](t, g, read); got != host+"/b.txt" {
		t.Errorf("the page reads %s", got)
	}
	g.contained(t)
}
