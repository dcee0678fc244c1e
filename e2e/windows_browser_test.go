package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// An archived page doesn't get hold of a window with a page of varve's own, and none of varve's own is its opener: neither
// can be read, scripted or led elsewhere.
func TestWindowsOfVarvesOwnAreOutOfReach(t *testing.T) {
	t.Parallel()
	a := (&archive{}).page(host+"/", day, "<!doctype html><title>t</title><body><p>text<iframe></iframe>")
	g := browseAsReaders(t, a.serve(t))
	g.open(t, at14("/"))
	// The functions of a frame that no script of varve has seen: inside.js would lead these addresses into the archive.
	reach := func(target string) string {
		return evaluate[string](t, g, fmt.Sprintf(`new Promise((done) => {
			const w = frames[0].open(%q, "named"), end = Date.now() + 3000;
			const look = () => {
				if (!w || w.closed) return done(w ? "out of reach" : "null");
				let there = "";
				try { there = w.location.href + " " + w.document.body.innerText } catch (e) { there = "?" } // on its way
				if (there.includes("text")) return done("in reach at " + there);
				if (Date.now() > end) return done("in reach at " + there);
				setTimeout(look, 20);
			};
			look();
		})`, target))
	}
	for _, target := range []string{
		"/", "/web/", "/web/*/" + host + "/", "/web/search?q=text", "/web/changes/" + host + "/", "/-/healthz", "/-/metrics",
		"/web/landing/2010/" + host + "/gone", "/web/timemap/html/" + host + "/", "/nowhere",
	} {
		if got := reach(target); got != "out of reach" {
			t.Errorf("%s is %s", target, got)
		}
	}
	if got := reach(at14("/")); !strings.Contains(got, "text") { // or else the test sees nothing
		t.Errorf("an archived page is %s", got)
	}
	g.open(t, "/web/")
	said := evaluate[string](t, g, fmt.Sprintf(`new Promise((done) => {
		const w = open(%q, "other"), end = Date.now() + 4000;
		const look = () => w.closed ? done("closed to varve's page") : Date.now() > end ? done("open to it") : setTimeout(look, 20);
		look();
	})`, at14("/")))
	if said != "closed to varve's page" {
		t.Errorf("a window with an archived page is %s, and so is varve's page to it", said)
	}
}

// A page of one collection doesn't get hold of a window with a page of another, by whatever frame it opens it, in one step or
// two, under its own address or a false one. Without a policy of openers the text would be read.
func TestCollectionsDoNotReadEachOther_long(t *testing.T) {
	t.Parallel()
	g := browseAsReaders(t, severalCollections(t))
	const inside, other = "/hills/20140105100000/" + rain, "/valley/20160105100000/" + rain
	for name, open := range map[string]string{
		"opened":       `frames[0].open(other, "a")`,
		"a TimeGate":   `frames[0].open("/valley/` + rain + `", "b")`,
		"by raw bytes": `frames[0].open(other.replace("/http", "id_/http"), "c")`,
		"by way of its own collection": `((w) => (setTimeout(() => { try { w.location = other } catch {} }, 800), w))` +
			`(frames[0].open(location, "d"))`,
		"by way of an empty window": `((w) => (setTimeout(() => { try { w.location = other } catch {} }, 300), w))(frames[0].open("", "e"))`,
		"from a false address":      `(frames[0].History.prototype.pushState.call(history, 0, "", other), frames[0].open(other, "f"))`,
	} {
		g.open(t, inside)
		got := evaluate[string](t, g, fmt.Sprintf(`new Promise((done) => {
			document.body.append(document.createElement("iframe"));
			const other = %q, w = %s, end = Date.now() + 4000;
			const look = () => {
				let there = "";
				try { there = w.document.body.innerText } catch (e) { }
				if (there.includes("harvest")) return done("in reach");
				if (Date.now() > end) return done(w && !w.closed ? "open" : "out of reach");
				setTimeout(look, 20);
			};
			look();
		})`, other, open))
		if got == "in reach" {
			t.Errorf("%s: a page of another collection is %s", name, got)
		}
	}
}
