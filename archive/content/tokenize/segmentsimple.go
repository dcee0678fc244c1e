package tokenize

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// classesOf returns the classes of the characters of s. Unless tough is among them, nextSimple finds the words.
func classesOf(s string) (seen uint8) {
	for i := 0; i < len(s); {
		class, n := wordClass[s[i]], 1
		if s[i] >= utf8.RuneSelf {
			class, n = simpleClass(s[i:])
		}
		seen |= class
		i += n
	}
	return seen
}

// simpleClass returns the class and the length of the first character of s.
func simpleClass(s string) (class uint8, n int) {
	switch c := s[0]; {
	case c < utf8.RuneSelf:
		return wordClass[c], 1
	case c >= 0xc2 && c <= 0xdf && len(s) > 1 && s[1]&0xc0 == 0x80:
		return simpleTwo()[int(c&0x1f)<<6|int(s[1]&0x3f)], 2
	case c >= 0xe5 && c <= 0xe9 && len(s) > 2 && s[1]&0xc0 == 0x80 && s[2]&0xc0 == 0x80: // U+5000 to U+9FFF
		return alone, 3
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r >= 0x4e00 && r <= 0x9fff, r >= 0x3041 && r <= 0x3096:
		return alone, n
	case r >= 0xac00 && r <= 0xd7a3, r >= 0x1e00 && r <= 0x1eff:
		return letter, n
	case r >= 0x30a1 && r <= 0x30fa, r == 0x30fc:
		return katakana, n
	case r == 0x2018, r == 0x2019:
		return midLetter | midNum, n
	case r == 0xff0c, r == 0xff1b:
		return midNum, n
	case r == 0xff1a:
		return midLetter, n
	case r >= 0x2010 && r <= 0x2017, r >= 0x201a && r <= 0x2023, r == 0x2026, r >= 0x3001 && r <= 0x3003, r >= 0x3008 && r <= 0x3011,
		r == 0xff01, r == 0xff08, r == 0xff09, r == 0xff1f:
		return 0, n
	}
	return tough, n
}

// simpleTwo holds the classes of the two-byte characters, derived from how the library joins each with others.
var simpleTwo = sync.OnceValue(func() *[0x800]uint8 {
	of := new([0x800]uint8)
	for r := rune(utf8.RuneSelf); r < 0x800; r++ {
		of[r] = probe(string(r), classOf(r))
	}
	return of
})

// probe returns the class of a character; is says whether it is a letter, a digit or neither.
func probe(r string, is uint8) uint8 {
	joined := func(pattern string) bool {
		s := strings.ReplaceAll(pattern, "X", r)
		it := words.FromString(s)
		return it.Next() && it.Value() == s
	}
	all := func(want bool, patterns ...string) bool {
		for _, p := range patterns {
			if joined(p) != want {
				return false
			}
		}
		return true
	}
	switch {
	case is == letter && all(true, "aX", "Xa", "XX", "1X", "X1", "_X", "X_", "X.X", "a'X") &&
		all(false, ",X", "X'", "X,X", "1,X", "\u30abX", "X\u30ab", "X\"a"):
		return letter
	case is == numeric && all(true, "aX", "Xa", "XX", "1X", "X1", "_X", "X_", "1,X", "X'1") &&
		all(false, ",X", "X'", "a:X", "X:X", "\u30abX", "X\u30ab"):
		return numeric
	case is == 0 && all(false, "aX", "Xa", "aXa", "1X", "X1", "1X1", "_X", "X_", ",X", "XX", "\u30abX", "X\u30ab", " X", "X "):
		return 0
	}
	return tough
}

// nextSimple returns the next word before s.end.
func (s *Segmenter) nextSimple() (w Segment, ok bool) {
	t, i := s.text[:s.end], s.pos
	for i < len(t) {
		class, n := simpleClass(t[i:])
		if class&(letter|numeric|extend|katakana|alone) == 0 {
			i += n
			continue
		}
		start, seen := i, class
		i += n
		if class&alone == 0 {
			i, seen = simpleEnd(t, i, class)
		}
		if seen&(letter|numeric|katakana|alone) != 0 {
			s.pos = i
			return Segment{start, i, seen&numeric != 0}, true
		}
	}
	s.pos = i
	return Segment{}, false
}

// simpleEnd returns the end of the segment that reaches at least to i, and the classes in it. last is the class of the
// character before i.
func simpleEnd(t string, i int, last uint8) (end int, seen uint8) {
	seen = last
	for i < len(t) {
		class, n := simpleClass(t[i:])
		if !follows(last, class) {
			if class&(midLetter|midNum) == 0 || i+n == len(t) {
				break
			}
			after, m := simpleClass(t[i+n:])
			if both := last & after; both&letter == 0 || class&midLetter == 0 {
				if both&numeric == 0 || class&midNum == 0 {
					break
				}
			}
			class, n = after, n+m
		}
		i += n
		last = class
		seen |= class
	}
	return i, seen
}

// follows reports whether no segment ends between two characters (rules WB5, WB8 to WB10 and WB13 to WB13b).
func follows(last, class uint8) bool {
	const plain = letter | numeric | extend
	switch {
	case class&plain != 0 && last&plain != 0:
		return true
	case class&katakana != 0:
		return last&(katakana|extend) != 0
	}
	return class&extend != 0 && last&katakana != 0
}
