package views

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/internal/testkit/looks"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// uploadFixtures are the pages of files that readers hand in.
func uploadFixtures(lang string) map[string]templ.Component {
	home := homeView(lang)
	home.Collections, home.Drop = nil, dropView()
	one := collectionView(lang)
	one.Drop = &layout.DropZone{Action: "/-/uploads", Coll: "web", Limit: 1e10}
	return map[string]templ.Component{
		"uploads-home": Home(home), "uploads-not-here": Collection(one),
	}
}

func dropView() *layout.DropZone {
	return &layout.DropZone{
		Action: "/-/uploads", Token: "TOKEN", Coll: "web", Limit: 1e10,
		Collections: []banner.Link{{Href: "news", Text: "News of the town"}, {Href: "web", Text: "Rivers of the north"}},
	}
}

// A page that may not hand in files has neither form nor token, and says why.
func TestWhereFilesCannotBeHandedIn(t *testing.T) {
	with, without := looks.Render(
		t,
		Home(HomeView{Page: fixture.Page("en"), Drop: dropView()}),
	), looks.Render(
		t,
		uploadFixtures("en")["uploads-not-here"],
	)
	if !strings.Contains(with, "TOKEN") || !strings.Contains(with, `type="file"`) {
		t.Error("files can't be handed in at all")
	}
	if strings.Contains(without, "token") || strings.Contains(without, `type="file"`) || !strings.Contains(without, "only over https") {
		t.Error("files can be handed in, or nothing says why not")
	}
}
