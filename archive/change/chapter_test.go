package change

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/varve-archive/varve/cdx"

	"github.com/varve-archive/varve/archive/change/site"
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
		for i, d := range []draft{pageDraft, {words: 500, own: 300, size: 3000, kind: 2}, {words: 30, own: 20, size: 100, kind: 3}} {
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
