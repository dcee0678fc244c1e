package change

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/cdx"

	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/content/visible"
)

// divided returns what all chapters say.
func divided(d Division, level Level, states []State, src Source, site *site.Site) ([]Range, error) {
	begins := starts(d, states)
	at := func(chapter int) int { return begins[max(0, min(chapter, len(begins)-1))] }
	all := make([]Chapter, 0, len(begins)-1)
	var start, in Carry // at the beginning of the chapter before, and of the chapter
	for k := range len(begins) - 1 {
		from := at(k - 1)
		c, err := ReadChapter(level, &Window{
			States: states[from:at(k+2)], From: at(k) - from, To: at(k+1) - from, Start: start, In: in,
		}, src, site)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
		start, in = in, c.Out
	}
	return Join(all, 0), nil
}

// starts returns the indices at which chapters begin, and the number of states.
func starts(d Division, states []State) []int {
	begins := []int{0}
	for i := 1; i < len(states); i++ {
		if d.Begins(states[i-1].Time, states[i].Time) {
			begins = append(begins, i)
		}
	}
	return append(begins, len(states))
}

// What is learnt of nothing but the captures before is carried on from chapter to chapter.
func TestChaptersSayWhatAllCapturesSayTogether(t *testing.T) {
	long := 0
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		src := shelf{}
		for i, d := range []draft{pageDraft, {words: 500, own: 300, size: 3000, kind: 2}, {words: 30, own: 20, size: 100, kind: 3, like: 128}} {
			k := d.sketch(uint64(i + 1))
			k.CoreSize, k.NotFound = d.size, i == 2
			src[k.ID] = k
		}
		states := make([]State, 120)
		for i := range states {
			s := State{Time: cdx.Timestamp(20200101000000 + i/2), Status: 200, Text: 1 + rnd.Uint64N(3)}
			switch s.Digest = fmt.Sprint(s.Text, rnd.IntN(2)); rnd.IntN(6) {
			case 0:
				s.Status, s.Failed, s.Text = 503, true, 0
			case 1:
				s.Status, s.Redirect, s.Text, s.ToSelf = 301, "http://example.org/", 0, rnd.IntN(2) == 0
			case 2:
				s.Status = 404
			}
			if i < int(seed%40) {
				s.Status, s.Redirect, s.Text, s.ToSelf, s.Failed = 301, "http://example.org/", 0, true, false
			}
			s.Beside = i%2 == int(seed%2) && rnd.IntN(3) == 0
			states[i] = s
		}
		for _, level := range []Level{LevelAny, LevelText} {
			d := Division{Mean: 1 + rnd.Uint64N(9)}
			want, err := Ranges(level, states, src, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := divided(d, level, states, src, nil)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, level %s, %v: got\n%+v, %v\nwant\n%+v", seed, level, d, got, err, want)
			}
			if len(starts(d, states)) > 5 {
				long++
			}
		}
	}
	if long < 100 {
		t.Errorf("only %d divisions had some chapters", long)
	}
}

// A new chapter begins where the datetimes say so, whatever the captures are: those that are stored stay as they are.
func TestWhereChaptersBegin(t *testing.T) {
	var begins []int
	for day := range 28 {
		if at := cdx.Timestamp(20200101000000 + 1000000*day); (Division{Mean: 4}).Begins(at-1, at) {
			begins = append(begins, day)
		}
		if at := cdx.Timestamp(20200101000000 + 1000000*day); (Division{}).Begins(at-1, at) || (Division{Mean: 1}).Begins(at, at) {
			t.Errorf("day %d", day)
		}
	}
	if want := []int{0, 5, 9, 13, 15, 17, 19, 24, 26}; !slices.Equal(begins, want) {
		t.Errorf("chapters begin on the days %v, want %v", begins, want)
	}
	got := []bool{(Division{Whole: 3, Mean: 1}).Divides(3), (Division{Whole: 3, Mean: 1}).Divides(4), (Division{Whole: 3}).Divides(4)}
	if want := []bool{false, true, false}; !slices.Equal(got, want) {
		t.Errorf("divided: %v", got)
	}
}

// A chapter knows of those long before it what the page was. A letter stands for a capture: the page (p), another text of it (q), the
// site's front page (f), or no content (-).
func TestChaptersKnowThePageBefore(t *testing.T) {
	home := pageDraft
	home.named = visible.Named
	src := shelf{'p': home.sketch('p'), 'q': home.sketch('q')}
	src['f'] = draft{words: 500, own: 100, size: 200, kind: 1, named: visible.Front}.sketch('f')
	for life, want := range map[string][]string{
		"pffffffffffffffffff":     {"0-0/1 page 200", "1-18/18 missing 200 soft"},
		"-p----------p-q--------": {"0-0/1 error 204", "1-12/13 page 200", "14-14/9 page 200"},
	} {
		states := make([]State, len(life))
		for i, r := range life {
			if states[i] = (State{Time: cdx.Timestamp(20200101000000 + 1000000*i), Status: 200, Text: uint64(r)}); r == '-' {
				states[i].Status, states[i].Text = 204, 0
			}
		}
		all, err := Ranges(LevelContent, states, src, nil)
		if err != nil || !slices.Equal(lines(all), want) {
			t.Errorf("%s: %q, want %q (%v)", life, lines(all), want, err)
		}
		for mean := range uint64(5) {
			got, err := divided(Division{Mean: mean}, LevelContent, states, src, nil)
			if diff := cmp.Diff(all, got); diff != "" || err != nil {
				t.Errorf("%s, in chapters of about %d: %s (%v)", life, mean, diff, err)
			}
		}
	}
}
