package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/shards"
)

// checkSearchStore refuses a --search-store that can't be one.
func (p *program) checkSearchStore() error {
	if p.SearchStore == "" {
		return nil
	}
	if p.Index == "" {
		return errors.New("--search-store is for servers that share an index: it goes with --index")
	}
	if err := blobstore.Check(p.SearchStore); err != nil {
		return fmt.Errorf("--search-store: %w", err)
	}
	return nil
}

// openEngine opens --search-engine.
func (p *program) openEngine() (err error) {
	switch {
	case p.SearchEngine == "":
		return nil
	case p.SearchStore != "":
		return errors.New("--search-engine and --search-store are two places for the search: give one")
	}
	if p.engine, err = opensearch.New(p.SearchEngine); err != nil {
		return fmt.Errorf("--search-engine: %w", err)
	}
	return nil
}

// feeder names this process among those that feed a search engine.
func feeder() string {
	host, _ := os.Hostname() // for people to read
	return fmt.Sprintf("%s %d %08x", host, os.Getpid(), rand.Uint32())
}

// shared opens the searches that servers of the index share, nil if each has its own. anew says that they are built from
// nothing. Close it after the archive's searches.
func (p *program) shared(ctx context.Context, x *index.Index, anew bool) (*shards.Room, error) {
	if p.SearchStore == "" {
		return nil, nil
	}
	place, err := blobstore.Open(p.SearchStore, blobstore.Config{S3: p.s3})
	if err != nil {
		return nil, fmt.Errorf("--search-store: %w", err)
	}
	host, _ := os.Hostname() // who publishes is for people to read
	room, err := shards.Open(ctx, shards.Config{
		Index: x, Place: place, Dir: filepath.Join(p.Data, "search-shards"), By: fmt.Sprintf("%s %d", host, os.Getpid()), ReadOnly: p.readOnly,
		Anew: anew,
	})
	if err != nil {
		return nil, fmt.Errorf("--search-store %s: %w", p.SearchStore, err)
	}
	return room, nil
}

// openSearchable is openArchive for a command that asks the search of the collection.
func (p *program) openSearchable(ctx context.Context) (
	arch *archive.Archive, all *searches.Searches, closeAll func() error, err error,
) {
	x, err := p.openExisting(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	room, err := p.shared(ctx, x, false)
	if err != nil {
		return nil, nil, nil, errors.Join(err, x.Close())
	}
	if arch, err = p.archive(x, nil); err == nil {
		all = p.searches(arch, room)
		err = all.Fetch(ctx, p.Collection)
	}
	closeAll = func() error {
		var closed error
		if all != nil {
			closed = all.Close()
		}
		return errors.Join(closed, room.Close(), x.Close())
	}
	if err != nil {
		return nil, nil, nil, errors.Join(err, closeAll())
	}
	return arch, all, closeAll, nil
}
