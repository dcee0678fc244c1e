package config

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/language"
	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/archive/search/suggest"
	"github.com/varve-archive/varve/internal/sleep"
)

// settings reads the search settings in the file, and the files that they name.
func (c *File) settings() (map[string]*answers.Settings, error) {
	out := map[string]*answers.Settings{}
	var failed []error
	for _, name := range slices.Sorted(maps.Keys(c.collections)) {
		said := c.collections[name]
		of, err := said.settings()
		if err != nil {
			why := strings.ReplaceAll(err.Error(), "\n", "\n  ")
			failed = append(failed, fmt.Errorf("config file: %s: %s: %s", collectionsKey, name, why))
		}
		out[name] = of
	}
	return out, errors.Join(failed...)
}

func (c *collection) settings() (*answers.Settings, error) {
	var columns []fields.Column
	if set, err := fields.NewSet(c.Fields); err == nil { // errors are reported when the templates are read
		columns = set.Columns()
	}
	out := &answers.Settings{Rankings: map[string]*rank.Ranking{}}
	usual, err := newRanking(c.Ranking, columns...)
	if err != nil {
		err = fmt.Errorf("ranking: %w", err)
	}
	out.Rankings[""] = usual
	failed := []error{err}
	for name, s := range c.Rankings {
		r, err := newRanking(s, columns...)
		if err != nil {
			failed = append(failed, fmt.Errorf("rankings: %s: %w", name, err))
		}
		out.Rankings[name] = r
	}
	if c.Dictionary != "" {
		if out.Dictionary, err = ReadFile(c.Dictionary, suggest.ReadDictionary); err != nil {
			failed = append(failed, fmt.Errorf("dictionary: %w", err))
		}
	}
	return out, errors.Join(failed...)
}

// ReadFile reads a file with a function. The error names the file.
func ReadFile[T any](name string, read func(io.Reader) (T, error)) (out T, err error) {
	f, err := os.Open(name)
	if err != nil {
		return out, err
	}
	defer f.Close()
	if out, err = read(f); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return out, err
}

// newRanking checks settings and reads the file of synonyms that they name.
func newRanking(s rank.Settings, columns ...fields.Column) (r *rank.Ranking, err error) {
	var synonyms rank.Synonyms
	if s.Synonyms != "" {
		if synonyms, err = ReadFile(s.Synonyms, rank.ReadSynonyms); err != nil {
			return nil, fmt.Errorf("synonyms: %w", err)
		}
	}
	return rank.New(s, synonyms, language.StopWords, columns...)
}

// ReadRanking reads a file in the format of the key ranking, for a collection with some fields.
func ReadRanking(name string, columns ...fields.Column) (*rank.Ranking, error) {
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
	return newRanking(s, columns...)
}

// checkInterval is the interval between checks of the files of rankings. A changed file is read when two checks in a row found it the
// same, so that it isn't read while it is written.
const checkInterval = time.Second

// Watch reloads rankings, synonyms and dictionaries when their files change, until ctx ends. If a file is faulty, the previous settings
// stay.
func (all *Collections) Watch(ctx context.Context, log *slog.Logger) {
	if all.file == nil {
		return
	}
	inForce := all.file.stamp()
	last := inForce
	for range sleep.Every(ctx, checkInterval) {
		now := all.file.stamp()
		if now == last && now != inForce {
			inForce = now
			all.reload(log)
			inForce = all.file.stamp() // it may name other files now
		}
		last = now
	}
}

// reload reads the file again. Only rankings and dictionaries take effect.
func (all *Collections) reload(log *slog.Logger) {
	again, err := ReadFile(all.file.name, Read)
	if err == nil {
		var settings map[string]*answers.Settings
		if settings, err = again.settings(); err == nil {
			all.file = again
			all.settings.Store(&settings)
			log.Info("rankings are in force", "file", again.name)
			return
		}
	}
	log.Error("the rankings can't be taken: those in force stay", "error", err)
}

// stamp returns a value that changes with the file and the files that it names.
func (c *File) stamp() string {
	var b strings.Builder
	note := func(name string) {
		if name == "" {
			return
		}
		if info, err := os.Stat(name); err == nil {
			fmt.Fprintf(&b, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		} else {
			fmt.Fprintf(&b, "%q missing\n", name)
		}
	}
	note(c.name)
	for _, name := range slices.Sorted(maps.Keys(c.collections)) {
		said := c.collections[name]
		note(said.Dictionary)
		note(said.Ranking.Synonyms)
		for _, ranking := range slices.Sorted(maps.Keys(said.Rankings)) {
			note(said.Rankings[ranking].Synonyms)
		}
	}
	return b.String()
}
