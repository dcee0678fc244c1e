package replaytest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/varve-archive/varve/demo"
)

// sampleFiles holds the files of the sample archive by name. Making them takes half a second, and ten times that under
// the race detector, so the tests of a package do it once.
var sampleFiles = sync.OnceValues(func() (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "varve-sample")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	paths, err := demo.Write(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, path := range paths {
		if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	return files, nil
})

// Sample writes the sample archive into a new folder, which it returns.
func Sample(tb testing.TB) string {
	tb.Helper()
	files, err := sampleFiles()
	if err != nil {
		tb.Fatal(err)
	}
	dir := tb.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}
