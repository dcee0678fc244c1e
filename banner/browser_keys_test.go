package banner

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/varve-archive/varve/internal/testkit/chromium"
	"github.com/varve-archive/varve/internal/testkit/looks"
)

// Keys lead to other versions, but not where somebody types, selects, or has chosen others.
func TestKeysLeadToOtherVersions(t *testing.T) {
	ctx, s := chromium.Page(t), site(t)
	begin := func(fixture string) {
		looks.Open(t, ctx, s.URL+"/"+fixture)
		looks.Evaluate[bool](t, ctx, `(() => {
			window.went = "", window.heard = 0;
			navigation.addEventListener("navigate", (e) => { if (e.cancelable) window.went = e.destination.url, e.preventDefault(); });
			addEventListener("keydown", () => heard++);
			document.body.insertAdjacentHTML("beforeend", "<input id=field><p id=text>some text</p><div id=rich contenteditable>x</div>");
			return true;
		})()`)
	}
	press := func(key string, modifiers ...chromedp.Modifier) {
		if err := chromedp.Do(ctx, chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers...))); err != nil {
			t.Fatal(err)
		}
	}
	went := func() string {
		return looks.Evaluate[string](t, ctx, looks.InBanner(`((side) => (went = "", side))(
			went && (["prev", "next"].find((s) => $("a." + s) && $("a." + s).href === went) || went))`))
	}
	expect := func(what, want string) {
		t.Helper()
		if got := went(); got != want {
			t.Errorf("%s leads to %q, want %q", what, got, want)
		}
	}

	begin("banner.en")
	press(kb.ArrowLeft, chromedp.ModifierShift)
	expect("Shift and the left arrow", "prev")
	if n := looks.Evaluate[int](t, ctx, "heard"); n != 0 {
		t.Errorf("the page heard of %d keys", n)
	}
	press(kb.ArrowRight, chromedp.ModifierShift)
	expect("Shift and the right arrow", "next")
	press(kb.ArrowRight)
	expect("the right arrow", "")
	for _, field := range []string{"field", "rich"} {
		looks.Evaluate[bool](t, ctx, `(`+field+`.focus(), true)`)
		press(kb.ArrowLeft, chromedp.ModifierShift)
		expect("a key in "+field, "")
	}
	looks.Evaluate[bool](t, ctx, `(document.activeElement.blur(), getSelection().selectAllChildren(text), true)`)
	press(kb.ArrowLeft, chromedp.ModifierShift)
	expect("a key that changes a selection", "")
	looks.Evaluate[bool](t, ctx, `(getSelection().removeAllRanges(),
		dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", shiftKey: true })), true)`)
	expect("a key that a script presses", "")

	choose := func(side, key string) string {
		menu, button := `$(".ky").closest("details")`, `$(".ky [value=`+side+`]")`
		looks.Evaluate[bool](t, ctx, looks.InBanner(`(`+menu+`.open = true, `+button+`.focus(), `+button+`.click(), true)`))
		press(key)
		return looks.Evaluate[string](t, ctx, looks.InBanner(`(`+menu+`.open = false, `+button+`.textContent)`))
	}
	if said := choose("prev", "p"); said != "p" {
		t.Errorf("the menu names the key p %q", said)
	}
	if said := choose("next", kb.Delete); said != "none" {
		t.Errorf("the menu names no key %q", said)
	}
	begin("banner.en") // what was chosen is remembered
	press(kb.ArrowLeft, chromedp.ModifierShift)
	press(kb.ArrowRight, chromedp.ModifierShift)
	expect("keys that mean nothing any more", "")
	press("p")
	expect("the key that was chosen", "prev")
	if said := choose("prev", kb.Escape); said != "p" {
		t.Errorf("Escape made it %q", said)
	}

	looks.Evaluate[bool](t, ctx, `(localStorage.clear(), true)`)
	begin("banner.fa") // previous is on the right
	press(kb.ArrowRight, chromedp.ModifierShift)
	expect("from right to left, Shift and the right arrow", "prev")
}

// Where there is no other version, the date has the room of the buttons that aren't there.
func TestNarrowBannersHaveOneRow(t *testing.T) {
	ctx, s := chromium.Page(t), site(t)
	for _, fixture := range []string{"banner.en", "banner-end.en", "banner-end.fa", "banner-end.uk"} {
		if err := chromedp.Do(ctx, looks.Emulate(390, 800, "light")); err != nil {
			t.Fatal(err)
		}
		looks.Open(t, ctx, s.URL+"/"+fixture)
		if high := looks.Evaluate[float64](t, ctx, looks.InBanner(`$(".now summary").getBoundingClientRect().height`)); high > 50 {
			t.Errorf("%s: the date is %.0f pixels high", fixture, high)
		}
	}
}
