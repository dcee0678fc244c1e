package duplicates_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/duplicates"
)

// pairs lists the near-duplicates of an archive as "URI-R@day URI-R@day similarity".
func pairs(t *testing.T, s *archive.Archive, threshold float64, across bool) []string {
	t.Helper()
	var out []string
	for d, err := range duplicates.Texts(t.Context(), s, "web", threshold, across) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s@%s %s@%s %v", strings.TrimPrefix(d.A.URL, "http://a.example/"), dayOf(&d.A),
			strings.TrimPrefix(d.B.URL, "http://a.example/"), dayOf(&d.B), d.Similarity))
	}
	return out
}

func TestDuplicatesArePairsOfTexts(t *testing.T) {
	at := func(path string, day int, text uint64, like int) shown {
		return shown{URI: "http://a.example/" + path, Day: day, Text: text, Like: like}
	}
	failed := func(s shown, status int) shown { s.Status = status; return s }
	var errorsFirst, hidden, hiddenOther []shown
	for range 31 {
		errorsFirst = append(errorsFirst, failed(at("error", 0, 1, whole), 404))
		for range 32 {
			hiddenOther = append(hiddenOther, failed(at("error", 0, 2, whole), 404))
		}
		hiddenOther = append(hiddenOther, at("a", 1, 1, whole), at("b", 1, 2, whole))
		hidden = append(hidden, failed(at("error", 0, 1, whole), 404))
	}
	hidden = append(hidden, failed(at("error", 0, 1, whole), 404), at("a", 1, 1, whole), at("b", 1, 2, whole))
	errorsFirst = append(errorsFirst, at("a", 1, 1, whole), at("b", 1, 2, whole))
	tests := []struct {
		name   string
		across bool
		shown  []shown
		want   []string
	}{
		{"texts that share nothing", false, []shown{at("a", 0, 1, 0), at("b", 0, 2, 0)}, nil},
		{"the same text twice", false, []shown{at("a", 1, 1, 0), at("b", 0, 1, 0)}, []string{"b@0 a@1 1"}},
		{
			"each with the first that had the text", false,
			[]shown{at("a", 0, 1, 0), at("b", 1, 1, 0), at("c", 2, 1, 0)},
			[]string{"a@0 b@1 1", "a@0 c@2 1"},
		},
		{
			"however many captures show it", false,
			[]shown{at("a", 0, 1, 0), at("b", 1, 1, 0), at("b", 2, 1, 0), at("a", 3, 1, 0)},
			[]string{"a@0 b@1 1"},
		},
		{
			"two texts at two addresses each", false,
			[]shown{at("a", 0, 1, 0), at("b", 1, 1, 0), at("a", 2, 2, 0), at("b", 3, 2, 0)},
			[]string{"a@0 b@1 1", "a@2 b@3 1"},
		},
		{
			"not of error pages and redirects", false,
			[]shown{failed(at("a", 0, 1, 0), 199), at("b", 1, 1, 0), failed(at("c", 2, 1, 0), 404), failed(at("d", 3, 1, 0), 300)},
			nil,
		},
		{"of other 2xx", false, []shown{at("a", 0, 1, 0), failed(at("b", 1, 1, 0), 299)}, []string{"a@0 b@1 1"}},
		{"as similar as the threshold", false, []shown{at("a", 0, 1, 96), at("b", 1, 2, 96)}, []string{"a@0 b@1 0.75"}},
		{"less similar", false, []shown{at("a", 0, 1, 95), at("b", 1, 2, 95)}, nil},
		{"much less similar", false, []shown{at("a", 0, 1, 40), at("b", 1, 2, 40)}, nil},
		{"more similar", false, []shown{at("a", 0, 1, 127), at("b", 1, 2, 127)}, []string{"a@0 b@1 0.9921875"}},
		{
			"a pair of texts once, with their oldest captures", false,
			[]shown{at("a", 1, 1, 120), at("a", 0, 1, 120), at("b", 3, 2, 120), at("b", 2, 2, 120)},
			[]string{"a@0 b@2 0.9375"},
		},
		{
			"three texts, three pairs", false,
			[]shown{at("a", 0, 1, 120), at("b", 1, 2, 112), at("c", 2, 3, 120)},
			[]string{"a@0 b@1 0.875", "a@0 c@2 0.9375", "b@1 c@2 0.875"},
		},
		{"two versions of a uri", false, []shown{at("a", 0, 1, 120), at("a", 1, 2, 120)}, []string{"a@0 a@1 0.9375"}},
		{"no versions of a uri, if across addresses", true, []shown{at("a", 0, 1, 120), at("a", 1, 2, 120)}, nil},
		{
			"of different addresses if there are some", true,
			[]shown{at("a", 0, 1, 120), at("a", 1, 2, 120), at("b", 2, 2, 120)},
			[]string{"a@1 b@2 1", "a@0 b@2 0.9375"},
		},
		{
			"of different addresses, the first text's second", true,
			[]shown{at("a", 0, 1, 120), at("b", 1, 1, 120), at("a", 2, 2, 120)},
			[]string{"a@0 b@1 1", "b@1 a@2 0.9375"},
		},
		{"a text that was on many error pages before", false, errorsFirst, []string{"a@1 b@1 0.999"}},
		{"a text that was on too many error pages", false, hidden, nil},
		{"the other text that was on them", false, hiddenOther, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, pairs(t, sketched(t, tt.shown...), duplicates.Near, tt.across)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDuplicatesEndWithTheirConsumer(t *testing.T) {
	for name, list := range map[string][]shown{
		"the same text": {{URI: uri, Text: 1}, {URI: uri + "2", Text: 1}, {URI: uri + "3", Text: 1}},
		"similar texts": {{URI: uri, Text: 1, Like: 120}, {URI: uri + "2", Text: 2, Like: 120}, {URI: uri + "3", Text: 3, Like: 120}},
	} {
		n := 0
		for _, err := range duplicates.Texts(t.Context(), sketched(t, list...), "web", duplicates.Near, false) {
			if n++; err != nil {
				t.Errorf("%s: %v", name, err)
			}
			break
		}
		if n != 1 {
			t.Errorf("%s: %d pairs", name, n)
		}
	}
}

// rain begins a text.
const rain = "acid rain harms lakes forests fish soils and stone"

func TestDuplicatesOfSeveralTexts(t *testing.T) {
	var records []archivetest.Record
	for i, seed := range []string{
		rain, "fog is a cloud that touches ground near cold water", "snow falls in crystals when air is below freezing point",
		"ice covers rivers in winter and melts in spring floods",
	} {
		text := archivetest.Prose(seed)
		records = append(records, archivetest.On("2020", fmt.Sprint(uri, i), text),
			archivetest.On("2020", fmt.Sprint(uri, i, "copy"), text+" one word more"))
	}
	s, _ := open(t, records...)
	if got := pairs(t, s, duplicates.Near, false); len(got) != 4 {
		t.Errorf("%d pairs of 4 texts: %q", len(got), got)
	}
}

// Near the threshold an estimate may be wrong, so the texts themselves are compared.
func TestDuplicatesNearTheThresholdAreMeasured(t *testing.T) {
	const other = "http://a.example/other"
	acid := archivetest.Prose(rain)
	changed := strings.Replace(acid, "lakes", "ponds", 1)
	s, shelf := open(t, archivetest.On("2020", uri, acid), archivetest.On("2020", other, changed))
	shingles := func(html string) []uint64 {
		text := new(visible.Extractor).Extract([]byte(html), "text/html")
		return sketch.Shingles(&text)
	}
	exact := sketch.Jaccard(shingles(acid), shingles(changed))
	found := func(threshold float64) (similarities []float64) {
		for d, err := range duplicates.Texts(t.Context(), s, "web", threshold, false) {
			if err != nil {
				t.Fatal(err)
			}
			similarities = append(similarities, d.Similarity)
		}
		return similarities
	}
	for name, tt := range map[string]struct {
		threshold float64
		want      []float64
	}{
		"at the exact similarity": {exact, []float64{exact}},
		"a little above":          {exact + 0.001, nil},
		"a little below":          {exact - 0.001, []float64{exact}},
	} {
		if got := found(tt.threshold); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
	shelf.Break(t, "20200101000000", other)
	if got := found(exact - 0.1); len(got) != 1 || got[0] == exact {
		t.Errorf("if a record can't be read, by estimate: %v", got)
	}
}

// Of many texts each pair is found once and measured exactly, whichever bands its texts share, and whatever was read for other pairs.
func TestManySimilarTexts(t *testing.T) {
	t.Parallel()
	prose := strings.Fields(archivetest.Prose(rain))
	var records []archivetest.Record
	var shingles [][]uint64
	for i := range 6 {
		text := strings.Join(slices.Insert(slices.Clone(prose), i*len(prose)/6+1, fmt.Sprintf("word%c", 'a'+i)), " ")
		records = append(records, archivetest.On("2020", fmt.Sprint(uri, i), text))
		seen := new(visible.Extractor).Extract([]byte(text), "text/html")
		shingles = append(shingles, sketch.Shingles(&seen))
	}
	lowest := 1.0
	var want []string
	for i, a := range shingles {
		for j := i + 1; j < len(shingles); j++ {
			similarity := sketch.Jaccard(a, shingles[j])
			lowest = min(lowest, similarity)
			want = append(want, fmt.Sprintf("page%d page%d %v", i, j, similarity))
		}
	}
	s, _ := open(t, records...)
	var got []string
	for _, p := range pairs(t, s, lowest, false) {
		f := strings.Fields(strings.ReplaceAll(p, "@0", ""))
		got = append(got, min(f[0], f[1])+" "+max(f[0], f[1])+" "+f[2])
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A failing index must not look like an archive without anything alike.
func TestAFailingIndexIsAnError(t *testing.T) {
	t.Parallel()
	text := archivetest.Prose("acid rain harms lakes forests fish soils and stone")
	records := append(archivetest.Days(uri, text), archivetest.Days("http://b.example/other", text+" and more")...)
	for name, ask := range map[string]func(a *archive.Archive) error{
		"texts": func(a *archive.Archive) error {
			for _, err := range duplicates.Texts(t.Context(), a, "web", duplicates.Near, false) {
				if err != nil {
					return err
				}
			}
			return nil
		},
		"groups": func(a *archive.Archive) error {
			_, err := duplicates.Find(t.Context(), a, duplicates.Query{Coll: "web", Threshold: duplicates.Near})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			archivetest.EachFault(t, records, func(s *archivetest.Shelf) error {
				return ask(over(t, archive.Config{Index: s.Index, Records: s}))
			})
		})
	}
}
