package pywb

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/internal/plainname"
)

// An Installation is what a pywb serves.
type Installation struct {
	Collections []Collection // sorted by name
	Left        []string     // settings that are not taken over, with the reason, one sentence each
	Root        string       // folder of the collections that pywb finds by itself
}

// A Collection is one of pywb's.
type Collection struct {
	Name               string
	Title, Description string
	Indexes            []string // files with index lines
	Archives           []string // folders of WARC files
	PathIndexes        []string // path indexes: files with the paths of WARC files
	Rules              *access.Rules
}

// A config is the part of config.yaml that says what is served.
type config struct {
	Root        string               `yaml:"collections_root"`
	Collections map[string]yaml.Node `yaml:"collections"`
	Auto        *bool                `yaml:"enable_auto_colls"`
	Paths       struct {
		source `yaml:",inline"`
	} `yaml:"paths"` // used by old versions
	source `yaml:",inline"`
	Other  map[string]yaml.Node `yaml:",inline"`
}

// A source says where a collection's files are and who may see them.
type source struct {
	Index      list           `yaml:"index"`
	IndexPaths list           `yaml:"index_paths"`
	Archives   list           `yaml:"archive_paths"`
	ACL        list           `yaml:"acl_paths"`
	Access     string         `yaml:"default_access"`
	Embargo    *embargo       `yaml:"embargo"`
	Metadata   map[string]any `yaml:"metadata"`
	Title      string         `yaml:"title"`
}

// A list is a string or several.
type list []string

func (l *list) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		if n.Value != "" {
			*l = list{n.Value}
		}
		return nil
	}
	return n.Decode((*[]string)(l))
}

type reading struct {
	Installation
	dir     string
	config  config
	folders []source // collections that are folders
}

// Read reads the installation in a folder: its config.yaml, which may be missing, and the folders of its collections.
func Read(dir string) (*Installation, error) {
	dir, err := filepath.Abs(dir) // what is found in a folder is an absolute path
	if err != nil {
		return nil, err
	}
	r := &reading{dir: dir}
	text, err := os.ReadFile(filepath.Join(dir, "config.yaml"))
	if err == nil {
		err = yaml.Unmarshal(text, &r.config)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "config.yaml"), err)
	}
	r.defaults()
	r.noteUnsupported()
	if err := r.auto(); err != nil {
		return nil, err
	}
	r.fixed()
	if len(r.Collections) == 0 {
		return nil, fmt.Errorf("%s has no collection that can be served: neither a folder in %s nor one in config.yaml%s",
			dir, r.config.Root, leftOut(r.Left))
	}
	slices.SortFunc(r.Collections, func(a, b Collection) int { return cmp.Compare(a.Name, b.Name) })
	return &r.Installation, nil
}

func leftOut(left []string) string {
	if len(left) == 0 {
		return ""
	}
	return ": " + strings.Join(left, "; ")
}

// defaults sets pywb's defaults.
func (r *reading) defaults() {
	c := &r.config
	c.Root = cmp.Or(c.Root, "collections")
	c.IndexPaths = first(c.IndexPaths, c.Paths.IndexPaths, list{"indexes"})
	c.Archives = first(c.Archives, c.Paths.Archives, list{"archive"})
	c.ACL = first(c.ACL, list{"acl"})
	r.Root = r.path(c.Root)
}

// first returns the first list that isn't empty.
func first(lists ...list) list {
	for _, l := range lists {
		if len(l) > 0 {
			return l
		}
	}
	return nil
}

// path resolves a path of the config.
func (r *reading) path(p string) string {
	p = strings.TrimPrefix(p, "file://")
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(r.dir, p)
}

// isMissing reports whether there is nothing at a path of the config.
func (r *reading) isMissing(p string) bool {
	_, err := os.Stat(r.path(p))
	return errors.Is(err, fs.ErrNotExist)
}

