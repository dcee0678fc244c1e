package visible

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/tokenize"
)

// A hint is a property of a block that tells what the container around it is.
type hint uint8

const (
	asks   hint = 1 << iota // asks for consent: a button, a link or a few words with "accept", "reject", …
	tells                   // mentions cookies
	lists                   // gives the name or the lifetime of a cookie
	names                   // gives the name of one
	enters                  // asks to log in or to register
)

// Greatest lengths of blocks that ask and of blocks that list, in bytes.
const (
	maxAsking  = 120
	maxListing = 32
	fewWords   = 48
)

// hintsOf returns the hints of a block with links bytes in links and buttons.
func (e *Extractor) hintsOf(text []byte, links int) (h hint) {
	if tellsOfCookies(text) {
		h |= tells
	}
	if len(text) <= maxListing {
		h |= e.listsCookie(text)
	}
	if len(text) <= fewWords || len(text) <= maxAsking && links*2 >= len(text) {
		h |= e.asksFor(text)
	}
	return h
}

// tellsOfCookies reports whether text has the word cookie, which most languages share, or another language's word for it.
func tellsOfCookies(text []byte) bool {
	return bytes.Contains(text, []byte("cookie")) || bytes.Contains(text, []byte("Cookie")) ||
		text[0] >= utf8.RuneSelf && slices.ContainsFunc(cookieWords, func(w []byte) bool { return bytes.Contains(text, w) })
}

var cookieWords = [][]byte{[]byte("куки"), []byte("кукі"), []byte("کوکی"), []byte("クッキー"), []byte("쿠키")}

// consentWords are words on the buttons of consent dialogs, in the languages of the banner and some more.
var consentWords = hashing.SetOfWords(`
	accept agree reject decline allow consent
	akzeptieren akzeptiere zustimmen ablehnen erlauben einverstanden
	accepter accepte refuser refuse autoriser rejeter
	aceptar acepto rechazar permitir
	accetta accetto accettare rifiuta rifiutare consenti
	aceitar aceito rejeitar recusar concordo
	accepteren akkoord weigeren toestaan
	akceptuj akceptuję zaakceptuj zgadzam odrzuć zezwól
	принять принимаю отклонить согласен согласиться разрешить
	прийняти приймаю відхилити погоджуюсь погоджуюся дозволити
	پذیرش قبول موافقم
	acceptera godkänn avvisa godta aksepter avvis accepter tillad hyväksy hylkää kabul reddet`)

// consentMarks are the same in languages without spaces between words.
var consentMarks = []string{"同意", "接受", "允许", "允許", "拒绝", "拒絕", "許可", "拒否", "동의", "수락", "거부"}

// enterWords are words on links and buttons that lead to a form to log in or to register.
var enterWords = hashing.SetOfWords(`
	login log signin sign register
	anmelden einloggen registrieren
	connecter connexion inscrire inscription
	acceder ingresar registrarse regístrate iniciar
	accedi registrati entrar registar registe cadastrar
	inloggen aanmelden registreren
	zaloguj zarejestruj войти вход регистрация увійти вхід реєстрація
	ورود logga kirjaudu`)

var enterMarks = []string{"登录", "登錄", "注册", "ログイン", "登録", "로그인"}

// asksFor returns the hints in the words of a short text.
func (e *Extractor) asksFor(text []byte) (h hint) {
	for field := range bytes.FieldsSeq(text) {
		hash := e.wordHash(field)
		if consentWords.Has(hash) {
			h |= asks
		}
		if enterWords.Has(hash) {
			h |= enters
		}
	}
	if !beyondLetters(text) {
		return h
	}
	if s := string(text); saysOne(s, consentMarks) {
		h |= asks
	} else if saysOne(s, enterMarks) {
		h |= enters
	}
	return h
}

func saysOne(text string, of []string) bool {
	return slices.ContainsFunc(of, func(mark string) bool { return strings.Contains(text, mark) })
}

// isSign reports whether a character is no part of a word.
func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// wordHash returns the hash of a word without punctuation around it, for lookup in a [wordSet].
func (e *Extractor) wordHash(field []byte) uint64 {
	field = bytes.TrimFunc(field, isSign)
	return uint64(tokenize.Hash(xxh3.Hash(e.lower.Norm(unsafe.String(unsafe.SliceData(field), len(field))))) &^ 1)
}

// beyondLetters reports whether text has Hangul, or characters of scripts without spaces between words.
func beyondLetters(text []byte) bool {
	for _, c := range text {
		if c >= 0xe3 && c <= 0xed {
			return true
		}
	}
	return false
}

