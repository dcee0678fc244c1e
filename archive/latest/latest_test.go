package latest_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/archive/latest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

const site = "http://a.example/"

func kept(t *testing.T, records ...archivetest.Record) *archive.Archive {
	t.Helper()
	shelf := archivetest.Keep(t, records...)
	a, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func walked(t *testing.T, a *archive.Archive, ask latest.Ask) (out []string, last error) {
	t.Helper()
	ask.Coll = "web"
	for v, err := range latest.Walk(t.Context(), a, holdings.New(holdings.Config{Archive: a}), ask) {
		if err != nil {
			return out, err
		}
		out = append(out, v.Range.First.String()[:6]+" "+strings.TrimPrefix(v.URL, site))
	}
	return out, nil
}

func TestWalk(t *testing.T) {
	t.Parallel()
	page := func(date, path, words string) archivetest.Record {
		return archivetest.Record{Date: date + "01000000", URI: site + path, Body: "<title>" + path + "</title><p>Some words about " + words}
	}
	a := kept(t,
		page("201001", "a", "one"), page("201101", "a", "two"), page("201301", "a", "three"), page("201302", "a", "three"),
		page("201101", "b", "four"), page("201201", "b", "five"),
		page("201301", "c", "six"),
		archivetest.Record{Date: "20140101000000", URI: site + "style.css", Head: "Content-Type: text/css\n", Body: "a{}"},
	)
	content := change.LevelContent
	for _, tt := range []struct {
		name string
		ask  latest.Ask
		want []string
	}{
		{"all", latest.Ask{Level: content}, []string{"201301 a", "201301 c", "201201 b", "201101 a", "201101 b", "201001 a"}},
		{"parts too", latest.Ask{Level: content, Parts: true, Since: 20130101000000}, []string{"201401 style.css", "201301 a", "201301 c"}},
		{"one", latest.Ask{Level: content, URL: site + "b"}, []string{"201201 b", "201101 b"}},
		{"some", latest.Ask{Level: content, Keys: []surt.Keys{{From: "example,a)/b", To: "example,a)/d"}}}, []string{
			"201301 c", "201201 b", "201101 b",
		}},
		{"from one on", latest.Ask{Level: content, Keys: []surt.Keys{{From: "example,a)/b"}}}, []string{"201301 c", "201201 b", "201101 b"}},
		{"up to one", latest.Ask{Level: content, Keys: []surt.Keys{{To: "example,a)/b"}}}, []string{"201301 a", "201101 a", "201001 a"}},
		{"but one", latest.Ask{Level: content, Keys: []surt.Keys{{To: "example,a)/b"}, {From: "example,a)/c"}}}, []string{
			"201301 a", "201301 c", "201101 a", "201001 a",
		}},
		{"since", latest.Ask{Level: content, Since: 20120101000000}, []string{"201301 a", "201301 c", "201201 b"}},
		{"until", latest.Ask{Level: content, Until: 20120101000000}, []string{"201201 b", "201101 a", "201101 b", "201001 a"}},
		{"between", latest.Ask{Level: content, Since: 20110101000000, Until: 20111231235959}, []string{"201101 a", "201101 b"}},
		{"none", latest.Ask{Level: content, URL: site + "never"}, nil},
	} {
		if got, err := walked(t, a, tt.ask); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q %v, want %q", tt.name, got, err, tt.want)
		}
	}
}

// A walk yields so many versions of an address and no more, the newest of all, and says so.
func TestVersionsOfAnAddressAreBounded(t *testing.T) {
	t.Parallel()
	var records []archivetest.Record
	for i := range 10_001 {
		date := fmt.Sprintf("2010%02d%02d%06d", 1+i/9000, 1+i/360%25, i/60%6*10000+i%60*100)
		records = append(records, archivetest.Record{Date: date, URI: site, Body: fmt.Sprint("<p>page ", i)})
	}
	a := kept(t, records...)
	for since, want := range map[cdx.Timestamp]int{0: 10_000, 20100101000100: 10_000} {
		got, err := walked(t, a, latest.Ask{Level: change.LevelAny, URL: site, Since: since})
		if errors.Is(err, latest.ErrMany) != (since == 0) || len(got) != want {
			t.Errorf("since %s: %d versions, %v", since, len(got), err)
		}
	}
}

// A walk looks at so many addresses and no more, the newest of all, and says so.
func TestWalkIsBounded(t *testing.T) {
	t.Parallel()
	var records []archivetest.Record
	for i := range 2100 {
		date := fmt.Sprintf("2010%02d%02d%06d", 1+i%12, 1+i/12%28, i%60)
		records = append(records, archivetest.Record{Date: date, URI: fmt.Sprint(site, i), Body: fmt.Sprint("<p>page ", i)})
	}
	a := kept(t, records...)
	got, err := walked(t, a, latest.Ask{Level: change.LevelContent})
	newestFirst := slices.IsSortedFunc(got, func(a, b string) int { return strings.Compare(b[:6], a[:6]) })
	if !errors.Is(err, latest.ErrMany) || len(got) != 2000 || !newestFirst {
		t.Errorf("%d versions, %v", len(got), err)
	}
}

