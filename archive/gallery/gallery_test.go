package gallery_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/gallery"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/archive/visual/model"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

const page, part = "http://a.example/", "http://a.example/part.png"

// shelf has two versions of a page of two captures each, a part of it, and another page.
func shelf(t *testing.T) *archivetest.Shelf {
	t.Helper()
	one, two := archivetest.Prose("one river water"), archivetest.Prose("two meadow grass")
	return archivetest.Keep(t,
		archivetest.On("20200101000000", page, one), archivetest.On("20200102000000", page, one),
		archivetest.On("20200103000000", page, two), archivetest.On("20200104000000", page, two),
		archivetest.Record{Date: "20200101000000", URI: part, Head: "Content-Type: image/png\n", Body: "\x89PNG"},
		archivetest.On("20200101000000", "http://b.example/", one),
		archivetest.Missing("20200101000000", "http://c.example/"),
	)
}

// hang saves a picture of a page, with the part in it.
func hang(t *testing.T, s *visual.Store, url string, ts cdx.Timestamp, width int) {
	t.Helper()
	p := &visual.Picture{
		Recipe: visual.Recipe, URL: url, Time: ts, Width: width, Parts: []visual.Part{{URL: part, Time: 20200101000000}},
		Image: visual.File{Hash: strings.Repeat("a", 64)},
	}
	if err := s.Save(visual.At{Coll: "web", Key: surt.Of(url), Time: ts, Width: width}, p); err != nil {
		t.Fatal(err)
	}
}

// What readers may not see now is in no picture, whatever they might see when it was made.
func TestPicturesAreSeenByThoseWhoSeeAllOfIt(t *testing.T) {
	kept, store := shelf(t), visual.NewStore(t.TempDir())
	for _, ts := range []cdx.Timestamp{20200101000000, 20200103000000, 20190101000000} { // nothing was captured in 2019
		hang(t, store, page, ts, gallery.Wide)
	}
	policy := &access.Policy{}
	g := gallery.New(store, &view.View{Whole: kept.Index, Policy: policy})
	for _, tt := range []struct{ name, rules, want string }{
		{"all", `rules: []`, "20200101000000 20200103000000"},
		{
			"a capture excluded", `rules: [{url: "http://a.example/", captured: {from: 20200103, to: 20200104}, access: exclude}]`,
			"20200101000000",
		},
		{"a part excluded", `rules: [{url: "http://a.example/part.png", access: exclude}]`, ""},
		{"a part blocked", `rules: [{url: "http://a.example/part.png", access: block}]`, ""},
		{"the page blocked", `rules: [{url: "http://a.example/", access: block}]`, ""},
		{"another host excluded", `rules: [{url: "*.b.example", access: exclude}]`, "20200101000000 20200103000000"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			policy.Put(archivetest.Rules(t, tt.rules)) // what the gallery remembers of the rules before must not count
			found, err := g.Pictures(t.Context(), "web", surt.Of(page), 0)
			if got := times(found); err != nil || got != tt.want {
				t.Errorf("%s, %v, want %s", got, err, tt.want)
			}
		})
	}
	if found, err := (*gallery.Gallery)(nil).Pictures(t.Context(), "web", surt.Of(page), 0); err != nil || found != nil {
		t.Errorf("no gallery: %v, %v", found, err)
	}
}

// Pictures that can't be read are made again some day; until then the others are shown. Where all may see all, the parts of a picture
// need not be in the index any more.
func TestPicturesThatAreShownAllTheSame(t *testing.T) {
	kept, dir := shelf(t), t.TempDir()
	store := visual.NewStore(dir)
	hang(t, store, page, 20200101000000, gallery.Wide)
	if err := filepath.WalkDir(filepath.Join(dir, "records"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		return os.WriteFile(path, []byte("damaged"), 0o600)
	}); err != nil {
		t.Fatal(err)
	}
	strange := &visual.Picture{
		Recipe: visual.Recipe, URL: page, Time: 20200103000000, Width: gallery.Wide, Parts: []visual.Part{{URL: part, Time: 20190101000000}},
	}
	if err := store.Save(visual.At{Coll: "web", Key: surt.Of(page), Time: strange.Time, Width: gallery.Wide}, strange); err != nil {
		t.Fatal(err)
	}
	found, err := gallery.New(store, &view.View{Whole: kept.Index, Policy: &access.Policy{}}).Pictures(t.Context(), "web", surt.Of(page), 0)
	if got := times(found); err != nil || got != "20200103000000" {
		t.Errorf("%s, %v", got, err)
	}
}

