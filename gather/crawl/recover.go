package crawl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/crawl/frontier"
)

// A recovery removes from the frontier what an earlier process wrote.
type recovery struct{ *Crawl }

// recover finishes the files that a killed process left open, and makes the frontier agree with them. If an answer was written just
// before its item could leave the queue, recover removes the item, so that no answer is written twice. If other processes, which
// could not see that answer, have written it meanwhile, recover removes it from the file. A power loss may have truncated a file:
// recover queues items again that are done but whose answers are missing.
func (c recovery) recover(ctx context.Context) error {
	state, err := c.front.State(ctx)
	if err != nil {
		return err
	}
	unsettled, err := c.front.Unsettled(ctx)
	if err != nil {
		return err
	}
	missing := map[string]frontier.Written{} // by file and address
	for _, w := range unsettled {
		missing[w.Answer.File+" "+w.Item.URL] = w
	}
	var repeated []string
	reread := func(path string) ([]string, error) {
		found, err := c.reread(ctx, path, state.Begun)
		for _, address := range found {
			delete(missing, write.FinalName(path)+" "+address)
		}
		return found, err
	}
	read := func(path string) ([]string, error) {
		found, err := reread(path)
		if err != nil {
			return nil, err
		}
		out, keys, err := c.repeated(ctx, found)
		repeated = append(repeated, keys...)
		return out, err
	}
	mended, err := write.Mending{Dir: c.cfg.Dir, Name: c.set.Name, Repeated: read}.Run(ctx)
	if err != nil {
		return err
	}
	writing, err := write.Writing(c.cfg.Dir, c.set.Name)
	if err != nil {
		return err
	}
	if err := c.front.Mended(ctx, repeated, writing); err != nil {
		return err
	}
	unsettled = slices.DeleteFunc(unsettled, func(w frontier.Written) bool { return c.isOpen(w.Answer.File) })
	paths, err := c.uncertain(ctx, mended, unsettled)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if _, err := reread(path); err != nil {
			return err
		}
	}
	return c.settle(ctx, unsettled, missing)
}

// repeated returns the addresses of a file's answers that other processes wrote as well, and their keys.
func (c recovery) repeated(ctx context.Context, found []string) (addresses, keys []string, err error) {
	all, err := c.front.Repeated(ctx)
	if err != nil || len(all) == 0 {
		return nil, nil, err
	}
	for _, address := range found {
		for _, key := range []string{keyOf(address), exactKey(address), ownKey(address)} {
			if slices.Contains(all, key) {
				c.log.Info("others have written an answer that was written here just before its process died", "url", address)
				addresses, keys = append(addresses, address), append(keys, key)
			}
		}
	}
	return addresses, keys, nil
}

// isOpen reports whether a file is still being written, i.e. its process is alive.
func (c recovery) isOpen(name string) bool {
	_, err := os.Stat(filepath.Join(c.cfg.Dir, name+".open"))
	return err == nil
}

// settle tells the frontier which answers are in their files and which are lost.
func (c recovery) settle(ctx context.Context, unsettled []frontier.Written, missing map[string]frontier.Written) error {
	var kept, lost []frontier.Written
	for _, w := range unsettled {
		if _, gone := missing[w.Answer.File+" "+w.Item.URL]; gone {
			lost = append(lost, w)
		} else {
			kept = append(kept, w)
		}
	}
	if len(lost) > 0 {
		c.log.Warn("answers did not get to the disk and are asked for again", "answers", len(lost), "first", lost[0].Item.URL)
	}
	return c.front.Settle(ctx, kept, lost)
}

