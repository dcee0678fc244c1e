package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// A reader orders a crawl on the page: what is wrong is said beside its field, and the process beside the server runs what is right.
func TestCrawlIsOrderedOnAPage(t *testing.T) {
	t.Parallel()
	site := crawled(t, 20, 0)
	server := start(t, "serve", "--crawls")
	g := browse(t, server)
	g.open(t, "/-/jobs")
	fill := func(field, value string) {
		t.Helper()
		evaluate[bool](t, g, fmt.Sprintf(`(document.querySelector('[name=%s]').value = %q) !== ""`, field, value))
	}
	send := func(field string) {
		t.Helper()
		evaluate[bool](t, g, fmt.Sprintf(`document.querySelector('[name=%s]').form.querySelector("button").click() === undefined`, field))
	}
	fill("seeds", site.URL+"/")
	fill("max_pages", "ten")
	send("seeds")
	g.until(t, `document.querySelector("#wrong-max_pages")?.textContent.includes("want a number")`)
	g.until(t, `document.querySelector("[name=seeds]").value.includes("127.0.0.1")`)
	fill("file", "seeds: ['"+site.URL+"/']\nname: river\nallow_private: true\ndelay: 0s\n"+
		"template: {fields: [{name: heads, each: body, fields: [{name: title, css: h1}]}]}")
	send("file")
	g.until(t, `document.querySelector(".crawlstate.done")`) // by itself
	eventually(t, "what was captured is served", func() bool {
		return strings.Count(server.get(t, "/web/cdx?url="+site.URL+"/*").body, "\n") > 20
	})
	for path, want := range map[string]string{
		"/-/jobs":                                `"state":"done"`,
		"/-/crawls/river/documents":              `"{""title"":""`,
		"/-/crawls/river/documents?output=jsonl": `"heads":[{"title":"`,
	} {
		if got := server.get(t, path).body; !strings.Contains(got, want) {
			t.Errorf("%s: %s", path, got)
		}
	}
	g.open(t, "/-/settings")
	fill("text", "fields: [{urls: ['*.example'], fields: [{name: title_of, css: h1, type: text}]}]")
	send("text")
	g.until(t, `document.querySelector("main [role=status]")?.textContent.includes("Saved")`)
	if got := server.get(t, "/-/settings").body; !strings.Contains(got, "title_of") {
		t.Errorf("saved: %s", got)
	}
}

// ordering are ways in which an archived page's script may try to send a form to a page of varve's own, with the words of [uploadingWith].
// The first is the path, the second the form.
var ordering = map[string]string{
	"a form by fetch": `raw.fetch(%[1]q, {method: "POST", body: new raw.URLSearchParams(%[2]q)}).then((r) => String(r.status))`,
	"the same, opaque": `raw.fetch(%[1]q, {method: "POST", mode: "no-cors", body: new raw.URLSearchParams(%[2]q)})
		.then((r) => String(r.status))`,
	"a beacon": `String(raw.navigator.sendBeacon(%[1]q, new raw.URLSearchParams(%[2]q)))`,
	"reading":  `await (await raw.fetch(%[1]q)).text() + %[2]q.slice(0, 0)`,
	"a frame": `(async () => {
		const f = raw.document.createElement("iframe");
		f.src = %[1]q;
		raw.document.body.append(f);
		await new Promise((done) => { f.onload = done });
		return tokenIn(f.contentDocument?.documentElement.outerHTML ?? "") + %[2]q.slice(0, 0);
	})()`,
	"a form": `(async () => {
		const d = raw.document, form = d.createElement("form");
		Object.assign(form, {method: "post", action: %[1]q});
		for (const [name, value] of new raw.URLSearchParams(%[2]q)) {
			form.append(Object.assign(d.createElement("input"), {name, value}));
		}
		d.body.append(form);
		form.submit();
		await new Promise((done) => setTimeout(done, 500));
		return "";
	})()`,
	"a window": `(async () => {
		const w = raw.open(%[1]q, "other");
		for (let i = 0; i < 50 && w && !w.closed; i++) {
			await new Promise((done) => setTimeout(done, 20));
			try {
				w.document.querySelector("form").submit();
				return "200";
			} catch { }
		}
		return "none" + %[2]q.slice(0, 0);
	})()`,
}

// No script of an archived page orders a crawl or saves settings, though it is on the origin of varve's own pages.
func TestArchivedPagesCannotOrderCrawls(t *testing.T) {
	t.Parallel()
	a := (&archive{}).page(host+"/", day, "<!doctype html><title>t</title><body><p>text<iframe></iframe>")
	server, _ := serve(t, map[string][]byte{"a.warc.gz": a.bytes()})
	g := browseAsReaders(t, server)
	for path, form := range map[string]string{
		"/-/jobs":     "seeds=http://a.example/",
		"/-/settings": "part=templates&text=fields: []",
	} {
		before := server.get(t, path).body
		for _, name := range slices.Sorted(maps.Keys(ordering)) {
			g.open(t, at14("/"))
			got := evaluate[string](t, g, fmt.Sprintf(uploadingWith, `""`, fmt.Sprintf(ordering[name], path, form)))
			if strings.Contains(got, "20") || strings.Contains(got, "jobs") || len(got) > 60 {
				t.Errorf("%s: %s: %.200s", path, name, got)
			}
			if after := server.get(t, path).body; after != before {
				t.Fatalf("%s: %s: %s", path, name, after)
			}
		}
	}
}
