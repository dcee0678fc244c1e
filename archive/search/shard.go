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

// An index may lie in several folders, its shards, each with whole hosts. What asks looks at the segments of all as at one
// list, so an answer is the same however many there are, but for what one question leaves out ([Request.Work]).

// A shard is a part of an index in a folder of its own.
type shard struct {
	store   index.Index
	queue   *index.AnalysisQueue
	readers sync.WaitGroup
	retired func() // called once it was replaced and nobody reads it any more; may be nil
}

// ShardOf returns in which of so many shards a page is. All pages of a host, which is what keys have before the ")", are in
// one. A key without that (of a urn: or dns: record) is a host by itself.
func ShardOf(key string, shards int) int {
	host, _, _ := strings.Cut(key, ")")
	return int(xxh3.HashString(host) % uint64(shards))
}

// OpenShards returns an index of so many shards, of which none is there until [Index.Put] brings it. It is only read.
func OpenShards(shards int) (*Index, error) {
	return opened("", func(x *Index) error {
		x.readOnly, x.shards = true, make([]*shard, shards)
		return nil
	})
}

// Put opens the index in a folder as a shard, in place of the one that was there. Questions that have begun end on that; then
// it is closed, and the retired that came with it is called. Update must have been called on what is in the folder for pages
// of this shard only.
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
			_ = old.close() // nothing is written to it
			if old.retired != nil {
				old.retired()
			}
		})
	}
	return nil
}

// openShard opens what is in a folder, "" for memory.
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

// close closes the shard once nobody reads it.
func (s *shard) close() error {
	s.readers.Wait()
	err := s.store.Close()
	s.queue.Close()
	return err
}

// hold returns the shards, which stay open until letGo; nil after Close.
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

// only returns the store of an index with one shard. Its update must be running.
func (x *Index) only() index.Index { return x.shards[0].store }

// Settled returns the state of the archive with which the index was up to date last, "" if there is none, and the number of
// pages then. It is for an index with one shard.
func (x *Index) Settled() (state string, pages int64, err error) {
	err = x.view(func(r reader) error {
		s, err := r.settled()
		state, pages = s.state, s.pages
		return err
	})
	return state, pages, err
}

// Files returns the files of the index in a folder. Nobody may have it open for writing. The names are relative to the
// folder. The last has the list of the others and changes with each update. No other is ever changed once it is there.
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
