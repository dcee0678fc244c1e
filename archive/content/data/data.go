package data

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/varve-archive/varve/internal/sentinel"
)

const (
	maxText  = 8 << 20
	maxDepth = 1_000
)

// ErrNone says that a document has no text.
const ErrNone = sentinel.Error("data: no text can be read")

// Is reports whether a media type, in lower case and without parameters, is one that [Page] reads.
func Is(mime string) bool { return read(mime) != nil }

// read returns the function that reads a media type, nil if there is none.
func read(mime string) func(w *writer, body []byte, contentType string) {
	switch mime {
	case "application/json", "text/json", "application/x-ndjson", "application/jsonl", "application/x-jsonlines":
		return readJSON
	case "text/csv", "application/csv", "text/comma-separated-values", "text/tab-separated-values", "text/tsv":
		return readTable
	case "application/xml", "text/xml":
		return readXML
	case "text/markdown", "text/x-markdown":
		return readMarkdown
	case "text/calendar", "text/vcard", "text/x-vcard", "text/directory":
		return readCards
	case "text/vtt", "application/x-subrip", "text/yaml", "application/yaml", "application/x-yaml",
		"application/x-tex", "application/x-latex":
		return readPlain
	case "application/xhtml+xml", "application/dash+xml", "application/xslt+xml", "application/opensearchdescription+xml",
		"application/manifest+json", "application/importmap+json", "text/x-component", "text/x-javascript",
		"text/html", "text/plain", "text/css", "text/ecmascript", "text/jscript", "text/livescript", "text/vbscript", "text/xsl",
		"text/cache-manifest", "text/event-stream", "text/dns":
		return nil // pages, and what pages and crawlers use
	}
	switch { // RFC 6839 §3.1, RFC 7303 §8
	case strings.HasSuffix(mime, "+json"):
		return readJSON
	case strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+xml"), mime == "text/x-opml":
		return readXML
	case strings.HasPrefix(mime, "text/") && !strings.HasPrefix(mime, "text/javascript"): // RFC 2046 §4.1.4
		return readPlain
	}
	return nil
}

// Page converts a document to an HTML page in UTF-8. contentType is that of HTTP, mime the media type in it.
func Page(mime, contentType string, body []byte) ([]byte, error) {
	w := &writer{}
	read := read(mime)
	if read == nil {
		return nil, ErrNone
	}
	read(w, body, contentType)
	if w.out.Len() == 0 {
		return nil, ErrNone
	}
	return w.out.Bytes(), nil
}

// A writer writes a page of limited size.
type writer struct{ out bytes.Buffer }

func (w *writer) full() bool { return w.out.Len() > maxText }

// block writes an element with a text, unless the text is empty.
func (w *writer) block(element, text string) {
	if text = strings.TrimSpace(text); text == "" || w.full() {
		return
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	w.out.WriteString("<" + element + ">" + html.EscapeString(text) + "</" + element + ">\n")
}
