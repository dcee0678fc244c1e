package change

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/varve-archive/varve/archive/content/tokenize"
	"github.com/varve-archive/varve/cdx"
)

func TestBlocksThatBothHaveAreNoDifference(t *testing.T) {
	page := func(said string) *Sketch {
		s := new(Sketch)
		for _, c := range said {
			s.Blocks = append(s.Blocks, BlockSketch{Said: uint64(c)})
		}
		return s
	}
	said := func(blocks []*BlockSketch) (out string) {
		for _, b := range blocks {
			out += string(rune(b.Said))
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

// White space is what Unicode calls so.
func TestSpacesOfAllScripts(t *testing.T) {
	for r := rune(0); r < 0x10000; r++ {
		if b := []byte(string(r)); spaceStart[b[0]] && (len(b) > 1 || unicode.IsSpace(r)) {
			if got, want := spaceLen(append(b, 'x')) == len(b), unicode.IsSpace(r); got != want {
				t.Errorf("%U: space %t", r, got)
			}
		} else if unicode.IsSpace(r) {
			t.Errorf("%U is not where spaces are looked for", r)
		}
	}
	for _, cut := range []string{"\xc2", "\xe2\x80", "\xe3"} {
		if got := spaceLen([]byte(cut)); got != 0 {
			t.Errorf("%q is a space of %d bytes", cut, got)
		}
	}
}

func TestInvisibleCharacters(t *testing.T) {
	for r, want := range map[rune]bool{
		0xac: false, 0xad: true, 0xae: false, 0x200a: false, 0x200b: true, 0x200f: true, 0x2010: false, 0x2029: false, 0x202a: true,
		0x202e: true, 0x202f: false, 0x205f: false, 0x2060: true, 0x2069: true, 0x206a: false, 0xfefe: false, 0xfeff: true, 'a': false,
	} {
		if got := withoutInvisible("x"+string(r)+"y") == "xy"; got != want {
			t.Errorf("%U: invisible %t", r, got)
		}
	}
}

func TestCharacterReferencesOfAnyLength(t *testing.T) {
	zeros := func(n int) string { return "&#" + strings.Repeat("0", n) + "65" } // a capital A
	for src, want := range map[string]string{
		"a&CounterClockwiseContourIntegral;b": "a∳b", zeros(0) + ";b": "Ab", zeros(36) + ";b": "Ab", "&amp;&lt": "&<", "&": "&", "&;": "&;",
	} {
		if got := string(appendUnescaped(nil, []byte(src))); got != want {
			t.Errorf("%s: %q", src, got)
		}
	}
	if got := string(appendUnescaped(nil, []byte(zeros(37)+";b"))); got == "Ab" {
		t.Errorf("a reference of more than %d bytes is read as a whole", maxEntity)
	}
}

func TestEmptyRawElements(t *testing.T) {
	for html, want := range map[string]int{
		"<p>one<noscript></noscript> two<noscript>three</noscript> four": 3,
		"<p>one<noscript>two</noscript> three":                           2,
		"<p>one<noframes></noframes> two<noembed>x</noembed> three":      3,
		"<p>one<noscript>two three":                                      3,
		"<p>one<template></template> two<template>x</template> three":    3,
	} {
		if got := sketchOf(html).Words; got != want {
			t.Errorf("%s: %d words", html, got)
		}
	}
}

// Each key is of its own rows: a changed minimum changes one key.
func TestEachBandIsOfItsRows(t *testing.T) {
	var m MinHash
	for i := range m {
		m[i] = uint16(7*i + 1)
	}
	before := m.Bands()
	for i := range m {
		changed := m
		changed[i]++
		for band, key := range changed.Bands() {
			if (key != before[band]) != (band == i/bandRows) {
				t.Errorf("minimum %d: key %d", i, band)
			}
		}
	}
}

func TestNamesAreDividedWhereTheyChange(t *testing.T) {
	for pair, want := range map[string]bool{
		"aB": true, "zZ": true, "aA": true, "`B": false, "{B": false, "a@": false, "a[": false, "ab": false, "AB": false, "Ab": false,
		"a1": true, "1a": true, "12": false,
	} {
		if got := nameBoundary(pair[0], pair[1]); got != want {
			t.Errorf("%s: %t", pair, got)
		}
	}
}

func TestEndOfComment(t *testing.T) {
	for b, want := range map[string]int{
		"<!---->x": 7, "<!--x-->": 8, "<!--x--!>y": 9, "<!--x--!": 0, "<!--x--": 0, "<!--x--!a-->": 12, "<!--x-- -->": 11,
		"<!--x--->": 9, "<!--": 0,
	} {
		if got := endOfComment([]byte(b)); got != want {
			t.Errorf("%s: %d", b, got)
		}
	}
}

func TestEndOfTags(t *testing.T) {
	for _, tt := range []struct {
		page string
		end  int
		how  closing
	}{
		{">x", 1, closed},
		{" >", 2, closed},
		{"/>x", 2, void},
		{" a/>", 4, void},
		{"/", 1, unclosed},
		{"a/", 2, unclosed},
		{"", 0, unclosed},
		{"a=b>", 4, closed},
		{"a = 'b>' >", 10, closed},
		{"a='b", 4, unclosed},
		{"a=b/>", 5, closed},
		{"a/b/>", 5, void},
		{"a=>x", 3, closed},
	} {
		s := skimmer{page: []byte(tt.page)}
		if end, how := s.attributes(0, false); end != tt.end || how != tt.how {
			t.Errorf("%q ends at %d, %d", tt.page, end, how)
		}
	}
	for page, want := range map[string][2]int{ // as the name of a tag, of an attribute
		"br>": {2, 2}, "br/>": {2, 2}, "br/": {3, 3}, "a/b>": {3, 3}, "a=b>": {3, 1}, "a b": {1, 1},
	} {
		s := skimmer{page: []byte(page)}
		if got := [2]int{s.nameEnd(0), s.attributeNameEnd(0)}; got != want {
			t.Errorf("%q: %v", page, got)
		}
	}
}

func TestShrunkTextsAtTheirLimits(t *testing.T) {
	of := func(core uint64, size int) *Sketch { return &Sketch{Core: core, CoreSize: size} }
	for _, tt := range []struct {
		before, after int
		want          bool
	}{{15000, 1500, true}, {15010, 1501, false}, {14999, 1500, false}, {10, 1, true}, {9, 1, false}} {
		if got := shrunkTexts([]*Sketch{of(1, tt.before), of(2, tt.after)}); got[2] != tt.want {
			t.Errorf("from %d to %d bytes: %v", tt.before, tt.after, got)
		}
	}
}

func TestHasClock(t *testing.T) {
	for s, want := range map[string]bool{
		"1:23:45": true, "at 12:34:56.": true, "x:12:34": false, ":12:34": false, "a1:12:34": true, "12:34": false, "12:3:45": false,
		"1:23:4": false, "1:23:4a": false, "1:2a:45": false, "a:1 1:23:45": true, "1:23-45": false,
	} {
		if got := hasClock(s); got != want {
			t.Errorf("%s: %t", s, got)
		}
	}
}

func TestKindsOfStatuses(t *testing.T) {
	for status, want := range map[int]Kind{
		200: Page, 299: Page, 300: Redirect, 399: Redirect, 304: Page, 400: Error, 404: Missing, 409: Error, 410: Missing, 411: Error, 500: Error,
	} {
		if s := StateOf(&cdx.Capture{Status: status, Text: 1}); s.kind() != want {
			t.Errorf("%d is %v", status, s.kind())
		}
	}
	if s := (State{Status: 200}); s.kind() != Resource {
		t.Errorf("without a text: %v", s.kind())
	}
}

// The table grows as words come, and keeps the count of each.
func TestTermTableGrows(t *testing.T) {
	for _, distinct := range []int{1, 100, 1000, 40_000} {
		var table termTable
		table.reset(0)
		want := map[uint32]uint32{}
		var words []tokenize.Hash
		for i := range distinct {
			h := uint32(i*2654435761) >> (32 - termBits)
			for range 1 + i%3 {
				want[h]++
				words = append(words, tokenize.Hash(h)<<(64-termBits))
			}
		}
		table.add(words)
		got := table.appendSorted(nil)
		if len(got) != len(want) || table.distinct != len(want) || table.total != len(words) {
			t.Fatalf("%d distinct words: %d terms, %d counted, %d in total", len(want), len(got), table.distinct, table.total)
		}
		if !slices.IsSortedFunc(got, func(a, b TermCount) int { return int(a.Hash) - int(b.Hash) }) {
			t.Errorf("%d words are not sorted", distinct)
		}
		for _, c := range got {
			if c.Count != want[c.Hash] {
				t.Fatalf("of %d words, %x occurs %d times, not %d", distinct, c.Hash, want[c.Hash], c.Count)
			}
		}
		if distinct == 40_000 && len(table.slots) < 2*len(want) {
			t.Errorf("%d slots for %d words", len(table.slots), len(want))
		}
	}
}

func TestZonesOfAPassage(t *testing.T) {
	r := recording{zones: 3, stackZones: []int{0, 2}}
	for zone, want := range map[int]int{3: 0, 5: 2, 2: ^1, 0: ^0, 1: ^0} {
		if got := r.zoneRef(zone); got != want {
			t.Errorf("zone %d is %d", zone, got)
		}
	}
}

func TestNoticesAreNotMostOfThePage(t *testing.T) {
	for _, tt := range []struct {
		name string
		zone weight
		want bool
	}{
		{"its share of text and prose", weight{size: 40_000, prose: 4000}, true},
		{"more text", weight{size: 40_001, prose: 4000}, false},
		{"more prose", weight{size: 40_000, prose: 4001}, false},
		{"a headline", weight{size: 100, prose: 4000, heads: 1}, false},
		{"all prose, but short", weight{size: 3000, prose: 10_000}, true},
		{"all prose, a byte longer", weight{size: 3001, prose: 10_000}, false},
	} {
		e := &Extractor{zones: []zone{{weight: weight{size: 100_000, prose: 10_000}}, {weight: tt.zone}}}
		if got := e.mayBeNotice(1); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

func TestMenusAndOffers(t *testing.T) {
	for _, tt := range []struct {
		name   string
		zone   weight
		behind bool
		want   bool
	}{
		{"three quarters are links", weight{size: 400, links: 300}, false, true},
		{"a byte less", weight{size: 400, links: 299}, false, false},
		{"links after the text", weight{size: 400, links: 400, blocks: 7}, true, false},
		{"a map after the text", weight{size: 400, links: 400, blocks: 8}, true, true},
		{"a few words with a link", weight{size: 200, links: 1}, true, true},
		{"a few words without", weight{size: 200}, true, false},
		{"a byte longer", weight{size: 201, links: 1}, true, false},
		{"half of it links", weight{size: 200, links: 100}, true, false},
		{"under a heading", weight{size: 200, links: 1, parts: 1}, true, false},
		{"under a headline", weight{size: 200, links: 1, heads: 1}, true, false},
		{"with prose", weight{size: 400, links: 400, prose: 1}, false, false},
	} {
		e := &Extractor{zones: []zone{{}, {}, {weight: tt.zone}}}
		if got := e.linkedZone(2, 1, tt.behind); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
		if e.linkedZone(2, 2, tt.behind) {
			t.Errorf("%s: the page's own container is a menu", tt.name)
		}
	}
}

func TestCookiesAndRemarksBesideThePage(t *testing.T) {
	dialog := weight{size: 100, blocks: 4, tells: 2}
	for _, tt := range []struct {
		name    string
		beside  weight
		page    weight
		main    int
		cookies bool
		remark  bool
	}{
		{"a dialog on cookies", dialog, weight{size: 800, blocks: 4}, 1, true, true},
		{"the page speaks of them too", dialog, weight{size: 800, blocks: 4, tells: 1}, 1, false, true},
		{"no container of its own", dialog, weight{size: 800}, 0, false, false},
		{"told once", weight{size: 100, blocks: 4, tells: 1}, weight{size: 800, blocks: 4}, 1, false, true},
		{"a quarter tells", weight{size: 100, blocks: 8, tells: 2}, weight{size: 800, blocks: 4}, 1, true, true},
		{"less than a quarter", weight{size: 100, blocks: 9, tells: 2}, weight{size: 800, blocks: 4}, 1, false, true},
		{"a page that is too short for it", weight{size: 100}, weight{size: 799}, 1, false, false},
		{"as long as a remark is", weight{size: 500}, weight{size: 9000}, 1, false, true},
		{"longer", weight{size: 501}, weight{size: 9000}, 1, false, false},
		{"under a heading and a headline", weight{size: 100, parts: 1, heads: 1}, weight{size: 800}, 1, false, false},
		{"under a heading", weight{size: 100, parts: 1}, weight{size: 800}, 1, false, false},
	} {
		e := &Extractor{zones: []zone{{weight: weight{blocks: 9}}, {weight: tt.page}, {weight: tt.beside}}}
		if got := e.ofCookies(&e.zones[2], tt.main); got != tt.cookies {
			t.Errorf("%s: of cookies %t", tt.name, got)
		}
		if got := e.remark(2, tt.main); got != tt.remark {
			t.Errorf("%s: a remark %t", tt.name, got)
		}
		if e.remark(1, 1) {
			t.Errorf("%s: the page is a remark on itself", tt.name)
		}
	}
}

// The hash of two texts in a row follows from theirs, however long the second is.
func TestHashOfTextsInARow(t *testing.T) {
	first, _ := hashFields(plainWords(3)+" end", true)
	for _, n := range []int{1, 2, 63, 64, 65, 127, 128, 129, 1000} {
		text := strings.TrimSpace(strings.Repeat("a b ", n))[:2*n-1]
		second, _ := hashFields(text, true)
		whole, _ := hashFields(plainWords(3)+" end "+text, true)
		if got := concatHash(first.hash, second.hash, second.n); got != whole.hash || second.n != uint32(n) {
			t.Errorf("%d words: %x, not %x", n, got, whole.hash)
		}
	}
}
