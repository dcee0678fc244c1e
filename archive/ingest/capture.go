package ingest

import (
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/filetext"
	"github.com/varve-archive/varve/archive/content/pdf/sandbox"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// maxPage bounds the bytes of a page's decoded body that are read for its text.
const maxPage = 8 << 20

// maxPDF bounds the size of PDF and office files whose text is read. They can't be read in part.
const maxPDF = 32 << 20

// maxRequestBody bounds the bytes of a POST body in the key. pywb defined these keys and cuts there too.
const maxRequestBody = 16 << 10

// read returns the capture in a record, or the key of a request other than GET. Both are zero for other records. It reads as much of the
// block as it needs.
func (s *scanner) read(rec *warc.Record) (c *cdx.Capture, request string, err error) {
	switch rec.Type {
	case "response", "revisit", "resource", "conversion":
		c, err = s.capture(rec)
	case "metadata":
		if s.Metadata {
			c, err = s.capture(rec)
		}
	case "request":
		request = s.request(rec)
	}
	return c, request, err
}

// kindOf returns the kind of a capture in a record of a type (WARC-Type), 0 if such a record is none.
func kindOf(recordType string) cdx.Kind {
	switch recordType {
	case "response":
		return cdx.Response
	case "revisit":
		return cdx.Revisit
	case "resource":
		return cdx.Resource
	case "conversion":
		return cdx.Conversion
	case "metadata":
		return cdx.Metadata
	}
	return 0
}

func (s *scanner) capture(rec *warc.Record) (*cdx.Capture, error) {
	if err := checkURI(rec.TargetURI); err != nil {
		return nil, err
	}
	c := &cdx.Capture{
		URL: strings.Clone(rec.TargetURI), Time: rec.Date, Kind: kindOf(rec.Type),
		Digest: declaredDigest(rec), Truncated: cutOff(rec),
		Location: cdx.Location{File: s.job.file.ID, Offset: rec.Offset},
	}
	c.Key = surt.Of(c.URL)
	if c.Kind == cdx.Revisit {
		c.RefersToURI = strings.Clone(warc.TrimBrackets(rec.Header.Get("WARC-Refers-To-Target-URI")))
		c.RefersToTime = refersTo(rec)
		c.NotModified = strings.HasSuffix(rec.Header.Get("WARC-Profile"), "/server-not-modified")
		s.refer(c, rec.Header.Get("WARC-Refers-To"))
	}
	if len(s.places) < maxPlaces {
		s.places[xxh3.HashString(rec.Header.Get("WARC-Record-ID"))] = rec.Offset
	}
	if !rec.HTTP() {
		c.MIME = mediaType(rec.Header.Get("Content-Type"))
		if c.Kind != cdx.Response && c.Kind != cdx.Revisit {
			c.Status = http.StatusOK // records without a status are replayed with 200
		}
		return c, s.payload(rec, warc.Message{}, rec.Header.Get("Content-Type"), c)
	}
	m, err := warc.ParseHead(rec.Block)
	if err != nil {
		return nil, fmt.Errorf("HTTP head: %w", err)
	}
	c.Status = m.Status
	c.MIME = mediaType(m.Header.Get("Content-Type"))
	if m.Status >= 300 && m.Status <= 399 {
		c.Redirect = target(c.URL, m.Header.Get("Location"))
	}
	if c.Kind == cdx.Revisit {
		return c, nil
	}
	return c, s.payload(rec, m, warc.ContentType(m.Header), c)
}

// maxPlaces bounds the records of a file whose places are remembered, to 20 MB.
const maxPlaces = 500_000

// refer finds the record that a revisit refers to by its ID alone, if it is earlier in the file. Some programs write nothing else.
func (s *scanner) refer(c *cdx.Capture, id string) {
	offset, ok := s.places[xxh3.HashString(id)]
	if !ok || id == "" || c.RefersToTime != 0 || c.Digest != "" && !c.NotModified {
		return
	}
	if uri, at := s.at(offset); uri != "" {
		c.RefersToURI, c.RefersToTime = strings.Clone(uri), at
	}
}

// cutOff reports whether the crawler did not receive the whole response. A revisit of an identical payload is "truncated" only because its
// payload is left out (ISO 28500 §6.7.2).
func cutOff(rec *warc.Record) bool {
	return rec.Truncated != "" && (rec.Type != "revisit" || rec.Truncated != "length")
}

// checkURI returns an error for what can't be an address.
func checkURI(uri string) error {
	scheme, _, ok := strings.Cut(uri, ":")
	if !ok || scheme == "" || strings.ContainsAny(scheme, "/?# \t") {
		return fmt.Errorf("the target URI %.200q is no URI", uri)
	}
	return nil
}

// mediaType returns the type in a Content-Type, in lower case and without parameters, or "" if it can't be read.
func mediaType(contentType string) string {
	t, _, _ := strings.Cut(contentType, ";")
	t, _, _ = strings.Cut(t, ",") // two headers joined
	t = strings.ToLower(strings.TrimSpace(t))
	if strings.ContainsAny(t, " \t\x00\"") || len(t) > 255 {
		return ""
	}
	return strings.Clone(t)
}

// target resolves a Location. It returns "" for an invalid one.
func target(base, location string) string {
	if location == "" {
		return ""
	}
	u, err := url.NewParser().ParseRef(base, location)
	if err != nil {
		return ""
	}
	return u.Href(false)
}

// payload reads the body. It checks the declared digest or computes one, and takes the text of a page. A body that is cut off is reported
// by the scan.
func (s *scanner) payload(rec *warc.Record, m warc.Message, contentType string, c *cdx.Capture) error {
	declared := rec.Header.Get("WARC-Payload-Digest")
	want, err := warc.ParseDigest(declared)
	switch {
	case declared == "":
		c.Digest = s.digest(rec, m, c)
	case err != nil:
		s.warn(rec, err.Error())
		s.page(warc.Body(m, rec.Block), c)
	default:
		s.check(want, rec, m, c)
	}
	return s.text(rec, m.Header.Get("Content-Encoding"), contentType, c)
}

// check compares the body with its declared digest, and stores the SHA-1 if the declared digest is another valid one.
func (s *scanner) check(want warc.Digest, rec *warc.Record, m warc.Message, c *cdx.Capture) {
	body := want.Check(m, rec.Block)
	s.page(body, c)
	fits, err := body.Fits()
	if err != nil {
		return
	}
	payload, differs := body.Payload()
	switch {
	case !fits:
		declared := rec.Header.Get("WARC-Payload-Digest")
		s.warn(rec, fmt.Sprintf("the payload digest %s fits neither the transfer-coded nor the decoded body", declared))
	case differs:
		c.Payload = payload.String()
	}
}

func (s *scanner) warn(rec *warc.Record, reason string) {
	s.report(Problem{File: s.job.file.Path, Offset: rec.Offset, Reason: reason, Warning: true})
}

// digest hashes the payload as it is stored, as crawlers do.
func (s *scanner) digest(rec *warc.Record, m warc.Message, c *cdx.Capture) string {
	sum, plain := sha1.New(), sha1.New()
	stored := io.TeeReader(rec.Block, sum)
	if !m.Header.Has("Transfer-Encoding") {
		s.page(stored, c)
		_, _ = io.Copy(io.Discard, stored)
		return warc.DigestOf("sha1", sum).String()
	}
	body := io.TeeReader(warc.Body(m, stored), plain)
	s.page(body, c)
	_, _ = io.Copy(io.Discard, body)
	_, _ = io.Copy(io.Discard, stored)
	digest, payload := warc.DigestOf("sha1", sum), warc.DigestOf("sha1", plain)
	if payload != digest {
		c.Payload = payload.String()
	}
	return digest.String()
}

// page keeps the body in s.body if it may have a text.
func (s *scanner) page(body io.Reader, c *cdx.Capture) {
	s.body = s.body[:0]
	if mime := filetext.TypeOf(c.MIME, c.URL); !s.noTexts && wantsText(c.Status, mime) {
		s.body = readUpTo(s.body, body, limit(mime))
	}
}

// wantsText reports whether a capture of a status and a media type is a page. Pages with status 404 and 410 count too, because soft 404s
// are recognized by their similarity to them, and those without a status, which browsers show: HTTP/0.9, files of FTP servers.
func wantsText(status int, mime string) bool {
	switch status {
	case 0, 200, 203, 404, 410:
	default:
		return false
	}
	switch mime {
	case "text/html", "application/xhtml+xml", "text/plain", "":
		return true
	}
	return isFile(mime)
}

// isFile reports whether text has to be extracted from files of a media type as a whole.
func isFile(mime string) bool { return mime == filetext.PDF || filetext.Is(mime) }

// limit bounds the bytes of a body of a media type that are read for its text.
func limit(mime string) int {
	if mime == filetext.PDF || filetext.IsWhole(mime) {
		return maxPDF
	}
	return maxPage
}

// text extracts the visible text of s.body and writes its sketch, unless the index has it.
func (s *scanner) text(rec *warc.Record, coding, contentType string, c *cdx.Capture) error {
	mime := filetext.TypeOf(c.MIME, c.URL)
	if !wantsText(c.Status, mime) || len(s.body) == 0 && (c.Status != http.StatusOK || mime == "" || isFile(mime)) {
		return nil
	}
	asSent := coding + "\n" + contentType
	if mime != c.MIME {
		asSent += "\n" + mime
	}
	read := xxh3.HashString(asSent) // the text depends on these too
	sum := xxh3.Hash128Seed(s.body, read)
	if id, ok := s.bodies[sum]; ok {
		c.Text = id
		return nil
	}
	if id, ok := s.texts.get(sum); ok {
		stored, err := s.stored(id)
		if err != nil {
			return &indexError{err}
		}
		if stored {
			c.Text = id
			return nil
		}
	}
	page := s.body
	if coding != "" {
		r, err := warc.Decode(coding, bytes.NewReader(s.body))
		if err != nil {
			return nil // it can't be decoded, so there is no text
		}
		s.decoded = readUpTo(s.decoded[:0], r, limit(mime))
		page = s.decoded
	}
	if mime == "" {
		if contentType = http.DetectContentType(page); !strings.HasPrefix(contentType, "text/html") {
			s.bodies[sum] = 0
			return nil
		}
	}
	if isFile(mime) {
		var err error
		page, contentType, err = s.fileText(mime, contentType, page)
		if errors.Is(err, sandbox.ErrLimits) {
			s.warn(rec, err.Error())
		}
		if err != nil || len(bytes.TrimSpace(page)) == 0 { // pictures only, encrypted or broken: without text, its bytes decide about changes
			s.bodies[sum] = 0
			return nil
		}
	}
	t := s.extractor.Extract(page, contentType)
	defer s.extractor.Recycle(&t)
	id := t.ID()
	c.Text, s.bodies[sum] = id, id
	if s.Texts != nil {
		s.Texts(c, &t, page, contentType)
	}
	if s.written[id] { // another body has the same text, so skip the sketch, which is half the work
		return nil
	}
	s.written[id] = true
	var hash sketch.MinHash
	s.sketch, hash = sketch.Append(s.sketch[:0], &t)
	if err := s.writer.AddText(id, s.sketch, hash.Bands()); err != nil {
		return &indexError{err}
	}
	return nil
}

// fileText returns the text of a file as plain text or HTML, with its Content-Type. sent is that of the file.
func (s *scanner) fileText(mime, sent string, file []byte) (page []byte, contentType string, err error) {
	if mime == filetext.PDF {
		text, err := s.pdf(file)
		return []byte(text), "text/plain; charset=utf-8", err
	}
	page, err = visible.FilePage(mime, sent, file)
	return page, "text/html; charset=utf-8", err
}

// request returns the key for a request other than GET, "" for a GET. The answer to a HEAD has a page's status and none of its content, so
// it must not pass for a capture of the page.
func (s *scanner) request(rec *warc.Record) string {
	m, err := warc.ParseHead(rec.Block)
	if err != nil || m.Method == "" || m.Method == http.MethodGet {
		return ""
	}
	body := readUpTo(nil, warc.Body(m, rec.Block), maxRequestBody)
	return surt.OfRequest(rec.TargetURI, m.Method, body, m.Header.Get("Content-Type"))
}

// readUpTo appends at most n bytes of r. If r fails, it keeps what was read before.
func readUpTo(b []byte, r io.Reader, n int) []byte {
	buf := bytes.NewBuffer(b)
	_, _ = io.CopyN(buf, r, int64(n))
	return buf.Bytes()
}

// declaredDigest returns a record's declared payload digest in the index's form, or unchanged if it can't be parsed.
func declaredDigest(rec *warc.Record) string {
	declared := rec.Header.Get("WARC-Payload-Digest")
	if d, err := warc.ParseDigest(declared); err == nil {
		return d.String()
	}
	return strings.Clone(declared)
}

// refersTo returns the datetime of the capture that a revisit refers to, 0 if it names none.
func refersTo(rec *warc.Record) cdx.Timestamp {
	ts, err := warc.ParseDate(rec.Header.Get("WARC-Refers-To-Date"))
	if err != nil {
		return 0
	}
	return ts
}
