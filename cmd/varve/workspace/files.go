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

// Usable reports paths that can't be indexed. It returns an error if all are like that.
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

// Ingest returns the settings for indexing files of a collection.
func (w *Workspace) Ingest(x *index.Index, coll string, shown *console.Progress) ingest.Config {
	cfg := ingest.Config{Index: x, Collection: coll, Log: w.Log(), Report: shown.Problem, PDF: sandbox.Read, Storage: w.Storage}
	if w.Staging != nil {
		cfg.Texts = w.Staging.Keep
	}
	return cfg
}

// Locate finds files of the index under paths, if they are no longer where the index says.
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

// Unpacker returns a function that unpacks files without random access to records into a folder or a bucket. If at is "", that is a
// folder beside the index, unless several machines share the index. It returns nil if at is "no".
func (w *Workspace) Unpacker(at string) (func(context.Context, string) (string, error), error) {
	if at == "" && w.Database == "" {
		at = filepath.Join(w.Data, "unpacked")
	}
	if at == "" || at == "no" {
		return nil, nil
	}
	if abs, err := filepath.Abs(at); err == nil && !blobstore.IsRemote(at) {
		at = abs // the index stores paths for servers with another working directory
	}
	to, err := blobstore.Open(at, blobstore.Config{S3: w.S3})
	f := unpack.Folder{
		To: to, Storage: w.Storage,
		Began: func(name string, size int64) { w.Log().Info("unpacking", "file", name, "bytes", size, "into", at) },
	}
	return f.Path, err
}

// PathIndexes returns a function that looks up files in path indexes of OpenWayback or pywb, in order.
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

// manyCaptures is the number of new captures from which on the tables of the index are worth merging.
const manyCaptures = 200_000

// AddedMuch reports whether a run added many captures, and more than a quarter of the total. Then the tables of the index should be
// merged.
func AddedMuch(x *index.Index, done *ingest.Progress) bool {
	added, all := done.Captures.Load(), int64(0)
	for _, f := range x.Files() {
		all += f.Captures
	}
	return added >= manyCaptures && 4*added > all
}
