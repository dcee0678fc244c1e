package film_test

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/replaytest"
)

const page = "http://seen.example/"

// seen returns an archive of a page with four versions, the last of which is a redirect. The first has two captures and two pictures, the
// second a picture, and the third a note that there is none.
func seen(t *testing.T) *archive.Archive {
	t.Helper()
	body := func(words string) string {
		return "<title>The weir</title><p>In the evening the herons come and " + words
	}
	records := []replaytest.Record{
		{Date: "20100101000000", URI: page, Status: 200, Body: body("the water is still.")},
		{Date: "20110101000000", URI: page, Status: 200, Body: body("the water is still.")},
		{Date: "20120101000000", URI: page, Status: 200, Body: body("boats are for hire at the ferry house.")},
		{Date: "20130101000000", URI: page, Status: 200, Body: body("nobody is there who fishes any more.")},
		{Date: "20140101000000", URI: page, Status: 301, Location: "http://elsewhere.example/"},
	}
	store := visual.NewStore(filepath.Join(t.TempDir(), "pictures"))
	for _, p := range []visual.Picture{
		{Time: 20100101000000, Damage: 0.25, Image: visual.File{Hash: "a"}, Thumb: visual.File{Width: 160, Height: 90}},
		{Time: 20110101000000, Damage: 0.001, Image: visual.File{Hash: "b"}},
		{Time: 20120101000000, Image: visual.File{Hash: "c"}},
		{Time: 20130101000000, Note: visual.Hung},
	} {
		p.Recipe, p.URL, p.Width = visual.Recipe, page, 1280
		if err := store.Save(visual.At{Coll: "web", Key: surt.Of(page), Time: p.Time, Width: p.Width}, &p); err != nil {
			t.Fatal(err)
		}
	}
	return over(t, records, store)
}

func over(t *testing.T, records []replaytest.Record, store *visual.Store) *archive.Archive {
	t.Helper()
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "web"}, []string{replaytest.Write(t, records)}); err != nil {
		t.Fatal(err)
	}
	files := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { _ = files.Close() })
	return replaytest.Archive(t, archive.Config{Index: x, Records: files, Pictures: store})
}

func TestPicturesOfVersions(t *testing.T) {
	uris := memento.URIs{Coll: "web"}
	r, err := film.Find(t.Context(), seen(t), uris, page)
	if err != nil {
		t.Fatal(err)
	}
	for ts, want := range map[cdx.Timestamp]string{
		20091231000000: "a", 20100601000000: "a", 20110101000000: "b", 20111231000000: "b",
		20120601000000: "c", 20130601000000: "", 20150101000000: "",
	} {
		got, image := "", ""
		if p := r.At(ts); p != nil {
			got, image = p.Image.Hash, uris.Thumbnail(p.Time, page)
		}
		if got != want || r.Image(uris, ts) != image {
			t.Errorf("%d: %q at %q, want %q", ts, got, r.Image(uris, ts), want)
		}
	}
	if p := r.Picture(20130601000000); p == nil || p.Note != visual.Hung {
		t.Errorf("why there is no picture: %+v", p)
	}
	if got := r.Newest(uris); got != uris.Thumbnail(20120101000000, page) {
		t.Errorf("the newest: %s", got)
	}
	for pair, want := range map[[2]cdx.Timestamp]string{
		{20100101000000, 20120101000000}: uris.Visual(20100101000000, 20120101000000, page),
		{20120101000000, 20130101000000}: "", {20130101000000, 20120101000000}: "",
	} {
		if got := r.Visual(pair[0], pair[1]); got != want {
			t.Errorf("%d: compared at %q, want %q", pair, got, want)
		}
	}
	if got := r.Damaged(); !maps.Equal(got, map[int]int{20100101: 25, 20110101: 1}) {
		t.Errorf("damage: %v", got)
	}
}

