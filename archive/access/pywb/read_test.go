package pywb_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/access/pywb"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// install writes an installation: file names and their contents, folders end in "/".
func install(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// describe writes a collection in one line, with paths relative to the installation.
func describe(dir string, c pywb.Collection) string {
	paths := func(list []string) string {
		var out []string
		for _, p := range list {
			rel, _ := filepath.Rel(dir, p)
			out = append(out, filepath.ToSlash(rel))
		}
		return strings.Join(out, ",")
	}
	title := strings.TrimSuffix(c.Title+": "+c.Description, ": ")
	return fmt.Sprintf("%s [%s] lines %s files %s at %s", c.Name, title, paths(c.Indexes), paths(c.Archives), paths(c.PathIndexes))
}

func TestCollections(t *testing.T) {
	auto := map[string]string{
		"collections/river/archive/":            "",
		"collections/river/indexes/a.cdxj":      "",
		"collections/river/indexes/b.txt":       "",
		"collections/river/metadata.yaml":       "title: The river\ndescription: Its water\n",
		"collections/river/static/":             "",
		"collections/empty/archive/":            "",
		"collections/Upper/archive/":            "",
		"collections/.hidden/archive/":          "",
		"collections/readme.txt":                "",
		"cdx/one.cdx":                           "",
		"cdx/cluster.idx":                       "",
		"warcs/":                                "",
		"path-index.txt":                        "",
		"elsewhere/other/stored/":               "",
		"elsewhere/other/lines/x.cdxj":          "",
		"collections/river/indexes/.index.lock": "",
	}
	tests := []struct {
		name, config string
		want, left   []string
	}{
		{
			name: "without a config", want: []string{
				"empty [] lines  files collections/empty/archive at ",
				"river [The river: Its water] lines collections/river/indexes/a.cdxj files collections/river/archive at ",
			},
			left: []string{"the collection Upper: a name of varve's begins"},
		},
		{
			name: "fixed ones, in all their forms",
			config: `enable_auto_colls: false
collections:
  a: ./cdx/
  b: {index_paths: ./cdx/one.cdx, archive_paths: ./warcs/}
  c: {index: [./cdx/one.cdx], archive_paths: [./path-index.txt, http://h.example/], metadata: {title: Sea}}
  d: {sequence: [{index: ./cdx/one.cdx, archive_paths: ./warcs/}, {index: $live}]}
  e: {index_group: {one: ./cdx/one.cdx, far: 'memento+http://m.example/'}, archive_paths: ./warcs/}
  f: {index: 'cdx+http://h.example/cdx', archive_paths: ./warcs/}
  g: {index: 'zipnum://cdx/cluster.idx', archive_paths: ./warcs/, timeout: 10}
  h: ./nowhere/
  i: {index: ./cdx/one.cdx, archive_paths: '', title: Bay}
  j: {index: {a: b}}
  k: {sequence: [3, {index: ./cdx/one.cdx}], archive_paths: ./none*/}
  l: {index_group: {one: ./cdx/one.cdx, other: [a]}}
  all: $all
  live: $live
  $root: ./cdx/
`,
			want: []string{
				"a [] lines cdx/one.cdx,cdx/cluster.idx files  at ",
				"b [] lines cdx/one.cdx files warcs at ",
				"c [Sea] lines cdx/one.cdx files  at path-index.txt",
				"d [] lines cdx/one.cdx files warcs at ",
				"e [] lines cdx/one.cdx files warcs at ",
				"f [] lines  files warcs at ",
				"g [] lines cdx/cluster.idx files warcs at ",
				"i [Bay] lines cdx/one.cdx files  at ",
				"k [] lines cdx/one.cdx files none* at ",
				"l [] lines cdx/one.cdx files  at ",
			},
			left: []string{
				"the collection $root: each collection of varve has a name",
				"the collection all ($all): it is of the collections that are folders, and there are none",
				"http://h.example/, a place of files of the collection c: only folders",
				"$live, an index of the collection d: only files", "memento+http://m.example/, an index of the collection e: only files",
				"cdx+http://h.example/cdx, an index of the collection f: only files", "timeout of the collection g: varve has nothing like it",
				"the collection h: it has no files",
				"the collection j: yaml", "item 1 of the sequence of the collection k: yaml", "other in the index_group of the collection l: it is",
				"the collection live ($live): varve never asks the live web",
			},
		},
		{
			name: "all of those that are folders, also those whose names are none here", config: "collections: {whole: $all}\n",
			want: []string{
				"empty [] lines  files collections/empty/archive at ",
				"river [The river: Its water] lines collections/river/indexes/a.cdxj files collections/river/archive at ",
				"whole [] lines collections/river/indexes/a.cdxj files collections/Upper/archive,collections/empty/archive," +
					"collections/river/archive at ",
			},
			left: []string{"the collection Upper: a name of varve's begins"},
		},
		{
			name: "folders elsewhere, and a folder with the name of another collection",
			config: "archive_paths: [archive, 'DIR/warcs', 'http://h.example/']\nindex_paths: [indexes, 'file://DIR/cdx/one.cdx']\n" +
				"enable_auto_colls: true\ncollections: {river: ./cdx/cluster.idx}\n",
			want: []string{
				"empty [] lines cdx/one.cdx files collections/empty/archive,warcs at ",
				"river [] lines cdx/cluster.idx files warcs at ",
			},
			left: []string{
				"the collection Upper: a name", "http://h.example/, a place of files of the collection empty: only folders",
				"http://h.example/, a place of files of the collection river: only folders",
			},
		},
		{
			name: "settings with a reason",
			config: "recorder: live\nclient_side_replay: true\nredirect_to_exact: true\nenable_memento: true\nlocales: {en: EN}\n" +
				"default_locale: en\ninject_scripts: [x.js]\nui: {a: b}\nacl_header: X-A\ncertificates: {}\nrules_file: r.yaml\n" +
				"enable_auto_colls: false\ncollections: {a: ./cdx/}\n",
			want: []string{"a [] lines cdx/one.cdx,cdx/cluster.idx files  at "},
			left: []string{
				"acl_header in config.yaml: varve takes the group", "certificates in config.yaml: varve makes its own",
				"client_side_replay in config.yaml: varve rewrites", "default_locale in config.yaml: the pages speak the language",
				"enable_memento in config.yaml: varve always", "inject_scripts in config.yaml: varve adds no scripts",
				"locales in config.yaml: the pages speak six", "recorder in config.yaml: recording is varve record",
				"redirect_to_exact in config.yaml: varve always", "rules_file in config.yaml: varve has rules of its own",
				"ui in config.yaml: the pages have varve's looks",
			},
		},
		{
			name: "another root, and other names in it",
			config: "collections_root: elsewhere\nindex_paths: lines\narchive_paths: stored\nproxy: {coll: other}\nframed_replay: false\n" +
				"debug: true\nhome_html: x.html\nodd: 1\n",
			want: []string{"other [] lines elsewhere/other/lines/x.cdxj files elsewhere/other/stored at "},
			left: []string{
				"framed_replay in config.yaml: varve shows", "odd in config.yaml: varve has nothing like it", "proxy in config.yaml: proxy mode is",
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := install(t, auto)
			if err := os.Symlink("nowhere", filepath.Join(dir, "collections", "dangling")); err != nil {
				t.Fatal(err)
			}
			if test.config != "" {
				if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(strings.ReplaceAll(test.config, "DIR", dir)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, err := pywb.Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, c := range got.Collections {
				found = append(found, describe(dir, c))
			}
			if !slices.Equal(found, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(test.want, "\n"))
			}
			for i, want := range test.left {
				if i >= len(got.Left) || !strings.HasPrefix(got.Left[i], want) {
					t.Fatalf("left out:\n%s\nwant\n%s", strings.Join(got.Left, "\n"), strings.Join(test.left, "\n"))
				}
			}
			if len(got.Left) != len(test.left) {
				t.Errorf("left out:\n%s", strings.Join(got.Left, "\n"))
			}
		})
	}
}

// A folder may be named from the working directory.
func TestRelativeFolder(t *testing.T) {
	dir := install(t, map[string]string{
		"collections/river/archive/a.warc.gz":     "",
		"collections/river/acl/access-rules.aclj": "org,example)/ - {\"access\": \"exclude\"}\n",
	})
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(here, dir)
	if err != nil {
		t.Fatal(err)
	}
	i, err := pywb.Read(rel)
	if err != nil {
		t.Fatal(err)
	}
	if len(i.Collections) != 1 || i.Collections[0].Rules == nil || len(i.Collections[0].Archives) != 1 {
		t.Errorf("%+v", i)
	}
}

// The names of folders may have the signs of patterns.
func TestFolderWithSignsOfPatterns(t *testing.T) {
	files := map[string]string{
		"a[b]c/collections/river/archive/":              "",
		"a[b]c/collections/river/indexes/river.cdxj":    "",
		"a[b]c/collections/river/acl/access-rules.aclj": `org,example)/ - {"access": "exclude"}` + "\n",
	}
	dir := filepath.Join(install(t, files), "a[b]c")
	i, err := pywb.Read(dir)
	if err != nil || len(i.Collections) != 1 || len(i.Left) > 0 {
		t.Fatal(i, err)
	}
	c := i.Collections[0]
	if got, want := describe(dir, c), "river [] lines collections/river/indexes/river.cdxj files collections/river/archive at "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if c.Rules == nil || c.Rules.Len() != 1 {
		t.Errorf("its rules are %+v", c.Rules)
	}
}

// A collection whose rules are named but not there is left out, whatever it would show.
func TestMissingRules(t *testing.T) {
	i, err := pywb.Read(install(t, map[string]string{
		"config.yaml": "collections:\n  a: {archive_paths: ./warcs, acl_paths: [./warcs, ./no.aclj]}\n  b: {archive_paths: ./warcs}\n",
		"warcs/":      "",
	}))
	if err != nil || len(i.Collections) != 1 || i.Collections[0].Name != "b" || !strings.Contains(strings.Join(i.Left, "\n"), "./no.aclj") {
		t.Errorf("%+v, %v", i, err)
	}
}

func TestWhatIsNoInstallationIsRefused(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"an empty folder":       {},
		"no collection":         {"config.yaml": "debug: true\n"},
		"a config that is none": {"config.yaml": "{", "collections/a/archive/": ""},
		"a root that is a file": {"config.yaml": "collections: {a: ./cdx/}\n", "cdx/a.cdx": "", "collections": ""},
		"only what is left out": {"config.yaml": "collections: {live: $live}\n"},
	} {
		if got, err := pywb.Read(install(t, files)); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// In the collection of all, the rules of each hold, and where those of one can't be read nothing is shown.
func TestRulesOfAll(t *testing.T) {
	files := map[string]string{
		"config.yaml": "collections: {all: $all}\n", "collections/a/archive/": "", "collections/b/archive/": "",
		"collections/a/acl/a.aclj": `org,example)/a - {"access": "exclude"}` + "\n",
		"collections/b/acl/b.aclj": `org,example)/b - {"access": "block"}` + "\n",
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	found, err := pywb.Read(install(t, files))
	if err != nil || len(found.Collections) != 3 || found.Collections[1].Name != "all" {
		t.Fatal(found, err)
	}
	for url, want := range map[string]access.Access{
		"http://example.org/a": "exclude", "http://example.org/b": "block", "http://example.org/c": "allow",
	} {
		if got := found.Collections[1].Rules.For(surt.Of(url), "").Decide(0, now).Access; got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
	files["collections/b/acl/b.aclj"] = `org,example)/b - {"access": "perhaps"}` + "\n"
	found, err = pywb.Read(install(t, files))
	if err != nil || len(found.Collections) != 1 || found.Collections[0].Name != "a" || len(found.Left) != 2 {
		t.Errorf("%+v %v", found, err)
	}
}

// part returns a config with a collection c whose second part has a setting.
func part(setting string) string {
	return "collections: {c: {sequence: [{archive_paths: ./collections/c/archive}, {" + setting + "}]}}\n"
}

func TestRules(t *testing.T) {
	const list = `org,example)/a/open - {"access": "allow", "url": "http://example.org/a/open"}
org,example)/a - {"access": "block", "url": "http://example.org/a"}
org,example)/staff - {"access": "exclude"}
org,example)/staff - {"access": "allow", "user": "staff"}
`
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	type asked struct {
		url, group string
		at         cdx.Timestamp
	}
	tests := []struct {
		name, config, list string
		want               map[asked]access.Access
		left               string
	}{
		{
			name: "a list", list: list, want: map[asked]access.Access{
				{"http://example.org/a/x", "", 0}: access.Block, {"http://example.org/a/open", "", 0}: access.Allow,
				{"http://example.org/b", "", 0}: access.Allow, {"http://example.org/staff", "", 0}: access.Exclude,
				{"http://example.org/staff", "staff", 0}: access.Allow,
			},
		},
		{
			name: "what isn't allowed is blocked", config: "default_access: block\n", list: list, want: map[asked]access.Access{
				{"http://example.org/a/open", "", 0}: access.Allow, {"http://example.org/b", "", 0}: access.Block,
			},
		},
		{
			name: "an embargo", config: "embargo: {newer: {years: 1, months: 6}}\n", want: map[asked]access.Access{
				{"http://example.org/", "", 20250101000000}: access.Exclude, {"http://example.org/", "", 20240101000000}: access.Allow,
			},
		},
		{
			name: "an embargo of what is old", config: "embargo: {older: {years: 10}, access: block}\n", want: map[asked]access.Access{
				{"http://example.org/", "", 20151231000000}: access.Block, {"http://example.org/", "", 20160102000000}: access.Allow,
			},
		},
		{
			name:   "the list of a collection in the config",
			config: "acl_paths: ./collections/c/acl/access.aclj\ncollections: {c: {archive_paths: ./collections/c/archive}}\n",
			list:   list, want: map[asked]access.Access{{"http://example.org/a/x", "", 0}: access.Block},
		},
		{name: "a rule of a part", config: part("default_access: block"), left: "parts of a sequence have rules"},
		{name: "an embargo of a part", config: part("embargo: {newer: {years: 1}}"), left: "parts of a sequence have rules"},
		{name: "a list of a part", config: part("acl_paths: ./x"), left: "parts of a sequence have rules"},
		{
			name: "an embargo between two dates", config: "embargo: {before: '2010', after: '2020'}\n", want: map[asked]access.Access{
				{"http://example.org/", "", 20090101000000}: access.Exclude, {"http://example.org/", "", 20150101000000}: access.Allow,
				{"http://example.org/", "", 20210101000000}: access.Exclude,
			},
		},
		{
			name: "an embargo beside what is allowed", config: "embargo: {before: '2010'}\n", list: list,
			left: "an embargo beside rules that allow",
		},
		{
			name: "rules with dates", list: `org,example)/a - {"access": "block", "before": "2010"}`, want: map[asked]access.Access{
				{"http://example.org/a", "", 20091231235959}: access.Block, {"http://example.org/a", "", 20100101000000}: access.Allow,
			},
		},
		{name: "a broken list", list: "org,example)/a\n", left: "line 1: want a key"},
		{name: "an unknown default", config: "default_access: secret\n", left: `default_access "secret"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"collections/c/archive/": "", "collections/other/archive/": "", "config.yaml": test.config}
			if test.list != "" {
				files["collections/c/acl/access.aclj"] = test.list
			}
			got, err := pywb.Read(install(t, files))
			if test.left != "" {
				all := fmt.Sprint(err)
				if got != nil {
					all = strings.Join(got.Left, "\n")
				}
				if !strings.Contains(all, "the collection c, so that nothing is shown that should not be: ") || !strings.Contains(all, test.left) {
					t.Errorf("%v: %s", err, all)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for a, want := range test.want {
				if d := got.Collections[0].Rules.For(surt.Of(a.url), a.group).Decide(a.at, now); d.Access != want {
					t.Errorf("%+v: %s, want %s", a, d.Access, want)
				}
			}
			if test.config == "" && got.Collections[1].Rules != nil {
				t.Error("another collection has rules too")
			}
		})
	}
}

func FuzzConfig(f *testing.F) {
	f.Add("collections: {a: ./cdx/, b: {index: [x], archive_paths: y, sequence: [{index: z}]}}\nembargo: {newer: {years: 1}}\n")
	f.Add("collections: {a: $all, $root: {index: []}}\npaths: {index_paths: x}\n")
	f.Fuzz(func(t *testing.T, config string) {
		dir := install(t, map[string]string{"config.yaml": config, "collections/a/archive/": ""})
		got, err := pywb.Read(dir)
		if err == nil && len(got.Collections) == 0 {
			t.Error("an installation without collections was taken")
		}
	})
}
