package layout

import "strings"

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

// Sentence turns an English phrase into a sentence.
func Sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// A Hidden is a parameter that a form sends along.
type Hidden struct{ Name, Value string }
