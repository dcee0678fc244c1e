package site

import (
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/content/sketch"
)

// What differs between two pages are blocks that only one of them has, wherever they stand.
func TestDiffering(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		gone, come []int // of the blocks of a and b
	}{
		{"nothing", "<p>a b<p>c", "<p>a b<p>c", nil, nil},
		{"one came", "<p>a<p>c", "<p>a<p>b<p>c", nil, []int{1}},
		{"one went", "<p>a<p>b<p>c", "<p>a<p>c", []int{1}, nil},
		{"one became another", "<p>a<p>b<p>c", "<p>a<p>x<p>c", []int{1}, []int{1}},
		{"one moved", "<p>a<p>b<p>c", "<p>b<p>c<p>a", nil, nil},
		{"the last one", "<p>a<p>b", "<p>a<p>x<p>y", []int{1}, []int{1, 2}},
		{"everything", "<p>a<p>b", "<p>x", []int{0, 1}, []int{0}},
	} {
		a, b := sketchOf(tt.a), sketchOf(tt.b)
		gone, come := Differing(a, b)
		places := func(s *sketch.Sketch, blocks []*sketch.Block) (at []int) {
			for i := range s.Blocks {
				if slices.ContainsFunc(blocks, func(b *sketch.Block) bool { return b.NormalHash == s.Blocks[i].NormalHash }) {
					at = append(at, i)
				}
			}
			return at
		}
		if g, c := places(a, gone), places(b, come); !slices.Equal(g, tt.gone) || !slices.Equal(c, tt.come) {
			t.Errorf("%s: %v went, %v came, want %v and %v", tt.name, g, c, tt.gone, tt.come)
		}
	}
}
