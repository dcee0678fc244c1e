package main

import (
	"context"
	"fmt"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx"
)

// locate returns where files of the index are under paths, if they are no longer where the index says.
func (p *program) locate(ctx context.Context, x *index.Index, paths []string) map[cdx.FileID]string {
	if len(paths) == 0 {
		return nil
	}
	report := func(problem ingest.Problem) { p.say(problem.String()) }
	moved := ingest.Locate(ctx, ingest.Config{Index: x, Storage: p.storage, Log: p.log(), Report: report}, paths)
	if len(moved) > 0 {
		p.say(fmt.Sprintf("%s found at another place than when it was indexed", counted(int64(len(moved)), "file")))
	}
	return moved
}

// sayLacks says what the searches of a server that can't build them lack.
func (p *program) sayLacks(ctx context.Context, arch *archive.Archive, all *searches.Searches) {
	if !all.Exist() {
		return
	}
	for _, coll := range arch.Index.Collections() {
		lacks, err := all.Lacks(ctx, coll)
		switch {
		case err != nil:
			p.say(fmt.Sprintf("collection %s: the search does not answer: %v", coll, err))
		case lacks:
			p.say(fmt.Sprintf("collection %s: the search does not have all that is indexed: varve index --search completes it, where it may write",
				coll))
		}
	}
}
