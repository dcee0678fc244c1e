package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// framesets are pages of frames: each shows /menu and /one in frames of these names.
var framesets = map[string]string{
	"columns":     `<frameset cols="25%,*"><frame name=menu src=/menu><frame name=main src=/one></frameset>`,
	"rows":        `<frameset rows="60,*" border=0><frame name=menu src=/menu scrolling=no noresize><frame name=main src=/one></frameset>`,
	"percents":    `<frameset rows="20%,*" frameborder=0><frame name=menu src=/menu><frame name=main src=/one></frameset>`,
	"only pixels": `<frameset rows="100,300" border=2><frame name=menu src=/menu><frame name=main src=/one></frameset>`,
	"nested": `<frameset rows="60,*,30"><frame name=top src=/head><frameset cols="20%,80%"><frame name=menu src=/menu>` +
		`<frame name=main src=/one></frameset><frame name=foot src=/head></frameset><noframes><body><p>No frames.</body></noframes>`,
	"a frameset in a frame": `<frameset cols="20%,80%"><frame name=menu src=/menu><frame name=main src=/rows></frameset>`,
	"written by a script": `<script>document.write('<frameset rows="60,*"><frame name=menu src=/menu>' +
		'<frame name=main src=/one></frameset>')</script>`,
	"behind other elements": `<script>var w = 1</script></head><!-- frames --><noframes>None.</noframes>` +
		`<frameset rows="60,*" onload="done = 1"><frame name=menu src=/menu><frame name=main src=/one></frameset>`,
}

// frameFacts is what scripts of a page of frames learn of them: in the page, and in the frame of the menu.
const frameFacts = `
	var say = [], body = document.body;
	function tell(name, f) { try { say.push(name + "=" + f()); } catch (e) { say.push(name + ": " + e.name); } }
	tell("body", function () { return [body.tagName, body.rows, body.cols, body.getAttribute("rows"), body.children.length]; });
	tell("frames", function () { return [frames.length, window.length, frames[0].name, frames["main"].name, main.name]; });
	tell("framesets", function () { var all = document.getElementsByTagName("frameset"); return [all.length, all[0].rows, all[0] === body]; });
	tell("tags", function () { return ["frame", "noframes"].map(function (n) { return document.getElementsByTagName(n).length; }); });
	tell("top", function () { return [top === self, parent === self, top.location === location, window.frameElement]; });
	tell("title", function () { return [document.title, frames["main"].document.title]; });
	tell("rows", function () {
		var was = body.getAttribute("rows"), told = [];
		body.rows = "10,*"; told.push(body.rows, body.getAttribute("rows"));
		body.setAttribute("rows", "*,20"); told.push(body.rows, body.getAttribute("ROWS"));
		body.removeAttribute("rows"); told.push(body.rows, body.getAttribute("rows"));
		body.rows = was || "*";
		if (was === null) body.removeAttribute("rows");
		return told.concat(body.rows).join("|");
	});
	return say.concat(menu.facts()).join("\n");`

// frameSizes is where the frames are, down from the end of the banner.
const frameSizes = `(() => {
	const out = [], walk = (w, top) => [...w.document.querySelectorAll("frame")].forEach((f) => {
		const r = f.getBoundingClientRect();
		out.push([f.name, r.left, r.top - top, r.width, r.height].map((n) => n.toFixed?.(0) ?? n).join(" "));
		walk(f.contentWindow, 0);
	});
	walk(window, document.querySelector("varve-banner")?.offsetHeight || 0);
	return out.join("\n");
})()`

