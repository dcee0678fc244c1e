package rewrite

import (
	"bytes"
	"strings"

	"github.com/varve-archive/varve/rewrite/ascii"
	"github.com/varve-archive/varve/rewrite/charset"
	"github.com/varve-archive/varve/rewrite/edit"
)

// insertBefore inserts Head and Banner before a tag at which a browser would open the head or the body implicitly (HTML, "before
// head", "after head").
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
		if h.at.hidden == 0 {
			h.insertFramesetBanner(h.e.Reserve(t.start, t.start))
			h.at.banner = true
		}
	case "body":
		h.insertHead(t.start)
	default:
		h.insertHead(t.start)
		if name == "script" {
			h.beforeScript = h.e.Reserve(t.start, t.start)
		}
		if h.at.hidden == 0 && !headElement(name) {
			h.insertBanner(t.start)
		}
	}
}

// hides reports whether browsers show nothing of an element.
func hides(name string) bool { return name == "noscript" || name == "template" || name == "noframes" }

// insertAfter inserts Head and Banner after <head> and <body>.
func (h *htmlScanner) insertAfter(t *tag, end int) {
	switch string(t.name) {
	case "head":
		h.insertHead(end)
	case "body":
		if h.at.hidden == 0 {
			h.insertBanner(end)
		}
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

// text begins the body, unless the text is white space or belongs to an element of the head.
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

// closeAll ends whatever a document may have left open at its end: a comment, a tag, a title, a style, a template. It shows nothing
// itself.
const closeAll = `<!--"'--></title></style></script></noframes></noscript></template>`

// end inserts what hasn't been inserted yet, if the document has any markup. A page without a body may still show something, by its
// style or its scripts. Open elements are closed first, so that they can't hide the banner.
func (h *htmlScanner) end() {
	if h.at.html && !h.at.embedded {
		h.insertHead(len(h.src))
		if !h.at.banner {
			h.e.Insert(len(h.src), closeAll+strings.Repeat("</template>", max(0, h.at.hidden-1)), edit.Verbatim)
		}
		h.insertBanner(len(h.src))
	}
}

func (h *htmlScanner) insertHead(at int) {
	if !h.at.head {
		h.at.head = true
		h.e.InsertMarkup(at, h.o.Head)
	}
}

// insertFramesetBanner fills a place with the banner of a document whose body is a frameset or may become one.
func (h *htmlScanner) insertFramesetBanner(place int) {
	if !h.at.banner && h.at.hidden == 0 && h.o.FramesetBanner != nil {
		h.at.banner = true
		h.e.FillLate(place, h.o.FramesetBanner)
	}
}

func (h *htmlScanner) insertBanner(at int) {
	if !h.at.banner {
		h.at.banner = true
		if h.o.Banner == nil {
			h.e.InsertLate(at, h.o.LateBanner)
		} else {
			h.e.InsertMarkup(at, h.o.Banner)
		}
	}
}
