package change

import (
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/cases"
	"golang.org/x/text/language"
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
	for it := words.FromString(text); it.Next(); {
		w := it.Value()
		if !isWord(w) {
			continue
		}
		if !yield(Term{Start: it.Start(), End: it.End(), Norm: n.norm(w)}) {
			return
		}
	}
}

// isWord reports whether a segment contains a letter or digit; marks beside letters don't matter.
func isWord(w string) bool {
	for i := 0; i < len(w); i++ {
		if isAlnum(w[i]) {
			return true
		}
		if w[i] >= utf8.RuneSelf {
			return hasLetter(w[i:])
		}
	}
	return false
}

// A normalizer brings words into the form in which they are compared, in a buffer of its own.
type normalizer struct {
	buf   []byte
	lower *cases.Caser
}

func (n *normalizer) norm(w string) []byte {
	n.buf = n.buf[:0]
	for i := 0; i < len(w); i++ {
		c := w[i]
		if c >= utf8.RuneSelf {
			return n.normUnicode(w)
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		n.buf = append(n.buf, c)
	}
	return n.buf
}

func (n *normalizer) normUnicode(w string) []byte {
	n.buf = norm.NFC.AppendString(n.buf[:0], w)
	if n.lower == nil {
		c := cases.Lower(language.Und)
		n.lower = &c
	}
	return n.lower.Bytes(n.buf)
}
