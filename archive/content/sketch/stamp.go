package sketch

import (
	"strings"

	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/visible"
)

// maxStampWords bounds the length of a clock or counter; a longer block says more than the time.
const maxStampWords = 24

// marks are words that mark a short block with numbers as a clock or a counter, those of votes and of ages a block of up to maxMarkWords.
var marks = struct {
	made    *hashing.Set // measurements by the server: "generated in 0.2 s"
	visits  *hashing.Set // are counted, if a number stands beside them: "345 visitors"
	between *hashing.Set // may stand between them and the number: "visitors today: 345"
	of      *hashing.Set // may stand behind the number too: "the 345th of all visitors"
	helpful *hashing.Set // votes, if a number stands beside them, or begins or ends the block: "12 people found this helpful"
	ago     *hashing.Set // ages, if a number stands before them, or a word further
}{
	hashing.SetOfWords(`generated rendered uptime généré generiert generado generato erzeugt сгенерировано згенеровано`),
	hashing.SetOfWords(`visitor visitors visits hits pageviews counter served queries besucher
		visiteur visiteurs visitante visitantes visitatori посетитель посетителей відвідувач`),
	hashing.SetOfWords(`number no nr num n numéro número numero номер total unique page pages site web website online daily count
		today yesterday heute gesamt insgesamt so far since seit depuis desde dal с з in by user users guest guests`),
	hashing.SetOfWords(`of all our the aller unserer de tous nos todos`),
	hashing.SetOfWords(`helpful hilfreich utile útil nuttig pomocne pomocny przydatny полезным полезной корисною`),
	hashing.SetOfWords(`ago geleden temu назад`),
}

// countWords do the same in a block with hardly any other words: "12 comments".
var countWords = hashing.SetOfWords(`
	views likes comments shares followers downloads read aufrufe kommentare vues commentaires vistas comentarios
	visualizzazioni commenti visualizações comentários weergaven reacties просмотров комментариев переглядів коментарів
	online subscribers abonnés abonnenten suscriptores iscritti inscritos подписчиков подписчика подписчики підписників lượt
	gelesen gefällt leído leida lu letto lido przeczytano wyświetlenia wyświetleń прочитано прочитали okunma`)

// oneWords do the same after a number, because many languages have several plurals and some of the words are verbs too.
var oneWords = hashing.SetOfWords(`
	visit comment view like share reply replies follower subscriber kommentar commentaire vue comentario vista commento comentário reactie
	комментарий комментария просмотр просмотра коментар перегляд komentarz komentarze komentarzy komentář komentáře komentářů`)

// noneCounted are whole blocks that count none of what countWords count, or no days of those that viewSigns are about.
var noneCounted = hashing.SetOfTexts(
	"no comment", "no comments", "no comments yet", "leave a comment", "no responses", "no replies", "no views",
	"kein kommentar", "keine kommentare", "noch keine kommentare", "aucun commentaire", "pas de commentaire", "pas de commentaires",
	"sin comentarios", "no hay comentarios", "ningún comentario", "nessun commento", "nenhum comentário", "sem comentários",
	"geen reacties", "brak komentarzy", "žádné komentáře", "нет комментариев", "комментариев нет", "немає коментарів", "коментарів немає",
	"昨 日", "一 昨 日", "昨 天", "前 天", "刚 刚", "剛 剛", "어제", "그저께", "방금 전")

// besideCounts may occur with countWords in a block that only counts: "1.2M views · 12 shares", "Users online: 204".
var besideCounts = hashing.SetOfWords(`
	times time mal fois veces volte vezes razy раз kez of and und et y e i и k m b mio mill mln тыс млн users guests members
	benutzer gäste mitglieder total today gesamt heute`)

