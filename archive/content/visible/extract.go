package visible

import (
	"bytes"
	"math"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"

	"github.com/varve-archive/varve/archive/content/tokenize"
	"github.com/varve-archive/varve/internal/xhtml"
)

// An Extractor turns bodies into texts and reuses its buffers. The zero value is ready to use; only one goroutine may
// use it at a time.
type Extractor struct {
	// Memory may be shared with other Extractors. If it is nil, the Extractor makes its own from the second page on.
	Memory *Memory
	// Layout says that the places of blocks in lists and tables are needed. No passages are reused then.
	Layout bool

	declared declared
	scratch  []byte // copy of the page for the lexer, which writes into its input
	entity   []byte // text with its character references replaced
	out      []byte // collapsed text of the page so far
	outline  outline
	stack    []open
	pictures []picture
	shown    pictureTag // set if pending shows a picture or is a frame
	names    nameCache
	lower    tokenize.Normalizer
	rec      recording
	pushed   []open // of a passage being replayed

	spare Text // a recycled text
	read  int  // pages so far

	pending   tag
	hidden    string // the hidden element that is being skipped, if hiding is not 0
	hiding    int    // depth inside it
	endless   endless
	inLink    bool
	inButton  bool
	inTitle   bool
	inForeign bool // in a drawing or a formula
	box       lineBox
	cur       span // the current block, if inBlock
	inBlock   bool
	space     bool // white space follows the last text
	item      item
	title     int // index in blocks of the first title, -1 if none
	address   Address
	layout    layout
}

// Extract returns the visible text of an HTML or XHTML page, or of plain text if contentType is text/plain. Transfer
// and content codings must have been removed from the body. The charset is found as browsers do: byte-order mark, then
// contentType, then meta, then UTF-8 if that is valid, then windows-1252. Broken mark-up is read as far as possible;
// there is no error.
func (e *Extractor) Extract(body []byte, contentType string) Text {
	e.reset()
	body = withoutNUL(e.declared.toUTF8(body, contentType))
	_, body = xhtml.AsHTML(contentType, body)
	if isPlain(contentType) {
		e.lines(body, false)
	} else {
		e.address = addressOf(body)
		e.page(body)
	}
	t := e.finish()
	t.rebase(body)
	t.Forwards = len(t.all) <= maxForwarding && forwards(body)
	return t
}

// withoutNUL returns a page without U+0000, which browsers ignore in text (HTML §13.2.6.4.7). The result may be body itself.
func withoutNUL(body []byte) []byte {
	if bytes.IndexByte(body, 0) < 0 {
		return body
	}
	return bytes.ReplaceAll(body, []byte{0}, nil)
}

func isPlain(contentType string) bool {
	const plain = "text/plain"
	return len(contentType) >= len(plain) && bytes.EqualFold([]byte(contentType[:len(plain)]), []byte(plain))
}

func (e *Extractor) reset() {
	e.out, e.outline.blocks, e.stack, e.pictures = e.out[:0], e.outline.blocks[:0], e.stack[:0], e.pictures[:0]
	e.outline.zones = append(e.outline.zones[:0], zone{})
	e.stack = append(e.stack, open{slot: slotSeed})
	e.hiding, e.endless, e.title, e.address = 0, e.endless[:0], -1, Unnamed
	e.inLink, e.inButton, e.inTitle, e.inForeign, e.inBlock, e.space = false, false, false, false, false, false
	e.item, e.box = noItem, lineBox{}
	e.rec.end = math.MaxInt
	e.layout.reset()
}

// lines adds text in which line feeds show. Each paragraph, up to an empty line, is a block.
func (e *Extractor) lines(text []byte, entities bool) {
	begun := false // with the end of a line that began before text
	for line := range bytes.Lines(text) {
		if begun && len(bytes.TrimSpace(line)) == 0 && line[len(line)-1] == '\n' {
			e.endBlock()
		}
		e.text(line, entities)
		begun = true
	}
}

// page reads the page body, except for the known passages at its start.
func (e *Extractor) page(body []byte) {
	at := 0
	if e.read++; e.read > 1 && e.Memory == nil && !e.Layout {
		e.Memory = new(Memory)
	}
	if e.Memory != nil && !e.Layout {
		at = e.passOver(body, at)
	}
	e.lex(body, at, &e.scratch)
}

