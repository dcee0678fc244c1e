package archive

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
)

// readTries bounds the captures of a version that are tried.
const readTries = 5

// VersionText reads the visible text of the version that begins at first. id is the text's ID in the index; any
// capture that has it may be read.
func (s *Archive) VersionText(ctx context.Context, tl *timeline.Timeline, first cdx.Timestamp, id uint64) (visible.Text, error) {
	return s.versionTextBy(ctx, tl, first, id, &visible.Extractor{Layout: true})
}

func (s *Archive) versionTextBy(
	ctx context.Context, tl *timeline.Timeline, first cdx.Timestamp, id uint64, e *visible.Extractor,
) (t visible.Text, err error) {
	err = TryVersion(tl, first, id, func(c *cdx.Capture) (err error) {
		t, err = s.textBy(ctx, c, e)
		return err
	})
	return t, err
}

// A TextKey identifies a version's text in caches. It changes with the access rules, and differs between pages with the same text, because
// one of them may be blocked.
type TextKey struct {
	coll, page string
	first      cdx.Timestamp
	text       uint64
	generation uint64
}

// TextKey returns the key for a text that [Archive.VersionText] reads. Get it before the text is read.
func (s *Archive) TextKey(tl *timeline.Timeline, first cdx.Timestamp, id uint64) TextKey {
	return TextKey{tl.Coll, tl.Key, first, id, s.Index.Generation()}
}

// TryVersion calls read with captures of a version that have its text until it returns nil, at most readTries times.
func TryVersion(tl *timeline.Timeline, first cdx.Timestamp, id uint64, read func(*cdx.Capture) error) error {
	from, _ := tl.Second(first)
	var failed error
	for i, tries := from, 0; i < len(tl.Captures) && tries < readTries; i++ {
		c := &tl.Captures[i]
		if c.Text != id {
			continue
		}
		tries++
		err := read(c)
		if err == nil {
			return nil
		}
		failed = errors.Join(failed, err)
	}
	if failed == nil {
		failed = errors.New("no capture has its text")
	}
	return fmt.Errorf("version of %s: %w", first, failed)
}

// LogUnreadable logs that the text of a version can't be read, for those who maintain the files.
func (s *Archive) LogUnreadable(key string, ts cdx.Timestamp, err error) {
	s.Log.Warn("search: a version can't be read back", "page", key, "datetime", ts, "error", err)
}

// Title returns the title of a capture's page from the index, "" if there is none or access rules block it. The error is [ErrUnavailable],
// or that of ctx.
func (s *Archive) Title(ctx context.Context, c *cdx.Capture) (title string, err error) {
	if c.Text == 0 || s.Allowed(c) != nil {
		return "", nil
	}
	err = s.Index.Text(ctx, c.Text, func(b []byte) error {
		k, err := sketch.ParseHead(b)
		title = k.Title
		return err
	})
	if errors.Is(err, ErrUnavailable) || ctx.Err() != nil {
		return "", err
	}
	return title, nil // such a page is listed by its address
}

// Titles returns what [Archive.Title] does of many captures, by the places of their records, in one round trip to an index on another
// machine.
func (s *Archive) Titles(ctx context.Context, of []*cdx.Capture) (map[cdx.Location]string, error) {
	titles, allowed := map[cdx.Location]string{}, map[uint64][]*cdx.Capture{}
	for _, c := range of {
		if c.Text != 0 && s.Allowed(c) == nil {
			allowed[c.Text] = append(allowed[c.Text], c)
		}
	}
	err := s.Index.Texts(ctx, slices.Sorted(maps.Keys(allowed)), func(id uint64, b []byte) error {
		if k, err := sketch.ParseHead(b); err == nil && k.Title != "" {
			for _, c := range allowed[id] {
				titles[c.Location] = k.Title
			}
		}
		return nil
	})
	if errors.Is(err, ErrUnavailable) || ctx.Err() != nil {
		return nil, err
	}
	return titles, nil
}
