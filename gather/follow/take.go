package follow

import (
	"context"
	"slices"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/gather/follow/feed"
)

// unchangedPause is how long an entry is ignored after its feed reported a change but its page was the same. It doubles each time, up to a
// day.
const unchangedPause = 30 * time.Minute

type news struct {
	entries []entryNews
	read    []entryNews // sitemaps that were read again, and say nothing new of themselves
	visits  []*visit
	fresh   int         // entries that were not known
	events  []time.Time // times of the changes, as far as known
	unsaid  bool        // some have no time
	waits   bool        // some changed too soon after the last visit
}

type entryNews struct {
	key   []byte
	known known
}

// take processes a document that has changed. It captures the document if it contains something new.
func (f *poller) take(ctx context.Context, s *source, doc feed.Document, all chain, digest string) error {
	n, err := f.newIn(ctx, s, &doc)
	if err != nil {
		return f.fatal(err)
	}
	if n.waits { // the next poll must read it again, even if it is unchanged
		defer f.forget(ctx, s)
	}
	if all != nil && (len(n.entries) > 0 || s.Final == "") {
		f.writing.RLock()
		defer f.writing.RUnlock()
		if err := f.writeAll(ctx, all, ""); err != nil {
			return err
		}
		if err := f.writer.Sync(); err != nil {
			return f.fatal(err)
		}
	}
	if f.floods(s, &doc, n.fresh) {
		n.visits = nil
	}
	if err := f.queueAll(ctx, n); err != nil {
		return f.fatal(err)
	}
	if all != nil {
		f.note(s, all, digest)
	}
	f.mu.Lock()
	f.learn(s, &doc, n, all != nil)
	f.mu.Unlock()
	f.announce(s, &doc, all)
	return f.fatal(f.remember(ctx, s))
}

// newIn returns the new and changed entries of a document.
func (f *poller) newIn(ctx context.Context, s *source, doc *feed.Document) (n news, err error) {
	now := f.now()
	ahead := s.kind == kindList // whether the entry precedes the first one of the last poll, and so has moved up
	for i := range doc.Entries {
		e := &doc.Entries[i]
		ahead = ahead && s.Top != "" && e.ID != s.Top
		k := entryKey(s.url, e.ID)
		var was known
		ok, err := kv.GetJSON(ctx, f.store, k, &was)
		if err != nil {
			return n, err
		}
		is := known{Sum: e.Sum(), Updated: e.When(), Visited: now}
		changed, soon := f.isChanged(s, was, is, ahead)
		n.waits = n.waits || ok && soon
		if ok && (!changed || soon) {
			if e.Sitemap {
				n.read = append(n.read, entryNews{k, is})
			}
			continue
		}
		if e.Sitemap { // its news is inside the sitemap
			n.entries = append(n.entries, entryNews{k, is})
			continue
		}
		if ok {
			is.Same = was.Same
		} else {
			n.fresh++
		}
		n.entries = append(n.entries, entryNews{k, is})
		if at := e.When(); at.IsZero() || at.After(now) {
			n.unsaid = true
		} else if at.After(s.Rate.Until) || s.Asked.IsZero() {
			n.events = append(n.events, at)
		}
		n.visits = append(n.visits, f.visitsOf(s, e, k, ok)...)
	}
	return n, nil
}

// isChanged reports whether a document says that a known entry has changed, and whether it is too soon to visit its page again.
func (f *poller) isChanged(s *source, was, is known, ahead bool) (changed, soon bool) {
	switch {
	case s.kind != kindList:
		changed = was.Sum != is.Sum
	case s.set.Each != "" && is.Updated.IsZero():
		return ahead, false // the next poll would not find it ahead
	default:
		changed = is.Updated.After(was.Updated)
	}
	wait := min(unchangedPause<<min(was.Same, 6), 24*time.Hour) * time.Duration(min(was.Same, 1))
	return changed, changed && f.now().Sub(was.Visited) < wait
}

// visitsOf returns the visits for an entry: to its page and its comments and, if it is new, to its enclosures.
func (f *poller) visitsOf(s *source, e *feed.Entry, entry []byte, known bool) (list []*visit) {
	now := f.now()
	add := func(address string, own, part bool) {
		v := &visit{Key: visitKey(entry, address), Source: s.url, URL: address, Part: part, Found: now}
		if own {
			v.Entry, v.Published = entry, e.When()
		}
		list = append(list, v)
	}
	if e.Link != "" && s.set.visits() {
		add(e.Link, true, false)
	}
	if s.set.Comments {
		for _, c := range e.Comments {
			if c != e.Link {
				add(c, false, false)
			}
		}
	}
	if s.set.Enclosures && !known {
		for _, c := range e.Enclosures {
			add(c, false, true)
		}
	}
	return list
}

// queueAll queues visits before it stores entries as known, so that no known entry lacks its visit.
func (f *poller) queueAll(ctx context.Context, n news) error {
	batch := f.store.Batch(context.WithoutCancel(ctx))
	defer batch.Cancel()
	for _, v := range n.visits {
		if err := kv.SetJSON(batch, v.Key, v); err != nil {
			return err
		}
	}
	if err := batch.Flush(); err != nil {
		return err
	}
	f.mu.Lock()
	for _, v := range n.visits {
		f.enqueue(v)
	}
	f.mu.Unlock()
	f.wake()
	batch = f.store.Batch(context.WithoutCancel(ctx))
	defer batch.Cancel()
	for _, e := range slices.Concat(n.entries, n.read) {
		if err := kv.SetJSON(batch, e.key, e.known); err != nil {
			return err
		}
	}
	return batch.Flush()
}

// learn records what a document says about its source. f.mu is held.
func (f *poller) learn(s *source, doc *feed.Document, n news, polled bool) {
	now := f.now()
	if s.Asked.IsZero() {
		for _, at := range n.events { // the first document shows all that was published since its oldest entry
			if s.Rate.Until.IsZero() || at.Before(s.Rate.Until) {
				s.Rate.Until = at
			}
		}
		n.unsaid = false
	}
	if n.unsaid {
		n.events = append(n.events, s.Asked.Add(now.Sub(s.Asked)/2))
	}
	s.Rate.Observe(now, n.events)
	isNew := len(n.entries) > 0
	if isNew {
		s.News = now
		s.Entries += int64(n.fresh)
	}
	s.Title, s.Format, s.Site, s.Hints = doc.Title, doc.Format, doc.Site, doc.Hints
	if len(doc.Entries) > 0 {
		s.Top = doc.Entries[0].ID
	}
	s.Failed, s.Problem = 0, ""
	if !polled {
		return
	}
	if isNew {
		s.Useful++
		f.totals.Useful++
		s.Push.Late(now, s.Asked)
	}
	s.Asked = now
	f.schedule(s, isNew)
}
