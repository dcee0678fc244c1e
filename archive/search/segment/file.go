package segment

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/blevesearch/mmap-go"
)

// A segmentInFile is a mapped file. It is unmapped when the last reference is released.
type segmentInFile struct {
	*content
	path   string
	file   *os.File
	mapped mmap.MMap
	refs   atomic.Int64
}

func openFile(path string, codec *codec) (s *segmentInFile, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("segment: %w", err)
	}
	s = &segmentInFile{path: path, file: f}
	s.refs.Store(1)
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.mapped, err = mmap.Map(f, mmap.RDONLY, 0); err != nil {
		return s, fmt.Errorf("segment: %s: %w", path, err)
	}
	if s.content, err = readContent(s.mapped, codec); err != nil {
		return s, fmt.Errorf("%w: %s", err, path)
	}
	return s, nil
}

// Path implements segment.PersistedSegment.
func (s *segmentInFile) Path() string { return s.path }

// Size implements segment.Segment: the memory that it takes, which excludes the mapping.
func (s *segmentInFile) Size() int { return 4096 }

// AddRef implements segment.Segment.
func (s *segmentInFile) AddRef() { s.refs.Add(1) }

// DecRef implements segment.Segment.
func (s *segmentInFile) DecRef() error {
	if s.refs.Add(-1) > 0 {
		return nil
	}
	var err error
	if s.mapped != nil {
		err = s.mapped.Unmap()
	}
	return errors.Join(err, s.file.Close())
}

// Close implements segment.Segment.
func (s *segmentInFile) Close() error { return s.DecRef() }

// writeFile writes a file and syncs it. It removes the file if that fails.
func writeFile(path string, write func(*os.File) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("segment: %w", err)
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("segment: %w", err), os.Remove(path))
	}
	return nil
}
