package follow

import (
	"context"
	"errors"
	"slices"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/gather/follow/feed"
)

// maxSitemaps is the number of sitemaps of an index that are read in one poll. The next poll reads further ones.
const maxSitemaps = 50

// readIndex reads the sitemaps in an index that may have changed, the newest first. It replaces each by its entries, and leaves out
// sitemaps that were not read, so that they don't become known. It reports whether it left any out.
func (f *poller) readIndex(ctx context.Context, s *source, doc *feed.Document) (partly bool, err error) {
	maps, entries := doc.Entries, []feed.Entry(nil)
	slices.SortStableFunc(maps, func(a, b feed.Entry) int { return b.Updated.Compare(a.Updated) })
	read := 0
	for _, m := range maps {
		var was known
		isKnown, err := kv.GetJSON(ctx, f.store, entryKey(s.url, m.ID), &was)
		if err != nil {
			return false, f.fatal(err)
		}
		if isKnown && !m.Updated.IsZero() && !m.Updated.After(was.Updated) {
			continue
		}
		if read == maxSitemaps || len(entries) >= feed.MaxEntries {
			partly = true
			break
		}
		read++
		found, err := f.readSitemap(ctx, s, m.Link)
		if errors.Is(err, errBudget) || ctx.Err() != nil || f.problem() != nil {
			return false, err
		} else if err != nil {
			f.log.Warn("a sitemap of an index can't be read", "source", s.url, "sitemap", m.Link, "error", err)
			partly = true
			continue
		}
		entries = append(append(entries, m), found...)
	}
	doc.Entries = entries
	return partly, nil
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
