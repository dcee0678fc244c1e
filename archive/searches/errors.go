package searches

import "github.com/varve-archive/varve/internal/sentinel"

// ErrNoSearch says that the archive has no change-text search.
const ErrNoSearch = sentinel.Error("this server has no change-text search")

// A NoSearchError says in a sentence why a collection can't be searched. It is [ErrNoSearch] too.
type NoSearchError struct{ Say string }

func (e *NoSearchError) Error() string { return e.Say }

// Is makes it [ErrNoSearch].
func (e *NoSearchError) Is(other error) bool { return other == ErrNoSearch }

// ErrSearchBehind says that the search may still have what access rules exclude since a moment ago.
const ErrSearchBehind = sentinel.Error("the search is being brought up to date with new access rules: try again in a moment")
