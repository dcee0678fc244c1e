package feed

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/internal/xmltext"
)

// ErrPage says that a supposed feed is an HTML page.
const ErrPage = sentinel.Error("this is a page, no feed")

// Read reads a feed, a changes.xml or a sitemap. base is its address. The error is a message for people.
func Read(body []byte, contentType, base string) (Document, error) {
	body, err := inflated(body)
	if err != nil {
		return Document{}, err
	}
	if len(body) > MaxBytes {
		return Document{}, fmt.Errorf("it is longer than %d MB, so it is not read", MaxBytes>>20)
	}
	text := xmltext.Legal(inUTF8(body, contentType))
	start := bytes.TrimLeft(text, " \t\r\n")
	switch {
	case len(start) == 0:
		return Document{}, errors.New("it is empty")
	case start[0] == '{':
		return readJSON(start, base)
	case start[0] != '<':
		return Document{}, fmt.Errorf("it begins with %q, so it is neither XML nor JSON", cut(string(start), 20))
	}
	root, err := examine(start)
	switch strings.ToLower(root) {
	case "rss", "rdf":
		if err == nil {
			return readRSS(start, base)
		}
	case "feed":
		if err == nil {
			return readAtom(start, base)
		}
	case "weblogupdates", "urlset", "sitemapindex":
		if err == nil {
			return readChanges(start, base)
		}
	case "html":
		return Document{}, ErrPage
	default:
		if err == nil {
			err = fmt.Errorf("it begins with <%s>, which is no feed", cut(root, 40))
		}
	}
	return Document{}, err
}

// inflated unpacks a gzip file, as sitemaps may be (sitemaps.org), up to a byte more than is read. It returns other bodies
// unchanged.
func inflated(body []byte) ([]byte, error) {
	if !bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
		return body, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(z, MaxBytes+1))
	}
	if err != nil {
		return nil, fmt.Errorf("its gzip file can't be read: %w", err)
	}
	return body, nil
}

// inUTF8 converts a document to UTF-8. The encoding is that of the byte order mark, the XML declaration or the header; if the
// document isn't valid in it, windows-1252, in which every byte is valid.
func inUTF8(body []byte, contentType string) []byte {
	if text, err := io.ReadAll(transform.NewReader(bytes.NewReader(body), unicode.BOMOverride(encoding.Nop.NewDecoder()))); err == nil &&
		!bytes.Equal(text, body) {
		return undeclared(text)
	}
	label := xmltext.Encoding(body)
	if _, params, err := mime.ParseMediaType(contentType); err == nil && label == "" {
		label = params["charset"]
	}
	if e, name := charset.Lookup(label); e != nil && name != "utf-8" {
		if text, err := e.NewDecoder().Bytes(body); err == nil {
			return undeclared(text)
		}
	}
	if !utf8.Valid(body) {
		if text, err := charmap.Windows1252.NewDecoder().Bytes(body); err == nil {
			body = text
		}
	}
	return undeclared(body)
}

// undeclared removes the name of the encoding from an XML declaration, which is wrong after the conversion.
func undeclared(text []byte) []byte {
	at := bytes.Index(text[:min(len(text), 1024)], []byte("<?xml"))
	if at < 0 {
		return text
	}
	end := bytes.Index(text[at:min(len(text), at+1024)], []byte("?>"))
	if end < 0 {
		return text
	}
	return text[at+end+2:]
}

// examine reads an XML document once without storing it, and refuses excessive nesting and too many entries. It returns the name of
// the root.
func examine(text []byte) (root string, err error) {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	depth, entries := 0, 0
	for {
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			if root == "" {
				return "", errors.New("there is no element in it")
			}
			return root, nil
		} else if err != nil {
			if depth == 0 && root != "" { // what follows the document is none of it
				return root, nil
			}
			return root, fmt.Errorf("at byte %d: %w", d.InputOffset(), err)
		}
		switch t := t.(type) {
		case xml.Directive:
			if strings.HasPrefix(strings.ToLower(string(t[:min(len(t), 12)])), "doctype html") {
				return "html", nil
			}
		case xml.StartElement:
			if root == "" {
				root = t.Name.Local
			}
			if depth++; depth > maxDepth && !strings.EqualFold(root, "html") {
				return root, fmt.Errorf("at byte %d: more than %d elements are inside of each other", d.InputOffset(), maxDepth)
			}
			switch strings.ToLower(t.Name.Local) { // gofeed takes names in any case
			case "item", "entry", "url", "weblog":
				if entries++; entries > MaxEntries {
					return root, fmt.Errorf("at byte %d: it has more than %d entries", d.InputOffset(), MaxEntries)
				}
			}
		case xml.EndElement:
			depth--
		}
		if strings.EqualFold(root, "html") {
			return root, nil
		}
	}
}