const menuPage = `<title>Menu</title><a id=two href=/two target=main>Two</a> <a id=up href=/alone target=_top>Alone</a>
	<a id=parent href=/alone target=_parent>Parent</a> <a id=out href=/out target=main>Out</a>
	<a id=script href="javascript:parent.main.location = '/two'; void 0">By a script</a>
	<a id=above href="javascript:top.location.href = '/alone'; void 0">Above</a><script>
	function facts() {
		var say = ["of the menu:"];
		function tell(name, f) { try { say.push(name + "=" + f()); } catch (e) { say.push(name + ": " + e.name); } }
		tell("self", function () { return name + " " + (self === parent.frames["menu"]) + " " + frameElement.name + " " + frames.length; });
		tell("top", function () { return (top.location != self.location) + " " + (top === parent) + " " + top.frames.length; });
		tell("parent", function () { return parent.frames.length + " " + parent.document.body.rows + " " + parent.document.title; });
		tell("others", function () { return parent.main.location.pathname + " " + parent.frames["main"].document.body.innerText; });
		tell("indices", function () { for (var i = 0, at = []; i < parent.frames.length; i++) at.push(parent.frames[i].name); return at; });
		tell("up", function () { return parent.frames[0].parent === parent && parent.top === top; });
		return say;
	}
	</script>`

func frameSite() *archive {
	a := (&archive{}).page(host+"/menu", day, menuPage).page(host+"/head", day, "<title>Head</title><p>head").
		page(host+"/one", day, "<title>One</title><body bgcolor=#ddeeff><p>One").page(host+"/two", day, "<title>Two</title><p>Two").
		page(host+"/alone", day, "<title>Alone</title><p>Alone").
		page(host+"/out", day, "<title>Out</title><script>if (top.location != self.location) top.location = self.location</script><p>Out")
	for name, frames := range framesets {
		a.page(host+"/"+slug(name), day,
			"<html><head><title>"+name+"</title><base target=main><script>function all() {"+frameFacts+"}</script>"+frames)
	}
	a.page(host+"/columns", "20110101000000", "<html><head><base target=main><title>other columns</title>"+framesets["columns"])
	return a
}

// framed is true when the banner stands above a page of frames and makes room.
var framed = inBanner(`$(":popover-open") && host.offsetHeight > 60 && host.offsetHeight === $("nav").offsetHeight`) +
	` && frames.main.document.readyState === "complete"`

// A page of frames has the banner above them, and all that its scripts learn of the frames is as it was live.
func TestFramesetsAreAsTheyWereLive_long(t *testing.T) {
	t.Parallel()
	hasWombat(t)
	s := frameSite().serve(t)
	g, plain := browse(t, s), direct(t, s, day)
	for name := range framesets {
		t.Run(name, func(t *testing.T) {
			live := func(height int64) {
				t.Helper()
				if _, err := chromedp.Run(plain.ctx, chromedp.EmulateViewport(1000, height)); err != nil {
					t.Fatal(err)
				}
			}
			same := func(expression string) {
				t.Helper()
				got, want := evaluate[string](t, g, expression), evaluate[string](t, plain, expression)
				if got != want || strings.Count(want, "\n") < 1 {
					t.Errorf("replayed\n%s\nlive\n%s", got, want)
				}
			}
			if err := chromedp.Do(g.ctx, chromedp.Navigate("about:blank")); err != nil {
				t.Fatal(err)
			}
			if _, err := chromedp.Run(g.ctx, chromedp.EmulateViewport(1000, 700)); err != nil {
				t.Fatal(err)
			}
			g.open(t, shown("/"+slug(name)))
			g.until(t, framed)
			high := evaluate[int64](t, g, `document.querySelector("varve-banner").offsetHeight`)
			g.picture(t, "frameset-"+slug(name))
			live(700 - high)
			if err := chromedp.Do(plain.ctx, chromedp.Navigate(host+"/"+slug(name))); err != nil {
				t.Fatal(err)
			}
			plain.until(t, `frames.main.document.readyState === "complete"`)
			same(frameSizes)
			same("all()")
			same(frameSizes)

			evaluate[bool](t, g, inBanner(`($(".x").click(), true)`))
			live(700)
			tag := evaluate[string](t, plain, `document.body.outerHTML.split(">")[0]`)
			g.until(t, fmt.Sprintf(`document.body.outerHTML.split(">")[0] === %q`, tag))
			same(frameSizes)
			evaluate[bool](t, g, inBanner(`($(".x").click(), true)`))
		})
	}
	g.contained(t)
}

