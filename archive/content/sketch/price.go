package sketch

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// saysPrice reports whether a text names an amount of money: a currency beside a number. What changes in it is no clock, counter or token.
func saysPrice(text string) bool {
	for i := 0; i < len(text); {
		from := strings.IndexFunc(text[i:], unicode.IsDigit)
		if from < 0 {
			return false
		}
		from += i
		i = len(text)
		if n := strings.IndexFunc(text[from:], isNoDigit); n >= 0 {
			i = from + n
		}
		if currencyBefore(text[:from]) || currencyBehind(text[i:]) {
			return true
		}
	}
	return false
}

func isNoDigit(r rune) bool { return !unicode.IsDigit(r) }

// currencyBefore reports whether what precedes a number ends in a currency: $, EUR, Rs.
func currencyBefore(s string) bool {
	s = strings.TrimRight(s, " \u00a0\u202f")
	if r, _ := utf8.DecodeLastRuneInString(s); unicode.Is(unicode.Sc, r) {
		return true
	}
	s = strings.TrimSuffix(s, ".")
	word := s[len(strings.TrimRightFunc(s, isInWord)):]
	switch word {
	case "Rs", "Rp", "RM", "Kr", "kr", "Tk", "Ksh", "KSh", "CFA", "FCFA":
		return true
	}
	return isCurrencyCode(word)
}

// currencyBehind reports whether what follows a number begins with a currency, as in 20 €, 20 zł and 20万円, or with the dash that stands for
// its cents, as in 20,–.
func currencyBehind(s string) bool {
	cents := strings.TrimLeft(s, ",.")
	if end := strings.TrimLeft(cents, "-–—"); len(cents) == len(s)-1 && end != cents && (end == "" || end[0] == ' ') {
		return true
	}
	s = strings.TrimLeft(s, " \u00a0\u202f")
	if r, _ := utf8.DecodeRuneInString(s); unicode.Is(unicode.Sc, r) {
		return true
	}
	large := strings.TrimLeft(s, "百千万萬億亿만억")
	begins := func(currency string) bool { return strings.HasPrefix(large, currency) }
	if slices.ContainsFunc([]string{"元", "円", "圆", "圓", "块", "塊", "원", "บาท"}, begins) {
		return true
	}
	word := s[:len(s)-len(strings.TrimLeftFunc(s, isInWord))]
	if word == "Ft" || isCurrencyCode(word) { // ft are feet
		return true
	}
	switch strings.ToLower(word) {
	case "euro", "euros", "eur", "евро", "євро", "ευρώ", "dollar", "dollars", "dólares", "долларов", "доларів", "zł",
		"zl", "złotych", "złote", "kč", "korun", "kr", "kronor", "kroner", "forint", "лв", "лева", "руб", "рублей",
		"рубля", "рубль", "грн", "гривень", "гривні", "тг", "тенге", "сум", "сом", "лари", "драм", "лей", "lei", "leu",
		"tl", "lira", "динара", "pesos", "reais", "rupees", "rs", "rp", "rm", "yen", "yuan", "rmb", "đ", "vnđ", "đồng",
		"baht", "francs", "franken", "шекелей", "تومان", "ریال", "ريال", "درهم", "دينار", "جنيه", "रुपये", "টাকা":
		return true
	}
	return false
}

func isInWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// isCurrencyCode reports whether a word is the code of a currency (ISO 4217) that is no word of its own, as ALL and TOP are.
func isCurrencyCode(word string) bool {
	switch word {
	case "EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "BRL", "RUB", "UAH", "PLN", "CZK", "SEK", "NOK", "DKK", "CAD", "AUD", "IRR", "TRY",
		"AED", "ARS", "AZN", "BDT", "BGN", "BYN", "CLP", "EGP", "GEL", "HKD", "HRK", "HUF", "IDR", "ILS", "ISK", "KRW", "KWD", "KZT", "LKR",
		"MDL", "MXN", "MYR", "NGN", "NZD", "PKR", "QAR", "RON", "RSD", "SAR", "SGD", "THB", "TND", "TWD", "UZS", "VND", "ZAR":
		return true
	}
	return false
}
