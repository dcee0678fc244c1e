package absent_test

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/replay/replaytest"
)

var landingPictures = flag.String("landing-pictures", "", "write pictures of the landing pages into this `folder`")

// bannerSays is JavaScript that looks for words in the banner.
func bannerSays(words string) string {
	return `document.querySelector("varve-banner").shadowRoot.textContent.includes(` + strconv.Quote(words) + `)`
}

func TestReadersClickThroughLandingPages(t *testing.T) {
	b := replaytest.NewReader(t)
	const acid = "/web/20180101000001/" + replaytest.Site + "/acid"
	b.Open(acid)
	b.At("/web/landing/20180101000001/" + replaytest.Site + "/acid")
	b.See(replaytest.PageSays("the same page, moved"))
	b.See(replaytest.PageSays("100% alike"))
	b.Click(replaytest.Button("Go on"))
	b.At("/web/20180101000002/" + replaytest.Site + "/topics/acid-rain")
	b.See(bannerSays(replaytest.Site + "/acid"))
	b.Open(acid)
	b.Click(replaytest.Button("See the page as it was before"))
	b.At("/web/20150101000001/" + replaytest.Site + "/acid")
	b.Open(acid)
	b.Click(replaytest.Button("See the page that came after"))
	b.At("/web/20200101000000/" + replaytest.Site + "/acid")

	b.Open("/web/20180101000003/" + replaytest.Site + "/fog")
	b.See(replaytest.PageSays("the site's home page, not this page"))
	b.Click(replaytest.Button("Fog"))
	b.At("/web/20200101000000/" + replaytest.Site + "/acid")

	b.Open("/web/20180101000005/" + replaytest.Site + "/snow")
	b.See(replaytest.PageSays("The way it went"))
	b.Open("/web/20180101000008/" + replaytest.Site + "/round")
	b.See(replaytest.PageSays("Here the redirects go in a circle."))
	b.Open("/web/20180101000010/" + replaytest.Site + "/away")
	b.See(replaytest.PageSays("That address was never archived."))

	b.Open("/web/20180101000011/" + replaytest.Site + "/ice.html")
	b.Click(`document.querySelector("varve-banner").shadowRoot.querySelector('a[href*="/landing/"]')`)
	b.At("/web/landing/20180101000011/" + replaytest.Site + "/ice.html")
	b.Click(replaytest.Button("Ice"))
	b.At("/web/20180101000012/" + replaytest.Site + "/winter/ice.html")
	b.Open("/web/" + replaytest.Site + "/ice.htm")
	b.See(replaytest.PageSays("another form of the same address"))
}

func TestDontAskAgainSkipsLandingPagesUntilUndone(t *testing.T) {
	b := replaytest.NewReader(t)
	const acid = "/web/20180101000001/" + replaytest.Site + "/acid"
	b.Open(acid)
	b.At("/web/landing/20180101000001/" + replaytest.Site + "/acid")
	b.Click(`document.querySelector(".ask:not([hidden]) input[name=site]")`)
	b.Open(acid)
	b.At("/web/20180101000002/" + replaytest.Site + "/topics/acid-rain")
	b.Click(`document.querySelector("varve-banner").shadowRoot.querySelector("button.ask:not([hidden])")`)
	b.Open(acid)
	b.At("/web/landing/20180101000001/" + replaytest.Site + "/acid")
}

// TestTakeLandingPictures saves screenshots for people to look at.
func TestTakeLandingPictures(t *testing.T) {
	if *landingPictures == "" {
		t.Skip("-landing-pictures FOLDER takes pictures of what there is to look at")
	}
	b := replaytest.NewReader(t)
	for name, path := range map[string]string{
		"moved": "/web/landing/20180101000001/" + replaytest.Site + "/acid", "home": "/web/landing/20180101000003/" + replaytest.Site + "/fog",
		"chain":   "/web/landing/20180101000005/" + replaytest.Site + "/snow",
		"circle":  "/web/landing/20180101000008/" + replaytest.Site + "/round",
		"away":    "/web/landing/20180101000010/" + replaytest.Site + "/away",
		"missing": "/web/landing/20180101000011/" + replaytest.Site + "/ice.html",
		"never":   "/web/" + replaytest.Site + "/ice.htm", "similar": "/web/similar/2015/" + replaytest.Site + "/fog",
		"came": "/web/20180101000002/" + replaytest.Site + "/topics/acid-rain",
	} {
		for _, width := range []int64{360, 1280} {
			if _, err := chromedp.Run(b.Ctx, chromedp.EmulateViewport(width, 900)); err != nil {
				t.Fatal(err)
			}
			b.Open(path)
			png, err := chromedp.Run(b.Ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(*landingPictures, strings.Join([]string{name, strconv.FormatInt(width, 10), "png"}, "."))
			if err := os.WriteFile(file, png, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
