package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"

	"github.com/varve-archive/varve/archive/content/tokenize"
)

// withoutInvisible returns s without invisible characters and icons.
func withoutInvisible(s string) string { return without(s, false) }

// Visible returns s without characters that nobody sees. A joiner shows in the letters beside it, and in an emoji of several.
func Visible(s string) string { return without(s, true) }

// without returns s without invisible characters and icons. If seen is true, icons are kept, and joiners behind a letter or a sign.
func without(s string, seen bool) string {
	at := nextInvisible(s, 0)
	if at < 0 {
		return s
	}
	var out strings.Builder
	for from := 0; ; {
		r, n := utf8.DecodeRuneInString(s[at:])
		end := at
		if seen && (isIcon(r) || (r == '\u200c' || r == '\u200d') && at > from && s[at-1] != ' ') {
			end += n
		}
		out.WriteString(s[from:end])
		from = at + n
		if at = nextInvisible(s, from); at < 0 {
			out.WriteString(s[from:])
			return out.String()
		}
	}
}

// Normal returns the form in which words are compared at level content: without invisible characters and icons, in NFC, in usual width,
// with one kind of quotation mark, apostrophe, dash, ellipsis, and of letters that Arabic and Persian keyboards have in different ones, and
// without ligatures. Characters that were decoded twice are mended.
func Normal(s string) string {
	s = mended(s)
	if !tokenize.IsASCII(s) && strings.ContainsFunc(s, mayFold) {
		s = width.Fold.String(alike.Replace(withoutInvisible(s)))
	}
	return norm.NFC.String(s)
}

// mended returns s with the characters of which each byte in UTF-8 was taken for one in windows-1252: "Ã©" is "é".
func mended(s string) string {
	at := strings.IndexFunc(s, isLead)
	if at < 0 {
		return s
	}
	out := []byte(s[:at])
	last, _ := utf8.DecodeLastRuneInString(s[:at])
	for s = s[at:]; s != ""; {
		r, n := utf8.DecodeRuneInString(s)
		if isLead(r) {
			r, n = twice(s, r, n, unicode.IsUpper(last))
		}
		if r >= 0 {
			out = utf8.AppendRune(out, r)
		}
		last, s = r, s[n:]
	}
	return string(out)
}

// isLead reports whether r is how windows-1252 shows the first byte of a character of Latin, of Cyrillic, of a punctuation mark, or of an
// emoji.
func isLead(r rune) bool {
	return r >= 0xc2 && r <= 0xc5 || r == 0xd0 || r == 0xd1 || r == 0xe2 || r == 0xf0
}

// twice returns the character with which s begins, and how many bytes of s that is: r and n unless it was decoded twice. It is negative
// for a space, whose second byte has become a space too.
func twice(s string, r rune, n int, inCapitals bool) (c rune, size int) {
	const space = " "
	if rest := s[n:]; !inCapitals && (rest == "" || strings.HasPrefix(rest, space)) { // else it may be a word such as MAÇÃ
		switch r {
		case 'Ã':
			return 'à', n
		case 'Â':
			return -1, n
		}
	}
	var bytes [utf8.UTFMax]byte
	for i := range bytes {
		next, width := utf8.DecodeRuneInString(s[size:])
		b, ok := charmap.Windows1252.EncodeRune(next)
		if next < 0xa0 { // those below have other characters in windows-1252, or none
			b, ok = byte(next), next >= 0x80
		}
		if !ok || i > 0 && b >= 0xc0 {
			break
		}
		bytes[i], size = b, size+width
		if !utf8.FullRune(bytes[:i+1]) {
			continue
		}
		c, width = utf8.DecodeRune(bytes[:i+1])
		after, _ := utf8.DecodeRuneInString(s[size:])
		quote := i == 1 && r < 0xd0 && next >= 0x2010 && next < 0x2040
		if width != i+1 || quote && !unicode.IsLetter(after) { // as in “MAÇÔ
			break
		}
		return c, size
	}
	return r, n
}

