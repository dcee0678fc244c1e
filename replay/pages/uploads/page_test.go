package uploads

import (
	"testing"

	"github.com/varve-archive/varve/archive/ingest/upload"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// uploadsView has a file in each state.
func uploadsView(lang string) pageView {
	p := fixture.Page(lang)
	p.URIR = ""
	file := func(name, state string) fileView {
		return fileView{Status: upload.Status{GivenName: name, State: upload.State(state), Size: 263_801, Percent: 42}, CollHref: "/web/"}
	}
	damaged := file("rivers of the north.warc.gz", "done")
	damaged.Stored, damaged.Captures, damaged.Damaged = "rivers_of_the_north.warc.gz", 1234, 2
	damaged.Problems = []upload.Problem{
		{Member: "", Offset: 4711, Reason: "record is cut off after 12 of 40 bytes of its block"},
		{Member: "archive/data.warc.gz", Offset: 1_234_567, Reason: "Content-Length doesn't lead to the next record"},
	}
	damaged.Shown = []pageOfFile{
		{banner.CaptureLink{Href: "/web/20170218114200/" + uriR, Time: at(2017, 2, 18, 11, 42)}, uriR},
		{banner.CaptureLink{Href: "/web/20170218114201/http://example.org/", Time: at(2017, 2, 18, 11, 42)}, "http://example.org/"},
	}
	same, refused, failed := file("again.warc", "done"), file("پرونده.zip", "refused"), file("late.wacz", "failed")
	same.SameAs = "rivers_of_the_north.warc.gz"
	refused.Reason = "it is neither WARC, ARC nor WACZ"
	failed.Stored, failed.Reason = "late.wacz", "it is stored, and could not be indexed"
	indexing := file("large.warc.gz", "indexing")
	indexing.Captures, indexing.Stored = 98_765, "large.warc.gz"
	return pageView{Page: p, Zone: aZone(), Again: "/-/uploads", Files: []fileView{
		damaged, same, refused, failed, file("a.warc", "receiving"), file("b.warc", "waiting"), file("c.arc.gz", "checking"), indexing,
	}}
}

// hostileUploads has names and reasons that somebody else has made.
func hostileUploads(page layout.Page) pageView {
	v := uploadsView("en")
	v.Page, v.Again = page, hostile
	v.Zone.Collections[0], v.Zone.Token = banner.Link{Href: hostile, Text: hostile}, hostile
	for i := range v.Files {
		f := &v.Files[i]
		f.GivenName, f.Stored, f.SameAs, f.Reason, f.CollHref = hostile, hostile, "", hostile, hostile
	}
	v.Files[1].SameAs = hostile
	v.Files[0].Problems[0] = upload.Problem{Member: hostile, Offset: 1, Reason: hostile}
	v.Files[0].Shown[0] = pageOfFile{banner.CaptureLink{Href: hostile}, hostile}
	return v
}

// Each state says something of its own, and what is over leads on or says why not.
func TestStatesOfUploads(t *testing.T) {
	for _, lang := range []string{"en", "de", "fa", "ru", "uk", "zh"} {
		said := map[string]string{}
		for _, f := range uploadsView(lang).Files {
			s := stateOf(locale.For(lang), &f)
			if other := said[s]; s == "" || other != "" {
				t.Errorf("%s: %s says %q, as %s does", lang, f.GivenName, s, other)
			}
			said[s] = f.GivenName
		}
	}
}

func aZone() *layout.DropZone {
	return &layout.DropZone{
		Action: "/-/uploads", Token: "TOKEN", Coll: "web", Limit: 1e10,
		Collections: []banner.Link{{Href: "news", Text: "News of the town"}, {Href: "web", Text: "Rivers of the north"}},
	}
}
