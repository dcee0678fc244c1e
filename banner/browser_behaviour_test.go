package banner

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/internal/testkit/chromium"
	"github.com/varve-archive/varve/internal/testkit/looks"
)

func TestBannerAndPageLeaveEachOtherAlone(t *testing.T) {
	ctx, s := chromium.Page(t), site(t)
	if err := chromedp.Do(ctx, looks.Emulate(1280, 800, "light")); err != nil {
		t.Fatal(err)
	}
	looks.Open(t, ctx, s.URL+"/banner.en")
	for name, expression := range map[string]string{
		"the page cannot hide it": looks.InBanner(`host.offsetHeight > 80 && host.offsetWidth > 1200`),
		"nor move, fade or turn it": looks.InBanner(`["position:relative", "opacity:1", "transform:none"].every((d) => ` +
			`getComputedStyle(host)[d.split(":")[0]] === d.split(":")[1])`),
		"nor give it its fonts": looks.InBanner(`!getComputedStyle($(".go")).fontFamily.includes("serif") || ` +
			`getComputedStyle($(".go")).fontFamily.includes("sans-serif")`),
		"nor its letters": looks.InBanner(`getComputedStyle($(".go")).textTransform === "none" && ` +
			`getComputedStyle($(".go")).letterSpacing === "normal"`),
		"nor its root font size":               looks.InBanner(`getComputedStyle($(".go")).fontSize === "14px"`),
		"nor its colours":                      looks.InBanner(`getComputedStyle($("summary")).color !== "rgb(255, 0, 0)"`),
		"it stands outside the body's layout":  `document.documentElement.children[1].localName === "varve-banner"`,
		"the page keeps its first child":       `document.body.firstElementChild.localName === "main"`,
		"the page's links are its own":         `document.links.length === 0 && document.forms.length === 0`,
		"the page's text looks as it did":      `getComputedStyle(document.querySelector("p")).fontStyle === "italic"`,
		"the page does not scroll sideways":    `document.documentElement.scrollWidth <= innerWidth`,
		"no identifier of ours is in the page": `!Object.keys(window).some((k) => k.toLowerCase().includes("varve"))`,
	} {
		if !looks.Evaluate[bool](t, ctx, expression) {
			t.Errorf("%s: %s is false", name, expression)
		}
	}
}

func TestBannerWorksWithoutScript(t *testing.T) {
	ctx, s := chromium.Page(t), site(t)
	noScript := chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	})
	if err := chromedp.Do(ctx, looks.Emulate(1280, 800, "light"), noScript); err != nil {
		t.Fatal(err)
	}
	looks.Open(t, ctx, s.URL+"/banner.en")
	if !looks.Evaluate[bool](t, ctx, looks.InBanner(`host.parentNode === document.body && host.offsetHeight > 40 && `+
		`$("a[rel=successor-version]").offsetHeight > 10`)) {
		t.Error("without script the banner does not stand in the page")
	}
	if !looks.Evaluate[bool](t, ctx, looks.InBanner(`$(".ask").hidden && $(".copy").hidden && $(".lv").hidden`)) {
		t.Error("what only a script can do is shown without it")
	}
	tall := looks.Evaluate[int](t, ctx, looks.InBanner(`host.offsetHeight`))
	if folded := looks.Evaluate[int](t, ctx, looks.InBanner(`($(".x").checked = true, host.offsetHeight)`)); folded >= tall/2 {
		t.Errorf("folded it is %d px high, open %d", folded, tall)
	}
}

func TestBannerStaysFolded(t *testing.T) {
	ctx, s := chromium.Page(t), site(t)
	looks.Open(t, ctx, s.URL+"/banner.en")
	looks.Evaluate[bool](t, ctx, looks.InBanner(`($(".x").click(), true)`))
	looks.Open(t, ctx, s.URL+"/banner-end.en")
	if !looks.Evaluate[bool](
		t,
		ctx,
		looks.InBanner(`$(".x").checked && $(".top").offsetHeight === 0 && $(".x").getAttribute("aria-label") === `+
			`"show the archive banner"`),
	) {
		t.Error("the banner of the next page is not folded")
	}
}