// viewSigns are how languages without spaces count views, and how they say how long ago something was.
var viewSigns = []string{
	"視聴回数", "回視聴", "再生回数", "回再生", "閲覧数", "阅读", "閱讀", "浏览", "瀏覽", "观看", "觀看", "次播放", "조회",
	"秒前", "分前", "分钟前", "分鐘前", "小时前", "小時前", "時間前", "天前", "日前", "週間前", "周前", "週前", "星期前",
	"か月前", "ヶ月前", "カ月前", "个月前", "個月前", "초 전", "분 전", "시간 전", "일 전", "주 전", "개월 전", "초전", "분전", "시간전", "일전", "개월전",
	"ที่แล้ว",
}

// viewWords mark a block of up to maxMarkWords in which a number stands before one of them: "By Anna | 171,633 views".
var viewWords = hashing.SetOfWords(`
	views pageviews aufrufe klicks vues visionnages vistas visualizaciones visualizzazioni visualizações weergaven wyświetleń odsłon
	просмотров просмотра переглядів перегляди görüntülenme zobrazení visningar visninger بازدید مشاهده`)

// A stamper decides, word by word, whether a block with numbers is a clock or a counter.
type stamper struct {
	said, voted, counted, viewed, ago bool
	only                              bool // it has nothing but numbers and words that count
	first, second                     bool // the first word, and the one before the previous word, are numbers
	number                            bool // the previous word is a number
	numbered, visited                 bool // before the word only those of marks.between follow a number, one of marks.visits
	helped, helpful                   bool // any word, and the previous one, are of marks.helpful
	opened                            bool // the word before that is one of ages.before
	timed                             bool // the previous words are a number and a unit of time
	unit                              bool // a unit of time occurred anywhere
}

// countMask is the mask of all blocks that only count, because many languages have several plurals.
const countMask = 0x5bd1e995

// add adds the hash of the nth word.
func (s *stamper) add(h uint64, n int, digits bool) {
	if n > maxStampWords {
		s.only = false
		return
	}
	visits, between := marks.visits.Has(h), marks.between.Has(h) || dateWords.Has(h)
	s.said = s.said || marks.made.Has(h) || visits && s.numbered || digits && s.visited
	s.numbered, s.visited = digits || s.numbered && (between || marks.of.Has(h)), visits || between && s.visited
	if n > maxMarkWords {
		s.only = false
		return
	}
	counts := countWords.Has(h) || s.number && oneWords.Has(h)
	helpful := marks.helpful.Has(h)
	s.voted = s.voted || helpful && s.number || digits && s.helpful || marks.ago.Has(h) && (s.number || s.second)
	s.first, s.helped, s.helpful = s.first || digits && n == 1, s.helped || helpful, helpful
	s.viewed = s.viewed || s.number && viewWords.Has(h)
	s.counted = s.counted || counts
	s.only = s.only && (digits || counts || besideCounts.Has(h))
	unit := s.number && isTimeUnit.Has(h)
	s.ago = s.ago || unit && s.opened || s.timed && ages.after.Has(h)
	s.opened = digits && s.opened || ages.before.Has(h)
	s.second, s.number, s.timed, s.unit = s.number, digits, unit, s.unit || unit
}

// stamps reports whether a block of so many words, with numbers among them, is a clock or a counter.
func (s *stamper) stamps(text string, words int, ascii bool) bool {
	switch {
	case words > maxStampWords:
		return saysMark(text, words)
	case s.said && !saysPrice(text), hasClock(text), saysMark(text, words):
		return true
	case words > maxMarkWords:
		return false
	case !ascii && containsAny(text, viewSigns):
		s.only = true // whatever unit the number has
		return true
	}
	return s.voted || s.helped && (s.first || s.number) || s.viewed || s.aged(text) || s.counted && (s.only || words <= maxCountWords)
}

// aged reports whether a short block says how long ago something was.
func (s *stamper) aged(text string) bool { return s.ago || s.unit && strings.Contains(text, "l y a ") }

// maxMarkWords is how long a block can be that names an owner or a version.
const (
	maxMarkWords    = 12
	maxCountWords   = 3
	maxVersionWords = 4
)

// saysMark reports whether a short block with numbers names a copyright owner and a year, or the version of the site's software.
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
