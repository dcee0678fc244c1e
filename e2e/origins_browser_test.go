package e2e

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// The two origins of a varve with a separate replay origin (docs/isolation.md). Names below localhost resolve to this
// machine and count as secure.
const (
	publicOrigin = "http://archive.localhost"
	replayOrigin = "http://replay.localhost"
)

// onTwoOrigins starts varve with a separate origin for archived pages, and a browser that knows both.
func onTwoOrigins(t *testing.T, args ...string) *stage {
	t.Helper()
	s := start(t, append(args, "--public-url", publicOrigin, "--replay-url", replayOrigin)...)
	names := strings.NewReplacer("http://", "").Replace(publicOrigin + " " + replayOrigin)
	var rules []string
	for name := range strings.FieldsSeq(names) {
		rules = append(rules, "MAP "+name+":80 "+strings.TrimPrefix(s.url, "http://"))
	}
	g := browseAsReaders(t, s, "host-resolver-rules="+strings.Join(rules, ","),
		"proxy-bypass-list=<-loopback>;"+strings.ReplaceAll(names, " ", ";"))
	g.url = publicOrigin
	return g
}

// at waits for a path, and fails unless it is on the given origin.
func (g *stage) at(t *testing.T, origin, path string) {
	t.Helper()
	g.arrive(t, path)
	if got := evaluate[string](t, g, `location.origin`); got != origin {
		t.Errorf("%s is at %s, want %s", path, got, origin)
	}
}

func TestReaderWalksAcrossTwoOrigins_long(t *testing.T) {
	t.Parallel()
	g := onTwoOrigins(t, "demo")
	const uri = "http://www.riverbend.example/history.html"
	click := func(what string) { evaluate[bool](t, g, inBanner(`($('`+what+`').click(), true)`)) }

	g.open(t, "/web/20160901092136/"+uri)
	g.at(t, replayOrigin, "/web/20160901092136/"+uri)
	g.until(t, inBanner(`host && $("nav").getBoundingClientRect().height > 40`))
	click(`a[rel="predecessor-version"]`)
	g.at(t, replayOrigin, "/web/20160801092036/"+uri)
	click(`a[rel="next"]`)
	g.at(t, replayOrigin, "/web/20160901092136/"+uri)
	if broken := evaluate[int](t, g, `[...document.images].filter((i) => !(i.complete && i.naturalWidth > 0)).length + `+
		`[...document.styleSheets].filter((s) => !s.cssRules.length).length`); broken > 0 {
		t.Errorf("%d pictures or style sheets are broken", broken)
	}
	g.picture(t, "origins-page")

	// The server's pages are on the server's origin, and lead back.
	click(`a[href*="/web/diff/"]`)
	g.at(t, publicOrigin, "/web/diff/20160801092036/20160901092136/"+uri)
	g.until(t, `document.querySelectorAll("ins, del").length > 0`)
	evaluate[bool](t, g, `([...document.querySelectorAll("main a")].find((a) => new `+
		`URL(a.href).pathname.startsWith("/web/20160901092136/")).click(), true)`)
	g.at(t, replayOrigin, "/web/20160901092136/"+uri)
	click(`a[href*="/web/*/"]`)
	g.at(t, publicOrigin, "/web/*/"+uri)

	// A banner that was folded once is folded on all pages.
	g.open(t, "/web/20160901092136/"+uri)
	click(".x")
	g.open(t, "/web/20140301090136/http://www.riverbend.example/")
	g.until(t, inBanner(`$(".x").checked`))
	g.picture(t, "origins-folded")

	g.open(t, "/web/animate/2015/2017/"+uri)
	g.press(t, "play")
	g.until(t, inBar(`nav.dataset.state === "end"`))
	if got := evaluate[string](t, g, `location.origin`); got != replayOrigin {
		t.Errorf("the animation is at %s", got)
	}
}

// reaching are statements by which an archived page tries to read from the server's origin. Each returns what it got.
var reaching = map[string]string{
	"a request": `fetch("` + publicOrigin + `/web/").then((r) => r.text(), () => "")`,
	"a frame": `new Promise((done) => { const f = document.createElement("iframe"); f.src = "` + publicOrigin +
		`/"; f.onload = () => { try { done(f.contentDocument ? f.contentDocument.title : "") } catch { done("") } }; f.onerror = () => ` +
		`done(""); document.body.append(f); setTimeout(() => done(""), 1500) })`,
	"its storage": `Promise.resolve(Object.values(localStorage).join())`,
	"its cookies": `Promise.resolve(document.cookie)`,
}

// A page's script must get nothing from the server's origin, even without wombat and all other scripts of varve's.
func TestPagesReachNothingOfTheOtherOrigin(t *testing.T) {
	t.Parallel()
	g := onTwoOrigins(t, "demo")
	g.unprotected(t)
	g.open(t, "/web/")
	evaluate[bool](t, g, `(localStorage.setItem("secret", "varve's own"), document.cookie = "secret=varve; path=/", true)`)
	g.open(t, "/web/20160901092139/http://www.riverbend.example/")
	g.at(t, replayOrigin, "/web/20160901092139/http://www.riverbend.example/")
	if evaluate[bool](t, g, `performance.getEntriesByType("resource").some((e) => e.name.includes("/-/static/") && e.transferSize > 0) || `+
		`"_WBWombat" in self || "_wb_wombat" in self`) {
		t.Fatal("the page has scripts of varve's")
	}
	for name, statement := range reaching {
		got, err := chromedp.Run(g.ctx, chromedp.Evaluate[string](statement, chromedp.EvalAwaitPromise))
		if err != nil || got != "" {
			t.Errorf("%s: got %.100q (%v)", name, got, err)
		}
	}
}

// unprotected keeps varve's scripts, wombat among them, from the pages that the browser opens, which have the policy all the same.
func (g *stage) unprotected(t *testing.T) {
	t.Helper()
	err := chromedp.Do(g.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := cdp.Call(ctx, target, network.Enable, network.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, target, network.SetBlockedURLs, network.SetBlockedURLsParams{
			URLPatterns: []*network.BlockPattern{{URLPattern: "*://*:*/-/static/*", Block: true}},
		})
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
}
