package searches

import "github.com/varve-archive/varve/internal/sentinel"

// ErrNoSearch says that the archive has no change-text search.
const ErrNoSearch = sentinel.Error("this server has no change-text search")

// A NoSearchError says in a sentence why a collection can't be searched. It matches [ErrNoSearch].
type NoSearchError struct{ Say string }

func (e *NoSearchError) Error() string { return e.Say }

// Is makes errors.Is match [ErrNoSearch].
func (e *NoSearchError) Is(other error) bool { return other == ErrNoSearch }

// ErrSearchBehind says that access rules have just changed, and that the search may still have pages that they exclude.
const ErrSearchBehind = sentinel.Error("the search is being brought up to date with new access rules: try again in a moment")
