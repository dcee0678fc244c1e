package gathering

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

// in returns what works in a folder.
func in(data string) *workspace.Workspace {
	return &workspace.Workspace{
		Console:  &console.Console{Stdout: io.Discard, Stderr: io.Discard},
		Settings: workspace.Settings{Folder: workspace.Folder{Data: data}, Collection: "web"},
	}
}

func TestGatheredFilesAreThoseThatAreComplete(t *testing.T) {
	g, err := Open(t.Context(), in(t.TempDir()), "", "a")
	if err != nil {
		t.Fatal(err)
	}
	if files, err := g.files(t.Context()); len(files) > 0 || err != nil {
		t.Errorf("without a folder: %q, %v", files, err)
	}
	if err := os.MkdirAll(g.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.warc.gz", "b.warc.gz.open", "c.csv"} {
		if err := os.WriteFile(filepath.Join(g.dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := g.files(t.Context())
	if err != nil || len(files) != 1 || !filepath.IsAbs(files[0]) || filepath.Base(files[0]) != "a.warc.gz" {
		t.Errorf("%q, %v", files, err)
	}
}
