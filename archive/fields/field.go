package fields

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Field says how a value is read from a page. The YAML names are those in templates.
type Field struct {
	Name  string `yaml:"name"`  // a letter, then letters, digits or _, lower case
	CSS   string `yaml:"css"`   // a selector, or
	XPath string `yaml:"xpath"` // an expression that gives elements, attributes, or a text or number
	Type  Type   `yaml:"type"`  // default text
	// Attribute is read instead of the element's text. By default it is href for a link, src for an image, datetime for a date in a time
	// element, and content for any type in a meta element.
	Attribute string `yaml:"attribute"`
	// Clean has regular expressions, which are applied in order. A match is removed; with "EXPRESSION => TEXT" it is replaced by a text, in
	// which ${1} is the first group.
	Clean []string `yaml:"clean"`
	All   bool     `yaml:"all"` // every element, not only the first with a value
	// Each makes the field a list within the document: it finds the items, in each of which Fields are read (see [NewRows]). The values are
	// JSON objects.
	Each   string  `yaml:"each,omitempty" json:",omitempty"`
	Fields []Field `yaml:"fields,omitempty" json:",omitempty"`
}

// A Type says what the values of a field are.
type Type string

const (
	Text   Type = "text"
	Link   Type = "link"   // an absolute address
	Image  Type = "image"  // an absolute address
	Number Type = "number" // digits with a point, nothing else: clean has to remove currencies and separators of thousands
	Date   Type = "date"   // see [ParseDate]
)

// Ordered reports whether values of the type have an order other than alphabetical.
func (t Type) Ordered() bool { return t == Number || t == Date }

// An Error says which field of a template is wrong.
type Error struct {
	Rule  int    // of the set, from 0
	Field int    // of the rule, from 0; -1 if it is the rule itself
	Name  string // of the field
	Key   string // the invalid key: name, css, xpath, type, clean, urls
	Err   error
}

func (e *Error) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("%s: %v", e.Key, e.Err)
	}
	return fmt.Sprintf("%s: %s: %v", e.Name, e.Key, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// A Template reads the values of its fields from pages. It is safe for concurrent use.
type Template struct {
	readers []reader
	rows    finder // nil if a page is one document
	item    bool   // it reads the items of a list within a document
}

// A reader is a checked field.
type reader struct {
	Field
	find   finder
	clean  []cleaning
	nested *Template // of a list within the document; nil for none
}

// New checks the fields of a template. The error is an [*Error].
func New(list []Field) (*Template, error) {
	t := &Template{}
	known := map[string]bool{}
	for i, f := range list {
		r, key, err := newReader(f)
		if err == nil && known[f.Name] {
			key, err = "name", errors.New("another field of the template has it")
		}
		if err != nil {
			return nil, &Error{Field: i, Name: f.Name, Key: key, Err: err}
		}
		known[f.Name] = true
		t.readers = append(t.readers, r)
	}
	return t, nil
}

// isName reports whether a field may have this name.
func isName(s string) bool {
	return s != "" && len(s) <= 40 && 'a' <= s[0] && s[0] <= 'z' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// newReader checks a field; key is the invalid key.
func newReader(f Field) (r reader, key string, err error) {
	if f.Type == "" {
		f.Type = Text
	}
	r.Field = f
	switch {
	case !isName(f.Name):
		return r, "name", fmt.Errorf("%q: want a letter, then letters, digits or _, all lower case, at most 40", f.Name)
	case !slices.Contains([]Type{Text, Link, Image, Number, Date}, f.Type):
		return r, "type", fmt.Errorf("%q: want text, link, image, number or date", string(f.Type))
	case f.Each != "" || f.Fields != nil:
		if r.nested, key, err = newNested(&f); err == nil {
			r.nested.item = true
		}
		return r, key, err
	case f.CSS == "" && f.XPath == "":
		return r, "css", errors.New("a field needs css or xpath")
	case f.CSS != "" && f.XPath != "":
		return r, "xpath", errors.New("a field has css or xpath, not both")
	}
	if f.CSS != "" {
		if r.find, err = newCSS(f.CSS); err != nil {
			return r, "css", err
		}
	} else if r.find, err = newXPath(f.XPath); err != nil {
		return r, "xpath", err
	}
	for _, c := range f.Clean {
		cleaning, err := newCleaning(c)
		if err != nil {
			return r, "clean", err
		}
		r.clean = append(r.clean, cleaning)
	}
	return r, "", nil
}

// A cleaning replaces what an expression matches.
type cleaning struct {
	matches *regexp.Regexp
	by      string
}

func newCleaning(s string) (c cleaning, err error) {
	expression, by, _ := strings.Cut(s, " => ")
	c.by = by
	c.matches, err = regexp.Compile(expression)
	return c, err
}

// of returns s with all matches replaced. However often a replacement repeats the match, the result has at most about maxGrown bytes.
func (c cleaning) of(s string) string {
	s = cut(s, maxGrown/(len(c.by)+1))
	return cut(c.matches.ReplaceAllString(s, c.by), maxText)
}

func (r *reader) cleaned(s string) string {
	s = strings.Join(strings.Fields(cut(s, maxText)), " ")
	for _, c := range r.clean {
		s = c.of(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// cut returns the beginning of s, at most so many bytes, without a partial character.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}
