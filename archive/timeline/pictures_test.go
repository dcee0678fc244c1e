package timeline_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
)

// A picture whose address stays and whose bytes are others, and not about as many, is a change of content, and so is another address,
// unless the bytes are the same. Which bytes a capture of the page showed, the nearest capture of the picture tells.
func TestPicturesAreToldByTheirBytes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		addresses [2]string // on two days
		bytes     [2]string // archived on the same days, "" if not
		want      int
	}{
		"other bytes":               {[2]string{"/mill.jpg", "/mill.jpg"}, [2]string{"one", strings.Repeat("two, which is longer", 99)}, 2},
		"saved anew":                {[2]string{"/mill.jpg", "/mill.jpg"}, [2]string{"one", "two"}, 1},
		"the same bytes":            {[2]string{"/mill.jpg", "/mill.jpg"}, [2]string{"one", "one"}, 1},
		"one of them":               {[2]string{"/mill.jpg", "/mill.jpg"}, [2]string{"one", ""}, 1},
		"moved to another address":  {[2]string{"/mill.jpg", "/wheel.jpg"}, [2]string{"one", "one"}, 1},
		"another, and not archived": {[2]string{"/mill.jpg", "/wheel.jpg"}, [2]string{}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var records []archivetest.Record
			for i, address := range test.addresses {
				records = append(records, archivetest.Record{
					Date: day(i), URI: page, Body: "<p>The mill at the river.<p><img src=" + address + ">",
				})
				if test.bytes[i] != "" {
					records = append(records, archivetest.Record{Date: day(i), URI: "https://a.example" + address, Body: test.bytes[i]})
				}
			}
			s, _ := open(t, records...)
			list := changes(t, s, change.LevelContent)
			if len(list.Ranges) != test.want {
				t.Fatalf("%d versions, want %d", len(list.Ranges), test.want)
			}
			if d := list.Ranges[len(list.Ranges)-1].Change; test.want == 2 && (d == nil || d.Pictures != 1 || d.Similarity == 1) {
				t.Errorf("%+v", d)
			}
			if text := changes(t, s, change.LevelText); len(text.Ranges) != 1 {
				t.Errorf("%d versions of the text", len(text.Ranges))
			}
		})
	}
}

// Addresses are relative to the base element that a page has.
func TestPicturesOfAPageWithABase(t *testing.T) {
	t.Parallel()
	const page = "https://a.example/village/mill.html"
	var records []archivetest.Record
	for i, picture := range []string{"one", strings.Repeat("two, which is longer", 99)} {
		records = append(records, archivetest.Record{
			Date: day(i), URI: page, Body: `<base href="https://a.example/"><p>The mill at the river.<p><img src=mill.jpg>`,
		}, archivetest.Record{Date: day(i), URI: "https://a.example/mill.jpg", Body: picture})
	}
	s, _ := open(t, records...)
	c, err := s.Timelines.ChangesOf(t.Context(), uris, page, change.LevelContent)
	if err != nil || len(c.Ranges) != 2 {
		t.Errorf("%+v, %v", c, err)
	}
}

// Sketches that are of no page, such as those of a site, know no pictures.
func TestPicturesOfNoPage(t *testing.T) {
	t.Parallel()
	if got, err := new(timeline.Sketches).PictureDigest("https://a.example/mill.jpg", 20200101000000); got != "" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
