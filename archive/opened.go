package archive

import (
	"context"
	"errors"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// opened knows which records could be opened, and of which state of their file that is true. A TimeGate only leads to what can be
// read, and most are asked for the same captures again: to look at a file takes a fraction of the time that opening a record does, and
// none of the ranges of an object storage.
type opened struct {
	files Stater // nil if nobody can tell whether a file has changed
	known *lru.Cache[openedKey, warc.Entry]
}

// An openedKey is a capture and where its body is.
type openedKey struct{ capture, body cdx.Location }

// mostOpened is how many records are known to be readable, of some hundred bytes each.
const mostOpened = 20_000

func newOpened(records Records) *opened {
	o := &opened{}
	o.files, _ = records.(Stater)
	o.known, _ = lru.New[openedKey, warc.Entry](mostOpened) // fails only for a size of 0
	return o
}

// aTry is how long a storage may take until it is known that a record can be opened. What isn't known then is no reason to lead to another.
const aTry = 500 * time.Millisecond

// isLost reports whether it is known that the record of c can't be read: its file is there, and what it holds is damaged or another record.
// Of a file that can't be reached now that isn't known.
func (s *Archive) isLost(ctx context.Context, c *cdx.Capture) bool {
	limited, cancel := context.WithTimeout(ctx, aTry)
	defer cancel()
	err := s.tryOpen(limited, c)
	return err != nil && limited.Err() == nil && !errors.Is(err, warc.ErrFileMissing)
}

// tryOpen opens the record of c and closes it, unless that was possible when its file was as it is now.
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
