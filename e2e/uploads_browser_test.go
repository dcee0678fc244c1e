package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// drop drops files of this machine in the middle of the page, as a reader does.
func (g *stage) drop(t *testing.T, paths ...string) {
	t.Helper()
	err := chromedp.Do(g.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		data := &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1}
		for _, kind := range []input.DispatchDragEventType{"dragEnter", "dragOver", "drop"} {
			if _, err := cdp.Call(ctx, target, input.DispatchDragEvent,
				input.DispatchDragEventParams{Type: kind, X: 300, Y: 300, Data: data}); err != nil {
				return err
			}
		}
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
}

// choose chooses files of this machine in the field for them.
func (g *stage) choose(t *testing.T, paths ...string) {
	t.Helper()
	err := chromedp.Do(g.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		field, err := cdp.Call(ctx, target, runtime.Evaluate, runtime.EvaluateParams{Expression: `document.querySelector("input[type=file]")`})
		if err != nil {
			return err
		}
		_, err = cdp.Call(ctx, target, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: paths, ObjectID: field.Result.ObjectID})
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
}

// someUploads are files of this machine: one with a page, one that is none.
func someUploads(t *testing.T) (good, bad string) {
	t.Helper()
	dir := t.TempDir()
	good, bad = filepath.Join(dir, "my pages.warc.gz"), filepath.Join(dir, "notes.warc")
	put(t, good, (&archive{}).page("http://dropped.example/", day, "<title>Dropped</title><p>the dropped page").bytes())
	put(t, bad, []byte("nothing but notes"))
	return good, bad
}

// A reader drops files on the home page, sees what became of each, and reads a page of one.
func TestDroppedFilesAreRead(t *testing.T) {
	t.Parallel()
	g := browse(t, start(t, "serve"))
	g.open(t, "/")
	good, bad := someUploads(t)
	g.drop(t, bad, good)
	g.until(t, `document.querySelector(".upload.refused[data-over]") && document.querySelector(".upload.done[data-over]")`)
	if said := evaluate[string](t, g, `document.querySelector(".upload.refused").innerText`); !strings.Contains(said, "notes.warc") ||
		!strings.Contains(said, "neither WARC, ARC nor WACZ") {
		t.Errorf("of what is no WARC: %q", said)
	}
	if said := evaluate[string](t, g, `document.querySelector(".upload.done").innerText`); !strings.Contains(said, "my_pages.warc.gz") ||
		!strings.Contains(said, "1 capture") {
		t.Errorf("of the other: %q", said)
	}
	heard := evaluate[string](t, g, `document.querySelector("[role=status]").textContent`)
	if !strings.Contains(heard, "my pages.warc.gz: Added") {
		t.Errorf("to those who hear the page: %q", heard)
	}
	evaluate[bool](t, g, `(document.querySelector(".upload.done a[href*='dropped.example']").click(), true)`)
	g.arrive(t, "/web/"+day+"/http://dropped.example/")
	if body := evaluate[string](t, g, `document.body.innerText`); !strings.Contains(body, "the dropped page") {
		t.Errorf("its page: %q", body)
	}
}

// Without scripts, and from the keyboard, it is a form.
func TestFilesAreSentByAForm(t *testing.T) {
	t.Parallel()
	g := browse(t, start(t, "serve"))
	g.scripts(t, false)
	g.open(t, "/")
	good, bad := someUploads(t)
	g.choose(t, good, bad)
	evaluate[bool](t, g, `(document.querySelector(".dropzone button").focus(), true)`)
	if err := chromedp.Do(g.ctx, chromedp.KeyEvent("\r")); err != nil {
		t.Fatal(err)
	}
	g.until(t, `location.pathname.startsWith("/-/uploads/") && document.querySelectorAll(".upload[data-over]").length === 2`)
	text := evaluate[string](t, g, `document.body.innerText`)
	if !strings.Contains(text, "my_pages.warc.gz") || !strings.Contains(text, "Neither WARC") && !strings.Contains(text, "neither WARC") {
		t.Errorf("%q", text)
	}
}

