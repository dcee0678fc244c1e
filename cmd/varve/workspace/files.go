package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/content/pdf/sandbox"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/warc/unpack"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cmd/varve/console"
)

// Usable reports paths that nothing can be indexed from. It is an error if there is no other.
func (w *Workspace) Usable(ctx context.Context, paths []string) (bad bool, err error) {
	wrong := ingest.Unusable(ctx, w.Storage, paths)
	shown := w.Progress()
	for _, problem := range wrong {
		shown.Problem(problem)
	}
	shown.Say()
	if len(wrong) > 0 && len(wrong) == len(paths) {
		return true, console.ErrUsage
	}
	return len(wrong) > 0, nil
}

// Ingest returns how files of a collection are indexed.
func (w *Workspace) Ingest(x *index.Index, coll string, shown *console.Progress) ingest.Config {
	cfg := ingest.Config{Index: x, Collection: coll, Log: w.Log(), Report: shown.Problem, PDF: sandbox.Read, Storage: w.Storage}
	if w.Staging != nil {
		cfg.Texts = w.Staging.Keep
	}
	return cfg
}

// Locate returns where files of the index are under paths, if they are no longer where the index says.
func (w *Workspace) Locate(ctx context.Context, x *index.Index, paths []string) map[cdx.FileID]string {
	if len(paths) == 0 {
		return nil
	}
	shown := w.Progress()
	moved := ingest.Locate(ctx, ingest.Config{Index: x, Storage: w.Storage, Log: w.Log(), Report: shown.Problem}, paths)
	shown.Say()
	if len(moved) > 0 {
		w.Sayf("%s found at another place than when it was indexed", console.Count(int64(len(moved)), "file"))
	}
	return moved
}

// Unpacker returns a function that unpacks files whose records can't be read at offsets into a folder or a bucket. If at is "", that
// is a folder beside the index, unless several machines share it. It returns nil if at is "no".
func (w *Workspace) Unpacker(at string) (func(context.Context, string) (string, error), error) {
	if at == "" && w.Database == "" {
		at = filepath.Join(w.Data, "unpacked")
	}
	if at == "" || at == "no" {
		return nil, nil
	}
	f := unpack.Folder{
		Dir: at, Storage: w.Storage,
		Began: func(name string, size int64) { w.Log().Info("unpacking", "file", name, "bytes", size, "into", at) },
	}
	if blobstore.IsRemote(at) {
		to, err := blobstore.Open(at, blobstore.Config{S3: w.S3})
		f.To = to
		return f.Path, err
	}
	if abs, err := filepath.Abs(at); err == nil { // the index stores the paths of files, for servers that start elsewhere
		f.Dir = abs
	}
	return f.Path, nil
}

// PathIndexes returns a function that looks files up in path indexes of OpenWayback or pywb, in their order.
func (w *Workspace) PathIndexes(paths []string) (func(name string) string, error) {
	var all []ingest.PathIndex
	for _, path := range paths {
		found, err := w.readPathIndex(path)
		if err != nil {
			return nil, err
		}
		all = append(all, found)
	}
	return func(name string) string {
		for _, at := range all {
			if path := at[name]; path != "" {
				return path
			}
		}
		return ""
	}, nil
}

func (w *Workspace) readPathIndex(path string) (ingest.PathIndex, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	found, elsewhere, err := ingest.ReadPathIndex(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if elsewhere > 0 {
		w.Sayf("%s: %s not on this machine, which can't be read", path, console.Plural(int64(elsewhere), "file is", "files are"))
	}
	return found, nil
}

// manyCaptures is the number of new captures from which merging the tables of the index is worth its time.
const manyCaptures = 200_000

// AddedMuch reports whether a run added many captures, and more than a quarter of all that there are now. Then the tables of the index
// should be merged.
func AddedMuch(x *index.Index, done *ingest.Progress) bool {
	added, all := done.Captures.Load(), int64(0)
	for _, f := range x.Files() {
		all += f.Captures
	}
	return added >= manyCaptures && 4*added > all
}
