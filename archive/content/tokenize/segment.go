package tokenize

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// A Segmenter finds the words of a text: the segments of UAX #29 that contain a letter or a digit. Text between two spaces can be segmented
// alone, since only runs of spaces form segments across. Nearly all text is simple enough not to need the full tables of Unicode.
type Segmenter struct {
	text  string
	pos   int
	end   int   // end of the current part: the next space, or the end of a text that is all simple
	ASCII bool  // the text has nothing but ASCII
	seen  uint8 // classes of its characters, unless it is ASCII
	tough bool  // the library segments the current part
	other *words.Iterator[string]
	from  int // where the current part begins, for the library
}

// Reset starts on another text.
func (s *Segmenter) Reset(text string) {
	s.text, s.pos, s.end, s.ASCII, s.tough = text, 0, 0, isASCII(text), false
	if !s.ASCII {
		s.seen = classesOf(text)
	}
	if s.ASCII || s.seen&tough == 0 {
		s.end = len(text)
	}
}

// MayHaveDigits returns false if no word of the text has a digit.
func (s *Segmenter) MayHaveDigits() bool {
	if s.ASCII {
		return strings.ContainsAny(s.text, "0123456789")
	}
	return s.seen&(numeric|tough) != 0
}

// A Segment is a word: its position, and whether it has digits.
type Segment struct {
	Start, End int
	Digits     bool
}

// Next returns the next word; ok is false when there is none.
func (s *Segmenter) Next() (w Segment, ok bool) {
	if s.ASCII {
		return s.nextASCII()
	}
	for {
		switch {
		case s.tough:
			w, ok = s.nextTough()
		default:
			w, ok = s.nextSimple()
		}
		if ok || !s.field() {
			return w, ok
		}
	}
}

// field moves to the part up to the next space, or returns false if there is none.
func (s *Segmenter) field() bool {
	if s.pos = s.end; s.pos == len(s.text) {
		return false
	}
	s.end = len(s.text)
	if n := strings.IndexByte(s.text[s.pos+1:], ' '); n >= 0 {
		s.end = s.pos + 1 + n
	}
	s.tough = classesOf(s.text[s.pos:s.end])&tough != 0
	if s.tough {
		s.from = s.pos
		if s.other == nil {
			s.other = words.FromString(s.text[s.pos:s.end])
		} else {
			s.other.SetText(s.text[s.pos:s.end])
		}
	}
	return true
}

func (s *Segmenter) nextTough() (w Segment, ok bool) {
	for s.other.Next() {
		if word, digits := IsWord(s.other.Value()); word {
			return Segment{s.from + s.other.Start(), s.from + s.other.End(), digits}, true
		}
	}
	return Segment{}, false
}

// The word classes (UAX #29, table 3) that simple text needs.
const (
	letter    = 1 << iota // ALetter
	numeric               // Numeric
	extend                // ExtendNumLet
	midLetter             // joins letters: MidLetter, MidNumLet, Single_Quote
	midNum                // joins numbers: MidNum, MidNumLet, Single_Quote
	katakana              // Katakana: letters that join each other only
	alone                 // letters that are words of their own: ideographs, hiragana
	tough                 // anything that may join in other ways, left to the library
)

var wordClass = func() (class [256]uint8) {
	for c := range 128 {
		switch b := byte(c); {
		case '0' <= b && b <= '9':
			class[c] = numeric
		case 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z':
			class[c] = letter
		}
	}
	class['_'] = extend
	class['.'], class['\''], class[':'] = midLetter|midNum, midLetter|midNum, midLetter
	class[','], class[';'] = midNum, midNum
	return class
}()

func (s *Segmenter) nextASCII() (w Segment, ok bool) {
	t, i := s.text, s.pos
	for i < len(t) {
		if wordClass[t[i]]&(letter|numeric|extend) == 0 {
			i++
			continue
		}
		start, seen := i, uint8(0)
		for {
			for i < len(t) && wordClass[t[i]]&(letter|numeric|extend) != 0 {
				seen |= wordClass[t[i]]
				i++
			}
			if i+1 >= len(t) || !joins(t[i-1], t[i], t[i+1]) {
				break
			}
			i++
		}
		if seen&(letter|numeric) != 0 {
			s.pos = i
			return Segment{start, i, seen&numeric != 0}, true
		}
	}
	s.pos = i
	return Segment{}, false
}

// joins reports whether mid, between before and after, is inside a word (rules WB6, WB7, WB11 and WB12).
func joins(before, mid, after byte) bool {
	both := wordClass[before] & wordClass[after]
	m := wordClass[mid]
	return both&letter != 0 && m&midLetter != 0 || both&numeric != 0 && m&midNum != 0
}

func isASCII(s string) bool {
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
		if r < utf8.RuneSelf {
			seen |= wordClass[r]
		} else {
			seen |= classOf(r)
		}
	}
	return seen&(letter|numeric) != 0, seen&numeric != 0
}
