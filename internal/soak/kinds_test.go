package main

import (
	"os"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Each path that the API's description names is asked for, and nothing is asked for under a path that it doesn't name.
func TestEachPathIsAskedFor(t *testing.T) {
	description, err := os.ReadFile("../../replay/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var api struct{ Paths map[string]any }
	if err := yaml.Unmarshal(description, &api); err != nil {
		t.Fatal(err)
	}
	for path := range api.Paths {
		if !slices.ContainsFunc(kinds, func(k kind) bool { return k.path == path }) {
			t.Errorf("nothing asks for %s", path)
		}
	}
	names := map[string]bool{}
	for _, k := range kinds {
		if _, ok := api.Paths[k.path]; k.path != "" && !ok {
			t.Errorf("%s: %s isn't in the description", k.name, k.path)
		}
		if names[k.name] || k.weight < 1 {
			t.Errorf("%s: twice, or never asked", k.name)
		}
		names[k.name] = true
	}
}
