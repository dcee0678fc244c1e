// Package config reads the file of --config: values of flags, and settings of collections.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/internal/strict"
)

// A File is the content of a --config file. Its keys are the names of flags of all commands, so that one file serves all of them. A
// VARVE_ variable overrides it, because it is closer to the person who starts varve. It implements [kong.Resolver].
type File struct {
	name        string // of the file
	flags       map[string]yaml.Node
	collections map[string]collection
	where       *yaml.Node // node of collections
}

// Read reads a --config file.
func Read(r io.Reader) (*File, error) {
	c := &File{name: "config file"}
	if file, ok := r.(interface{ Name() string }); ok {
		c.name = file.Name()
	}
	var whole yaml.Node
	dec := yaml.NewDecoder(r)
	if err := dec.Decode(&whole); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("config file: %s: %w", c.name, strict.Plainly(err))
	}
	if err := strict.End(dec); err != nil {
		return nil, fmt.Errorf("config file: %s: %w", c.name, err)
	}
	if err := whole.Decode(&c.flags); err != nil {
		return nil, fmt.Errorf("config file: %s: %w", c.name, strict.Plainly(err))
	}
	delete(c.flags, collectionsKey)
	if c.where = within(&whole, collectionsKey); c.where == nil {
		return c, nil
	}
	err := unknownKey(c.where, reflect.TypeFor[map[string]collection](), collectionsKey)
	if wrong := c.where.Decode(&c.collections); wrong != nil {
		err = errors.Join(err, strict.Plainly(wrong))
	}
	if err != nil {
		return nil, fmt.Errorf("config file: %s: %w", c.name, err)
	}
	return c, nil
}

// within returns the node at a path of keys and list indices, or nil.
func within(n *yaml.Node, path ...any) *yaml.Node {
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		n = n.Content[0]
	}
	for _, step := range path {
		n = child(n, step)
		if n == nil {
			return nil
		}
	}
	return n
}

func child(n *yaml.Node, step any) *yaml.Node {
	switch step := step.(type) {
	case int:
		if n.Kind == yaml.SequenceNode && step >= 0 && step < len(n.Content) {
			return n.Content[step]
		}
	case string:
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == step {
				return n.Content[i+1]
			}
		}
	}
	return nil
}

// Validate implements [kong.Resolver]. It refuses keys that aren't flags, because a misspelt key would be ignored silently.
func (c *File) Validate(app *kong.Application) error {
	known := map[string]bool{collectionsKey: true}
	_ = kong.Visit(app, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			known[flag.Name] = true
		}
		return next(nil)
	})
	for _, key := range slices.Sorted(maps.Keys(c.flags)) {
		if name := strings.ReplaceAll(key, "_", "-"); !known[name] {
			return fmt.Errorf("config file: no flag has the name %q; the nearest is %q", key, nearest(name, slices.Sorted(maps.Keys(known))))
		}
	}
	return nil
}

// nearest returns the name with the smallest edit distance.
func nearest(written string, names []string) string {
	distance := func(name string) int { return query.Distance(written, name, len(written)+len(name)) }
	return slices.MinFunc(names, func(a, b string) int { return cmp.Compare(distance(a), distance(b)) })
}

func (c *File) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if slices.ContainsFunc(flag.Envs, func(name string) bool { return os.Getenv(name) != "" }) {
		return nil, nil
	}
	for _, key := range []string{flag.Name, strings.ReplaceAll(flag.Name, "-", "_")} {
		n, said := c.flags[key]
		if said && n.ShortTag() != "!!null" { // a key without a value says nothing
			v, err := value(flag, &n)
			if err != nil {
				err = fmt.Errorf("config file: %s: line %d: %s: %w", c.name, n.Line, key, err)
			}
			return v, err
		}
	}
	return nil, nil
}

// value returns what a node says as kong takes it: a text as on the command line, or a list of them.
func value(flag *kong.Flag, n *yaml.Node) (any, error) {
	n = behind(n)
	if n.Kind == yaml.ScalarNode {
		return spelt(flag, n), nil
	}
	wrong := errors.New("want one value, or a list of values for a flag that takes several")
	if n.Kind != yaml.SequenceNode || !flag.IsSlice() {
		return nil, wrong
	}
	var texts []string
	var all []any
	for _, e := range n.Content {
		if e = behind(e); e.Kind != yaml.ScalarNode {
			return nil, wrong
		}
		texts, all = append(texts, spelt(flag, e)), append(all, spelt(flag, e))
	}
	if flag.Tag.Sep < 0 { // a text would be one of them
		return all, nil
	}
	return kong.JoinEscaped(texts, flag.Tag.Sep), nil
}

// behind returns the node that an alias stands for.
func behind(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// spelt returns a scalar as it would be on the command line: as it is written, unless it is for a number or a switch, which YAML spells
// in more ways.
func spelt(flag *kong.Flag, n *yaml.Node) string {
	kind := flag.Target.Kind()
	if flag.IsSlice() {
		kind = flag.Target.Type().Elem().Kind()
	}
	var v any
	if tag := n.ShortTag(); kind == reflect.String || tag == "!!timestamp" || n.Decode(&v) != nil {
		return n.Value
	}
	return fmt.Sprint(v)
}
