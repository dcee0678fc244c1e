package config

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/strict"
)

// Readers may save settings of a collection in the interface, in addition to the config file. They are files with the same keys:
// COLL.templates.yaml has fields, COLL.rankings.yaml has ranking and rankings.

// The kinds of saved settings.
const (
	templatesPart = "templates"
	rankingsPart  = "rankings"
)

// Keep sets the folder of saved settings, and the function that returns the fields of a collection, to which rankings may refer.
func (all *Collections) Keep(dir string, columns func(coll string) []fields.Column, log *slog.Logger) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.dir, all.columns, all.log = dir, columns, log
}

func (all *Collections) savedFile(coll, part string) string {
	return filepath.Join(all.dir, coll+"."+part+".yaml")
}

// read returns a saved text, or "".
func (all *Collections) read(coll, part string) (string, error) {
	if all.dir == "" {
		return "", nil
	}
	text, err := os.ReadFile(all.savedFile(coll, part))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return string(text), err
}

func (all *Collections) write(coll, part, text string) error {
	if err := os.MkdirAll(all.dir, 0o755); err != nil {
		return err
	}
	return disk.Write(all.savedFile(coll, part), []byte(text), 0o600)
}

// savedRules returns the saved templates of a collection, which precede those of the config file. all.mu must be held.
func (all *Collections) savedRules(coll string) []fields.Rule {
	text, err := all.read(coll, templatesPart)
	rules, wrong := rulesOf(text)
	if err = errors.Join(err, wrong); err == nil {
		_, err = fields.NewSet(append(slices.Clone(rules), all.fields[coll]...))
	}
	if err != nil {
		all.log.Warn("templates that were saved are left out", "collection", coll, "error", err)
		return nil
	}
	return rules
}

func rulesOf(text string) ([]fields.Rule, error) {
	var said struct {
		Fields []fields.Rule `yaml:"fields"`
	}
	return said.Fields, strict.Decode([]byte(text), &said)
}

// Templates returns the saved templates of a collection, as they were typed, and those of the config file.
func (all *Collections) Templates(coll string) (text, file string, err error) {
	text, err = all.read(coll, templatesPart)
	return text, all.texts[coll].templates, err
}

// SaveTemplates replaces the saved templates. They apply at once. The error says what is wrong with them.
func (all *Collections) SaveTemplates(coll, text string) error {
	rules, err := rulesOf(text)
	if err == nil {
		_, err = fields.NewSet(rules)
	}
	if err == nil {
		if _, err = fields.NewSet(append(slices.Clone(rules), all.fields[coll]...)); err != nil {
			err = fmt.Errorf("together with the config file: %w", err)
		}
	}
	if err != nil {
		return err
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	delete(all.templates, coll) // so that it is opened again
	return all.write(coll, templatesPart, text)
}

// rankingsOf parses rankings. Only the config file may name files: readers who edit rankings must not read the server's files.
func rankingsOf(text string, columns []fields.Column) (map[string]*rank.Ranking, error) {
	var said struct {
		Ranking  *rank.Settings           `yaml:"ranking"`
		Rankings map[string]rank.Settings `yaml:"rankings"`
	}
	if err := strict.Decode([]byte(text), &said); err != nil {
		return nil, err
	}
	named := maps.Clone(said.Rankings)
	if named == nil {
		named = map[string]rank.Settings{}
	}
	if _, is := named[""]; is {
		return nil, errors.New("rankings: each has a name; the usual one stands under ranking")
	}
	if said.Ranking != nil {
		named[""] = *said.Ranking
	}
	out := map[string]*rank.Ranking{}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		of := "ranking"
		if name != "" {
			of = "rankings: " + name
		}
		s := named[name]
		if s.Synonyms != "" {
			return nil, fmt.Errorf("%s: synonyms: a file is named in the config file alone", of)
		}
		r, err := newRanking(s, columns...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", of, err)
		}
		out[name] = r
	}
	return out, nil
}

func (all *Collections) savedRankings(coll string) map[string]*rank.Ranking {
	all.mu.Lock()
	known, ok := all.rankings[coll]
	all.mu.Unlock()
	if ok || all.dir == "" {
		return known
	}
	text, err := all.read(coll, rankingsPart)
	if err == nil && text != "" {
		known, err = rankingsOf(text, all.columns(coll))
	}
	if err != nil {
		all.log.Warn("rankings that were saved are left out", "collection", coll, "error", err)
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if newer, ok := all.rankings[coll]; ok { // they were saved meanwhile
		return newer
	}
	all.rankings[coll] = known
	return known
}

// withSaved returns settings with the saved rankings of a collection, which precede those of the config file.
func (all *Collections) withSaved(coll string, s *answers.Settings) *answers.Settings {
	more := all.savedRankings(coll)
	if len(more) == 0 {
		return s
	}
	both := &answers.Settings{Rankings: map[string]*rank.Ranking{}}
	if s != nil {
		both.Dictionary = s.Dictionary
		maps.Copy(both.Rankings, s.Rankings)
	}
	maps.Copy(both.Rankings, more)
	return both
}

// Rankings returns the saved rankings of a collection, as they were typed, and those of the config file.
func (all *Collections) Rankings(coll string) (text, file string, err error) {
	text, err = all.read(coll, rankingsPart)
	return text, all.texts[coll].rankings, err
}

// SaveRankings replaces the saved rankings. They apply at once. The error says what is wrong with them.
func (all *Collections) SaveRankings(coll, text string) error {
	known, err := rankingsOf(text, all.columns(coll))
	if err != nil {
		return err
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if err := all.write(coll, rankingsPart, text); err != nil {
		return err
	}
	all.rankings[coll] = known
	return nil
}

// A collectionText is the part of a config file about a collection, as written.
type collectionText struct{ templates, rankings string }

// textOf returns the part of the file about a collection.
func (c *File) textOf(coll string) collectionText {
	return collectionText{templates: c.keysOf(coll, "fields"), rankings: c.keysOf(coll, "ranking", "rankings")}
}

func (c *File) keysOf(coll string, keys ...string) string {
	m := &yaml.Node{Kind: yaml.MappingNode}
	for _, key := range keys {
		if n := within(c.where, coll, key); n != nil {
			m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, n)
		}
	}
	if len(m.Content) == 0 {
		return ""
	}
	text, err := yaml.Marshal(m)
	if err != nil { // can't fail: it was parsed from a text
		return ""
	}
	return string(text)
}

// File returns the path of the config file, "" if there is none.
func (all *Collections) File() string {
	return all.name
}
