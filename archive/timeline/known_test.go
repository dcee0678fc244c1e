package timeline

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// Captures of a picture show the same if their bytes are the same, or were saved anew; each shows what the first of them showed.
func TestWhatPicturesShow(t *testing.T) {
	t.Parallel()
	p := newPictures(nil, "web", "http://a.example/page")
	for i, c := range []struct {
		payload, digest string
		length          int64
	}{
		{"", "a", 100},
		{"", "b", 149},  // a, saved anew
		{"", "c", 225},  // longer by a half
		{"", "a", 990},  // a again, whatever length this record has
		{"", "d", 140},  // saved anew once more
		{"c", "x", 300}, // c again
	} {
		p.add("/p.jpg", &cdx.Capture{
			Time: cdx.Timestamp(20200101000000 + 1000000*i), Payload: c.payload, Digest: c.digest, Location: cdx.Location{Length: c.length},
		})
	}
	shown := ""
	for _, at := range []cdx.Timestamp{
		20190101000000, 20200101000000, 20200102000000, 20200102120000, 20200103000000, 20200104000000, 20200105000000, 20210101000000,
	} {
		shown += p.Digest("/p.jpg", at)
	}
	if want := "aaaacaac"; shown != want || p.Digest("/other.jpg", 20200101000000) != "" {
		t.Errorf("they show %s, want %s", shown, want)
	}
	for address, want := range map[string]string{
		"/p.jpg": "http://a.example/p.jpg", "https://b.example/p.jpg": "https://b.example/p.jpg", "data:image/png,x": "", "http://[": "",
	} {
		if got := p.Address(address); got != want {
			t.Errorf("%s is at %q, want %q", address, got, want)
		}
	}
	if got := newPictures(nil, "web", "http://[").Address("http://b.example/p.jpg"); got != "http://b.example/p.jpg" {
		t.Errorf("on a page without an address: %q", got)
	}
}

// A page may have very many pictures, and each very many captures.
func TestPicturesAreLookedUpWithinBounds(t *testing.T) {
	t.Parallel()
	x, reads := archivetest.CountedIndex(t, map[string]int{
		"http://a.example/0.jpg": 63, "http://a.example/1.jpg": 64, "http://a.example/2.jpg": 65,
	})
	p := New(Config{View: &view.View{Whole: x}}).PicturesOf("web", "http://a.example/page")
	text := new(sketch.Sketch)
	for i := range 257 {
		var picture sketch.Picture
		picture.Address = fmt.Sprintf("/%d.jpg", i)
		text.Pictures = append(text.Pictures, picture)
	}
	if err := p.Load(t.Context(), nil, text); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(len(p.known["/0.jpg"]), len(p.known["/1.jpg"]), len(p.known["/2.jpg"]), " of ", len(p.known))
	if want := "63 64 64 of 256"; got != want {
		t.Errorf("captures of three pictures: %s, want %s", got, want)
	}
	reads.Reset()
	if err := p.Load(t.Context(), text); err != nil || reads.Values.Load() > 0 {
		t.Errorf("looked up once more, %v", err)
	}
}

