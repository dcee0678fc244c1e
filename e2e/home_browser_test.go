package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// rain is a page that both collections of severalCollections have.
const rain = "http://rain.example/"

// severalCollections serves two collections. Both have a page, of which they saw other captures; each has one of its own.
func severalCollections(t *testing.T) *server {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	const before = "<!doctype html><title>Rain</title><p>It rains on the hills since the morning and nobody knows when it will stop."
	const after = "<!doctype html><title>Rain</title><p>The sun shines on the valley again, and the harvest is brought home."
	for coll, a := range map[string]*archive{
		"hills": (&archive{}).page(rain, "20100105100000", before).page(rain, "20140105100000", after).
			page("http://raincoats.example/", "20140105100000", "<!doctype html><title>Coats</title><p>umbrellas and galoshes"),
		"valley": (&archive{}).page(rain, "20120105100000", before).page(rain, "20160105100000", after).
			page("http://rainbow.example/", "20160105100000", "<!doctype html><title>Bow</title><p>seven colours"),
	} {
		file := filepath.Join(t.TempDir(), coll+".warc.gz")
		put(t, file, a.bytes())
		if _, stderr, code := invoke(t, "index", "--data", data, "--collection", coll, file); code != 0 {
			t.Fatalf("indexing %s: %s", coll, stderr)
		}
	}
	s, err := launch(data, "serve")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Errorf("stopping varve: %v\n%s", err, s.log)
		}
	})
	return s
}

// With one collection, home is that collection, at a glance: how much, from when to when, by year, and where to begin.
func TestHomeIsACollectionAtAGlance(t *testing.T) {
	t.Parallel()
	g := browse(t, searchable(t))
	g.open(t, "/")
	facts := evaluate[string](t, g, `document.querySelector(".facts").innerText`)
	for _, want := range []string{"853 captures", "1 March 2008", "1 September 2024"} {
		if !strings.Contains(facts, want) {
			t.Errorf("%q lacks %q", facts, want)
		}
	}
	// The picture of years and its table say the same, and a taller bar has more captures.
	if n := evaluate[int](t, g, `document.querySelectorAll(".yearbars a").length`); n != 17 {
		t.Errorf("%d years from 2008 to 2024", n)
	}
	bars := evaluate[string](t, g, `[...document.querySelectorAll(".yearbars a")].map((a) => a.title).join("; ")`)
	evaluate[bool](t, g, `(document.querySelector("#years ~ details summary").click(), true)`)
	g.until(t, `document.querySelector("#years ~ details table").offsetHeight > 100`)
	table := evaluate[string](t, g, `[...document.querySelectorAll("#years ~ details tbody tr")].map((r) => ((y, c, v) => `+
		`y + ": " + c + (c === "1" ? " capture, " : " captures, ") + v + (v === "1" ? " version" : " versions"))`+
		`(...[...r.cells].map((c) => c.textContent))).join("; ")`)
	if bars != table || !strings.Contains(table, "2016: 145 captures, 9 versions") {
		t.Errorf("the bars say\n%s, their table\n%s", bars, table)
	}
	if !evaluate[bool](t, g, `((high) => high(2016) > high(2008) && high(2008) > 0)((y) => [...document.querySelectorAll(".yearbars a")]`+
		`.find((a) => a.textContent.includes(y)).querySelector(".ca").getBoundingClientRect().height)`) {
		t.Error("the bar of the year with the most captures is not the tallest")
	}
	shelves := evaluate[string](t, g, `[...document.querySelectorAll(".shelf")].map((s) => s.querySelector("h2").textContent + " " + `+
		`s.querySelectorAll("li, tbody tr").length).join(", ")`)
	for _, want := range []string{"Changed most", "Changed last", "Longest life", "Hosts", "Addresses to start with"} {
		if !strings.Contains(shelves, want) {
			t.Errorf("%q lacks %q", shelves, want)
		}
	}
	// Each way on leads to what it names.
	g.keys(t, `[...document.querySelectorAll(".yearbars a")].find((a) => a.textContent.includes("2016")).focus()`, "\r")
	g.until(t, `location.search.includes("since=2016") && document.querySelector(".cardlist tbody tr")`)
	g.open(t, "/")
	first := evaluate[string](t, g, `document.querySelector(".shelf li a").title`)
	g.keys(t, `document.querySelector(".shelf li a").focus()`, "\r")
	g.until(t, `document.querySelector("h1 .uri, varve-banner")`)
	if at := evaluate[string](t, g, `decodeURI(location.href)`); !strings.HasSuffix(at, first) {
		t.Errorf("the first page to start with, %s, leads to %s", first, at)
	}
}