// cookieLives are the units in which the lifetime of a cookie is given, and the words for a cookie without one.
var cookieLives = hashing.SetOfWords(`
	day days week weeks month months year years hour hours minute minutes second seconds session persistent
	tag tage tagen woche wochen monat monate monaten jahr jahre jahren stunde stunden minuten sitzung sitzungen
	jour jours semaine semaines mois an ans année heure heures séance persistant
	día días semana semanas mes meses año años hora horas minuto minutos sesión
	giorno giorni settimana settimane mese mesi anno anni ora ore minuti sessione
	dia dias mês ano anos sessão dag dagen maand maanden jaar uur uren sessie
	dzień dni miesiąc miesiące miesięcy rok lata lat godzina sesja
	день дня дней месяц месяца месяцев год года лет сеанс сессия
	днів місяць місяців рік роки років`)

// listsCookie returns the hints in a short text that may be the name of a cookie or its lifetime.
func (e *Extractor) listsCookie(text []byte) hint {
	fields := bytes.Fields(text)
	first := fields[0]
	switch len(fields) {
	case 1:
		if len(first) > 2 && first[0] == '_' && isLetter(first[1]) || bytes.Contains(first, []byte("_cookie")) {
			return lists | names
		}
	case 2:
		if !IsDigit(first[0]) {
			return 0
		}
	default:
		return 0
	}
	if cookieLives.Has(e.wordHash(fields[len(fields)-1])) {
		return lists
	}
	return 0
}

const (
	// A list of cookies has at least minLists blocks that list one, and at least listShare of its blocks do. Lifetimes alone may be those of
	// contracts or courses.
	minLists  = 4
	listShare = 0.15
	// A notice holds at most noticeShare of the page's text and of its prose. On a short page it may hold up to
	// smallShare of the text, if it is no longer than smallNotice bytes.
	noticeShare = 0.4
	smallNotice = 3000
	smallShare  = 0.85
)

// findNotices marks the containers that ask for consent or list cookies, unless they are the whole page. It reports
// whether there are any.
func (o *outline) findNotices() (notice bool) {
	if z := &o.zones[0]; z.asks == 0 && z.lists == 0 {
		return false
	}
	for i := range o.blocks {
		b := &o.blocks[i]
		if b.hints&asks != 0 {
			o.mark(b.zone, func(z *zone) bool { return z.tells > 0 })
		}
		if b.hints&lists != 0 && !o.explains(b.zone) {
			o.mark(b.zone, (*zone).listsCookies)
		}
	}
	for i := 1; i < len(o.zones); i++ {
		z := &o.zones[i]
		z.notice = z.notice || o.zones[z.parent].notice
		notice = notice || z.notice
	}
	for i := range o.blocks {
		if b := &o.blocks[i]; notice && o.zones[b.zone].notice && !b.region.Furniture() && b.region != Title {
			b.region = Notice
		}
	}
	return notice
}

func (z *zone) listsCookies() bool {
	return z.lists >= minLists && z.names+z.tells > 0 && float64(z.lists) >= listShare*float64(z.blocks)
}

// mark marks a zone as a notice: the outermost around the innermost one for which is holds. The innermost may be the whole page if the page
// is small.
func (o *outline) mark(at int, is func(*zone) bool) {
	found := 0
	for z := at; z > 0; z = o.zones[z].parent {
		fits := is(&o.zones[z])
		if fits && (o.mayBeNotice(z) || found == 0 && o.zones[z].heads == 0 && o.zones[z].size <= smallNotice) {
			found = z
		} else if fits {
			break
		}
	}
	if found > 0 {
		o.zones[found].notice = true
	}
}

// mayBeNotice reports whether a zone has no headline and is not most of the page.
func (o *outline) mayBeNotice(at int) bool {
	z, all := &o.zones[at], &o.zones[0]
	size := float64(z.size)
	return z.heads == 0 && (size <= noticeShare*float64(all.size) && float64(z.prose) <= noticeShare*float64(all.prose) ||
		z.size <= smallNotice && size <= smallShare*float64(all.size))
}

// cookiesAreSubject reports whether the page's title or headline says that it is about cookies.
func (o *outline) cookiesAreSubject() bool {
	for i := range o.blocks {
		if b := &o.blocks[i]; b.hints&tells != 0 && (b.region == Title || b.heading == 1) {
			return true
		}
	}
	return false
}

// explains reports whether a zone may list cookies because the page is about them: it is in the page's main element and asks for nothing.
func (o *outline) explains(at int) bool {
	z := &o.zones[at]
	called := &o.zones[z.called]
	return o.subject && z.inside && !z.modal && z.asks == 0 && (z.called == 0 || called.sure || !called.modal && called.asks == 0)
}

// consentNames are the ids and classes of containers of consent platforms, in lower case.
var consentNames = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(consentList) {
		names[name] = true
	}
	return names
}()

//go:embed consent.txt
var consentList string

// ofConsent reports whether a class or id attribute is one of a consent platform. A number at the end of a name is ignored.
func ofConsent(names []byte) bool {
	for name := range bytes.FieldsSeq(names) {
		name = bytes.TrimRight(name, "0123456789")
		if len(name) <= maxCachedName && consentNames[string(bytes.ToLower(bytes.TrimRight(name, "_-")))] {
			return true
		}
	}
	return false
}
