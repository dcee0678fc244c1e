package crawl

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/varve-archive/varve/crawl/frontier"
	"github.com/varve-archive/varve/warc"
	"github.com/varve-archive/varve/warc/write"
)

// recover finishes the files that were being written when the crawl was killed. An answer may have been written just before
// its item could be taken out of the queue: the item is taken out now, so that no answer is written twice.
func (c *Crawl) recover(ctx context.Context) error {
	mended, err := write.Mend(ctx, c.cfg.Dir, c.set.Name)
	if err != nil {
		return err
	}
	last, err := c.lastFinished()
	if err != nil {
		return err
	}
	var paths []string
	for _, m := range mended {
		c.log.Info("mended a file of a crawl that was killed", "file", m.Was, "records", m.Records, "cut", m.Cut)
		if m.Path == "" {
			continue
		}
		paths = append(paths, m.Path)
	}
	if len(mended) > 0 && last != "" && !slices.Contains(paths, last) { // another thread may have begun the next file meanwhile
		paths = append(paths, last)
	}
	for _, path := range paths {
		if err := c.reread(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// lastFinished returns the newest complete file of the crawl that isn't the last one by name, which may have been mended.
func (c *Crawl) lastFinished() (string, error) {
	files, err := write.Finished(c.cfg.Dir, c.set.Name)
	if err != nil {
		return "", err
	}
	if len(files) < 2 {
		return "", nil
	}
	return files[len(files)-2], nil // the last one may have been mended
}

// reread takes what a file has out of the queue.
func (c *Crawl) reread(ctx context.Context, path string) error {
	f, err := warc.Local{}.Open(ctx, path)
	if err != nil {
		return err
	}
	defer f.Close()
	begun := c.front.Begun().Truncate(time.Second) // what is older is of another crawl
	for rec, err := range warc.Scan(ctx, f, path, 0) {
		var damage *warc.Damage
		if errors.As(err, &damage) {
			continue
		} else if err != nil {
			return err
		}
		if rec.Type != "response" && rec.Type != "revisit" || rec.Date.Time().Before(begun) {
			continue
		}
		if err := c.wasWritten(ctx, rec); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// wasWritten takes an item out of the queue whose answer was written, unless it is there for another address of the same key.
func (c *Crawl) wasWritten(ctx context.Context, rec *warc.Record) error {
	m, err := warc.ParseHead(rec.Block)
	if err != nil || m.Status == 0 {
		return nil // it will be asked for again
	}
	for _, key := range []string{keyOf(rec.TargetURI), ownKey(rec.TargetURI)} {
		item, ok, err := c.front.Queued(ctx, key)
		if err != nil {
			return err
		}
		if ok && item.URL == rec.TargetURI {
			return c.front.Done(ctx, item, frontier.Answer{Status: m.Status, Bytes: rec.ContentLength})
		}
	}
	return nil
}
