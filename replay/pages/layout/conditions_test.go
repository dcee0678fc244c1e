package layout_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/internal/testkit/chromium"
	"github.com/varve-archive/varve/internal/testkit/looks"
)

// forcedColors has the reader's few colours in place of those of the page, on a dark ground.
func forcedColors(ctx context.Context, target *chromedp.Target) error {
	_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "forced-colors", Value: "active"}, {Name: "prefers-color-scheme", Value: "dark"},
	}})
	return err
}

// TestStatesAreToldApartInForcedColors compares lines, not the colours of backgrounds and borders, which all become one.
func TestStatesAreToldApartInForcedColors(t *testing.T) {
	t.Parallel()
	ctx, s := chromium.Page(t), looks.Serve(t, looks.Handler(t, root, pages(t)))
	if err := chromedp.Do(ctx, chromedp.Func(forcedColors)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, page string
		states     string // JavaScript: elements of one state each
	}{
		{"days", "calendar", `["", "ch", "re", "mi", "er", "ch re", "ch mi", "ch er"].map((state) => {
			const day = document.querySelector(".legend .day").cloneNode();
			day.className = "day " + state;
			return document.querySelector(".legend").appendChild(day);
		})`},
		{"years", "calendar", `[":not([aria-current])", "[aria-current]"].map((state) => document.querySelector(".yearbars a" + state))`},
		{"years of a search", "terms", `["bar", "bar on"].map((state) => {
			const bar = document.querySelector(".chart .bar").cloneNode();
			bar.setAttribute("class", state);
			return document.querySelector(".chart").appendChild(bar);
		})`},
	} {
		looks.Open(t, ctx, s.URL+"/"+c.page+".en")
		alike := looks.Evaluate[string](t, ctx, `((states) => {
			const of = (e) => ((s) => [s.borderStyle, s.borderWidth, s.outlineStyle, s.outlineWidth, s.fill].join())(getComputedStyle(e));
			return states.filter((e, i) => states.slice(0, i).some((o) => of(o) === of(e))).map((e) => e.outerHTML).join("\n");
		})(`+c.states+`)`)
		if alike != "" {
			t.Errorf("%s: others look like these:\n%s", c.name, alike)
		}
	}
	looks.Open(t, ctx, s.URL+"/search.en")
	ink := looks.Evaluate[string](t, ctx, `[...new Set([...document.querySelectorAll("body, mark")]
		.map((e) => getComputedStyle(e).color))].join(" ")`)
	if strings.Count(ink, "rgb") != 1 {
		t.Errorf("text and found words are written in %s, on one ground", ink)
	}
}

func TestPagesOnNarrowScreens_long(t *testing.T) {
	t.Parallel()
	all := pages(t)
	looks.Narrow(t, looks.Serve(t, looks.Handler(t, root, all)), all, "en", "fa")
}

// A status is written in the digits of the language, as all other numbers are.
func TestStatusesHaveTheDigitsOfTheLanguage(t *testing.T) {
	latin := regexp.MustCompile(`>\(?[1-5]\d\d\)?\s*<|\([1-5]\d\d\)`)
	for name, page := range pages(t)("fa") {
		if found := latin.FindString(looks.Render(t, page)); found != "" {
			t.Errorf("%s: %s", name, found)
		}
	}
}
