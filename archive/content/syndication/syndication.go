package syndication

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/varve-archive/varve/archive/content/decoded"
	"github.com/varve-archive/varve/internal/sentinel"
)

const (
	maxText  = 8 << 20
	maxDepth = 200
)

// Is reports whether feeds are sent with a media type, given in lower case without parameters. XML and RDF may be anything else too: [Page]
// finds out.
func Is(mime string) bool {
	switch mime {
	case "application/rss+xml", "application/atom+xml", "application/x-rss+xml", "application/rdf+xml",
		"application/xml", "text/xml", jsonType:
		return true
	}
	return false
}

// ErrNone says that a document is no feed, or has no text.
const ErrNone = sentinel.Error("syndication: this is no feed")

// Page converts a feed to an HTML page in UTF-8: its title, and title and text of each entry. Addresses and dates are left out, because
// they may change while nothing else does.
func Page(body []byte, contentType string) ([]byte, error) {
	if start := bytes.TrimLeft(body, " \t\r\n\ufeff"); bytes.HasPrefix(start, []byte("{")) {
		return jsonPage(start)
	}
	r := reader{d: decoded.XML(body, contentType)}
	if err := r.begin(); err != nil {
		return nil, err
	}
	r.channel()
	if r.out.Len() == 0 {
		return nil, ErrNone
	}
	return r.out.Bytes(), nil
}

type reader struct {
	d   *xml.Decoder
	out bytes.Buffer
}

// begin reads up to the root element, which must be that of a feed.
func (r *reader) begin() error {
	for {
		t, err := r.d.Token()
		if err != nil {
			return ErrNone
		}
		if e, ok := t.(xml.StartElement); ok {
			if !slices.Contains([]string{"rss", "feed", "RDF"}, e.Name.Local) {
				return ErrNone
			}
			return nil
		}
	}
}

// channel reads the entries and what is outside of them. An RDF document without channel and items is no feed, and gives nothing.
func (r *reader) channel() {
	for depth := 0; depth >= 0 && r.out.Len() < maxText; {
		t, err := r.d.Token()
		if err != nil {
			return
		}
		switch t := t.(type) {
		case xml.EndElement:
			depth--
		case xml.StartElement:
			switch t.Name.Local {
			case "channel":
				depth++
			case "title":
				title := r.text()
				r.block("title", title)
				r.block("h1", title)
			case "description", "subtitle", "tagline":
				r.block("p", r.text())
			case "item", "entry":
				r.entry()
			default:
				r.text() // ignore its content
			}
		}
	}
}

// entry reads the title and text of an entry: summary or full text, whichever is longer.
func (r *reader) entry() {
	title, said := "", ""
	for {
		t, err := r.d.Token()
		if _, ends := t.(xml.EndElement); ends || err != nil {
			r.block("h2", title)
			r.block("p", said)
			return
		}
		e, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch text := r.text(); e.Name.Local {
		case "title":
			title = text
		case "description", "encoded", "content", "summary", "fulltext":
			if len(text) > len(said) {
				said = text
			}
		}
	}
}

// block writes a text with a line for each of its paragraphs.
func (r *reader) block(element, text string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && r.out.Len() < maxText {
			r.out.WriteString("<" + element + ">" + html.EscapeString(line) + "</" + element + ">\n")
		}
	}
}

// text reads an element to its end. Its content is text, or HTML: escaped, or as mark-up (Atom's xhtml).
func (r *reader) text() string {
	var b strings.Builder
	for depth := 1; depth > 0; {
		t, err := r.d.Token()
		if err != nil {
			break
		}
		switch t := t.(type) {
		case xml.StartElement:
			if t.Name.Local == "script" || t.Name.Local == "style" {
				_ = r.d.Skip() // an error comes again with the next token
				continue
			}
			if depth++; depth > maxDepth {
				return visible(b.String())
			}
			if !inline(t.Name.Local) {
				b.WriteString("<br>")
			}
		case xml.EndElement:
			depth--
		case xml.CharData:
			switch {
			case b.Len() >= maxText:
			case depth > 1: // within mark-up it is text
				b.WriteString(html.EscapeString(string(t)))
			default:
				b.Write(t)
			}
		}
	}
	return visible(b.String())
}

// visible returns the text of an HTML fragment, one line for each paragraph.
func visible(fragment string) string {
	var b strings.Builder
	hidden := ""
	for z := html.NewTokenizer(strings.NewReader(fragment)); ; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			if hidden == "" {
				b.WriteString(strings.Join(strings.FieldsFunc(string(z.Text()), isBreak), " "))
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			tag, _ := z.TagName()
			switch name := string(tag); {
			case name == "script" || name == "style":
				if hidden = ""; kind == html.StartTagToken {
					hidden = name
				}
			case !inline(name):
				b.WriteByte('\n')
			}
		}
	}
}

func isBreak(r rune) bool { return r == '\n' || r == '\r' }

// inline reports whether an element stands within a paragraph.
func inline(name string) bool {
	return slices.Contains([]string{
		"a", "abbr", "b", "bdi", "cite", "code", "em", "font", "i", "img", "kbd", "mark", "q", "s", "small", "span", "strong",
		"sub", "sup", "tt", "u",
	}, name)
}
