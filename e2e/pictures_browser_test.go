package e2e

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

var pictures = flag.String("pictures", "", "write the pictures of the README to this `folder`")

// TestTakePicturesOfTheReadme shows the sample archive as it is now. "make pictures" writes what it shows to docs.
func TestTakePicturesOfTheReadme(t *testing.T) {
	t.Parallel()
	if *pictures == "" {
		t.Skip("-pictures FOLDER takes the pictures of the README: make pictures")
	}
	g := browse(t, searchable(t))
	for _, p := range []struct {
		name          string
		width, height int64
		path, there   string // there is JavaScript that is true once the page is to be seen
	}{
		{"banner", 1280, 640, "/web/20160901092136/" + history, `document.querySelector("varve-banner").shadowRoot`},
		{"calendar", 1280, 760, "/web/20160901*/" + history, `document.querySelector(".month")`},
		{"addresses", 1280, 640, "/web/?url=*&sort=-versions", `document.querySelector(".cardlist")`},
		{"diff", 1280, 640, "/web/diff/20160801092036/20160901092136/" + history, `document.querySelector("del")`},
		{"slider", 1280, 660, "/web/diff?url=" + history + "&term=tannery", `document.querySelector(".slider input:not([hidden])")`},
		{"search", 1100, 640, "/web/search?q=tannery&change=deleted", `document.querySelector(".changes li")`},
		{"animation", 780, 437, tannery, `document.querySelector("varve-animation").shadowRoot`},
	} {
		if err := chromedp.Do(g.ctx, chromedp.EmulateViewport(p.width, p.height)); err != nil {
			t.Fatal(err)
		}
		g.open(t, p.path)
		g.until(t, p.there)
		if p.name == "animation" {
			g.press(t, "play")
			g.until(t, `document.querySelector("varve-del")`)
			g.until(t, `document.querySelector("varve-del").textContent.length < 60`)
		}
		png, err := chromedp.Run(g.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(*pictures, p.name+".png"), png, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
