package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// A config holds what a --config file says. Its keys are the names of flags, of whatever command: one file serves them all. A VARVE_
// variable takes precedence, because it is closer to the person who starts varve.
type config struct {
	flags       map[string]any
	collections map[string]collectionConfig
}

// readConfig reads a --config file.
func readConfig(r io.Reader) (*config, error) {
	c := &config{}
	if err := yaml.NewDecoder(r).Decode(&c.flags); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("config file: %w", err)
	}
	if given, ok := c.flags[collectionsKey]; ok {
		delete(c.flags, collectionsKey)
		if err := c.readCollections(given); err != nil {
			return nil, fmt.Errorf("config file: %w", err)
		}
	}
	return c, nil
}

// Validate implements [kong.Resolver]. It refuses keys that no flag has: a misspelt one would be ignored without a word.
func (c *config) Validate(app *kong.Application) error {
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

// nearest returns the name that takes the fewest changes to become what was written.
func nearest(written string, names []string) string {
	return slices.MinFunc(names, func(a, b string) int {
		return cmp.Compare(levenshtein.ComputeDistance(written, a), levenshtein.ComputeDistance(written, b))
	})
}

// Resolve implements [kong.Resolver].
func (c *config) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if slices.ContainsFunc(flag.Envs, func(name string) bool { return os.Getenv(name) != "" }) {
		return nil, nil
	}
	for _, key := range []string{flag.Name, strings.ReplaceAll(flag.Name, "-", "_")} {
		if v, ok := c.flags[key]; ok {
			return fmt.Sprint(v), nil
		}
	}
	return nil, nil
}
