package sketch

import (
	_ "embed"
	"strings"
	"unicode/utf8"

	"github.com/varve-archive/varve/archive/content/visible"
)

// notFoundPhrases occur in titles and headings of "not found" pages. They are in lower case.
var notFoundPhrases = []string{
	"not found", "page missing", "does not exist", "doesn't exist", "doesn’t exist", "no longer exists",
	"no longer available", "can't be found", "cannot be found", "could not be found", "couldn't be found",
	"nicht gefunden", "introuvable", "non trouvée", "no encontrada", "non trovata", "não encontrada",
	"niet gevonden", "nie znaleziono", "не найден", "не знайден", "یافت نشد", "找不到", "未找到", "不存在",
	"見つかりません", "찾을 수 없", "bulunamadı", "không tìm thấy", "không tồn tại", "tidak ditemukan", "nenalezen", "غير موجود",
	"لم يتم العثور", "не существует", "не існує", "existiert nicht", "n'existe pas", "n’existe pas", "no existe", "non esiste",
	"não existe", "bestaat niet", "nie istnieje", "neexistuje", "hittades inte", "ikke fundet", "ikke funnet", "存在しません",
	"존재하지 않", "وجود ندارد",
}

// maxPhrase is the greatest length of a heading, in bytes, that is searched for the phrases.
const maxPhrase = 200

// saysNotFound reports whether a title or heading says that there is no such page.
func saysNotFound(text string) bool {
	text = strings.ToLower(text)
	for _, p := range notFoundPhrases {
		if strings.Contains(text, p) {
			return true
		}
	}
	return hasNumber(text, "404")
}

// What a block means as a title or heading.
const (
	headingUnread uint32 = iota
	headingFound
	headingNotFound
)

// saysNotFound caches the answer for a heading in its blockWords, because the pages of a site share headings.
func (w *blockWords) saysNotFound(heading string) bool {
	if len(heading) > maxPhrase {
		return false
	}
	said := w.heading.Load()
	if said == headingUnread {
		said = headingFound
		if saysNotFound(heading) {
			said = headingNotFound
		}
		w.heading.Store(said)
	}
	return said == headingNotFound
}

//go:embed gone.txt
var goneText string

// absencePhrases are the lines of gone.txt, goneSaid all phrases in them.
var absencePhrases, goneSaid = readAbsencePhrases(goneText)

// An absencePhrase is a way to say that something is not there. It matches if a block has one of things (unless that is empty) and one of
// said.
type absencePhrase struct {
	things []string
	said   []string
}

func readAbsencePhrases(data string) (all []absencePhrase, whole *phraseSet) {
	var every []string
	for line := range strings.Lines(data) {
		things, said, found := strings.Cut(line, ":")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		one := absencePhrase{phrases(things), phrases(said)}
		all, every = append(all, one), append(every, one.said...)
	}
	return all, newPhraseSet(every)
}

func phrases(list string) (out []string) {
	for p := range strings.SplitSeq(list, ",") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// maxGone bounds the characters of a "not found" text. A longer page that says so about something is a page of its own.
const maxGone = 200

// saysGone reports whether a short text, one block a line, says that what was asked for is not there, or that the domain is for sale.
func saysGone(text string) bool {
	text = strings.ToLower(text)
	if !goneSaid.in(text) {
		return false
	}
	short := utf8.RuneCountInString(text) <= maxGone
	for i := range absencePhrases {
		s := &absencePhrases[i]
		if (short || len(s.things) == 0) && s.in(text) {
			return true
		}
	}
	return false
}

// in reports whether a block of a text matches.
func (s *absencePhrase) in(text string) bool {
	for _, p := range s.said {
		for from := 0; ; {
			i := strings.Index(text[from:], p)
			if i < 0 {
				break
			}
			i += from
			begin, end := strings.LastIndexByte(text[:i], '\n')+1, len(text)
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				end = i + n
			}
			if len(s.things) == 0 || containsAny(text[begin:end], s.things) {
				return true
			}
			from = i + len(p)
		}
	}
	return false
}

// hasNumber reports whether s contains number, but not as part of a longer number or a word.
func hasNumber(s, number string) bool {
	for {
		i := strings.Index(s, number)
		if i < 0 {
			return false
		}
		before, after := i == 0 || !visible.IsAlnum(s[i-1]), i+len(number) == len(s) || !visible.IsAlnum(s[i+len(number)])
		if before && after {
			return true
		}
		s = s[i+len(number):]
	}
}
