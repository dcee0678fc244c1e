package warc

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/varve-archive/varve/internal/sentinel"
)

// ErrNotRecordCompressed says that a file isn't compressed record by record (ISO 28500 annex D.2), so none of its records can be read at an
// offset.
const ErrNotRecordCompressed = sentinel.Error("one compressed stream holds several records; " +
	"only files compressed record by record can be read at an offset (varve index --unpack DIR writes it once more, unpacked)")

// ErrFileMissing says that a record can't be read because its file isn't known, doesn't exist or can't be opened.
const ErrFileMissing = sentinel.Error("file is missing or unreadable")

// unreadable wraps the error of a file that can't be read. It names only the base name: full paths belong in the log, not in answers.
func unreadable(name string, err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("%s: %w: %w", name, ErrFileMissing, err)
}

// Damage is a place in a stored file that can't be read as a record.
type Damage struct {
	File   string // base name
	Offset int64  // where the damaged record starts, or the bytes that aren't a record
	Reason string // half a sentence, lower-case
	Err    error  // the cause if it is another error, else nil
}

// Error returns file, offset and reason in one sentence.
func (d *Damage) Error() string {
	return fmt.Sprintf("%s: damaged at byte %d: %s", d.File, d.Offset, d.Reason)
}

// Unwrap returns the cause, so that [errors.Is] finds [ErrNotRecordCompressed] and io.ErrUnexpectedEOF.
func (d *Damage) Unwrap() error { return d.Err }
