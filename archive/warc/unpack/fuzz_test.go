package unpack_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/unpack"
)

// A file of any bytes is unpacked whole or refused, and nothing unfinished stays.
func FuzzPath(f *testing.F) {
	f.Add([]byte("\x1f\x8b\x08"), "a.warc.gz")
	f.Add(records(3), "a.warc")
	t := new(testing.T)
	f.Add(gzipped(t, records(3)), "a.warc.gz")
	f.Add(zstandard(t, records(3)), "a.warc.zst")
	f.Add(wacz(t, zip.Deflate, "archive/data.warc", records(3)), "a.wacz#archive/data.warc")
	f.Fuzz(func(t *testing.T, content []byte, name string) {
		outer, member, inside := warc.CutMember(name)
		if outer = filepath.Base(outer); len(outer) > 50 || len(content) > 1<<16 {
			return
		}
		dir := t.TempDir()
		path := filepath.Join(dir, outer)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return // no name for a file
		}
		if inside {
			path += "#" + member
		}
		side := filepath.Join(dir, "side")
		folder := unpack.Folder{To: place(t, side), Storage: warc.Local{}}
		got, err := folder.Path(t.Context(), path)
		all, _ := os.ReadDir(side)
		switch {
		case err == nil && got != path && (len(all) != 2 || filepath.Join(side, all[0].Name()) != got):
			t.Errorf("%q: %v in the folder", got, all)
		case (err != nil || got == path) && len(all) > 0:
			t.Errorf("%v: %v stays", err, all)
		}
	})
}
