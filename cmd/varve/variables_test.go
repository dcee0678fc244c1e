package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// model returns the command line as kong knows it.
func model(t *testing.T, c *cli) *kong.Kong {
	t.Helper()
	k, err := kong.New(c, kong.PostBuild(nameVariables), kong.Exit(func(int) {}), kong.Writers(&bytes.Buffer{}, &bytes.Buffer{}))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// eachFlag calls f with the flags of all commands.
func eachFlag(t *testing.T, k *kong.Kong, f func(*kong.Flag)) {
	t.Helper()
	if err := kong.Visit(k.Model.Node, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			f(flag)
		}
		return next(nil)
	}); err != nil {
		t.Fatal(err)
	}
}

// The table of variables in the manual has those that the program has, and no other.
func TestTheManualNamesTheVariables(t *testing.T) {
	has := map[string]string{}
	eachFlag(t, model(t, &cli{}), func(flag *kong.Flag) {
		for _, name := range flag.Envs {
			has[flag.Name] = name
		}
	})
	text, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]string{}
	rows := regexp.MustCompile("(?m)^\\| `--([a-z0-9-]+)[^`]*` \\| `(VARVE_[A-Z0-9_]+)` \\|")
	for _, row := range rows.FindAllStringSubmatch(string(text), -1) {
		named[row[1]] = row[2]
	}
	if diff := cmp.Diff(has, named); diff != "" {
		t.Errorf("the table in the manual (-program +manual)\n%s", diff)
	}
}

// The same table says which commands have a flag, unless all do.
func TestTheManualNamesTheCommands(t *testing.T) {
	has, named := map[string][]string{}, map[string][]string{}
	for _, command := range model(t, &cli{}).Model.Children {
		for _, flag := range command.Flags {
			if len(flag.Envs) > 0 {
				has[flag.Name] = append(has[flag.Name], command.Name)
			}
		}
	}
	text, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `--([a-z0-9-]+).*\\((`[^()]*`)\\) \\|$")
	for _, row := range rows.FindAllStringSubmatch(string(text), -1) {
		for name := range strings.SplitSeq(row[2], ", ") {
			name, _, _ = strings.Cut(strings.Trim(name, "`"), " ") // index --search
			named[row[1]] = append(named[row[1]], name)
		}
	}
	if diff := cmp.Diff(has, named, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("the table in the manual (-program +manual)\n%s", diff)
	}
}

// A flag without a variable is as it would be without the environment.
func TestOnlySettingsHaveVariables(t *testing.T) {
	settings, all := map[string]bool{}, map[string]bool{}
	eachFlag(t, model(t, &cli{}), func(flag *kong.Flag) {
		all[flag.Name] = true
		settings[flag.Name] = settings[flag.Name] || len(flag.Envs) > 0
	})
	orders := "version help new status pause resume stop try rebuild repair remove-lost output secrets allow-private at from to"
	for _, order := range strings.Fields(orders) {
		if settings[order] || !all[order] {
			t.Errorf("--%s: a variable %t, a flag %t", order, settings[order], all[order])
		}
	}
	for name := range all {
		if !settings[name] {
			t.Setenv(variableOf(name), "1")
		}
	}
	t.Setenv("VARVE_S3_ENDPOINT", "http://127.0.0.1:9")
	t.Setenv("VARVE_CACHE_DIR", "kept")
	var c cli
	if _, err := model(t, &c).Parse([]string{"crawl", "http://a.example/"}); err != nil {
		t.Fatal(err)
	}
	if c.S3Endpoint != "http://127.0.0.1:9" || c.CacheDir != "kept" {
		t.Errorf("settings of the environment: %q, %q", c.S3Endpoint, c.CacheDir)
	}
	if c.Crawl.New || c.Crawl.Status || c.Crawl.Pause+c.Crawl.Resume+c.Crawl.Stop+c.Crawl.Try != "" || c.Crawl.given() {
		t.Errorf("orders of the environment act: %+v", c.Crawl)
	}
}