func TestTabReachesEveryControlInOrder(t *testing.T) {
	ctx, s := chromium.Page(t), site(t)
	if err := chromedp.Do(ctx, looks.Emulate(1280, 800, "light")); err != nil {
		t.Fatal(err)
	}
	looks.Open(t, ctx, s.URL+"/banner.en")
	var reached []string
	for range 14 {
		if err := chromedp.Do(ctx, chromedp.KeyEvent("\t")); err != nil {
			t.Fatal(err)
		}
		reached = append(reached, looks.Evaluate[string](t, ctx,
			looks.InBanner(`((e) => e ? e.rel || e.getAttribute("class") || e.name || e.localName : "")(host.shadowRoot.activeElement)`)))
	}
	got := strings.Join(reached, " ")
	if want := "logo url button a a summary predecessor-version summary prev next successor-version"; !strings.HasPrefix(got, want) {
		t.Errorf("Tab goes %s, want %s first", got, want)
	}
}

func TestAnotherLevelMovesTheLargeButtons(t *testing.T) {
	ctx, s := chromium.Page(t), site(t)
	looks.Open(t, ctx, s.URL+"/banner.en")
	looks.Evaluate[bool](t, ctx, looks.InBanner(`($(".lv [value=text]").click(), true)`))
	want := s.URL + "/web/20170217000000/" + uriR
	looks.Await(t, ctx, looks.InBanner(`$("a[rel=predecessor-version]").href === `+quote(want)))
	for expression, want := range map[string]string{
		`$("a[rel=predecessor-version]").textContent.replace(/\s+/g, " ").trim()`: "previous version17 Feb 2017+1 −2 different words",
		`$(".next").textContent`: "newest version",
		`$(".vn").textContent`:   "version 1,802 of 90,000 by text",
		// The pages that the banner leads to count the same versions.
		`[...new URL($("#sl").href).searchParams.entries()].sort().join(" ")`: "at,20170218114200 level,text url," + uriR,
		`[...new URL($("#df").href).searchParams.entries()].sort().join(" ")`: "at,20170218114200 from,20170217000000 level,text " +
			"to,20170218114200 url," + uriR,
	} {
		if got := looks.Evaluate[string](t, ctx, looks.InBanner(expression)); got != want {
			t.Errorf("%s is %q, want %q", expression, got, want)
		}
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s) // a string always marshals
	return string(b)
}

// changesAtText answers for the level that TestAnotherLevelMovesTheLargeButtons chooses.
func changesAtText(w http.ResponseWriter, r *http.Request) {
	if q := r.URL.Query(); q.Get("level") != "text" || q.Get("at") != "20170218114200" {
		http.NotFound(w, r)
		return
	}
	at := func(ts string) string { return "http://" + r.Host + "/web/" + ts + "/" + uriR }
	type change struct {
		Added   int `json:"added"`
		Deleted int `json:"deleted"`
	}
	type span struct {
		First  string  `json:"first"`
		Last   string  `json:"last"`
		FirstM string  `json:"first_memento"`
		LastM  string  `json:"last_memento"`
		Change *change `json:"change"`
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"range": 1801, "versions": 90000, "ranges": []span{
		{"20160101000000", "20170217000000", at("20160101000000"), at("20170217000000"), nil},
		{"20170218000000", "20180101000000", at("20170218000000"), at("20180101000000"), &change{1, 2}},
	}})
}

