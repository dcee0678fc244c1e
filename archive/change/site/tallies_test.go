package site

import (
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/sketch"
)

func TestBlocksThatBothHaveAreNoDifference(t *testing.T) {
	page := func(said string) *sketch.Sketch {
		s := new(sketch.Sketch)
		for _, c := range said {
			s.Blocks = append(s.Blocks, sketch.Block{NormalHash: uint64(c)})
		}
		return s
	}
	said := func(blocks []*sketch.Block) (out string) {
		for _, b := range blocks {
			out += string(rune(b.NormalHash))
		}
		return out
	}
	var d differ
	for _, tt := range []struct{ a, b, gone, come string }{
		{"abc", "abc", "", ""},
		{"abcx", "dbbe", "acx", "dbe"},
		{"abbc", "dbe", "abc", "de"},
		{"abc", "cba", "", ""},
		{"a", "", "a", ""},
		{"pabq", "pcq", "ab", "c"},
	} {
		gone, come := d.compare(page(tt.a), page(tt.b))
		if said(gone) != tt.gone || said(come) != tt.come {
			t.Errorf("from %s to %s: %s went, %s came", tt.a, tt.b, said(gone), said(come))
		}
	}
}

func TestShrunkTextsAtTheirLimits(t *testing.T) {
	of := func(core uint64, size int) *sketch.Sketch { return &sketch.Sketch{Core: core, CoreSize: size} }
	for _, tt := range []struct {
		before, after int
		want          bool
	}{{15000, 1500, true}, {15010, 1501, false}, {14999, 1500, false}, {10, 1, true}, {9, 1, false}} {
		if got := shrunkTexts([]*sketch.Sketch{of(1, tt.before), of(2, tt.after)}); got[2] != tt.want {
			t.Errorf("from %d to %d bytes: %v", tt.before, tt.after, got)
		}
	}
}

// watched returns what a flicker finds volatile in a life of one page, written as one letter a block.
func watched(life string, fields map[rune]uint32) Volatile {
	f := newFlicker()
	var captures []*sketch.Sketch
	for i, page := range strings.Fields(life) {
		s := &sketch.Sketch{ID: uint64(i + 1)}
		for _, r := range page {
			n := max(fields[r], 1)
			s.Words += int(n)
			s.Blocks = append(s.Blocks, sketch.Block{Hash: uint64(r), NormalHash: uint64(r), Slot: uint32(r), Fields: n})
		}
		captures = append(captures, s)
	}
	f.watch(captures)
	return f.ofPage()
}

