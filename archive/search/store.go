package search

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
)

// A store is bleve's scorch. It keeps segments, snapshots, deletions and merges.
type store struct {
	index   index.Index
	queue   *index.AnalysisQueue
	readers sync.WaitGroup
}

// openStore opens the store in the folder of an index, "" for memory.
func openStore(dir string, readOnly bool) (*store, error) {
	path := ""
	if dir != "" {
		path = filepath.Join(dir, "terms")
	}
	s := &store{queue: index.NewAnalysisQueue(1)}
	var err error
	s.index, err = scorch.NewScorch(scorch.Name, map[string]any{"path": path, "bolt_timeout": "3s", "read_only": readOnly}, s.queue)
	if err == nil {
		err = s.open()
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

func (s *store) open() (err error) {
	defer asDamaged(&err)
	return s.index.Open()
}

// asDamaged is deferred in each goroutine that reads segments: scorch panics if they are damaged. It stores an error instead.
func asDamaged(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the index is damaged, or varve wrong: %v\n%s", r, debug.Stack())
	}
}

// verifiedOnOpening is the size in bytes up to which opening an index verifies the checksums of its segments. [Verify] has no limit.
const verifiedOnOpening = 256 << 20

// verifyOnOpening returns an error if a segment is damaged and would give wrong answers.
func verifyOnOpening(dir string) error {
	paths, err := segmentsIn(dir)
	size := int64(0)
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil // opening reports the error
		}
		size += info.Size()
	}
	if err != nil || size > verifiedOnOpening {
		return nil
	}
	return verifySegments(paths)
}

func segmentsIn(dir string) ([]string, error) {
	names, err := fs.Glob(os.DirFS(dir), "terms/*.zap")
	for i := range names {
		names[i] = filepath.Join(dir, names[i])
	}
	return names, err
}

func verifySegments(paths []string) error {
	for _, path := range paths {
		if err := verifySegment(path); err != nil {
			return fmt.Errorf("search: %s: %w", path, err)
		}
	}
	return nil
}

// verifySegment compares a segment with its checksum, which is in its last four bytes. scorch writes it and doesn't check it.
func verifySegment(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	sum := crc32.NewIEEE()
	if _, err := io.CopyN(sum, f, info.Size()-crc32.Size); err != nil {
		return err
	}
	var want uint32
	if err := binary.Read(f, binary.BigEndian, &want); err != nil {
		return err
	}
	if got := sum.Sum32(); got != want {
		return fmt.Errorf("damaged: its checksum is %08x, and was %08x", got, want)
	}
	return nil
}

// Verify checks the checksum of every segment of the index in folder dir, which must not be open for writing. A folder without an index
// passes.
func Verify(dir string) error {
	paths, err := segmentsIn(dir)
	if err == nil {
		err = verifySegments(paths)
	}
	if err != nil {
		return err
	}
	if unbuilt, err := isUnbuilt(dir); err != nil || unbuilt { // the next update builds it
		return err
	}
	x, err := openedReadOnly(dir)
	if err != nil {
		return err
	}
	return x.Close()
}
