package sketch

import (
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/tokenize"
)

// ages are the words that say how long ago something was.
var ages = struct {
	before *hashing.Set  // a number and a unit of time: "vor 3 Stunden", "il y a 3 heures"
	after  *hashing.Set  // them: "3 ore fa"
	ones   *hashing.Set  // are numbers before a unit: "an hour ago"
	few    *hashing.Set  // are some of these, with an article or without: "a few seconds ago"
	about  *hashing.Set  // say how exact a number is: "over a year ago"
	just   tokenize.Hash // before now: "just now"
	now    tokenize.Hash
	days   map[tokenize.Hash][]tokenize.Hash
}{
	hashing.SetOfWords(`vor hace há acum πριν před pred منذ לפני`),
	hashing.SetOfWords(`fa atrás atras ago geleden temu назад тому önce sedan siden sitten lalu trước پیش`),
	hashing.SetOfWords(`a an one ein eine einem einer un une una uno um uma een один одну одна bir en ett et jednou jedním`),
	hashing.SetOfWords(`few paar einigen wenigen quelques unos unas alguns enkele несколько кілька birkaç kilka flera několika`),
	hashing.SetOfWords(`about over almost nearly around approximately less more than circa etwa ungefähr fast knapp rund über mehr weniger als
		environ presque plus moins de casi más menos que unos unas quase cerca quasi più meno di ongeveer bijna ruim około prawie ponad
		около почти больше`),
	tokenize.HashOf("just"),
	tokenize.HashOf("now"),
	daysInDigits(`now: 1 minute ago
		yesterday: 1 day ago
		gestern vorgestern: vor 1 tag
		ayer anteayer: hace 1 día
		ieri: 1 giorno fa
		ontem anteontem: há 1 dia
		gisteren eergisteren: 1 dag geleden
		wczoraj przedwczoraj: 1 dzień temu
		вчера позавчера: 1 день назад
		вчора позавчора: 1 день тому
		dün: 1 gün önce
		igår: 1 dag sedan`),
}

// oneDigit stands for a number.
const oneDigit tokenize.Hash = 1

func daysInDigits(list string) map[tokenize.Hash][]tokenize.Hash {
	days := map[tokenize.Hash][]tokenize.Hash{}
	for line := range strings.Lines(list) {
		names, said, _ := strings.Cut(line, ":")
		var as []tokenize.Hash
		for w := range strings.FieldsSeq(said) {
			if w == "1" {
				as = append(as, oneDigit)
			} else {
				as = append(as, tokenize.HashOf(w))
			}
		}
		for name := range strings.FieldsSeq(names) {
			days[tokenize.HashOf(name)] = as
		}
	}
	return days
}

// inDigits returns the words of a short block without numbers as they would be if its ages had any: "1 hour ago" for "an hour ago", "1 day
// ago" for "yesterday". It returns nil if nothing is like an age.
func inDigits(words []tokenize.Hash) (said []tokenize.Hash) {
	is := func(set *hashing.Set, i int) bool { return i >= 0 && i < len(words) && set.Has(uint64(words[i])) }
	next := 0 // the first word that is not in said
	put := func(i, n int, as ...tokenize.Hash) {
		said = append(append(said, words[next:i]...), as...)
		next = i + n
	}
	for i, w := range words {
		few, article, unit := is(ages.few, i) && is(isTimeUnit, i+1), is(ages.ones, i), is(isTimeUnit, i)
		switch {
		case w == ages.now:
			if i > 0 && words[i-1] == ages.just {
				put(i-1, 2, ages.days[w]...)
			}
		case ages.days[w] != nil:
			put(i, 1, ages.days[w]...)
		case few, article && is(isTimeUnit, i+1):
			put(i, 1, oneDigit)
		case article && is(ages.few, i+1) && is(isTimeUnit, i+2):
			put(i, 1)
		case unit && is(ages.after, i+1) && !is(ages.ones, i-1) && !is(ages.few, i-1): // in a language without articles
			put(i, 0, oneDigit)
		}
	}
	if said == nil {
		return nil
	}
	return append(said, words[next:]...)
}

// exact returns the words of a block without those that say how exact the number behind them is. It returns nil if there are none.
func exact(words []tokenize.Hash) (kept []tokenize.Hash) {
	number := false // the word behind, apart from those, is a number
	for i, w := range slices.Backward(words) {
		switch about := ages.about.Has(uint64(w)); {
		case about && number && kept == nil:
			kept = append(make([]tokenize.Hash, 0, len(words)), words[i+1:]...)
			slices.Reverse(kept)
		case about && number:
		default:
			number = w&1 != 0
			if kept != nil {
				kept = append(kept, w)
			}
		}
	}
	slices.Reverse(kept)
	return kept
}