func TestEdgesOfVariants(t *testing.T) {
	long := map[rune]uint32{'T': 1000, 'v': 30, 'w': 31, 'p': 222, 'P': 224}
	for _, test := range []struct {
		name, life string
		block      rune
		want       bool
	}{
		{"came, went and came", "T Tv T Tv", 'v', true},
		{"went and came", "Tv T Tv", 'v', false},
		{"one of two came and went", "Tv Tvv Tv Tvv Tv", 'v', false},
		{"thirty words", "T Tv T Tv T", 'v', true},
		{"more", "T Tw T Tw T", 'w', false},
		{"with a tenth of the text", "T Tvq T Tvq T", 'v', true},
		{"with little else", "Tp Tv Tp Tv Tp", 'v', false},
	} {
		v := watched(test.life, long)
		if got := v.Has(&sketch.Block{Hash: uint64(test.block), NormalHash: uint64(test.block)}); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	// 111 words of 1,000 and 1,111 are more than a tenth of both, 210 of 1,000 and 1,210 are less than that of 2,210.
	for words, want := range map[uint32]bool{20: true, 25: false} {
		v := watched("T Tv T Tv T", map[rune]uint32{'T': 100 - words/2, 'v': words})
		if got := v.Has(&sketch.Block{Hash: 'v', NormalHash: 'v'}); got != want {
			t.Errorf("%d words of %d that come and go: %v, want %v", words, 100-words/2, got, want)
		}
	}
}

// blockOf returns a block by its name: a letter with digits is a mask with a value; "a.b" is a block in the slot a, too
// long to be a variant.
func blockOf(name string) sketch.Block {
	hash := xxh3.HashString(name)
	b := sketch.Block{Hash: hash, NormalHash: hash, Fields: 40, Slot: uint32(name[0])}
	if slot, _, ok := strings.Cut(name, "."); ok {
		b.Slot = uint32(slot[0])
	} else if len(name) > 1 {
		b.Digits, b.Plain, b.Mask, b.Fields = true, 1, uint32(name[0]), 3
	}
	return b
}

// lifeOf returns the captures in a text: spaces separate captures, strokes their blocks. Each has a long text besides.
func lifeOf(life string) (captures []*sketch.Sketch) {
	known := map[string]*sketch.Sketch{}
	for page := range strings.FieldsSeq(life) {
		if known[page] == nil {
			s := &sketch.Sketch{ID: xxh3.HashString(page), Words: 5000}
			for name := range strings.SplitSeq(page, "|") {
				s.Blocks = append(s.Blocks, blockOf(name))
			}
			known[page] = s
		}
		captures = append(captures, known[page])
	}
	return captures
}

// Of blocks that differ in a number alone, as many are matched as went and came.
func TestBlocksInWhichOnlyNumbersChanged(t *testing.T) {
	page := func(names string) (*sketch.Sketch, []*sketch.Block) {
		s := new(sketch.Sketch)
		for name := range strings.FieldsSeq(names) {
			s.Blocks = append(s.Blocks, blockOf(name))
		}
		var all []*sketch.Block
		for i := range s.Blocks {
			all = append(all, &s.Blocks[i])
		}
		return s, all
	}
	same := func(x, y *sketch.Block) bool { return x.NormalHash == y.NormalHash }
	for _, tt := range []struct{ gone, come, restGone, restCome string }{
		{"n1 n2", "n3", "n2", ""},
		{"n1", "n3 n4", "", "n4"},
		{"n1 m1", "n2 s.a", "m1", "s.a"},
	} {
		a, gone := page(tt.gone)
		_, come := page(tt.come)
		_, wantGone := page(tt.restGone)
		_, wantCome := page(tt.restCome)
		f := newFlicker()
		f.watch(nil)
		restGone, restCome := f.matchMasks(a, gone, come)
		if !slices.EqualFunc(restGone, wantGone, same) || !slices.EqualFunc(restCome, wantCome, same) {
			t.Errorf("from %s to %s: %d went and %d came besides", tt.gone, tt.come, len(restGone), len(restCome))
		}
	}
}

func TestEdgesOfWhatChangesByItself(t *testing.T) {
	for _, test := range []struct {
		name, life, block string
		want              bool
	}{
		{"a number that changed three times", "n1 n2 n3 n4", "n9", true},
		{"twice", "n1 n2 n3", "n9", false},
		{"four times of five", "n1 n2 n3 n4 n5 n5", "n9", true},
		{"three of four", "n1 n2 n3 n4 n4", "n9", false},
		{"another number", "n1 n2 n3 n4", "m9", false},
		{"the last number of a list that grows at its beginning", "n1 n5|n2 n6|n5|n3 n7|n6|n5|n4", "n9", true},
		{"the same number in two places", "n1|n1 n2|n2 n3|n3 n4|n4", "n9", true},

		{"a text that takes turns with a number", "s1 s.b s1 s.b s1", "s.b", true},
		{"what went twice and came back twice", "s.a s.b s.a s.b s.a", "s.a", true},
		{"came back once", "s.a s.b s.a s.b", "s.a", false},
		{"went once", "s.b s.a s.b s.a", "s.a", false},
		{"went in half of the captures", "s.a s.a s.b s.a s.a s.b s.a", "s.a", true},
		{"in fewer", "s.a s.a s.a s.b s.a s.a s.b s.a", "s.a", false},
		{"two at once, which came back once", "s.a|s.b s.c|s.d s.a|s.b s.c|s.d", "s.a", false},
		{
			"four at once", "s.a|s.b|s.c|s.d s.e|s.f|s.g|s.h s.a|s.b|s.c|s.d s.e|s.f|s.g|s.h s.a|s.b|s.c|s.d",
			"s.a", true,
		},
		{
			"five at once", "s.a|s.b|s.c|s.d|s.i s.e|s.f|s.g|s.h|s.j s.a|s.b|s.c|s.d|s.i s.e|s.f|s.g|s.h|s.j s.a|s.b|s.c|s.d|s.i",
			"s.a", false,
		},
		{"seen once, between two that rotate", "s.a s.b s.a s.b s.a s.c s.b", "s.c", true},
		{"between one and itself", "s.a s.b s.a s.b s.a s.c s.a", "s.c", false},
	} {
		f := newFlicker()
		f.watch(lifeOf(test.life))
		v, b := f.ofPage(), blockOf(test.block)
		if got := v.Has(&b); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestEdgesOfWhatChangesOnASite(t *testing.T) {
	const restive, calm = "n1 n2 n3", "n1 n1"
	const fickle, came = "x x|n1 x x|n1", "x x|n1"
	for _, test := range []struct {
		name  string
		pages []string
		block string
		want  bool
	}{
		{"on two pages", []string{restive, restive}, "n9", true},
		{"on one", []string{"n1 n2 n3 n4 n5"}, "n9", false},
		{"on three of five", []string{restive, restive, restive, calm, calm}, "n9", true},
		{"on two of four", []string{restive, restive, calm, calm}, "n9", false},
		{"comes and goes on three of five", []string{fickle, fickle, fickle, came, came}, "n1", true},
		{"comes and goes on two of four", []string{fickle, fickle, came, came}, "n1", false},
	} {
		f := newFlicker()
		for _, p := range test.pages {
			f.watch(lifeOf(p))
		}
		v, b := f.ofSite(), blockOf(test.block)
		if got := v.Has(&b); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// What changes by itself on a site is known of its pages.
func TestASiteKnowsWhatChangesByItself(t *testing.T) {
	restive := Sample{Pages: lifeOf("n1 n2 n3")}
	b := blockOf("n9")
	for _, test := range []struct {
		name string
		site *Site
		want bool
	}{{"two pages", New([]Sample{restive, restive}), true}, {"one page", New([]Sample{restive}), false}, {"no site", nil, false}} {
		if got := test.site.VolatileBlock(&b); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// A text counts once for each page that showed it. Eight pages that show nothing else are no pages.
func TestTextsOfSeveralPages(t *testing.T) {
	text := &sketch.Sketch{ID: 7, Core: 7, CoreSize: 100}
	of := func(pages, captures int) *Site {
		var samples []Sample
		for range pages {
			samples = append(samples, Sample{Pages: slices.Repeat([]*sketch.Sketch{text}, captures)})
		}
		return New(samples)
	}
	for _, test := range []struct {
		name               string
		site               *Site
		elsewhere, soft404 bool
	}{
		{"no site", nil, false, false},
		{"one page, captured ten times", of(1, 10), false, false},
		{"two pages", of(2, 1), true, false},
		{"seven", of(7, 2), true, false},
		{"eight", of(8, 1), true, true},
	} {
		if a, b := test.site.Elsewhere(text), test.site.Soft404(text, nil); a != test.elsewhere || b != test.soft404 {
			t.Errorf("%s: elsewhere too: %v, no page: %v", test.name, a, b)
		}
	}
}

func TestEdgesOfFurniture(t *testing.T) {
	pages := func(with, all int) (out []Sample) {
		for i := range all {
			life := "a|b" + string(rune('0'+i))
			if i < with { // the others were captured once
				life += "|f"
				life += " " + life + "|" + string(rune('A'+i))
			}
			out = append(out, Sample{Pages: lifeOf(life)})
		}
		return out
	}
	for _, test := range []struct {
		name      string
		with, all int
		want      bool
	}{
		{"on four pages of ten", 4, 10, true},
		{"on three of three", 3, 3, false},
		{"on four of thirteen", 4, 13, true},
		{"on four of fourteen", 4, 14, false},
		{"on six of twenty", 6, 20, true},
	} {
		b := blockOf("f")
		site := New(pages(test.with, test.all))
		if got := site.FurnitureBlock(&b); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if site.Elsewhere(new(sketch.Sketch)) {
			t.Errorf("%s: pages without a text are taken for one text", test.name)
		}
	}
	often, b := pages(4, 10), blockOf("f")
	often[3] = Sample{Pages: lifeOf("a|b3|f|f")}
	if New(often).FurnitureBlock(&b) {
		t.Error("what stands once on some pages and twice on another is furniture")
	}
	if sum := (*Site)(nil).Sum(true); sum != 0 {
		t.Errorf("no site has the sum %d", sum)
	}
	with, without := New(pages(4, 10)), New(pages(3, 10))
	if with.Sum(true) == without.Sum(true) || with.Sum(false) != without.Sum(false) {
		t.Error("the sums don't tell whether a site has this furniture")
	}
}

func TestEdgesOfSoft404s(t *testing.T) {
	text := func(size int, like int) *sketch.Sketch {
		s := &sketch.Sketch{ID: uint64(size), Core: uint64(size), CoreSize: size}
		for i := range s.MinHash {
			s.MinHash[i] = 1
			if i >= like {
				s.MinHash[i] = 2
			}
		}
		return s
	}
	said := func(s *sketch.Sketch) *sketch.Sketch { s.NotFound = true; return s }
	known := New([]Sample{{Missing: []*sketch.Sketch{text(400, 128)}}})
	var twenty []*sketch.Sketch
	for i := range 20 {
		twenty = append(twenty, text(200+i, 0))
	}
	many := New([]Sample{{Missing: twenty}})
	replacedBy := func(pages, before int) *Site {
		var samples []Sample
		for range pages {
			samples = append(samples, Sample{Pages: []*sketch.Sketch{text(before, 0), text(150, 0)}})
		}
		return New(samples)
	}
	for _, test := range []struct {
		name      string
		site      *Site
		s, before *sketch.Sketch
		want      bool
	}{
		{"it says so and is a tenth of the page", nil, said(text(100, 128)), text(1000, 128), true},
		{"it says so, is more, and like the page by 64 of 128", nil, said(text(101, 128)), text(1000, 64), false},
		{"by 63", nil, said(text(101, 128)), text(1000, 63), true},
		{"it says so in 1,500 bytes", nil, said(text(1500, 128)), nil, true},
		{"in more", nil, said(text(1501, 128)), nil, false},
		{"it is like a 404 by 64 of 128", known, text(100, 64), text(1000, 0), true},
		{"by 63 only", known, text(100, 63), text(1000, 0), false},
		{"it is like a 404, and more than a tenth of the page", known, text(101, 128), text(1000, 0), false},
		{"it is one of twenty 404s, whatever it is like", many, text(219, 128), text(3000, 0), true},
		{"it is like a 404 without a text", New([]Sample{{Missing: []*sketch.Sketch{text(0, 128)}}}), text(100, 128), nil, false},
		{"it took the place of two pages ten times as long", replacedBy(2, 1500), text(150, 0), text(1500, 0), true},
		{"of one", replacedBy(1, 1500), text(150, 0), text(1500, 0), false},
		{"of two less long", replacedBy(2, 1499), text(150, 0), text(1500, 0), false},
	} {
		if got := test.site.Soft404(test.s, test.before); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// What two pages show once each way is no rotation, and numbers that change once on many pages are no clock.
func TestOneStepOfManyPagesIsNoEvidence(t *testing.T) {
	for _, test := range []struct {
		name  string
		pages []string
		block string
		want  bool
	}{
		{"a number that changed once on each of five pages", []string{"n1 n2", "n1 n2", "n1 n2", "n1 n2", "n1 n2"}, "n9", false},
		{"twice on each", []string{"n1 n2 n3", "n1 n2 n3"}, "n9", true},
		{"calm pages first", []string{"n1 n1", "n1 n1", "n1 n2 n3", "n1 n2 n3"}, "n9", false},
		{"calm pages last", []string{"n1 n2 n3", "n1 n2 n3", "n1 n1", "n1 n1"}, "n9", false},
		{"three blocks, each once", []string{"n1|n1|n1 n2|n1|n1 n2|n2|n1", "n1|n1|n1 n2|n1|n1 n2|n2|n1"}, "n9", false},
		{"open and shut on two pages each", []string{"s.a s.b", "s.a s.b", "s.b s.a", "s.b s.a"}, "s.a", false},
		{"one of five that take turns", []string{"s.a s.b", "s.a s.c", "s.d s.a", "s.e s.a"}, "s.a", true},
		{"what went and came back on two pages", []string{"s.a s.b s.a", "s.b s.a s.b"}, "s.a", false},
		{"and went again", []string{"s.a s.b s.a s.b", "s.b s.a s.b s.a"}, "s.a", true},
	} {
		for range 2 {
			f := newFlicker()
			for _, p := range test.pages {
				f.watch(lifeOf(p))
			}
			v, b := f.ofSite(), blockOf(test.block)
			if got := v.Has(&b); got != test.want {
				t.Errorf("%s %q: %v, want %v", test.name, test.pages, got, test.want)
			}
			slices.Reverse(test.pages)
		}
	}
}
