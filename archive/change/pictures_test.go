package change

import (
	"errors"
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx"
)

// photographs is a shelf that knows the bytes of pictures: at the time of a capture, those under an address.
type photographs struct {
	shelf
	digests map[string]string // by address and the letter of the capture
	err     error
}

func (p photographs) PictureDigest(address string, ts cdx.Timestamp) (string, error) {
	if address == "/lost.jpg" {
		return "", p.err
	}
	return p.digests[address+" "+string(rune('a'+ts-1))], nil
}

// pictured is a page with pictures, an address each, divided by spaces; "+" stands for a paragraph between.
func pictured(pictures string) string {
	var b strings.Builder
	b.WriteString("<title>The mill</title><main><h1>The mill</h1>")
	for i, a := range strings.Fields(pictures) {
		if a == "+" {
			b.WriteString("<p>Paragraph " + string(rune('a'+i)) + ". " + strings.Repeat("The keeper drew the mill at the river. ", 5))
		} else {
			kind := "img"
			if strings.Contains(a, "/embed/") {
				kind = "iframe"
			}
			b.WriteString("<figure><" + kind + " src='" + a + "'></" + kind + "></figure>")
		}
	}
	b.WriteString("<p>" + strings.Repeat("The keeper drew the old mill at the river in spring. ", 10) + "</main>")
	return b.String()
}

func TestPicturesThatShowSomethingElse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, lives string // captures divided by strokes
		digests     string // address, capture and digest, each
		want        int
	}{
		{"another picture", "/mill.jpg|/harbour.jpg", "", 2},
		{"the same at other sizes", "/mill-300x200.jpg|/mill-640x400.jpg?v=2", "", 1},
		{"another host", "https://a.example/mill.jpg|https://b.example/x/mill.jpg", "", 1},
		{"other bytes", "/mill.jpg|/mill.jpg", "/mill.jpg a 1 /mill.jpg b 2", 2},
		{"other bytes behind a version", "/mill.jpg?v=1|/mill.jpg?v=2", "/mill.jpg?v=1 a 1 /mill.jpg?v=2 b 2", 2},
		{"the same bytes", "/mill.jpg|/harbour.jpg", "/mill.jpg a 1 /harbour.jpg b 1", 1},
		{"bytes of another size", "/mill-300x200.jpg|/mill-640x400.jpg", "/mill-300x200.jpg a 1 /mill-640x400.jpg b 2", 1},
		{"only one is archived", "/mill.jpg|/harbour.jpg", "/mill.jpg a 1", 2},
		{"one that moved", "/mill.jpg + /harbour.jpg|/harbour.jpg + /mill.jpg", "", 1},
		{"another and back", "/a.jpg|/b.jpg|/a.jpg", "", 3},
		{"one in turn", "/a.jpg|/b.jpg|/a.jpg|/b.jpg|/a.jpg", "", 1},
		{"three changes, two of them back", "/a.jpg|/b.jpg|/a.jpg|/b.jpg|/b.jpg|/b.jpg|/b.jpg", "", 1},
		{"three changes, one of them back", "/a.jpg|/b.jpg|/c.jpg|/a.jpg|/a.jpg|/a.jpg|/a.jpg", "", 4},
		{"three changes in four steps", "/a.jpg|/b.jpg|/c.jpg|/d.jpg|/d.jpg", "", 4},
		{"four changes in five steps", "/a.jpg|/b.jpg|/c.jpg|/d.jpg|/e.jpg|/e.jpg", "", 1},
		{
			"other bytes three times", "/a.jpg|/a.jpg|/a.jpg|/a.jpg|/a.jpg|/a.jpg",
			"/a.jpg a 1 /a.jpg b 2 /a.jpg c 3 /a.jpg d 4 /a.jpg e 4 /a.jpg f 4", 4,
		},
		{"another each time", "/a.jpg|/b.jpg|/c.jpg|/d.jpg", "", 1},
		{"another each time that there is one", "/a.jpg||/b.jpg|/c.jpg||/d.jpg", "", 1},
		{"two changes, and then none", "/a.jpg|/b.jpg|/c.jpg|", "", 3},
		{"a webcam", "/now.jpg|/now.jpg|/now.jpg|/now.jpg", "/now.jpg a 1 /now.jpg b 2 /now.jpg c 3 /now.jpg d 4", 1},
		{"another in the second place", "/a.jpg + /b.jpg|/a.jpg + /c.jpg", "", 2},
		{"icons", "/icons/a.png|/icons/b.png", "", 1},
		{"another film", "//p.example/embed/a|//p.example/embed/b", "", 2},
		{"the same film, played otherwise", "//p.example/embed/a?start=1|https://q.example/embed/a", "", 1},
		{"another page of a player", "//p.example/embed/a|//p.example/embed/a", "//p.example/embed/a a 1 //p.example/embed/a b 2", 1},
		{"a film for a picture", "/a.jpg|//p.example/embed/b", "", 2},
	} {
		p := photographs{shelf: shelf{}, digests: map[string]string{}}
		for f := strings.Fields(test.digests); len(f) > 2; f = f[3:] {
			p.digests[f[0]+" "+f[1]] = f[2]
		}
		var pages []string
		for life := range strings.SplitSeq(test.lives, "|") {
			pages = append(pages, pictured(life))
		}
		states := pagesOf(p.shelf, pages...)
		for i := range states {
			states[i].Time = cdx.Timestamp(i + 1)
		}
		got, err := Ranges(LevelContent, states, p, nil)
		if err != nil || len(got) != test.want {
			t.Errorf("%s: %d versions, want %d (%v)", test.name, len(got), test.want, err)
		}
		for _, r := range got[1:] {
			if r.Change == nil || r.Change.Pictures != 1 || r.Change.Similarity == 1 {
				t.Errorf("%s: %+v", test.name, r.Change)
			}
		}
		if got, err := Ranges(LevelContent, states, p.shelf, nil); test.digests == "" && (err != nil || len(got) != test.want) {
			t.Errorf("%s: %d versions where nobody knows pictures (%v)", test.name, len(got), err)
		}
		if text, err := Ranges(LevelText, states, p, nil); err != nil || len(text) != 1 {
			t.Errorf("%s: %d versions of the text (%v)", test.name, len(text), err)
		}
	}
}

func TestPicturesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	lost := photographs{shelf: shelf{}, err: errors.New("no store")}
	states := pagesOf(lost.shelf, pictured("/lost.jpg + /a.jpg"), pictured("/b.jpg + /a.jpg"))
	if _, err := Ranges(LevelContent, states, lost, nil); !errors.Is(err, lost.err) {
		t.Errorf("%v", err)
	}
	for i := range states { // what was stored before there were pictures
		s := *lost.shelf[states[i].Text]
		s.PicturesUnknown = true
		one := shelf{states[0].Text: lost.shelf[states[0].Text], states[1].Text: lost.shelf[states[1].Text], s.ID: &s}
		if got, err := Ranges(LevelContent, states, one, nil); err != nil || len(got) != 1 {
			t.Errorf("one of two has unknown pictures: %q, %v", lines(got), err)
		}
	}
}
