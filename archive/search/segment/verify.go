package segment

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// Verify reads a file and compares its checksum.
func Verify(path string) error {
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
	if want := binary.LittleEndian.Uint32(stored[:]); want != sum.Sum32() {
		return fmt.Errorf("damaged from byte 0 on: its checksum is %08x, not %08x", sum.Sum32(), want)
	}
	return nil
}
