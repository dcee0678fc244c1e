package crawl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx/surt"
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
	var last writtenAnswer                         // whose request is to come
	for rec, err := range warc.Scan(ctx, f, path, 0) {
		var damage *warc.Damage
		if errors.As(err, &damage) {
			continue
		} else if err != nil {
			return err
		}
		switch {
		case rec.Date.Time().Before(begun):
		case rec.Type == "response" || rec.Type == "revisit":
			if err := c.wasWritten(ctx, last); err != nil {
				return err
			}
			last = answerOf(rec)
		case rec.Type == "request" && rec.TargetURI == last.uri:
			last.asked(rec)
		}
	}
	return errors.Join(c.wasWritten(ctx, last), ctx.Err())
}

// A writtenAnswer is one that a file has.
type writtenAnswer struct {
	uri    string
	status int // 0 if it can't be read: then it is asked for again
	bytes  int64
	sent   string // the key of what was sent, "" if it only was asked for
}

func answerOf(rec *warc.Record) writtenAnswer {
	a := writtenAnswer{uri: rec.TargetURI, bytes: rec.ContentLength}
	if m, err := warc.ParseHead(rec.Block); err == nil {
		a.status = m.Status
	}
	return a
}

// asked reads the request that led to an answer. One that sent something is no answer to those that only ask for its address.
func (a *writtenAnswer) asked(rec *warc.Record) {
	r := bufio.NewReader(rec.Block)
	line, err := r.Peek(len("OPTIONS "))
	method, _, ok := strings.Cut(string(line), " ")
	if err != nil || !ok || method == http.MethodGet {
		return
	}
	a.sent = keyOf(a.uri) + " " + method
	if m, err := warc.ParseHead(r); err == nil {
		if body, err := io.ReadAll(io.LimitReader(warc.Body(m, r), longestSent+1)); err == nil && len(body) <= longestSent {
			a.sent = sentKey(a.uri, method, body)
		}
	}
}

// wasWritten takes an item out of the queue whose answer was written, unless it is there for another address of the same key.
func (c *Crawl) wasWritten(ctx context.Context, a writtenAnswer) error {
	if a.status == 0 {
		return nil
	}
	if a.sent != "" {
		return c.front.Count(ctx, frontier.Item{Key: a.sent, URL: a.uri, Kind: frontier.Part}, frontier.Answer{Status: a.status, Bytes: a.bytes})
	}
	for _, key := range []string{keyOf(a.uri), surt.Of(a.uri), ownKey(a.uri)} {
		item, ok, err := c.front.Queued(ctx, key)
		if err != nil {
			return err
		}
		if ok && item.URL == a.uri {
			return c.front.Done(ctx, item, frontier.Answer{Status: a.status, Bytes: a.bytes})
		}
	}
	return nil
}
