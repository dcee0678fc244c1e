package badger

import (
	"context"
	"io/fs"
	"os"

	checksums "github.com/dgraph-io/badger/v4/options"
)

// verifiedOnOpening is how much is in the tables of a store that are held against their checksums whenever it is opened, in bytes: some
// tenths of a second. More is verified when somebody asks for it ([engine.Verify]). Badger verifies nothing by itself, and where a block is
// damaged it may give other values, or none.
const verifiedOnOpening = 256 << 20

// verification says when tables of the store in dir are held against their checksums.
func verification(dir string) checksums.ChecksumVerificationMode {
	if size, err := tablesIn(dir); dir == "" || err != nil || size > verifiedOnOpening {
		return checksums.NoVerification
	}
	return checksums.OnTableRead
}

// tablesIn returns how many bytes the tables in dir have.
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

// Verify reads all tables, and returns an error if one doesn't have its checksum. It can't be interrupted.
func (s *engine) Verify(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.db.VerifyChecksum(); err != nil {
		return openError(s.dir(), err)
	}
	return nil
}
