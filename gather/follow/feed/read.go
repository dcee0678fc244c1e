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
	"strings"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/internal/xmltext"
)

// ErrPage says that a supposed feed is an HTML page.
const ErrPage = sentinel.Error("this is a page, no feed")

// Read reads a feed, a changes.xml or a sitemap. base is its address. The error is a message for people.
func Read(body []byte, contentType, base string) (doc Document, err error) {
	body, damage := inflated(body)
	defer func() {
		switch {
		case damage == nil:
		case err != nil:
			err = damage
		default: // of which the end of the text is a consequence
			doc.Fault = damage
		}
	}()
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
	doc, err = read(x.out.Bytes(), base)
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

// inflated unpacks a gzip file, as sitemaps may be (sitemaps.org), up to a byte more than is read, and of a damaged one what stands before
// the damage. It returns other bodies unchanged.
func inflated(body []byte) ([]byte, error) {
	if !bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
		return body, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(z, MaxBytes+1))
	}
	switch {
	case errors.Is(err, gzip.ErrHeader) && z != nil: // what stands behind the file is none of it
		return body, nil
	case err != nil:
		return body, fmt.Errorf("its gzip file can't be read: %w", err)
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
	open  []string     // the elements that have not ended, by their names with prefixes
	over  bool         // the root has ended
	fault error        // what was left out first; nil for nothing
	out   bytes.Buffer // the document without what is faulty: each of its elements ends

	read    int64 // bytes, some more than once
	entries int
	entry   int // the place in open of the entry that has not ended, -1 for none
	begin   int // where that begins in out
	ended   int // how many entries have ended
}

// examine reads an XML document once without storing it, and refuses excessive nesting and too many entries. If it is not well-formed, only
// the entry where it isn't is left out, or else what stands before the next entry. The error is for a document without a whole entry.
func examine(text []byte) (*outline, error) {
	x := &outline{entry: -1}
	for next := 0; next >= 0; {
		err := x.piece(text[next:], next)
		at, faulty := errors.AsType[*faultError](err)
		if !faulty {
			return x, err
		}
		if next = x.nextEntry(text, at.offset); next < 0 && x.ended == 0 {
			return x, err
		}
		if x.read > maxReread*int64(len(text)) {
			next = -1
		}
		x.leave(err)
	}
	x.close(0)
	return x, nil
}

// A faultError says where a document is not well-formed.
type faultError struct {
	offset int // of what can't be read
	at     int // where that was noticed
	cause  error
}

func (e *faultError) Error() string { return fmt.Sprintf("at byte %d: %v", e.at, e.cause) }
func (e *faultError) Unwrap() error { return e.cause }

// piece reads a document from an entry on, or from its beginning, which is at an offset.
func (x *outline) piece(text []byte, offset int) error {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	defer func() { x.read += d.InputOffset() }()
	for !x.over && !strings.EqualFold(x.root, "html") { // what follows the root is none of the document
		start := int(d.InputOffset())
		t, err := d.RawToken()
		end := int(d.InputOffset())
		if err == nil {
			err = x.add(t, text[start:end])
		}
		switch {
		case err == nil:
		case x.root == "" && errors.Is(err, io.EOF):
			return errors.New("there is no element in it")
		case x.entries > MaxEntries:
			return err
		case errors.Is(err, io.EOF):
			return &faultError{offset + start, offset + end, io.ErrUnexpectedEOF}
		default:
			return &faultError{offset + start, offset + end, err}
		}
	}
	return nil
}

// add adds a token, which is written as raw.
func (x *outline) add(t xml.Token, raw []byte) error {
	switch t := t.(type) {
	case xml.Directive:
		if strings.HasPrefix(strings.ToLower(string(t[:min(len(t), 12)])), "doctype html") {
			x.root = "html"
		}
	case xml.StartElement:
		x.root = cmp.Or(x.root, t.Name.Local)
		if err := x.start(t.Name); err != nil {
			return err
		}
	case xml.EndElement:
		at := len(x.open) - 1
		for at >= 0 && x.open[at] != written(t.Name) {
			at--
		}
		if at < 0 {
			return nil // it ends nothing
		}
		x.close(at + 1)
		x.ends(at)
	}
	x.out.Write(raw)
	return nil
}

// start opens an element. An entry ends the one before it.
func (x *outline) start(name xml.Name) error {
	if isEntry(x.root, name) {
		if x.entry >= 0 {
			x.close(x.entry)
		}
		if x.entries++; x.entries > MaxEntries {
			return tooMany()
		}
		x.entry, x.begin = len(x.open), x.out.Len()
	}
	if x.open = append(x.open, written(name)); len(x.open) > maxDepth && !strings.EqualFold(x.root, "html") {
		return fmt.Errorf("more than %d elements are inside of each other", maxDepth)
	}
	return nil
}

// close ends the open elements from a place on.
func (x *outline) close(from int) {
	for at := len(x.open) - 1; at >= from; at-- {
		fmt.Fprintf(&x.out, "</%s>", x.open[at])
		x.ends(at)
	}
}

// ends notes that the element at a place, the last one, ends.
func (x *outline) ends(at int) {
	if x.open = x.open[:at]; x.entry == at {
		x.entry = -1
		x.ended++
	}
	x.over = x.over || at == 0
}

// leave leaves out the entry that a fault is in. If it is in none, the elements end there that no entry stands in.
func (x *outline) leave(fault error) {
	if x.fault == nil {
		x.fault = fault
	}
	if x.entry >= 0 {
		x.out.Truncate(x.begin)
		x.open, x.entry = x.open[:x.entry], -1
		return
	}
	around := 0
	for around < len(x.open) && (around == 0 || strings.EqualFold(x.open[around], "channel")) {
		around++
	}
	x.close(around)
}

// nextEntry returns where the next entry begins in a document behind an offset, -1 if there is none.
func (x *outline) nextEntry(text []byte, offset int) int {
	for at := offset + 1; at < len(text); at++ {
		i := bytes.IndexByte(text[at:], '<')
		if i < 0 {
			return -1
		}
		at += i
		name := text[at+1:]
		if end := bytes.IndexAny(name[:min(len(name), maxName)], " \t\r\n/>"); end > 0 {
			prefix, local, found := strings.Cut(string(name[:end]), ":")
			if !found {
				prefix, local = "", prefix
			}
			if isEntry(x.root, xml.Name{Space: prefix, Local: local}) {
				return at
			}
		}
	}
	return -1
}

// maxReread bounds how often the bytes of a document are read: what begins with a fault may be read to the end each time.
const maxReread = 8

// maxName bounds the names of entries with their prefixes.
const maxName = 100

// isEntry reports whether an element is an entry of a document with a root. gofeed takes names in any case.
func isEntry(root string, name xml.Name) bool {
	entry := ""
	switch strings.ToLower(root) {
	case "rss", "rdf":
		entry = "item"
	case "feed":
		entry = "entry"
	case "urlset":
		entry = "url"
	case "sitemapindex":
		entry = "sitemap"
	case "weblogupdates":
		entry = "weblog"
	}
	return strings.EqualFold(name.Local, entry)
}

// written returns a name as the document has it.
func written(raw xml.Name) string {
	if raw.Space != "" {
		return raw.Space + ":" + raw.Local
	}
	return raw.Local
}
