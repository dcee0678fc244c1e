package server

import (
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/cmd/varve/config"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

// A place is ready after the first pass that succeeds, even if one before it failed.
func TestReadyAfterAFailedPass(t *testing.T) {
	t.Parallel()
	store := kvtest.NewFaulty(kvtest.NewMemory())
	x, err := index.New(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	collections, err := (*config.File)(nil).Collections()
	if err != nil {
		t.Fatal(err)
	}
	said := &transcript{}
	w, err := workspace.New(&console.Console{Stdout: said, Stderr: said},
		workspace.Settings{Folder: workspace.Folder{Data: t.TempDir()}, Collection: "web", CacheSize: 1}, collections)
	if err != nil {
		t.Fatal(err)
	}
	dir, ready := t.TempDir(), make(chan struct{})
	put(t, filepath.Join(dir, "a.warc"), record(t, "http://a.example/", "one"))
	store.FailAt(1)
	s := &server{Workspace: w, index: x}
	go s.watch(t.Context(), Place{Coll: "web", Paths: []string{dir}}, func() { close(ready) })
	eventually(t, func() string {
		if len(said.String()) == 0 {
			return "the first pass doesn't fail"
		}
		return ""
	})
	select {
	case <-ready:
		t.Fatalf("ready after a failed pass\n%s", said)
	default:
	}
	put(t, filepath.Join(dir, "b.warc"), record(t, "http://b.example/", "two"))
	eventually(t, func() string {
		select {
		case <-ready:
			return ""
		default:
			return "never ready: " + said.String()
		}
	})
}
