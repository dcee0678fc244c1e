package search_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/archive/search"
)

func TestReadOnly(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "search")
	if _, err := search.OpenReadOnly(dir); !errors.Is(err, search.ErrUnbuilt) {
		t.Errorf("no folder: %v, want ErrUnbuilt", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder was made")
	}
	f := &fake{pages: map[string][]string{"org,example)/a": {"one two", "one"}}}
	x := open(t, dir)
	update(t, x, f)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // side by side
		x, err := search.OpenReadOnly(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		if got := found(t, x, search.Deleted, "two"); len(got) != 1 {
			t.Errorf("found %v", got)
		}
		if err := x.Update(t.Context(), f, new(search.Progress), slog.New(slog.DiscardHandler)); err == nil {
			t.Error("it is updated")
		}
		if err := x.Clear(); err == nil {
			t.Error("it is emptied")
		}
	}
	begun := filepath.Join(t.TempDir(), "begun")
	if err := os.MkdirAll(filepath.Join(begun, "terms"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"format", filepath.Join("terms", "root.bolt")} {
		text := map[string]string{"format": fmt.Sprint("varve-search-", search.Format)}[name]
		if err := os.WriteFile(filepath.Join(begun, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := search.OpenReadOnly(begun); !errors.Is(err, search.ErrUnbuilt) {
		t.Errorf("hardly begun: %v, want ErrUnbuilt", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "format"), []byte("varve-search-0"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := search.OpenReadOnly(dir); !errors.Is(err, search.ErrUnbuilt) {
		t.Errorf("another format: %v, want ErrUnbuilt", err)
	}
}

func TestLacks(t *testing.T) {
	t.Parallel()
	x := open(t, filepath.Join(t.TempDir(), "search"))
	for name, c := range map[string]struct {
		change func(*fake)
		want   bool
	}{
		"nothing new":       {func(f *fake) { f.touched = []string{} }, false},
		"a page":            {func(f *fake) { f.touched = []string{"org,example)/a"} }, true},
		"nobody knows what": {func(*fake) {}, true},
	} {
		f := &fake{pages: map[string][]string{"org,example)/a": {"one two", "one"}}}
		update(t, x, f)
		c.change(f)
		if got, err := x.Lacks(t.Context(), f); err != nil || got != c.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
