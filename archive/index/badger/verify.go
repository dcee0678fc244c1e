package badger

import (
	"context"
	"io/fs"
	"os"

	checksums "github.com/dgraph-io/badger/v4/options"
)

// verifiedOnOpening is the size in bytes up to which opening a store verifies the checksums of its tables, which takes some tenths of a
// second. Larger stores are verified on demand ([engine.Verify]). Badger verifies nothing by itself, and may return wrong values, or none,
// from a damaged block.
const verifiedOnOpening = 256 << 20

// verification returns when Badger verifies the tables of the store in dir.
func verification(dir string) checksums.ChecksumVerificationMode {
	if size, err := tablesIn(dir); dir == "" || err != nil || size > verifiedOnOpening {
		return checksums.NoVerification
	}
	return checksums.OnTableRead
}

func tablesIn(dir string) (size int64, err error) {
	names, err := fs.Glob(os.DirFS(dir), "*.sst")
	for _, name := range names {
		info, err := fs.Stat(os.DirFS(dir), name)
		if err != nil {
			return 0, err
		}
		size += info.Size()
	}
	return size, err
}

// Verify reads all tables and compares their checksums. It can't be interrupted.
func (s *engine) Verify(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.db.VerifyChecksum(); err != nil {
		return openError(s.dir(), err)
	}
	return nil
}
