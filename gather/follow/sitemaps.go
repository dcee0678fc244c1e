package follow

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/gather/follow/feed"
)

// maxSitemaps is the number of sitemaps of an index that are read in one poll. The next poll reads further ones.
const maxSitemaps = 50

// readIndex reads the sitemaps in an index that may have changed, the newest first, and of those as new the one that was asked for longest
// ago. It replaces each by its entries, and leaves out sitemaps that were not read, so that the next poll reads them. It reports whether it
// left any out.
func (f *poller) readIndex(ctx context.Context, s *source, doc *feed.Document) (partly bool, err error) {
	maps, err := f.changedMaps(ctx, s, doc.Entries)
	if err != nil {
		return false, f.fatal(err)
	}
	var entries []feed.Entry
	for i, m := range maps {
		if i == maxSitemaps || len(entries) >= feed.MaxEntries {
			partly = true
			break
		}
		found, err := f.readSitemap(ctx, s, m.Link)
		if errors.Is(err, errBudget) || ctx.Err() != nil || f.problem() != nil {
			return false, err
		} else if err != nil {
			f.log.Warn("a sitemap of an index can't be read", "source", s.url, "sitemap", m.Link, "error", err)
			m.was.Visited, partly = f.now(), true
			if err := f.put(ctx, entryKey(s.url, m.ID), m.was); err != nil {
				return false, f.fatal(err)
			}
			continue
		}
		entries = append(append(entries, m.Entry), found...)
	}
	doc.Entries = entries
	return partly, nil
}

// A sitemap is one that an index names.
type sitemap struct {
	feed.Entry
	was known // the zero value if it was never asked for
}

// changedMaps returns the sitemaps of an index that may have changed, in the order in which they are read.
func (f *poller) changedMaps(ctx context.Context, s *source, all []feed.Entry) (maps []sitemap, err error) {
	for _, e := range all {
		m := sitemap{Entry: e}
		isKnown, err := kv.GetJSON(ctx, f.store, entryKey(s.url, e.ID), &m.was)
		if err != nil {
			return nil, err
		}
		if !isKnown || e.Updated.IsZero() || e.Updated.After(m.was.Updated) {
			maps = append(maps, m)
		}
	}
	slices.SortStableFunc(maps, func(a, b sitemap) int {
		return cmp.Or(b.Updated.Compare(a.Updated), a.was.Visited.Compare(b.was.Visited))
	})
	return maps, nil
}

// readSitemap captures a sitemap and returns its entries.
func (f *poller) readSitemap(ctx context.Context, s *source, address string) ([]feed.Entry, error) {
	all, err := f.get(ctx, f.feeds, address, nil)
	if err != nil {
		return nil, err
	}
	defer all.close()
	e := all.last()
	if err := f.refusal(e); err != nil {
		return nil, err
	}
	body, err := whole(e, feed.MaxBytes)
	if err != nil {
		return nil, err
	}
	doc, err := feed.Read(body, e.ContentType(), e.URL)
	if err != nil {
		return nil, err
	}
	if doc.Index {
		return nil, errors.New("it is an index in an index")
	}
	if doc.Fault != nil {
		f.log.Warn("a sitemap was read without what is faulty", "source", s.url, "sitemap", e.URL, "error", doc.Fault)
	}
	f.writing.RLock()
	defer f.writing.RUnlock()
	return doc.Entries, f.writeAll(ctx, all, s.url)
}
