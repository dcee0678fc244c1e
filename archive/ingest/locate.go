package ingest

import (
	"context"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// Locate finds indexed files that are no longer at their paths: below paths, by their names and beginnings. It looks for files of all
// collections. It doesn't write to the index, for servers that can't.
func Locate(ctx context.Context, cfg Config, paths []string) map[cdx.FileID]string {
	r := newRun(cfg)
	away := map[string][]index.File{}
	for _, f := range r.Index.Files() {
		if f.Done && !r.isFile(ctx, f.Path) {
			away[f.Name] = append(away[f.Name], f)
		}
	}
	if len(away) == 0 {
		return nil
	}
	at := map[cdx.FileID]string{}
	for _, found := range r.discover(ctx, paths) {
		for _, f := range away[warc.Base(found.path)] {
			if r.isSame(ctx, f, found) {
				at[f.ID] = found.path
			}
		}
	}
	return at
}

// isSame reports whether a stored file is the indexed one, perhaps with something appended.
func (r *run) isSame(ctx context.Context, f index.File, found storedFile) bool {
	if f.Head == "" { // it was only named by an imported index
		return true
	}
	if found.size < f.Size {
		return false
	}
	head, err := r.fingerprint(ctx, found.path, f.HeadLen)
	if err != nil {
		r.reportFile(found.path, err)
	}
	return head == f.Head
}
