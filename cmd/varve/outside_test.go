package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/depot"
)

// A name may be taken: by a machine of the same name, say, before marks were random. That must not keep back what comes after it.
func TestAFileThatCannotBeMovedKeepsNoOtherBack(t *testing.T) {
	const first, second = "a-20260101000000-00001-m.warc.gz", "a-20260101000000-00002-m.warc.gz"
	here, there := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(here, first): "of here", filepath.Join(here, second): "next", filepath.Join(there, first): "of another",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at, err := depot.Open(there, depot.Config{})
	if err != nil {
		t.Fatal(err)
	}
	g := &gathering{program: &program{}, name: "a", dir: here, to: &outside{at: at, name: "a", has: map[string]bool{}}}
	if err := g.move(t.Context()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v, want %v", err, fs.ErrExist)
	}
	for path, want := range map[string]string{
		filepath.Join(here, first): "of here", filepath.Join(there, first): "of another", filepath.Join(there, second): "next",
	} {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", path, got, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(here, second)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the other was not moved: %v", err)
	}
}

func TestEachProcessHasItsMark(t *testing.T) {
	p := &program{common: common{Data: t.TempDir()}}
	place := t.TempDir()
	a, err := p.outside(t.Context(), place, "a")
	if err != nil {
		t.Fatal(err)
	}
	b, err := p.outside(t.Context(), place, "a")
	if err != nil || a.mark == b.mark || a.id != b.id {
		t.Errorf("%v: marks %s and %s, folders %s and %s", err, a.mark, b.mark, a.id, b.id)
	}
}
