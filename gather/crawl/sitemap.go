package crawl

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/varve-archive/varve/internal/xmltext"
	"github.com/varve-archive/varve/rewrite/reference"
)

const (
	maxSitemap  = 50 << 20 // bytes of a sitemap (sitemaps.org)
	maxLocs     = 50_000   // addresses in it
	gzipMagic   = "\x1f\x8b"
	defaultMap  = "/sitemap.xml"
	maxMapLevel = 3    // nested indexes; the protocol allows one
	maxNested   = 1000 // elements inside of each other; sitemaps and feeds have some ten
)

// readSitemap returns the addresses in a sitemap: of pages, or of sitemaps if it is an index. It may be compressed, plain text with
// one address a line, or a feed (RSS or Atom), whose links are pages. An unreadable one has no addresses, a truncated one those
// before its end. If whole is false, body is truncated, and the last line of a text may be an incomplete address.
func readSitemap(address string, body []byte, whole bool) (locs []string, index bool) {
	if bytes.HasPrefix(body, []byte(gzipMagic)) {
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, false
		}
		body, err = io.ReadAll(io.LimitReader(z, maxSitemap)) // as far as it can be unpacked
		whole = whole && err == nil && len(body) < maxSitemap
	}
	add := func(base, text string) {
		if loc, err := reference.Web(base, text); err == nil && len(locs) < maxLocs {
			locs = append(locs, loc)
		}
	}
	text := bytes.TrimLeft(xmltext.InUTF8(body, ""), " \t\r\n")
	if bytes.HasPrefix(text, []byte("<")) {
		r := xmlReader{add: add}
		r.read(xmltext.Legal(text), address)
		return locs, r.index
	}
	readLines(string(text), whole, func(line string) { add(address, line) })
	return locs, false
}

// readLines calls add with the lines of a text that are addresses. It skips the last line unless the text is whole.
func readLines(text string, whole bool, add func(string)) {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\r' || r == '\n' })
	if last := len(lines) - 1; last >= 0 && !whole && strings.HasSuffix(text, lines[last]) {
		lines = lines[:last]
	}
	for _, line := range lines {
		line = strings.Trim(line, " \t\ufeff")
		if scheme, _, ok := strings.Cut(line, "://"); ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")) {
			add(line)
		}
	}
}

// An xmlReader finds the addresses in a sitemap, an index of sitemaps, or a feed.
type xmlReader struct {
	add   func(base, text string)
	index bool // it is an index
	open  []xmlElement
}

// An xmlElement is one that has begun and not ended.
type xmlElement struct {
	name string
	base string // base URL of addresses in it (xml:base)
	text []byte
}

// read parses a text in UTF-8, up to where more than [maxNested] elements are open. It ignores an address whose element isn't closed, since
// it is truncated.
func (r *xmlReader) read(text []byte, base string) {
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for {
		t, err := d.Token()
		if err != nil || len(r.open) > maxNested {
			return
		}
		switch t := t.(type) {
		case xml.StartElement:
			r.begin(t, base)
		case xml.EndElement:
			r.end()
		case xml.CharData:
			if r.isLoc() || r.isLink() {
				e := &r.open[len(r.open)-1]
				e.text = append(e.text, t...)
			}
		}
	}
}

func (r *xmlReader) begin(t xml.StartElement, base string) {
	if n := len(r.open); n > 0 {
		base = r.open[n-1].base
	}
	for _, a := range t.Attr {
		if a.Name.Local == "base" && a.Name.Space != "" {
			if at, err := reference.Web(base, a.Value); err == nil {
				base = at
			}
		}
	}
	r.open = append(r.open, xmlElement{name: t.Name.Local, base: base})
	r.index = r.index || len(r.open) == 1 && t.Name.Local == "sitemapindex"
	if r.isLink() {
		r.open[len(r.open)-1].text = []byte(linkOf(t))
	}
}

// linkOf returns the target of a link in a feed, or "" if it isn't a page.
func linkOf(t xml.StartElement) (address string) {
	for _, a := range t.Attr {
		switch {
		case a.Name.Local == "href":
			address = a.Value
		case a.Name.Local == "rel" && a.Value != "alternate":
			return ""
		}
	}
	return address
}

func (r *xmlReader) end() {
	n := len(r.open)
	if n == 0 {
		return
	}
	if e := r.open[n-1]; len(bytes.TrimSpace(e.text)) > 0 {
		r.add(e.base, string(e.text))
	}
	r.open = r.open[:n-1]
}

// isLoc reports whether the innermost element contains an address of a sitemap or an index. Some sites nest one in another.
func (r *xmlReader) isLoc() bool {
	n := len(r.open)
	return n >= 3 && r.open[n-1].name == "loc" && (r.open[n-2].name == "url" || r.open[n-2].name == "sitemap")
}

// isLink reports whether the innermost element is a link of a feed or its entry: RSS 2.0, RSS 1.0 (RDF), or Atom.
func (r *xmlReader) isLink() bool {
	n := len(r.open)
	if n < 2 || n > 4 || r.open[n-1].name != "link" {
		return false
	}
	var names []string
	for _, e := range r.open[:n-1] {
		names = append(names, e.name)
	}
	switch strings.Join(names, " ") {
	case "rss channel", "rss channel item", "RDF channel", "RDF item", "feed", "feed entry":
		return true
	}
	return false
}