// wombatPage is an archived page as the server sends it if the build has the client-side runtime.
func wombatPage(host, banner string) string {
	const script = `<script src="/-/static/banner.js"></script>`
	return `<!DOCTYPE html><html><head><meta charset="utf-8"><base target="_blank">` + script + `<script src="/-/wombat.js"></script><script>
const wbinfo = {url: "` + uriR + `", timestamp: "20170218114200", request_ts: "20170218114200", prefix: "http://` + host +
		`/web/", mod: "", is_framed: false,
	is_live: false, coll: "web", proxy_magic: "", static_prefix: "http://` + host +
		`/-/static/", enable_auto_fetch: false, wombat_ts: "20170218114200",
	wombat_sec: "1487418120", wombat_scheme: "http", wombat_host: "www.epa.gov", wombat_opts: {}};
_WBWombatInit.call(window, wbinfo);
</script></head><body>` + strings.Replace(
		banner,
		script,
		"",
		1,
	) + `<main>Acid Rain</main></body></html>`
}

func TestBannerWorksBesideWombat(t *testing.T) {
	wombat, err := os.ReadFile("../static/dist/wombat.js")
	if err != nil {
		t.Skip("no static/dist/wombat.js: npm ci && npm run build in static/ puts it there")
	}
	rest := siteHandler(t)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch { // a ServeMux would merge the two slashes in a URI-M
		case r.URL.Path == "/-/wombat.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write(wombat)
		case strings.HasPrefix(r.URL.Path, "/web/20170218114200/"):
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(wombatPage(r.Host, looks.Render(t, Banner(smallBanner("en"))))))
		default:
			rest.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	ctx := chromium.Page(t)
	page := s.URL + "/web/20170218114200/" + uriR
	looks.Open(t, ctx, page)
	if !looks.Evaluate[bool](t, ctx, `window.WB_wombat_location.href === "`+uriR+
		`" && document.documentElement.children[1].localName === "varve-banner"`) {
		t.Fatal("wombat is not at work, or the banner is not")
	}
	if !looks.Evaluate[bool](
		t,
		ctx,
		looks.InBanner(`[...nav.querySelectorAll("a, form")].every((e) => e.getAttribute("target") === "_self")`),
	) {
		t.Error("the page's base decides where the banner's links open")
	}
	looks.Evaluate[bool](t, ctx, looks.InBanner(`($(".lv [value=text]").click(), true)`))
	// Wombat changes what getAttribute returns to the URI-R; a selector sees the real value.
	looks.Await(t, ctx, looks.InBanner(`!!$('a[rel=predecessor-version][href="`+s.URL+"/web/20170217000000/"+uriR+`"]')`))
	looks.Evaluate[bool](t, ctx, looks.InBanner(`($(".x").click(), true)`))
	looks.Open(t, ctx, s.URL+"/banner.en")
	if !looks.Evaluate[bool](t, ctx, looks.InBanner(`$(".x").checked && $(".lv [value=text]").checked`)) {
		t.Error("what was chosen beside wombat is forgotten on a page without it")
	}
	looks.Open(t, ctx, page)
	if !looks.Evaluate[bool](t, ctx, looks.InBanner(`$(".x").checked && $(".lv [value=text]").checked`)) {
		t.Error("what was chosen is forgotten beside wombat")
	}
}

// What runs from left to right does so in a banner that runs from right to left: an address begins with its scheme, keys with Shift.
func TestAddressesAndKeysRunLeftToRight(t *testing.T) {
	ctx, s := chromium.Page(t), site(t)
	for _, lang := range []string{"en", "fa"} {
		looks.Open(t, ctx, s.URL+"/banner."+lang)
		wrong := looks.Evaluate[string](t, ctx, looks.InBanner(`(() => {
			$(".me").closest("details").open = true;
			const at = (e, i) => {
				const range = document.createRange();
				range.setStart(e.firstChild, i), range.setEnd(e.firstChild, i + 1);
				return range.getBoundingClientRect();
			};
			return [$(".me"), ...nav.querySelectorAll(".ky button")].filter((e) => at(e, 0).left < e.getBoundingClientRect().left ||
				at(e, 0).left >= at(e, e.firstChild.length - 1).left).map((e) => e.textContent).join("\n");
		})()`))
		if wrong != "" {
			t.Errorf("in %s these do not run from left to right:\n%s", lang, wrong)
		}
	}
}
