package search

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/varve-archive/varve/archive/search/segment"
)

// A store is scorch with segments of varve's format. It keeps snapshots, deletions and merges.
type store struct {
	index   index.Index
	queue   *index.AnalysisQueue
	readers sync.WaitGroup
}

// openStore opens the store in the folder of an index, "" for memory.
func openStore(dir string, readOnly bool, paceMerge func(context.Context, time.Duration) error) (*store, error) {
	path := ""
	if dir != "" {
		path = filepath.Join(dir, "terms")
	}
	with, err := segment.NewConfig(paceMerge)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	s := &store{queue: index.NewAnalysisQueue(1)}
	s.index, err = scorch.NewScorch(scorch.Name, map[string]any{
		"path": path, "bolt_timeout": "3s", "read_only": readOnly, "forceSegmentType": segment.Name, "forceSegmentVersion": segment.Version,
		"segmentConfig": map[string]any{segment.Name: with},
	}, s.queue)
	if err == nil {
		err = s.index.Open()
	}
	if err != nil {
		s.queue.Close()
		return nil, fmt.Errorf("search: the index in %s can't be opened: %w (it can be removed: it is rebuilt from the archive)", dir, err)
	}
	return s, nil
}

// close closes the store when its last reader is done.
func (s *store) close() error {
	s.readers.Wait()
	err := s.index.Close()
	s.queue.Close()
	return err
}
