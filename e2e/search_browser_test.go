package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// keys evaluates an expression that sets the focus, and types.
func (g *stage) keys(t *testing.T, focus, keys string) {
	t.Helper()
	evaluate[bool](t, g, "("+focus+", true)")
	if err := chromedp.Do(g.ctx, chromedp.KeyEvent(keys)); err != nil {
		t.Fatal(err)
	}
}

// Collection page, words, pages that had them, what was deleted, diff: by keyboard, then by the banner.
func TestReaderFindsWhatWasDeleted(t *testing.T) {
	t.Parallel()
	s := searchable(t)
	g := browse(t, s)
	g.open(t, "/web/")
	g.keys(t, `document.querySelector(".box input").focus()`, "tannery\r")
	g.arrive(t, "/web/search")
	if !evaluate[bool](t, g, `document.querySelector(".tabs [aria-current]").textContent.includes("present") && `+
		`document.querySelectorAll(".changes > li").length > 1`) {
		t.Error("words typed on the collection's page don't lead to the pages that had them")
	}
	g.keys(t, `document.querySelector('.tabs a[href*="change=deleted"]').focus()`, "\r")
	g.until(t, `location.search.includes("change=deleted") && document.readyState === "complete"`)
	if got := evaluate[string](t, g, `[...document.querySelectorAll("del mark")].map((m) => `+
		`m.textContent).join(" ")`); got != "tannery tannery tannery" {
		t.Errorf("what is struck and marked is %q", got)
	}
	g.keys(t, `document.querySelector(".changes h2 a").focus()`, "\r")
	g.arrive(t, "/web/diff")
	if !evaluate[bool](t, g, `document.querySelector("del mark").textContent === "tannery" && `+
		`document.querySelector(".sides").textContent.includes("1 September 2016")`) {
		t.Error("the diff does not mark what was searched for")
	}
	g.open(t, "/web/20160901092136/http://www.riverbend.example/history.html")
	evaluate[bool](t, g, inBanner(`($('a[href*="/search?"]').click(), true)`))
	g.arrive(t, "/web/search")
	g.keys(t, `document.querySelector("input[name=q]").focus()`, "tannery\r")
	g.until(t, `location.search.includes("q=tannery") && document.readyState === "complete"`)
	if got := evaluate[string](t, g, `document.querySelector(".facts").textContent.trim()`); got != "1 change" {
		t.Errorf("from the banner: %s, want 1 change: only this page's", got)
	}
	g.open(t, "/web/*/http://www.riverbend.example/water.html")
	g.keys(t, `document.querySelector("main input[name=q]").focus()`, "hides\r")
	g.arrive(t, "/web/search")
	if !evaluate[bool](t, g, `document.querySelectorAll(".changes > li").length === 1`) {
		t.Error("from the calendar: not one change")
	}
	g.open(t, "/web/terms")
	word := evaluate[string](t, g, `((a) => (a.focus(), a.textContent))(document.querySelector(".termlist a"))`)
	g.keys(t, `0`, "\r")
	g.arrive(t, "/web/search")
	if !evaluate[bool](t, g, `document.querySelector(".asked").textContent === "`+word+
		`" && document.querySelectorAll(".changes > li").length > 1`) {
		t.Errorf("the word %q does not lead to its changes", word)
	}
	g.contained(t)
}
