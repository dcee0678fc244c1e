package replay_test

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

var proxyPictures = flag.String("proxy-pictures", "", "write pictures of pages through the proxy, and rewritten, into this `folder`")

// through starts a headless Chromium that can only use the proxy: it resolves no names itself, and trusts the CA.
func (p *proxied) through(t *testing.T) *reader {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium in the path: the browser tests need one")
	}
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("proxy-server", p.url), chromedp.Flag("proxy-bypass-list", "<-loopback>"),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.Flag("ignore-certificate-errors-spki-list", p.spki(t)), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("disable-features", "HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,Translate")) // otherwise it tries https before http
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	return &reader{t, ctx, ""}
}

// spki returns the fingerprint of the CA's key as Chromium's flag expects it.
func (p *proxied) spki(t *testing.T) string {
	block, _ := pem.Decode([]byte(p.get(proxySite + "/ca.pem").body))
	ca, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(ca.RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(sum[:])
}

func (b *reader) eval(script string) string {
	b.t.Helper()
	s, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](script))
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// whole waits until a page with its banner and everything in it has loaded.
func (b *reader) whole() {
	b.t.Helper()
	b.see(`document.readyState === "complete" && document.querySelector("varve-banner[data-on]")`)
	failed := b.eval(`performance.getEntriesByType("resource")
		.filter((e) => e.responseStatus >= 400 && !e.name.endsWith("/favicon.ico")).map((e) => e.name).join(" ") +
		[...document.images].filter((i) => !i.naturalWidth).map((i) => " " + i.src).join("")`)
	if failed != "" {
		b.t.Errorf("%s lacks %s", b.eval("location.href"), failed)
	}
}

const (
	previousVersion = `document.querySelector("varve-banner").shadowRoot.querySelector("a[rel=predecessor-version]")`
	bannerMoment    = `document.querySelector("varve-banner").shadowRoot.querySelector("nav").dataset.ts`
)

func TestBrowserReadsThroughTheProxy(t *testing.T) {
	liveWeb(t)
	p := proxyOf(t, nil)
	b := p.through(t)
	for _, scheme := range []string{"http", "https"} {
		b.open(scheme + "://varve.proxy/")
		b.see(`document.forms.length && (document.forms[document.forms.length-1].datetime.value = "2016-09-01T09:21:36")`)
		b.click(`document.querySelector("form[method=post] button")`)
		b.see(pageSays("You see the web as of 1 September 2016"))
		b.open(scheme + "://www.riverbend.example/history.html")
		b.whole()
		if got := b.eval("location.href + ' ' + " + bannerMoment); got != scheme+"://www.riverbend.example/history.html 20160901092136" {
			t.Errorf("the page is %s", got)
		}
		b.click(previousVersion)
		b.see(bannerMoment + ` < "20160901092136" && location.href === "` + scheme + `://www.riverbend.example/history.html"`)
		b.whole()
		b.open(scheme + "://www.riverbend.example/")
		b.whole()
		if got := b.eval(bannerMoment); got > "20160902" {
			t.Errorf("the next page is of %s, want the datetime gone to", got)
		}
		b.open(scheme + "://www.riverbend.example/never-archived")
		b.see(`getComputedStyle(document.querySelector("main")).maxWidth !== "none" || document.styleSheets.length > 0`)
		b.see(`document.querySelector("main h1")`)
	}
}

func TestBrowserGetsLandingPagesThroughTheProxy(t *testing.T) {
	liveWeb(t)
	p := proxyOf(t, nil, write(t, cases()))
	b := p.through(t)
	p.choose(p.client(""), "20180101000001", "")
	b.open(site + "/acid")
	b.see(pageSays("the same page, moved"))
	if got := b.eval("location.origin"); got != proxySite {
		t.Errorf("landed at %s", got)
	}
	b.click(button("Go on"))
	b.see(`location.href === "` + site + `/topics/acid-rain"`)
	b.whole()
	b.open(site + "/ice.htm")
	b.see(pageSays("another form of the same address"))
}

