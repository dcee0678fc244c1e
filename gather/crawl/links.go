package crawl

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"unicode/utf8"

	"github.com/varve-archive/varve/internal/xhtml"
	"github.com/varve-archive/varve/internal/xmltext"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/rewrite/ascii"
	"github.com/varve-archive/varve/rewrite/header"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/rendition"
	"github.com/varve-archive/varve/rewrite/uses"
)

// A link is an address in a document.
type link struct {
	url string
	use uses.Use
}

// linksOf returns the addresses in a document in order, as a browser would find them; html is false if the document isn't a page (HTML
// or SVG), and then they are all parts. A document that can't be read to its end has the links before the error. via is the address of the
// document that needs it.
func linksOf(address, via, contentType string, body []byte, use uses.Use) (links []link, html bool) {
	contentType, body = xhtml.AsHTML(contentType, body)
	format := rewrite.Sniff(contentType, use, body[:min(len(body), rewrite.SniffLen)])
	switch format {
	case rewrite.FormatHTML, rewrite.FormatCSS, rewrite.FormatJS, rewrite.FormatManifest:
	case rewrite.FormatHLS:
		body = rendition.Best(body)
	case rewrite.FormatXML:
		start, root := rootOf(body)
		switch html = root == "svg"; root {
		case "svg", "stylesheet", "transform":
		default: // of data, such as a feed, only the style sheets in front of it; not all that it names
			body = body[:start]
		}
	default:
		return nil, false
	}
	var no map[string]int
	var later []link
	if format == rewrite.FormatHTML {
		no, later = ownReading(address, body)
	}
	collect := func(refs []uses.Ref) []string {
		for _, r := range refs {
			if roleOf(r.Use) == toPage && no[r.URI] > 0 {
				no[r.URI]-- // the same address may also be linked
				continue
			}
			if !reference.IsInvalid(r.URI) && !reference.IsShortened(r.URI) {
				links = append(links, link{r.URI, r.Use})
			}
		}
		return make([]string, len(refs))
	}
	_ = format.Rewrite(io.Discard, bytes.NewReader(body), rewrite.Options{
		Base: address, Use: use, Charset: xmltext.Charset(contentType), Resolve: collect,
	})
	switch format {
	case rewrite.FormatHTML:
		links, html = slices.Concat(links, nuxtRoutes(body, links), gatsbyData(body, address)), true
		later = append(later, splitOff(body, address, address)...)
	case rewrite.FormatJS:
		later = splitOff(body, address, via)
	}
	return append(links, later...), html
}

// rootOf returns where the first element of an XML document begins, and its name without a prefix.
func rootOf(body []byte) (start int, name string) {
	for i := 0; i+1 < len(body); i++ {
		if body[i] == '<' && (ascii.IsAlnum(body[i+1]) || body[i+1] == '_' || body[i+1] >= utf8.RuneSelf) {
			tag := body[i+1:]
			if end := bytes.IndexAny(tag, " \t\r\n/>"); end >= 0 {
				tag = tag[:end]
			}
			return i, string(tag[bytes.LastIndexByte(tag, ':')+1:])
		}
	}
	return len(body), ""
}

// headerLinks returns the addresses in the head of an answer: parts that its Link field makes a browser load (RFC 8288; HTML,
// "preload"), and the page to which Refresh leads.
func headerLinks(address string, answer http.Header) (links []link) {
	header.Rewrite(http.Header{"Link": answer.Values("Link"), "Refresh": answer.Values("Refresh")}, header.Options{
		Base: address, Use: uses.Page, Resolve: func(refs []uses.Ref) []string {
			if l := (link{refs[0].URI, refs[0].Use}); roleOf(l.use) != toFrame && !reference.IsInvalid(l.url) {
				links = append(links, l)
			}
			return make([]string, len(refs))
		},
	})
	return links
}

// What an address means to a document.
const (
	toPage  = iota // a reader may go there
	toFrame        // a page inside the page
	toPart         // the document needs it
	toNone         // not to be requested
)

func roleOf(use uses.Use) int {
	switch use {
	case uses.Link, uses.Page, uses.Raw, uses.Download:
		return toPage
	case uses.Iframe, uses.Frame:
		return toFrame
	case uses.WebSocket:
		return toNone
	}
	return toPart
}
