package film_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/replaytest"
)

// pictured returns an archive of a page with n versions, each of which has a picture.
func pictured(t *testing.T, n int) *archive.Archive {
	t.Helper()
	var records []replaytest.Record
	store := visual.NewStore(filepath.Join(t.TempDir(), "pictures"))
	for i := range n {
		ts := cdx.Timestamp(20000101000000 + i*10_000_000_000)
		body := fmt.Sprintf("<title>The weir</title><p>The %s herons come.", string(rune('a'+i%26))+string(rune('a'+i/26)))
		records = append(records, replaytest.Record{Date: ts.String(), URI: page, Status: 200, Body: body})
		p := visual.Picture{
			Recipe: visual.Recipe, URL: page, Time: ts, Width: 1280, Height: 500, Image: visual.File{Hash: strings.Repeat("a", 64)},
			Blocks: []visual.Block{{Place: visual.Content, W: 1280, H: 400, Text: body, TextHash: xxh3.HashString(body)}},
		}
		if err := store.Save(visual.At{Coll: "web", Key: surt.Of(page), Time: ts, Width: p.Width}, &p); err != nil {
			t.Fatal(err)
		}
	}
	return over(t, records, store)
}

// A row has at most sixty pictures, the first among them. Each leads to a comparison with the one before it in the row.
func TestALongRowIsShortened(t *testing.T) {
	t.Parallel()
	uris := memento.URIs{Coll: "web"}
	for n, want := range map[int]int{1: 1, 60: 60, 61: 60} {
		r, err := film.Find(t.Context(), pictured(t, n), uris, page)
		if err != nil {
			t.Fatal(err)
		}
		f := r.Versions()
		if len(f.Frames) != want || f.Versions != n || f.Pictured != n {
			t.Fatalf("%d versions, %d pictured: %d frames of %d", f.Versions, f.Pictured, len(f.Frames), n)
		}
		if f.Frames[0].Time != 20000101000000 {
			t.Errorf("%d: from %s", n, f.Frames[0].Time)
		}
		for i := range f.Frames {
			visual := ""
			if i > 0 {
				visual = uris.Visual(f.Frames[i-1].Time, f.Frames[i].Time, page)
			}
			if f.Frames[i].Visual != visual || f.Frames[i].Current {
				t.Errorf("frame %d of %d: %+v", i, n, f.Frames[i])
			}
		}
		for most := range 4 {
			story := r.Story(most)
			if most == 0 {
				if story != nil {
					t.Errorf("a story without pictures: %+v", story)
				}
				continue
			}
			if len(story.Frames) != min(most, n) || story.Versions != 0 {
				t.Errorf("a story of at most %d of %d pictures: %+v", most, n, story)
			}
			for i := range story.Frames {
				if f := &story.Frames[i]; f.Href != uris.Memento(f.Time, "", page) || f.Thumb != uris.Thumbnail(f.Time, page) || f.Visual != "" {
					t.Errorf("frame %d of a story: %+v", i, f)
				}
			}
		}
	}
}

// Where nothing is pictured there is no row, no story and no address.
func TestNothingIsPictured(t *testing.T) {
	t.Parallel()
	uris := memento.URIs{Coll: "web"}
	store := visual.NewStore(filepath.Join(t.TempDir(), "pictures"))
	a := over(t, []replaytest.Record{{Date: "20100101000000", URI: page, Status: 200, Body: "<p>a"}}, store)
	for _, tried := range []bool{false, true} {
		if p := (visual.Picture{Recipe: visual.Recipe, URL: page, Time: 20100101000000, Width: 1280, Note: visual.Hung}); tried {
			if err := store.Save(visual.At{Coll: "web", Key: surt.Of(page), Time: p.Time, Width: p.Width}, &p); err != nil {
				t.Fatal(err)
			}
		}
		r, err := film.Find(t.Context(), a, uris, page)
		if err != nil {
			t.Fatal(err)
		}
		if r.Versions() != nil || r.Story(9) != nil || r.Newest(uris) != "" || r.Image(uris, 20100101000000) != "" || len(r.Damaged()) > 0 ||
			r.Visual(20100101000000, 20100101000000) != "" || (r.Picture(20100101000000) != nil) != tried {
			t.Errorf("tried %v: %+v, %+v", tried, r.Versions(), r.Story(9))
		}
	}
}

// A failing index must not look like a page without pictures.
func TestAFailingIndexIsAnError(t *testing.T) {
	t.Parallel()
	uris := memento.URIs{Coll: "web"}
	for name, ask := range map[string]func(*archive.Archive) error{
		"the row": func(a *archive.Archive) error {
			_, err := film.Find(t.Context(), a, uris, page)
			return err
		},
		"one picture": func(a *archive.Archive) error {
			_, err := film.Small(t.Context(), a, uris, page, archivetest.At(1))
			return err
		},
		"the newest": func(a *archive.Archive) error {
			_, err := film.Latest(t.Context(), a, uris, page)
			return err
		},
	} {
		archivetest.EachFault(t, archivetest.Days(page, "The herons come.", "The herons stay."), func(s *archivetest.Shelf) error {
			store := visual.NewStore(filepath.Join(t.TempDir(), "pictures"))
			p := visual.Picture{Recipe: visual.Recipe, URL: page, Time: archivetest.At(1), Width: 1280, Image: visual.File{Hash: "a"}}
			if err := store.Save(visual.At{Coll: "web", Key: surt.Of(page), Time: p.Time, Width: p.Width}, &p); err != nil {
				t.Fatal(name, err)
			}
			return ask(replaytest.Archive(t, archive.Config{Index: s.Index, Records: s, Pictures: store}))
		})
	}
}
