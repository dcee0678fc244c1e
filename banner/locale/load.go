package locale

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"
)

// load reads the languages of a folder, English first: each file TAG.yaml is one. The error names every key that is missing, unknown or
// duplicate, and every text whose places differ from those of the English text.
func load(folder fs.FS) ([]*Language, error) {
	files, err := fs.Glob(folder, "*.yaml")
	if err != nil {
		return nil, err
	}
	english := &reader{file: "en.yaml"}
	all, errs := []*Language{english.read(folder)}, english.errs
	for _, file := range files {
		if file != english.file {
			r := &reader{file: file, english: english.english}
			all, errs = append(all, r.read(folder)), append(errs, r.errs...)
		}
	}
	return all, errors.Join(errs...)
}

// A reader reads the file of a language.
type reader struct {
	file    string
	texts   map[string]string // texts without a field yet, by their keys: "find.intro", "months.0"
	english map[string]string // all of English; nil while English itself is read
	forms   []string          // the plural forms of the language
	errs    []error
}

func (r *reader) wrong(key, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s: %s %s", r.file, key, fmt.Sprintf(format, args...)))
}

func (r *reader) read(folder fs.FS) *Language {
	l := &Language{Tag: strings.TrimSuffix(r.file, ".yaml")}
	var doc yaml.Node
	text, err := fs.ReadFile(folder, r.file)
	if err == nil {
		err = yaml.Unmarshal(text, &doc)
	}
	if err == nil {
		l.tag, err = language.Parse(l.Tag)
	}
	if err != nil {
		r.errs = append(r.errs, fmt.Errorf("%s: %w", r.file, err))
		return l
	}
	r.texts, r.forms = map[string]string{}, pluralForms(l)
	for _, n := range doc.Content {
		r.collect("", n)
	}
	if r.english == nil {
		r.english = maps.Clone(r.texts)
	}
	r.fill("", reflect.ValueOf(l).Elem())
	for _, key := range slices.Sorted(maps.Keys(r.texts)) {
		r.wrong(key, "is unknown")
	}
	return l
}

// collect adds the texts below a node with a key.
func (r *reader) collect(key string, n *yaml.Node) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			r.collect(below(key, n.Content[i].Value), n.Content[i+1])
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			r.collect(below(key, strconv.Itoa(i)), item)
		}
	case yaml.ScalarNode:
		if _, twice := r.texts[key]; twice {
			r.wrong(key, "is there twice")
		}
		r.texts[key] = n.Value
	default:
		r.wrong(key, "is no text (line %d)", n.Line)
	}
}

func below(key, name string) string { return strings.TrimPrefix(key+"."+name, ".") }

// fill sets v, and its fields, to the texts below a key.
func (r *reader) fill(key string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		r.fillFields(key, v)
	case reflect.Array:
		for i := range v.Len() {
			r.fill(below(key, strconv.Itoa(i)), v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for full := range r.english {
			if name, ok := strings.CutPrefix(full, key+"."); ok {
				v.SetMapIndex(reflect.ValueOf(name), reflect.ValueOf(r.take(full, full)))
			}
		}
	case reflect.Int:
		n, err := strconv.Atoi(r.take(key, key))
		if err != nil {
			r.wrong(key, "is no number")
		}
		v.SetInt(int64(n))
	case reflect.Int32:
		c, _ := utf8.DecodeRuneInString(r.take(key, key))
		v.SetInt(int64(c))
	default:
		v.SetString(r.take(key, key))
	}
}

func (r *reader) fillFields(key string, v reflect.Value) {
	for i := range v.NumField() {
		name := keyOf(v.Type().Field(i).Name)
		switch full := below(key, name); {
		case full == "tag": // both are derived from the file's name
		case v.Type() != reflect.TypeFor[Count]():
			r.fill(full, v.Field(i))
		case slices.Contains(r.forms, name):
			v.Field(i).SetString(r.take(full, key+".other"))
		}
	}
}

// take returns the text of a key, after checking that its places are those of the English text.
func (r *reader) take(key, english string) string {
	text := r.texts[key]
	delete(r.texts, key)
	if text == "" {
		r.wrong(key, "is missing")
	} else if has, want := places(text), places(r.english[english]); has != want {
		r.wrong(key, "has the places %q, English %q", has, want)
	}
	return text
}

// places returns the places of a phrase in order, such as "{0}{1}{1}".
func places(phrase string) string {
	var found []string
	for i := range len(phrase) - 2 {
		if phrase[i] == '{' && phrase[i+2] == '}' && unicode.IsDigit(rune(phrase[i+1])) {
			found = append(found, phrase[i:i+3])
		}
	}
	slices.Sort(found)
	return strings.Join(found, "")
}

// keyOf returns the key of a field: its name in lower camel case, such as httpHead for HTTPHead.
func keyOf(field string) string {
	key := []rune(field)
	for i := range key {
		if i > 0 && i+1 < len(key) && unicode.IsLower(key[i+1]) || unicode.IsLower(key[i]) {
			break
		}
		key[i] = unicode.ToLower(key[i])
	}
	return string(key)
}

// pluralForms returns the plural forms of a language for whole numbers, and "other", which every language has.
func pluralForms(l *Language) []string {
	names, forms := Count{"one", "few", "many", "other"}, []string{"other"}
	for n := range 200 {
		if form := l.Form(names, n); !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}
