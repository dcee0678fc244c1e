package timeline

import (
	"reflect"
	"testing"

	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// Seconds with more captures than are read at once, and neighbours of such seconds, have the neighbourhoods and the nearest captures
// that all captures say.
func TestNeighboursOfCrowdedSeconds(t *testing.T) {
	x := indextest.Open(t, "")
	p := &longPages{tb: t, x: x}
	p.file(func(add func(url string, minute, text int)) {
		for i := range 40 {
			add(longPage, i, i/4)
		}
		for range mostNear + 200 {
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
	all, err := overIndex(t, x, 4).Get(t.Context(), "web", surt.Of(longPage))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := all.Ranges(2); err != nil { // keeps them
		t.Fatal(err)
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
