package e2e

import (
	"bytes"
	"os/exec"
	"testing"
	"time"
)

// A reader sees how far a crawl is without doing anything, pauses it, has it go on, and stops it.
func TestCrawlIsSteeredOnItsPage(t *testing.T) {
	site := crawled(t, 50_000, 20*time.Millisecond)
	server := start(t, "serve")
	g := browse(t, server)
	g.open(t, "/-/crawls")
	g.until(t, `document.querySelector("main").textContent.includes("varve crawl")`)
	var out bytes.Buffer
	cmd := exec.Command(binary, "crawl", "--data", server.data, site.file(t, ""))
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the crawl asks", func() bool { return site.pages() > 3 })
	g.open(t, "/-/crawls")
	g.until(t, `document.querySelector(".crawlstate.running")`)
	evaluate[bool](t, g, `document.querySelector(".card a").click() === undefined`)
	g.until(t, `document.querySelector(".asked td")?.textContent.includes("127.0.0.1")`)
	g.until(t, `(window.before ??= document.querySelector(".fresh dd").textContent) !== document.querySelector(".fresh dd").textContent`)
	for _, press := range []struct{ button, state string }{{"pause", "paused"}, {"resume", "running"}} {
		evaluate[bool](t, g, `document.querySelector("button[value=`+press.button+`]").click() === undefined`)
		g.until(t, `document.querySelector(".crawlstate.`+press.state+`")`)
	}
	evaluate[bool](t, g, `document.querySelector("button[value=stop]").click() === undefined`)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if r := reportOf(t, out.String()); r.State != "stopped" || r.Pages == 0 {
		t.Errorf("%+v", r)
	}
	g.until(t, `document.querySelector(".crawlstate.stopped")`) // by itself
	g.until(t, `!document.querySelector(".orders")`)
}
