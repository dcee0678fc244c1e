package absent

import (
	"maps"
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/chromium"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/internal/testkit/looks"
)

func TestDontAskAgainIsRememberedAndUndone(t *testing.T) {
	ctx, s := chromium.Page(t), looks.Serve(t, looks.Handler(t, root, withBanner))
	landing, archived := s.URL+"/web/fixtures/landing.en", s.URL+"/web/fixtures/banner.en"
	looks.Open(t, ctx, landing)
	if !looks.Evaluate[bool](t, ctx, `!document.querySelector(".ask").hidden`) {
		t.Fatal("the choice is not offered")
	}
	looks.Evaluate[bool](t, ctx, `(document.querySelector("input[name=site]").click(), true)`)
	if c := looks.Evaluate[string](t, ctx, `document.cookie`); c != "varve-go=www.epa.gov" {
		t.Errorf("the choice is kept as %q", c)
	}
	looks.Open(t, ctx, landing)
	if !looks.Evaluate[bool](
		t,
		ctx,
		`document.querySelector("input[name=site]").checked && !document.querySelector("input[name=all]").checked`,
	) {
		t.Error("the landing page does not show the choice")
	}
	looks.Open(t, ctx, archived)
	looks.Evaluate[bool](t, ctx, looks.InBanner(`($(".ask").click(), true)`))
	looks.Open(t, ctx, landing)
	if !looks.Evaluate[bool](t, ctx, `document.cookie === "" && !document.querySelector("input[name=site]").checked`) {
		t.Error("the banner did not undo the choice")
	}
}

// withBanner has a banner in an archived page beside the pages.
func withBanner(lang string) map[string]templ.Component {
	all := maps.Clone(fixtures(lang))
	all["banner"] = banner.Banner(banner.BannerView{
		Lang: lang, Assets: fixture.Assets(), Home: "/", URIR: uriR, Memento: "http://localhost:8080" + uriM(at(2017, 2, 18, 11, 42)),
		Time: at(2017, 2, 18, 11, 42), Calendar: "/web/*/" + uriR, Open: "/web/", GoTo: "/web/", Levels: "/web/changes?url=x",
	})
	return all
}
