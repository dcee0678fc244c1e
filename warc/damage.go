package warc

import (
	"errors"
	"fmt"
	"io/fs"
)

// ErrNotRecordCompressed is why a file is refused whose compression doesn't start anew with each record
// (ISO 28500 annex D.2): no record in it can be read at an offset.
var ErrNotRecordCompressed = errors.New("one compressed stream holds several records; " +
	"only files compressed record by record can be read at an offset")

// ErrFileMissing is why a record can't be had: its file isn't known, isn't there, or can't be opened.
var ErrFileMissing = errors.New("file is missing or unreadable")

// unreadable says that a file can't be read, by its base name alone: paths are nobody's business but the log's.
func unreadable(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s: %w: %w", name, ErrFileMissing, err)
}

// Damage is a place in a stored file that can't be read as a record should.
type Damage struct {
	File   string // base name
	Offset int64  // where the damaged record, or the bytes that are no record, start
	Reason string // half a sentence, lower-case
	Err    error  // the cause, if another error is; nil otherwise
}

// Error returns file, offset and reason in one sentence.
func (d *Damage) Error() string {
	return fmt.Sprintf("%s: damaged at byte %d: %s", d.File, d.Offset, d.Reason)
}

// Unwrap returns the cause, so that [errors.Is] finds [ErrNotRecordCompressed] and io.ErrUnexpectedEOF.
func (d *Damage) Unwrap() error { return d.Err }
