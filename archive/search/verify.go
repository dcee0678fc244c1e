package search

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/varve-archive/varve/archive/search/segment"
)

// Verify reads what is stored of the index in folder dir, which nobody may have open, and returns an error unless it is whole:
// each segment ends with its checksum. A folder without an index is whole.
func Verify(dir string) error {
	segments, err := filepath.Glob(filepath.Join(dir, "terms", "*.zap"))
	if err != nil {
		return err
	}
	for _, path := range segments {
		if err := segment.Verify(path); err != nil {
			return fmt.Errorf("search: %s: %w", path, err)
		}
	}
	if _, err := os.Stat(formatFile(dir)); err != nil || readFormat(dir) != format { // it would be built anew anyway
		return nil
	}
	x, err := Open(dir)
	if err != nil {
		return err
	}
	return x.Close()
}
