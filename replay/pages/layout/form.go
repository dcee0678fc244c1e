package layout

import (
	"unicode"
	"unicode/utf8"
)

// A Form is a submitted form, and what is wrong with it.
type Form struct {
	Values map[string]string // by the names of fields
	Wrong  string            // the field that is wrong, "" for none
	Say    string            // what is wrong, in English
}

// WrongIn returns what is wrong with a field, "" for nothing.
func (f *Form) WrongIn(field string) string {
	if f.Wrong == field {
		return f.Say
	}
	return ""
}

// Sentence turns a phrase into a sentence: an English one, or what access rules say.
func Sentence(s string) string {
	if s == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(first)) + s[size:]
	if last, _ := utf8.DecodeLastRuneInString(s); unicode.Is(unicode.STerm, last) {
		return s
	}
	return s + "."
}

// A Hidden is a parameter that a form sends along.
type Hidden struct{ Name, Value string }
