// Package atom writes Atom feeds entry by entry and reads them (RFC 4287), with the links of paged feeds (RFC 5005).
//
// Start with [NewWriter]; [Read] is for programs that follow varve's feeds. The package knows nothing about the content of entries.
package atom

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"time"
)

// Type is the media type of a feed.
const Type = "application/atom+xml"

const space = "http://www.w3.org/2005/Atom"

// A Feed has the elements before the entries.
type Feed struct {
	Lang    string
	ID      string
	Title   string
	Updated time.Time
	Author  string
	Links   []Link
}

// An Entry is one entry. ID, Title and Updated are required.
type Entry struct {
	ID      string     `xml:"id"`
	Title   string     `xml:"title"`
	Updated Time       `xml:"updated"`
	Links   []Link     `xml:"link"`
	Terms   []Category `xml:"category"`
	Summary HTML       `xml:"summary"`
}

// A Link is a link of a feed or an entry.
type Link struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
	Type string `xml:"type,attr,omitempty"`
	Name string `xml:"title,attr,omitempty"`
}

// A Category classifies an entry. Scheme identifies the classification of which Term is a value.
type Category struct {
	Term   string `xml:"term,attr"`
	Scheme string `xml:"scheme,attr,omitempty"`
	Label  string `xml:"label,attr,omitempty"`
}

// HTML is displayable text with mark-up.
type HTML struct {
	Type string `xml:"type,attr"`
	Body string `xml:",chardata"`
}

// Time is a datetime as feeds write it (RFC 3339).
type Time struct{ time.Time }

func (t Time) MarshalText() ([]byte, error) { return t.UTC().AppendFormat(nil, time.RFC3339), nil }

func (t *Time) UnmarshalText(b []byte) (err error) {
	t.Time, err = time.Parse(time.RFC3339, string(b))
	return err
}

// Link returns the address of the first link of a relation, "" if there is none.
func (e *Entry) Link(rel string) string { return linkIn(e.Links, rel) }

func linkIn(links []Link, rel string) string {
	for _, l := range links {
		if l.Rel == rel {
			return l.Href
		}
	}
	return ""
}

// A Writer writes a feed to a stream.
type Writer struct{ e *xml.Encoder }

// NewWriter writes the head of a feed.
func NewWriter(w io.Writer, f *Feed) (*Writer, error) {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return nil, err
	}
	out := &Writer{xml.NewEncoder(w)}
	head := xml.StartElement{Name: xml.Name{Local: "feed"}, Attr: []xml.Attr{{Name: xml.Name{Local: "xmlns"}, Value: space}}}
	if f.Lang != "" {
		head.Attr = append(head.Attr, xml.Attr{Name: xml.Name{Local: "xml:lang"}, Value: f.Lang})
	}
	err := errors.Join(
		out.e.EncodeToken(head), out.element("id", f.ID), out.element("title", f.Title), out.element("updated", Time{f.Updated}),
		out.element("author", struct {
			Name string `xml:"name"`
		}{f.Author}),
	)
	for _, l := range f.Links {
		err = errors.Join(err, out.element("link", l))
	}
	return out, err
}

func (w *Writer) element(name string, v any) error {
	return w.e.EncodeElement(v, xml.StartElement{Name: xml.Name{Local: name}})
}

// Entry writes an entry and flushes.
func (w *Writer) Entry(e *Entry) error { return errors.Join(w.element("entry", e), w.e.Flush()) }

// Close writes the end of the feed.
func (w *Writer) Close() error {
	return errors.Join(w.e.EncodeToken(xml.EndElement{Name: xml.Name{Local: "feed"}}), w.e.Close())
}

// A Page is a feed document that was read.
type Page struct {
	Title   string  `xml:"title"`
	Links   []Link  `xml:"link"`
	Entries []Entry `xml:"entry"`
}

// Next returns the address of the document with older entries, "" for the last one (RFC 5005 §3).
func (p *Page) Next() string { return linkIn(p.Links, "next") }

// Read reads a document of at most limit bytes.
func Read(r io.Reader, limit int64) (*Page, error) {
	from := &io.LimitedReader{R: r, N: limit + 1}
	var page struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Page
	}
	d := xml.NewDecoder(from)
	err := d.Decode(&page)
	switch {
	case from.N <= 0:
		return nil, fmt.Errorf("the feed is longer than %d bytes", limit)
	case err != nil:
		return nil, fmt.Errorf("no Atom feed at byte %d: %w", d.InputOffset(), err)
	}
	return &page.Page, nil
}
