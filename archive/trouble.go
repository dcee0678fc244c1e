package archive

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/cdx"
)

// ErrUnavailable says that the index is on another machine that can't be reached now.
const ErrUnavailable = index.ErrUnavailable

// A BlockedError says that an access rule hides the content of a capture, but not its existence.
type BlockedError struct {
	Capture cdx.Capture
	Say     string // the rule's sentence, "" if it has none
}

func (e *BlockedError) Error() string {
	return cmp.Or(strings.TrimSuffix(e.Say, "."), "this capture may not be shown")
}

// An UnreadableError says that the record of a capture can't be read now.
type UnreadableError struct {
	Capture cdx.Capture
	Cause   error
}

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("the file %s, which holds this capture, can't be read now: %v", e.Capture.FileName, e.Cause)
}

func (e *UnreadableError) Unwrap() error { return e.Cause }

// IsUnreadable reports whether an error is an [UnreadableError].
func IsUnreadable(err error) bool {
	var of *UnreadableError
	return errors.As(err, &of)
}

// Unreadable wraps cause in an [UnreadableError] about c.
func Unreadable(c *cdx.Capture, cause error) error { return &UnreadableError{*c, cause} }
