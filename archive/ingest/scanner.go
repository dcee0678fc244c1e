package ingest

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// pairReach is how many records may lie between a request and its response. Crawlers write the two side by side.
const pairReach = 8

func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// A scanner indexes the records of one file.
type scanner struct {
	*run
	job    *job
	writer *index.Writer

	pdf       func(body []byte) (string, error)
	stored    func(text uint64) (bool, error) // whether the index has a text's sketch, which is deleted with the text's last file
	extractor visible.Extractor
	body      []byte
	decoded   []byte                  // the current body without its content coding
	sketch    []byte                  // of the current text, as stored
	bodies    map[xxh3.Uint128]uint64 // by hash of the body: texts found in this file
	written   map[uint64]bool         // texts whose sketches were written for this file

	places map[uint64]int64                                  // of captures, by hash of their WARC-Record-ID
	at     func(offset int64) (uri string, at cdx.Timestamp) // reads a capture's record again; "" if it can't be read

	recent   []*pairing // the last records that still lack a counterpart
	lastGood int64      // end of the last record that was read completely
}

// A pairing is a capture or request that waits for its counterpart.
type pairing struct {
	id, uri string
	to      []string // WARC-Concurrent-To
	date    cdx.Timestamp
	capture *cdx.Capture // nil for a request
	key     string       // of a request: the urlkey with its method and body, "" for a GET
	paired  bool
}

func pairingOf(rec *warc.Record) *pairing {
	p := &pairing{id: strings.Clone(rec.Header.Get("WARC-Record-ID")), uri: strings.Clone(rec.TargetURI), date: rec.Date}
	for _, id := range rec.Header.All("WARC-Concurrent-To") {
		p.to = append(p.to, strings.Clone(id))
	}
	return p
}

// linked reports whether one of two records names the other.
func (p *pairing) linked(q *pairing) bool {
	return p.id != "" && slices.Contains(q.to, p.id) || q.id != "" && slices.Contains(p.to, q.id)
}

// beside reports whether two records without links are of one URI-R.
func (p *pairing) beside(q *pairing) bool { return len(p.to) == 0 && len(q.to) == 0 && p.uri == q.uri }

// with pairs a request and a response.
func (p *pairing) with(q *pairing) {
	p.paired, q.paired = true, true
	if p.capture == nil {
		p, q = q, p
	}
	if q.key != "" {
		p.capture.Key = q.key
	}
}

// records reads the file to its end. Its errors are those of the file or, as [indexError], of the index.
func (s *scanner) records(ctx context.Context, f warc.File) error {
	s.bodies, s.written, s.places = map[xxh3.Uint128]uint64{}, map[uint64]bool{}, map[uint64]int64{}
	s.at = func(offset int64) (string, cdx.Timestamp) {
		for rec, err := range warc.Scan(ctx, f, s.job.file.Path, offset) {
			if err == nil {
				return rec.TargetURI, rec.Date
			}
			break
		}
		return "", 0
	}
	s.pdf = func(body []byte) (string, error) {
		if s.PDF == nil {
			return "", nil
		}
		return s.PDF(ctx, body)
	}
	s.stored = func(text uint64) (bool, error) {
		if text == 0 { // a body known to have no text
			return true, nil
		}
		return s.Index.Texts().Has(ctx, text)
	}
	counted := s.job.from
	count := func(to int64) { s.progress.Bytes.Add(to - counted); counted = to }
	for rec, err := range warc.Scan(ctx, f, s.job.file.Path, s.job.from) {
		if err != nil {
			if err := s.damage(err); err != nil {
				return err
			}
			continue
		}
		s.job.file.Records++
		if err := s.record(rec); err != nil {
			return err
		}
		count(rec.Offset + rec.Length)
	}
	count(f.Size())
	if err := s.flushPairs(0); err != nil {
		return err
	}
	s.job.file.Size, s.job.file.Scanned = f.Size(), f.Size()
	s.job.file.Resume = max(s.lastGood, s.job.from)
	return nil
}

// damage reports damage. It returns any other error, which ends the file.
func (s *scanner) damage(err error) error {
	var d *warc.Damage
	if !errors.As(err, &d) || errors.Is(err, warc.ErrNotRecordCompressed) && d.Offset == 0 {
		return err
	}
	s.job.file.Damaged++
	s.report(Problem{File: s.job.file.Path, Offset: d.Offset, Reason: d.Reason})
	return nil
}

func (s *scanner) record(rec *warc.Record) error {
	c, request, readErr := s.read(rec)
	if _, ok := errors.AsType[*indexError](readErr); ok {
		return readErr
	}
	_, cut := io.Copy(io.Discard, rec.Block)
	length, err := rec.Finish()
	if err == nil {
		s.lastGood = rec.Offset + length
	} else if c == nil || readErr != nil {
		return nil // the scan yields this damage next
	} else if cut != nil || errors.Is(err, io.ErrUnexpectedEOF) { // the rest can be shown, but complete captures are preferred
		c.Truncated = true
	}
	if readErr != nil {
		s.job.file.Damaged++
		s.report(Problem{File: s.job.file.Path, Offset: rec.Offset, Reason: readErr.Error()})
		return nil
	}
	if c == nil && rec.Type != "request" {
		return nil
	}
	p := pairingOf(rec)
	p.key, p.capture = request, c
	if c != nil {
		c.Length = length
		p.paired = c.Kind == cdx.Metadata // it belongs to no request
	}
	return s.pair(p)
}

// pair pairs a record with its counterpart, or holds it back in case that follows. If one of them names the other, that decides. Otherwise
// the nearest record of the URI-R is taken. A request is paired at once with an earlier response only if both have the same date, because
// its own response may follow.
func (s *scanner) pair(p *pairing) error {
	s.pairBy(p, p.linked)
	s.pairBy(p, func(q *pairing) bool { return p.beside(q) && (p.capture != nil || p.date == q.date) })
	s.recent = append(s.recent, p)
	return s.flushPairs(pairReach)
}

// pairBy pairs a record with the last unpaired one for which fits returns true.
func (s *scanner) pairBy(p *pairing, fits func(*pairing) bool) {
	for _, q := range slices.Backward(s.recent) {
		if !p.paired && !q.paired && (p.capture == nil) != (q.capture == nil) && fits(q) {
			p.with(q)
		}
	}
}

// flushPairs writes captures that have waited long enough, that is, all except the last keep records.
func (s *scanner) flushPairs(keep int) error {
	for len(s.recent) > keep {
		p := s.recent[0]
		s.recent = s.recent[1:]
		c := p.capture
		if c == nil {
			continue
		}
		s.pairBy(p, p.beside)
		switch err := s.writer.Add(c); {
		case errors.Is(err, index.ErrLongKey):
			s.job.file.Damaged++
			s.report(Problem{File: s.job.file.Path, Offset: c.Offset, Reason: "its URI is too long for the index"})
		case err != nil:
			return &indexError{err}
		default:
			s.job.file.Captures++
			s.progress.Captures.Add(1)
		}
	}
	return nil
}
