package visible

import (
	"bytes"
	"strings"

	stdhtml "html"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"

	"github.com/varve-archive/varve/internal/xhtml"
)

// A Link is an a or area element with an address.
type Link struct {
	Href string // as it is written
	Text string // its text and the texts of its pictures, white space collapsed
}

const (
	maxLinks    = 2000 // of a page; longer lists are cut
	maxHref     = 2048
	maxLinkText = 300 // of a link in bytes; a link that never ends is cut
)

// Links returns the links of an HTML page in document order, and the address of its base element, "" if there is none.
func Links(body []byte, contentType string) (base string, links []Link) {
	_, body = xhtml.AsHTML(contentType, UTF8(body, contentType))
	page := append(make([]byte, 0, len(body)+1), body...) // the lexer writes into it and needs room for a NUL
	maskForeign(page)
	r := linkReader{page: page}
	r.read()
	return r.base, r.links
}

type linkReader struct {
	page  []byte // copy for the lexer
	tag   string // of the current start tag
	attrs [2]string
	based bool
	base  string
	links []Link

	endless endless
	open    bool // the last of links has not ended
}

// The attributes that matter for links.
const (
	attrHref = iota
	attrAlt
)

func (r *linkReader) read() {
	in := parse.NewInputBytes(r.page)
	defer in.Restore()
	lexer := html.NewLexer(in)
	for len(r.links) <= maxLinks {
		mendMarkup(r.page[in.Offset():], r.tag, false)
		kind, data := lexer.Next()
		switch kind {
		case html.ErrorToken:
			r.end()
			return
		case html.TextToken:
			r.text(data)
		case html.StartTagToken:
			r.tag, r.attrs = string(lexer.Text()), [2]string{}
		case html.AttributeToken:
			r.attribute(lexer.AttrKey(), lexer.AttrVal())
		case html.StartTagCloseToken, html.StartTagVoidToken:
			if skip := r.start(r.page[in.Offset():]); skip > 0 {
				in.Move(skip)
				in.Skip()
			}
		case html.EndTagToken:
			r.endTag(lexer.Text())
		}
	}
	r.links = r.links[:maxLinks]
}

func (r *linkReader) attribute(key, val []byte) {
	if len(val) > maxHref {
		return
	}
	value := func() string { return strings.TrimSpace(stdhtml.UnescapeString(string(bytes.Trim(val, `"'`)))) }
	switch string(key) {
	case "href":
		r.attrs[attrHref] = value()
	case "alt":
		r.attrs[attrAlt] = value()
	}
}

// start handles a start tag. It returns how many bytes after it are not shown if scripts run.
func (r *linkReader) start(rest []byte) (skip int) {
	switch r.tag {
	case "base":
		if !r.based && r.attrs[attrHref] != "" {
			r.base, r.based = r.attrs[attrHref], true
		}
	case "a":
		r.end() // a link in a link ends the one around it (HTML §13.2.6.4.7)
		r.begin("")
	case "area":
		r.end()
		r.begin(r.attrs[attrAlt])
		r.end()
	case "img":
		r.add(" " + r.attrs[attrAlt] + " ")
	case "noscript", "noframes", "noembed", "template":
		return max(r.endless.endOfRaw(rest, r.tag), 0)
	default:
		if elements.find([]byte(r.tag)).kind != inline {
			r.add(" ")
		}
	}
	return 0
}

func (r *linkReader) begin(text string) {
	if href := r.attrs[attrHref]; href != "" && href[0] != '#' {
		r.links, r.open = append(r.links, Link{href, text}), true
	}
}

func (r *linkReader) endTag(name []byte) {
	r.tag = ""
	switch el := elements.find(name); {
	case el.name == "a":
		r.end()
	case el.kind != inline:
		r.add(" ")
	}
}

// text adds page text to the link around it.
func (r *linkReader) text(data []byte) {
	if r.open && elements.find([]byte(r.tag)).kind != hidden {
		r.add(stdhtml.UnescapeString(string(data)))
	}
}

func (r *linkReader) add(text string) {
	if !r.open {
		return
	}
	if l := &r.links[len(r.links)-1]; len(l.Text) < maxLinkText {
		l.Text += text[:min(len(text), maxLinkText)]
	}
}

func (r *linkReader) end() {
	if !r.open {
		return
	}
	l := &r.links[len(r.links)-1]
	l.Text = strings.Join(strings.Fields(strings.ToValidUTF8(l.Text, "")), " ")
	r.open = false
}
