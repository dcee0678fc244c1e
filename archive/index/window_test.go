package index

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestWindowsGiveAllInOrder(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		var shown []uint64
		for range n {
			shown = append(shown, rnd.Uint64N(30))
		}
		shown = append(shown, 0, math.MaxUint64, math.MaxUint64)
		want := slices.Compact(slices.Sorted(slices.Values(shown)))
		for most := 1; most < 2*n+2; most++ {
			w, from, got := window{most: most}, uint64(0), []uint64(nil)
			for more := true; more; {
				w.open(from)
				for _, id := range shown {
					if w.add(id); len(w.kept) >= 2*most {
						t.Fatalf("%d are held, %d are to be kept", len(w.kept), most)
					}
				}
				var kept []uint64
				kept, more = w.close()
				got = append(got, kept...)
				from = got[len(got)-1] + 1
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d at a time: got %v, want %v", most, got, want)
			}
		}
	}
}
