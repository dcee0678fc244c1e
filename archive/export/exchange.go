package export

import (
	"context"
	"errors"
	"slices"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// originOf returns the capture of a collection that a revisit refers to, nil if readers may not see it or no capture of its URI-R is listed
// there.
func originOf(ctx context.Context, s *archive.Archive, coll string, c *cdx.Capture) (*cdx.Capture, error) {
	rec, err := s.StoredBody(ctx, c)
	if err != nil {
		return nil, err
	}
	span := cdx.Span{Coll: coll, From: surt.Of(rec.TargetURI), Exact: true, Since: rec.Date, Until: rec.Date}
	_ = rec.Close()
	for o, err := range s.Index.Captures(ctx, span) {
		switch {
		case err != nil:
			return nil, err
		case o.File != c.Origin.File || o.Offset != c.Origin.Offset:
		case s.Index.Decide(o).Access == access.Allow:
			found := *o
			return &found, nil
		}
	}
	return nil, nil
}

// maxBeside bounds the records of an exchange that are searched on each side of a response.
const maxBeside = 3

// recordsBeside returns the positions of the records that the crawler wrote next to a capture's record for the same exchange: its request,
// and metadata. They are in the order of the file. rec is the capture's record, read to its end.
func recordsBeside(ctx context.Context, records archive.Records, c *cdx.Capture, rec *warc.Record) ([]cdx.Location, error) {
	of, in := exchangeOf(rec), neighbours{records}
	before, err := in.beside(ctx, c.File, rec, &of, in.previous)
	if err != nil {
		return nil, err
	}
	after, err := in.beside(ctx, c.File, rec, &of, in.next)
	slices.Reverse(before)
	return append(before, after...), err
}

// An exchange identifies the records of one request and its response.
type exchange struct {
	id, uri    string
	date       cdx.Timestamp
	concurrent []string
}

func exchangeOf(rec *warc.Record) exchange {
	h := rec.Header
	return exchange{
		h.Get("WARC-Record-ID"), rec.TargetURI, rec.Date, append(h.All("WARC-Concurrent-To"), h.All("WARC-Refers-To")...),
	}
}

// has reports whether another record belongs to the exchange. If neither names the other, URI and second decide.
func (e *exchange) has(rec *warc.Record) bool {
	if rec.Type != "request" && rec.Type != "metadata" {
		return false
	}
	o := exchangeOf(rec)
	if slices.Contains(o.concurrent, e.id) && e.id != "" || slices.Contains(e.concurrent, o.id) && o.id != "" {
		return true
	}
	return len(o.concurrent) == 0 && rec.Type == "request" && o.uri == e.uri && o.date == e.date
}

// neighbours finds adjacent records.
type neighbours struct{ archive.Records }

// A step returns the adjacent record on one side.
type step func(ctx context.Context, file cdx.FileID, rec *warc.Record) (*warc.Record, error)

// beside returns the positions of the records of an exchange on one side of its response, the nearest first.
func (s neighbours) beside(
	ctx context.Context, file cdx.FileID, rec *warc.Record, of *exchange, next step,
) (found []cdx.Location, err error) {
	at := rec
	for range maxBeside {
		near, err := next(ctx, file, at)
		if at != rec {
			_ = at.Close()
		}
		if err != nil || near == nil {
			return found, err
		}
		if at = near; !of.has(near) {
			break
		}
		found = append(found, cdx.Location{File: file, Offset: near.Offset, Length: near.Length})
	}
	if at != rec {
		_ = at.Close()
	}
	return found, nil
}

// gapAfter is the length of the line ends after an uncompressed record.
const gapAfter = int64(len("\r\n\r\n"))

// next opens the complete record after rec, nil if there is none.
func (s neighbours) next(ctx context.Context, file cdx.FileID, rec *warc.Record) (*warc.Record, error) {
	end := rec.Offset + rec.Length
	if rec.Packed() {
		return s.whole(ctx, file, end)
	}
	return s.whole(ctx, file, end+gapAfter)
}

// previous opens the complete record that ends where rec begins, nil if there is none nearby.
func (s neighbours) previous(ctx context.Context, file cdx.FileID, rec *warc.Record) (*warc.Record, error) {
	offsets, err := rec.Before()
	if err != nil {
		return nil, err
	}
	for _, offset := range offsets {
		near, err := s.whole(ctx, file, offset)
		if err != nil {
			return nil, err
		}
		if near == nil {
			continue
		}
		end := near.Offset + near.Length
		if end == rec.Offset || !near.Packed() && end+gapAfter == rec.Offset {
			return near, nil
		}
		_ = near.Close()
	}
	return nil, nil
}

// whole opens a record and reads it to its end, nil if there is none at the offset or it is damaged.
func (s neighbours) whole(ctx context.Context, file cdx.FileID, offset int64) (*warc.Record, error) {
	rec, err := s.Record(ctx, cdx.Location{File: file, Offset: offset})
	if err == nil {
		if _, err = rec.Finish(); err == nil {
			return rec, nil
		}
		_ = rec.Close()
	}
	if _, ok := errors.AsType[*warc.Damage](err); ok {
		return nil, nil
	}
	return nil, err
}
