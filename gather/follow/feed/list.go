package feed

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/internal/sentinel"
)

// A Pattern says where a page of last-updated sites lists them. The selectors are CSS.
type Pattern struct {
	Each string // the element of one site
	Link string // in it, the link; "" for the first
	Time string // in it, the time of the update; "" if it isn't given
}

// Check returns an error that names the first invalid selector of a pattern.
func (p Pattern) Check() error {
	for _, part := range []struct{ key, css string }{{"each", p.Each}, {"link", p.Link}, {"time", p.Time}} {
		if part.css == "" {
			continue
		}
		if _, err := fields.New([]fields.Field{{Name: part.key, CSS: part.css}}); err != nil {
			return fmt.Errorf("%s: %q: %w", part.key, part.css, err)
		}
	}
	return nil
}

// ErrPattern is wrapped by the error for a page that the pattern doesn't match.
const ErrPattern = sentinel.Error("the pattern matches nothing")

// readTime is the time limit for applying a pattern.
const readTime = 10 * time.Second

// ReadList reads a page of last-updated sites.
func ReadList(ctx context.Context, body []byte, contentType, base string, p Pattern) (Document, error) {
	if len(body) > MaxBytes {
		return Document{}, fmt.Errorf("it is longer than %d MB, so it is not read", MaxBytes>>20)
	}
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	page, err := fields.Parse(fields.Page{URL: base, ContentType: contentType, Body: body})
	if err != nil {
		return Document{}, err
	}
	found, err := page.Find(ctx, p.Each, "", MaxEntries+1)
	switch {
	case err != nil:
		return Document{}, err
	case len(found) > MaxEntries:
		return Document{}, tooMany()
	case len(found) == 0:
		return Document{}, fmt.Errorf("%w: no element is like %q", ErrPattern, p.Each)
	}
	b := newBuilder(page.Base, "HTML")
	for _, n := range found {
		in := &fields.Document{Root: &html.Node{Type: html.DocumentNode}, Base: page.Base}
		n.Parent.RemoveChild(n) // so that a selector for one site can't match inside the others
		in.Root.AppendChild(n)
		link := b.address(attr(first(in.Find(ctx, cmp.Or(p.Link, "a[href]"), "", 1)), "href"))
		if link == "" {
			continue
		}
		b.add(Entry{Link: link, Updated: p.timeIn(ctx, in)})
	}
	if ctx.Err() != nil {
		return Document{}, errors.New("looking for the pattern takes too long")
	}
	if len(b.doc.Entries) == 0 {
		return Document{}, fmt.Errorf("%w: %d elements are like %q, and none has a link like %q", ErrPattern, len(found), p.Each, p.Link)
	}
	return b.doc, nil
}

func first(found []*html.Node, err error) *html.Node {
	if err != nil || len(found) == 0 {
		return nil
	}
	return found[0]
}

func attr(n *html.Node, name string) string {
	if n == nil {
		return ""
	}
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// timeIn returns the time of a site's update: that for machines if there is one, else the visible one.
func (p Pattern) timeIn(ctx context.Context, in *fields.Document) time.Time {
	if p.Time == "" {
		return time.Time{}
	}
	n := first(in.Find(ctx, p.Time, "", 1))
	if n == nil {
		return time.Time{}
	}
	var text strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			text.WriteString(d.Data)
		}
	}
	for _, s := range []string{attr(n, "datetime"), attr(n, "content"), attr(n, "title"), text.String()} {
		if t, ok := parseTime(s); ok {
			return t
		}
	}
	return time.Time{}
}

// parseTime parses a time in the formats that feeds and lists use.
func parseTime(s string) (time.Time, bool) {
	return fields.ParseDate(strings.Join(strings.Fields(s), " "))
}

// readChanges reads a changes.xml of weblogs, a sitemap with times of changes, or an index of sitemaps.
func readChanges(text []byte, base string) (Document, error) {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Strict = false
	b := newBuilder(base, "sitemap")
	var updated time.Time
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return Document{}, fmt.Errorf("at byte %d: %w", d.InputOffset(), err)
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "weblogUpdates":
			b.doc.Format = "changes.xml"
			updated, _ = parseTime(xmlAttr(start, "updated"))
		case "weblog":
			e := Entry{Link: xmlAttr(start, "url"), Title: xmlAttr(start, "name")}
			if ago, err := strconv.Atoi(xmlAttr(start, "when")); err == nil && ago >= 0 && ago <= math.MaxInt32 && !updated.IsZero() {
				e.Updated = updated.Add(-time.Duration(ago) * time.Second)
			}
			b.add(e)
		case "sitemapindex":
			b.doc.Format, b.doc.Index = "sitemap index", true
		case "url", "sitemap":
			var u struct {
				Loc  string `xml:"loc"`
				Mod  string `xml:"lastmod"`
				News string `xml:"news>publication_date"`
			}
			if err := d.DecodeElement(&u, &start); err != nil {
				return Document{}, fmt.Errorf("at byte %d: %w", d.InputOffset(), err)
			}
			e := Entry{Link: u.Loc, Sitemap: b.doc.Index}
			e.Updated, _ = parseTime(u.Mod)
			e.Published, _ = parseTime(u.News)
			b.add(e)
		}
	}
	return b.doc, nil
}

func xmlAttr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
