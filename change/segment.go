package change

import (
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// A segmenter finds the words of a text: the segments of UAX #29 that contain a letter or a digit.
// Text in ASCII, most of the web's mark-up and much of its prose, needs no tables.
type segmenter struct {
	text  string
	pos   int
	ascii bool
	other *words.Iterator[string]
}

func (s *segmenter) reset(text string) {
	s.text, s.pos, s.ascii = text, 0, isASCII(text)
	if s.ascii {
		return
	}
	if s.other == nil {
		s.other = words.FromString(text)
	} else {
		s.other.SetText(text)
	}
}

// A segment is a word: where it stands, and whether it has digits.
type segment struct {
	start, end int
	digits     bool
}

// next returns the next word; ok is false when there is none.
func (s *segmenter) next() (w segment, ok bool) {
	if s.ascii {
		return s.nextASCII()
	}
	for s.other.Next() {
		if word, digits := isWord(s.other.Value()); word {
			return segment{s.other.Start(), s.other.End(), digits}, true
		}
	}
	return segment{}, false
}

// The word classes of ASCII (UAX #29, table 3).
const (
	letter    = 1 << iota // ALetter
	numeric               // Numeric
	extend                // ExtendNumLet
	midLetter             // joins letters: MidLetter, MidNumLet, Single_Quote
	midNum                // joins numbers: MidNum, MidNumLet, Single_Quote
)

var wordClass = func() (class [256]uint8) {
	for c := range 128 {
		switch b := byte(c); {
		case isDigit(b):
			class[c] = numeric
		case isAlnum(b):
			class[c] = letter
		}
	}
	class['_'] = extend
	class['.'], class['\''], class[':'] = midLetter|midNum, midLetter|midNum, midLetter
	class[','], class[';'] = midNum, midNum
	return class
}()

func (s *segmenter) nextASCII() (w segment, ok bool) {
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
			return segment{start, i, seen&numeric != 0}, true
		}
	}
	s.pos = i
	return segment{}, false
}

// joins reports whether mid stands within a word (rules WB6, WB7, WB11 and WB12).
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

// isWord reports whether a segment contains a letter or a digit of any script, and whether a digit.
func isWord(w string) (word, digits bool) {
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
