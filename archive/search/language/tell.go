package language

import (
	"strings"

	"github.com/abadojack/whatlanggo"
)

// trigramSample is the number of words whose trigrams are counted. That takes a third of a millisecond.
const trigramSample = 100

// Detect guesses the language of a text. It returns the stop word lists that apply, and the ISO 639 code, "" if it is not clear. Stop words
// identify the languages that have a list, at little cost. Script and trigrams identify the others, and Japanese, which shares a list with
// Chinese. The English list always applies, because pages everywhere contain pieces of English.
func (s *Lists) Detect(words []string) (stop Set, code string) {
	stop = s.lists["the"]
	list, ok := s.list(words)
	if ok {
		stop |= 1 << list
	}
	if ok && codes()[list] != "zh" {
		return stop, codes()[list]
	}
	guess := whatlanggo.Detect(strings.Join(words[:min(len(words), trigramSample)], " "))
	if !guess.IsReliable() {
		return stop, ""
	}
	return stop, guess.Lang.Iso6391()
}
