package tokenize

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// A Segmenter finds the words of a text: the segments of UAX #29 that contain a letter or a digit.
type Segmenter struct {
	ASCII bool // the text has nothing but ASCII
	text  string
	all   *words.Iterator[string]
}

// Reset starts on another text.
func (s *Segmenter) Reset(text string) {
	s.text, s.ASCII = text, IsASCII(text)
	if s.all == nil {
		s.all = words.FromString(text)
	} else {
		s.all.SetText(text)
	}
}

// MayHaveDigits returns false if no word of the text has a digit.
func (s *Segmenter) MayHaveDigits() bool {
	return !s.ASCII || strings.ContainsAny(s.text, "0123456789")
}

// A Segment is a word: its position, and whether it has digits.
type Segment struct {
	Start, End int
	Digits     bool
}

// Next returns the next word; ok is false when there is none.
func (s *Segmenter) Next() (w Segment, ok bool) {
	for s.all.Next() {
		if word, digits := IsWord(s.all.Value()); word {
			return Segment{s.all.Start(), s.all.End(), digits}, true
		}
	}
	return Segment{}, false
}

// IsASCII reports whether all of s is ASCII.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// IsWord reports whether a segment contains a letter or a digit of any script, and whether it contains a digit.
func IsWord(w string) (word, digits bool) {
	seen := uint8(0)
	for _, r := range w {
		seen |= classOf(r)
	}
	return seen&(letter|numeric) != 0, seen&numeric != 0
}
