package config_test

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/cmd/varve/config"
)

// What is saved is in force at once, comes before the config file, and is still there for the next process. What is wrong is refused.
func TestSavedSettings(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "settings")
	open := func() *config.Collections {
		t.Helper()
		file, err := config.Read(strings.NewReader("collections:\n  web:\n" +
			"    fields: [{urls: ['a.example/*'], fields: [{name: price, css: p}]}]\n" +
			"    rankings: {plain: {b: 0}}\n"))
		if err != nil {
			t.Fatal(err)
		}
		all, err := file.Collections()
		if err != nil {
			t.Fatal(err)
		}
		log := slog.New(slog.DiscardHandler)
		all.Keep(dir, func(coll string) []fields.Column { return all.Fields(coll, t.TempDir(), log).Columns() }, log)
		return all
	}
	all := open()
	columns := func(all *config.Collections) int {
		return len(all.Fields("web", t.TempDir(), slog.New(slog.DiscardHandler)).Columns())
	}
	if columns(all) != 1 || len(all.Settings("web").Names()) != 1 {
		t.Error("the config file isn't in force")
	}
	const templates = "# shops\nfields: [{urls: ['a.example/*'], each: li, fields: [{name: stars, css: b, type: number}]}]\n"
	if err := all.SaveTemplates("web", templates); err != nil {
		t.Fatal(err)
	}
	if err := all.SaveRankings("web", "rankings: {stars first: {boost: 1 + stars}}"); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"fields: [{fields: [{name: price, css: p, type: number}]}]": "together with the config file",
		"fields: [{fields: [{name: P, css: p}]}]":                   "all lower case",
		"field: []": "unknown key field",
	} {
		if err := all.SaveTemplates("web", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"rankings: {x: {boost: 1 + none}}": "rankings: x: ",
		"ranking: {synonyms: /etc/passwd}": "a file is named in the config file alone",
		"rankings: {'': {b: 0}}":           "each has a name",
	} {
		if err := all.SaveRankings("web", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for name, all := range map[string]*config.Collections{"at once": all, "for the next process": open()} {
		if names := all.Settings("web").Names(); columns(all) != 2 || strings.Join(names, ", ") != "plain, stars first" {
			t.Errorf("%s: %d columns, %v", name, columns(all), names)
		}
		if text, file, err := all.Templates("web"); err != nil || text != templates || !strings.Contains(file, "price") {
			t.Errorf("%s: %q, %q, %v", name, text, file, err)
		}
	}
}