func times(pictures []*visual.Picture) string {
	var out []string
	for _, p := range pictures {
		out = append(out, p.Time.String())
	}
	return strings.Join(out, " ")
}

func TestPicturesOfOneWidth(t *testing.T) {
	kept := shelf(t)
	for _, tt := range []struct {
		saved       []int // at one time, and the last at a later one if there are four
		asked, want int
	}{
		{[]int{390, 1280, 1920}, 0, 1280},
		{[]int{390, 800, 1920, 1280}, 0, 1280},
		{[]int{390, 1920}, 0, 1920},
		{[]int{390, 1280}, 390, 390},
		{[]int{390}, 1280, 0},
	} {
		store := visual.NewStore(t.TempDir())
		for i, width := range tt.saved {
			hang(t, store, page, 20200101000000+1000000*cdx.Timestamp(i/3), width)
		}
		g := gallery.New(store, &view.View{Whole: kept.Index})
		found, err := g.Pictures(t.Context(), "web", surt.Of(page), tt.asked)
		if err != nil || len(found) > 1 || (len(found) == 1) != (tt.want > 0) || len(found) == 1 && found[0].Width != tt.want {
			t.Errorf("of %v, asked for %d: %d pictures, %v", tt.saved, tt.asked, len(found), err)
		}
	}
}

// A picture tells of the version that was valid, also if it is one of a later capture in it.
func TestPictureOfAVersion(t *testing.T) {
	ranges := []change.Range{
		{Kind: change.Page, First: 20200101000000, Last: 20200102000000, Until: 20200103000000},
		{Kind: change.Page, First: 20200103000000, Last: 20200104000000},
	}
	image := visual.File{Hash: "a"}
	pictures := []*visual.Picture{
		{Time: 20200101000000, Note: visual.Note("crash")}, {Time: 20200102000000, Image: image}, {Time: 20200104000000, Image: image},
	}
	for at, want := range map[cdx.Timestamp]cdx.Timestamp{
		20200101000000: 20200102000000, // the first has no image
		20200102120000: 20200102000000,
		20200103000000: 20200104000000, // the only one of its version
		20210101000000: 20200104000000,
	} {
		if got := gallery.Of(pictures, ranges, at); got == nil || got.Time != want {
			t.Errorf("at %s: %v, want %s", at, got, want)
		}
	}
	with := func(ts cdx.Timestamp) *visual.Picture { return &visual.Picture{Time: ts, Image: image} }
	without := func(ts cdx.Timestamp) *visual.Picture { return &visual.Picture{Time: ts} }
	for _, tt := range []struct {
		name     string
		pictures []*visual.Picture
		at, want cdx.Timestamp
	}{
		{"only the version before has one", pictures[:2], 20200104000000, 0},
		{"only the next version has one, from its beginning", []*visual.Picture{with(20200103000000)}, 20200102000000, 0},
		{"the newer one has no image", []*visual.Picture{with(20200101000000), without(20200102000000)}, 20200102000000, 20200101000000},
		{
			"the one between has no image",
			[]*visual.Picture{with(20200101000000), without(20200101120000), with(20200102000000)},
			20200102000000, 20200102000000,
		},
		{"none has an image", []*visual.Picture{without(20200101000000), without(20200102000000)}, 20200102000000, 20200102000000},
		{"both are later", []*visual.Picture{with(20200103000000), with(20200104000000)}, 20200103000000, 20200103000000},
	} {
		got := gallery.Of(tt.pictures, ranges, tt.at)
		if (got == nil) != (tt.want == 0) || got != nil && got.Time != tt.want {
			t.Errorf("%s: %+v, want %s", tt.name, got, tt.want)
		}
	}
}

