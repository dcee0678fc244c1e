package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
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
