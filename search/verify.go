package search

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// Verify reads what is stored of the index in folder dir, which nobody may have open, and returns an error unless it is whole:
// each segment ends with its checksum. A folder without an index is whole.
func Verify(dir string) error {
	segments, err := filepath.Glob(filepath.Join(dir, "terms", "*.zap"))
	if err != nil {
		return err
	}
	for _, path := range segments {
		if err := verifySegment(path); err != nil {
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
	size := info.Size() - crc32.Size
	if size < 0 {
		return fmt.Errorf("damaged from byte %d on: it is cut off", info.Size())
	}
	sum := crc32.NewIEEE()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return err
	}
	var stored [crc32.Size]byte
	if _, err := f.ReadAt(stored[:], size); err != nil {
		return err
	}
	if want := binary.BigEndian.Uint32(stored[:]); want != sum.Sum32() {
		return fmt.Errorf("damaged from byte 0 on: its checksum is %08x, not %08x", sum.Sum32(), want)
	}
	return nil
}
