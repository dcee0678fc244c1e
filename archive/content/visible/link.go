package visible

import (
	"bytes"
	"math"
	"strings"

	stdhtml "html"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"
)

// A Link is an a or area element with an address.
type Link struct {
	Href string // as it is written
	Text string // its text and the texts of its pictures, white space collapsed
}

const (
	mostLinks    = 2000 // of a page; longer lists are cut
	longestHref  = 2048
	longestTexts = 300 // of a link in bytes; a link that never ends is cut
)

// A LinkReader reads the links of pages. The zero value is ready to use; only one goroutine may use it at a time.
type LinkReader struct {
	Memory *LinkMemory // may be shared with others; nil caches nothing
}

// Read returns the links of an HTML page in document order, and the address of its base element, "" if there is none.
func (l *LinkReader) Read(body []byte, contentType string) (base string, links []Link) {
	var d declared
	body = d.toUTF8(body, contentType)
	r := linkReader{page: ownPage(body), body: body, memory: l.Memory}
	r.read()
	return r.base, r.links
}

// Links is [LinkReader.Read] without a memory.
func Links(body []byte, contentType string) (base string, links []Link) {
	return new(LinkReader).Read(body, contentType)
}

// ownPage returns a copy of a page for the lexer, which writes into it and needs room for a NUL.
func ownPage(body []byte) []byte {
	page := append(make([]byte, 0, len(body)+1), body...)
	maskForeign(page)
	return page
}

// A linkReader reads the links of one page.
type linkReader struct {
	page  []byte // copy for the lexer
	lexed bool   // don't skim
	tag   string // of the current start tag
	attrs [2]string
	based bool
	base  string
	links []Link
	open  bool // the last of links has not ended

	body    []byte // the original page
	memory  *LinkMemory
	rec     linkRecording
	endless bool // the meaning of what was read depends on the rest of the page
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
	on := func(skip int) {
		if skip > 0 {
			in.Move(skip)
			in.Skip()
		}
	}
	r.rec.end = math.MaxInt
	if r.memory != nil {
		on(r.passOver(0))
	}
	on(r.skim(in.Offset(), false))
	for len(r.links) <= mostLinks {
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
			on(r.start(r.page[in.Offset():]))
			if !isRaw(html.ToHash([]byte(r.tag))) {
				on(r.skim(in.Offset(), false))
			}
		case html.EndTagToken:
			r.endTag(lexer.Text())
			on(r.skim(in.Offset(), true))
		}
	}
	r.links = r.links[:mostLinks]
}

func (r *linkReader) attribute(key, val []byte) {
	if len(val) > longestHref {
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
		n := endOfRaw(rest, []byte(r.tag))
		r.endless = r.endless || n < 0
		return max(n, 0)
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
	if l := &r.links[len(r.links)-1]; len(l.Text) < longestTexts {
		l.Text += text[:min(len(text), longestTexts)]
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
