package searches

import (
	"os"
	"path/filepath"
	"testing"
)

// A mark replaces the one before. An empty mark says that there were no rules, so a mark that can't be read isn't taken for one.
func TestMarksOfRules(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "web@rules")
	var m rulesMark
	if m.read(path); m.current() != "" {
		t.Errorf("without a file: %q", m.current())
	}
	for n, mark := range []string{"some", unfitMark, ""} {
		if err := m.put(mark); err != nil {
			t.Fatal(err)
		}
		var again rulesMark
		if again.read(path); again.current() != mark || m.current() != mark {
			t.Errorf("%q and %q, want %q", again.current(), m.current(), mark)
		}
		if n == 0 {
			if err := os.Link(path, filepath.Join(dir, "before")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "before")); err != nil || string(got) != "some" {
		t.Errorf("the file of the first mark was written over: %q, %v", got, err)
	}
	if m.read(dir); m.current() != unfitMark {
		t.Errorf("a folder: %q", m.current())
	}
}
