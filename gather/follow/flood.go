package follow

import (
	"context"
	"fmt"
	"time"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/gather/follow/feed"
)

const (
	// maxNewPerDay is the number of new entries a day that makes a source suspicious; maxSimilarity is the average similarity of entries from
	// which on it is worthless.
	maxNewPerDay  = 1000
	maxSimilarity = 0.6
	// comparedEntries is the number of entries that are compared, each with the next.
	comparedEntries = 60
)

// floods suspends a source that publishes a flood of similar entries, and reports whether it did.
func (f *poller) floods(s *source, doc *feed.Document, isNew int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.Asked.IsZero() || s.kind != kindFeed { // entries at the first poll are no flood, and a list has only addresses to compare
		return false
	}
	if day := f.now().UTC().Format(time.DateOnly); s.Day != day {
		s.Day, s.Fresh = day, 0
	}
	if s.Fresh += isNew; s.Fresh <= maxNewPerDay {
		return false
	}
	likeness := likenessOf(doc.Entries)
	if likeness < maxSimilarity {
		return false
	}
	s.Aside = fmt.Sprintf("it had %d new entries on %s, which are alike by %.0f %%", s.Fresh, s.Day, likeness*100)
	f.log.Warn("a source is set aside", "source", s.url, "why", s.Aside)
	return true
}

// likenessOf returns the average similarity of neighbouring entries, from 0 to 1, by their shared word sequences.
func likenessOf(entries []feed.Entry) float64 {
	var x visible.Extractor
	var before []uint64
	var sum float64
	n := 0
	for i, e := range entries[:min(len(entries), comparedEntries)] {
		text := x.Extract([]byte("<!DOCTYPE html><title>"+e.Title+"</title><p>"+e.Title+"</p>"+e.Text), "text/html; charset=utf-8")
		shingles := sketch.Shingles(&text)
		if i > 0 {
			sum += sketch.Jaccard(before, shingles)
			n++
		}
		before = shingles
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// TakeBack resumes a suspended source.
func (f *Follower) TakeBack(ctx context.Context, address string) error {
	f.mu.Lock()
	s := f.byURL[address]
	if s == nil {
		f.mu.Unlock()
		return fmt.Errorf("%s is none of the sources", address)
	}
	if s.Aside == "" {
		f.mu.Unlock()
		return fmt.Errorf("%s is not set aside", address)
	}
	s.Aside, s.Fresh, s.Next = "", 0, f.now()
	f.mu.Unlock()
	if err := f.remember(ctx, s); err != nil || f.cfg.Status == "" {
		return err
	}
	return f.cfg.Status.Write(f.Status())
}
