package search

import (
	"strings"

	"github.com/abadojack/whatlanggo"
)

// trigramSample is the number of words in which trigrams are counted. It takes a third of a millisecond.
const trigramSample = 100

// codeOf returns the ISO 639 code of a text's language, "" if it is not clear. Stop words tell the languages that have a
// list, and cost little. Others are told by their script and trigrams, and so is Japanese, which shares a list with
// Chinese.
func (s *stopWords) codeOf(words []string) string {
	if list, ok := s.list(words); ok && codes[list] != "zh" {
		return codes[list]
	}
	guess := whatlanggo.Detect(strings.Join(words[:min(len(words), trigramSample)], " "))
	if !guess.IsReliable() {
		return ""
	}
	return guess.Lang.Iso6391()
}