// uncertain returns complete files that may disagree with the frontier.
func (c recovery) uncertain(ctx context.Context, mended []write.RepairedFile, unsettled []frontier.Written) (paths []string, err error) {
	read := map[string]bool{"": true}
	for _, m := range mended {
		c.log.Info("mended a file of a crawl that was killed", "file", m.Was, "records", m.Records, "cut", m.Cut)
		read[m.Path] = true
	}
	before, err := c.finishedBefore(ctx, mended)
	if err != nil {
		return nil, err
	}
	for _, w := range unsettled {
		before = append(before, w.Answer.File)
	}
	for _, name := range before {
		path, err := c.complete(ctx, name)
		if err != nil {
			return nil, err
		}
		if !read[path] {
			read[path] = true
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// complete returns the path of a complete file, or "".
func (c recovery) complete(ctx context.Context, name string) (string, error) {
	path := filepath.Join(c.cfg.Dir, name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if c.cfg.Moved == nil {
		return "", nil
	}
	return c.cfg.Moved.Find(ctx, name)
}

// finishedBefore returns the complete files that the writers of the mended ones had written before. Another thread may have opened
// the mended file before the frontier recorded an earlier answer.
func (c recovery) finishedBefore(ctx context.Context, mended []write.RepairedFile) (names []string, err error) {
	if len(mended) == 0 {
		return nil, nil
	}
	files, err := c.finished(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range mended {
		was, before := write.FinalName(m.Was), ""
		for _, f := range files {
			if write.SameWriter(f, was) && f < was {
				before = max(before, f)
			}
		}
		if before != "" {
			names = append(names, before)
		}
	}
	return names, nil
}

// finished returns the names of all complete files, wherever they are.
func (c recovery) finished(ctx context.Context) (names []string, err error) {
	files, err := write.Finished(c.cfg.Dir, c.set.Name)
	for _, f := range files {
		names = append(names, filepath.Base(f))
	}
	if err != nil || c.cfg.Moved == nil {
		return names, err
	}
	moved, err := c.cfg.Moved.Names(ctx)
	return append(names, moved...), err
}

// reread removes the answers in a file from the queue, and returns their addresses.
func (c recovery) reread(ctx context.Context, path string, begun time.Time) (found []string, err error) {
	f, err := c.cfg.Storage.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	begun = begun.Truncate(time.Second) // older answers belong to another crawl
	var last writtenAnswer              // the request record follows the response
	for rec, err := range warc.Scan(ctx, f, path, 0) {
		if _, ok := errors.AsType[*warc.Damage](err); ok {
			continue
		} else if err != nil {
			return nil, err
		}
		switch {
		case rec.Date.Time().Before(begun):
		case rec.Type == "response" || rec.Type == "revisit":
			if err := c.wasWritten(ctx, last, write.FinalName(path)); err != nil {
				return nil, err
			}
			found = last.foundIn(found)
			last = answerOf(rec)
		case rec.Type == "request" && rec.TargetURI == last.uri:
			last.asked(rec)
		}
	}
	return last.foundIn(found), errors.Join(c.wasWritten(ctx, last, write.FinalName(path)), ctx.Err())
}

// foundIn appends the address of an answer, unless its request had a body: then it doesn't answer a plain request for the address.
func (a *writtenAnswer) foundIn(others []string) []string {
	if a.uri == "" || a.sent != "" {
		return others
	}
	return append(others, a.uri)
}

type writtenAnswer struct {
	uri    string
	status int // 0 if it can't be read; then it is requested again
	bytes  int64
	sent   string // key of the request with its body, "" without one
}

func answerOf(rec *warc.Record) writtenAnswer {
	a := writtenAnswer{uri: rec.TargetURI, bytes: rec.ContentLength}
	if m, err := warc.ParseHead(rec.Block); err == nil {
		a.status = m.Status
	}
	return a
}

// asked reads the request of an answer. A request with a body doesn't count for requests without one.
func (a *writtenAnswer) asked(rec *warc.Record) {
	r := bufio.NewReader(rec.Block)
	line, _ := r.Peek(32) // no method is longer
	method, _, ok := strings.Cut(string(line), " ")
	if !ok || method == http.MethodGet {
		return
	}
	a.sent = keyOf(a.uri) + " " + method
	if m, err := warc.ParseHead(r); err == nil {
		if body, err := io.ReadAll(io.LimitReader(warc.Body(m, r), maxSent+1)); err == nil && len(body) <= maxSent {
			a.sent = sentKey(a.uri, method, body)
		}
	}
}

// wasWritten removes the item of an answer from the queue, unless it is queued for another address with the same key.
func (c recovery) wasWritten(ctx context.Context, a writtenAnswer, file string) error {
	if a.status == 0 {
		return nil
	}
	if a.sent != "" {
		return c.front.Count(ctx, frontier.Item{Key: a.sent, URL: a.uri, Kind: frontier.Part}, frontier.Answer{
			Status: a.status, Bytes: a.bytes, File: file,
		})
	}
	for _, key := range []string{keyOf(a.uri), exactKey(a.uri), ownKey(a.uri)} {
		item, ok, err := c.front.Queued(ctx, key)
		if err != nil {
			return err
		}
		if ok && item.URL == a.uri {
			_, err := c.front.Done(ctx, item, frontier.Answer{Status: a.status, Bytes: a.bytes, File: file})
			return err
		}
	}
	return nil
}
