package language

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/abadojack/whatlanggo"
)

// trigramSample is the number of words whose trigrams are counted. That takes a third of a millisecond.
const trigramSample = 100

// Detect guesses the language of a text. It returns the stop word lists that apply, and the ISO 639 code, "" if it is not clear. Stop words
// identify the languages that have a list, at little cost. Script and trigrams identify the others, and Japanese, which shares a list with
// Chinese. The English list always applies, because pages everywhere contain pieces of English.
func (s *Lists) Detect(words []string) (stop Set, code string) {
	stop = s.lists["the"]
	words = native(words[:min(len(words), Sample)])
	list, ok := s.list(words)
	if ok {
		stop |= 1 << list
	}
	if ok && codes()[list] != "zh" {
		return stop, codes()[list]
	}
	if isJapanese(words) {
		return stop, "ja"
	}
	guess := whatlanggo.Detect(strings.Join(words[:min(len(words), trigramSample)], " "))
	if !guess.IsReliable() {
		return stop, ""
	}
	return stop, guess.Lang.Iso6391()
}

// isJapanese reports whether at least a twentieth of the words are kana. Titles and lists may have hardly any.
func isJapanese(words []string) bool {
	kana := 0
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); unicode.In(r, unicode.Hiragana, unicode.Katakana) {
			kana++
		}
	}
	return kana > 0 && kana*20 >= len(words)
}

// nativeShare is the least share of words that are not in Latin letters in a text whose other words are foreign to it.
const nativeShare = 0.25

// native returns the words that are in the text's own script. Names and commands are in Latin letters everywhere.
func native(words []string) []string {
	var others []string
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) {
			others = append(others, w)
		}
	}
	if float64(len(others)) < nativeShare*float64(len(words)) {
		return words
	}
	return others
}
