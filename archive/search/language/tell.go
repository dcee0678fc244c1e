package language

import (
	"strings"

	"github.com/abadojack/whatlanggo"
)

// trigramSample is the number of words in which trigrams are counted. It takes a third of a millisecond.
const trigramSample = 100

// Tell guesses the language of a text: in which languages its stop words mean nothing, and its ISO 639 code, "" if it is not
// clear. Stop words tell the languages that have a list, and cost little. Others are told by their script and trigrams, and so is
// Japanese, which shares a list with Chinese. English stop words mean nothing in any language, because pages everywhere contain
// pieces of it.
func (s *Lists) Tell(words []string) (stop Set, code string) {
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
