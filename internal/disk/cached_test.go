package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestWriteCached(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	write := func(content string, err error) error {
		return WriteCached(path, func(w io.Writer) error {
			_, _ = io.WriteString(w, content)
			return err
		})
	}
	broken := errors.New("broken")
	for _, step := range []struct {
		content string
		err     error
	}{{"one", nil}, {"half of", broken}, {"two", nil}} {
		if err := write(step.content, step.err); err != step.err {
			t.Errorf("%q: %v", step.content, err)
		}
		want := step.content
		if step.err != nil {
			want = "one"
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("after %q it has %q, %v", step.content, got, err)
		}
	}
	if found, err := os.ReadDir(dir); err != nil || len(found) != 1 {
		t.Errorf("%d files are left, %v", len(found), err)
	}
}

// What a killed process has not finished goes after a while; what a living one writes stays.
func TestRemoveAbandoned(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{
		HalfWritten + "1": 25 * time.Hour, HalfWritten + "2": time.Hour, "file": 25 * time.Hour, "new-file": 25 * time.Hour,
	} {
		path := filepath.Join(dir, name)
		write(t, path, "half of")
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, HalfWritten+"folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	RemoveAbandoned(dir, HalfWritten, time.Now())
	RemoveAbandoned(dir, "", time.Time{})
	RemoveAbandoned(filepath.Join(dir, "nowhere"), HalfWritten, time.Now())
	var left []string
	found, err := os.ReadDir(dir)
	for _, e := range found {
		left = append(left, e.Name())
	}
	if want := []string{HalfWritten + "2", HalfWritten + "folder", "file", "new-file"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("%q are left, want %q, %v", left, want, err)
	}
}

// A file is replaced, not emptied and filled again: another name of it keeps the old content.
func TestWrite(t *testing.T) {
	t.Parallel()
	path, before := filepath.Join(t.TempDir(), "file"), filepath.Join(t.TempDir(), "before")
	for n, content := range []string{"one", ""} {
		if n > 0 {
			if err := os.Link(path, before); err != nil {
				t.Fatal(err)
			}
		}
		if err := Write(path, []byte(content), 0o640); err != nil {
			t.Error(err)
		}
		got, err := os.ReadFile(path)
		info, _ := os.Stat(path)
		if err != nil || string(got) != content || info.Mode() != 0o640 {
			t.Errorf("it has %q, want %q, %s, %v", got, content, info.Mode(), err)
		}
	}
	if got, err := os.ReadFile(before); err != nil || string(got) != "one" {
		t.Errorf("the file of before has %q, %v", got, err)
	}
	if found, err := os.ReadDir(filepath.Dir(path)); err != nil || len(found) != 1 {
		t.Errorf("%d files are left, %v", len(found), err)
	}
	if err := Write(filepath.Join(path, "inside a file"), nil, 0o640); err == nil {
		t.Error("a file was written into a file")
	}
}
