package change

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Term is one word of a text: where it stands in it, in bytes, and how it is compared.
type Term struct {
	Start, End int
	// Norm is the word in lower case and NFC; it is only valid until the next term.
	Norm []byte
}

// Terms calls yield for each word of text, until it answers false. Words are the segments of
// UAX #29 that contain a letter or a digit; ideographs are words of their own.
func Terms(text string, yield func(Term) bool) {
	var n normalizer
	var s segmenter
	s.reset(text)
	for {
		w, ok := s.next()
		if !ok || !yield(Term{Start: w.start, End: w.end, Norm: n.norm(text[w.start:w.end])}) {
			return
		}
	}
}

// A normalizer brings words into the form in which they are compared, in a buffer of its own.
type normalizer struct{ buf []byte }

func (n *normalizer) norm(w string) []byte {
	b := n.buf[:0]
	for i := range len(w) {
		if w[i] >= utf8.RuneSelf {
			n.buf = appendLower(b[:0], norm.NFC.String(w))
			return n.buf
		}
		b = append(b, lowerASCII[w[i]])
	}
	n.buf = b
	return b
}

var lowerASCII = func() (to [utf8.RuneSelf]byte) {
	for c := range to {
		to[c] = byte(unicode.ToLower(rune(c)))
	}
	return to
}()

func appendLower(dst []byte, s string) []byte {
	for _, r := range s {
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
	}
	return dst
}
