package archive

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/sentinel"
)

// A Response is an open archived response: status, headers, and a body without transfer coding. Close it after
// reading.
type Response struct {
	Capture *cdx.Capture
	Status  int
	Header  warc.Fields
	Body    io.Reader // with its archived content coding
	Length  int64     // of Body in bytes, -1 if unknown before it is read
	Source  string    // URI-M in another archive that the record was fetched from (WARC-Source-URI), or ""
	closers []io.Closer
}

// Close closes the records that the response reads from.
func (a *Response) Close() {
	for _, c := range a.closers {
		_ = c.Close()
	}
}

// sourceURI is the field that names the URI-M which a record was fetched from.
const sourceURI = "WARC-Source-URI"

// SourceHost returns the host of the archive that the record was fetched from, "" if none is named.
func (a *Response) SourceHost() string {
	u, err := url.Parse(a.Source)
	if err != nil {
		return ""
	}
	return u.Host
}

// Coding returns the Content-Encoding in lower case, "" for none.
func (a *Response) Coding() string {
	c := strings.ToLower(strings.Join(a.Header.All("Content-Encoding"), ","))
	if strings.Trim(c, " ,") == "identity" {
		return ""
	}
	return strings.Trim(c, " ,")
}

// Decoded returns the body without content coding. It may change Length.
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

// Reread opens the record of a capture again and returns its body, without content coding if decoded is set.
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

// A bodyReader is a body that closes its records.
type bodyReader struct {
	io.Reader
	a *Response
}

func (b *bodyReader) Close() error {
	b.a.Close()
	return nil
}

// Reopen sets a.Body to the beginning of the body again.
func (s *Archive) Reopen(ctx context.Context, a *Response) error {
	again, err := s.Open(ctx, a.Capture)
	if err != nil {
		return err
	}
	a.closers = append(a.closers, again.closers...)
	a.Body, a.Length = again.Body, again.Length
	return nil
}

// bodyOf returns the location of the record that holds the body: of a revisit, that of its original.
func bodyOf(c *cdx.Capture) cdx.Location {
	if c.Kind == cdx.Revisit {
		return c.Origin
	}
	return c.Location
}

// errReplaced says that a file has another record at the capture's position.
const errReplaced = sentinel.Error("it has been replaced since it was indexed: index it again")

// record opens the record of c at loc. If a file was replaced while it is served, and not indexed again yet, the offset may lead to another
// capture's record, which is an error.
func (s *Archive) record(ctx context.Context, c *cdx.Capture, loc cdx.Location) (*warc.Record, error) {
	rec, err := s.Records.Record(ctx, loc)
	if err != nil {
		return nil, err
	}
	if loc == c.Location && !isOf(rec, c) || loc != c.Location && !isOriginOf(rec, c) {
		_ = rec.Close()
		return nil, errReplaced
	}
	return rec, nil
}

// isOf reports whether a record may be that of c; missing fields match. Imported indexes may have another form of the URI-R and a shorter
// datetime: then the kind and the payload have to match.
func isOf(rec *warc.Record, c *cdx.Capture) bool {
	const day = 24 * 60 * 60
	switch {
	case !sameURI(rec.TargetURI, c.URL):
		return false
	case c.Time == 0 || rec.Date == 0 || c.Time == rec.Date:
		return true
	}
	isRevisit := c.Kind == cdx.Revisit
	return c.Time.Distance(rec.Date) <= day && isRevisit == (rec.Type == revisit) && (isRevisit || samePayload(rec, c))
}

// samePayload reports whether a record may have the payload of c; missing digests match.
func samePayload(rec *warc.Record, c *cdx.Capture) bool {
	declared, err := warc.ParseDigest(rec.Header.Get("WARC-Payload-Digest"))
	return err != nil || c.Digest == "" || declared.String() == c.Digest
}

// revisit is the type of records that have no body of their own.
const revisit = "revisit"

// isOriginOf reports whether a record may be the original of the revisit c: it has the URI-R that the revisit names, or its own, or its
// payload.
func isOriginOf(rec *warc.Record, c *cdx.Capture) bool {
	if rec.Type == revisit {
		return false
	}
	declared, err := warc.ParseDigest(rec.Header.Get("WARC-Payload-Digest"))
	return err != nil || declared.String() == c.Digest || sameURI(rec.TargetURI, c.URL) ||
		c.RefersToURI != "" && sameURI(rec.TargetURI, c.RefersToURI)
}

func sameURI(a, b string) bool { return a == b || a == "" || b == "" || surt.Of(a) == surt.Of(b) }