// Readers go on from a page of frames by the banner, by keys pressed in a frame, and by the links in its frames.
func TestReadersLeaveFramesets(t *testing.T) {
	t.Parallel()
	hasWombat(t)
	g := browse(t, frameSite().serve(t))
	const later = "/web/20110101000000/" + host + "/columns"
	in := func(expression string) { evaluate[bool](t, g, `(`+expression+`, true)`) }
	begin := func() {
		t.Helper()
		g.open(t, shown("/columns"))
		g.until(t, framed)
	}
	for link, want := range map[string]string{
		"up": shown("/alone"), "parent": shown("/alone"), "above": shown("/alone"), "out": shown("/out"),
	} {
		begin()
		in(`frames.menu.document.getElementById("` + link + `").click()`)
		g.arrive(t, want)
		g.until(t, `document.querySelector("varve-banner[data-on]")`)
	}
	begin()
	in(inBanner(`$('a[rel="next"]').click()`))
	g.arrive(t, later)
	for _, link := range []string{"script", "two"} {
		begin()
		in(`frames.menu.document.getElementById("` + link + `").click()`)
		g.until(t, `frames.main.document.title === "Two" && frames.main.document.readyState === "complete"`)
		if evaluate[bool](t, g, `frames.main.document.querySelector("varve-banner") !== null`) {
			t.Errorf("%s: a frame has a banner", link)
		}
	}
	in(`((page) => (page.body.style.padding = "3000px 0", page.querySelector("p").scrollIntoView()))(frames.main.document)`)
	g.until(t, `frames.main.scrollY > 2000 && scrollY === 0`)
	in(inBanner(`$("summary").click()`))
	g.until(t, inBanner(`$("details[open]")`))
	in(`frames.main.focus()`)
	g.until(t, inBanner(`!$("details[open]")`))
	if err := chromedp.Do(g.ctx, chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))); err != nil {
		t.Fatal(err)
	}
	g.arrive(t, later)
	g.contained(t)
}

// Through the proxy pages of frames have the banner, and their frames have none, whether or not browsers say that a frame asks.
func TestProxiedFramesetsHaveTheBanner(t *testing.T) {
	t.Parallel()
	proxy := freeAddress(t)
	s := frameSite().serve(t, "--proxy", proxy)
	g := behind(t, proxy, s)
	for _, scheme := range []string{"http:", "https:"} {
		g.navigate(t, scheme+strings.TrimPrefix(host, "http:")+"/nested")
		g.until(t, framed)
		g.picture(t, "frameset-proxied")
		if got := evaluate[string](t, g, frameSizes); !strings.HasPrefix(got, "top 0 0 ") {
			t.Errorf("%s the frames are at\n%s", scheme, got)
		}
		evaluate[bool](t, g, `(frames.menu.document.getElementById("two").click(), true)`)
		g.until(t, `frames.main.document.title === "Two" && frames.main.document.readyState === "complete"`)
		if evaluate[bool](t, g, `[...Array(frames.length).keys()].some((i) => frames[i].document.querySelector("varve-banner"))`) {
			t.Errorf("%s a frame has a banner", scheme)
		}
	}
}

// With a host for each archived origin the banner doesn't reach into frames of other sites, and works all the same.
func TestFramesetsOfSeveralSites(t *testing.T) {
	t.Parallel()
	a := frameSite().page("http://far.example/", day, "<title>Far</title><p>Far")
	for ts, title := range map[string]string{day: "Then", "20110101000000": "Later on"} {
		a.page(host+"/far", ts, "<title>"+title+"</title><frameset rows=60,*><frame name=menu src=/menu><frame name=far src=http://far.example/>")
	}
	g := onManyOrigins(t, a.serve(t, "--public-url", publicOrigin, "--replay-url", "http://*.replay.localhost"))
	g.open(t, shown("/far"))
	g.until(t, inBanner(`$(":popover-open") && host.offsetHeight > 60`)+` && frames.menu.document.readyState === "complete"`)
	if evaluate[bool](t, g, `(() => { try { return frames.far.document !== null } catch { return false } })()`) {
		t.Fatal("the other site has no origin of its own")
	}
	evaluate[bool](t, g, `(frames.menu.focus(), true)`)
	if err := chromedp.Do(g.ctx, chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))); err != nil {
		t.Fatal(err)
	}
	g.arrive(t, "/web/20110101000000/"+host+"/far")
	g.contained(t)
}
