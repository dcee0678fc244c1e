package office

import (
	"bytes"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"

	"github.com/varve-archive/varve/internal/xhtml"
	"github.com/varve-archive/varve/internal/xmltext"
)

// Limits of a book: of its chapters, and of the bytes of one.
const (
	maxChapters = 2_000
	maxChapter  = 2 * maxText
)

// book reads an EPUB: the chapters that its package names, in their order.
func (r *reader) book(container string) {
	opf := ""
	r.walk(container, func(t token) bool {
		if t.kind == start && t.name == "rootfile" {
			opf = t.attr("full-path")
		}
		return opf == ""
	})
	title, files, spine := "", map[string]string{}, []string{}
	inTitle := false
	r.walk(opf, func(t token) bool {
		switch {
		case t.kind == text:
			if inTitle && len(title) < 1000 {
				title += t.text
			}
		case t.name == "title":
			if inTitle = t.kind == start; inTitle && len(title) < 1000 {
				title += " " // there may be a second one
			}
		case t.kind == start && t.name == "item":
			files[t.attr("id")] = t.attr("href")
		case t.kind == start && t.name == "itemref":
			spine = append(spine, t.attr("idref"))
		}
		return len(spine) < maxChapters && len(files) < maxMembers
	})
	r.block("title", strings.Join(strings.Fields(title), " "))
	for _, id := range spine {
		href, err := url.PathUnescape(files[id])
		if err != nil || href == "" {
			continue
		}
		r.chapter(path.Join(path.Dir(opf), href))
	}
}

// chapter writes the body of an XHTML member, without the parts of a page around it.
func (r *reader) chapter(member string) {
	if r.full() {
		return
	}
	markup, err := r.content(member)
	if err != nil { // it is too long, or damaged: up to there
		markup = markup[:bytes.LastIndexByte(markup, '>')+1]
	}
	markup = bytes.TrimLeft(xmltext.InUTF8(markup, ""), " \t\r\n")
	page, err := xhtml.ToHTML(bytes.NewReader(markup))
	if err != nil || !bytes.HasPrefix(markup, []byte("<")) { // it is encrypted
		return
	}
	r.markup(page)
}

// content returns a member that is a page, as far as it can be read.
func (r *reader) content(member string) ([]byte, error) {
	file := r.member(member)
	if file == nil {
		return nil, fs.ErrNotExist
	}
	in, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(&boundedReader{r: in, total: &r.left, element: maxChapter})
}

// markup writes the body of a page.
func (r *reader) markup(page io.Reader) {
	r.out.WriteString("<hr>") // no word goes on from one chapter to the next
	z := html.NewTokenizer(page)
	z.SetMaxBuf(maxElement)
	hidden := 0
	for !r.full() {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		raw := bytes.Clone(z.Raw())
		name, _ := z.TagName()
		if kind == html.SelfClosingTagToken { // in a drawing, where a title or a style may end so
			z.NextIsNotRawText()
		}
		switch tag := string(name); {
		case kind == html.TextToken:
			if hidden == 0 {
				r.some = r.some || len(bytes.TrimSpace(raw)) > 0
				r.out.Write(raw)
			}
		case tag == "head" || tag == "script" || tag == "style":
			switch kind {
			case html.StartTagToken:
				hidden++
			case html.EndTagToken:
				hidden = max(0, hidden-1)
			}
		case tag == "html" || tag == "body" || tag == "" || hidden > 0:
		case kind == html.EndTagToken:
			r.out.WriteString("</" + tag + ">")
		case kind == html.SelfClosingTagToken:
			r.out.WriteString("<" + tag + "/>")
		default: // attributes only affect its look
			r.out.WriteString("<" + tag + ">")
		}
	}
}