func TestWhatIsToBePictured(t *testing.T) {
	kept, store := shelf(t), visual.NewStore(t.TempDir())
	kept.Add(t, archivetest.Record{Date: "20200101000000", URI: "http://e.example/text", Head: "Content-Type: text/plain\n", Body: "river"},
		archivetest.On("20200101000000", "http://e.example/", archivetest.Prose("river")),
		archivetest.Record{Date: "20200102000000", URI: "http://e.example/", Status: 301, Head: "Location: https://e.example/\n"},
		archivetest.Record{Date: "20200103000000", URI: "http://e.example/", Status: 503, Body: archivetest.Prose("busy")},
		archivetest.On("20200104000000", "http://e.example/", archivetest.Prose("river")),
		archivetest.On("20200101000000", "http://f.example/", archivetest.Prose("hill")),
		archivetest.On("20200101000000", "http://f.example/", archivetest.Prose("hill")), // in the same second
		archivetest.On("20200102000000", "http://f.example/", "<title>Just a moment...</title><p>Checking your browser"),
		archivetest.On("20200103000000", "http://f.example/", archivetest.Prose("hill")),
		archivetest.Record{
			Date: "20200101000000", URI: "http://f.example/one", Head: "Content-Type: \n", Body: archivetest.Prose("valley"),
		})
	hang(t, store, page, 20200101000000, 390)
	for _, tt := range []struct {
		name, rules string
		plan        gallery.Plan
		have        int
		want        string
	}{
		{
			"a picture of each version", "",
			gallery.Plan{Widths: []int{1280}},
			0,
			"a/0101-1280 a/0103-1280 b/0101-1280 e/0101-1280 f/0101-1280 f/0101-1280",
		},
		{
			"of captures that show the page", "",
			gallery.Plan{Widths: []int{1280}, Captures: true, URLs: []string{"e.example/*"}},
			0,
			"e/0101-1280 e/0104-1280",
		},
		{
			"of captures that a URI-M shows, and that show the page", "",
			gallery.Plan{Widths: []int{1280}, Captures: true, URLs: []string{"http://f.example/"}},
			0,
			"f/0101-1280 f/0103-1280",
		},
		{
			"of an address, and of all below it", "",
			gallery.Plan{Widths: []int{1280}, URLs: []string{"f.example/*", "f.example/", "f.example/*"}},
			0,
			"f/0101-1280 f/0101-1280",
		},
		{"what is there is not made again", "", gallery.Plan{Widths: []int{390}}, 1, "a/0103-390 b/0101-390 e/0101-390 f/0101-390 f/0101-390"},
		{
			"of each capture", "",
			gallery.Plan{Widths: []int{1280}, Captures: true, URLs: []string{page}},
			0,
			"a/0101-1280 a/0102-1280 a/0103-1280 a/0104-1280",
		},
		{
			"of a host, of addresses named twice", "",
			gallery.Plan{Widths: []int{1280}, URLs: []string{"b.example/*", "b.example/*"}},
			0,
			"b/0101-1280",
		},
		{
			"of a time", "",
			gallery.Plan{Widths: []int{1280}, URLs: []string{page}, From: 20200102000000, To: 20200103000000},
			0,
			"a/0102-1280 a/0103-1280",
		},
		{
			"of what everybody may see", `rules: [{url: "*.a.example", access: block}]`,
			gallery.Plan{Widths: []int{1280}},
			0,
			"b/0101-1280 e/0101-1280 f/0101-1280 f/0101-1280",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seen := &view.View{Whole: kept.Index}
			if tt.rules != "" {
				seen.Policy = archivetest.Policy(t, tt.rules)
			}
			tt.plan.Coll = "web"
			var got []string
			have, err := gallery.New(store, seen).Each(t.Context(), timeline.New(timeline.Config{View: seen}), &tt.plan,
				func(w gallery.Wanted) bool {
					got = append(got, w.URL[len("http://"):][:1]+"/"+w.Time.String()[4:8]+"-"+strconv.Itoa(w.Width))
					return true
				})
			if err != nil || have != tt.have || strings.Join(got, " ") != tt.want {
				t.Errorf("%d there, %v wanted, %v; want %d and %s", have, got, err, tt.have, tt.want)
			}
		})
	}
	seen := &view.View{Whole: kept.Index}
	n := 0
	_, err := gallery.New(store, seen).Each(t.Context(), timeline.New(timeline.Config{View: seen}),
		&gallery.Plan{Coll: "web", Widths: []int{1280}}, func(gallery.Wanted) bool { n++; return n < 2 })
	if err != nil || n != 2 {
		t.Errorf("stopped after two: %d, %v", n, err)
	}
}

