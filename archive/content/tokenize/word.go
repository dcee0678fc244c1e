package tokenize

import (
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
	"golang.org/x/text/unicode/norm"
)

// A Term is one word of a text: its position in bytes and the form in which it is compared.
type Term struct {
	Start, End int
	// Norm is the word in lower case and NFC, with one kind of apostrophe and without characters that nobody sees; it is only valid until
	// the next term.
	Norm []byte
}

// Terms calls yield for each word of text until yield returns false. Words are the segments of UAX #29 that contain a
// letter or a digit; each ideograph is a word.
func Terms(text string, yield func(Term) bool) {
	var n Normalizer
	var s Segmenter
	s.Reset(text)
	for {
		w, ok := s.Next()
		if !ok || !yield(Term{Start: w.Start, End: w.End, Norm: n.Norm(text[w.Start:w.End])}) {
			return
		}
	}
}

// A Normalizer brings words into the form in which they are compared, in its own buffer.
type Normalizer struct{ buf []byte }

// Hash returns the hash of w as if it had no digits.
func (n *Normalizer) Hash(w string) Hash {
	for i := range len(w) {
		if c := w[i]; c >= utf8.RuneSelf || c-'A' < 26 {
			return Hash(xxh3.Hash(n.Norm(w))) &^ 1
		}
	}
	return HashOf(w)
}

// Norm returns w in the form of [Term], valid until the next call.
func (n *Normalizer) Norm(w string) []byte {
	b := n.buf[:0]
	for i := 0; i < len(w); {
		c := w[i]
		if c < utf8.RuneSelf {
			b = append(b, lowerASCII[c])
			i++
			continue
		}
		if low := lowerTwo(w[i:]); low != 0 {
			b = append(b, byte(low>>8), byte(low))
			i += 2
			continue
		}
		if !staysAsItIs(w[i:]) {
			n.buf = appendLower(b[:0], norm.NFC.String(w))
			return n.buf
		}
		b = append(b, w[i:i+3]...)
		i += 3
	}
	n.buf = b
	return b
}

// lowerTwo returns the lower case of the two-byte character that s begins with. It returns 0 unless that has two bytes
// too and NFC never changes it, whatever stands before it.
func lowerTwo(s string) uint16 {
	if s[0] >= 0xe0 || len(s) < 2 {
		return 0
	}
	return twoBytes[int(s[0]&0x1f)<<6|int(s[1]&0x3f)].lower
}

// staysAsItIs reports whether s begins with a character of three bytes that has no case and that NFC leaves alone,
// whatever stands before it: ideographs (U+4000 to U+9FFF), kana except the combining sound marks, and the Hangul
// syllables from U+B000 to U+CFFF.
func staysAsItIs(s string) bool {
	if len(s) < 3 {
		return false
	}
	switch c := s[0]; c {
	case 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xeb, 0xec:
		return true
	case 0xe3:
		return s[1] >= 0x81 && s[1] <= 0x83 && !(s[1] == 0x82 && (s[2] == 0x99 || s[2] == 0x9a))
	}
	return false
}

// The classes of characters.
const (
	letter = 1 << iota
	numeric
)

// twoBytes holds what [lowerTwo] and [classOf] need to know about the characters up to U+07FF, which have at most two
// bytes in UTF-8.
var twoBytes = func() (of [0x800]struct {
	lower uint16
	class uint8
},
) {
	for r := range rune(0x800) {
		of[r].class = slowClass(r)
		if r < utf8.RuneSelf {
			continue
		}
		p, low := norm.NFC.PropertiesString(string(r)), string(unicode.ToLower(r))
		if plain(r) == r && p.BoundaryBefore() && norm.NFC.IsNormalString(string(r)) && len(low) == 2 {
			of[r].lower = uint16(low[0])<<8 | uint16(low[1])
		}
	}
	return of
}()

// classOf says whether a character is a letter or a digit of any script.
func classOf(r rune) uint8 {
	switch {
	case r < 0x800:
		return twoBytes[r].class
	case r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3: // ideographs and Hangul syllables
		return letter
	}
	return slowClass(r)
}

func slowClass(r rune) uint8 {
	switch {
	case unicode.IsDigit(r):
		return numeric
	case unicode.IsLetter(r):
		return letter
	}
	return 0
}

var lowerASCII = func() (to [utf8.RuneSelf]byte) {
	for c := range to {
		to[c] = byte(unicode.ToLower(rune(c)))
	}
	return to
}()

func appendLower(dst []byte, s string) []byte {
	for _, r := range s {
		if r = plain(r); r >= 0 {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// plain returns the ASCII apostrophe or quotation mark for a character that stands for it within words, and -1 for soft hyphens, marks of
// direction and others that show nothing. Joiners stay, because they show in the letters beside them.
func plain(r rune) rune {
	switch {
	case r == '’', r == '‘', r == 'ʼ', r == '＇', r == '׳':
		return '\''
	case r == '״':
		return '"'
	case r == 0xad, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x2069, r == 0xfeff:
		return -1
	}
	return r
}
