package views

// A Form is what somebody has typed, and what is wrong with it.
type Form struct {
	Values map[string]string // by the names of fields
	Wrong  string            // the field that is wrong, "" for none
	Say    string            // what is, in English
}

// wrongIn returns what is wrong with a field, "" for nothing.
func (f *Form) wrongIn(field string) string {
	if f.Wrong == field {
		return f.Say
	}
	return ""
}
