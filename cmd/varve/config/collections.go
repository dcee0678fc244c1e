package config

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/fields/sidecar"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/replay/respond"
)

// collectionsKey is the key of the config file that no flag has.
const collectionsKey = "collections"

// A collection is what a config file says of one collection.
type collection struct {
	Title       string        `yaml:"title"`
	Description string        `yaml:"description"`
	Ranking     rank.Settings `yaml:"ranking"`
	Fields      []fields.Rule `yaml:"fields"`
}

// unknownKey refuses the first key below a place that a type does not have, with its line and the nearest that it has.
func unknownKey(n *yaml.Node, t reflect.Type, at string) error {
	switch {
	case n.Kind == yaml.DocumentNode && len(n.Content) > 0:
		return unknownKey(n.Content[0], t, at)
	case n.Kind == yaml.AliasNode:
		return unknownKey(n.Alias, t, at)
	case n.Kind == yaml.SequenceNode && t.Kind() == reflect.Slice:
		for i, item := range n.Content {
			if err := unknownKey(item, t.Elem(), fmt.Sprintf("%s: %d", at, i+1)); err != nil {
				return err
			}
		}
	case n.Kind == yaml.MappingNode && (t.Kind() == reflect.Map || t.Kind() == reflect.Struct):
		for i := 0; i+1 < len(n.Content); i += 2 {
			of, err := typeOf(n.Content[i], t, at)
			if err == nil {
				err = unknownKey(n.Content[i+1], of, at+": "+n.Content[i].Value)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil // of another type than it should be, which decoding says
}

// typeOf returns the type of what is behind a key.
func typeOf(key *yaml.Node, t reflect.Type, at string) (reflect.Type, error) {
	if t.Kind() == reflect.Map {
		return t.Elem(), nil
	}
	names := map[string]reflect.Type{}
	for i := range t.NumField() {
		names[t.Field(i).Tag.Get("yaml")] = t.Field(i).Type
	}
	of, known := names[key.Value]
	if !known {
		return nil, fmt.Errorf("line %d: %s has no key %q; the nearest is %q", key.Line, at, key.Value,
			nearest(key.Value, slices.Sorted(maps.Keys(names))))
	}
	return of, nil
}

// Collections are the settings of collections, by their names.
type Collections struct {
	rankings map[string]*rank.Ranking
	fields   map[string][]fields.Rule
	abouts   map[string]respond.About

	mu        sync.Mutex
	templates map[string]*sidecar.Folder // opened ones
}

// Collections checks what the file says of collections. A nil file says nothing.
func (c *File) Collections() (*Collections, error) {
	all := &Collections{
		rankings: map[string]*rank.Ranking{}, fields: map[string][]fields.Rule{}, abouts: map[string]respond.About{},
		templates: map[string]*sidecar.Folder{},
	}
	if c == nil {
		return all, nil
	}
	var failed []error
	for _, name := range slices.Sorted(maps.Keys(c.collections)) {
		said := c.collections[name]
		r, err := newRanking(said.Ranking)
		if err != nil {
			why := strings.ReplaceAll(err.Error(), "\n", "\n  ")
			failed = append(failed, fmt.Errorf("config file: %s: %s: ranking: %s", collectionsKey, name, why))
		}
		if _, err := fields.NewSet(said.Fields); err != nil {
			failed = append(failed, fmt.Errorf("config file: %s: %s: %s: fields: %w", c.place(name, err), collectionsKey, name, err))
		}
		all.rankings[name], all.fields[name] = r, said.Fields
		all.abouts[name] = respond.About{Title: said.Title, Description: said.Description}
	}
	return all, errors.Join(failed...)
}

// About returns title and description of a collection.
func (all *Collections) About(coll string) respond.About { return all.abouts[coll] }

// Describe sets title and description of a collection that has none.
func (all *Collections) Describe(coll string, about respond.About) {
	if _, said := all.abouts[coll]; !said {
		all.abouts[coll] = about
	}
}

// Ranking returns the ranking of a collection, nil for the usual one.
func (all *Collections) Ranking(coll string) *rank.Ranking { return all.rankings[coll] }

// Fields returns the templates of a collection, nil if there are none: its own, then those that crawls left in dir, where its captures of
// the live web are.
func (all *Collections) Fields(coll, dir string, log *slog.Logger) *fields.Set {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.templates[coll] == nil {
		all.templates[coll] = sidecar.Open(dir, all.fields[coll], log)
	}
	return all.templates[coll].Set()
}

// place returns file and line of what is wrong with the templates of a collection.
func (c *File) place(coll string, err error) string {
	var wrong *fields.Error
	if !errors.As(err, &wrong) {
		return c.name
	}
	path := []any{coll, "fields", wrong.Rule}
	if wrong.Field >= 0 {
		path = append(path, "fields", wrong.Field)
	}
	for _, at := range []*yaml.Node{within(c.where, append(path, wrong.Key)...), within(c.where, path...)} {
		if at != nil {
			return fmt.Sprintf("%s: line %d", c.name, at.Line)
		}
	}
	return c.name
}

// newRanking checks settings and reads the file of synonyms that they name.
func newRanking(s rank.Settings) (*rank.Ranking, error) {
	var synonyms rank.Synonyms
	if s.Synonyms != "" {
		f, err := os.Open(s.Synonyms)
		if err != nil {
			return nil, fmt.Errorf("synonyms: %w", err)
		}
		defer f.Close()
		if synonyms, err = rank.ReadSynonyms(f); err != nil {
			return nil, fmt.Errorf("synonyms: %s: %w", s.Synonyms, err)
		}
	}
	return rank.New(s, synonyms, search.StopWords)
}

// ReadRanking reads a file with what a config file has under ranking.
func ReadRanking(name string) (*rank.Ranking, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var given yaml.Node
	var s rank.Settings
	if err := errors.Join(yaml.Unmarshal(text, &given), yaml.Unmarshal(text, &s)); err != nil {
		return nil, err
	}
	if err := unknownKey(&given, reflect.TypeFor[rank.Settings](), "a ranking"); err != nil {
		return nil, err
	}
	return newRanking(s)
}
