package best_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/varve-archive/varve/internal/best"
)

func least(a, b *int) int { return cmp.Compare(*a, *b) }

func TestTheFirstAreKept(t *testing.T) {
	for _, tt := range []struct {
		most, skip int
		given      []int
		want       []int
	}{
		{3, 0, []int{5, 1, 4, 2, 3}, []int{1, 2, 3}},
		{3, 1, []int{5, 1, 4, 2, 3}, []int{2, 3}},
		{3, 9, []int{5, 1}, nil},
		{9, 0, []int{2, 1}, []int{1, 2}},
		{1, 0, []int{2, 2, 1, 1}, []int{1}},
		{0, 0, []int{2, 1}, nil},
	} {
		l := best.Of(tt.most, least)
		for _, v := range tt.given {
			l.Add(v)
		}
		if got := l.Take(tt.skip); !slices.Equal(got, tt.want) {
			t.Errorf("the first %d of %v, without %d: %v", tt.most, tt.given, tt.skip, got)
		}
		if got := l.Take(0); len(got) > 0 {
			t.Errorf("taken twice: %v", got)
		}
	}
}

func TestWhatIsWanted(t *testing.T) {
	l := best.Of(2, least)
	for _, tt := range []struct {
		v    int
		want bool
	}{{9, true}, {5, true}, {7, true}, {7, false}, {8, false}, {4, true}} {
		if got := l.Wants(&tt.v); got != tt.want {
			t.Errorf("%d: %t", tt.v, got)
		}
		l.Add(tt.v)
	}
}

func TestManyAreAsSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for most := range 40 {
		var all []int
		l := best.Of(most, least)
		for range 200 {
			v := r.IntN(100)
			all = append(all, v)
			l.Add(v)
		}
		slices.Sort(all)
		if got := l.Take(0); !slices.Equal(got, all[:most]) {
			t.Errorf("the first %d: %v", most, got)
		}
	}
}

func ExampleList() {
	shortest := best.Of(2, func(a, b *string) int { return cmp.Compare(len(*a), len(*b)) })
	for _, word := range []string{"river", "ox", "gauge", "bow"} {
		shortest.Add(word)
	}
	fmt.Println(shortest.Take(0))
	// Output: [ox bow]
}
