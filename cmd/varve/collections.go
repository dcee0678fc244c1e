package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
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

// A collectionConfig is what a config file says of one collection.
type collectionConfig struct {
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

// configure checks what the config file says of collections.
func (p *program) configure(file *config) error {
	p.rankings, p.fields, p.abouts = map[string]*rank.Ranking{}, map[string][]fields.Rule{}, map[string]respond.About{}
	p.templates = &templates{opened: map[string]*sidecar.Folder{}}
	if file == nil {
		return nil
	}
	var failed []error
	for _, name := range slices.Sorted(maps.Keys(file.collections)) {
		r, err := newRanking(file.collections[name].Ranking)
		if err != nil {
			said := strings.ReplaceAll(err.Error(), "\n", "\n  ")
			failed = append(failed, fmt.Errorf("config file: %s: %s: ranking: %s", collectionsKey, name, said))
		}
		p.rankings[name] = r
		if _, err := fields.NewSet(file.collections[name].Fields); err != nil {
			failed = append(failed, fmt.Errorf("config file: %s: %s: %s: fields: %w", file.place(name, err), collectionsKey, name, err))
		}
		p.fields[name] = file.collections[name].Fields
		p.abouts[name] = respond.About{Title: file.collections[name].Title, Description: file.collections[name].Description}
	}
	return errors.Join(failed...)
}

// place returns file and line of what is wrong with the templates of a collection.
func (c *config) place(coll string, err error) string {
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

// about returns what the people who run the archive say of a collection.
func (p *program) about(coll string) respond.About { return p.abouts[coll] }

// templates are those of collections, as configured and beside captures of the live web.
type templates struct {
	mu     sync.Mutex
	opened map[string]*sidecar.Folder // by collection
}

// fieldsOf returns the templates of a collection, nil if there are none: those that are configured, then those of crawls.
func (p *program) fieldsOf(coll string) *fields.Set {
	t := p.templates
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.opened[coll] == nil {
		t.opened[coll] = sidecar.Open(filepath.Join(p.warcsDir(), coll), p.fields[coll], p.log())
	}
	return t.opened[coll].Set()
}

// ranking returns the configured ranking of a collection, nil if there is none.
func (p *program) ranking(coll string) *rank.Ranking { return p.rankings[coll] }