// On plain HTTP a browser does not say that a request is for a frame.
func TestFramesShowNoBanner(t *testing.T) {
	p := proxyOf(t, nil, write(t, []record{
		{"20180101000000", site + "/outer", 200, "", `<!doctype html><title>outer</title><p>outer</p><iframe src=/inner></iframe>`},
		{"20180101000000", site + "/inner", 200, "", `<!doctype html><title>inner</title><p>inner</p>`},
	}))
	b := p.through(t)
	for _, scheme := range []string{"http", "https"} {
		b.open(strings.Replace(site, "http", scheme, 1) + "/outer")
		b.whole()
		b.see(`frames[0].document.body.textContent.includes("inner")`)
		b.see(`!frames[0].document.querySelector("varve-banner") && frames[0].document.readyState === "complete"`)
	}
}

// A hostile page must not change the datetime of its reader, whatever it tries.
func TestPagesCannotMoveABrowsersReader(t *testing.T) {
	move := proxySite + "/web/20100101000000/" + site + "/"
	p := proxyOf(t, nil, write(t, []record{
		{"20100101000000", site + "/", 200, "", pageOf("Old", "what was here in the beginning of all pages")},
		{"20180101000000", site + "/", 200, "", pageOf("New", "something else stands here since then")},
		{"20180101000001", site + "/hostile", 200, "", `<!doctype html><title>hostile</title><p>hostile</p>
			<img src="` + move + `"><iframe src="` + move + `"></iframe><script>
			fetch("` + move + `", {mode: "no-cors"}).catch(() => {});
			fetch("` + proxySite + `/-/choose", {method: "POST", mode: "no-cors", body: new URLSearchParams({datetime: "2010"})}).catch(() => {});
			open("` + move + `");
			document.title = "tried";
		</script>`},
	}))
	b := p.through(t)
	b.open(site + "/hostile")
	b.see(`document.title === "tried" && document.readyState === "complete"`)
	b.open(site + "/")
	b.see(pageSays("New"))
}

// Through the proxy Chromium must show other sites as they were captured, over http and https.
func TestBrowserReadsTheCorporaThroughTheProxy(t *testing.T) {
	for _, corpus := range corpora(t) {
		t.Run(filepath.Base(corpus), func(t *testing.T) {
			liveWeb(t)
			p := proxyOf(t, nil, corpus)
			b := p.through(t)
			rows := strings.Fields(string(fetch(t, p.server.Handler(),
				"/web/cdx?url=*.org/*&filter=mimetype:text/html&filter=statuscode:200&collapse=urlkey&limit=400&fl=timestamp,original")))
			if len(rows) < 2 {
				t.Fatal("no pages")
			}
			step := max(2, len(rows)/6/2*2)
			for i := 0; i+1 < len(rows); i += step {
				for _, scheme := range []string{"http", "https"} {
					p.choose(p.client(""), rows[i], "")
					uriR := inScheme(scheme, rows[i+1])
					b.open(uriR)
					b.see(`document.readyState === "complete" && document.querySelector("varve-banner[data-on]")`)
					if got := b.eval("location.href + ' ' + " + bannerMoment); got != uriR+" "+rows[i] {
						t.Errorf("%s of %s is %s", uriR, rows[i], got)
					}
					if b.eval("document.body.innerText") == "" {
						t.Errorf("%s of %s is blank", uriR, rows[i])
					}
				}
			}
		})
	}
}

func inScheme(scheme, uriR string) string { return scheme + uriR[strings.Index(uriR, ":"):] }

// TestTakeProxyPictures saves screenshots of pages through the proxy, and of rewritten replay for comparison.
func TestTakeProxyPictures(t *testing.T) {
	if *proxyPictures == "" {
		t.Skip("-proxy-pictures FOLDER takes pictures of what there is to look at")
	}
	p := proxyOf(t, nil)
	b := p.through(t)
	shoot := func(name string) {
		png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(*proxyPictures, name+".png"), png, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, width := range []int64{360, 1280} {
		if _, err := chromedp.Run(b.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
			t.Fatal(err)
		}
		for name, uri := range map[string]string{ // and rewritten replay of the same page
			"home": proxySite + "/", "ask": proxySite + "/web/20100301000000/" + town, "missing": town + "historie.html", "page": town,
			"history": history,
		} {
			b.open(uri)
			b.see(`document.readyState === "complete"`)
			shoot(name + "-" + strconv.FormatInt(width, 10))
		}
	}
	fmt.Println("pictures are in", *proxyPictures)
}
