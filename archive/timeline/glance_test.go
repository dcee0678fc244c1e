package timeline

import (
	"iter"
	"reflect"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// A timeline is whole as long as it has no more captures than are asked for; of others the first are read, one at least.
func TestHowManyCapturesAreRead(t *testing.T) {
	for _, tt := range []struct {
		captures, most, read int
		whole                bool
	}{{0, 0, 0, true}, {0, 3, 0, true}, {1, 0, 1, true}, {2, 0, 1, false}, {3, 3, 3, true}, {4, 3, 3, false}, {9, 3, 3, false}} {
		tl, taken := &Timeline{}, 0
		var all iter.Seq2[*cdx.Capture, error] = func(yield func(*cdx.Capture, error) bool) {
			for range tt.captures {
				if taken++; !yield(&cdx.Capture{}, nil) {
					return
				}
			}
		}
		whole, err := tl.fill(all, tt.most)
		if err != nil || whole != tt.whole || len(tl.Captures) != tt.read || taken > tt.read+1 {
			t.Errorf("%+v: whole %t, %d read, %d looked at, %v", tt, whole, len(tl.Captures), taken, err)
		}
	}
}

// Seconds with more captures than are read at once, and neighbours of such seconds, have the neighbourhoods and the nearest captures
// that all captures say.
func TestNeighboursOfCrowdedSeconds(t *testing.T) {
	x := indextest.Open(t, "")
	p := &longPages{tb: t, x: x}
	p.file(func(add func(url string, minute, text int)) {
		for i := range 40 {
			add(longPage, i, i/4)
		}
		for range maxNear + 200 {
			add(longPage, 50, 9)
		}
		for range 60 {
			add(longPage, 55, 10)
		}
		for i := range 40 {
			add(longPage, 60+i, 11+i/4)
		}
	})
	long, whole := overIndex(t, x, 4), overIndex(t, x, 1<<30)
	tl, err := whole.Get(t.Context(), "web", surt.Of(longPage))
	if err != nil {
		t.Fatal(err)
	}
	first, last := tl.Captures[0], tl.Captures[len(tl.Captures)-1]
	for _, at := range []struct {
		c     cdx.Capture
		asked cdx.Timestamp
	}{{first, first.Time}, {last, last.Time}, {last, 0}} { // of versions that nobody has asked for; without a datetime the end is read
		c := at.c
		o, err := overIndex(t, x, 4).Original(t.Context(), "web", surt.Of(longPage), at.asked)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := o.Memento(t.Context(), c.Time); err != nil || m == nil || m.Location != c.Location {
			t.Errorf("asked for %d, the capture of %s is %v, %v", at.asked, c.Time, m, err)
		}
		want, err := tl.Neighbourhood(&c)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := o.Neighbourhood(t.Context(), &c); err != nil || !reflect.DeepEqual(told(got), told(want)) {
			t.Errorf("before versions are cached, of %s:\n got %s, %v\nwant %s", c.Time, around(got), err, around(want))
		}
	}
	all, err := overIndex(t, x, 4).Get(t.Context(), "web", surt.Of(longPage))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := all.Ranges(2); err != nil { // keeps them
		t.Fatal(err)
	}
	changesAround := func(s *Timelines, ts cdx.Timestamp) string {
		w, err := s.ChangesAround(t.Context(), memento.URIs{Coll: "web"}, longPage, change.LevelContent, ts)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := w.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for _, ts := range []cdx.Timestamp{19700101000000, first.Time, tl.Captures[20].Time, last.Time, 20300101000000} {
		if got, want := changesAround(long, ts), changesAround(whole, ts); got != want {
			t.Errorf("changes around %s:\n got %s\nwant %s", ts, got, want)
		}
	}
	for _, i := range []int{0, 3, 35, 39, 40, 700, 1239, 1240, 1250, 1300, 1305, len(tl.Captures) - 1} {
		c := tl.Captures[i]
		o, err := long.Original(t.Context(), "web", surt.Of(longPage), c.Time)
		if err != nil {
			t.Fatal(err)
		}
		want, err := tl.Neighbourhood(&c)
		if err != nil {
			t.Fatal(err)
		}
		got, err := o.Neighbourhood(t.Context(), &c)
		if err != nil || !reflect.DeepEqual(told(got), told(want)) {
			t.Errorf("of capture %d:\n got %s, %v\nwant %s", i, around(got), err, around(want))
		}
		m, err := o.Memento(t.Context(), c.Time)
		if want := tl.Memento(c.Time); err != nil || m.Location != want.Location {
			t.Errorf("capture %d is shown by %v, %v, want %v", i, m, err, want)
		}
		var near, wanted []cdx.Location
		for c := range o.Closest(t.Context(), c.Time) {
			near = append(near, c.Location)
		}
		for c := range tl.Closest(c.Time) {
			wanted = append(wanted, c.Location)
		}
		if !reflect.DeepEqual(near, wanted) {
			t.Errorf("closest to capture %d are other captures", i)
		}
	}
}

// Where an address has very many captures, those that are spelled otherwise are left out too.
func TestSpellingsOfALongPage(t *testing.T) {
	t.Parallel()
	x, upper := indextest.Open(t, ""), longPage+"P"
	(&longPages{tb: t, x: x}).file(func(add func(url string, minute, text int)) {
		for i := range 20 {
			add(upper, 2*i, 1)
			add(strings.ToLower(upper), 2*i+1, 2)
		}
	})
	for _, ts := range []cdx.Timestamp{0, 19900101000500} {
		o, err := overIndex(t, x, 4).Original(t.Context(), "web", surt.Of(upper), ts)
		if err != nil {
			t.Fatal(err)
		}
		if o, err = o.Spelled(t.Context(), upper); err != nil {
			t.Fatal(err)
		}
		if tl, err := o.Timeline(t.Context()); err != nil || len(tl.Captures) != 20 {
			t.Errorf("asked for %d: %d captures, %v", ts, len(tl.Captures), err)
		}
	}
}
