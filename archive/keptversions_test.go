package archive

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index"
	"github.com/varve-archive/varve/cdx/index/storetest"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/memento"
)

// arrivals change an index at random: files come, grow over records that were cut off, go, and revisits find their originals.
type arrivals struct {
	t     *testing.T
	rnd   *rand.Rand
	x     *index.Index
	pages []string
	files []index.File
	made  int
}

// some adds random captures to a file from an offset on, and returns where they end.
func (a *arrivals) some(f *index.File, offset int64) {
	w := a.x.Writer(a.t.Context(), "web")
	defer w.Cancel()
	for range 1 + a.rnd.IntN(12) {
		url := a.pages[a.rnd.IntN(len(a.pages))]
		c := cdx.Capture{
			Key: surt.Of(url), URL: url, Status: 200, MIME: "text/html",
			Time:     cdx.Timestamp(20200101000000 + a.rnd.IntN(28)*1000000 + a.rnd.IntN(3)),
			Location: cdx.Location{File: f.ID, Offset: offset, Length: 90},
		}
		switch n := a.rnd.IntN(10); {
		case n == 0:
			c.Status = 503
		case n == 1:
			c.Status, c.Redirect = 301, a.pages[a.rnd.IntN(len(a.pages))]
		case n == 2:
			c.Kind, c.Status, c.Digest = cdx.Revisit, 0, fmt.Sprint("x:", a.rnd.IntN(6))
		case n == 3:
			c.Truncated = true
			a.text(w, &c, a.rnd.IntN(6))
		case n == 4: // what other pages of the site say the same way is missing, too
			c.Status = 404
			a.text(w, &c, a.rnd.IntN(3))
		default:
			a.text(w, &c, a.rnd.IntN(6))
		}
		if err := w.Add(&c); err != nil {
			a.t.Fatal(err)
		}
		f.Resume = offset
		offset += 100
	}
	if err := w.Flush(); err != nil {
		a.t.Fatal(err)
	}
	f.Done, f.Scanned = true, offset
	a.put(f)
}

// text gives a capture one of some texts. They have common paragraphs.
func (a *arrivals) text(w *index.Writer, c *cdx.Capture, n int) {
	body := fmt.Appendf(nil, "Everything that is here stays.\n\nThe words of version number %d stand here.\n\nIt is %d o'clock.", n/2, n)
	text := new(change.Extractor).Extract(body, "text/plain")
	sketch := text.Sketch()
	if err := w.AddText(sketch.ID, sketch.AppendBinary(nil), nil); err != nil {
		a.t.Fatal(err)
	}
	c.Text, c.Digest = sketch.ID, fmt.Sprint("x:", n)
}

func (a *arrivals) put(f *index.File) {
	id, err := a.x.PutFile(a.t.Context(), *f)
	if err != nil {
		a.t.Fatal(err)
	}
	f.ID = id
}

// next does one thing.
func (a *arrivals) next() {
	n := a.rnd.IntN(10)
	switch {
	case n < 5 || len(a.files) == 0:
		a.made++
		f := index.File{Collection: "web", Name: fmt.Sprintf("%d.warc", a.made), Path: fmt.Sprintf("/%d.warc", a.made)}
		a.put(&f)
		a.some(&f, 0)
		a.files = append(a.files, f)
	case n < 7: // the last record is read again, and may be another
		f := &a.files[a.rnd.IntN(len(a.files))]
		a.some(f, f.Resume)
	case n < 8:
		i := a.rnd.IntN(len(a.files))
		if err := a.x.RemoveFile(a.t.Context(), a.files[i].ID); err != nil {
			a.t.Fatal(err)
		}
		a.files = append(a.files[:i], a.files[i+1:]...)
	default:
		if _, _, err := a.x.Resolve(a.t.Context()); err != nil {
			a.t.Fatal(err)
		}
	}
}

