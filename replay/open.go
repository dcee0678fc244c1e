package replay

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/warc"
)

// An archived is a capture's answer as it was, opened: status, head, and body without transfer coding.
type archived struct {
	capture *cdx.Capture
	status  int
	header  warc.Fields
	body    io.Reader // content coding as archived
	length  int64     // of body, -1 where only reading it tells
	closers []io.Closer
}

// Close gives back what reading holds.
func (a *archived) Close() {
	for _, c := range a.closers {
		_ = c.Close()
	}
}

// coding returns the Content-Encoding, "" for none.
func (a *archived) coding() string {
	c := strings.ToLower(strings.Join(a.header.All("Content-Encoding"), ","))
	if strings.Trim(c, " ,") == "identity" {
		return ""
	}
	return strings.Trim(c, " ,")
}

// decoded returns the body without content coding.
func (a *archived) decoded() (io.Reader, error) {
	if a.coding() == "" {
		return a.body, nil
	}
	body, err := warc.Decode(a.coding(), a.body)
	if err == nil {
		a.length = -1
	}
	return body, err
}

// reread opens the record of a capture anew and returns its body, without content coding if decoded.
func (s *Archive) reread(ctx context.Context, c *cdx.Capture, decoded bool) (io.ReadCloser, error) {
	a, err := s.open(ctx, c)
	if err != nil {
		return nil, err
	}
	if decoded {
		if a.body, err = a.decoded(); err != nil {
			a.Close()
			return nil, unreadable(c, err)
		}
	}
	return &bodyReader{a.body, a}, nil
}

// A bodyReader is a body that gives back its record when closed.
type bodyReader struct {
	io.Reader
	a *archived
}

// Close implements [io.Closer].
func (b *bodyReader) Close() error {
	b.a.Close()
	return nil
}

// reopen gives a the body from its start once more.
func (s *Archive) reopen(ctx context.Context, a *archived) error {
	again, err := s.open(ctx, a.capture)
	if err != nil {
		return err
	}
	a.closers = append(a.closers, again.closers...)
	a.body, a.length = again.body, again.length
	return nil
}

// bodyOf is where the body of a capture stands: a revisit has that of its original.
func bodyOf(c *cdx.Capture) cdx.Location {
	if c.Kind == cdx.Revisit {
		return c.Origin
	}
	return c.Location
}

// open reads a capture's head and opens its body. A revisit has the headers of both, its own first.
func (s *Archive) open(ctx context.Context, c *cdx.Capture) (*archived, error) {
	rec, err := s.Records.Record(ctx, bodyOf(c))
	if err != nil {
		return nil, unreadable(c, err)
	}
	a := &archived{capture: c, status: c.Status, closers: []io.Closer{rec}}
	if err := a.take(rec); err != nil {
		a.Close()
		return nil, unreadable(c, err)
	}
	if c.Kind == cdx.Revisit {
		own, err := s.ownHead(ctx, c)
		if err != nil {
			a.Close()
			return nil, unreadable(c, err)
		}
		a.header = merge(own, a.header)
	}
	return a, nil
}

// take reads the head of the record that has the body.
func (a *archived) take(rec *warc.Record) error {
	if !rec.HTTP() {
		a.header = warc.Fields{{Name: "Content-Type", Value: rec.Header.Get("Content-Type")}}
		a.body, a.length = rec.Block, rec.ContentLength
		if a.status == 0 {
			a.status = http.StatusOK
		}
		return nil
	}
	m, err := warc.ParseHead(rec.Block)
	if err != nil {
		return fmt.Errorf("HTTP head: %w", err)
	}
	a.header, a.length = m.Header, rec.ContentLength-int64(m.Size)
	if m.Size == 0 && a.status == 0 { // a body without a head: it was sent, so it is shown
		a.status = http.StatusOK
	}
	a.body = warc.Body(m, rec.Block)
	if m.Header.Has("Transfer-Encoding") {
		a.length = -1
	}
	return nil
}

// ownHead reads the HTTP head in a revisit record; there may be none.
func (s *Archive) ownHead(ctx context.Context, c *cdx.Capture) (warc.Fields, error) {
	rec, err := s.Records.Record(ctx, c.Location)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	if !rec.HTTP() || rec.ContentLength == 0 {
		return nil, nil
	}
	m, err := warc.ParseHead(rec.Block)
	if err != nil {
		return nil, nil // an empty or broken head says nothing; the original's stands
	}
	return m.Header, nil
}

// ofBody are the headers that describe the bytes of the body: those of the record that has it count.
var ofBody = map[string]bool{"content-length": true, "content-encoding": true, "transfer-encoding": true, "content-range": true, "content-type": true}

// merge joins the heads of a revisit and its original: the revisit's own fields win, name by name.
func merge(own, orig warc.Fields) warc.Fields {
	out := make(warc.Fields, 0, len(own)+len(orig))
	for _, f := range own {
		if n := strings.ToLower(f.Name); !ofBody[n] || n == "content-type" && !orig.Has(n) {
			out = append(out, f)
		}
	}
	for _, f := range orig {
		if ofBody[strings.ToLower(f.Name)] || !own.Has(f.Name) {
			out = append(out, f)
		}
	}
	return out
}
