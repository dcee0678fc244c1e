package requests

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/fuzzy"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// Body is [Fuzzy] for a request whose body keys have as bytes: it returns the capture nearest to ts whose request differed only in the
// times in it.
func Body(
	ctx context.Context, a *archive.Archive, coll, key string, body []byte, ts cdx.Timestamp,
) (*timeline.Timeline, *cdx.Capture, error) {
	b := fuzzy.BytesOf(key, body)
	if b == nil {
		return nil, nil, nil
	}
	s := finder{a}
	keys, err := s.keysOf(ctx, coll, b.Span())
	if err != nil {
		return nil, nil, err
	}
	var bestLine *timeline.Timeline
	var best *cdx.Capture
	for _, k := range keys {
		tl, err := s.Timelines.Get(ctx, coll, k)
		if err != nil {
			return nil, nil, err
		}
		c, err := s.nearestAlike(ctx, b, tl, ts)
		if err != nil {
			return nil, nil, err
		}
		if c != nil && (best == nil || better(ts, c, best)) {
			bestLine, best = tl, c
		}
	}
	return bestLine, best, nil
}

func (s finder) keysOf(ctx context.Context, coll string, span fuzzy.Span) (keys []string, err error) {
	for k, err := range s.Index.Keys(ctx, coll, span.From, span.To) {
		if err != nil {
			return nil, err
		}
		if keys = append(keys, k); len(keys) == span.Most {
			break
		}
	}
	return keys, nil
}

// nearestAlike returns the nearest usable capture of tl whose request differs from b only in times.
func (s finder) nearestAlike(ctx context.Context, b *fuzzy.Bytes, tl *timeline.Timeline, ts cdx.Timestamp) (*cdx.Capture, error) {
	for c, err := range memento.Preferred(ts, tl.Closest(ts)) {
		if err != nil {
			return nil, err
		}
		if timeline.Usable(c) && s.sentAlike(ctx, b, c) && !s.Timelines.IsLost(ctx, c) {
			return c, nil
		}
	}
	return nil, nil
}

// sentAlike reports whether the request of a capture differs from b only in times. If the key leaves that open, the request's record is
// read.
func (s finder) sentAlike(ctx context.Context, b *fuzzy.Bytes, c *cdx.Capture) bool {
	like := b.Like(c.Key, c.Time.Time())
	if like != fuzzy.Perhaps {
		return like == fuzzy.Same
	}
	r, err := Of(ctx, s.Archive, c)
	return err == nil && r != nil && b.SameAs(r.Body, c.Time.Time())
}

// betweenRecords are the line ends after a record that isn't compressed (ISO 28500:2017 §4).
const betweenRecords = 4

// Of reads the request of a capture from the record after the response, where most crawlers write it. It is nil if another record is there.
func Of(ctx context.Context, a *archive.Archive, c *cdx.Capture) (*fuzzy.Request, error) {
	response, err := a.Records.Record(ctx, c.Location)
	if err != nil {
		return nil, err
	}
	id := response.Header.Get("WARC-Record-ID")
	_ = response.Close()
	next := cdx.Location{File: c.File, Offset: c.Offset + c.Length}
	rec, err := a.Records.Record(ctx, next)
	if err != nil {
		next.Offset += betweenRecords
		rec, err = a.Records.Record(ctx, next)
	}
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	to := rec.Header.Get("WARC-Concurrent-To")
	if rec.Type != "request" || rec.TargetURI != c.URL || !slices.Contains([]string{id, ""}, to) {
		return nil, nil
	}
	m, err := warc.ParseHead(rec.Block)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(warc.Body(m, rec.Block), MaxBody))
	if err != nil {
		return nil, err
	}
	return &fuzzy.Request{URIR: rec.TargetURI, Method: strings.ToUpper(m.Method), Type: m.Header.Get("Content-Type"), Body: body}, nil
}

// MaxBody bounds the bytes of a request's body that are compared.
const MaxBody = 4 << 20