// Open reads the head of a capture and opens its body. A revisit has the head of its own record, or, if that only says that nothing has
// changed, the headers of both records; its own win.
//
// All access to the content of captures goes through [Archive.Allowed]: the error is a [BlockedError] if an access rule hides the content.
func (s *Archive) Open(ctx context.Context, c *cdx.Capture) (*Response, error) {
	if err := s.Allowed(c); err != nil {
		return nil, err
	}
	rec, err := s.record(ctx, c, bodyOf(c))
	if err != nil {
		return nil, Unreadable(c, err)
	}
	a := &Response{Capture: c, Status: c.Status, Source: rec.Header.Get(sourceURI), closers: []io.Closer{rec}}
	if err := a.readHead(rec); err != nil {
		a.Close()
		return nil, Unreadable(c, err)
	}
	if c.Kind == cdx.Revisit {
		if err := s.revisitHead(ctx, c, a); err != nil {
			a.Close()
			return nil, Unreadable(c, err)
		}
	}
	a.Header = a.Header.WithContentType()
	return a, nil
}

// Stored opens the record of a capture as it is in its file; for a revisit its own, not that of its original. The error is a [BlockedError]
// if an access rule hides the content.
func (s *Archive) Stored(ctx context.Context, c *cdx.Capture) (*warc.Record, error) {
	return s.stored(ctx, c, c.Location)
}

// StoredBody is [Archive.Stored] for the record with the body of a revisit.
func (s *Archive) StoredBody(ctx context.Context, c *cdx.Capture) (*warc.Record, error) {
	return s.stored(ctx, c, c.Origin)
}

func (s *Archive) stored(ctx context.Context, c *cdx.Capture, loc cdx.Location) (*warc.Record, error) {
	if err := s.Allowed(c); err != nil {
		return nil, err
	}
	rec, err := s.record(ctx, c, loc)
	if err != nil {
		return nil, Unreadable(c, err)
	}
	return rec, nil
}

// Allowed returns a [BlockedError] if an access rule hides the content of a capture.
func (s *Archive) Allowed(c *cdx.Capture) error {
	if d := s.Index.Decide(c); d.Access != access.Allow {
		return &BlockedError{*c, d.Rule.Say}
	}
	return nil
}

// readHead reads the head of the record with the body.
func (a *Response) readHead(rec *warc.Record) error {
	if a.Status == 0 { // browsers show bodies without a head or a status
		a.Status = http.StatusOK
	}
	if !rec.HTTP() {
		a.Header = warc.Fields{{Name: "Content-Type", Value: rec.Header.Get("Content-Type")}}
		a.Body, a.Length = rec.Block, rec.ContentLength
		return nil
	}
	m, err := warc.ParseHead(rec.Block)
	if err != nil {
		return fmt.Errorf("HTTP head: %w", err)
	}
	a.Header, a.Length = m.Header, rec.ContentLength-int64(m.Size)
	a.Body = warc.Body(m, rec.Block)
	if m.Header.Has("Transfer-Encoding") {
		a.Length = -1
	}
	return nil
}

// revisitHead replaces the head by that of the revisit record, if it has one, and sets the source that the record names.
func (s *Archive) revisitHead(ctx context.Context, c *cdx.Capture, a *Response) error {
	rec, err := s.record(ctx, c, c.Location)
	if err != nil {
		return err
	}
	defer rec.Close()
	a.Source = rec.Header.Get(sourceURI)
	if !rec.HTTP() {
		return nil
	}
	m, err := warc.ParseHead(rec.Block)
	if err != nil {
		return nil // ignore an empty or broken head
	}
	a.Header = headOf(c, m, a.Header)
	return nil
}

// isCodingHeader reports whether a field describes the encoding of the body, so that the value in the record with the body applies.
func isCodingHeader(name string) bool {
	return name == "content-length" || name == "content-encoding" || name == "transfer-encoding"
}

// isTypeHeader reports whether a field describes the body. A revisit without a complete head of its own has the values of its original.
func isTypeHeader(name string) bool { return name == "content-type" || name == "content-range" }

// headOf returns the header of the revisit c, whose own head is revisit. Unless that is a complete head, the heads of both records are
// joined, and the revisit's fields win.
func headOf(c *cdx.Capture, revisit warc.Message, original warc.Fields) warc.Fields {
	own := !c.NotModified && revisit.Status != 0 && revisit.Status != http.StatusNotModified
	out := make(warc.Fields, 0, len(revisit.Header)+len(original))
	for _, f := range revisit.Header {
		n := strings.ToLower(f.Name)
		if !isCodingHeader(n) && (own || !isTypeHeader(n) || !original.Has(n)) {
			out = append(out, f)
		}
	}
	for _, f := range original {
		n := strings.ToLower(f.Name)
		if isCodingHeader(n) || !own && (isTypeHeader(n) || !revisit.Header.Has(n)) {
			out = append(out, f)
		}
	}
	return out
}
