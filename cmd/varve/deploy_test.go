package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// The files in docs/deploy can't be run by the tests. What they start varve with is at least what it takes.
func TestDeploymentsUseFlagsThatExist(t *testing.T) {
	found := 0
	for _, name := range []string{"compose.yaml", "kubernetes.yaml"} {
		f, err := os.Open(filepath.Join("..", "..", "docs", "deploy", name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		docs := yaml.NewDecoder(f)
		for {
			var doc yaml.Node
			if docs.Decode(&doc) != nil {
				break
			}
			for _, args := range commands(&doc) {
				found++
				parser, err := kong.New(&cli{})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := parser.Parse(args); err != nil {
					t.Errorf("%s: varve %q: %v", name, args, err)
				}
			}
		}
	}
	if found != 2 {
		t.Errorf("%d commands of varve, want 2", found)
	}
}

// commands returns the commands of varve in a YAML document.
func commands(n *yaml.Node) (out [][]string) {
	for i, child := range n.Content {
		out = append(out, commands(child)...)
		isValue := n.Kind == yaml.MappingNode && i%2 == 1
		if !isValue || child.Kind != yaml.SequenceNode || len(child.Content) == 0 || child.Content[0].Value != "serve" {
			continue
		}
		var args []string
		for _, arg := range child.Content {
			args = append(args, arg.Value)
		}
		out = append(out, args)
	}
	return out
}