// Where the nearest captures can't be read, others of the page are found, however many it has.
func TestNearestOfManyThatAreLost(t *testing.T) {
	t.Parallel()
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 30})
	for _, lost := range []int{0, 1, 7, 8, 9, 29, 30} {
		var asked []cdx.Timestamp
		s := New(Config{View: &view.View{Whole: x}, IsLost: func(_ context.Context, c *cdx.Capture) bool {
			asked = append(asked, c.Time)
			return c.Time < cdx.FromTime(time.Date(2010, 1, 1, lost, 0, 0, 0, time.UTC))
		}})
		s.many = 4
		tl, err := s.Get(t.Context(), "web", surt.Of("http://a.example/"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := s.Nearest(t.Context(), tl, 20100101000000)
		if err != nil {
			t.Fatal(err)
		}
		over := New(Config{View: &view.View{Whole: x}, IsLost: s.isLost})
		over.many = 4
		o, err := over.Original(t.Context(), "web", surt.Of("http://a.example/"), 20100101000000)
		if err != nil {
			t.Fatal(err)
		}
		asked = nil
		got, err := o.Nearest(t.Context(), 20100101000000)
		if err != nil || (got == nil) != (want == nil) || got != nil && got.Location != want.Location {
			t.Errorf("%d are lost: got %v, want %v, %v", lost, got, want, err)
		}
		if lost < 8 && (over.cache.Len() > 0 || len(asked) != lost+1) {
			t.Errorf("%d are lost: asked for %v, the whole page is read: %t", lost, asked, over.cache.Len() > 0)
		}
	}
}

// A page is told as one from the captures of all collections.
func TestPagesOfTwoCollections(t *testing.T) {
	t.Parallel()
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 3, "http://a.example/one": 1})
	file := index.File{Collection: "other", Name: "other", Path: "/other"}
	var err error
	if file.ID, err = x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	w := x.Writer(t.Context(), "other")
	for i, ts := range []cdx.Timestamp{20090101000000, 20100101003000} {
		c := cdx.Capture{
			Key: surt.Of("http://a.example/"), URL: "http://a.example/", Status: 200, Digest: "x:1", Time: ts,
			Location: cdx.Location{File: file.ID, Offset: int64(1000 * i), Length: 900},
		}
		if err := w.Add(&c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	file.Done, file.Scanned = true, 9000
	if _, err := x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	s := New(Config{View: &view.View{Whole: x}})
	tl, err := s.Together(t.Context(), []string{"other", "web", "none"}, surt.Of("http://a.example/"))
	if err != nil {
		t.Fatal(err)
	}
	times := ""
	for i := range tl.Captures {
		times += tl.Captures[i].Time.String() + " "
	}
	want := "20090101000000 20100101000000 20100101003000 20100101010000 20100101020000 "
	if ranges, err := tl.Ranges(change.LevelAny); times != want || tl.Coll != "web" || len(ranges) != 5 || err != nil {
		t.Errorf("captures at %s of %s, %d versions, %v", times, tl.Coll, len(ranges), err)
	}
	again, err := s.Together(t.Context(), []string{"other", "web", "none"}, surt.Of("http://a.example/"))
	if again != tl || err != nil {
		t.Errorf("told anew, %v", err)
	}
	if best, err := s.Nearest(t.Context(), tl, 20100101003000); err != nil || best == nil || best.Time != 20100101003000 {
		t.Errorf("where nobody knows what is lost, the nearest is %v, %v", best, err)
	}
	if one, err := s.Together(t.Context(), []string{"other", "web"}, surt.Of("http://a.example/one")); err != nil || one.Coll != "web" {
		t.Errorf("captures of %q, %v", one.Coll, err)
	}
	if none, err := s.Together(t.Context(), []string{"other"}, "example,none)/"); len(none.Captures) != 0 || err != nil || s.cache.Len() != 5 {
		t.Errorf("%v, %v; %d are kept", none, err, s.cache.Len())
	}
}

// Versions that are cached are of use for as many captures as they were made of.
func TestRangesOfAPageWithManyCaptures(t *testing.T) {
	t.Parallel()
	x, reads := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 20, "http://a.example/few": 4})
	key := surt.Of("http://a.example/")
	for _, ask := range []struct {
		name, key string
		captures  int
		read      bool // all captures
	}{
		{"nothing is cached", key, 20, true},
		{"cached", key, 20, false},
		{"others came", key, 21, true},
		{"few", surt.Of("http://a.example/few"), 4, true},
	} {
		reads.Reset()
		ranges, err := overIndex(t, x, 4).Ranges(t.Context(), "web", ask.key, ask.captures, change.LevelAny)
		if n := min(ask.captures, 20); err != nil || len(ranges) != n || reads.Values.Load() >= int64(n) != ask.read {
			t.Errorf("%s: %d ranges, %d entries read, %v", ask.name, len(ranges), reads.Values.Load(), err)
		}
	}
	for _, cached := range []bool{false, true} {
		tl, err := overIndex(t, x, 4).Get(t.Context(), "web", key)
		if err != nil {
			t.Fatal(err)
		}
		reads.Reset()
		ranges, err := tl.Ranges(change.LevelText)
		if n := reads.Views.Load(); err != nil || len(ranges) != 20 || (n == 1) != cached {
			t.Errorf("cached %t: %d ranges by %d snapshots, %v", cached, len(ranges), n, err)
		}
	}
}