func TestPicturesWithoutCapturesAreSwept(t *testing.T) {
	kept, store := shelf(t), visual.NewStore(t.TempDir())
	hang(t, store, page, 20200101000000, 1280)
	hang(t, store, page, 20190101000000, 1280)
	hang(t, store, "http://gone.example/", 20200101000000, 1280)
	// Rules that hide a capture don't take its picture away: they may change.
	seen := &view.View{Whole: kept.Index, Policy: archivetest.Policy(t, `rules: [{url: "*.a.example", access: exclude}]`)}
	gone, err := gallery.New(store, seen).Sweep(t.Context())
	if err != nil || gone != 2 {
		t.Errorf("%d gone, %v", gone, err)
	}
	left, err := store.List("web", surt.Of(page))
	if err != nil || !slices.Equal(left, []visual.At{{Coll: "web", Key: surt.Of(page), Time: 20200101000000, Width: 1280}}) {
		t.Errorf("left: %v, %v", left, err)
	}
}

// drawn saves a picture of a page with one paragraph. It looks like those with the same ink.
func drawn(t *testing.T, s *visual.Store, url string, ts cdx.Timestamp, width int, text string, ink ...int) *visual.Picture {
	t.Helper()
	p := &visual.Picture{
		Recipe: visual.Recipe, URL: url, Time: ts, Width: width, Height: 500, Image: visual.File{Hash: strings.Repeat("a", 64)},
		Blocks: []visual.Block{{Place: visual.Content, W: width, H: 400, Text: text, TextHash: xxh3.HashString(text)}},
	}
	for _, i := range ink {
		p.Vector = make([]float32, model.Dimensions)
		p.Vector[model.Dimensions/4+i] = 1
	}
	if err := s.Save(visual.At{Coll: "web", Key: surt.Of(url), Time: ts, Width: width}, p); err != nil {
		t.Fatal(err)
	}
	return p
}

// A page of which there are very many pictures finds others all the same.
func TestPagesLikeOneWithManyPictures(t *testing.T) {
	kept, store := shelf(t), visual.NewStore(t.TempDir())
	to := drawn(t, store, page, 20200101000000, 1280, "river", 1)
	for year := range cdx.Timestamp(400) {
		p := visual.Picture{URL: page, Time: (1600+year)*1e10 + 101000000, Width: 1280, Vector: to.Vector}
		if err := store.Save(visual.At{Coll: "web", Key: "k", Time: p.Time, Width: 1280}, &p); err != nil {
			t.Fatal(err)
		}
	}
	drawn(t, store, "http://b.example/", 20200101000000, 1280, "river", 1)
	found, err := gallery.New(store, &view.View{Whole: kept.Index}).Alike(t.Context(), "web", surt.Of(page), to, 10)
	if err != nil || len(found) != 1 || found[0].URL != "http://b.example/" {
		t.Errorf("%v, %v", found, err)
	}
}

