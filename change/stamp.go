package change

import "strings"

// maxStampWords is the length up to which a block can be a clock or a counter: what is longer says
// more than the time.
const maxStampWords = 24

// stampWords speak, in a short block with numbers, of what a server counts or measures.
var stampWords = wordSet(`
	visitor visitors visit visits hits pageviews counter generated rendered served queries uptime
	besucher visiteur visiteurs visitante visitantes visitatori посетитель посетителей відвідувач
	généré generiert generado generato erzeugt сгенерировано згенеровано`)

// maxMarkWords is the length up to which a block can be the mark of an owner or of a version.
const maxMarkWords = 12

// markWords speak, beside a number, of a year in which nothing happened, or of the software of the site.
var markWords = wordSet("copyright version versión versione versão versie wersja версия версія")

// hasClock reports whether s contains a time of day to the second.
func hasClock(s string) bool {
	for {
		i := strings.IndexByte(s, ':')
		if i < 0 {
			return false
		}
		if i > 0 && isDigit(s[i-1]) && len(s) >= i+6 &&
			isDigit(s[i+1]) && isDigit(s[i+2]) && s[i+3] == ':' && isDigit(s[i+4]) && isDigit(s[i+5]) {
			return true
		}
		s = s[i+1:]
	}
}

// wordSet returns the hashes of words, which are in lower case.
func wordSet(words string) *hashSet {
	s := new(hashSet)
	for w := range strings.FieldsSeq(words) {
		s.add(uint64(hashOf(w)))
	}
	return s
}
