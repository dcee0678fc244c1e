package cdx

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpusDir returns the shared corpus beside the repository, and skips the test where there is none.
func corpusDir(t testing.TB) string {
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
		t.Skip("no ../shared/corpus: the reference indexes are not here")
	}
	return corpus
}

// corpusFiles returns the files under the corpus whose names end in one of the suffixes.
func corpusFiles(t testing.TB, suffixes ...string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(corpusDir(t), func(path string, d fs.DirEntry, err error) error {
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
