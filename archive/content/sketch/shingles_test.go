package sketch

import (
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/visible"
)

func TestShinglesAreRunsOfFiveWordsOfTheOwnContent(t *testing.T) {
	shingles := func(body string) []uint64 {
		var e visible.Extractor
		text := e.Extract([]byte(body), "text/html; charset=utf-8")
		return Shingles(&text)
	}
	seven := shingles("<main><p>one two three four five six seven</main>")
	for _, c := range []struct {
		name, body string
		shingles   int
		jaccard    float64
	}{
		{"the same", "<main><p>One  two three <b>four</b> five six<p>seven</main>", 3, 1},
		{"the same in a frame", "<nav>Home News</nav><main><p>one two three four five six seven</main><footer>Imprint</footer>", 3, 1},
		{"one word more", "<main><p>one two three four five six seven eight</main>", 4, 0.75},
		{"another first word", "<main><p>zero two three four five six seven</main>", 3, 0.5},
		{"fewer words than a shingle has", "<main><p>one two</main>", 1, 0},
		{"nothing", "", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := shingles(c.body)
			if len(got) != c.shingles || !slices.IsSorted(got) || Jaccard(seven, got) != c.jaccard || Jaccard(got, seven) != c.jaccard {
				t.Errorf("%d shingles, Jaccard %v; want %d and %v", len(got), Jaccard(seven, got), c.shingles, c.jaccard)
			}
		})
	}
	if a, b := shingles("<p>On 3 May 2017 there were 12 visitors here"),
		shingles("<p>On 8 May 2018 there were 99 visitors here"); Jaccard(a, b) != 1 {
		t.Error("digits make a difference")
	}
	if n := len(shingles("<p>" + strings.Repeat("again ", 100))); n != 1 {
		t.Errorf("%d shingles of one word repeated, want 1", n)
	}
}
