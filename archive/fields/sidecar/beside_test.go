package sidecar

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/cdx/surt"
)

func rule(url, name string, of fields.Type) fields.Rule {
	return fields.Rule{URLs: []string{url}, Fields: []fields.Field{{Name: name, CSS: "." + name, Type: of, Clean: []string{`[^0-9.]`}}}}
}

// names returns the fields of a page, as a folder has them.
func names(s *fields.Set, url string) string {
	t, _ := s.For(surt.Of(url))
	if t == nil {
		return ""
	}
	var list []string
	body := []byte(`<p class=price>12 EUR</p><p class=weight>3 kg</p><p class=size>4</p>`)
	page := fields.Page{ContentType: "text/html", URL: url, Body: body}
	for name, v := range t.Read(page) {
		list = append(list, name+"="+strings.Join(v, ","))
	}
	return strings.Join(list, " ")
}

// What was written is read: configured templates first, then those of files, each for its pages. A file that comes, changes or goes shows
// within a second.
func TestTemplatesBesideCaptures(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		f := Open(dir, []fields.Rule{rule("a.example/*", "price", fields.Number)}, slog.New(slog.DiscardHandler))
		if got := names(f.Set(), "http://a.example/1"); got != "price=12" {
			t.Errorf("configured: %q", got)
		}
		write := func(name string, rules ...fields.Rule) {
			t.Helper()
			if err := Write(dir, name, rules); err != nil {
				t.Fatal(err)
			}
		}
		write("one", rule("a.example/*", "weight", fields.Number), rule("b.example/*", "weight", fields.Number))
		if got := names(f.Set(), "http://b.example/1"); got != "" {
			t.Errorf("at once: %q", got)
		}
		time.Sleep(2 * checkInterval)
		before := f.Set().Sum()
		for url, want := range map[string]string{"http://a.example/1": "price=12", "http://b.example/1": "weight=3", "http://c.example/": ""} {
			if got := names(f.Set(), url); got != want {
				t.Errorf("%s: %q", url, got)
			}
		}
		write("one", rule("c.example/longer/*", "size", fields.Text))
		time.Sleep(2 * checkInterval)
		if got := names(f.Set(), "http://c.example/longer/1"); got != "size=4" || f.Set().Sum() == before {
			t.Errorf("changed: %q", got)
		}
		write("one")
		time.Sleep(2 * checkInterval)
		if got := names(f.Set(), "http://c.example/longer/1"); got != "" || len(f.Set().Columns()) != 1 {
			t.Errorf("gone: %q", got)
		}
		write("one") // nothing is there to go
	})
}

// Names that searches have for something else are left out, and with nothing left there is no file.
func TestReservedNames(t *testing.T) {
	dir := t.TempDir()
	for _, names := range [][]string{{"title"}, {"title", "price"}} {
		var list []fields.Field
		for _, n := range names {
			list = append(list, fields.Field{Name: n, CSS: "h1"})
		}
		if err := Write(dir, "river", []fields.Rule{{Fields: list}}); err != nil {
			t.Fatal(err)
		}
		set := Open(dir, nil, slog.New(slog.DiscardHandler)).Set()
		if got := len(set.Columns()); got != len(names)-1 {
			t.Errorf("%v: %d columns", names, got)
		}
	}
}

// A file that contradicts others, or is none, takes nothing from them.
func TestFaultyFiles(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir, "good", []fields.Rule{rule("a.example/*", "price", fields.Number)}); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, "other", []fields.Rule{rule("b.example/*", "price", fields.Text)}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a.fields.yaml": "{", "b.fields.yaml": "rules: [{x: 1}]", "c.yaml": "{", ".d.fields.yaml": "{"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	f := Open(dir, nil, slog.New(slog.NewTextHandler(&log, nil)))
	for range 3 {
		if got := names(f.Set(), "http://a.example/"); got != "price=12" {
			t.Errorf("%q", got)
		}
	}
	if names(f.Set(), "http://b.example/") != "" || strings.Count(log.String(), "\n") != 3 {
		t.Errorf("logged: %s", log.String())
	}
	if got := Open(filepath.Join(dir, "none"), nil, slog.New(slog.DiscardHandler)).Set(); got != nil {
		t.Errorf("without a folder: %v", got)
	}
}

// No file makes the reader panic, whatever is in it.
func FuzzRead(f *testing.F) {
	f.Add([]byte("rules:\n- urls: ['a.example/*']\n  fields: [{name: price, css: .price, type: number, clean: ['[^0-9.]']}]\n"))
	f.Add([]byte("rules: [{urls: ['*'], fields: []}]"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(dir, "x"+fileSuffix)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		rules, err := read(path)
		if err != nil {
			return
		}
		if _, err := fields.NewSet(rules); err != nil {
			return
		}
		if err := Write(dir, "y", rules); err != nil {
			t.Fatal(err)
		}
	})
}