// uploading are ways in which an archived page's script may try to hand in a file. raw is a window that no script of varve has
// seen; sent is a form's text, and token is what it finds on varve's pages. Each tells how far it got.
var uploading = map[string]string{
	"fetch":         `raw.fetch("/-/uploads?name=a.warc", {method: "POST", body: warc}).then((r) => r.status)`,
	"fetch, opaque": `raw.fetch("/-/uploads?name=a.warc", {method: "POST", body: warc, mode: "no-cors"}).then((r) => r.status)`,
	"XMLHttpRequest": `new Promise((done) => {
		const x = new raw.XMLHttpRequest();
		x.onloadend = () => done(x.status);
		x.open("POST", "/-/uploads?name=a.warc");
		x.send(warc);
	})`,
	"a beacon":       `raw.navigator.sendBeacon("/-/uploads?name=a.warc", warc)`,
	"home, by fetch": `tokenIn(await (await raw.fetch("/")).text())`,
	"the collection's page, by fetch, and its token": `use(tokenIn(await (await raw.fetch("/web/", {cache: "reload"})).text()))`,
	"… from a cache": `use(tokenIn(await (await raw.fetch("/web/", {cache: "force-cache"})).text()))`,
	"the collection's page, in a frame, and all that it may do": `(async () => {
		const f = raw.document.createElement("iframe");
		f.src = "/web/";
		raw.document.body.append(f);
		await new Promise((done) => { f.onload = done });
		const w = f.contentWindow, token = tokenIn(w.document.documentElement.outerHTML);
		const read = async (path) => tokenIn(await (await w.fetch(path, {headers: {Accept: "text/html"}})).text());
		const found = await read("/") || await read("/-/uploads");
		const r = await w.fetch("/-/uploads?name=a.warc", {method: "POST", body: warc, headers: {"X-Varve-Token": token || found}});
		return token + found + " " + r.status;
	})()`,
	"a form in a frame": `(async () => {
		const d = raw.document, form = d.createElement("form");
		Object.assign(form, {method: "post", enctype: "multipart/form-data", action: "/-/uploads"});
		const file = Object.assign(d.createElement("input"), {type: "file", name: "file"}), list = new raw.DataTransfer();
		list.items.add(new raw.File([warc], "a.warc"));
		file.files = list.files;
		form.append(file);
		d.body.append(form);
		form.submit();
		await new Promise((done) => setTimeout(done, 500));
		return d.title;
	})()`,
	"a worker": `new Promise((done) => {
		const script = "fetch('" + location.origin + "/-/uploads?name=a.warc', {method: 'POST', body: 'x'})" +
			".then((r) => postMessage(r.status), () => postMessage('no'))";
		const w = new raw.Worker(raw.URL.createObjectURL(new raw.Blob([script])));
		w.onmessage = (e) => done(e.data);
		w.onerror = () => done("no");
	})`,
	"a window with home": `(async () => {
		const w = raw.open("/", "other");
		for (let i = 0; i < 50 && w && !w.closed; i++) {
			await new Promise((done) => setTimeout(done, 20));
			try {
				const token = tokenIn(w.document.documentElement.outerHTML);
				if (token) return await use(token);
			} catch { }
		}
		return "none";
	})()`,
}

const uploadingWith = `(async () => {
	const raw = frames[0], warc = %s;
	const tokenIn = (html) => (/name="token" value="([^"]*)"/.exec(html) || ["", ""])[1];
	const use = async (token) => token && token + " " + (await raw.fetch("/-/uploads?name=a.warc",
		{method: "POST", body: warc, headers: {"X-Varve-Token": token}})).status;
	return String(await (%s));
})().catch((e) => "refused: " + e.name)`

// No script of an archived page hands in a file, though it is on the origin of varve's own pages, and none finds the token
// that it takes; varve's own page does.
func TestArchivedPagesCannotHandInFiles(t *testing.T) {
	t.Parallel()
	a := (&archive{}).page(host+"/", day, "<!doctype html><title>t</title><body><p>text<iframe></iframe>")
	s, folder := serve(t, map[string][]byte{"a.warc.gz": a.bytes()})
	g := browseAsReaders(t, s)
	content, err := json.Marshal((&archive{plain: true}).page("http://smuggled.example/", day, "x").buf.String())
	if err != nil {
		t.Fatal(err)
	}
	g.open(t, "/web/") // so that a cache could have it
	if !evaluate[bool](t, g, `document.querySelector("[name=token]").value.length > 20`) {
		t.Fatal("varve's own page has no token")
	}
	names := make([]string, 0, len(uploading))
	for name := range uploading {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		g.open(t, at14("/"))
		got := evaluate[string](t, g, fmt.Sprintf(uploadingWith, content, uploading[name]))
		if strings.Contains(got, "202") || len(got) > 60 {
			t.Errorf("%s: %s", name, got)
		}
		t.Logf("%s: %s", name, got)
	}
	if all, hidden := listed(t, folder); len(all) != 1 || len(hidden) > 0 {
		t.Errorf("handed in: %v %v", all, hidden)
	}
	g.open(t, "/web/")
	status := evaluate[int](t, g, fmt.Sprintf(`fetch("/-/uploads?name=own.warc", {method: "POST", body: %s,
		headers: {"X-Varve-Token": document.querySelector("[name=token]").value}}).then((r) => r.status)`, content))
	if status != 202 {
		t.Errorf("varve's own page: %d", status) // or else the test sees nothing
	}
	eventually(t, "the file of varve's own page", func() bool {
		_, err := os.Stat(filepath.Join(folder, "own.warc"))
		return err == nil
	})
}
