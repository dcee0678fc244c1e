package follow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/follow/feed"
	"github.com/varve-archive/varve/gather/politeness"
)

type poller struct{ *web }

func (f *poller) poll(ctx context.Context, s *source) {
	err := f.pollNow(ctx, s)
	switch {
	case err == nil, ctx.Err() != nil, errors.Is(err, errBudget):
		return // it was not requested, so it stays due
	case f.problem() != nil:
		return
	}
	if wait, rests := f.rest(err); rests { // the host asked another request to wait
		f.mu.Lock()
		s.Next = f.now().Add(wait)
		f.mu.Unlock()
		return
	}
	wait := time.Duration(0)
	var refused *statusError
	if errors.As(err, &refused) {
		wait = refused.wait
	}
	f.mu.Lock()
	f.problems++
	s.Asked, s.Problem = f.now(), err.Error()
	f.backOff(s, wait)
	switch {
	case errors.Is(err, errRobots), errors.Is(err, client.ErrPrivate):
		f.totals.Refused++
		s.Next = later(s.Next, f.now().Add(24*time.Hour))
	case refused != nil && refused.status == http.StatusGone:
		s.Next = later(s.Next, f.now().Add(rareInterval))
	}
	f.mu.Unlock()
	f.log.Warn("a source failed", "source", s.url, "error", err)
	_ = f.fatal(f.remember(ctx, s))
}

// A statusError is an answer that isn't a document.
type statusError struct {
	status int
	wait   time.Duration // pause that the host asks for
}

func (e *statusError) Error() string {
	return fmt.Sprintf("status %d %s", e.status, http.StatusText(e.status))
}

// refusal returns an error if an answer isn't a document.
func (f *web) refusal(e *client.Exchange) error {
	if e.Status < 400 && e.Status != http.StatusNotModified {
		return nil
	}
	wait, _ := politeness.RetryAfter(e.Header.Get("Retry-After"), f.now())
	return &statusError{e.Status, min(wait, rareInterval)}
}

func (f *poller) pollNow(ctx context.Context, s *source) error {
	if s.kind == kindPage {
		return f.pollPage(ctx, s)
	}
	all, err := f.askSource(ctx, s)
	if err != nil {
		return err
	}
	defer all.close()
	e := all.last()
	if e.Status == http.StatusNotModified && s.Final != "" {
		f.mu.Lock()
		s.ETag, s.Modified = validators(e.Header, s.ETag, s.Modified)
		f.mu.Unlock()
		return f.nothing(ctx, s)
	}
	if err := f.refusal(e); err != nil {
		return err
	}
	body, err := whole(e, feed.MaxBytes)
	if err != nil {
		return err
	}
	digest := digestOf(body)
	if digest == s.Digest {
		f.writing.RLock()
		defer f.writing.RUnlock()
		if err := f.writeAll(ctx, all, ""); err != nil { // as a revisit
			return err
		}
		f.note(s, all, digest)
		return f.nothing(ctx, s)
	}
	doc, err := f.read(ctx, s, e, body)
	if err != nil {
		return err
	}
	if doc.Index {
		partly, err := f.readIndex(ctx, s, &doc)
		if err != nil {
			return err
		}
		if partly { // the next poll must read it again, even if it is unchanged
			defer f.forget(ctx, s)
		}
	}
	return f.take(ctx, s, doc, all, digest)
}

// forget makes the next poll read the document of a source even if it is unchanged.
func (f *poller) forget(ctx context.Context, s *source) {
	f.mu.Lock()
	s.ETag, s.Modified, s.Digest = "", "", ""
	f.mu.Unlock()
	_ = f.fatal(f.remember(ctx, s))
}

