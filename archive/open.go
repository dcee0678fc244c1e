package archive

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/warc"
)

// A Response is a capture's answer as it was, opened: status, head, and body without transfer coding.
type Response struct {
	Capture *cdx.Capture
	Status  int
	Header  warc.Fields
	Body    io.Reader // content coding as archived
	Length  int64     // of body, -1 where only reading it tells
	closers []io.Closer
}

// Close gives back what reading holds.
func (a *Response) Close() {
	for _, c := range a.closers {
		_ = c.Close()
	}
}

// Coding returns the Content-Encoding, "" for none.
func (a *Response) Coding() string {
	c := strings.ToLower(strings.Join(a.Header.All("Content-Encoding"), ","))
	if strings.Trim(c, " ,") == "identity" {
		return ""
	}
	return strings.Trim(c, " ,")
}

// Decoded returns the body without content coding.
func (a *Response) Decoded() (io.Reader, error) {
	if a.Coding() == "" {
		return a.Body, nil
	}
	body, err := warc.Decode(a.Coding(), a.Body)
	if err == nil {
		a.Length = -1
	}
	return body, err
}

// Reread opens the record of a capture anew and returns its body, without content coding if decoded.
func (s *Archive) Reread(ctx context.Context, c *cdx.Capture, decoded bool) (io.ReadCloser, error) {
	a, err := s.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	if decoded {
		if a.Body, err = a.Decoded(); err != nil {
			a.Close()
			return nil, Unreadable(c, err)
		}
	}
	return &bodyReader{a.Body, a}, nil
}

// A bodyReader is a body that gives back its record when closed.
type bodyReader struct {
	io.Reader
	a *Response
}

// Close implements [io.Closer].
func (b *bodyReader) Close() error {
	b.a.Close()
	return nil
}

// Reopen gives a the body from its start once more.
func (s *Archive) Reopen(ctx context.Context, a *Response) error {
	again, err := s.Open(ctx, a.Capture)
	if err != nil {
		return err
	}
	a.closers = append(a.closers, again.closers...)
	a.Body, a.Length = again.Body, again.Length
	return nil
}

// bodyOf is where the body of a capture stands: a revisit has that of its original.
func bodyOf(c *cdx.Capture) cdx.Location {
	if c.Kind == cdx.Revisit {
		return c.Origin
	}
	return c.Location
}

// Open reads a capture's head and opens its body. A revisit has the headers of both, its own first.
func (s *Archive) Open(ctx context.Context, c *cdx.Capture) (*Response, error) {
	rec, err := s.Records.Record(ctx, bodyOf(c))
	if err != nil {
		return nil, Unreadable(c, err)
	}
	a := &Response{Capture: c, Status: c.Status, closers: []io.Closer{rec}}
	if err := a.take(rec); err != nil {
		a.Close()
		return nil, Unreadable(c, err)
	}
	if c.Kind == cdx.Revisit {
		own, err := s.ownHead(ctx, c)
		if err != nil {
			a.Close()
			return nil, Unreadable(c, err)
		}
		a.Header = merge(own, a.Header)
	}
	return a, nil
}

// take reads the head of the record that has the body.
func (a *Response) take(rec *warc.Record) error {
	if !rec.HTTP() {
		a.Header = warc.Fields{{Name: "Content-Type", Value: rec.Header.Get("Content-Type")}}
		a.Body, a.Length = rec.Block, rec.ContentLength
		if a.Status == 0 {
			a.Status = http.StatusOK
		}
		return nil
	}
	m, err := warc.ParseHead(rec.Block)
	if err != nil {
		return fmt.Errorf("HTTP head: %w", err)
	}
	a.Header, a.Length = m.Header, rec.ContentLength-int64(m.Size)
	if m.Size == 0 && a.Status == 0 { // a body without a head: it was sent, so it is shown
		a.Status = http.StatusOK
	}
	a.Body = warc.Body(m, rec.Block)
	if m.Header.Has("Transfer-Encoding") {
		a.Length = -1
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
