package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/cmd/varve/workspace"
)

// A folder may have any name, and nothing beside the index has to be there.
func TestFilesBesideTheIndex(t *testing.T) {
	w := &workspace.Workspace{Settings: workspace.Settings{Folder: workspace.Folder{Data: filepath.Join(t.TempDir(), "data [1]")}}}
	if files, err := besideIndex(w); err != nil || len(files) > 0 {
		t.Errorf("of nothing: %v, %v", files, err)
	}
	for _, path := range []string{filepath.Join(w.ProxyDir(), "ca.pem"), w.TakedownsFile()} {
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err = errors.Join(err, os.WriteFile(path, []byte("text"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	files, err := besideIndex(w)
	if err != nil || len(files) != 2 || files[0].Name != "proxy/ca.pem" || files[1].Name != "takedowns.jsonl" {
		t.Errorf("%v, %v", files, err)
	}
}
