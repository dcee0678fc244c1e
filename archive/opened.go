package archive

import (
	"context"
	"errors"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// opened caches which records could be opened, together with the state of their files. A TimeGate only redirects to readable captures,
// mostly to the same ones again. Checking a file's state is much faster than opening a record, and needs no range of an object storage.
type opened struct {
	files Stater // nil if nobody can tell whether a file has changed
	known *lru.Cache[openedKey, warc.Entry]
}

// An openedKey is a capture with the location of its body.
type openedKey struct{ capture, body cdx.Location }

// maxOpened bounds the cached records, of some hundred bytes each.
const maxOpened = 20_000

func newOpened(records Records) *opened {
	o := &opened{}
	o.files, _ = records.(Stater)
	o.known, _ = lru.New[openedKey, warc.Entry](maxOpened) // fails only for a size of 0
	return o
}

// maxTryTime bounds the time for trying to open a record. If that isn't enough, the record isn't considered lost.
const maxTryTime = 500 * time.Millisecond

// isLost reports whether the record of c is known to be unreadable: its file exists, but the record is damaged or another one. If the file
// can't be reached, that isn't known.
func (s *Archive) isLost(ctx context.Context, c *cdx.Capture) bool {
	limited, cancel := context.WithTimeout(ctx, maxTryTime)
	defer cancel()
	err := s.tryOpen(limited, c)
	return err != nil && limited.Err() == nil && !errors.Is(err, warc.ErrFileMissing)
}

// tryOpen opens the record of c and closes it, unless that succeeded before and the file hasn't changed.
func (s *Archive) tryOpen(ctx context.Context, c *cdx.Capture) error {
	loc := bodyOf(c)
	key := openedKey{c.Location, loc}
	var now warc.Entry
	known := s.opened.files != nil
	if known {
		var err error
		if now, err = s.opened.files.Stat(ctx, loc.File); err != nil {
			return err
		}
		if then, ok := s.opened.known.Get(key); ok && then.Same(now) {
			return nil
		}
	}
	rec, err := s.record(ctx, c, loc)
	if err != nil {
		return err
	}
	rec.Close()
	if known {
		s.opened.known.Add(key, now)
	}
	return nil
}
