package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/archive/search/opensearch"
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
	if found != 6 {
		t.Errorf("%d commands of varve, want 6", found)
	}
}

// Variables of the environment that they set are those of flags, or of what flags name.
func TestDeploymentsUseVariablesThatExist(t *testing.T) {
	parser, err := kong.New(&cli{}, kong.PostBuild(nameVariables))
	if err != nil {
		t.Fatal(err)
	}
	known := []string{opensearch.UserVariable, opensearch.PasswordVariable}
	for _, command := range parser.Model.Leaves(false) {
		for _, flags := range command.AllFlags(false) {
			for _, flag := range flags {
				known = append(known, flag.Envs...)
			}
		}
	}
	found := 0
	for _, name := range []string{"compose.yaml", "kubernetes.yaml", "helm/values.yaml"} {
		b, err := os.ReadFile(filepath.Join("..", "..", "docs", "deploy", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		for _, variable := range regexp.MustCompile(`VARVE_[A-Z0-9_]+`).FindAllString(string(b), -1) {
			if found++; !slices.Contains(known, variable) {
				t.Errorf("%s: varve knows no variable %s", name, variable)
			}
		}
	}
	if found < 10 {
		t.Errorf("%d variables were found", found)
	}
}

// commands returns the commands of varve in a YAML document.
func commands(n *yaml.Node) (out [][]string) {
	for i, child := range n.Content {
		out = append(out, commands(child)...)
		isValue := n.Kind == yaml.MappingNode && i%2 == 1 && slices.Contains([]string{"args", "command"}, n.Content[i-1].Value)
		if !isValue || child.Kind != yaml.SequenceNode || len(child.Content) == 0 {
			continue
		}
		if !slices.Contains([]string{"serve", "crawl", "index"}, child.Content[0].Value) {
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