// With several collections home shows each, and the calendar over all of them has their captures side by side.
func TestCollectionsSideBySide(t *testing.T) {
	t.Parallel()
	g := browse(t, severalCollections(t))
	g.open(t, "/")
	const cards = `[...document.querySelectorAll(".cards h3")].map((h) => h.textContent).join(" ")`
	if got := evaluate[string](t, g, cards); got != "hills valley" {
		t.Errorf("the cards are of %q", got)
	}
	g.keys(t, `document.querySelector(".box input").focus()`, rain+"\r")
	g.arrive(t, "/-/calendar")
	text := evaluate[string](t, g, `document.querySelector("main").innerText`)
	for _, want := range []string{"4 captures", "2 versions", "hills", "valley"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	shares := evaluate[string](t, g, `[...document.querySelectorAll(".shares li")].map((l) => l.innerText.trim()).join("; ")`)
	if strings.Count(shares, "2 captures, 2 versions") != 2 {
		t.Errorf("the shares: %q", shares)
	}
	// A day of one of them, and of the other.
	for year, coll := range map[string]string{"2010": "hills", "2012": "valley"} {
		g.open(t, "/-/calendar?url="+rain+"&on="+year)
		evaluate[bool](t, g, `(document.querySelector("a.day").click(), true)`)
		g.until(t, `document.querySelector(".daylist tbody a")`)
		if row := evaluate[string](t, g, `document.querySelector(".daylist tbody").innerText`); !strings.Contains(row, coll) {
			t.Errorf("the day in %s is not told to be of %s: %q", year, coll, row)
		}
		evaluate[bool](t, g, `(document.querySelector('.daylist tbody a[href*="`+year+`0105"]').click(), true)`)
		g.arrive(t, fmt.Sprintf("/%s/%s0105100000/%s", coll, year, rain))
	}
}

// A completion is what the box offers at this moment.
const (
	offered = `[...document.querySelectorAll(".box [role=option]")].map((o) => o.textContent).join("|")`
	shownAs = `((box, list) => (box.getAttribute("aria-expanded") === "true") === !list.hidden && !list.hidden && ` +
		`list.getBoundingClientRect().height > 20)(document.querySelector(".box input"), document.querySelector(".box [role=listbox]"))`
	inTheBox = `document.querySelector(".box input").value`
	named    = `((box) => document.getElementById(box.getAttribute("aria-activedescendant"))?.textContent || "")` +
		`(document.querySelector(".box input"))`
)

// typeInto types into the empty box, and waits for a completion.
func (g *stage) typeInto(t *testing.T, typed, completion string) []string {
	t.Helper()
	g.keys(t, `((box) => (box.value = "", box.focus()))(document.querySelector(".box input"))`, typed)
	g.until(t, shownAs+" && ("+offered+`).split("|").includes("`+completion+`")`)
	return strings.Split(evaluate[string](t, g, offered), "|")
}

func (g *stage) strike(t *testing.T, keys string) {
	t.Helper()
	if err := chromedp.Do(g.ctx, chromedp.KeyEvent(keys)); err != nil {
		t.Fatal(err)
	}
}

// The box completes addresses and words. Arrows choose and go round, Escape gives back what was typed, Enter goes there.
func TestBoxCompletesFromTheKeyboard(t *testing.T) {
	t.Parallel()
	g := browse(t, searchable(t))
	const address = "http://www.riverbend.example/"
	g.open(t, "/")
	list := g.typeInto(t, "river", address)
	if len(list) < 2 || list[0] != address {
		t.Fatalf("offered: %q", list)
	}
	g.strike(t, kb.ArrowDown)
	if in, to := evaluate[string](t, g, inTheBox), evaluate[string](t, g, named); in != address || to != address {
		t.Errorf("after one arrow the box has %q, and screen readers hear %q", in, to)
	}
	g.strike(t, strings.Repeat(kb.ArrowDown, len(list)-1))
	if in := evaluate[string](t, g, inTheBox); in != list[len(list)-1] {
		t.Errorf("at the end of the list the box has %q", in)
	}
	g.strike(t, kb.ArrowDown)
	if in, to := evaluate[string](t, g, inTheBox), evaluate[string](t, g, named); in != "river" || to != "" {
		t.Errorf("behind the list the box has %q, and %q is chosen", in, to)
	}
	g.strike(t, kb.ArrowUp)
	if in := evaluate[string](t, g, inTheBox); in != list[len(list)-1] {
		t.Errorf("up from the field the box has %q", in)
	}
	g.strike(t, kb.Escape)
	if in := evaluate[string](t, g, inTheBox); in != "river" || evaluate[bool](t, g, shownAs) {
		t.Errorf("after Escape the box has %q, or its list is open", in)
	}
	g.typeInto(t, "river", address)
	g.strike(t, kb.ArrowDown+kb.Enter)
	g.arrive(t, "/web/*/"+address)
	// Words lead to the search; what is typed alone does too.
	g.open(t, "/web/")
	g.typeInto(t, "tann", "tannery")
	g.strike(t, kb.ArrowDown+kb.Enter)
	g.until(t, `location.pathname === "/web/search" && location.search.includes("tannery") && document.querySelector(".changes > li")`)
	g.open(t, "/web/")
	g.typeInto(t, "tann", "tannery")
	g.strike(t, kb.Enter)
	g.until(t, `location.pathname === "/web/search" && /=tann(&|$)/.test(location.search)`)
	// By the pointer.
	g.open(t, "/web/")
	g.typeInto(t, "tann", "tannery")
	evaluate[bool](t, g, `(document.querySelector(".box [role=option]").click(), true)`)
	g.until(t, `location.pathname === "/web/search" && location.search.includes("tannery")`)
}

// The list goes when the reader goes on, and what is answered late does not open it again.
func TestBoxLetsGo(t *testing.T) {
	t.Parallel()
	g := browse(t, searchable(t))
	g.open(t, "/web/")
	g.typeInto(t, "river", "riverbend")
	g.strike(t, kb.Tab)
	if evaluate[bool](t, g, shownAs) || evaluate[bool](t, g, `document.activeElement === document.querySelector(".box input")`) {
		t.Error("after Tab the list is open, or the focus is where it was")
	}
	evaluate[bool](t, g, `(() => { const real = fetch;
		window.fetch = (...a) => new Promise((done) => { window.answerNow = () => done(real(...a)) }); return true })()`)
	g.keys(t, `((box) => (box.value = "", box.focus()))(document.querySelector(".box input"))`, "tann")
	g.until(t, `window.answerNow`)
	g.strike(t, kb.Escape+kb.Tab)
	evaluate[bool](t, g, `(answerNow(), new Promise((done) => setTimeout(() => done(true), 300)))`)
	if evaluate[bool](t, g, shownAs) {
		t.Error("an answer that came late has opened the list")
	}
}

// On the home of several collections the box completes from all of them, and leads to all of them.
func TestBoxCompletesFromSeveralCollections(t *testing.T) {
	t.Parallel()
	s := severalCollections(t)
	eventually(t, "the search of both collections", func() bool {
		body := s.get(t, "/-/suggest?q=umb").body + s.get(t, "/-/suggest?q=sev").body
		return strings.Contains(body, "umbrellas") && strings.Contains(body, "seven")
	})
	g := browse(t, s)
	g.open(t, "/")
	list := g.typeInto(t, "rain", rain)
	for _, want := range []string{"http://raincoats.example/", "http://rainbow.example/"} {
		if !slices.Contains(list, want) {
			t.Errorf("%q lacks %s", list, want)
		}
	}
	g.strike(t, strings.Repeat(kb.ArrowDown, 1+slices.Index(list, rain))+kb.Enter)
	g.arrive(t, "/-/calendar")
	if !evaluate[bool](t, g, `document.querySelectorAll(".shares li").length === 2`) {
		t.Error("the address does not lead to the calendar over both collections")
	}
	for typed, word := range map[string]string{"umb": "umbrellas", "sev": "seven"} {
		g.open(t, "/")
		g.typeInto(t, typed, word)
		g.strike(t, kb.ArrowDown+kb.Enter)
		g.until(t, `location.pathname === "/-/search" && location.search.includes("`+word+`") && document.querySelector(".changes > li")`)
	}
}
