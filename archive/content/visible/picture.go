package visible

import (
	"bytes"
	_ "embed"
	stdhtml "html"
	"net/url"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"
)

// A Picture is a picture or a film in the page's own text.
type Picture struct {
	Address string // as the page has it, but relative to the page, not to its base element
	After   int    // number of the text's blocks before it
	Film    bool   // the address is that of a page that plays a film in a frame (iframe), or of a frame of a frameset
}

// A picture is a picture that was read. Whether it is content is decided after the whole page was read.
type picture struct {
	address string
	film    bool
	region  Region
	zone    int
	after   int
}

const (
	// maxPictures bounds the pictures of a page, maxAddress the lengths of their addresses in bytes.
	maxPictures = 64
	maxAddress  = 300
	// minSide is the least width and height of a picture that isn't an icon.
	minSide = 64
)

// A pictureTag is the current start tag of a picture.
type pictureTag struct {
	address string
	rank    int  // of the attribute that address is from
	aside   bool // it is an icon or the like
}

// pictureRank returns the preference for an attribute as the address, 0 for none. Pictures that are loaded late have their address in a
// special attribute, and a placeholder in src.
func pictureRank(key string) int {
	switch key {
	case "data-src", "data-original", "data-lazy-src":
		return 4
	case "src", "data":
		return 3
	case "srcset", "data-srcset":
		return 2
	case "poster":
		return 1
	}
	return 0
}

// pictureAttribute reads an attribute of a picture.
func (e *Extractor) pictureAttribute(key, val []byte) {
	p := &e.shown
	switch string(key) {
	case "width", "height":
		p.aside = p.aside || isSmall(val)
		return
	case "class":
		p.aside = p.aside || saysAside(val)
		return
	}
	rank := pictureRank(string(key))
	if rank <= p.rank || e.pending.name == "source" && rank == 2 { // the sources of a picture element are variants of its img
		return
	}
	val = bytes.TrimSpace(val)
	if rank == 2 {
		val, _, _ = bytes.Cut(val, []byte(","))
		val, _, _ = bytes.Cut(val, []byte(" "))
	}
	if len(val) == 0 || len(val) > maxAddress || len(val) >= 5 && bytes.EqualFold(val[:5], []byte("data:")) {
		return
	}
	p.address, p.rank = stdhtml.UnescapeString(string(val)), rank
}

// isSmall reports whether a width or height is too small for content.
func isSmall(val []byte) bool {
	n := 0
	for i, c := range val {
		if !IsDigit(c) {
			return i > 0 && n < minSide && string(val[i:]) == "px"
		}
		n = min(n*10+int(c-'0'), minSide)
	}
	return len(val) > 0 && n < minSide
}

// addPicture adds the picture whose start tag has been read. Of what frames and plug-ins show, players show films; other frames are no
// pictures, except those of a frameset, which shows nothing else.
func (e *Extractor) addPicture() {
	p := e.shown
	framed := e.pending.name == "iframe"
	film := e.pending.name == "frame" || (framed || e.pending.name == "embed" || e.pending.name == "object") && isPlayer(p.address)
	if p.address == "" || p.aside || !film && (framed || saysAside([]byte(p.address))) {
		return
	}
	top := &e.stack[len(e.stack)-1]
	after := len(e.outline.blocks)
	if e.inBlock {
		after++
	}
	e.pictures = append(e.pictures, picture{p.address, film, top.region, top.zone, after})
}

//go:embed asides.txt
var asideText string

// asideWords are the words of asides.txt.
var asideWords = func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(asideText) {
		if !strings.HasPrefix(line, "#") {
			for w := range strings.FieldsSeq(line) {
				words[w] = true
			}
		}
	}
	return words
}()

// saysAside reports whether a class or an address has a word that content doesn't have.
func saysAside(names []byte) bool {
	names = bytes.ToLower(names)
	for len(names) > 0 {
		n := 0
		for n < len(names) && isLetter(names[n]) {
			n++
		}
		if asideWords[string(names[:n])] {
			return true
		}
		names = names[min(n+1, len(names)):]
	}
	return false
}

// keepPictures keeps the pictures that are content.
func (e *Extractor) keepPictures() {
	kept := e.pictures[:0]
	for _, p := range e.pictures {
		if p.region.Furniture() && e.outline.wrapper(p.zone, p.region) {
			p.region = Main
		}
		if len(kept) < maxPictures && !p.region.Furniture() && p.region != Title && !e.outline.zones[p.zone].notice &&
			e.outline.ofContent(p.zone, p.after) {
			kept = append(kept, p)
		}
	}
	e.pictures = kept
}

// rebase makes the addresses of pictures that are relative to the page's base element relative to the page.
func (t *Text) rebase(page []byte) {
	if len(t.Pictures) == 0 {
		return
	}
	base := baseOf(page)
	if base == nil {
		return
	}
	for i := range t.Pictures {
		p := &t.Pictures[i]
		u, err := url.Parse(p.Address)
		if err != nil || u.Scheme != "" || u.Host != "" {
			continue
		}
		if address := base.ResolveReference(u).String(); len(address) <= maxAddress {
			p.Address = address
		}
	}
}

// baseOf returns the address of the page's first base element with one. It is nil if there is none, or if it is relative to the folder of
// the page.
func baseOf(page []byte) *url.URL {
	page = page[:min(len(page), maxHead)]
	for range maxNamings {
		at := len(page)
		for _, sign := range []string{"<base", "<BASE", "<Base"} {
			if n := bytes.Index(page[:at], []byte(sign)); n >= 0 {
				at = n
			}
		}
		if at == len(page) {
			return nil
		}
		page = page[at:]
		if href := hrefIn(page); href != "" {
			if u, err := url.Parse(href); err == nil && (u.Host != "" || strings.HasPrefix(u.Path, "/")) {
				return u
			}
			return nil
		}
		page = page[1:]
	}
	return nil
}

// hrefIn returns the href of the base element that a page begins with, "" if it begins with another element.
func hrefIn(page []byte) string {
	n := min(len(page), maxElement)
	lexer := html.NewLexer(parse.NewInputBytes(append(bytes.Clone(page[:n]), 0)[:n])) // it writes into its input and needs room for a NUL
	for {
		switch kind, _ := lexer.Next(); {
		case kind == html.StartTagToken && string(lexer.Text()) == "base":
		case kind != html.AttributeToken:
			return ""
		case string(lexer.AttrKey()) == "href":
			return strings.TrimSpace(stdhtml.UnescapeString(string(bytes.Trim(lexer.AttrVal(), `"'`))))
		}
	}
}