// askSource requests the document of a source, unless it is unchanged.
func (f *poller) askSource(ctx context.Context, s *source) (chain, error) {
	f.mu.Lock()
	address, etag, modified, final := s.url, s.ETag, s.Modified, s.Final
	if s.Moved != "" && s.Failed == 0 {
		address = s.Moved
	}
	if s.First.IsZero() {
		s.First = f.now()
	}
	f.mu.Unlock()
	all, err := f.get(ctx, f.feeds, address, func(at string) http.Header {
		if at != final {
			return nil
		}
		return conditional(etag, modified)
	})
	f.polled(ctx, s, err)
	return all, err
}

// polled counts a request to a source, unless its error says that it was not made.
func (f *poller) polled(ctx context.Context, s *source, err error) {
	if errors.Is(err, errBudget) || ctx.Err() != nil {
		return
	}
	f.count(func(t *totals) {
		t.Polls++
		t.Allowance.Spend(f.now())
		s.Polls++
	})
}

// whole returns the body of an answer, or an error if it is truncated.
func whole(e *client.Exchange, most int64) ([]byte, error) {
	if e.Truncated != "" {
		return nil, fmt.Errorf("the answer was cut off: %s", map[string]string{
			"length": "it is too long", "time": "it takes too long", "disconnect": "the connection ended", "unspecified": "its body is malformed",
		}[e.Truncated])
	}
	body, err := e.Body(most + 1)
	if err != nil {
		return nil, fmt.Errorf("the answer can't be decoded: %w", err)
	}
	if int64(len(body)) > most {
		return nil, fmt.Errorf("it is longer than %d MB, so it is not read", most>>20)
	}
	return body, nil
}

func digestOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:16])
}

func (f *poller) read(ctx context.Context, s *source, e *client.Exchange, body []byte) (doc feed.Document, err error) {
	contentType := e.ContentType()
	if s.set.Each != "" {
		doc, err = feed.ReadList(ctx, body, contentType, e.URL, s.set.pattern())
		if f.mu.Lock(); errors.Is(err, feed.ErrPattern) && s.Entries > 0 {
			err = fmt.Errorf("the page has changed: %w; it found %d sites before", err, s.Entries)
		}
		f.mu.Unlock()
		return doc, err
	}
	if doc, err = feed.Read(body, contentType, e.URL); errors.Is(err, feed.ErrPage) && s.kind == kindList {
		err = fmt.Errorf("%w: say in each where its sites are", err)
	}
	if doc.Fault != nil {
		f.log.Warn("a source was read without what is faulty", "source", s.url, "entries", len(doc.Entries), "error", doc.Fault)
	}
	return doc, err
}

// nothing records that a source has nothing new.
func (f *poller) nothing(ctx context.Context, s *source) error {
	f.mu.Lock()
	now := f.now()
	s.Asked, s.Failed, s.Problem = now, 0, ""
	s.Rate.Observe(now, nil)
	f.schedule(s, false)
	f.mu.Unlock()
	return f.fatal(f.remember(ctx, s))
}

// note records the answer that is known now.
func (f *poller) note(s *source, all chain, digest string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	e := all.last()
	s.Final, s.ETag, s.Modified, s.Digest = e.URL, e.Header.Get("ETag"), e.Header.Get("Last-Modified"), digest
	if to := all.permanent(); to != "" {
		s.Moved = to
	}
}

func (f *poller) pollPage(ctx context.Context, s *source) error {
	got, err := f.capture(ctx, s.url, "", f.useFor(s))
	f.polled(ctx, s, err)
	switch {
	case err != nil:
		return err
	case got == same:
		return f.nothing(ctx, s)
	}
	f.mu.Lock()
	now, before := f.now(), s.Asked
	if before.IsZero() { // the page existed before it was followed
		s.Rate.Since(now)
	} else {
		s.Rate.Observe(now, []time.Time{before.Add(now.Sub(before) / 2)})
	}
	s.Asked, s.Failed, s.Problem = now, 0, ""
	s.News, s.Entries = now, 1
	s.Useful++
	s.Captured++
	f.totals.Useful++
	f.countNews(got)
	f.schedule(s, true)
	f.mu.Unlock()
	return f.fatal(f.remember(ctx, s))
}