func TestImportance(t *testing.T) {
	t.Parallel()
	page := func(first cdx.Timestamp) *change.Range { return &change.Range{First: first, Kind: change.Page} }
	edit := func(added, deleted int, similarity float64) *latest.Version {
		v := &latest.Version{Before: page(20160101000000), Range: *page(20160201000000)}
		v.Range.Change = &sketch.Delta{Added: added, Deleted: deleted, Similarity: similarity}
		return v
	}
	long := edit(5, 5, 0.5)
	long.Before.First = 20100101000000
	gone := &latest.Version{Before: page(20160101000000), Range: change.Range{First: 20160201000000, Kind: change.Missing}}
	back := &latest.Version{Before: &change.Range{First: 20160101000000, Kind: change.Missing}, Range: *page(20160201000000)}
	order := []*latest.Version{
		gone, long, back, edit(0, 5, 0.5), edit(5, 5, 0.5), edit(5, 0, 0.5),
		{Range: *page(20160101000000)},
		edit(1, 1, 0.99),
	}
	for i := 1; i < len(order); i++ {
		if a, b := order[i-1].Importance(), order[i].Importance(); a < b {
			t.Errorf("%d weighs %f, and what is behind it %f", i-1, a, b)
		}
	}
	const month = 31.0 / 365 // between the versions
	for i, v := range []*latest.Version{gone, long, edit(0, 5, 0.5), edit(5, 0, 0.5), edit(0, 0, 0.5), {Range: *page(20160101000000)}} {
		want := []float64{1 + month, 0.75, 0.5 * (1 + month), 0.25 * (1 + month), 0.25 * (1 + month), 0.2}[i]
		if got := v.Importance(); !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("%d weighs %f, want %f", i, got, want)
		}
	}
	for i, v := range []*latest.Version{
		{Range: change.Range{Kind: change.Missing}},
		{Range: change.Range{Kind: change.Missing}, Before: &change.Range{Kind: change.Redirect}},
		{Range: change.Range{Kind: change.Redirect}, Before: page(20160101000000)},
		{Range: *page(20160201000000), Before: page(20160101000000)},
	} {
		if v.Gone() != (i == 2) || v.Share() != 1 {
			t.Errorf("%d is gone: %v, with a share of %f", i, v.Gone(), v.Share())
		}
	}
	if gone.Share() != 1 || back.Share() != 1 || edit(1, 1, 0.75).Share() != 0.25 || !gone.Gone() || back.Gone() {
		t.Error("shares are wrong")
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	sketch := func(text string) *sketch.Sketch {
		var e visible.Extractor
		x := e.Extract([]byte(text), "text/plain; charset=utf-8")
		k := sketch.Of(&x)
		return &k
	}
	w, err := latest.ParseWatch("Tannery:2, mill")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		older, newer string
		least, most  float64
	}{
		{"a quiet place", "a quiet place with a tannery and a mill", 0.5, 0.8},
		{"the tannery", "the", 0.85, 0.95}, // 2/√5
		{"the", "the TANNERY mill", 0.9, 1},
		{"mill tannery", "", 0.9, 1},
		{"mill", "mill mill mill", 0.44, 0.45}, // 1/√5
		{"the tannery", "the tannery and more", 0, 0},
		{"one two three four five six seven eight nine ten", "mill", 0.01, 0.2},
	} {
		if got := w.Score(sketch(tt.older), sketch(tt.newer)); got < tt.least || got > tt.most {
			t.Errorf("%q → %q: %f, want %f to %f", tt.older, tt.newer, got, tt.least, tt.most)
		}
	}
	if got := w.Score(nil, sketch("mill tannery")); got < 0.9 {
		t.Errorf("a first version: %f", got)
	}
	for _, list := range []string{"mill", "MILL!:3", `"mill"`, "(mill)"} {
		if w, err := latest.ParseWatch(list); err != nil || w.Score(nil, sketch("mill")) != 1 {
			t.Errorf("%s doesn't watch for mill: %v", list, err)
		}
	}
	for _, bad := range []string{"", ",", "a b", "a:0", "a:-1", "a:NaN", "a:1e9", "…:1", strings.Repeat("x,", 3), "a:1:2"} {
		if _, err := latest.ParseWatch(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	many := "w0"
	for i := range 199 {
		many += fmt.Sprint(",w", i+1)
	}
	_, err200 := latest.ParseWatch(many)
	_, err201 := latest.ParseWatch(many + ",w200")
	if err200 != nil || err201 == nil || !strings.Contains(err201.Error(), "201 words are more than 200") {
		t.Errorf("%v, %v", err200, err201)
	}
}

// A failing index must not look like an archive in which nothing has changed.
func TestAFailingIndexIsAnError(t *testing.T) {
	t.Parallel()
	archivetest.EachFault(t, archivetest.Days(site, "one", "two"), func(s *archivetest.Shelf) error {
		a, err := archive.New(archive.Config{Index: s.Index, Records: s})
		if err != nil {
			return err
		}
		_, err = walked(t, a, latest.Ask{Level: change.LevelContent})
		return err
	})
}
