package sketch

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// minFigureWords is how many words besides its numbers a sentence has at least whose numbers it is about. Counters have fewer: "This page
	// has been accessed 12,345 times."
	minFigureWords = 8
	// maxFigureDigits is how many digits in a row a number of such a sentence has at most. Tokens have more.
	maxFigureDigits = 6
)

// saysFigure reports whether a text that m has read, and that is no stamp, is a sentence about a number: how many people
// died, or work here. A number that says when the page was made stands beside the name of a month or a unit of time.
func (m *masker) saysFigure(text string) bool {
	return m.plain >= minFigureWords && !m.dated && endsSentence(text) && !hasToken(text)
}

// endsSentence reports whether a text ends as sentences do.
func endsSentence(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, "\"'”’»)]"))
	return strings.ContainsRune(".!?。！？۔؟।።", last)
}

// hasToken reports whether a text contains a word such as a8f3c2 or a number such as 88293316, which tell one answer of
// a server from others.
func hasToken(text string) bool {
	digits, turns := 0, 0
	before := false // whether the character before is a digit
	for _, r := range text {
		digit := unicode.IsDigit(r)
		switch {
		case !digit && !isInWord(r):
			digits, turns = 0, 0
		case digit:
			digits++
			if !before {
				turns++
			}
		default:
			digits = 0
		}
		if before = digit; digits > maxFigureDigits || turns > 1 {
			return true
		}
	}
	return false
}
