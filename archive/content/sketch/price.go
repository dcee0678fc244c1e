package sketch

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/varve-archive/varve/archive/content/visible"
)

// saysPrice reports whether a text names an amount of money: a currency beside a number. What changes in it is no clock, counter or token.
func saysPrice(text string) bool {
	for i, r := range text {
		n := 0
		switch {
		case r < utf8.RuneSelf && r != '$' && (r < 'A' || r > 'Z'):
			continue
		case unicode.Is(unicode.Sc, r):
			n = utf8.RuneLen(r)
		default:
			n = currencyCode(text[i:])
		}
		if n > 0 && (endsInDigit(text[:i]) || beginsWithDigit(text[i+n:])) {
			return true
		}
	}
	return false
}

// currencyCode returns the length of the code of a currency (ISO 4217) at the beginning of s, 0 if there is none.
func currencyCode(s string) int {
	const length = 3
	if len(s) < length {
		return 0
	}
	switch s[:length] {
	case "EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "BRL", "RUB", "UAH", "PLN", "CZK", "SEK", "NOK", "DKK", "CAD", "AUD", "IRR", "TRY":
		return length
	}
	return 0
}

func endsInDigit(s string) bool {
	s = strings.TrimRight(s, " \u00a0\u202f")
	return s != "" && visible.IsDigit(s[len(s)-1])
}

func beginsWithDigit(s string) bool {
	s = strings.TrimLeft(s, " \u00a0\u202f")
	return s != "" && visible.IsDigit(s[0])
}
