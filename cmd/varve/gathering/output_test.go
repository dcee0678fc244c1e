package gathering

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
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

// What was captured is indexed once; what is wrong with it is a part that failed, and a command that has nothing new says nothing.
func TestTakingIn(t *testing.T) {
	t.Parallel()
	w, _, said := whole(t, t.TempDir(), nil)
	g, err := Open(t.Context(), w, "", "a")
	if err != nil {
		t.Fatal(err)
	}
	page := archivetest.WARC(t, archivetest.On("2020", "http://a.example/", "a"))
	for _, step := range []struct {
		name    string
		content []byte
		want    error
		says    string
	}{
		{"none", nil, nil, ""},
		{"a.warc.gz", page, nil, "indexed 1 capture from 1 file"},
		{"again", nil, nil, ""},
		{"b.warc.gz", []byte("nothing that is known"), console.ErrPart, "b.warc.gz"},
	} {
		if step.content != nil {
			if err := errors.Join(os.MkdirAll(g.dir, 0o755), os.WriteFile(filepath.Join(g.dir, step.name), step.content, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		before := said.String()
		err := g.takeIn(t.Context())
		got := strings.TrimPrefix(said.String(), before)
		if !errors.Is(err, step.want) || !strings.Contains(got, step.says) || step.says == "" && got != "" {
			t.Errorf("%s: %v, said %q", step.name, err, got)
		}
	}
}

// While another process has the index open, and takes no files, what was captured stays where it is, and that is said.
func TestTakingInWhileTheIndexIsInUse(t *testing.T) {
	t.Parallel()
	w, _, said := whole(t, t.TempDir(), nil)
	x, err := in(w.Data).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	g, err := Open(t.Context(), w, "", "a")
	if err != nil {
		t.Fatal(err)
	}
	page := archivetest.WARC(t, archivetest.On("2020", "http://a.example/", "a"))
	if err := errors.Join(os.MkdirAll(g.dir, 0o755), os.WriteFile(filepath.Join(g.dir, "a.warc.gz"), page, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := g.takeIn(t.Context()); err != nil || !strings.Contains(said.String(), "what was captured is in "+g.dir) {
		t.Errorf("%v, said %s", err, said)
	}
}

func TestCheckPlace(t *testing.T) {
	t.Parallel()
	for place, want := range map[string]bool{
		"": true, "folder": true, "s3://bucket/prefix": true, "s3://": false, "http://a.example/": false,
	} {
		if err := CheckPlace(place); (err == nil) != want {
			t.Errorf("%q: %v", place, err)
		}
	}
}