func TestARowOfVersions(t *testing.T) {
	uris := memento.URIs{Coll: "web"}
	r, err := film.Find(t.Context(), seen(t), uris, page)
	if err != nil {
		t.Fatal(err)
	}
	f := r.Versions(20121231000000)
	var got []string
	for i := range f.Frames {
		frame := &f.Frames[i]
		got = append(got, fmt.Sprint(frame.Time, " ", frame.Damage, " ", frame.Width, "×", frame.Height, " ", frame.Current, " ", frame.Visual))
	}
	want := "20100101000000 25 160×90 false \n20120101000000 0 0×0 true " + uris.Visual(20100101000000, 20120101000000, page)
	if strings.Join(got, "\n") != want || f.Versions != 3 || f.Pictured != 2 {
		t.Errorf("%s\nof %d versions, %d pictured", strings.Join(got, "\n"), f.Versions, f.Pictured)
	}
	var shown bytes.Buffer
	if err := film.Strip(locale.For("en"), f, "Looks").Render(t.Context(), &shown); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<h2>Looks</h2>", "Versions with a picture: 2 of 3", "−25%", `href="` + f.Frames[1].Visual[:10]} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("without %q: %s", want, &shown)
		}
	}
}

// Two pages whose addresses differ in the case of a letter have one key. Neither is shown as the other looked.
func TestPicturesOfOneSpelling(t *testing.T) {
	const upper, lower = page + "Weir", page + "weir"
	var records []replaytest.Record
	store := visual.NewStore(filepath.Join(t.TempDir(), "pictures"))
	for year, uriR := range map[int]string{2010: lower, 2011: upper, 2012: lower, 2013: upper} {
		ts := cdx.Timestamp(year*1e10 + 101000000)
		records = append(records, replaytest.Record{Date: ts.String(), URI: uriR, Status: 200, Body: "<p>of " + ts.String()})
		p := visual.Picture{Recipe: visual.Recipe, URL: uriR, Time: ts, Width: 1280, Image: visual.File{Hash: ts.String()}}
		if year == 2012 { // so that the picture of 2013 is the only one after 2011
			continue
		}
		if err := store.Save(visual.At{Coll: "web", Key: surt.Of(uriR), Time: ts, Width: p.Width}, &p); err != nil {
			t.Fatal(err)
		}
	}
	a, uris := over(t, records, store), memento.URIs{Coll: "web"}
	for uriR, want := range map[string][]cdx.Timestamp{
		lower: {20100101000000, 0}, upper: {20110101000000, 20130101000000}, page + "WEIR": {20110101000000, 20130101000000},
	} {
		for i, ts := range []cdx.Timestamp{20111231000000, 20131231000000} {
			f, err := film.Small(t.Context(), a, uris, uriR, ts)
			if err != nil || (f == nil) != (want[i] == 0) || f != nil && f.Time != want[i] {
				t.Errorf("%s at %s: %+v, %v, want %s", uriR, ts, f, err, want[i])
			}
		}
		tl, err := a.Timelines.Spelled(t.Context(), "web", uriR)
		if err != nil {
			t.Fatal(err)
		}
		reel, err := film.Of(t.Context(), a, uris, tl, uriR)
		if err != nil || reel.At(20131231000000) != nil != (want[1] != 0) {
			t.Errorf("%s: %+v, %v", uriR, reel, err)
		}
	}
}

func TestOnePicture(t *testing.T) {
	a, uris := seen(t), memento.URIs{Coll: "web"}
	for ts, want := range map[cdx.Timestamp]cdx.Timestamp{20101231000000: 20100101000000, 20121231000000: 20120101000000, 20131231000000: 0} {
		f, err := film.Small(t.Context(), a, uris, page, ts)
		if err != nil || (f == nil) != (want == 0) || f != nil && (f.Time != want || f.Href != uris.Memento(want, "", page)) {
			t.Errorf("at %d: %+v, %v", ts, f, err)
		}
	}
	if f, err := film.Latest(t.Context(), a, uris, page); err != nil || f == nil || f.Time != 20120101000000 {
		t.Errorf("the latest: %+v, %v", f, err)
	}
	if f, err := film.Latest(t.Context(), a, uris, "http://never.example/"); err != nil || f != nil {
		t.Errorf("of another page: %+v, %v", f, err)
	}
}
