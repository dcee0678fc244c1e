// Package language guesses in which language a text is, and knows stop words.
//
// [New] reads the lists of stop words of many languages; start with [Lists.Detect].
package language

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/ar"
	"github.com/blevesearch/bleve/v2/analysis/lang/bg"
	"github.com/blevesearch/bleve/v2/analysis/lang/cs"
	"github.com/blevesearch/bleve/v2/analysis/lang/da"
	"github.com/blevesearch/bleve/v2/analysis/lang/de"
	"github.com/blevesearch/bleve/v2/analysis/lang/el"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/lang/es"
	"github.com/blevesearch/bleve/v2/analysis/lang/fa"
	"github.com/blevesearch/bleve/v2/analysis/lang/fi"
	"github.com/blevesearch/bleve/v2/analysis/lang/fr"
	"github.com/blevesearch/bleve/v2/analysis/lang/hi"
	"github.com/blevesearch/bleve/v2/analysis/lang/hu"
	"github.com/blevesearch/bleve/v2/analysis/lang/it"
	"github.com/blevesearch/bleve/v2/analysis/lang/nl"
	"github.com/blevesearch/bleve/v2/analysis/lang/no"
	"github.com/blevesearch/bleve/v2/analysis/lang/pt"
	"github.com/blevesearch/bleve/v2/analysis/lang/ro"
	"github.com/blevesearch/bleve/v2/analysis/lang/ru"
	"github.com/blevesearch/bleve/v2/analysis/lang/sv"
	"github.com/blevesearch/bleve/v2/analysis/lang/tr"

	"github.com/varve-archive/varve/archive/search/query"
)

// Function words of languages for which the library has no list, or (Polish) a list that would add megabytes to the binary.
const (
	polish = "i w na z ze do że się nie to jest o po jak od dla za tak ale czy a oraz lub przez przy pod nad bez u co ten ta te " +
		"tego tej tym być był była było były są który która które też już tylko jego jej ich"
	ukrainian = "і й та в у на з із зі до за що не це як він вона вони ми ви я є був була було були для по про від при або але чи ж же " +
		"б би то той та ті так які який яка яке її його їх цей ця ці тому також ще вже лише при під над між без щоб коли де"
	cjk = "的 了 在 是 我 有 和 就 不 人 都 一 上 也 很 到 说 要 去 你 会 着 没 这 那 为 与 及 或 之 以 于 而 个 中 の に は を た が で て と し れ さ い る も な ん か ら り す き こ"
)

// A Set is a set of stop word lists, one bit for each.
type Set uint32

// codes are the ISO 639 codes of the lists, in their order.
func codes() [24]string {
	return [...]string{
		"ar", "bg", "cs", "da", "de", "el", "en", "es", "fa", "fi", "fr", "hi", "hu", "it", "nl", "no", "pt", "ro", "ru", "sv", "tr",
		"pl", "uk", "zh",
	}
}

// Lists know in which languages a word is a stop word.
type Lists struct{ lists map[string]Set }

// Sample is the number of words from which the language of a text is guessed.
const Sample = 400

// stopLists returns the lists of stop words in the order of codes.
func stopLists() [24][]byte {
	return [...][]byte{
		ar.ArabicStopWords, bg.BulgarianStopWords, cs.CzechStopWords, da.DanishStopWords, de.GermanStopWords,
		el.GreekStopWords, en.EnglishStopWords, es.SpanishStopWords, fa.PersianStopWords, fi.FinnishStopWords,
		fr.FrenchStopWords, hi.HindiStopWords, hu.HungarianStopWords, it.ItalianStopWords, nl.DutchStopWords,
		no.NorwegianStopWords, pt.PortugueseStopWords, ro.RomanianStopWords, ru.RussianStopWords,
		sv.SwedishStopWords, tr.TurkishStopWords, []byte(polish), []byte(ukrainian), []byte(cjk),
	}
}

// StopWords returns the stop words of a language, given by its ISO 639 code.
func StopWords(language string) ([]string, error) {
	known := codes()
	i := slices.Index(known[:], language)
	if i < 0 {
		return nil, fmt.Errorf("there is no list of stop words for %q: there are %s", language, strings.Join(known[:], ", "))
	}
	words := analysis.NewTokenMap()
	if err := words.LoadBytes(stopLists()[i]); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(words)), nil
}

// New reads the lists.
func New() (*Lists, error) {
	s := &Lists{map[string]Set{}}
	for i, list := range stopLists() {
		words := analysis.NewTokenMap()
		if err := words.LoadBytes(list); err != nil {
			return nil, err
		}
		for w := range words {
			for _, part := range query.Words(w) {
				s.lists[part] |= 1 << i
			}
		}
	}
	return s, nil
}

// list returns the list with the most words of a text; ok is false if no list has at least a twentieth of them.
func (s *Lists) list(words []string) (best int, ok bool) {
	var counts [32]int
	for _, w := range words {
		for l, i := s.lists[w], 0; l != 0; l, i = l>>1, i+1 {
			counts[i] += int(l & 1)
		}
	}
	for i := range counts {
		if counts[i] > counts[best] {
			best = i
		}
	}
	return best, counts[best] > 0 && counts[best]*20 >= len(words)
}

// Significant reports whether a term carries meaning in a text: it has a letter and is no stop word of the languages l.
func (s *Lists) Significant(t string, l Set) bool {
	if s.lists[t]&l != 0 {
		return false
	}
	for _, r := range t {
		if unicode.IsLetter(r) {
			return utf8.RuneCountInString(t) > 1 || r > 0x2e7f // a single ideograph is a word, a single letter isn't
		}
	}
	return false
}