// leave notes a setting that is not taken over.
func (r *reading) leave(format string, a ...any) { r.Left = append(r.Left, fmt.Sprintf(format, a...)) }

// auto finds the collections that are folders of the root.
func (r *reading) auto() error {
	if r.config.Auto != nil && !*r.config.Auto {
		return nil
	}
	found, err := os.ReadDir(r.Root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range found {
		dir := filepath.Join(r.Root, e.Name())
		if info, err := os.Stat(dir); err != nil || !info.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if _, given := r.config.Collections[e.Name()]; given {
			continue
		}
		in := func(paths list) (out list) {
			for _, p := range paths {
				if !strings.Contains(p, "://") && !filepath.IsAbs(p) {
					p = filepath.Join(dir, p)
				}
				out = append(out, p)
			}
			return out
		}
		s := r.config.source
		s.IndexPaths, s.Archives, s.ACL = in(s.IndexPaths), in(s.Archives), in(s.ACL)
		r.folders = append(r.folders, s)
		r.collection(e.Name(), []source{s}, metadataOf(dir))
	}
	return nil
}

// metadataOf reads the metadata of a collection, such as its title.
func metadataOf(dir string) (meta map[string]any) {
	if text, err := os.ReadFile(filepath.Join(dir, "metadata.yaml")); err == nil {
		_ = yaml.Unmarshal(text, &meta) // an unreadable file means that there is no title
	}
	return meta
}

// fixed reads the collections of the config.
func (r *reading) fixed() {
	for _, coll := range slices.Sorted(maps.Keys(r.config.Collections)) {
		node := r.config.Collections[coll]
		var sources []source
		switch {
		case node.Value == "$all" && len(r.folders) > 0:
			r.all(coll)
			continue
		case strings.HasPrefix(node.Value, "$"):
			r.leave("the collection %s (%s): %s", coll, node.Value, special(node.Value))
			continue
		case strings.HasPrefix(coll, "$"):
			r.leave("the collection %s: %s", coll, special(coll))
			continue
		case node.Kind == yaml.ScalarNode:
			sources = []source{{Index: list{node.Value}}}
		default:
			sources = r.sources(coll, &node)
		}
		for i := range sources {
			sources[i].Archives = first(sources[i].Archives, r.config.Archives)
		}
		if len(sources) == 0 {
			continue
		}
		if at := slices.IndexFunc(sources[0].ACL, r.isMissing); at >= 0 { // which pywb refuses
			r.leave("the collection %s, so that nothing is shown that should not be: its rules, %s, are not there", coll, sources[0].ACL[at])
			continue
		}
		sources[0].ACL = first(sources[0].ACL, r.config.ACL)
		r.collection(coll, sources, sources[0].Metadata)
	}
}

// all takes over pywb's collection of all folder collections: all their files, under the rules of all.
func (r *reading) all(coll string) {
	whole := source{Access: r.config.Access, Embargo: r.config.Embargo}
	sources := []source{{}}
	for _, s := range r.folders {
		whole.ACL = append(whole.ACL, s.ACL...)
		sources = append(sources, source{Index: s.Index, IndexPaths: s.IndexPaths, Archives: s.Archives})
	}
	sources[0] = whole
	r.collection(coll, sources, nil)
}

// special returns the reason why a collection without files is not served.
func special(value string) string {
	switch value {
	case "$all":
		return "it is of the collections that are folders, and there are none"
	case "$live":
		return "varve never asks the live web"
	case "$root":
		return "each collection of varve has a name in its addresses"
	}
	return "varve does not know what that is"
}

// sources returns the sources of a collection in the config: one, or several in a sequence or group.
func (r *reading) sources(coll string, node *yaml.Node) []source {
	var c struct {
		source   `yaml:",inline"`
		Sequence []yaml.Node          `yaml:"sequence"`
		Group    map[string]yaml.Node `yaml:"index_group"`
		Other    map[string]yaml.Node `yaml:",inline"`
	}
	if err := node.Decode(&c); err != nil {
		r.leave("the collection %s: %v", coll, err)
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(c.Other)) {
		r.leave("%s of the collection %s: %s", key, coll, why(key))
	}
	if len(c.Sequence) == 0 && len(c.Group) == 0 {
		return []source{c.source}
	}
	out := []source{c.source}
	for i := range c.Sequence {
		var s source
		if err := c.Sequence[i].Decode(&s); err != nil {
			r.leave("item %d of the sequence of the collection %s: %v", i+1, coll, err)
			continue
		}
		out = append(out, s)
	}
	for _, key := range slices.Sorted(maps.Keys(c.Group)) {
		node := c.Group[key]
		if node.Kind != yaml.ScalarNode {
			r.leave("%s in the index_group of the collection %s: it is not in files", key, coll)
			continue
		}
		out = append(out, source{Index: list{node.Value}})
	}
	return out
}

// collection takes over a collection, if possible.
func (r *reading) collection(coll string, sources []source, meta map[string]any) {
	if !plainname.Is(coll) {
		r.leave("the collection %s: a name of varve's begins with a lower-case letter or digit and has only a–z, 0–9, _, . and -", coll)
		return
	}
	c := Collection{Name: coll}
	c.Title, _ = meta["title"].(string)
	c.Description, _ = meta["description"].(string)
	c.Title = cmp.Or(c.Title, sources[0].Title)
	for _, s := range sources {
		for _, p := range slices.Concat(s.Index, s.IndexPaths) {
			r.index(&c, p)
		}
		for _, p := range s.Archives {
			r.archive(&c, p)
		}
	}
	rules, err := r.rules(&sources[0], sources[1:])
	if err != nil {
		r.leave("the collection %s, so that nothing is shown that should not be: %v", coll, err)
		return
	}
	if c.Rules = rules; len(c.Indexes)+len(c.Archives) == 0 {
		r.leave("the collection %s: it has no files that are there", coll)
		return
	}
	r.Collections = append(r.Collections, c)
}

// index takes over an index file, or a folder of such files.
func (r *reading) index(c *Collection, p string) {
	if _, rest, remote := strings.Cut(p, "://"); strings.HasPrefix(p, "$") || remote && !strings.HasPrefix(p, "file://") {
		if strings.HasPrefix(p, "zipnum://") {
			r.index(c, rest)
			return
		}
		r.leave("%s, an index of the collection %s: only files can be read", p, c.Name)
		return
	}
	path := r.path(p)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return // in pywb, a folder that doesn't exist yet is empty
	case !info.IsDir():
		c.Indexes = append(c.Indexes, path)
		return
	}
	found, err := filesIn(path, ".cdx", ".cdxj", ".idx")
	if err != nil {
		r.leave("%s, an index of the collection %s: %v", p, c.Name, err)
	}
	c.Indexes = append(c.Indexes, found...)
}

// filesIn returns the files of a folder whose names have one of some extensions, in the order of these.
func filesIn(dir string, extensions ...string) (files []string, err error) {
	found, err := os.ReadDir(dir)
	for _, extension := range extensions {
		for _, e := range found {
			if filepath.Ext(e.Name()) == extension {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
	}
	return files, err
}

// archive takes over a folder of WARC files, or a path index.
func (r *reading) archive(c *Collection, p string) {
	if strings.Contains(p, "://") && !strings.HasPrefix(p, "file://") {
		r.leave("%s, a place of files of the collection %s: only folders can be read", p, c.Name)
		return
	}
	path := r.path(p)
	switch info, err := os.Stat(path); {
	case err != nil && strings.Contains(path, "*"):
		c.Archives = append(c.Archives, path)
	case err != nil:
		return
	case info.IsDir():
		c.Archives = append(c.Archives, path)
	default:
		c.PathIndexes = append(c.PathIndexes, path)
	}
}