// What is kept of versions never makes an answer other than that from all captures, whatever arrives and goes.
func TestKeptVersionsAreThoseOfAllCaptures(t *testing.T) {
	kept := 0
	for seed := range uint64(12) {
		x, err := index.New(t.Context(), storetest.NewMemory())
		if err != nil {
			t.Fatal(err)
		}
		a := &arrivals{
			t: t, rnd: rand.New(rand.NewPCG(seed, 1)), x: x,
			pages: []string{"http://a.example/", "http://a.example/b", "https://a.example/", "http://c.example/", "http://c.example/d"},
		}
		for range 25 {
			a.next()
			if a.rnd.IntN(3) > 0 {
				kept += sameAnswers(t, a)
			}
		}
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
	if kept < 150 {
		t.Errorf("versions were kept %d times only", kept)
	}
}

// sameAnswers compares an archive that keeps versions with one that doesn't, and returns how many it found kept.
func sameAnswers(t *testing.T, a *arrivals) (kept int) {
	t.Helper()
	keeping, plain := overIndex(t, a.x, 4), overIndex(t, a.x, math.MaxInt)
	uris := memento.URIs{Coll: "web"}
	for _, page := range a.pages {
		for _, level := range []change.Level{change.LevelAny, change.LevelText, change.LevelContent} {
			_, _, found, err := keeping.timelines.versions(t.Context(), "web", surt.Of(page), level)
			if err != nil {
				t.Fatal(err)
			}
			if found {
				kept++
			}
			got, want := changesJSON(t, keeping, uris, page, level), changesJSON(t, plain, uris, page, level)
			if got != want {
				t.Errorf("%s at level %s, kept %t:\n got %s\nwant %s", page, level, found, got, want)
			}
		}
		sameNeighbours(t, keeping, plain, page)
	}
	return kept
}

func overIndex(t *testing.T, x *index.Index, many int) *Archive {
	t.Helper()
	s, err := New(Config{Index: x, Records: archivetest.NoRecords{}, Software: "varve of this test"})
	if err != nil {
		t.Fatal(err)
	}
	s.timelines.many = many
	return s
}

func changesJSON(t *testing.T, s *Archive, uris memento.URIs, page string, level change.Level) string {
	t.Helper()
	list, err := s.ChangesOf(t.Context(), uris, page, level)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func sameNeighbours(t *testing.T, keeping, plain *Archive, page string) {
	t.Helper()
	long, err := keeping.Original(t.Context(), "web", surt.Of(page))
	if err != nil {
		t.Fatal(err)
	}
	tl, err := plain.Timeline(t.Context(), "web", surt.Of(page))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range tl.Captures {
		want, err := tl.Neighbourhood(&c)
		if err != nil {
			t.Fatal(err)
		}
		got, err := long.Neighbourhood(t.Context(), &c)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s at %d: its neighbourhood\n got %s\nwant %s", page, c.Time, around(got), around(want))
		}
		m, err := long.Memento(t.Context(), c.Time)
		if want := tl.Memento(c.Time); err != nil || !reflect.DeepEqual(m, want) {
			t.Errorf("%s at %d: got %v, %v, want %v", page, c.Time, m, err, want)
		}
		if got, err := long.LeadsElsewhere(t.Context(), &c); err != nil || got != LeadsElsewhere(tl, &c) {
			t.Errorf("%s at %d leads elsewhere: %t, %v", page, c.Time, got, err)
		}
	}
}

func around(n *memento.Neighbourhood) string {
	var at []any
	for _, c := range []*cdx.Capture{n.First, n.Prev, n.Next, n.Last, n.Predecessor, n.Successor} {
		if c == nil {
			at = append(at, "none")
		} else {
			at = append(at, c.Location, c.Time)
		}
	}
	return fmt.Sprint(at...)
}

// What another version of the program has kept is not taken for what this one would find.
func TestVersionsOfAnotherProgramAreNotTaken(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://example.org/": 20})
	one := overIndex(t, x, 4)
	uris := memento.URIs{Coll: "web"}
	changesJSON(t, one, uris, "http://example.org/", change.LevelText)
	for software, want := range map[string]bool{"varve of this test": true, "varve of tomorrow": false} {
		s := overIndex(t, x, 4)
		s.timelines.software = software
		_, _, found, err := s.timelines.versions(t.Context(), "web", surt.Of("http://example.org/"), change.LevelText)
		if err != nil || found != want {
			t.Errorf("%s: found %t, %v", software, found, err)
		}
	}
}

func FuzzKeptVersions(f *testing.F) {
	e := keptEncoder{b: []byte{0}}
	e.version(&version{
		Range: change.Range{First: 20200101000000, Last: 20200102000000, Captures: 3, Status: 200}, FirstURL: "a", LastURL: "b",
	})
	e.version(&version{
		Range: change.Range{
			First: 20200103000000, Last: 20200103000000, FirstIndex: 3, LastIndex: 3, Captures: 1, Kind: change.Redirect, Redirect: "c",
			Unshown: []int{4, 9}, Change: &change.Delta{Added: 1, Similarity: 0.5}, Soft404: true,
		}, FirstURL: "b", LastURL: "b", Similarity: 0.25,
	})
	f.Add(e.b)
	f.Fuzz(func(t *testing.T, b []byte) {
		before, all, err := parseKeptPart(b)
		if err != nil {
			return
		}
		e := keptEncoder{b: []byte{}}
		e.b = binary.AppendUvarint(e.b, uint64(before))
		for i := range all {
			e.version(&all[i])
		}
		again, back, err := parseKeptPart(e.b)
		if err != nil || again != before || len(back) != len(all) || fmt.Sprint(back) != fmt.Sprint(all) && !hasDelta(all) {
			t.Errorf("%d versions came back as %d, %v", len(all), len(back), err)
		}
	})
}

// hasDelta reports whether versions have pointers, which print as addresses.
func hasDelta(all []version) bool {
	for i := range all {
		if all[i].Change != nil {
			return true
		}
	}
	return false
}

// Furniture, what changes by itself and what "not found" looks like are learnt from all pages of a site; the payload is that of
// the page alone.
func TestKeptVersionsDependOnTheSiteIfItCounts(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://example.org/": 20})
	levels, uris := []change.Level{change.LevelAny, change.LevelText, change.LevelContent}, memento.URIs{Coll: "web"}
	for _, level := range levels {
		changesJSON(t, overIndex(t, x, 4), uris, "http://example.org/", level)
	}
	for _, tt := range []struct {
		comes string
		want  map[change.Level]bool
	}{
		{"http://example.com/", map[change.Level]bool{change.LevelAny: true, change.LevelText: true, change.LevelContent: true}},
		{"http://example.org/other", map[change.Level]bool{change.LevelAny: true}},
		{"http://example.org/", nil},
	} {
		archivetest.PutBare(t, x, tt.comes, 1, 0, 0)
		for _, level := range levels {
			_, _, found, err := overIndex(t, x, 4).timelines.versions(t.Context(), "web", surt.Of("http://example.org/"), level)
			if err != nil || found != tt.want[level] {
				t.Errorf("after %s came, at level %s: kept %t, %v", tt.comes, level, found, err)
			}
		}
	}
}

// What rules exclude is in no answer, whatever was kept without them or for others.
func TestKeptVersionsTellNothingThatIsExcluded(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://example.org/": 20})
	uris, page, level := memento.URIs{Coll: "web"}, "http://example.org/", change.LevelText
	whole := changesJSON(t, overIndex(t, x, 4), uris, page, level)
	under := func(many int) *Archive {
		s, err := New(Config{
			Index: x, Records: archivetest.NoRecords{}, Software: "varve of this test",
			Access: policy(t, "rules:\n- {url: \"http://example.org/\", captured: {from: 2010010105, to: 2010010112}, access: exclude}\n"),
		})
		if err != nil {
			t.Fatal(err)
		}
		s.timelines.many = many
		return s
	}
	got, want := changesJSON(t, under(4), uris, page, level), changesJSON(t, under(math.MaxInt), uris, page, level)
	if got != want || got == whole {
		t.Errorf("with rules got\n%s\nwant\n%s", got, want)
	}
	sameNeighbours(t, under(4), under(math.MaxInt), page)
	if again := changesJSON(t, overIndex(t, x, 4), uris, page, level); again != whole {
		t.Errorf("without them again:\n%s", again)
	}
}

// Counting, which happens behind requests, keeps again what went because the site has changed.
func TestCountingKeepsVersionsAgain(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://example.org/": 200})
	s := overIndex(t, x, 4)
	var before *Counted
	for _, comes := range []string{"http://example.com/", "http://example.org/other"} {
		archivetest.PutBare(t, x, comes, 1, 0, 0)
		c := &counter{s: s, key: countKey{coll: "web", level: change.LevelContent}, done: new(atomic.Int64)}
		var err error
		if before, err = c.count(t.Context(), before); err != nil {
			t.Fatal(err)
		}
		_, _, found, err := overIndex(t, x, 4).timelines.versions(t.Context(), "web", surt.Of("http://example.org/"), change.LevelContent)
		if err != nil || !found {
			t.Errorf("after %s came: kept %t, %v", comes, found, err)
		}
	}
}
