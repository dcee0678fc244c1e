package sketch

import (
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/tokenize"

	"github.com/varve-archive/varve/archive/content/hashing"
)

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

// Texts without words are like none, nor like each other.
func TestWhatIsEmptyIsLikeNothing(t *testing.T) {
	var empty, some MinHash
	some[3] = 7
	if empty.Jaccard(&empty) != 0 || empty.Jaccard(&some) != 0 || some.Jaccard(&empty) != 0 || some.Jaccard(&some) != 1 {
		t.Error("an empty text is like another")
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

// The hash of two texts in a row follows from theirs, however long the second is.
func TestHashOfTextsInARow(t *testing.T) {
	first, _ := hashFields(plainWords(3)+" end", true)
	for _, n := range []int{1, 2, 63, 64, 65, 127, 128, 129, 1000} {
		text := strings.TrimSpace(strings.Repeat("a b ", n))[:2*n-1]
		second, _ := hashFields(text, true)
		whole, _ := hashFields(plainWords(3)+" end "+text, true)
		if got := hashing.Concat(first.Hash, second.Hash, second.N); got != whole.Hash || second.N != uint32(n) {
			t.Errorf("%d words: %x, not %x", n, got, whole.Hash)
		}
	}
}

// plainWords are n words without a special meaning.
func plainWords(n int) string { return strings.TrimSpace(strings.Repeat("sailing ", n)) }

func TestEdgesOfStamps(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"24 words with a counter", plainWords(22) + " visitors 7", true},
		{"25 words with a counter", plainWords(23) + " visitors 7", false},
		{"12 words with a year", plainWords(10) + " © x 2020", true},
		{"13 words with a year", plainWords(11) + " © x 2020", false},
		{"12 words with votes", plainWords(10) + " helpful 7", true},
		{"13 words with votes", plainWords(11) + " helpful 7", false},
		{"3 words with comments", "sailing 7 comments", true},
		{"4 words with comments", "sailing sailing 7 comments", false},
		{"a version in 4 words", "Version build release 7.1", true},
		{"a version in 5 words", "Version build release version 7.1", false},
	} {
		s := sketchOf("<p>" + test.text)
		if got := s.Blocks[0].Stamp; got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestEdgesOfWalls(t *testing.T) {
	fill := func(with string, bytes int) string { return with + strings.Repeat(" x", bytes)[:bytes-len(with)] }
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"an error in 1,000 bytes", fill("something went wrong", 1000), true},
		{"in more", fill("something went wrong", 1001), false},
		{"a door in 300 bytes", fill("please wait", 300), true},
		{"in more", fill("please wait", 301), false},
		{"a question after robots, in Spanish", "Confirme que no es un robot.", true},
		{"in Japanese", "あなたがロボットではないことを確認してください。", true},
		{"in Korean", "로봇이 아닙니다", true},
		{"in Chinese", "请确认您不是机器人", true},
		{"in Polish", "Potwierdź, że nie jesteś robotem", true},
		{"a database that is not there", "Error: Could not connect to MySQL.", true},
		{"one that has too many readers", "Warning: mysql_connect(): Too many connections in /srv/db.php on line 12", true},
		{"a shop's door", "Click the button below to continue shopping", true},
	} {
		if got := saysWall(test.text); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