// Background work pauses after each step, and ends when it shall.
func TestRevalidatingIsPaced(t *testing.T) {
	t.Parallel()
	stale := func() *index.Index {
		x, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 20, "http://b.example/": 20})
		for _, url := range []string{"http://a.example/", "http://b.example/"} {
			if _, err := overIndex(t, x, 4).Ranges(t.Context(), "web", surt.Of(url), 20, change.LevelText); err != nil {
				t.Fatal(err)
			}
			archivetest.PutBare(t, x, url+"new", 1, 0, 0)
		}
		return x
	}
	failed := errors.New("no time")
	for stop, want := range map[int]int{9: 4, 1: 1, 3: 3} { // two hosts, and then two pages
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		steps := 0
		err := overIndex(t, stale(), 4).Revalidate(ctx, func(context.Context, time.Duration) error {
			if steps++; steps == stop {
				cancel()
			}
			return failed
		})
		if wanted := map[bool]error{true: failed, false: context.Canceled}[stop > want]; steps != want || !errors.Is(err, wanted) {
			t.Errorf("stopped at step %d: %d steps, %v", stop, steps, err)
		}
	}
	steps := 0
	rules := archivetest.Policy(t, `rules: [{url: "http://a.example/", access: exclude}]`)
	err := under(stale(), rules, 4).Revalidate(t.Context(), func(context.Context, time.Duration) error { steps++; return nil })
	if err != nil || steps != 2 {
		t.Errorf("where rules hide one of two hosts: %d steps, %v", steps, err)
	}
}

// longVersions are cached versions of n chapters, an hour each, each of 10 captures and of versions that begin at so many minutes.
func longVersions(n int, minutes ...int) *cachedVersions {
	s := &cachedVersions{contents: new(contents), have: map[int]*chapter{}}
	for i := range n {
		hour, c := 20200101000000+cdx.Timestamp(10000*i), new(chapter)
		h := heading{first: hour, captures: 10, versions: len(minutes)}
		if i == 1 {
			h.versions = 0 // nothing new
		}
		for j, minute := range minutes[:h.versions] {
			r := change.Range{First: hour + cdx.Timestamp(100*minute), FirstIndex: minute, LastIndex: minute, Kind: change.Kind((i + j) % 2)}
			h.marks = append(h.marks, mark{r.First, r.Kind})
			c.Ranges, c.facts = append(c.Ranges, r), append(c.facts, rangeFacts{})
		}
		c.Captures, c.Goes.LastIndex = 10, -1
		s.captures, s.versions = s.captures+10, s.versions+h.versions
		s.chapters, s.have[i] = append(s.chapters, h), c
	}
	return s
}

// An overview names the chapters and the versions, whether all versions are read or only those that the table of contents has.
func TestMomentsOfALongPage(t *testing.T) {
	t.Parallel()
	const page, resource = change.Page, change.Resource
	want := []Moment{
		{20200101000000, false, page},
		{20200101000500, true, resource},
		{20200101010000, false, resource},
		{20200101020000, true, page},
		{20200101020500, true, resource},
	}
	for _, n := range []int{3, 8, 9} {
		got, err := longVersions(n, 0, 5).moments()
		if err != nil || len(got) != 2*n-1 {
			t.Fatalf("%d chapters: %v, %v", n, got, err)
		}
		if diff := cmp.Diff(want, got[:len(want)]); diff != "" {
			t.Errorf("%d chapters: %s", n, diff)
		}
	}
	s := longVersions(2, 5) // its first good capture, of a resource, isn't the first
	s.chapters[0].marks[0].kind, s.have[0].Ranges[0].Kind = resource, resource
	if got, err := s.moments(); err != nil || len(got) < 2 || got[0] != (Moment{20200101000000, false, resource}) {
		t.Errorf("a version of a chapter: %v, %v", got, err)
	}
}

