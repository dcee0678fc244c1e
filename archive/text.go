package archive

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/varve-archive/varve/archive/content/filetext"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// maxPage and maxPDF bound how many decoded bytes of a body, and of a PDF or office file, are read for its text, as in
// indexing.
const (
	maxPage = 8 << 20
	maxPDF  = 32 << 20
)

// Text reads the visible text of a capture from its record. It is empty if the capture has none. If the body is cut
// off, Text reads what there is.
func (s *Archive) Text(ctx context.Context, c *cdx.Capture) (visible.Text, error) {
	return s.textBy(ctx, c, &visible.Extractor{Layout: true}) // with Layout, because the text is for showing
}

// textBy is Text with the caller's extractor.
func (s *Archive) textBy(ctx context.Context, c *cdx.Capture, e *visible.Extractor) (visible.Text, error) {
	if c.Text == 0 {
		return visible.Text{}, nil
	}
	body, contentType, err := s.PageBody(ctx, c)
	if err != nil {
		return visible.Text{}, err
	}
	return s.Extract(ctx, c, body, contentType, e)
}

// PageBody returns the decoded body of a capture, up to the limit for reading its text and as far as its record goes, and its Content-Type.
func (s *Archive) PageBody(ctx context.Context, c *cdx.Capture) (b []byte, contentType string, err error) {
	a, err := s.Open(ctx, c)
	if err != nil {
		return nil, "", err
	}
	defer a.Close()
	below := &watched{r: a.Body}
	body, err := warc.Decode(a.Coding(), below)
	if err != nil {
		return nil, "", Unreadable(c, err)
	}
	limit := int64(maxPage)
	if mime := filetext.TypeOf(c.MIME, c.URL); mime == filetext.PDF || filetext.IsWhole(mime) {
		limit = maxPDF
	}
	into := bytes.NewBuffer(make([]byte, 0, roomFor(c, limit)))
	_, _ = into.ReadFrom(io.LimitReader(body, limit))
	if below.err != nil && (into.Len() == 0 || !errors.As(below.err, new(*warc.Damage))) {
		return nil, "", Unreadable(c, below.err)
	}
	return into.Bytes(), a.Header.Get("Content-Type"), nil
}

// IsHTML reports whether a capture is an HTML page, as [filetext.IsHTML] does.
func IsHTML(c *cdx.Capture) bool { return filetext.IsHTML(c.MIME, c.URL, c.Text != 0) }

// roomFor returns an estimate of the body's length from the record's size: pages are mostly compressed.
func roomFor(c *cdx.Capture, limit int64) int64 {
	n := min(max(c.Length, 0), limit)
	if IsHTML(c) {
		n *= 6
	}
	return min(n, limit) + bytes.MinRead
}

// extractPage extracts the text of a page that was converted from a file.
func extractPage(c *cdx.Capture, page []byte, err error, e *visible.Extractor) (visible.Text, error) {
	if err != nil {
		return visible.Text{}, Unreadable(c, err)
	}
	return e.Extract(page, "text/html; charset=utf-8"), nil
}

// Extract extracts the visible text of the body of a capture with the caller's extractor.
func (s *Archive) Extract(
	ctx context.Context, c *cdx.Capture, body []byte, contentType string, e *visible.Extractor,
) (visible.Text, error) {
	switch mime := filetext.TypeOf(c.MIME, c.URL); {
	case filetext.Is(mime):
		page, err := visible.FilePage(mime, contentType, body)
		return extractPage(c, page, err, e)
	case mime != filetext.PDF:
		return e.Extract(body, contentType), nil
	}
	if s.PDF == nil {
		return visible.Text{}, nil
	}
	text, err := s.PDF(ctx, body)
	if err != nil {
		return visible.Text{}, Unreadable(c, err)
	}
	return e.Extract([]byte(text), "text/plain; charset=utf-8"), nil
}
