package rewrite

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/varve-archive/varve/rewrite/ascii"
	"github.com/varve-archive/varve/rewrite/charset"
)

// insertBefore inserts Head and Banner before a tag at which a browser would begin the head or the body by itself
// (HTML, "before head", "after head").
func (h *htmlScanner) insertBefore(t *tag) {
	name := string(t.name)
	if hides(name) {
		h.at.hidden++
	}
	if h.at.head && h.at.banner {
		return
	}
	h.at.html = true
	switch name {
	case "html":
		return
	case "head":
		return
	case "frameset":
		h.insertHead(t.start)
		h.at.banner = true
	case "body":
		h.insertHead(t.start)
	default:
		h.insertHead(t.start)
		if h.at.hidden == 0 && !headElement(name) {
			h.insertBanner(t.start)
		}
	}
}

// hides reports whether browsers show nothing of an element.
func hides(name string) bool { return name == "noscript" || name == "template" || name == "noframes" }

// insertAfter inserts them after <head> and <body>.
func (h *htmlScanner) insertAfter(t *tag, end int) {
	switch string(t.name) {
	case "head":
		h.insertHead(end)
	case "body":
		h.insertBanner(end)
	}
}

// headElement reports whether an element may be in the head, so that it doesn't begin a body.
func headElement(name string) bool {
	switch name {
	case "title", "base", "link", "meta", "script", "style", "basefont", "bgsound":
		return true
	}
	return false
}

// text begins the body, unless the text is white space or part of something else.
func (h *htmlScanner) text(start, end int) {
	if h.at.head && h.at.banner || h.at.hidden > 0 {
		return
	}
	for ; start < end; start++ {
		if start == 0 && bytes.HasPrefix(h.src, []byte(charset.BOM)) {
			start += len(charset.BOM) - 1
			continue
		}
		if !ascii.IsSpace(h.src[start]) {
			h.at.html = true
			h.insertHead(start)
			h.insertBanner(start)
			return
		}
	}
}

// closing ends whatever a document may have left open at its end (a comment, a tag, a title, a style, a template), and
// shows nothing by itself.
const closing = `<!--"'--></title></style></script></noframes></noscript></template>`

// end inserts what has found no place yet, if the document has any mark-up. A page without a body may still show
// something, by its style or its scripts, so that nothing it left open may swallow the banner.
func (h *htmlScanner) end() {
	if h.at.html && !h.at.embedded {
		h.insertHead(len(h.src))
		if !h.at.banner {
			h.e.insert(len(h.src), closing+strings.Repeat("</template>", max(0, h.at.hidden-1)), verbatim)
		}
		h.insertBanner(len(h.src))
	}
}

func (h *htmlScanner) insertHead(at int) {
	if !h.at.head {
		h.at.head = true
		h.e.insert(at, asciiMarkup(h.o.Head), verbatim)
	}
}

func (h *htmlScanner) insertBanner(at int) {
	if !h.at.banner {
		h.at.banner = true
		h.e.insert(at, asciiMarkup(h.o.Banner), verbatim)
		if h.o.Banner == nil {
			h.e.late, h.e.lateEdit = h.o.LateBanner, len(h.e.list)-1
		}
	}
}

// asciiMarkup writes non-ASCII characters as character references, which are right in every charset.
func asciiMarkup(markup []byte) string {
	if ascii.Only(markup) {
		return string(markup)
	}
	out := make([]byte, 0, 2*len(markup))
	for _, r := range string(markup) {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
			continue
		}
		out = append(out, "&#"...)
		out = strconv.AppendInt(out, int64(r), 10)
		out = append(out, ';')
	}
	return string(out)
}
