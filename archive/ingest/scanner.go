package ingest

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/change"
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
	stored    func(text uint64) (bool, error) // whether the index still has a text's sketch; it is removed with its last file
	extractor change.Extractor
	body      []byte
	decoded   []byte                  // body without its content coding
	sketch    []byte                  // of the current text, as stored
	bodies    map[xxh3.Uint128]uint64 // texts of the bodies of this file
	written   map[uint64]bool         // texts whose sketches this file has written

	recent   []pairing // the last records, whose counterparts may still come
	lastGood int64     // end of the last record that was read whole
}

// A pairing is a capture that waits for its request, or a request that waits for its response.
type pairing struct {
	id      string // WARC-Record-ID of a response, WARC-Concurrent-To of a request
	uri     string
	capture *cdx.Capture // nil for a request
	key     string       // of a request: the urlkey that its method and body make
}

// records reads the file to its end. Its errors are the file's or, as [indexError], the index's.
func (s *scanner) records(ctx context.Context, f warc.File) error {
	s.bodies, s.written = map[xxh3.Uint128]uint64{}, map[uint64]bool{}
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
		return s.Index.HasText(ctx, text)
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

// damage reports a damaged place. It returns any other error, which ends the file.
func (s *scanner) damage(err error) error {
	var d *warc.Damage
	if !errors.As(err, &d) || errors.Is(err, warc.ErrNotRecordCompressed) {
		return err
	}
	s.job.file.Damaged++
	s.report(Problem{File: d.File, Offset: d.Offset, Reason: d.Reason})
	return nil
}

func (s *scanner) record(rec *warc.Record) error {
	c, request, readErr := s.read(rec)
	var broken *indexError
	if errors.As(readErr, &broken) {
		return readErr
	}
	_, cut := io.Copy(io.Discard, rec.Block)
	length, err := rec.Finish()
	if err == nil {
		s.lastGood = rec.Offset + length
	} else if c == nil || readErr != nil {
		return nil // the scan yields this damage next
	} else if cut != nil || errors.Is(err, io.ErrUnexpectedEOF) { // what is left of it can be shown, but whole captures are preferred
		c.Truncated = true
	}
	if readErr != nil {
		s.job.file.Damaged++
		s.report(Problem{File: s.job.file.Path, Offset: rec.Offset, Reason: readErr.Error()})
		return nil
	}
	switch {
	case request != "":
		return s.pairRequest(rec, request)
	case c != nil:
		c.Length = length
		return s.pairCapture(rec, c)
	}
	return nil
}

// pairCapture gives c the key of the request before it, or holds c back in case the request follows.
func (s *scanner) pairCapture(rec *warc.Record, c *cdx.Capture) error {
	id := rec.Header.Get("WARC-Record-ID")
	for i, p := range s.recent {
		if p.capture == nil && s.belongs(rec, p, id) {
			c.Key, s.recent[i].uri, s.recent[i].id = p.key, "", ""
		}
	}
	s.recent = append(s.recent, pairing{id: strings.Clone(id), uri: c.URL, capture: c})
	return s.flushPairs(pairReach)
}

func (s *scanner) belongs(rec *warc.Record, request pairing, id string) bool {
	if request.id != "" || rec.Header.Has("WARC-Concurrent-To") {
		return request.id != "" && request.id == id
	}
	return request.uri == rec.TargetURI && request.uri != ""
}

// pairRequest gives the response of a POST or PUT the key of its request.
func (s *scanner) pairRequest(rec *warc.Record, key string) error {
	to := rec.Header.Get("WARC-Concurrent-To")
	for _, p := range s.recent {
		if p.capture != nil && (to != "" && p.id == to || to == "" && p.uri == rec.TargetURI) {
			p.capture.Key = key
			return nil
		}
	}
	s.recent = append(s.recent, pairing{id: strings.Clone(to), uri: strings.Clone(rec.TargetURI), key: key})
	return s.flushPairs(pairReach)
}

// flushPairs writes the captures that have waited long enough: all but the last keep.
func (s *scanner) flushPairs(keep int) error {
	for len(s.recent) > keep {
		c := s.recent[0].capture
		s.recent = s.recent[1:]
		if c == nil {
			continue
		}
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
