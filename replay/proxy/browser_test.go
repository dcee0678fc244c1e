package proxy_test

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/internal/testkit/chromium"
	"github.com/varve-archive/varve/replay/replaytest"
)

var proxyPictures = flag.String("proxy-pictures", "", "write pictures of pages through the proxy, and rewritten, into this `folder`")

// through starts a headless Chromium that can only use the proxy: it resolves no names itself, and trusts the CA.
func (p *proxied) through(t *testing.T) *replaytest.Reader {
	t.Helper()
	return &replaytest.Reader{T: t, Ctx: chromium.Page(t, "proxy-server="+p.url, "proxy-bypass-list=<-loopback>",
		"host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "ignore-certificate-errors-spki-list="+p.spki(t),
		"disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,Translate")} // otherwise it tries https before http
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

const (
	previousVersion = `document.querySelector("varve-banner").shadowRoot.querySelector("a[rel=predecessor-version]")`
	bannerMoment    = `document.querySelector("varve-banner").shadowRoot.querySelector("nav").dataset.ts`
)

func TestBrowserReadsThroughTheProxy(t *testing.T) {
	liveWeb(t)
	p := proxyOf(t, nil)
	b := p.through(t)
	for _, scheme := range []string{"http", "https"} {
		b.Open(scheme + "://varve.proxy/")
		b.See(`document.forms.length && (document.forms[document.forms.length-1].datetime.value = "2016-09-01T09:21:36")`)
		b.Click(`document.querySelector("form[method=post] button")`)
		b.See(replaytest.PageSays("You see the web as of 1 September 2016"))
		b.Open(scheme + "://www.riverbend.example/history.html")
		b.Whole()
		if got := b.Eval("location.href + ' ' + " + bannerMoment); got != scheme+"://www.riverbend.example/history.html 20160901092136" {
			t.Errorf("the page is %s", got)
		}
		b.Click(previousVersion)
		b.See(bannerMoment + ` < "20160901092136" && location.href === "` + scheme + `://www.riverbend.example/history.html"`)
		b.Whole()
		b.Open(scheme + "://www.riverbend.example/")
		b.Whole()
		if got := b.Eval(bannerMoment); got > "20160902" {
			t.Errorf("the next page is of %s, want the datetime gone to", got)
		}
		b.Open(scheme + "://www.riverbend.example/never-archived")
		b.See(`getComputedStyle(document.querySelector("main")).maxWidth !== "none" || document.styleSheets.length > 0`)
		b.See(`document.querySelector("main h1")`)
	}
}

func TestBrowserGetsLandingPagesThroughTheProxy(t *testing.T) {
	liveWeb(t)
	p := proxyOf(t, nil, replaytest.Write(t, replaytest.Moved()))
	b := p.through(t)
	p.choose(p.client(""), "20180101000001", "")
	b.Open(replaytest.Site + "/acid")
	b.See(replaytest.PageSays("the same page, moved"))
	if got := b.Eval("location.origin"); got != proxySite {
		t.Errorf("landed at %s", got)
	}
	b.Click(replaytest.Button("Go on"))
	b.See(`location.href === "` + replaytest.Site + `/topics/acid-rain"`)
	b.Whole()
	b.Open(replaytest.Site + "/ice.htm")
	b.See(replaytest.PageSays("another form of the same address"))
}

// On plain HTTP a browser does not say that a request is for a frame.
func TestFramesShowNoBanner(t *testing.T) {
	p := proxyOf(t, nil, replaytest.Write(t, []replaytest.Record{
		{
			Date: "20180101000000", URI: replaytest.Site + "/outer", Status: 200, Location: "",
			Body: `<!doctype html><title>outer</title><p>outer</p><iframe src=/inner></iframe>`,
		},
		{
			Date: "20180101000000", URI: replaytest.Site + "/inner", Status: 200, Location: "",
			Body: `<!doctype html><title>inner</title><p>inner</p>`,
		},
	}))
	b := p.through(t)
	for _, scheme := range []string{"http", "https"} {
		b.Open(strings.Replace(replaytest.Site, "http", scheme, 1) + "/outer")
		b.Whole()
		b.See(`frames[0].document.body.textContent.includes("inner")`)
		b.See(`!frames[0].document.querySelector("varve-banner") && frames[0].document.readyState === "complete"`)
	}
}

// A hostile page must not change the datetime of its reader, whatever it tries.
func TestPagesCannotMoveABrowsersReader(t *testing.T) {
	move := proxySite + "/web/20100101000000/" + replaytest.Site + "/"
	p := proxyOf(t, nil, replaytest.Write(t, []replaytest.Record{
		{
			Date: "20100101000000", URI: replaytest.Site + "/", Status: 200, Location: "",
			Body: replaytest.PageOf("Old", "what was here in the beginning of all pages"),
		},
		{
			Date: "20180101000000", URI: replaytest.Site + "/", Status: 200, Location: "",
			Body: replaytest.PageOf("New", "something else stands here since then"),
		},
		{Date: "20180101000001", URI: replaytest.Site + "/hostile", Status: 200, Location: "", Body: `<!doctype html>
			<title>hostile</title><p>hostile</p><img src="` + move + `"><iframe src="` + move + `"></iframe><script>
			fetch("` + move + `", {mode: "no-cors"}).catch(() => {});
			fetch("` + proxySite + `/-/choose", {method: "POST", mode: "no-cors", body: new URLSearchParams({datetime: "2010"})}).catch(() => {});
			open("` + move + `");
			document.title = "tried";
		</script>`},
	}))
	b := p.through(t)
	b.Open(replaytest.Site + "/hostile")
	b.See(`document.title === "tried" && document.readyState === "complete"`)
	b.Open(replaytest.Site + "/")
	b.See(replaytest.PageSays("New"))
}

// Through the proxy Chromium must show other sites as they were captured, over http and https.
func TestBrowserReadsTheCorporaThroughTheProxy_long(t *testing.T) {
	for _, corpus := range replaytest.Corpora(t) {
		t.Run(filepath.Base(corpus), func(t *testing.T) {
			liveWeb(t)
			p := proxyOf(t, nil, corpus)
			b := p.through(t)
			rows := strings.Fields(string(replaytest.Fetch(t, p.server.Handler(),
				"/web/cdx?url=*.org/*&filter=mimetype:text/html&filter=statuscode:200&collapse=urlkey&limit=400&fl=timestamp,original")))
			if len(rows) < 2 {
				t.Fatal("no pages")
			}
			step := max(2, len(rows)/6/2*2)
			for i := 0; i+1 < len(rows); i += step {
				p.choose(p.client(""), rows[i], "")
				uriR := inScheme([]string{"http", "https"}[i/step%2], rows[i+1])
				b.Open(uriR)
				b.See(`document.readyState === "complete" && document.querySelector("varve-banner[data-on]")`)
				if got := b.Eval("location.href + ' ' + " + bannerMoment); got != uriR+" "+rows[i] {
					t.Errorf("%s of %s is %s", uriR, rows[i], got)
				}
				if b.Eval("document.body.innerText") == "" {
					t.Errorf("%s of %s is blank", uriR, rows[i])
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
		png, err := chromedp.Run(b.Ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(*proxyPictures, name+".png"), png, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, width := range []int64{360, 1280} {
		if _, err := chromedp.Run(b.Ctx, chromedp.EmulateViewport(width, 900)); err != nil {
			t.Fatal(err)
		}
		for name, uri := range map[string]string{ // and rewritten replay of the same page
			"home": proxySite + "/", "ask": proxySite + "/web/20100301000000/" + town, "missing": town + "historie.html", "page": town,
			"history": history,
		} {
			b.Open(uri)
			b.See(`document.readyState === "complete"`)
			shoot(name + "-" + strconv.FormatInt(width, 10))
		}
	}
	fmt.Println("pictures are in", *proxyPictures)
}
