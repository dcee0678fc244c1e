package feed

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

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
	text := withFolders(xmltext.Legal(xmltext.InUTF8(body, contentType)))
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

// withFolders shortens base URLs in XML to their folders, since gofeed takes the last name for one: of
// http://a.example/wp-atom.php it keeps http://a.example/.
func withFolders(text []byte) (out []byte) {
	const name = "xml:base"
	for {
		at := bytes.Index(text, []byte(name))
		if at < 0 {
			return append(out, text...)
		}
		out, text = append(out, text[:at+len(name)]...), text[at+len(name):]
		rest := bytes.TrimLeft(text, " \t\r\n=")
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			continue
		}
		value, after, found := bytes.Cut(rest[1:], rest[:1])
		if !found {
			continue
		}
		out = fmt.Appendf(out, "=%c%s%c", rest[0], folder(string(value)), rest[0])
		text = after
	}
}

// folder returns a URL up to its last slash.
func folder(address string) string {
	address = address[:min(len(address), strings.IndexAny(address+"?", "?#"))]
	host := strings.Index(address, "//")
	path := 0
	if host >= 0 {
		path = host + len("//")
	}
	switch last := strings.LastIndexByte(address[path:], '/'); {
	case last >= 0:
		return address[:path+last+1]
	case host >= 0 || address == "":
		return address
	}
	return "./"
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
