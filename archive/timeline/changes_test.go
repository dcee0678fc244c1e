package timeline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

func changes(t *testing.T, s *archive.Archive, level change.Level) *timeline.ChangeList {
	t.Helper()
	list, err := s.Timelines.ChangesOf(t.Context(), uris, page, level)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestChangesAreTheValidityRanges(t *testing.T) {
	s, _ := open(t, append(days(page, "one two", "one two", "one three", "404"), archivetest.Moved(day(4), page, "/new"))...)
	text := func(s string) *string { return &s }
	uri := func(i int) string { return "/web/" + day(i) + "/" + page }
	want := &timeline.ChangeList{OriginalURI: page, Level: "content", Captures: 5, Ranges: []timeline.ValidityRange{
		{
			First: day(0), Last: day(1), Until: text(day(2)), Captures: 2, Kind: "page", Status: 200,
			FirstMemento: uri(0), LastMemento: uri(1),
		},
		{
			First: day(2), Last: day(2), Until: text(day(3)), Captures: 1, Kind: "page", Status: 200,
			FirstMemento: uri(2), LastMemento: uri(2), Change: &timeline.Delta{Added: 1, Deleted: 1},
		},
		{
			First: day(3), Last: day(3), Until: text(day(4)), Captures: 1, Kind: "missing", Status: 404,
			FirstMemento: uri(3), LastMemento: uri(3),
		},
		{
			First: day(4), Last: day(4), Captures: 1, Kind: "redirect", Status: 301,
			FirstMemento: uri(4), LastMemento: uri(4), Redirect: text("http://a.example/new"),
		},
	}}
	if diff := cmp.Diff(want, changes(t, s, change.LevelContent)); diff != "" {
		t.Error(diff)
	}
	if list, err := s.Timelines.ChangesOf(t.Context(), uris, "http://a.example/never", change.LevelAny); list != nil || err != nil {
		t.Errorf("never captured: %+v, %v", list, err)
	}
}

// Two texts that come and go by turns are one range, which says since when.
func TestTextsThatAlternate(t *testing.T) {
	var captures []archivetest.Record
	for i, word := range strings.Fields("letter claim letter claim letter") {
		captures = append(captures, archivetest.On(day(i), page, "<title>Rules</title><main><h1>Rules</h1><p class=term>"+
			strings.Repeat("The keeper of the harbour answers each "+word+" within a fortnight. ", 5)+"</p><p>"+
			strings.Repeat("All boats leave by noon and return before the tide. ", 40)+"</main>"))
	}
	s, _ := open(t, captures...)
	var since []string
	for _, r := range changes(t, s, change.LevelContent).Ranges {
		since = append(since, r.AlternatingSince)
	}
	if want := []string{"", day(1)}; !slices.Equal(since, want) {
		t.Errorf("%q, want %q", since, want)
	}
}

// If sketches see no difference between two texts that differ, the list must not call them the same.
func TestSimilarityOfDifferentTextsIsBelowOne(t *testing.T) {
	// The differences are beside the page's main text, or in digits only.
	tests := []struct {
		name    string
		history []string
		want    []float64 // of each version to the one before
	}{
		{"furniture alone", []string{acid, "<nav>home</nav>" + acid}, []float64{0.999}},
		{"a failure between", []string{acid, "503", "<nav>home</nav>" + acid}, []float64{0.999}},
		{"a redirect to itself between", []string{acid, ">" + page, "<nav>home</nav>" + acid}, []float64{0.999}},
		{"a text that shares nothing", []string{acid, fog}, []float64{0}},
		{"the same text again, after an error page", []string{acid, "404", acid}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := open(t, days(page, tt.history...)...)
			var got []float64
			for _, r := range changes(t, s, change.LevelText).Ranges {
				if r.Change != nil {
					got = append(got, r.Change.Similarity)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSimilarityOfTheSameTextIsOne(t *testing.T) {
	for name, history := range map[string][]string{
		"other mark-up": {"one", "<b>one</b>"}, "a failure between": {"one", "503", "<b>one</b>"},
		"a redirect to itself between": {"one", ">" + page, "<b>one</b>"},
	} {
		s, _ := open(t, days(page, history...)...)
		ranges := changes(t, s, change.LevelAny).Ranges
		if len(ranges) != 2 || ranges[1].Change == nil || ranges[1].Change.Similarity != 1 {
			t.Errorf("%s: %+v", name, ranges)
		}
	}
}

func TestChangesAroundADatetimeAreThreeRanges(t *testing.T) {
	s, _ := open(t, days(page, "one", "two", "three", "four", "five")...)
	want := map[string]string{
		"2019":           "0 of 5: " + day(0) + " " + day(1),
		day(0):           "0 of 5: " + day(0) + " " + day(1),
		day(1):           "1 of 5: " + day(0) + " " + day(1) + " " + day(2),
		"20200102120000": "1 of 5: " + day(0) + " " + day(1) + " " + day(2),
		day(3):           "3 of 5: " + day(2) + " " + day(3) + " " + day(4),
		day(4):           "4 of 5: " + day(3) + " " + day(4),
		"20990101000000": "4 of 5: " + day(3) + " " + day(4),
	}
	for date, want := range want {
		ts, err := cdx.ParseTimestamp(date)
		if err != nil {
			t.Fatal(err)
		}
		w, err := s.Timelines.ChangesAround(t.Context(), uris, page, change.LevelContent, ts)
		if err != nil {
			t.Fatal(err)
		}
		list := written(t, w)
		var firsts []string
		for _, r := range list.Ranges {
			firsts = append(firsts, r.First)
		}
		if got := fmt.Sprintf("%d of %d: %s", *list.Range, *list.Versions, strings.Join(firsts, " ")); got != want {
			t.Errorf("%s: %s, want %s", date, got, want)
		}
	}
}

func written(t *testing.T, w *timeline.ChangeWriter) (list timeline.ChangeList) {
	t.Helper()
	var b bytes.Buffer
	if err := w.Write(&b); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), &list); err != nil {
		t.Fatalf("%v: %s", err, b.Bytes())
	}
	return list
}

func TestChangesAreWrittenAsTheyAre(t *testing.T) {
	for name, history := range map[string][]string{"one version": {"one"}, "three": {"one", "two", "404"}} {
		s, _ := open(t, days(page, history...)...)
		w, err := s.Timelines.ChangeRanges(t.Context(), uris, page, change.LevelContent)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(*changes(t, s, change.LevelContent), written(t, w)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	s, _ := open(t, days(page, "one", ">/new?a&b")...)
	w, err := s.Timelines.ChangeRanges(t.Context(), uris, page, change.LevelContent)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := w.Write(&b); err != nil || !strings.Contains(b.String(), `"http://a.example/new?a&b"`) {
		t.Errorf("an address is written as it is no more: %s, %v", b.String(), err)
	}
}

// A pieces counts how it is written to, and fails at one of the pieces.
type pieces struct {
	largest, n, failAt int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.largest = max(p.largest, len(b))
	if p.n++; p.n == p.failAt {
		return 0, archivetest.ErrBroken
	}
	return len(b), nil
}

func TestManyChangesAreWrittenInPieces(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{page: 300})
	s := over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}})
	w, err := s.Timelines.ChangeRanges(t.Context(), uris, page, change.LevelAny)
	if err != nil {
		t.Fatal(err)
	}
	if list := written(t, w); len(list.Ranges) != 300 {
		t.Errorf("%d ranges", len(list.Ranges))
	}
	var all pieces
	if err := w.Write(&all); err != nil || all.n < 2 || all.n > 10 || all.largest > 40<<10 {
		t.Errorf("%d pieces, the largest of %d bytes, %v", all.n, all.largest, err)
	}
	for i := 1; i <= all.n; i++ {
		if err := w.Write(&pieces{failAt: i}); err == nil {
			t.Errorf("no error when piece %d of %d can't be written", i, all.n)
		}
	}
}

func TestAnnotateSaysHowACaptureDiffers(t *testing.T) {
	s, _ := open(t, days(page, "one", "one", "<b>one</b>", "<nav>x</nav>one", "two", "two")...)
	tl := timelineOf(t, s, page)
	annotate, err := s.Timelines.Annotate(t.Context(), "web", tl.Key)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range tl.Captures {
		version, what := annotate(&tl.Captures[i])
		got = append(got, fmt.Sprint(version, " ", what))
	}
	want := []string{"0 none", "0 none", "0 any", "0 text", "1 content", "1 none"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A failing index must not look like an archive without captures.
func TestAFailingIndexIsAnError(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(of *timeline.Timelines) error{
		"captures": func(of *timeline.Timelines) error {
			_, err := of.Get(t.Context(), "web", surt.Of(page))
			return err
		},
		"changes": func(of *timeline.Timelines) error {
			_, err := of.ChangesOf(t.Context(), uris, page, change.LevelContent)
			return err
		},
		"changes for an index": func(of *timeline.Timelines) error {
			_, err := of.Annotate(t.Context(), "web", surt.Of(page))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			archivetest.EachFault(t, days(page, acid, "404", fog), func(s *archivetest.Shelf) error {
				return ask(over(t, archive.Config{Index: s.Index, Records: s}).Timelines)
			})
		})
	}
}
