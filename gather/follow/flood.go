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
	// flood is how many new entries a day make a source suspicious, and alike how similar its entries are on average if it is worthless.
	flood = 1000
	alike = 0.6
	// compared is how many entries are compared, each with the next.
	compared = 60
)

// floods sets a source aside that brings more and more of the same, and reports whether it did.
func (f *poller) floods(s *source, doc *feed.Document, isNew int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.Asked.IsZero() || s.kind != kindFeed { // what was there before is no flood; a list says nothing but addresses
		return false
	}
	if day := f.now().UTC().Format(time.DateOnly); s.Day != day {
		s.Day, s.Fresh = day, 0
	}
	if s.Fresh += isNew; s.Fresh <= flood {
		return false
	}
	likeness := likenessOf(doc.Entries)
	if likeness < alike {
		return false
	}
	s.Aside = fmt.Sprintf("it had %d new entries on %s, which are alike by %.0f %%", s.Fresh, s.Day, likeness*100)
	f.log.Warn("a source is set aside", "source", s.url, "why", s.Aside)
	return true
}

// likenessOf returns how similar entries are to their neighbours on average, from 0 to 1, by the words in a row that they share.
func likenessOf(entries []feed.Entry) float64 {
	var x visible.Extractor
	var before []uint64
	var sum float64
	n := 0
	for i, e := range entries[:min(len(entries), compared)] {
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

// TakeBack has a source asked again that was set aside.
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