// lex reads the page body, or a part of it, from offset at on. The lexer works in scratch, because it writes into its input.
func (e *Extractor) lex(body []byte, at int, scratch *[]byte) {
	*scratch = append(append((*scratch)[:0], body...), 0) // with room for the NUL that the lexer needs at the end
	in := parse.NewInputBytes((*scratch)[:len(body)])
	defer in.Restore()
	lexer := html.NewLexer(in)
	for {
		if at != in.Offset() {
			in.Move(at - in.Offset())
			in.Skip()
		}
		mendMarkup((*scratch)[at:], e.stack[len(e.stack)-1].tag, e.inForeign)
		kind, data := lexer.Next()
		at = in.Offset()
		switch kind {
		case html.ErrorToken:
			return
		case html.TextToken:
			e.textToken(data)
		case html.StartTagToken:
			e.startTag(lexer.Text())
		case html.AttributeToken:
			switch {
			case e.hiding > 0:
			case e.pending.kind == block || e.pending.kind == shown || e.pending.kind == hidden:
				e.attribute(lexer.AttrKey(), lexer.AttrVal())
			case e.pending.kind == inline && string(lexer.AttrKey()) == "style":
				e.pending.boxed = e.pending.boxed || isBoxed(lexer.AttrVal())
			}
		case html.StartTagCloseToken, html.StartTagVoidToken:
			at += e.startTagEnd(kind == html.StartTagVoidToken, body[at:])
		case html.EndTagToken:
			e.endTag(lexer.Text())
			at = e.passage(body, at)
		case html.SVGToken, html.MathToken, html.XMLToken:
			e.foreign(data)
		}
	}
}

// textToken handles a text token of the lexer.
func (e *Extractor) textToken(data []byte) {
	if e.hiding > 0 {
		return
	}
	switch tag := e.stack[len(e.stack)-1].tag; {
	case tag == "xmp", tag == "plaintext":
		e.lines(data, false)
	case tag == "textarea":
		e.lines(data, true)
	case e.inForeign && bytes.HasPrefix(data, cdata):
		e.text(bytes.TrimSuffix(data[len(cdata):], []byte("]]>")), false)
	case tag == "pre":
		e.lines(data, true)
	default:
		e.text(data, true)
	}
}

// passage ends the recorded passage if it may end at offset at. It returns where the known passages after it end.
func (e *Extractor) passage(body []byte, at int) int {
	if at < e.rec.end || at == len(body) || !e.mayEndPassage() {
		return at
	}
	e.keep(body, at)
	return e.passOver(body, at)
}

// foreign reads the content of an svg, math or xml element, which is part of one passage. Elements in it end with it.
func (e *Extractor) foreign(data []byte) {
	maskForeign(data)
	end, in, depth := e.rec.end, e.inForeign, len(e.stack)
	e.rec.end, e.inForeign = math.MaxInt, true
	e.lex(data, 0, new([]byte))
	e.rec.end, e.inForeign = end, in
	if len(e.stack) > depth {
		e.endBlock()
		e.cutStack(depth)
	}
}

// cdata begins a section of text in foreign content.
var cdata = []byte("<![CDATA[")

// mendMarkup lets the lexer end the comments "<!-->" and "<!--->" (HTML §13.2.5.43) and, but for foreign content, CDATA sections, which are
// comments (§13.2.5.42), where browsers end them. s begins with a token in an element.
func mendMarkup(s []byte, element string, foreign bool) {
	if !bytes.HasPrefix(s, []byte("<!-->")) && !bytes.HasPrefix(s, []byte("<!--->")) && (foreign || !bytes.HasPrefix(s, cdata)) {
		return
	}
	switch element {
	case "title", "textarea", "xmp", "plaintext": // their text has no comments
	default:
		s[2] = 'x'
	}
}

// maskForeign renames svg, math and xml start tags. Otherwise the lexer would return their whole content as one token, up to the end of the
// page if they are not closed.
func maskForeign(b []byte) {
	for {
		i := bytes.IndexByte(b, '<')
		if i < 0 || i+1 == len(b) {
			return
		}
		b = b[i+1:]
		switch b[0] | 0x20 {
		case 's':
			maskName(b, "svg")
		case 'm':
			maskName(b, "math")
		case 'x':
			maskName(b, "xml")
		}
	}
}

func maskName(b []byte, name string) {
	n := len(name)
	if len(b) >= n && bytes.EqualFold(b[:n], []byte(name)) && (len(b) == n || !IsAlnum(b[n])) {
		b[n-1] = 'q'
	}
}
