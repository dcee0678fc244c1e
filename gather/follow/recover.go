package follow

import (
	"context"
	"errors"
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/follow/feed"
)

// recover finishes the files that a killed process left open. A page may have been written just before its visit could be taken out
// of the queue; recover removes the visit, so that no page is written twice.
func (f *Follower) recover(ctx context.Context) error {
	mended, err := write.Mend(ctx, f.cfg.Dir, f.set.Name)
	if err != nil {
		return err
	}
	for _, m := range mended {
		f.log.Info("mended a file of a process that was killed", "file", m.Was, "records", m.Records, "cut", m.Cut)
		f.dirty.Store(true)
		if m.Path == "" {
			continue
		}
		answers, err := f.answersIn(ctx, m.Path)
		if err != nil {
			return err
		}
		for _, v := range append([]*visit(nil), f.queue...) {
			if answers.has(v) {
				f.unqueue(v)
				if err := f.drop(ctx, v); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// An answer is a response in a WARC file.
type answer struct {
	at       time.Time
	location string // "" unless it is a redirect
}

type answers map[string]answer

// has reports whether the answers include the page of a visit, at the end of its redirects.
func (a answers) has(v *visit) bool {
	at := v.URL
	for range maxHops + 1 {
		found, ok := a[at]
		if !ok || found.at.Before(v.Found.Truncate(time.Second)) {
			return false
		}
		if found.location == "" {
			return true
		}
		at = found.location
	}
	return false
}

func (f *Follower) answersIn(ctx context.Context, path string) (answers, error) {
	file, err := f.cfg.Storage.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all := answers{}
	for rec, err := range warc.Scan(ctx, file, path, 0) {
		if _, ok := errors.AsType[*warc.Damage](err); ok {
			continue
		} else if err != nil {
			return nil, err
		}
		if rec.Type != "response" && rec.Type != "revisit" {
			continue
		}
		m, err := warc.ParseHead(rec.Block)
		if err != nil {
			continue
		}
		a := answer{at: rec.Date.Time()}
		if m.Status >= 300 && m.Status <= 399 {
			if a.location, err = feed.Resolve(rec.TargetURI, m.Header.Get("Location")); err != nil {
				continue
			}
		}
		all[rec.TargetURI] = a
	}
	return all, ctx.Err()
}
