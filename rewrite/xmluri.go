package rewrite

import (
	"bytes"

	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/uses"
)

// rewriteAttr handles one attribute of an XML element.
func (x *xmlScanner) rewriteAttr(t *tag, a *attr) {
	value := x.src[a.val:a.end]
	if bytes.IndexByte(value, '{') >= 0 && string(a.name) != "style" { // an attribute value template (XSLT)
		return
	}
	switch name := string(a.name); name {
	case "xml:base":
		if x.at.outer != nil {
			b := x.at.base
			x.at.base = x.at.outer.base
			x.uri(a, uses.Page)
			x.at.base = b
		}
	case "href", "xlink:href":
		if use := x.hrefUse(t); use == uses.Object { // Chromium's XSLT takes the "http:" within a path apart
			x.e.Wholly(func() { x.unlessDASH(a, use) })
		} else {
			x.unlessDASH(a, use)
		}
	case "src":
		x.unlessDASH(a, t.srcUse())
	case "url", "poster", "background":
		x.unlessDASH(a, x.urlUse(t, value))
	case "style", "fill", "stroke", "filter", "mask", "clip-path", "cursor", "marker-start", "marker-mid", "marker-end":
		x.style(a)
	case "integrity", "nonce", "crossorigin":
		x.e.Neutralise(a.at, edit.Verbatim)
	default:
		if x.dash && bytes.HasPrefix(value, []byte("/")) && dashURI(name) {
			x.uri(a, guessUse(value))
		} else if !nameAttr(name) {
			x.perhapsURI(a)
		}
	}
}

// perhapsURI handles an attribute that may be an absolute URI, with or without spaces around it.
func (x *xmlScanner) perhapsURI(a *attr) {
	start, end := trimXML(x.src, a.val, a.end)
	if value := x.src[start:end]; wholeURI(value) {
		x.e.Attribute(x.src, start, end, x.at.base, guessUse(value), edit.InAttr)
	}
}

// trimXML skips the white space around src[start:end], including white space written as character references.
func trimXML(src []byte, start, end int) (int, int) {
	spaces := [...]string{
		" ", "\t", "\n", "\r", "&#32;", "&#x20;", "&#9;", "&#x9;", "&#x09;", "&#10;", "&#xA;", "&#xa;", "&#x0A;", "&#13;", "&#xD;", "&#xd;",
	}
	for i := 0; i < len(spaces); i++ {
		if s := spaces[i]; bytes.HasPrefix(src[start:end], []byte(s)) {
			start, i = start+len(s), -1
		} else if bytes.HasSuffix(src[start:end], []byte(s)) {
			end, i = end-len(s), -1
		}
	}
	return start, end
}

// dashURI reports whether an attribute of a media presentation description is a URI (ISO 23009-1 §5.3).
func dashURI(name string) bool {
	switch name {
	case "media", "initialization", "index", "sourceURL", "bitstreamSwitching":
		return true
	}
	return false
}

// nameAttr reports whether the URIs in an attribute are names, not places: name spaces, schemas, schemes.
func nameAttr(name string) bool {
	for _, prefix := range [...]string{
		"xmlns", "xsi:", "rdf:", "profile", "scheme", "rel", "type", "property", "about", "datatype", "id",
		"namespace", "version", "role", "system", "public",
	} {
		if len(name) >= len(prefix) && name[:len(prefix)] == prefix {
			return true
		}
	}
	return false
}

// textOf says what the text of an element is.
func textOf(t *tag) xmlText {
	switch string(t.name) {
	case "id", "identifier", "namespace", "profile": // names, even if they look like URIs
		return xmlIgnored
	case "guid":
		if string(t.get("isPermaLink")) == "false" {
			return xmlIgnored
		}
	case "style":
		return xmlStyle
	case "script":
		return xmlScript
	case "description", "encoded", "content", "summary", "subtitle", "body":
		return xmlMarkup
	}
	return xmlPlain
}

func (x *xmlScanner) hrefUse(t *tag) uses.Use {
	switch string(t.name) {
	case "include", "import": // XSLT, XInclude
		return uses.Object
	case "stylesheet":
		return uses.Style
	}
	return t.hrefUse()
}

func (x *xmlScanner) urlUse(t *tag, value []byte) uses.Use {
	switch string(t.name) {
	case "thumbnail", "image":
		return uses.Image
	case "enclosure":
		if use := guessUse(value); use != uses.Link {
			return use
		}
		return uses.Object
	}
	return guessUse(value)
}

// unlessDASH handles a URI that may be relative, except in a media presentation description.
func (x *xmlScanner) unlessDASH(a *attr, use uses.Use) {
	start, end := trimXML(x.src, a.val, a.end)
	if !x.dash || wholeURI(x.src[start:end]) {
		x.e.Attribute(x.src, start, end, x.at.base, use, edit.InAttr)
	}
}

func (x *xmlScanner) uri(a *attr, use uses.Use) {
	x.e.Attribute(x.src, a.val, a.end, x.at.base, use, edit.InAttr)
}

func (x *xmlScanner) style(a *attr) {
	if indexFold(x.src[a.val:a.end], []byte("url(")) < 0 {
		return
	}
	edit.DecodeAttribute(x.src, a.val, a.end).Within(x.e, edit.InAttr, func(text []byte) {
		c := cssScanner{base: x.at.base}
		c.scan(text, true, x.e)
	})
}

// text handles the text of an element, or a CDATA section in it.
func (x *xmlScanner) text(start, end int, esc edit.Escape) {
	switch x.at.text {
	case xmlIgnored:
		return
	case xmlStyle:
		x.styleSheet(start, end, esc)
		return
	case xmlScript:
		x.script(start, end, esc)
		return
	case xmlMarkup:
		if x.markup(start, end, esc) {
			return
		}
	}
	start, end = trimXML(x.src, start, end)
	if wholeURI(x.src[start:end]) {
		use := guessUse(x.src[start:end])
		if x.dash {
			use = uses.Object
		}
		x.e.Mention(start, end, x.decoded(start, end, esc).Text, x.at.base, use, esc)
	}
}

// decoded returns a text with its references decoded.
func (x *xmlScanner) decoded(start, end int, esc edit.Escape) edit.Part {
	if esc == edit.Verbatim {
		return edit.Part{Text: x.src[start:end], At: start}
	}
	return edit.DecodeAttribute(x.src, start, end)
}

func (x *xmlScanner) styleSheet(start, end int, esc edit.Escape) {
	x.decoded(start, end, esc).Within(x.e, esc, func(text []byte) {
		c := cssScanner{base: x.at.base}
		c.scan(text, true, x.e)
	})
}

func (x *xmlScanner) script(start, end int, esc edit.Escape) {
	x.decoded(start, end, esc).Within(x.e, esc, func(text []byte) {
		newJSScanner(x.o, x.at.base, uses.Script).scan(text, true, x.e)
	})
}

// markup handles HTML that a feed carries as text. It is not ok if the text contains no tag.
func (x *xmlScanner) markup(start, end int, esc edit.Escape) bool {
	p := x.decoded(start, end, esc)
	if bytes.IndexByte(p.Text, '<') < 0 {
		return false
	}
	sub := &htmlScanner{o: x.o, at: place{base: x.at.base, head: true, banner: true, embedded: true}}
	p.Within(x.e, esc, func(text []byte) { sub.scan(text, true, x.e) })
	return true
}
