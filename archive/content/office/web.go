package office

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"

	"golang.org/x/net/html/charset"
)

// isWeb reports whether a file is a page, or an archive of one (MHTML, RFC 2557).
func isWeb(file []byte) bool {
	start := bytes.TrimLeft(file, "\ufeff \r\n\t")
	return bytes.HasPrefix(start, []byte("<")) || isArchive(start)
}

func isArchive(file []byte) bool {
	const head = 1 << 10
	return bytes.Contains(bytes.ToLower(file[:min(len(file), head)]), []byte("mime-version:"))
}

// webPage returns the page that a file is, or is an archive of, in UTF-8.
func webPage(file []byte) ([]byte, error) {
	if start := bytes.TrimLeft(file, "\ufeff \r\n\t"); !bytes.HasPrefix(start, []byte("<")) {
		m, err := mail.ReadMessage(bytes.NewReader(start))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNone, err)
		}
		return pageIn(m.Body, m.Header.Get, 0)
	}
	return decodedPage(bytes.NewReader(file), "text/html")
}

// maxParts is how deep a part of an archive may be in others.
const maxParts = 4

// pageIn returns the first page in a part of an archive, given what its header says.
func pageIn(body io.Reader, says func(string) string, depth int) ([]byte, error) {
	contentType := says("Content-Type")
	kind, parameters, _ := mime.ParseMediaType(contentType) // a kind that can't be read is none of these
	switch {
	case strings.HasPrefix(kind, "multipart/") && depth < maxParts:
		parts := multipart.NewReader(body, parameters["boundary"])
		for {
			part, err := parts.NextRawPart()
			if err != nil {
				return nil, fmt.Errorf("%w: %w", ErrNone, err)
			}
			if page, err := pageIn(part, part.Header.Get, depth+1); err == nil {
				return page, nil
			}
		}
	case kind != "text/html":
		return nil, fmt.Errorf("%w: no page, but %q", ErrNone, contentType)
	}
	switch strings.ToLower(says("Content-Transfer-Encoding")) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	return decodedPage(body, contentType)
}

// decodedPage returns a page in UTF-8, up to a fault.
func decodedPage(page io.Reader, contentType string) ([]byte, error) {
	in, err := charset.NewReader(page, contentType)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	text, _ := io.ReadAll(io.LimitReader(in, maxText))
	return text, nil
}

// chunk writes a page that a document has in it.
func (r *reader) chunk(part string) {
	content, _ := r.content(part) // up to a fault
	if !isWeb(content) {
		return
	}
	if page, err := webPage(content); err == nil {
		r.markup(bytes.NewReader(page))
	}
}
