package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/varve-archive/varve/demo"
)

// A fullWriter is the standard output of a command whose disk is full.
type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A command whose output can't be written says so, whatever it prints and in whatever format.
func TestOutputThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data, from := filepath.Join(dir, "data"), filepath.Join(dir, "warc")
	if _, err := demo.Write(from); err != nil {
		t.Fatal(err)
	}
	done(t, "index", "--search", "--data", data, from)
	const page = "http://www.riverbend.example/history.html"
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	table := []string{"terms", "--terms", file("terms.txt", "river\n"), "--urls", file("urls.txt", page+"\n"), "--at", "2016"}
	for _, args := range [][]string{
		{"version"},
		{"cdx"},
		{"cdx", "--format", "json", page},
		{"cdx", "--format", "cdx11", page},
		{"changes", page},
		{"changes", "--json", page},
		{"similar", page},
		{"similar", "--json", page},
		{"duplicates"},
		{"duplicates", "--json"},
		{"search", "river"},
		{"search", "--json", "river"},
		{"terms"},
		{"terms", "--json"},
		{"terms", "--csv"},
		table,
		append(table, "--json"),
		{"access", "--test", page, "--access", file("rules.yaml", "rules:\n  - {url: 'http://a.example/', access: block}\n")},
		{"files"},
		{"export", page},
		{"man"},
	} {
		args := append(args, "--data", data)
		if printed := done(t, args...); printed == "" {
			t.Errorf("%v: prints nothing", args)
		}
		var stderr bytes.Buffer
		code := run(context.Background(), args, fullWriter{}, &stderr)
		if code != exitPart || !strings.Contains(stderr.String(), syscall.ENOSPC.Error()) {
			t.Errorf("%v on a full disk: exit %d, %q", args, code, &stderr)
		}
	}
}
