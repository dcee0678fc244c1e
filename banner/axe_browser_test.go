package banner

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/internal/testkit/chromium"
)

// axeSource is what npm installs, as scripts/testneeds.sh has it.
const axeSource = "axe/node_modules/axe-core/axe.min.js"

// barriers has axe look at the page, and says what it found: the rule, how bad that is, and where. A banner is looked at alone;
// what stands around it is the archived page's.
const barriers = `axe.run(document.querySelector("varve-banner") ? {include: [["varve-banner"]]} : document, {resultTypes: ["violations"]})
	.then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + " (" + v.impact + "): " + n.html + " " +
		n.any.concat(n.all, n.none).map((c) => c.message).join("; "))).join("\n"))`

// someFixtures are looked at in the short form.
var someFixtures = []string{"addresses", "banner", "calendar-day", "collection", "landing-never"}

// TestPagesHaveNoBarriers runs axe on every type of page, in both directions of writing, light and dark, wide and narrow.
func TestPagesHaveNoBarriers(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile(axeSource)
	if err != nil {
		t.Skip("axe is not there: make needs installs it")
	}
	ctx, s := chromium.Page(t), site(t)
	for _, view := range []struct {
		lang, scheme string
		width        int64
	}{{"en", "dark", 1280}, {"fa", "light", 390}} {
		names := slices.Sorted(maps.Keys(fixtures(view.lang)))
		if testing.Short() && view.width > 390 {
			continue
		} else if testing.Short() {
			names = someFixtures
		}
		for _, name := range names {
			t.Run(fmt.Sprint(name, " ", view.lang, " ", view.width), func(t *testing.T) {
				url := s.URL + "/" + name + "." + view.lang
				if err := chromedp.Do(ctx, emulate(view.width, 900, view.scheme), chromedp.Navigate(url)); err != nil {
					t.Fatal(err)
				}
				evaluate[bool](t, ctx, string(axe)+"; true")
				if found := evaluate[string](t, ctx, barriers, chromedp.EvalAwaitPromise); found != "" {
					t.Errorf("%s", strings.TrimSpace(found))
				}
				if over := evaluate[int](t, ctx, "document.documentElement.scrollWidth - innerWidth"); over > 0 && !strings.HasPrefix(name, "banner") {
					t.Errorf("it is %d pixels wider than the window", over)
				}
			})
		}
	}
}
