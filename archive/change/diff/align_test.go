package diff_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/change/diff"
)

func TestAlign(t *testing.T) {
	for _, test := range []struct{ a, b, want string }{
		{"", "", ""},
		{"a b c", "a b c", ""},
		{"", "a b", "[→a b]"},
		{"a b", "", "[a b→]"},
		{"a b c", "a x c", "[b→x]"},
		{"a b c d e f", "a c d e g f", "[b→] [→g]"},
		{"a a a a", "a a a", "[a→]"},
		{"p q r s 1 2 3 4", "1 2 3 4 p q r s", "[→1 2 3 4] [1 2 3 4→]"},
		{"the cat sat on the mat today", "today the dog sat on the mat", "[→today] [cat→dog] [today→]"},
		{"a b", "c d", "[a b→c d]"},
		{"la li lo la li lo la li", "la li lu la li lu la li", "[lo→lu] [lo→lu]"},
		{"lo la li lo la li lo la li lo", "lu la li lu la li lu la li lu", "[lo→lu] [lo→lu] [lo→lu] [lo→lu]"},
		{"yes no yes no no yes", "yes no no no yes yes", "[yes→] [→yes]"},
	} {
		a, b := strings.Fields(test.a), strings.Fields(test.b)
		x, y := numbers(a, b)
		var got []string
		for _, h := range diff.Align(x, y) {
			got = append(got, "["+strings.Join(a[h.A:h.AEnd], " ")+"→"+strings.Join(b[h.B:h.BEnd], " ")+"]")
		}
		if g := strings.Join(got, " "); g != test.want {
			t.Errorf("%q to %q: %s, want %s", test.a, test.b, g, test.want)
		}
	}
}

// numbers gives each distinct word a number.
func numbers(a, b []string) (x, y []uint32) {
	of := map[string]uint32{}
	number := func(w string) uint32 {
		n, ok := of[w]
		if !ok {
			n = uint32(len(of))
			of[w] = n
		}
		return n
	}
	for _, w := range a {
		x = append(x, number(w))
	}
	for _, w := range b {
		y = append(y, number(w))
	}
	return x, y
}

// checkAlign checks what an alignment promises: hunks in order that don't touch, and the same words between them.
func checkAlign(a, b []uint32) error {
	i, j := 0, 0
	for n, h := range diff.Align(a, b) {
		if h.A < i || h.B < j || h.AEnd < h.A || h.BEnd < h.B || h.AEnd > len(a) || h.BEnd > len(b) || h.A == h.AEnd && h.B == h.BEnd {
			return fmt.Errorf("hunk %d, %v, after %d, %d", n, h, i, j)
		}
		if n > 0 && h.A == i && h.B == j {
			return fmt.Errorf("hunk %d, %v, touches the one before", n, h)
		}
		if err := same(a[i:h.A], b[j:h.B]); err != nil {
			return fmt.Errorf("before hunk %d, %v: %w", n, h, err)
		}
		i, j = h.AEnd, h.BEnd
	}
	return same(a[i:], b[j:])
}

func same(a, b []uint32) error {
	if fmt.Sprint(a) != fmt.Sprint(b) {
		return fmt.Errorf("%v is not %v", a, b)
	}
	return nil
}

func TestAlignKeepsItsPromises(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		a := make([]uint32, r.IntN(60))
		for i := range a {
			a[i] = uint32(r.IntN(1 + r.IntN(30)))
		}
		var b []uint32
		for _, w := range a {
			switch r.IntN(8) {
			case 0:
			case 1:
				b = append(b, w, uint32(r.IntN(9)))
			default:
				b = append(b, w)
			}
		}
		if err := checkAlign(a, b); err != nil {
			t.Fatalf("%v to %v: %v", a, b, err)
		}
	}
}

func FuzzAlign(f *testing.F) {
	f.Add([]byte("abcabc"), []byte("abxabc"))
	f.Fuzz(func(t *testing.T, x, y []byte) {
		a, b := make([]uint32, len(x)), make([]uint32, len(y))
		for i, c := range x {
			a[i] = uint32(c)
		}
		for i, c := range y {
			b[i] = uint32(c)
		}
		if err := checkAlign(a, b); err != nil {
			t.Fatal(err)
		}
	})
}
