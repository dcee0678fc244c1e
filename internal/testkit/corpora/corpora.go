// Package corpora finds the sample archives beside the checkout, for tests that can do more with them.
package corpora

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Dir returns the folder of all sample archives. It skips the test if there is none.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Skip("no go.mod above the test, so no corpus beside it")
		}
		dir = filepath.Dir(dir)
	}
	corpus := filepath.Join(dir, "..", "shared", "corpus")
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no ../shared/corpus: the sample archives are not beside the checkout")
	}
	return corpus
}

// SkipShort skips a test that reads so much of the sample archives that only the long form of the tests has the time.
func SkipShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("reads much of the corpora, which takes long: make test-full does")
	}
}

// Files returns the files of the sample archives whose names end in one of the suffixes. It skips the test if there
// are no archives.
func Files(t testing.TB, suffixes ...string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(Dir(t), func(path string, d fs.DirEntry, err error) error {
		for _, s := range suffixes {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, s) {
				files = append(files, path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("the corpus has no files ending in %v", suffixes)
	}
	return files
}
