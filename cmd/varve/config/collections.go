package config

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/fields/sidecar"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/replay/respond"
)

// collectionsKey is the only key of the config file that isn't a flag.
const collectionsKey = "collections"

// A collection is the settings of one collection in a config file.
type collection struct {
	Title       string                   `yaml:"title"`
	Description string                   `yaml:"description"`
	Ranking     rank.Settings            `yaml:"ranking"`    // used unless another is chosen
	Rankings    map[string]rank.Settings `yaml:"rankings"`   // by name, to choose from
	Dictionary  string                   `yaml:"dictionary"` // a file, see [suggest.ReadDictionary]
	Fields      []fields.Rule            `yaml:"fields"`
}

// unknownKey refuses the first key below a node that a type doesn't have, and names its line and the most similar key.
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
	return nil // decoding reports the wrong type
}

func typeOf(key *yaml.Node, t reflect.Type, at string) (reflect.Type, error) {
	if t.Kind() == reflect.Map {
		return t.Elem(), nil
	}
	names := map[string]reflect.Type{}
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		names[name] = field.Type
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
	file     *File
	settings atomic.Pointer[map[string]*answers.Settings]
	fields   map[string][]fields.Rule
	abouts   map[string]respond.About

	name  string                    // of the file, "" for none
	texts map[string]collectionText // what it says about collections

	dir     string // of saved settings, "" for none
	columns func(coll string) []fields.Column
	log     *slog.Logger

	mu        sync.Mutex
	templates map[string]*sidecar.Folder          // opened ones
	rankings  map[string]map[string]*rank.Ranking // saved ones, of the collections for which they were read
}

// Collections checks the settings of collections. A nil file has none.
func (c *File) Collections() (*Collections, error) {
	all := &Collections{
		file: c, fields: map[string][]fields.Rule{}, abouts: map[string]respond.About{},
		templates: map[string]*sidecar.Folder{}, rankings: map[string]map[string]*rank.Ranking{}, texts: map[string]collectionText{},
	}
	all.settings.Store(&map[string]*answers.Settings{})
	if c == nil {
		return all, nil
	}
	all.name = c.name
	var failed []error
	for _, name := range slices.Sorted(maps.Keys(c.collections)) {
		said := c.collections[name]
		if _, err := fields.NewSet(said.Fields); err != nil {
			failed = append(failed, fmt.Errorf("config file: %s: %s: %s: fields: %w", c.place(name, err), collectionsKey, name, err))
		}
		all.fields[name], all.texts[name] = said.Fields, c.textOf(name)
		all.abouts[name] = respond.About{Title: said.Title, Description: said.Description}
	}
	settings, err := c.settings()
	all.settings.Store(&settings)
	return all, errors.Join(append(failed, err)...)
}

// About returns the title and the description of a collection.
func (all *Collections) About(coll string) respond.About { return all.abouts[coll] }

// Describe sets title and description of a collection that has none.
func (all *Collections) Describe(coll string, about respond.About) {
	if _, said := all.abouts[coll]; !said {
		all.abouts[coll] = about
	}
}

// Settings returns the settings of a collection's search, nil for the default.
func (all *Collections) Settings(coll string) *answers.Settings {
	return all.withSaved(coll, (*all.settings.Load())[coll])
}

// Fields returns the templates of a collection, nil if there are none: the saved ones, its own, then those of crawls in dir, where its
// captures of the live web are.
func (all *Collections) Fields(coll, dir string, log *slog.Logger) *fields.Set {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.templates[coll] == nil {
		all.templates[coll] = sidecar.Open(dir, append(all.savedRules(coll), all.fields[coll]...), log)
	}
	return all.templates[coll].Set()
}

// place returns the file and the line of an error in the templates of a collection.
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
