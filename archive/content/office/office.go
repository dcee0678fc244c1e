package office

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/varve-archive/varve/internal/sentinel"
)

// The bounds. A book has a megabyte of text, some ten megabytes of XML, and some hundred members.
const (
	maxMembers  = 10_000
	maxInflated = 32 << 20 // of all members together
	maxElement  = 1 << 20  // a tag, or text between two tags
	maxDepth    = 1_000
	maxText     = 8 << 20
)

// Is reports whether a media type, in lower case and without parameters, is that of a file that [Page] reads.
func Is(mime string) bool {
	return strings.HasPrefix(mime, "application/vnd.openxmlformats-officedocument.") ||
		strings.HasPrefix(mime, "application/vnd.oasis.opendocument.") ||
		strings.HasPrefix(mime, "application/vnd.sun.xml.") || hasMacros(mime) || mime == epubType || isRich(mime) || isWord(mime)
}

const epubType = "application/epub+zip"

func isRich(mime string) bool {
	return mime == "application/rtf" || mime == "text/rtf" || mime == "application/x-rtf"
}

func isWord(mime string) bool {
	return mime == "application/msword" || mime == "application/vnd.ms-word" || mime == "application/x-msword"
}

// PageOf is [Page] for a file of a media type, which may also be Rich Text or a Word file up to 2003.
func PageOf(mime string, file []byte) ([]byte, error) {
	switch {
	case isRich(mime):
		return richPage(file)
	case isWord(mime):
		return wordPage(file)
	}
	return Page(file)
}

// hasMacros reports whether a media type is that of a format's variant with macros, which is otherwise the same.
func hasMacros(mime string) bool {
	switch mime {
	case "application/vnd.ms-word.document.macroenabled.12",
		"application/vnd.ms-excel.sheet.macroenabled.12",
		"application/vnd.ms-powerpoint.presentation.macroenabled.12",
		"application/vnd.ms-word.template.macroenabled.12",
		"application/vnd.ms-excel.template.macroenabled.12",
		"application/vnd.ms-powerpoint.slideshow.macroenabled.12",
		"application/vnd.ms-powerpoint.template.macroenabled.12":
		return true
	}
	return false
}

// ErrNone says that a file has no text that can be read: it is broken, encrypted, or no office file.
const ErrNone = sentinel.Error("office: no text can be read")

var directoryEntry = []byte("PK\x01\x02")

// Page converts an office file to an HTML page in UTF-8: title, headings, paragraphs and rows of tables.
func Page(file []byte) ([]byte, error) {
	if bytes.Count(file, directoryEntry) > maxMembers { // listing them takes memory
		return nil, fmt.Errorf("%w: too many members", ErrNone)
	}
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	r := &reader{members: membersOf(z), read: map[string]bool{}, left: maxInflated}
	if container := "META-INF/container.xml"; r.members[container] != nil && r.members["content.xml"] == nil {
		r.book(container)
	} else {
		r.title()
		r.body()
	}
	if !r.some {
		return nil, ErrNone
	}
	return r.out.Bytes(), nil
}

type reader struct {
	members map[string]*zip.File
	read    map[string]bool // parts that others name
	left    int64           // bytes that may still be inflated
	out     bytes.Buffer
	some    bool     // out has a word
	shared  []string // texts that cells of sheets refer to
	formats []format // of numbers, to which styles of cells refer

	from1904 bool // days in cells count from 1904
}

// title writes the title that the properties of the file name.
func (r *reader) title() {
	for _, properties := range []string{"docProps/core.xml", "meta.xml"} {
		var title strings.Builder
		inside := false
		r.walk(properties, func(t token) bool {
			switch {
			case t.kind == text && inside:
				title.WriteString(t.text)
			case t.kind != text:
				inside = t.kind == start && t.name == "title"
			}
			return title.Len() < 1000
		})
		if s := strings.TrimSpace(title.String()); s != "" {
			r.block("title", s)
			return
		}
	}
}

func (r *reader) body() {
	if r.members["content.xml"] != nil {
		r.openDocument("content.xml")
		return
	}
	main := r.main()
	switch r.root(main) {
	case "workbook":
		r.workbook(main)
	case "presentation", "":
		r.slides(main)
	default:
		r.paragraphs(main)
		r.related(main, "aFChunk", "footnotes", "endnotes", "diagramData", "chart")
	}
}

// block writes an element with a text, unless that is empty.
func (r *reader) block(tag, s string) {
	if s = strings.TrimSpace(s); s == "" || r.full() {
		return
	}
	r.some = true
	fmt.Fprintf(&r.out, "<%s>%s</%s>\n", tag, html.EscapeString(s), tag)
}

func (r *reader) full() bool { return r.out.Len() > maxText }

var heading = regexp.MustCompile(`^(?i:heading|title|berschrift|titre|kop)[ _-]?([1-6]?)$`)

// paragraphs reads a document or a slide: runs of text (t) in paragraphs (p).
func (r *reader) paragraphs(member string) {
	var b strings.Builder
	var open fields
	tag, inText, vanished, number := "p", false, false, false
	r.walk(member, func(t token) bool {
		switch {
		case t.kind == text:
			if inText && !vanished && !number && open.computing == 0 {
				b.WriteString(t.text)
			}
		case t.name == "t":
			inText = t.kind == start
		case t.name == "p":
			r.block(tag, b.String())
			b.Reset()
			tag, vanished, open = "p", false, fields{} // an end may be missing
		case t.name == "r":
			vanished = false
		case t.name == "fld":
			number = t.kind == start && t.attr("type") == "slidenum"
		case t.kind == end:
		case t.name == "fldChar":
			switch t.attr("fldCharType") {
			case "begin":
				open.begin()
			case "separate":
				open.separate()
			case "end":
				open.end()
			}
		case t.name == "pStyle":
			if m := heading.FindStringSubmatch(t.attr("val")); m != nil {
				tag = "h" + cmp.Or(m[1], "1")
			}
		case t.name == "vanish":
			switch t.attr("val") {
			case "0", "false", "off":
			default:
				vanished = true
			}
		default:
			b.WriteString(sign(t.name, open.computing > 0))
		}
		return !r.full()
	})
	r.block(tag, b.String())
}

// sign returns the sign that an element of a document stands for, "" if it stands for none. In the instructions of a field none does.
func sign(element string, computing bool) string {
	switch {
	case computing:
	case element == "noBreakHyphen":
		return "-"
	case element == "tab", element == "br", element == "cr", element == "ptab", element == "sym":
		return " "
	}
	return ""
}

// openDocument reads an OpenDocument file: paragraphs (p) and headings (h), also those in cells. The names of sheets are headings.
func (r *reader) openDocument(member string) {
	var b strings.Builder
	tag, depth, sheets := "p", 0, false
	r.walk(member, func(t token) bool {
		switch {
		case t.kind == text:
			if depth > 0 {
				b.WriteString(t.text)
			}
		case t.name == "p" || t.name == "h":
			r.block(tag, b.String()) // a note in a paragraph is one of its own
			b.Reset()
			tag = "p"
			if t.kind == end {
				depth--
				break
			}
			if depth++; t.name == "h" {
				tag = "h" + cmp.Or(outline.FindString(t.attr("outline-level")), "1")
			}
		case t.name == "spreadsheet":
			sheets = t.kind == start
		case t.kind == end:
		case t.name == "table" && sheets:
			r.block("h2", t.attr("name"))
		case t.name == "s" || t.name == "tab" || t.name == "line-break":
			b.WriteByte(' ')
		}
		return !r.full()
	})
	r.block(tag, b.String())
}

var outline = regexp.MustCompile(`^[1-6]$`)
