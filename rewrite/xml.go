package rewrite

import (
	"bytes"
	"io"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/xml"

	"github.com/varve-archive/varve/rewrite/ascii"
	"github.com/varve-archive/varve/rewrite/charset"
	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// XML rewrites an XML document: SVG, RSS, Atom, sitemaps, XSLT and whatever has similar links. It rewrites the values of href, src
// and url, including relative URIs (xml:base counts); other attributes and texts that consist of one absolute URI; style sheets;
// and the markup that feeds contain as text. Namespaces, identifiers and schemas are names and stay. Text that a browser displays
// stays too: that of SVG, and of documents with a CSS style sheet, except feeds.
func XML(w io.Writer, r io.Reader, o Options) error {
	return xmlRewrite(w, r, o, false)
}

// DASH rewrites a media presentation description (ISO 23009-1). Its relative URIs stay: the player fills in templates
// and resolves them against a base that points into the archive.
func DASH(w io.Writer, r io.Reader, o Options) error {
	return xmlRewrite(w, r, o, true)
}

func xmlRewrite(w io.Writer, r io.Reader, o Options, dash bool) error {
	return charset.Transcode(w, r, o.Charset, func(w io.Writer, r io.Reader, c charset.Info) error {
		b := reference.New(o.Base, c.Encoding)
		o.JS = false // there is no head in which to load the client side
		return rewrite(w, r, &xmlScanner{o: &o, dash: dash, at: xmlPlace{base: b}}, o, windowSize)
	})
}

// An xmlScanner finds the URIs of an XML document. The lexer works in a scratch copy, since it changes white space.
type xmlScanner struct {
	o       *Options
	dash    bool
	src     []byte
	scratch []byte
	in      *parse.Input
	lex     *xml.Lexer
	e       *edit.List
	at      xmlPlace
	tag     tag
	pass    bool
}

// xmlPlace is where in the document the scan is.
type xmlPlace struct {
	base   *reference.Base
	text   xmlText   // kind of the next text
	depth  int       // of elements
	outer  *xmlScope // bases to go back to
	styled bool      // there is a CSS style sheet
	shown  bool      // texts are for readers only
}

// xmlText is the kind of an element's text.
type xmlText uint8

const (
	xmlIgnored xmlText = iota // after an end tag, or a name
	xmlPlain                  // perhaps a URI
	xmlMarkup                 // perhaps HTML
	xmlStyle
	xmlScript
)

// xmlScope is the base outside an element with an xml:base.
type xmlScope struct {
	base  *reference.Base
	depth int
	level int // of scopes
	outer *xmlScope
}

// maxBases bounds how deep bases are nested: each can be as long as all those around it together.
const maxBases = 32

func (x *xmlScanner) scan(src []byte, last bool, e *edit.List) int {
	if x.pass {
		return len(src)
	}
	x.src, x.e = src, e
	x.scratch = append(append(x.scratch[:0], src...), 0)
	x.in = parse.NewInputBytes(x.scratch[:len(src)])
	x.lex = xml.NewLexer(x.in)
	for {
		start := x.in.Offset()
		m, place := e.Mark(), x.at
		tt, _ := x.lex.Next()
		if tt == xml.ErrorToken {
			break
		}
		x.token(tt, start)
		if !last && x.in.Offset() >= len(src) {
			e.Rollback(m)
			x.at = place
			if len(src)-start <= maxToken {
				return start
			}
			break
		}
	}
	x.pass = !last && x.in.Offset() < len(src) // no longer XML: the rest stays
	return len(src)
}

func (x *xmlScanner) token(tt xml.TokenType, start int) {
	switch tt {
	case xml.StartTagToken, xml.StartTagPIToken:
		x.startTag(start, tt == xml.StartTagPIToken)
	case xml.EndTagToken:
		x.endTag()
	case xml.TextToken:
		x.text(start, x.in.Offset(), edit.InAttr)
	case xml.CDATAToken:
		if end := x.in.Offset() - len("]]>"); end >= start+len("<![CDATA[") {
			x.text(start+len("<![CDATA["), end, edit.Verbatim)
		}
	}
}

func (x *xmlScanner) startTag(start int, instruction bool) {
	t := &x.tag
	t.src, t.start, t.attrs, t.name = x.src, start, t.attrs[:0], localName(x.lex.Text())
	empty := false
	for {
		from := x.in.Offset()
		tt, _ := x.lex.Next()
		if tt == xml.AttributeToken {
			x.attribute(from)
			continue
		}
		if tt == xml.ErrorToken {
			return
		}
		empty = tt == xml.StartTagCloseVoidToken
		break
	}
	if instruction {
		x.at.text = xmlIgnored
		x.instruction(t)
		return
	}
	x.open(t)
	for i := range t.attrs {
		x.rewriteAttr(t, &t.attrs[i])
	}
	if empty {
		x.endTag()
	}
}

// open begins the content of an element.
func (x *xmlScanner) open(t *tag) {
	if x.at.depth == 0 {
		x.at.shown = string(t.name) == "svg" || x.at.styled && !isForPrograms(t.name)
	}
	x.at.depth++
	if x.at.text = textOf(t); x.at.shown && (x.at.text == xmlPlain || x.at.text == xmlMarkup) {
		x.at.text = xmlIgnored
	}
	x.xmlBase(t)
}

// isForPrograms reports whether an element is the root of a document for programs, which follow the URIs in its texts: a feed, a
// list.
func isForPrograms(root []byte) bool {
	switch string(root) {
	case "rss", "feed", "rdf", "urlset", "sitemapindex", "opml":
		return true
	}
	return false
}

// localName returns a name of the scratch copy without its prefix and in lower case.
func localName(name []byte) []byte {
	if i := bytes.LastIndexByte(name, ':'); i >= 0 {
		name = name[i+1:]
	}
	return parse.ToLower(name)
}

func (x *xmlScanner) attribute(from int) {
	end := x.in.Offset()
	for from < end && ascii.IsSpace(x.src[from]) {
		from++
	}
	val := x.lex.AttrVal()
	if len(val) < 2 || val[0] != '"' && val[0] != '\'' || val[len(val)-1] != val[0] {
		return
	}
	x.tag.attrs = append(x.tag.attrs, attr{name: x.lex.Text(), at: from, val: end - len(val) + 1, end: end - 1, esc: edit.InAttr})
}

func (x *xmlScanner) endTag() {
	x.at.text = xmlIgnored
	if x.at.outer != nil && x.at.outer.depth == x.at.depth {
		x.at.base, x.at.outer = x.at.outer.base, x.at.outer.outer
	}
	x.at.depth--
}

// xmlBase handles an xml:base (W3C XML Base), which counts until its element ends.
func (x *xmlScanner) xmlBase(t *tag) {
	value := t.get("xml:base")
	if value == nil || x.at.outer != nil && x.at.outer.level == maxBases {
		return
	}
	level := 1
	if x.at.outer != nil {
		level = x.at.outer.level + 1
	}
	x.at.outer = &xmlScope{x.at.base, x.at.depth, level, x.at.outer}
	x.at.base = x.at.base.Join(edit.DecodeAttribute(value, 0, len(value)).Text)
}

// instruction handles <?xml-stylesheet href type?> (W3C Associating Style Sheets).
func (x *xmlScanner) instruction(t *tag) {
	if string(t.name) != "xml-stylesheet" {
		return
	}
	use := uses.Object // XSLT
	if kind := t.get("type"); kind == nil || bytes.EqualFold(kind, []byte("text/css")) {
		use, x.at.styled = uses.Style, true
	}
	for i := range t.attrs {
		if a := &t.attrs[i]; string(a.name) == "href" {
			x.uri(a, use)
		}
	}
}
