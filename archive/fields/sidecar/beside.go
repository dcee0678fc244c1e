// Package sidecar keeps templates in files beside the captures that they were made for, so that values can be searched wherever the
// captures are indexed. [Write] writes one file for each crawl; a [Folder] reads them all.
package sidecar

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/strict"
)

// fileSuffix is the suffix of the files' names, after the name of the crawl.
const fileSuffix = ".fields.yaml"

// A file is what is in one.
type file struct {
	Rules []fields.Rule `yaml:"rules"`
}

// Write replaces the templates of a crawl's name in a folder. Without rules the file is removed.
//
// Fields with reserved names are left out, such as title: each page has one anyway.
func Write(dir, name string, rules []fields.Rule) error {
	path := filepath.Join(dir, name+fileSuffix)
	var kept []fields.Rule
	for _, r := range rules {
		list := r.Fields
		r.Fields = nil
		for _, f := range list {
			if !fields.IsReserved(f.Name) {
				r.Fields = append(r.Fields, f)
			}
		}
		if len(r.Fields) > 0 {
			kept = append(kept, r)
		}
	}
	if len(kept) == 0 {
		return disk.Remove(path)
	}
	text, err := yaml.Marshal(file{kept})
	if err != nil {
		return err
	}
	return disk.WriteCached(path, func(w io.Writer) error { _, err := w.Write(text); return err })
}

func read(path string) ([]fields.Rule, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var f file
	if err := strict.Decode(text, &f); err != nil {
		return nil, err
	}
	return f.Rules, nil
}

// A Folder has given templates and those of the files in a folder. It is safe for concurrent use.
type Folder struct {
	dir   string
	first []fields.Rule
	log   *slog.Logger

	mu      sync.Mutex
	checked time.Time
	mark    string // identifies the state of the files that set is from
	set     *fields.Set
}

// Open returns a folder, which need not exist. The valid rules first take precedence over those of the files.
func Open(dir string, first []fields.Rule, log *slog.Logger) *Folder {
	return &Folder{dir: dir, first: first, log: log}
}

// checkInterval is the least time between two checks for changed files.
const checkInterval = time.Second

// Set returns the templates, nil if there are none. The first that applies to a page counts: those given to [Open], then those of the
// files, by name. A file that can't be read, or whose fields contradict others, is left out and logged once.
func (f *Folder) Set() *fields.Set {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.checked.IsZero() && time.Since(f.checked) < checkInterval {
		return f.set
	}
	paths, mark := f.files()
	if f.checked.IsZero() || mark != f.mark {
		f.set = f.join(paths)
	}
	f.checked, f.mark = time.Now(), mark
	return f.set
}

// files returns the paths of the files, sorted, and a mark that changes when they do.
func (f *Folder) files() (paths []string, mark string) {
	list, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, ""
	}
	var marks strings.Builder
	for _, e := range list {
		if e.IsDir() || !strings.HasSuffix(e.Name(), fileSuffix) || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if info, err := e.Info(); err == nil {
			paths = append(paths, filepath.Join(f.dir, e.Name()))
			fmt.Fprintf(&marks, "%q %d %d\n", e.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return paths, marks.String()
}

func (f *Folder) join(paths []string) *fields.Set {
	all := f.first
	set := f.setOf(all)
	for _, path := range paths {
		rules, err := read(path)
		if err == nil {
			var more *fields.Set
			joined := append(all[:len(all):len(all)], rules...)
			if more, err = fields.NewSet(joined); err == nil {
				all, set = joined, more
			}
		}
		if err != nil {
			f.log.Warn("templates are left out of the search", "file", path, "error", err)
		}
	}
	return set
}

func (f *Folder) setOf(rules []fields.Rule) *fields.Set {
	if len(rules) == 0 {
		return nil
	}
	set, err := fields.NewSet(rules)
	if err != nil {
		f.log.Warn("templates are left out of the search", "error", err)
	}
	return set
}
