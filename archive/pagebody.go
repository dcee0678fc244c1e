package archive

import (
	"context"

	"github.com/varve-archive/varve/cdx"
)

// IsHTML reports whether a capture is declared to be an HTML page.
func IsHTML(c *cdx.Capture) bool { return isHTML(c.MIME) }

// PageBody reads the body of an HTML page, decoded, as far as it is read for its text, with its Content-Type.
func (s *Archive) PageBody(ctx context.Context, c *cdx.Capture) (body []byte, contentType string, err error) {
	return s.textBody(ctx, c)
}
