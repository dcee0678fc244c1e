package wordform

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// unify removes differences between spellings of the same letters: compatibility forms such as full width and ligatures, apostrophes,
// invisible characters, digits of other scripts, and letters with two code points.
func unify(word string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch r {
		case '\'', '"', '’', 'ʼ', '‘', '`', '´', 'ـ', '׳', '״', '·':
			return -1
		case 'ı': // IŞIK is işik in lower case, but ışık in Turkish
			return 'i'
		case 'ς':
			return 'σ'
		case 'ي', 'ى', 'ۍ', 'ې': // Arabic and Persian yeh
			return 'ی'
		case 'ك':
			return 'ک'
		case 'ة', 'ۀ':
			return 'ه'
		case 0x327: // Romanian ţ and ş are often written with a cedilla instead of a comma
			return 0x326
		}
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.IsDigit(r):
			return digit(r)
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(word)))
}

// digit returns the ASCII digit for a decimal digit of any script.
func digit(r rune) rune {
	zero := r // of ten digits in a row, or of several such rows
	for unicode.IsDigit(zero - 1) {
		zero--
	}
	return '0' + (r-zero)%10
}

// withoutSeparators returns a number without its separators of thousands, and what is not such a number as it is.
func withoutSeparators(number string) string {
	for _, marks := range []string{",.", ".,", "٬٫"} {
		separator, point := marks[:len(marks)/2], marks[len(marks)/2:]
		whole, decimals, fraction := strings.Cut(number, point)
		groups := strings.Split(whole, separator)
		wrong := slices.ContainsFunc(groups[1:], func(g string) bool { return len(g) != 3 })
		if len(groups) > 1 && len(groups[0]) > 0 && len(groups[0]) <= 3 && !wrong {
			if joined := strings.Join(groups, ""); strings.Trim(joined+decimals, "0123456789") == "" {
				if fraction {
					joined += point + decimals
				}
				return joined
			}
		}
	}
	return number
}

// fold removes the accents of a unified word, and replaces letters that many keyboards lack. Vowel signs that are letters stay, as in the
// scripts of India, and Cyrillic letters that only look like others with a mark.
func fold(word string) string {
	var b strings.Builder
	for _, letter := range norm.NFC.String(word) {
		if letter < utf8.RuneSelf || strings.ContainsRune("йїўѓќ", letter) {
			b.WriteRune(letter)
			continue
		}
		for _, r := range norm.NFD.String(string(letter)) {
			if !unicode.Is(unicode.Mn, r) || !isAccent(r) {
				b.WriteString(plainLetters(r))
			}
		}
	}
	return norm.NFC.String(b.String())
}

// isAccent reports whether a combining mark belongs to a script that is often typed without marks: Latin, Greek and Cyrillic (U+0300 to
// U+036F), Hebrew and Arabic.
func isAccent(r rune) bool {
	return r >= 0x300 && r <= 0x36f || r >= 0x591 && r <= 0x5c7 || r >= 0x610 && r <= 0x61a || r >= 0x64b && r <= 0x65f || r == 0x670
}

// plainLetters returns the usual transcription of a letter that has no decomposition, and other characters as they are.
func plainLetters(r rune) string {
	switch r {
	case 'ß', 'ẞ':
		return "ss"
	case 'æ', 'Æ':
		return "ae"
	case 'œ', 'Œ':
		return "oe"
	case 'ø', 'Ø':
		return "o"
	case 'ł', 'Ł':
		return "l"
	case 'đ', 'Đ', 'ð', 'Ð':
		return "d"
	case 'þ', 'Þ':
		return "th"
	}
	return string(r)
}

// umlauts transcribes the umlauts of a unified word as in German (ä to ae).
func umlauts(word string) string {
	return strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ø", "oe", "å", "aa").Replace(word)
}

// shortKatakana returns a word without the long sound at its end, which many writers leave out; "" if it has none or is short.
func shortKatakana(word string) string {
	rest, long := strings.CutSuffix(word, "ー")
	if !long || utf8.RuneCountInString(rest) < minWord {
		return ""
	}
	return rest
}

// stemKorean returns a word without the particle at its end, "" if it isn't Korean or has none.
func stemKorean(word string) string {
	const particles = "에게서 으로는 에서는 으로서 이라고 까지 부터 에게 에서 으로 처럼 보다 하고 이나 라고 마다 조차 밖에 은 는 이 가 을 를 의 에 로 와 과 도 만"
	if last, _ := utf8.DecodeLastRuneInString(word); !unicode.Is(unicode.Hangul, last) {
		return ""
	}
	for p := range strings.FieldsSeq(particles) {
		if rest, ok := strings.CutSuffix(word, p); ok && utf8.RuneCountInString(rest) >= 2 {
			return rest
		}
	}
	return ""
}
