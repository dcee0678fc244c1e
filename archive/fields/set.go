package fields

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/cdx/surt"
)

// A Rule is a template for some addresses.
type Rule struct {
	// URLs are patterns: an address, a prefix with * behind it, or *.host. Without any, the rule applies to all pages.
	URLs []string `yaml:"urls"`
	// Each finds the rows of a page, "" if a page is one document (see [NewRows]).
	Each   string  `yaml:"each,omitempty"`
	Fields []Field `yaml:"fields"`
}

// A Column is a field in searches.
type Column struct {
	Name string
	Type Type
}

// A Set has templates for patterns of addresses. The nil Set has none. It is safe for concurrent use.
type Set struct {
	rules   []rule
	columns []Column
}

type rule struct {
	template *Template
	keys     []surt.Keys // nil for all pages
	hash     uint64
}

// NewSet checks rules. The error is an [*Error].
func NewSet(rules []Rule) (*Set, error) {
	s := &Set{}
	for i, r := range rules {
		t, err := NewRows(r.Each, r.Fields)
		if err != nil {
			if e, ok := errors.AsType[*Error](err); ok {
				e.Rule = i
			}
			return nil, err
		}
		compiled := rule{template: t, hash: hashOf(r.Each, r.Fields)}
		for _, pattern := range r.URLs {
			ranges, err := surt.Ranges(pattern, "")
			if strings.TrimSpace(pattern) == "" {
				err = errors.New("want an address, a prefix with * behind it, or *.host")
			}
			if err != nil {
				return nil, &Error{Rule: i, Field: -1, Key: "urls", Err: fmt.Errorf("%q: %w", pattern, err)}
			}
			compiled.keys = append(compiled.keys, ranges...)
		}
		for j := range t.readers {
			if key, err := s.column(&t.readers[j].Field); err != nil {
				return nil, &Error{Rule: i, Field: j, Name: r.Fields[j].Name, Key: key, Err: err}
			}
		}
		s.rules = append(s.rules, compiled)
	}
	return s, nil
}

// IsReserved reports whether a name has another meaning in searches, so that no field of a [Set] may have it.
func IsReserved(name string) bool {
	switch name {
	case "title", "url", "site", "score", "newest", "oldest":
		return true
	}
	return false
}

// column adds a field, which must have one type in all templates; key is the invalid key.
func (s *Set) column(f *Field) (key string, err error) {
	if IsReserved(f.Name) {
		return "name", fmt.Errorf("%q means something else in searches", f.Name)
	}
	for _, c := range s.columns {
		if c.Name == f.Name {
			if c.Type != f.Type {
				return "type", fmt.Errorf("%s here, %s in another template", f.Type, c.Type)
			}
			return "", nil
		}
	}
	s.columns = append(s.columns, Column{f.Name, f.Type})
	return "", nil
}

// hashOf returns a hash of everything that decides what is read.
func hashOf(each string, list []Field) uint64 {
	b, _ := json.Marshal(list) // strings can always be encoded
	if each != "" {
		each += " rows" // differs from former hashes, since rows used to be stored as one document
	}
	return xxh3.Hash(append(b, each...))
}

// Columns returns the fields of all templates, in their order.
func (s *Set) Columns() []Column {
	if s == nil {
		return nil
	}
	return s.columns
}

// Column returns the field with a name; ok is false if there is none.
func (s *Set) Column(name string) (c Column, ok bool) {
	for _, c := range s.Columns() {
		if c.Name == name {
			return c, true
		}
	}
	return c, false
}

// For returns the template for the page with a SURT, from the first rule that applies to it, and a hash of the template. They are nil and 0
// if there is none.
func (s *Set) For(key string) (*Template, uint64) {
	if s == nil {
		return nil, 0
	}
	for i := range s.rules {
		if s.rules[i].wants(key) {
			return s.rules[i].template, s.rules[i].hash
		}
	}
	return nil, 0
}

func (r *rule) wants(key string) bool { return r.keys == nil || surt.InAny(r.keys, key) }

// Sum returns a hash of everything that decides what is read from any page, 0 if there are no templates.
func (s *Set) Sum() uint64 {
	if s == nil || len(s.rules) == 0 {
		return 0
	}
	h := xxh3.New()
	for _, r := range s.rules {
		fmt.Fprintf(h, "%x %q\n", r.hash, r.keys)
	}
	return h.Sum64()
}
