package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/search"
	"github.com/varve-archive/varve/search/rank"
)

// collectionsKey is the key of the config file that no flag has.
const collectionsKey = "collections"

// A collectionConfig is what a config file says of one collection.
type collectionConfig struct {
	Ranking rank.Settings `yaml:"ranking"`
}

// readCollections takes what a config file says of collections, by name.
func (c *config) readCollections(given any) error {
	if err := unknownKey(given, reflect.TypeFor[map[string]collectionConfig](), collectionsKey); err != nil {
		return err
	}
	text, err := yaml.Marshal(given)
	if err == nil {
		err = yaml.Unmarshal(text, &c.collections)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", collectionsKey, err)
	}
	return nil
}

// unknownKey refuses the first key below value that a type does not have, with the nearest that it has.
func unknownKey(value any, t reflect.Type, at string) error {
	keys, ok := value.(map[string]any)
	if !ok {
		return nil // of another type than it should be, which decoding says
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		within := at + ": " + key
		switch t.Kind() {
		case reflect.Map:
			if err := unknownKey(keys[key], t.Elem(), within); err != nil {
				return err
			}
		case reflect.Struct:
			names := map[string]reflect.Type{}
			for i := range t.NumField() {
				names[t.Field(i).Tag.Get("yaml")] = t.Field(i).Type
			}
			field, known := names[key]
			if !known {
				return fmt.Errorf("%s has no key %q; the nearest is %q", at, key, nearest(key, slices.Sorted(maps.Keys(names))))
			}
			if err := unknownKey(keys[key], field, within); err != nil {
				return err
			}
		}
	}
	return nil
}

// configure checks what the config file says of collections.
func (p *program) configure(collections map[string]collectionConfig) error {
	p.rankings = map[string]*rank.Ranking{}
	var failed []error
	for _, name := range slices.Sorted(maps.Keys(collections)) {
		r, err := newRanking(collections[name].Ranking)
		if err != nil {
			said := strings.ReplaceAll(err.Error(), "\n", "\n  ")
			failed = append(failed, fmt.Errorf("config file: %s: %s: ranking: %s", collectionsKey, name, said))
		}
		p.rankings[name] = r
	}
	return errors.Join(failed...)
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

// ranking returns the configured ranking of a collection, nil if there is none.
func (p *program) ranking(coll string) *rank.Ranking { return p.rankings[coll] }
