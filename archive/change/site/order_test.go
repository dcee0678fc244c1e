package site

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestListsWhoseOrderSaysNothing(t *testing.T) {
	const one, two, three = " s.a|s.b|s.c", " s.b|s.a|s.c", " s.c|s.b|s.a"
	for _, test := range []struct {
		name, life string
		joined     bool
		want       map[uint32]bool
	}{
		{name: "in another order three times", life: one + two + three + one, want: map[uint32]bool{'s': true}},
		{name: "twice", life: one + two + one},
		{name: "four times of five", life: one + two + one + two + one + one, want: map[uint32]bool{'s': true}},
		{name: "two items, three times of five", life: " s.a|s.b s.b|s.a s.a|s.b s.b|s.a s.b|s.a s.b|s.a"},
		{name: "three times of four", life: one + two + one + two + two},
		{
			name: "three times while there was a list", life: one + two + one + two + " s.a s.a s.a s.a",
			want: map[uint32]bool{'s': true},
		},
		{name: "with new items", life: one + " s.d|s.a|s.b|s.c s.a|s.b|s.c|s.d s.a|s.e|s.b|s.c" + one},
		{
			name: "whose first and last are replaced",
			life: "s.a|s.b|s.c|s.d s.e|s.b|s.c|s.f s.g|s.b|s.c|s.h s.i|s.b|s.c|s.j s.k|s.b|s.c|s.l s.m|s.b|s.c|s.n",
		},
		{name: "of what is there twice", life: " s.a|s.a|s.b s.b|s.a|s.a s.a|s.a|s.b s.b|s.a|s.a"},
		{
			name: "two lists, one in another order", life: " s.a|s.b|t.a|t.b s.b|s.a|t.a|t.b s.a|s.b|t.a|t.b s.b|s.a|t.a|t.b",
			want: map[uint32]bool{'s': true},
		},
		{
			name: "two lists, one in another order once", life: " s.a|s.b|t.a|t.b s.b|s.a|t.b|t.a s.a|s.b|t.b|t.a s.b|s.a|t.b|t.a",
			want: map[uint32]bool{'s': true},
		},
		{name: "lines of a text", life: one + two + three + one, joined: true},
	} {
		captures := lifeOf(test.life)
		for _, s := range captures {
			for i := range s.Blocks {
				s.Blocks[i].Joined = test.joined
			}
		}
		if diff := cmp.Diff(test.want, Unordered(captures)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// Two long texts that alternate are wordings of one page; short ones, and more than two, are volatile.
func TestWordings(t *testing.T) {
	for _, test := range []struct {
		name, life        string
		words             uint32
		wordings, unheard bool
	}{
		{"two long ones", "s.a s.b s.a s.b s.a s.b", 31, true, false},
		{"two short ones", "s.a s.b s.a s.b s.a s.b", 30, false, true},
		{"three long ones", "s.a s.b s.c s.a s.b s.c s.a s.b s.c", 31, false, true},
		{"two long ones, and a third once", "s.a s.b s.a s.b s.a s.b s.a s.c s.a", 31, true, false},
		{"two that did so once", "s.a s.b s.a", 31, false, false},
	} {
		captures := lifeOf(test.life)
		for _, s := range captures {
			s.Blocks[0].Fields = test.words
		}
		v, a, b := VolatileOf(captures), blockOf("s.a"), blockOf("s.b")
		var want [][2]uint64
		if test.wordings {
			want = [][2]uint64{{min(a.NormalHash, b.NormalHash), max(a.NormalHash, b.NormalHash)}}
		}
		if diff := cmp.Diff(want, v.Wordings); diff != "" || v.Has(&a) != test.unheard || v.Has(&b) != test.unheard {
			t.Errorf("%s: volatile %v and %v %s", test.name, v.Has(&a), v.Has(&b), diff)
		}
	}
}
