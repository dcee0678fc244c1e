package change

import (
	"bytes"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"
)

// An Extractor turns bodies into texts and keeps its buffers from one to the next.
// The zero value is ready; it must not be used by two goroutines at once.
type Extractor struct {
	scratch []byte // the page, lexed here because the lexer writes into it
	entity  []byte // text with its character references replaced
	out     []byte // collapsed text of the page so far
	blocks  []span // blocks of out
	stack   []open
	zones   []zone
	names   nameCache

	pending tag
	hidden  string // the hidden element being passed over, where hiding is not 0
	hiding  int    // how deep in it
	endless string // the hidden element that has no end tag ahead, so as not to look again
	inLink  bool
	inTitle bool
	cur     span // the block being read, where inBlock
	inBlock bool
	space   bool // white space since the last text
	title   int  // index in blocks of the first title, -1 for none
}

// Extract returns the visible text of an HTML or XHTML page, or of plain text where contentType
// says text/plain. The body has its transfer and content codings removed. The charset is found
// as browsers do: byte-order mark, then contentType, then meta, then UTF-8 if it is valid, then
// windows-1252. Broken mark-up is read as far as it goes; there is no error.
func (e *Extractor) Extract(body []byte, contentType string) Text {
	e.reset()
	body = toUTF8(body, contentType)
	if isPlain(contentType) {
		e.plain(body)
	} else {
		e.page(body)
	}
	return e.finish()
}

func isPlain(contentType string) bool {
	const plain = "text/plain"
	return len(contentType) >= len(plain) && bytes.EqualFold([]byte(contentType[:len(plain)]), []byte(plain))
}

func (e *Extractor) reset() {
	e.out, e.blocks, e.stack = e.out[:0], e.blocks[:0], e.stack[:0]
	e.zones = append(e.zones[:0], zone{})
	e.stack = append(e.stack, open{slot: slotSeed})
	e.hiding, e.endless, e.title = 0, "", -1
	e.inLink, e.inTitle, e.inBlock, e.space = false, false, false, false
}

// plain takes each paragraph, up to an empty line, as a block.
func (e *Extractor) plain(body []byte) {
	for len(body) > 0 {
		line := body
		if i := bytes.IndexByte(body, '\n'); i >= 0 {
			line, body = body[:i+1], body[i+1:]
		} else {
			body = nil
		}
		if len(bytes.TrimSpace(line)) == 0 {
			e.endBlock()
		}
		e.text(line, false)
	}
}

// page lexes in a copy with room for the NUL that the lexer wants at the end.
func (e *Extractor) page(body []byte) {
	e.scratch = append(append(e.scratch[:0], body...), 0)
	e.lex(e.scratch[:len(body)])
}

func (e *Extractor) lex(b []byte) {
	in := parse.NewInputBytes(b)
	defer in.Restore()
	lexer := html.NewLexer(in)
	for {
		kind, data := lexer.Next()
		switch kind {
		case html.ErrorToken:
			return
		case html.TextToken:
			if e.hiding == 0 && !bytes.HasPrefix(data, cdata) {
				e.text(data, true)
			}
		case html.StartTagToken:
			e.startTag(lexer.Text())
		case html.AttributeToken:
			if e.hiding == 0 && e.pending.kind == block {
				e.attribute(lexer.AttrKey(), lexer.AttrVal())
			}
		case html.StartTagCloseToken, html.StartTagVoidToken:
			e.startTagEnd(kind == html.StartTagVoidToken, b[in.Offset():])
		case html.EndTagToken:
			e.endTag(lexer.Text())
		case html.SVGToken, html.MathToken, html.XMLToken:
			maskForeign(data)
			e.lex(data)
		}
	}
}

// In HTML a CDATA section is a comment (§13.2.5.42); the lexer takes it for text.
var cdata = []byte("<![CDATA[")

// maskForeign renames svg, math and xml start tags: the lexer hands over what they contain as one,
// and up to the end of the page where they are not closed.
func maskForeign(b []byte) {
	for {
		i := bytes.IndexByte(b, '<')
		if i < 0 || i+5 > len(b) {
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
	if len(b) > n && bytes.EqualFold(b[:n], []byte(name)) && !isAlnum(b[n]) {
		b[n-1] = 'q'
	}
}
