package sketch

import (
	"strings"

	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/visible"
)

// maxStampWords is how long a block can be to count as a clock or a counter: a longer one says more than the time.
const maxStampWords = 24

// stampWords mark a short block with numbers as something that a server counts or measures.
var stampWords = hashing.SetOfWords(`
	visitor visitors visit visits hits pageviews counter generated rendered served queries uptime
	besucher visiteur visiteurs visitante visitantes visitatori посетитель посетителей відвідувач
	généré generiert generado generato erzeugt сгенерировано згенеровано`)

// voteWords mark a block of up to maxMarkWords with numbers as votes of readers, or as how long ago something was.
var voteWords = hashing.SetOfWords(`
	helpful hilfreich utile útil nuttig pomocne pomocny przydatny полезным полезной корисною
	ago geleden temu назад`)

// countWords do the same in a block with hardly any other words: "12 comments".
var countWords = hashing.SetOfWords(`
	views likes comments shares followers downloads read aufrufe kommentare vues commentaires vistas comentarios
	visualizzazioni commenti visualizações comentários weergaven reacties просмотров комментариев переглядів коментарів`)

// viewWords mark a block of up to maxMarkWords in which a number stands before one of them: "By Anna | 171,633 views".
var viewWords = hashing.SetOfWords(`
	views pageviews aufrufe klicks vues visionnages vistas visualizaciones visualizzazioni visualizações weergaven wyświetleń odsłon
	просмотров просмотра переглядів перегляди görüntülenme zobrazení visningar visninger بازدید مشاهده`)

// maxMarkWords is how long a block can be that names an owner or a version.
const (
	maxMarkWords    = 12
	maxCountWords   = 3
	maxVersionWords = 4
)

// saysMark reports whether a short block with numbers names a copyright owner and a year, or the version of the site's
// software. Neither is news.
func saysMark(text string, words int) bool {
	if words > maxMarkWords {
		return false
	}
	if strings.Contains(text, "©") || strings.Contains(text, "opyright") {
		return true
	}
	return words <= maxVersionWords && saysVersion(text)
}

// saysVersion reports whether text is nothing but a version: v8.1, Version 2.0.77 (1204).
func saysVersion(text string) bool {
	named, version := false, false
	for f := range strings.FieldsSeq(text) {
		v := strings.TrimPrefix(f, "v")
		switch {
		case beginsVersion(strings.ToLower(strings.Trim(f, ":."))):
			named = true
		case isVersion(v):
			named, version = named || len(v) < len(f), true
		case strings.Trim(f, "()0123456789") != "":
			return false
		}
	}
	return named && version
}

// beginsVersion reports whether a word precedes the number of a version.
func beginsVersion(word string) bool {
	switch word {
	case "version", "versión", "versione", "versão", "versie", "wersja", "версия", "версія", "build", "release":
		return true
	}
	return false
}

// isVersion reports whether a word looks like 8.1 or 2.0.77, and not like a date or a number.
func isVersion(word string) bool {
	n := 0
	for part := range strings.SplitSeq(word, ".") {
		if len(part) == 0 || len(part) > 3 || strings.Trim(part, "0123456789") != "" {
			return false
		}
		n++
	}
	return n > 1
}

// hasClock reports whether s contains a time of day to the second.
func hasClock(s string) bool {
	for {
		i := strings.IndexByte(s, ':')
		if i < 0 {
			return false
		}
		if i > 0 && visible.IsDigit(s[i-1]) && len(s) >= i+6 &&
			visible.IsDigit(s[i+1]) && visible.IsDigit(s[i+2]) && s[i+3] == ':' && visible.IsDigit(s[i+4]) && visible.IsDigit(s[i+5]) {
			return true
		}
		s = s[i+1:]
	}
}
