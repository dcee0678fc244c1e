package config_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/cmd/varve/config"
	"github.com/varve-archive/varve/internal/testkit/logbuffer"
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
	if text, file, err := all.Rankings("web"); err != nil || text != "" || !strings.Contains(file, "plain") {
		t.Errorf("nothing is saved: %q, %q, %v", text, file, err)
	}
	if text, file, err := all.Templates("other"); err != nil || text != "" || file != "" {
		t.Errorf("nothing is saved of another: %q, %q, %v", text, file, err)
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
		"ranking: {synonyms: /etc/passwd}": "ranking: synonyms: a file is named in the config file alone",
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

// What can't be saved is not in force, and what is saved but wrong is left out.
func TestSettingsThatCannotBeSavedOrRead(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	var said logbuffer.Buffer
	in := func(dir string) *config.Collections {
		all, err := (*config.File)(nil).Collections()
		if err != nil {
			t.Fatal(err)
		}
		all.Keep(dir, func(string) []fields.Column { return nil }, said.Logger())
		return all
	}
	for name, text := range map[string]string{
		"taken": "", "web.templates.yaml": "fields: [{fields: [{name: P, css: p}]}]", "web.rankings.yaml": "rankings: {x: {boost: 1 + none}}",
	} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	full, faulty := in(filepath.Join(home, "taken")), in(home)
	for _, err := range []error{
		full.SaveRankings("web", "rankings: {x: {b: 0}}"), full.SaveTemplates("web", "fields: [{fields: [{name: p, css: p}]}]"),
	} {
		if err == nil {
			t.Error("a setting is saved in a file that is no folder")
		}
	}
	for name, all := range map[string]*config.Collections{"not saved": full, "faulty": faulty} {
		if set := all.Fields("web", home, said.Logger()); all.Settings("web") != nil || len(set.Columns()) != 0 {
			t.Errorf("%s: %+v, %+v", name, all.Settings("web"), set)
		}
	}
	for _, want := range []string{"templates that were saved are left out", "rankings that were saved are left out"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("nothing says that %s: %s", want, said.String())
		}
	}
}

func TestFaultsOfAFileAreNamedWithTheirPlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"collections: {web: {titel: x}}", `line 1: collections: web has no key "titel"; the nearest is "title"`},
		{"collections:\n  web:\n    rankings:\n      x: {bost: 1}", `line 4: collections: web: rankings: x has no key "bost"`},
		{"collections:\n  web:\n    fields:\n    - {urls: [x]}\n    - {ulrs: x}", `line 5: collections: web: fields: 2 has no key "ulrs"`},
		{"collections: {a: &r {ranking: {b: 0}}, b: *r, c: {ranking: &s {x: 1}}, d: {ranking: *s}}", `c: ranking has no key "x"`},
		{
			"collections:\n  web:\n    fields:\n    - fields: [{name: p, css: p}]\n    - fields:\n      - name: P\n        css: p",
			"line 6: ",
		},
		{"collections: {web: {dictionary: /none}}", "collections: web: dictionary: "},
		{"collections: {web: {ranking: {synonyms: /none}, rankings: {x: {boost: 1 + none}}}}", "rankings: x: "},
		{"collections: [web]", "line 1: a list: want a mapping"},
		{"a: [", "config file: "},
		{"addr: :8080\n---\ncollections: {}", "line 2: a second document"},
	} {
		file, err := config.Read(strings.NewReader(tt.text))
		if err == nil {
			_, err = file.Collections()
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.text, err, tt.want)
		}
	}
}

// Rankings that are saved while others read the earlier ones for the first time stay in force.
func TestRankingsThatAreSavedMeanwhile(t *testing.T) {
	t.Parallel()
	const name = "web.rankings.yaml"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("rankings: {earlier: {b: 0}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := new(config.File).Collections()
	if err != nil {
		t.Fatal(err)
	}
	saved := false
	all.Keep(dir, func(string) []fields.Column { // called after the file is read
		if !saved {
			saved = true
			if err := all.SaveRankings("web", "rankings: {later: {b: 0}}"); err != nil {
				t.Error(err)
			}
		}
		return nil
	}, slog.New(slog.DiscardHandler))
	for range 2 {
		if names := all.Settings("web").Names(); strings.Join(names, ", ") != "later" {
			t.Errorf("in force: %v", names)
		}
	}
}
