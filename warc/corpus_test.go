package warc

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpus returns the paths of all record files under a folder of the shared corpus, and skips the test where there is none.
func corpus(t testing.TB, folder string) []string {
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
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	root := filepath.Join(dir, "..", "shared", "corpus", folder)
	if _, err := os.Stat(root); err != nil {
		t.Skipf("the shared corpus isn't here: %v", err)
	}
	var paths []string
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && hasRecordSuffix(path) {
			paths = append(paths, path)
		}
		if err == nil && strings.HasSuffix(path, ".wacz") {
			members, _ := Members(path)
			for _, m := range members {
				paths = append(paths, path+"#"+m)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("no record files under %s", root)
	}
	return paths
}

func TestDebug(t *testing.T) {
	for _, p := range corpus(t, "real") {
		f, err := Open(p)
		if err != nil {
			t.Log(p, err)
			continue
		}
		n := 0
		for rec, err := range Scan(t.Context(), f, p, 0) {
			if err != nil {
				t.Log(filepath.Base(filepath.Dir(p)), err)
				continue
			}
			n++
			io.Copy(io.Discard, rec.Block)
		}
		if n == 0 {
			t.Log(p, n)
		}
		f.Close()
	}
}
