package rewrite

import (
	"bufio"
	"bytes"
	"cmp"
	"io"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"

	"github.com/varve-archive/varve/rewrite/ascii"
	"github.com/varve-archive/varve/rewrite/charset"
	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// HTML rewrites a page: the URIs in all its attributes, style sheets, scripts, srcdoc documents and conditional
// comments. A <base> counts from its place on. Attributes and meta elements that would keep rewritten content from
// loading (integrity, nonce, crossorigin, Content-Security-Policy) are renamed with a leading "_". HTML inserts Head
// and Banner of the Options. The document keeps its charset.
func HTML(w io.Writer, r io.Reader, o Options) error {
	head := bufio.NewReaderSize(r, charset.PageLen)
	start, _ := head.Peek(charset.PageLen) // an error comes again
	o.Charset = cmp.Or(charset.OfPage(o.Charset, start), o.Charset)
	return charset.Transcode(w, head, o.Charset, func(w io.Writer, r io.Reader, c charset.Info) error {
		return rewrite(w, r, newHTMLScanner(&o, reference.New(o.Base, c.Encoding)), o, windowSize)
	})
}

// An htmlScanner finds what to rewrite in a page.
//
// The lexer lower-cases names in its input and reads some mark-up differently from browsers. So it gets a scratch copy,
// which is mended just ahead of where it reads; what it finds is then read from the untouched source.
type htmlScanner struct {
	o       *Options
	src     []byte
	scratch []byte
	in      *parse.Input
	lex     *html.Lexer
	e       *edit.List
	at      place
	tag     tag
	depth   int // number of documents around this one

	sectionEnd   int    // cached by nextSectionEnd
	until        []byte // if set, skip up to these bytes: a token was larger than maxToken
	beforeScript int    // a place reserved before the script whose tag was read last, if the document has no banner yet
}

// maxNesting bounds how deep documents are nested in documents (srcdoc, conditional comments).
const maxNesting = 8

// place is the scan's position in the document. It is small because it is saved at every token, to go back to.
type place struct {
	base     *reference.Base
	baseSeen bool
	head     bool // Head has been inserted, or there is none
	banner   bool // the same for Banner
	html     bool // there has been mark-up or text
	hidden   int  // depth of noscript, noframes and template, where nothing is inserted and browsers load nothing
	modes    modes
	embedded bool // a part of another document: nothing is inserted at its end
}

// tag is a start tag and the places of its attributes in the source.
type tag struct {
	src   []byte
	name  []byte // lower case
	start int
	attrs []attr
}

type attr struct {
	name     []byte      // lower case
	at       int         // where the name begins
	val, end int         // the value without quotes; val is -1 if there is none
	esc      edit.Escape // how the value must be written
}

func newHTMLScanner(o *Options, b *reference.Base) *htmlScanner {
	return &htmlScanner{o: o, at: place{base: b, head: o.Head == nil, banner: o.Banner == nil && o.LateBanner == nil}}
}

func (h *htmlScanner) scan(src []byte, last bool, e *edit.List) int {
	skipped := 0
	if h.until != nil {
		if skipped = h.skip(src, last); h.until != nil {
			return skipped
		}
	}
	h.src, h.e = src[skipped:], e
	if e.Origin == "" && h.o.Spelling && h.depth == 0 {
		document := reference.New(h.o.Base, nil)
		e.Origin = document.Origin()
	}
	m := e.Mark()
	n := h.run(last)
	e.Shift(m, skipped, edit.Verbatim)
	h.src = nil
	return skipped + n
}

// skip skips the rest of a token that was too large.
func (h *htmlScanner) skip(src []byte, last bool) int {
	if i := indexFold(src, h.until); i >= 0 {
		h.until = nil
		return i
	}
	if last {
		h.until = nil
		return len(src)
	}
	return max(0, len(src)-len(h.until))
}

// run lexes h.src and returns the number of bytes that are settled.
func (h *htmlScanner) run(last bool) int {
	h.scratch = append(append(h.scratch[:0], h.src...), 0)
	h.in = parse.NewInputBytes(h.scratch[:len(h.src)])
	h.lex = html.NewLexer(h.in)
	h.sectionEnd = -1
	for {
		start := h.in.Offset()
		m, place := h.e.Mark(), h.at
		h.mend(start, last)
		tt, data := h.lex.Next()
		if tt == html.ErrorToken {
			break
		}
		raw := h.element(tt, start)
		if end := h.in.Offset(); !last && end >= len(h.src) {
			h.e.Rollback(m)
			h.at = place
			if tt == html.TextToken && data[0] != '<' {
				settled := textSettled(h.src, start)
				h.text(start, settled)
				return settled
			}
			if len(h.src)-start > maxToken {
				return h.giveUp(tt, raw)
			}
			return start
		}
	}
	if last {
		h.end()
	}
	return len(h.src)
}

// textSettled returns how much of a text in src that began at start is settled: everything except a "<" that may begin a tag.
func textSettled(src []byte, start int) int {
	tail := max(start, len(src)-len("</"))
	if i := bytes.IndexByte(src[tail:], '<'); i >= 0 {
		return tail + i
	}
	return len(src)
}

// giveUp skips a token that is too large to hold, up to its presumed end.
func (h *htmlScanner) giveUp(tt html.TokenType, raw string) int {
	switch {
	case raw != "":
		h.until = []byte("</" + raw)
	case tt == html.CommentToken:
		h.until = []byte("-->")
	default:
		h.until = []byte(">")
	}
	return len(h.src) - len(h.until)
}

// element handles one token and everything that belongs to it: a tag's attributes, a script's text. raw is the name of the element
// whose text it handled.
func (h *htmlScanner) element(tt html.TokenType, start int) (raw string) {
	switch tt {
	case html.StartTagToken:
		return h.startTag(start)
	case html.EndTagToken:
		h.endTag(start)
	case html.TextToken:
		h.text(start, h.in.Offset())
	case html.CommentToken:
		h.comment(start, h.in.Offset())
	}
	return ""
}

// startTag reads the attributes of a tag, and the text of an element that contains only text.
func (h *htmlScanner) startTag(start int) (raw string) {
	t := &h.tag
	t.src, t.start, t.attrs = h.src, start, t.attrs[:0]
	t.name = h.lex.Text()
	rawText := rawTextElement(t.name)
	for {
		from := h.in.Offset()
		h.mendAttribute(from)
		tt, _ := h.lex.Next()
		if tt == html.AttributeToken {
			h.attribute(from)
			continue
		}
		if tt == html.ErrorToken {
			return ""
		}
		h.unmask(t, tt == html.StartTagVoidToken)
		break
	}
	end := h.in.Offset()
	h.insertBefore(t)
	h.rewriteTag(t)
	h.insertAfter(t, end)
	if rawText == "" {
		return h.fallback(t, end)
	}
	tt, _ := h.lex.Next()
	switch tt {
	case html.TextToken:
		h.rawText(t, end, h.in.Offset())
		return rawText
	case html.EndTagToken:
		h.endTag(end)
	}
	return rawText
}

// fallback scans the content of an element that is markup for other browsers only. To those that run scripts and show frames it is text
// up to its end tag, whatever comment or value is open there.
func (h *htmlScanner) fallback(t *tag, start int) (raw string) {
	switch raw = string(t.name); raw {
	case "noscript", "noframes", "noembed":
	default:
		return ""
	}
	if h.at.modes.foreign() || h.depth == maxNesting {
		return ""
	}
	end := start + endTagOf(h.src[start:], raw)
	sub := &htmlScanner{o: h.o, depth: h.depth + 1, at: place{base: h.at.base, head: true, banner: true, hidden: 1, embedded: true}}
	edit.Part{Text: h.src[start:end], At: start}.Within(h.e, edit.Verbatim, func(text []byte) { sub.scan(text, true, h.e) })
	h.in.Move(end - start)
	h.in.Skip()
	return raw
}

// endTagOf returns where the end tag of an element begins, or else the length of s. name is in lower case.
func endTagOf(s []byte, name string) int {
	for from := 0; ; {
		n := indexFold(s[from:], []byte("</"+name))
		if n < 0 {
			return len(s)
		}
		from += n + len("</") + len(name)
		if from == len(s) || s[from] == '>' || s[from] == '/' || ascii.IsSpace(s[from]) {
			return from - len("</") - len(name)
		}
	}
}

// rawTextElement returns the name of an element whose content the lexer reads as text, else "".
func rawTextElement(name []byte) string {
	switch string(name) {
	case "script":
		return "script"
	case "style":
		return "style"
	case "textarea":
		return "textarea"
	case "title":
		return "title"
	case "xmp":
		return "xmp"
	case "iframe":
		return "iframe"
	case "plaintext":
		return "plaintext"
	}
	return ""
}

// attribute records the attribute that the lexer has read since from.
func (h *htmlScanner) attribute(from int) {
	end := h.in.Offset()
	for from < end && ascii.IsSpace(h.src[from]) {
		from++
	}
	a := attr{name: h.lex.AttrKey(), at: from, val: -1, end: end, esc: edit.InUnquoted}
	if slash := bytes.LastIndexByte(a.name, '/'); slash >= 0 { // "disabled/class=b" is two attributes
		a.at += slash + 1
		a.name = a.name[slash+1:]
	}
	if val := h.lex.AttrVal(); val != nil {
		a.val = end - len(val)
		if len(val) > 0 && (val[0] == '"' || val[0] == '\'') {
			a.val++
			a.esc = edit.InAttr
			if len(val) > 1 && val[len(val)-1] == val[0] {
				a.end--
			}
		}
	}
	h.tag.attrs = append(h.tag.attrs, a)
}

// get returns an attribute's value as it is written, or nil.
func (t *tag) get(name string) []byte {
	for _, a := range t.attrs {
		if a.val >= 0 && string(a.name) == name {
			return t.src[a.val:a.end]
		}
	}
	return nil
}

// rawText handles the text of a script, a style sheet and the like.
func (h *htmlScanner) rawText(t *tag, start, end int) {
	if text := bytes.TrimSpace(h.src[start:end]); bytes.HasPrefix(text, []byte("<![CDATA[")) && bytes.HasSuffix(text, []byte("]]>")) {
		start += bytes.IndexByte(h.src[start:end], '[') + len("[CDATA[") // foreign content
		end = start + bytes.LastIndexByte(h.src[start:end], ']') - len("]")
	}
	switch string(t.name) {
	case "style":
		h.styleSheet(start, end)
	case "script":
		h.script(t, start, end)
	}
}

func (h *htmlScanner) styleSheet(start, end int) {
	edit.Part{Text: h.src[start:end], At: start}.Within(h.e, edit.Verbatim, func(text []byte) {
		c := cssScanner{base: h.at.base}
		c.scan(text, true, h.e)
	})
}

// script handles an inline script by its type (HTML, "prepare the script element").
func (h *htmlScanner) script(t *tag, start, end int) {
	use := uses.Script
	switch kind := scriptType(t.get("type"), t.get("language")); kind {
	case scriptData:
		return
	case scriptModule:
		use = uses.Module
	case scriptImportMap:
		edit.Part{Text: h.src[start:end], At: start}.Within(h.e, edit.Verbatim, func(text []byte) {
			h.e.Plainly(func() { importMap(text, h.at.base, h.e) })
		})
		return
	}
	if indexFold(h.src[start:end], []byte("<frameset")) >= 0 { // the script may write one
		h.insertFramesetBanner(h.beforeScript)
	}
	edit.Part{Text: h.src[start:end], At: start}.Within(h.e, edit.Verbatim, func(text []byte) {
		h.e.Plainly(func() { h.newScript(use).scan(text, true, h.e) })
	})
}

// comment handles conditional comments, which old versions of Internet Explorer read as markup.
func (h *htmlScanner) comment(start, end int) {
	src := h.src[start:end]
	if !bytes.HasPrefix(src, []byte("<!--[if")) {
		return
	}
	open, stop := bytes.IndexByte(src, '>'), bytes.LastIndex(src, []byte("<!["))
	if open < 0 || stop <= open {
		return
	}
	h.part(edit.Part{Text: src[open+1 : stop], At: start + open + 1}, edit.Verbatim, h.at.base)
}

// part scans markup inside the document.
func (h *htmlScanner) part(p edit.Part, outer edit.Escape, b *reference.Base) {
	if h.depth == maxNesting {
		return
	}
	sub := &htmlScanner{o: h.o, depth: h.depth + 1, at: place{base: b, head: true, banner: true, embedded: true}}
	p.Within(h.e, outer, func(text []byte) {
		h.e.Plainly(func() { sub.scan(text, true, h.e) })
	})
}

// indexFold is bytes.Index that ignores ASCII case; what must be in lower case.
func indexFold(s, what []byte) int {
	for i := 0; i+len(what) <= len(s); i++ {
		n := bytes.IndexByte(s[i:], what[0])
		if n < 0 || i+n+len(what) > len(s) {
			return -1
		}
		i += n
		if bytes.EqualFold(s[i:i+len(what)], what) {
			return i
		}
	}
	return -1
}

// newScript starts the scan of a script of the page. The scan is ready if a head has started the client side before it.
func (h *htmlScanner) newScript(use uses.Use) *jsScanner {
	j := newJSScanner(h.o, h.at.base, use)
	j.ready = h.o.Head != nil && !h.at.embedded
	return j
}