// mayFold reports whether [Normal] may replace or drop r before it composes characters: those that alike has, invisible ones, and those of
// unusual width (https://www.unicode.org/charts/nameslist/n_FF00.html).
func mayFold(r rune) bool {
	switch {
	case r < 0xab:
		return false
	case r < 0x2000:
		return r == '«' || r == '»' || r == '´' || r == 'ʼ' || r == 0xad || r == 'ـ' || r == 'ك' || r == 'ي'
	}
	return r < 0x2300 || r == 0x3000 || r >= 0xe000 && r <= 0xffff
}

var alike = strings.NewReplacer(
	"‘", "'", "’", "'", "‚", "'", "‛", "'", "ʼ", "'", "′", "'", "´", "'", "‹", "'", "›", "'",
	"“", `"`, "”", `"`, "„", `"`, "‟", `"`, "″", `"`, "«", `"`, "»", `"`,
	"‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "―", "-", "−", "-", "…", "...",
	"ـ", "", "ك", "ک", "ي", "ی", // Arabic letters as Persian keyboards have them, and without the stroke that stretches words
	"ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st",
)

// nextInvisible returns the offset of the first invisible character or icon in s from at on, or -1.
func nextInvisible(s string, at int) int {
	for i := at; i < len(s); i++ {
		if c := s[i]; c != 0xe2 && c != 0xc2 && c != 0xee && c != 0xef {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(s[i:]); isInvisible(r) || isIcon(r) {
			return i
		}
	}
	return -1
}

// isInvisible reports whether r has no width and matters only to layout: joiners, direction marks, soft hyphens.
func isInvisible(r rune) bool {
	switch {
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x2069, r == 0xfeff, r == 0xad:
		return true
	}
	return false
}

// isIcon reports whether r is for private use: fonts have icons there.
func isIcon(r rune) bool { return r >= 0xe000 && r <= 0xf8ff }

// WithoutMarks returns a word without anchor signs at its end, or "" if it has no letter, digit or meaningful sign.
func WithoutMarks(w string) string {
	if w == "" || plainEnd[w[len(w)-1]] {
		return w
	}
	sharp := len(w) == 2 && w[0] >= 'A' && w[0] <= 'Z' // "C#" is a word
	if w[len(w)-1] == '#' && !sharp || strings.HasSuffix(w, "¶") {
		w = strings.TrimRight(w, "#¶")
	}
	for _, r := range w {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || means(r) {
			return w
		}
	}
	return ""
}

// Signs returns the signs in a normal text that change what it says: [WithoutMarks] keeps them too, and plus, minus, less and more stand
// before a number.
func Signs(text string) string {
	var signs []rune
	before := ' '
	for i, r := range text {
		switch {
		case r == ' ' || r < utf8.RuneSelf && IsAlnum(byte(r)):
		case means(r):
			signs = append(signs, r)
		case before == ' ' && (r == '+' || r == '-'):
			if next, _ := utf8.DecodeRuneInString(text[i+1:]); unicode.IsDigit(next) || unicode.Is(unicode.Sc, next) {
				signs = append(signs, r)
			}
		case r == '<' || r == '>':
			if next, _ := utf8.DecodeRuneInString(strings.TrimPrefix(text[i+1:], " ")); unicode.IsDigit(next) {
				signs = append(signs, r)
			}
		}
		before = r
	}
	return string(signs)
}

// means reports whether a sign says something by itself: yes, no, how good, how many, in which currency, up or down, or what an emoji says.
// Bullets and other arrows don't.
func means(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r == '%' || r == '&' || r == '$'
	case r >= 0x250 && r < 0x590, r >= 0x3400 && r < 0xd800: // letters
		return false
	case r < 0x2190:
		return unicode.In(r, unicode.Sc, unicode.Sm, unicode.No, unicode.Nl)
	case r < 0x2200, r >= 0x25a0 && r < 0x2600: // arrows, geometric shapes
		return strings.ContainsRune("↑↓▲▼", r)
	case r >= 0x2600 && r < 0x2700, r >= 0x1f000 && r < 0x20000: // symbols, emoji
		return true
	}
	return strings.ContainsRune("✓✔✅✗✘❌", r) || unicode.In(r, unicode.Sc, unicode.Sm, unicode.No, unicode.Nl)
}

// plainEnd marks the bytes that end most words.
var plainEnd = func() (is [256]bool) {
	for c := range is {
		is[c] = IsAlnum(byte(c))
	}
	return is
}()
