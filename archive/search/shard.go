package search

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/search/segment"
)

// An index may be divided into shards, folders that each hold all pages of some hosts. Queries read the segments of all shards as one list,
// so answers don't depend on the number of shards, except for what [Request.Work] cuts off.

// A shard is a part of an index in a folder of its own.
type shard struct {
	store   index.Index
	queue   *index.AnalysisQueue
	readers sync.WaitGroup
	retired func() // called when it has been replaced and its last reader is done; may be nil
}

// ShardOf returns the number of the shard that holds a page. All pages of a host, the part of the key before ")", are in one shard. A key
// without a host (of a urn: or dns: record) counts as a host of its own.
func ShardOf(key string, shards int) int {
	host, _, _ := strings.Cut(key, ")")
	return int(xxh3.HashString(host) % uint64(shards))
}

// OpenShards returns a read-only index of so many shards. Each is missing until [Index.Put] adds it.
func OpenShards(shards int) (*Index, error) {
	return opened("", func(x *Index) error {
		x.readOnly, x.shards = true, make([]*shard, shards)
		return nil
	})
}

// Put opens the index in dir and replaces a shard by it. Running queries continue on the old shard. When they are done it is closed, and
// the retired function that was put with it is called. The index in dir must contain only pages of this shard.
func (x *Index) Put(number int, dir string, retired func()) error {
	if readFormat(dir) != format() {
		return fmt.Errorf("%w in %s", ErrUnbuilt, dir)
	}
	s, err := x.openShard(dir)
	if err != nil {
		return err
	}
	s.retired = retired
	x.mu.Lock()
	defer x.mu.Unlock()
	if number >= len(x.shards) {
		return errors.Join(errClosed, s.close())
	}
	old := x.shards[number]
	x.shards[number] = s
	if old != nil {
		x.retiring.Go(func() {
			_ = old.close() // read-only, so nothing can be lost
			if old.retired != nil {
				old.retired()
			}
		})
	}
	return nil
}

// openShard opens the index in dir, "" for memory.
func (x *Index) openShard(dir string) (*shard, error) {
	path := ""
	if dir != "" {
		path = filepath.Join(dir, "terms")
	}
	with, err := segment.NewConfig(x.paceMerge)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	s := &shard{queue: index.NewAnalysisQueue(1)}
	s.store, err = scorch.NewScorch(scorch.Name, map[string]any{
		"path": path, "bolt_timeout": "3s", "read_only": x.readOnly, "forceSegmentType": segment.Name, "forceSegmentVersion": segment.Version,
		"segmentConfig": map[string]any{segment.Name: with},
	}, s.queue)
	if err == nil {
		err = s.store.Open()
	}
	if err != nil {
		s.queue.Close()
		return nil, fmt.Errorf("search: the index in %s can't be opened: %w (it can be removed: it is rebuilt from the archive)", dir, err)
	}
	return s, nil
}

// close closes the shard when its last reader is done.
func (s *shard) close() error {
	s.readers.Wait()
	err := s.store.Close()
	s.queue.Close()
	return err
}

// hold returns the shards and keeps them open until letGo is called. It returns nil after Close.
func (x *Index) hold() []*shard {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.shards == nil {
		return nil
	}
	held := append([]*shard(nil), x.shards...)
	for _, s := range held {
		if s != nil {
			s.readers.Add(1)
		}
	}
	return held
}

func letGo(held []*shard) {
	for _, s := range held {
		if s != nil {
			s.readers.Done()
		}
	}
}

// only returns the store of an index with one shard. Call it only during an update.
func (x *Index) only() index.Index { return x.shards[0].store }

// Settled returns the state of the archive at the last complete update, "" if there was none, and the number of pages then. The index must
// have one shard.
func (x *Index) Settled() (state string, pages int64, err error) {
	err = x.view(func(r reader) error {
		s, err := r.settled()
		state, pages = s.state, s.pages
		return err
	})
	return state, pages, err
}

// Files returns the names of the files of the index in dir, relative to it. The index must not be open for writing. The last one lists the
// others and changes with each update; the others never change.
func Files(dir string) (files []string, err error) {
	x, err := OpenReadOnly(dir)
	if err != nil {
		return nil, err
	}
	files = []string{filepath.Base(formatFile(dir))}
	err = x.view(func(r reader) error {
		for _, s := range r.segments {
			on, ok := s.Segment().(interface{ Path() string })
			if !ok {
				return errors.New("a segment is not on disk")
			}
			files = append(files, filepath.Join("terms", filepath.Base(on.Path())))
		}
		return nil
	})
	return append(files, filepath.Join("terms", "root.bolt")), errors.Join(err, x.Close())
}