// Which version a datetime is in, where versions end, and which captures a chapter has before it.
func TestVersionsOfALongPage(t *testing.T) {
	t.Parallel()
	s := longVersions(4, 2, 5)
	for at, want := range map[cdx.Timestamp]string{
		20191231000000: "0 {0 0 0} 0 3", 20200101000100: "0 {20200101000000 0 10} 0 3", 20200101000200: "0 {20200101000000 0 10} 0 3",
		20200101000500: "1 {20200101000000 0 10} 0 3", 20200101010000: "1 {20200101010000 10 10} 0 3",
		20200101020100: "1 {20200101020000 20 10} 0 4", 20200101020200: "2 {20200101020000 20 10} 0 4",
		20200101030900: "5 {20200101030000 30 10} 2 4",
	} {
		number, err := s.at(at)
		from, to := s.chaptersAround(at)
		if got := fmt.Sprint(number, " ", s.boundOf(at), " ", from, to); got != want || err != nil {
			t.Errorf("at %d: %s, want %s, %v", at, got, want, err)
		}
	}
	if from, to := longVersions(0).chaptersAround(0); from != 0 || to != 0 {
		t.Errorf("without chapters: %d to %d", from, to)
	}
	for _, ask := range []struct {
		from, to int
		want     string
	}{{-1, 1, "2:500 "}, {0, 2, "2:500 5:20200 "}, {1, 3, "5:20200 22:20500 "}, {4, 9, "32:30500 35:0 "}, {5, 5, ""}, {6, 9, ""}} {
		some, err := s.some(ask.from, ask.to)
		got := ""
		for _, v := range some {
			got += fmt.Sprintf("%d:%d ", v.FirstIndex, v.Until%1_000_000)
		}
		if got != ask.want || err != nil {
			t.Errorf("versions %d to %d: %s, want %s, %v", ask.from, ask.to, got, ask.want, err)
		}
	}
}

// What is damaged is worked out again; other errors are told.
func TestDamagedVersionsAreMissing(t *testing.T) {
	t.Parallel()
	other := errors.New("no store")
	for _, tt := range []struct {
		err, want error
		found     bool
	}{{nil, nil, true}, {errVersions, nil, false}, {index.ErrNoPart, nil, false}, {other, other, true}} {
		if found, err := asMissing(true, tt.err); found != tt.found || err != tt.want {
			t.Errorf("%v: found %t, %v", tt.err, found, err)
		}
	}
}

// One who asks for texts gets those that there are.
func TestSketchesOfAnIndex(t *testing.T) {
	t.Parallel()
	x, reads := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 1})
	lines := New(Config{View: &view.View{Whole: x}})
	tl, err := lines.Get(t.Context(), "web", surt.Of("http://a.example/"))
	if err != nil {
		t.Fatal(err)
	}
	s := lines.Sketches()
	for range 2 {
		k, err := s.Sketch(tl.Captures[0].Text)
		if err != nil || k == nil || k.ID != tl.Captures[0].Text {
			t.Errorf("%+v, %v", k, err)
		}
		if k, err := s.Sketch(1); k != nil || err != nil {
			t.Errorf("what nobody has: %+v, %v", k, err)
		}
		reads.Reset()
	}
	if err := s.Load([]change.State{{Text: tl.Captures[0].Text}, {Text: 1}, {}}); err != nil || reads.Views.Load() > 0 {
		t.Errorf("known texts are read again, %v", err)
	}
}
