package views

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/internal/testkit/looks"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// uploadFixtures are the pages of files that readers hand in.
func uploadFixtures(lang string) map[string]templ.Component {
	home := homeView(lang)
	home.Collections, home.Drop = nil, dropView()
	one := collectionView(lang)
	one.Drop = &DropZone{Action: "/-/uploads", Coll: "web", Limit: 1e10}
	return map[string]templ.Component{
		"uploads": Uploads(uploadsView(lang)), "uploads-home": Home(home), "uploads-not-here": Collection(one),
	}
}

func dropView() *DropZone {
	return &DropZone{
		Action: "/-/uploads", Token: "TOKEN", Coll: "web", Limit: 1e10,
		Collections: []banner.Link{{Href: "news", Text: "News of the town"}, {Href: "web", Text: "Rivers of the north"}},
	}
}

// uploadsView has a file in each state.
func uploadsView(lang string) UploadsView {
	p := fixture.Page(lang)
	p.URIR = ""
	file := func(name, state string) UploadedFile {
		return UploadedFile{Name: name, State: state, Size: 263_801, Percent: 42, CollHref: "/web/"}
	}
	damaged := file("rivers of the north.warc.gz", "done")
	damaged.Over, damaged.Stored, damaged.Captures, damaged.Damaged = true, "rivers_of_the_north.warc.gz", 1234, 2
	damaged.Problems = []UploadProblem{
		{"", 4711, "record is cut off after 12 of 40 bytes of its block"},
		{"archive/data.warc.gz", 1_234_567, "Content-Length doesn't lead to the next record"},
	}
	damaged.Pages = []UploadedPage{
		{banner.CaptureLink{Href: "/web/20170218114200/" + uriR, Time: at(2017, 2, 18, 11, 42)}, uriR},
		{banner.CaptureLink{Href: "/web/20170218114201/http://example.org/", Time: at(2017, 2, 18, 11, 42)}, "http://example.org/"},
	}
	same, refused, failed := file("again.warc", "done"), file("پرونده.zip", "refused"), file("late.wacz", "failed")
	same.Over, same.SameAs = true, "rivers_of_the_north.warc.gz"
	refused.Over, refused.Reason = true, "it is neither WARC, ARC nor WACZ"
	failed.Over, failed.Stored, failed.Reason = true, "late.wacz", "it is stored, and could not be indexed"
	indexing := file("large.warc.gz", "indexing")
	indexing.Captures, indexing.Stored = 98_765, "large.warc.gz"
	return UploadsView{Page: p, Zone: dropView(), Again: "/-/uploads", Files: []UploadedFile{
		damaged, same, refused, failed, file("a.warc", "receiving"), file("b.warc", "waiting"), file("c.arc.gz", "checking"), indexing,
	}}
}

// hostileUploads has names and reasons that somebody else has made.
func hostileUploads(page layout.Page) UploadsView {
	v := uploadsView("en")
	v.Page, v.Again = page, hostile
	v.Zone.Collections[0], v.Zone.Token = banner.Link{Href: hostile, Text: hostile}, hostile
	for i := range v.Files {
		f := &v.Files[i]
		f.Name, f.Stored, f.SameAs, f.Reason, f.CollHref = hostile, hostile, "", hostile, hostile
	}
	v.Files[1].SameAs = hostile
	v.Files[0].Problems[0] = UploadProblem{hostile, 1, hostile}
	v.Files[0].Pages[0] = UploadedPage{banner.CaptureLink{Href: hostile}, hostile}
	return v
}

// Each state says something of its own, and what is over leads on or says why not.
func TestStatesOfUploads(t *testing.T) {
	for _, lang := range []string{"en", "de", "fa", "ru", "uk", "zh"} {
		said := map[string]string{}
		for _, f := range uploadsView(lang).Files {
			s := stateOf(locale.For(lang), &f)
			if other := said[s]; s == "" || other != "" {
				t.Errorf("%s: %s says %q, as %s does", lang, f.Name, s, other)
			}
			said[s] = f.Name
		}
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