// The pictures of other pages that look the same are found: the newest of each that readers may see.
func TestPagesThatLookAlike(t *testing.T) {
	kept, store := shelf(t), visual.NewStore(t.TempDir())
	kept.Add(t, archivetest.On("20200101000000", "http://d.example/", archivetest.Prose("four")),
		archivetest.On("20200105000000", "http://d.example/", archivetest.Prose("five")))
	to := drawn(t, store, page, 20200101000000, 1280, "river", 1)
	drawn(t, store, page, 20200102000000, 1280, "river", 1)
	drawn(t, store, "http://b.example/", 20200101000000, 1280, "river", 1)
	drawn(t, store, "http://b.example/", 20200101000000, 390, "river", 1)
	drawn(t, store, "http://d.example/", 20200101000000, 1280, "river", 1)
	drawn(t, store, "http://d.example/", 20200105000000, 1280, "river", 1)
	drawn(t, store, "http://c.example/", 20200101000000, 1280, "river", 2)
	for _, tt := range []struct {
		name, rules string
		most        int
		want        string
	}{
		{"all", `rules: []`, 10, "d/20200105000000 b/20200101000000"},
		{"one", `rules: []`, 1, "d/20200105000000"},
		{"none", `rules: []`, 0, ""},
		{"a page excluded", `rules: [{url: "*.b.example", access: exclude}]`, 10, "d/20200105000000"},
		{
			"its newest capture excluded",
			`rules: [{url: "http://d.example/", captured: {from: 20200105}, access: exclude}]`, 10,
			"b/20200101000000 d/20200101000000",
		},
	} {
		g := gallery.New(store, &view.View{Whole: kept.Index, Policy: archivetest.Policy(t, tt.rules)})
		found, err := g.Alike(t.Context(), "web", surt.Of(page), to, tt.most)
		var got []string
		for _, p := range found {
			got = append(got, p.URL[len("http://"):][:1]+"/"+p.Time.String())
		}
		if strings.Join(got, " ") != tt.want || err != nil {
			t.Errorf("%s: %v, %v; want %s", tt.name, got, err, tt.want)
		}
	}
	g := gallery.New(store, &view.View{Whole: kept.Index})
	if found, err := g.Alike(t.Context(), "web", surt.Of(page), nil, 10); found != nil || err != nil {
		t.Errorf("like nothing: %v, %v", found, err)
	}
	if found, err := (*gallery.Gallery)(nil).Alike(t.Context(), "web", surt.Of(page), to, 10); found != nil || err != nil {
		t.Errorf("no gallery: %v, %v", found, err)
	}
}

func TestWhenTheLookChanged(t *testing.T) {
	kept, store := shelf(t), visual.NewStore(t.TempDir())
	for i, text := range []string{"the river rises", "", "a ferry over there", "the river rises"} {
		drawn(t, store, page, cdx.Timestamp(20200101000000+i*1000000), gallery.Wide, text)
	}
	blank := &visual.Picture{Recipe: visual.Recipe, URL: page, Time: 20200102000000, Width: gallery.Wide, Note: visual.Crashed}
	if err := store.Save(visual.At{Coll: "web", Key: surt.Of(page), Time: blank.Time, Width: gallery.Wide}, blank); err != nil {
		t.Fatal(err)
	}
	g := gallery.New(store, &view.View{Whole: kept.Index})
	at, pictured, err := g.Splits(t.Context(), "web", surt.Of(page), "")
	if !slices.Equal(at, []cdx.Timestamp{20200103000000, 20200104000000}) ||
		!slices.Equal(pictured, []cdx.Timestamp{20200101000000, 20200103000000, 20200104000000}) || err != nil {
		t.Errorf("changed at %v of %v, %v", at, pictured, err)
	}
	all, err := g.Pictures(t.Context(), "web", surt.Of(page), 0)
	if got := times(g.Story(all, 2)); got != "20200101000000 20200103000000" || err != nil {
		t.Errorf("story: %s, %v", got, err)
	}
	if got := (*gallery.Gallery)(nil).Story(all, 2); got != nil {
		t.Errorf("no gallery: %v", got)
	}
}
