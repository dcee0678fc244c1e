package workspace

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/content/pdf/sandbox"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// Records returns a store for the records that an index points to. A file is where moved says, else where it was last seen.
func (w *Workspace) Records(x *index.Index, moved map[cdx.FileID]string) *warc.Store {
	return warc.NewStoreOn(w.Storage, func(id cdx.FileID) (string, bool) {
		if path, ok := moved[id]; ok {
			return path, true
		}
		f, _ := x.File(id)
		return f.Path, f.Path != ""
	})
}

// SearchesConfig returns the settings of an archive's searches: beside its index, or in an engine.
func (w *Workspace) SearchesConfig(arch *archive.Archive) searches.Config {
	return searches.Config{
		Archive: arch, Dir: w.SearchDir(), Engine: w.Engine, By: feeder(), Settings: w.Collections.Settings, Fields: w.fields,
		ReadOnly: w.ReadOnly, Staging: w.Staging,
	}
}

// feeder identifies this process among those that feed a search engine.
func feeder() string {
	host, _ := os.Hostname() // for people to read
	return fmt.Sprintf("%s %d %08x", host, os.Getpid(), rand.Uint32())
}

func (w *Workspace) fields(coll string) *fields.Set {
	return w.Collections.Fields(coll, filepath.Join(w.WarcsDir(), coll), w.Log())
}

// Archive returns an archive over an index. Without a policy it shows everything: whoever may read the files may see it.
func (w *Workspace) Archive(x *index.Index, records *warc.Store, policy *access.Policy) (*archive.Archive, error) {
	return archive.New(archive.Config{
		Index: x, Records: records, Access: policy, Log: w.Log(), PDF: sandbox.Read, Software: w.About,
		Pictures: visual.NewStore(w.PicturesDir()),
	})
}

// OpenArchive opens the index and an archive for a command that answers the same as an endpoint. Without a policy it shows everything.
// closeAll closes both.
func (w *Workspace) OpenArchive(ctx context.Context, policy *access.Policy) (arch *archive.Archive, closeAll func() error, err error) {
	x, err := w.OpenExisting(ctx)
	if err != nil {
		return nil, nil, err
	}
	if arch, err = w.Archive(x, w.Records(x, nil), policy); err != nil {
		return nil, nil, errors.Join(err, x.Close())
	}
	return arch, x.Close, nil
}

// OpenSearchable is [Workspace.OpenArchive] for a command that uses the collection's search.
func (w *Workspace) OpenSearchable(ctx context.Context) (all *searches.Searches, closeAll func() error, err error) {
	if w.lent != nil {
		return w.lent.searches, func() error { return nil }, nil
	}
	arch, closeArchive, err := w.OpenArchive(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	all = searches.New(w.SearchesConfig(arch))
	return all, func() error { return errors.Join(all.Close(), closeArchive()) }, nil
}

// RevalidateVersions revalidates the cached versions of pages with very many captures. Otherwise the next reader of such a page would
// wait for that, so a failure does no harm.
func (w *Workspace) RevalidateVersions(ctx context.Context, x *index.Index) {
	arch, err := w.Archive(x, w.Records(x, nil), nil)
	if err == nil {
		err = arch.Timelines.Revalidate(ctx, nil)
	}
	if err != nil && ctx.Err() == nil {
		w.Log().Warn("the versions of pages with very many captures were not all worked out; whoever asks for them may wait", "error", err)
	}
}
