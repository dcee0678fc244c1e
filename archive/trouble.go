package archive

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/cdx"
)

// ErrNoSearch says that the archive has no change-text search.
var ErrNoSearch = errors.New("this server has no change-text search")

// A NoSearchError says in a sentence why a collection can't be searched. It is [ErrNoSearch] too.
type NoSearchError struct{ Say string }

func (e *NoSearchError) Error() string { return e.Say }

// Is makes it [ErrNoSearch].
func (e *NoSearchError) Is(other error) bool { return other == ErrNoSearch }

// ErrSearchBehind says that the search may still have what access rules exclude since a moment ago.
var ErrSearchBehind = errors.New("the search is being brought up to date with new access rules: try again in a moment")

// ErrUnavailable says that the index is on another machine, which can't be reached now. It may be back soon.
var ErrUnavailable = index.ErrUnavailable

// A QueryError says in a sentence what is wrong with a question. The fault is the caller's, not the archive's.
type QueryError struct{ Say string }

func (e *QueryError) Error() string { return e.Say }

func badQuery(format string, a ...any) error { return &QueryError{fmt.Sprintf(format, a...)} }

// A BlockedError says that an access rule keeps back what a capture holds. That there is such a capture is no secret.
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
