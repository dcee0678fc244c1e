package feed

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
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
	text := withFolders(withNamespaces(xmltext.Legal(xmltext.InUTF8(body, contentType))))
	start := bytes.TrimLeft(text, " \t\r\n")
	switch {
	case len(start) == 0:
		return Document{}, errors.New("it is empty")
	case start[0] == '{':
		return readJSON(start, base)
	case start[0] != '<':
		return Document{}, fmt.Errorf("it begins with %q, so it is neither XML nor JSON", cut(string(start), 20))
	}
	x, err := examine(start)
	read := map[string]func([]byte, string) (Document, error){
		"rss": readRSS, "rdf": readRSS, "feed": readAtom, "weblogupdates": readChanges, "urlset": readChanges, "sitemapindex": readChanges,
	}[strings.ToLower(x.root)]
	switch {
	case strings.EqualFold(x.root, "html"):
		if named := namedFeed(start, base); named != "" {
			return Document{}, fmt.Errorf("%w; it names the feed %s", ErrPage, named)
		}
		return Document{}, ErrPage
	case read == nil && err == nil:
		return Document{}, fmt.Errorf("it begins with <%s>, which is no feed", cut(x.root, 40))
	case read == nil || err != nil:
		return Document{}, err
	}
	doc, err := read(x.whole(start), base)
	doc.Fault = x.fault
	return doc, err
}

// namedFeed returns the address of the first feed that a page names in its head (https://www.rssboard.org/rss-autodiscovery), "" for none.
func namedFeed(page []byte, base string) string {
	d, err := fields.Parse(fields.Page{URL: base, ContentType: "text/html; charset=utf-8", Body: page})
	if err != nil {
		return ""
	}
	const links = "link[rel~=alternate i][href][type$='rss+xml'], link[rel~=alternate i][href][type$='atom+xml'], " +
		"link[rel~=alternate i][href][type='application/feed+json']"
	address, _ := Resolve(d.Base, attr(first(d.Find(context.Background(), links, "", 1)), "href"))
	return address
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

// withNamespaces mends namespaces that were changed with all other addresses of a site, from http to https.
func withNamespaces(text []byte) []byte {
	for _, name := range []string{
		"www.w3.org/2005/Atom", "www.w3.org/1999/02/22-rdf-syntax-ns#", "purl.org/rss/1.0/", "purl.org/dc/elements/1.1/",
	} {
		for _, quote := range []string{`"`, "'"} {
			text = bytes.ReplaceAll(text, []byte("="+quote+"https://"+name), []byte("="+quote+"http://"+name))
		}
	}
	return text
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

// An outline is what is known of an XML document before it is read.
type outline struct {
	root  string
	open  []string // the elements that have not ended, by their names with prefixes
	over  bool     // the root has ended
	fault error    // what ends the document too early, behind some entries; nil for none

	entries int
	end     int64    // of the last entry that has ended, in bytes
	around  []string // the elements that were open there
}

// whole returns a document without what is faulty, which is closed behind its last entry.
func (x *outline) whole(text []byte) []byte {
	if x.fault == nil {
		return text
	}
	out := bytes.Clone(text[:x.end])
	for _, name := range slices.Backward(x.around) {
		out = fmt.Appendf(out, "</%s>", name)
	}
	return out
}

// examine reads an XML document once without storing it, and refuses excessive nesting and too many entries. A document that is cut off, or
// not well-formed, behind its first entry has a fault; any other has an error.
func examine(text []byte) (*outline, error) {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	x := &outline{}
	for !strings.EqualFold(x.root, "html") {
		t, err := d.RawToken()
		switch {
		case err == nil:
			if err := x.add(t, d.InputOffset()); err != nil {
				return x, fmt.Errorf("at byte %d: %w", d.InputOffset(), err)
			}
			continue
		case x.root == "" && errors.Is(err, io.EOF):
			return x, errors.New("there is no element in it")
		case x.over: // what follows the root is none of the document
			return x, nil
		case errors.Is(err, io.EOF):
			err = io.ErrUnexpectedEOF
		}
		err = fmt.Errorf("at byte %d: %w", d.InputOffset(), err)
		if x.end == 0 {
			return x, err
		}
		x.fault = err
		return x, nil
	}
	return x, nil
}

// add adds a token that ends at an offset.
func (x *outline) add(t xml.Token, end int64) error {
	switch t := t.(type) {
	case xml.Directive:
		if strings.HasPrefix(strings.ToLower(string(t[:min(len(t), 12)])), "doctype html") {
			x.root = "html"
		}
	case xml.StartElement:
		x.root = cmp.Or(x.root, t.Name.Local)
		if x.open = append(x.open, written(t.Name)); len(x.open) > maxDepth && !strings.EqualFold(x.root, "html") {
			return fmt.Errorf("more than %d elements are inside of each other", maxDepth)
		}
		if isEntry(t.Name) {
			x.entries++
		}
		if x.entries > MaxEntries {
			return tooMany()
		}
	case xml.EndElement:
		x.open = x.open[:max(0, len(x.open)-1)]
		x.over = x.over || len(x.open) == 0
		if isEntry(t.Name) {
			x.end, x.around = end, slices.Clone(x.open)
		}
	}
	return nil
}

// isEntry reports whether an element is an entry. gofeed takes names in any case.
func isEntry(name xml.Name) bool {
	return slices.Contains([]string{"item", "entry", "url", "sitemap", "weblog"}, strings.ToLower(name.Local))
}

// written returns a name as the document has it.
func written(raw xml.Name) string {
	if raw.Space != "" {
		return raw.Space + ":" + raw.Local
	}
	return raw.Local
}
