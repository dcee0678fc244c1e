// Package xhtml writes XHTML pages so that they mean the same when they are read as HTML.
package xhtml

import (
	"bytes"
	"html"
	"io"
	"mime"
	"regexp"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/xml"

	"github.com/varve-archive/varve/internal/contenttype"
	"github.com/varve-archive/varve/internal/xmltext"
)

// Is reports whether a Content-Type makes a browser read the body as XML, into which no HTML can be inserted:
// after a single "&&" in a script, or an attribute without a value, the reader sees an error instead of the page. Browsers read the type
// however badly its parameters are written (MIME Sniffing §4.4).
func Is(contentType string) bool {
	kind := contenttype.Media(contentType)
	return kind == "application/xhtml+xml" || kind == "application/vnd.wap.xhtml+xml"
}

var xmlEncoding = regexp.MustCompile(`^(?:\xef\xbb\xbf)?<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']`)

// TypeAsHTML returns the Content-Type under which an XHTML page can be read as HTML. start is the beginning of the body.
// If the archived header names no charset, that of the XML declaration counts, else UTF-8 (XML 1.0 §4.3.3).
func TypeAsHTML(contentType string, start []byte) string {
	charset := "utf-8"
	if m := xmlEncoding.FindSubmatch(start); m != nil {
		charset = string(m[1])
	}
	if said := xmltext.Charset(contentType); said != "" {
		charset = said
	}
	return mime.FormatMediaType("text/html", map[string]string{"charset": charset})
}

// maxXHTML is how large a page may be to be written as HTML; a larger one stays as it is.
const maxXHTML = 16 << 20

// ToHTML rewrites an XHTML page so that it means the same when read as HTML: an element that ends with its start tag
// gets an end tag, CDATA sections become text, and scripts and styles lose their escapes. All else stays, except for
// spaces inside tags.
func ToHTML(r io.Reader) (io.Reader, error) {
	src, err := io.ReadAll(io.LimitReader(r, maxXHTML+1))
	if err != nil {
		return nil, err
	}
	// UTF-16 contains no ASCII to look for.
	if len(src) > maxXHTML || bytes.HasPrefix(src, []byte{0xfe, 0xff}) || bytes.HasPrefix(src, []byte{0xff, 0xfe}) {
		return io.MultiReader(bytes.NewReader(src), r), nil
	}
	x := page{lex: xml.NewLexer(parse.NewInputBytes(bytes.Clone(src)))}
	x.run()
	return &x.out, nil
}

// AsHTML returns the Content-Type and the body of an XHTML page as those of HTML, and others as they are.
func AsHTML(contentType string, body []byte) (string, []byte) {
	if !Is(contentType) {
		return contentType, body
	}
	r, err := ToHTML(bytes.NewReader(body))
	if err != nil { // bytes can always be read
		return contentType, body
	}
	out, _ := io.ReadAll(r)
	return TypeAsHTML(contentType, body), out
}

// A page is one that is being turned into HTML.
type page struct {
	lex     *xml.Lexer
	out     bytes.Buffer
	open    []byte // name of the current tag
	foreign int    // depth in svg and math, whose elements may end with their start tag in HTML too
	raw     bool   // in a script or style
}

func (x *page) run() {
	for {
		tt, data := x.lex.Next()
		switch tt {
		case xml.ErrorToken:
			return
		case xml.StartTagToken:
			x.open = bytes.Clone(x.lex.Text())
			x.out.Write(data)
		case xml.StartTagCloseToken:
			x.out.Write(data)
			x.enter()
		case xml.StartTagCloseVoidToken:
			x.closeVoid()
		case xml.EndTagToken:
			x.out.Write(data)
			if isForeign(x.lex.Text()) {
				x.foreign = max(0, x.foreign-1)
			}
			x.raw = false
		case xml.CDATAToken:
			x.cdata(x.lex.Text())
		case xml.TextToken:
			if x.raw {
				data = []byte(html.UnescapeString(string(data)))
			}
			x.out.Write(data)
		default:
			x.out.Write(data)
		}
	}
}

func isForeign(name []byte) bool { return string(name) == "svg" || string(name) == "math" }

func (x *page) enter() {
	if isForeign(x.open) {
		x.foreign++
	}
	x.raw = x.foreign == 0 && (string(x.open) == "script" || string(x.open) == "style")
}

// isVoid reports whether an element has no end tag in HTML (HTML, "void elements").
func isVoid(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
		"basefont", "frame", "isindex":
		return true
	}
	return false
}

func (x *page) closeVoid() {
	if x.foreign > 0 || isForeign(x.open) || isVoid(string(x.open)) {
		x.out.WriteString("/>")
		return
	}
	x.out.WriteString("></")
	x.out.Write(x.open)
	x.out.WriteString(">")
}

func (x *page) cdata(text []byte) {
	if x.raw {
		x.out.Write(text)
		return
	}
	x.out.WriteString(html.EscapeString(string(text)))
}
