package e2e

import (
	"bytes"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// A reader sees how far a crawl is without doing anything, pauses it, has it go on, and stops it.
func TestCrawlIsSteeredOnItsPage(t *testing.T) {
	t.Parallel()
	site := crawled(t, 50_000, 20*time.Millisecond)
	server := start(t, "serve")
	g := browse(t, server)
	g.open(t, "/-/crawls")
	g.until(t, `document.querySelector("main").textContent.includes("varve crawl")`)
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, "crawl", "--data", server.data, site.file(t, ""))
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
	for _, press := range []struct{ button, state string }{{"pause", "paused"}, {"resume", "running"}, {"stop", ""}} {
		button := `document.querySelector("button[value=` + press.button + `]")`
		g.until(t, button) // it comes behind the state
		evaluate[bool](t, g, button+`.click() === undefined`)
		if press.state != "" {
			g.until(t, `document.querySelector(".crawlstate.`+press.state+`")`)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if r := reportOf(t, out.String()); r.State != "stopped" || r.Pages == 0 {
		t.Errorf("%+v", r)
	}
	g.until(t, `document.querySelector(".crawlstate.stopped")`) // by itself
	g.until(t, `!document.querySelector(".orders")`)
}

// steering are ways in which an archived page's script may try to see or to steer a crawl, with the words of [uploadingWith].
var steering = map[string]string{
	"asking":        `await (await raw.fetch("/-/crawls/river")).text()`,
	"asking anyway": `await (await raw.fetch("/-/crawls/river", {referrerPolicy: "no-referrer"})).text()`,
	"an order": `raw.fetch("/-/crawls/river", {method: "POST", body: new raw.URLSearchParams({order: "stop"})})
		.then((r) => r.status)`,
	"an order, opaque": `raw.fetch("/-/crawls/river", {method: "POST", mode: "no-cors", body: new raw.URLSearchParams({order: "stop"})})
		.then((r) => r.status)`,
	"a beacon": `raw.navigator.sendBeacon("/-/crawls/river", new raw.URLSearchParams({order: "stop"}))`,
	"a frame": `(async () => {
		const f = raw.document.createElement("iframe");
		f.src = "/-/crawls/river";
		raw.document.body.append(f);
		await new Promise((done) => { f.onload = done });
		return f.contentDocument?.querySelector("[value=stop]")?.click() ?? tokenIn(f.contentDocument?.documentElement.outerHTML ?? "");
	})()`,
	"a form": `(async () => {
		const d = raw.document, form = d.createElement("form");
		Object.assign(form, {method: "post", action: "/-/crawls/river"});
		form.append(Object.assign(d.createElement("input"), {name: "order", value: "stop"}));
		d.body.append(form);
		form.submit();
		await new Promise((done) => setTimeout(done, 500));
		return "";
	})()`,
	"a window": `(async () => {
		const w = raw.open("/-/crawls/river", "other");
		for (let i = 0; i < 50 && w && !w.closed; i++) {
			await new Promise((done) => setTimeout(done, 20));
			try {
				w.document.querySelector("[value=stop]").click();
				return "200";
			} catch { }
		}
		return "none";
	})()`,
}

// No script of an archived page sees or steers a crawl, though it is on the origin of varve's own pages.
func TestArchivedPagesCannotSteerCrawls(t *testing.T) {
	t.Parallel()
	a := (&archive{}).page(host+"/", day, "<!doctype html><title>t</title><body><p>text<iframe></iframe>")
	server, _ := serve(t, map[string][]byte{"a.warc.gz": a.bytes()})
	site := crawled(t, 50_000, 50*time.Millisecond)
	cmd := exec.CommandContext(t.Context(), binary, "crawl", "--data", server.data, site.file(t, "walltime: 0s\n"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	eventually(t, "the crawl asks", func() bool { return site.pages() > 3 })
	g := browseAsReaders(t, server)
	for _, name := range slices.Sorted(maps.Keys(steering)) {
		g.open(t, at14("/"))
		got := evaluate[string](t, g, fmt.Sprintf(uploadingWith, `""`, steering[name]))
		if strings.Contains(got, "river") || strings.Contains(got, "200") || len(got) > 60 {
			t.Errorf("%s: %.200s", name, got)
		}
		t.Logf("%s: %.60s", name, got)
		if state := server.get(t, "/-/crawls/river").body; !strings.Contains(state, `"state":"running"`) {
			t.Fatalf("%s: %.100s", name, state)
		}
	}
	if _, stderr, code := invoke(t, "crawl", "--data", server.data, "--stop", "river"); code != 0 {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
