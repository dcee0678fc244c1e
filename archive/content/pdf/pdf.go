package pdf

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"

	"github.com/varve-archive/varve/internal/sentinel"
)

const (
	maxPDFPages = 1000
	maxPDFNodes = 10 * maxPDFPages // of the tree of pages
	maxPDFDepth = 64
	maxPDFText  = 8 << 20
	maxPDFForms = 10 * maxPDFPages
	// wordKern is the least move, in thousandths of the font size, that counts as a space: many PDFs have no other
	// spaces. Kerning inside a word stays well below.
	wordKern = 180
)

// Text returns the text of a PDF file in the file's order, with an empty line between pages. Encrypted files, and files of pictures, have
// none. A hostile file may keep the parser busy forever: run it in a process that can be killed, as varve pdf-text does.
func Text(r io.ReaderAt, size int64) (string, error) {
	var b strings.Builder
	if err := write(&b, r, size); err != nil && strings.TrimSpace(b.String()) == "" {
		return "", err
	}
	return withoutDivisions(b.String()), nil
}

// withoutDivisions joins words that are divided at the end of a line: a small letter and a hyphen, and on the next line a small letter. A
// hyphen before "and" or "or" stands for a part that is left out, as in "Ein- und Ausgang".
func withoutDivisions(text string) string {
	var b strings.Builder
	for {
		end := strings.IndexAny(text, "-\u00ad\u2010")
		if end < 0 {
			break
		}
		_, n := utf8.DecodeRuneInString(text[end:])
		before, _ := utf8.DecodeLastRuneInString(text[:end])
		next := strings.TrimLeftFunc(text[end+n:], unicode.IsSpace)
		first, _ := utf8.DecodeRuneInString(next)
		divided := unicode.IsLower(before) && unicode.IsLower(first) && strings.Contains(text[end+n:len(text)-len(next)], "\n")
		if divided && !slices.Contains([]string{"und", "oder", "and", "or"}, firstWord(next)) {
			b.WriteString(text[:end])
			text = next
		} else {
			b.WriteString(text[:end+n])
			text = text[end+n:]
		}
	}
	b.WriteString(text)
	return b.String()
}

// firstWord returns the text before its first white space.
func firstWord(text string) string {
	if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
		return text[:end]
	}
	return text
}

// errLong is the operators' panic once there is enough text.
const errLong = sentinel.Error("the text is long enough")

// write writes the text of a file to b, as far as it can be read. It returns the last error.
func write(b *strings.Builder, r io.ReaderAt, size int64) (err error) {
	defer caught(&err)
	r, size = tolerant(r, size)
	doc, err := pdf.NewReader(r, size)
	if err != nil {
		return fmt.Errorf("broken PDF: %w", err)
	}
	read, forms := 0, maxPDFForms
	for page := range pages(doc) {
		if read++; read > maxPDFPages || b.Len() > maxPDFText {
			break
		}
		if !page.V.Key("Contents").IsNull() {
			w := newWriter(b, page.Resources(), &forms)
			if broken := w.draw(page.V.Key("Contents")); broken != nil {
				err = broken
			}
			b.WriteString("\n\n")
		}
	}
	return err
}

// caught makes an error of a panic: the parser panics on what it does not expect.
func caught(err *error) {
	if p := recover(); p != nil && p != error(errLong) {
		*err = fmt.Errorf("broken PDF: %v", p)
	}
}

const (
	pdfHeader = "%PDF-1.7\n"
	pdfEnd    = "%%EOF"
	// maxBefore is how many bytes may stand before the header of a file that viewers open, maxBehind how many behind its end.
	maxBefore = 1 << 10
	maxBehind = 64 << 10
)

// tolerant returns what is between the header and the end of a file, with a header that the parser knows. Viewers pass over what is around,
// and don't ask for the version.
func tolerant(r io.ReaderAt, size int64) (io.ReaderAt, int64) {
	around := make([]byte, maxBehind)
	n, _ := r.ReadAt(around[:maxBefore], 0)
	if start := bytes.Index(around[:n], []byte(pdfHeader[:5])); start > 0 {
		r, size = io.NewSectionReader(r, int64(start), size-int64(start)), size-int64(start)
	} else if start < 0 {
		return r, size
	}
	from := max(0, size-maxBehind)
	n, _ = r.ReadAt(around, from)
	if end := bytes.LastIndex(around[:n], []byte(pdfEnd)); end >= 0 {
		size = from + int64(end+len(pdfEnd))
	}
	return headed{r}, size
}

// headed is a file that begins with pdfHeader, whatever is there.
type headed struct{ io.ReaderAt }

func (h headed) ReadAt(b []byte, at int64) (n int, err error) {
	n, err = h.ReaderAt.ReadAt(b, at)
	if at < int64(len(pdfHeader)) {
		copy(b[:n], pdfHeader[at:])
	}
	return n, err
}

// pages yields the pages of a file in order. The parser's own walks never end in a cyclic tree, and begin anew for each page.
func pages(doc *pdf.Reader) iter.Seq[pdf.Page] {
	return func(yield func(pdf.Page) bool) {
		left := maxPDFNodes
		var walk func(node pdf.Value, depth int) (goOn bool)
		walk = func(node pdf.Value, depth int) bool {
			kids := node.Key("Kids")
			for i := range kids.Len() {
				kid := kids.Index(i)
				if left--; left < 0 {
					return false
				}
				switch kid.Key("Type").Name() {
				case "Pages":
					if depth < maxPDFDepth && !walk(kid, depth+1) {
						return false
					}
				case "Page":
					if ends(kid) && !yield(pdf.Page{V: kid}) {
						return false
					}
				}
			}
			return true
		}
		walk(doc.Trailer().Key("Root").Key("Pages"), 0)
	}
}

// ends reports whether a page's chain of parents ends. The parser follows it to find fonts.
func ends(page pdf.Value) bool {
	parent := page.Key("Parent")
	for range maxPDFDepth + 1 {
		if parent.IsNull() {
			return true
		}
		parent = parent.Key("Parent")
	}
	return false
}

// A pdfWriter writes what the text operators of a page show (ISO 32000-1 §9.4).
type pdfWriter struct {
	out       *strings.Builder
	resources pdf.Value       // of the page or the form
	fonts     map[string]font // by name, because reading an encoding is slow
	font      pdf.TextEncoding
	pen       pen
	between   []byte  // white space before the next text, if that does not follow the last one
	y         float64 // of the line, as far as the operators tell
	depth     int     // of forms in forms
	forms     *int    // how many more are drawn in the file
}

// A font is what is read of it.
type font struct {
	encoding pdf.TextEncoding
	widths   *widths
}

func newWriter(out *strings.Builder, resources pdf.Value, forms *int) *pdfWriter {
	return &pdfWriter{out: out, resources: resources, fonts: map[string]font{}, pen: newPen(), forms: forms}
}

// draw writes what the operators of a content stream show.
func (w *pdfWriter) draw(content pdf.Value) (err error) {
	defer caught(&err)
	pdf.Interpret(content, w.operator)
	w.space()
	return nil
}

// form writes the text of a form, which a page may contain a part of its content in (§8.10). Its fonts are its own, or the page's.
func (w *pdfWriter) form(name string) {
	x := w.resources.Key("XObject").Key(name)
	if x.Key("Subtype").Name() != "Form" || w.depth >= maxPDFDepth || *w.forms == 0 {
		return
	}
	*w.forms--
	own := newWriter(w.out, x.Key("Resources"), w.forms)
	own.depth = w.depth + 1
	if own.resources.IsNull() {
		own.resources = w.resources
	}
	w.move(true)
	w.space()
	pdf.Interpret(x, own.operator)
	own.space()
	w.move(true)
	w.pen.shown = false
}

func (w *pdfWriter) operator(stack *pdf.Stack, op string) {
	if w.out.Len()+len(w.between) > maxPDFText {
		panic(errLong)
	}
	args := make([]pdf.Value, stack.Len())
	for i := len(args) - 1; i >= 0; i-- {
		args[i] = stack.Pop()
	}
	n := len(args)
	w.pen.operator(op, args)
	switch {
	case op == "Tf" && n == 2:
		w.setFont(args[0].Name())
	case (op == "Td" || op == "TD") && n == 2:
		w.move(args[1].Float64() != 0)
	case op == "Tm" && n == 6:
		y := args[5].Float64()
		w.move(y != w.y)
		w.y = y
	case op == "T*" || op == "BT":
		w.move(true)
	case (op == "'" || op == "\"") && n > 0:
		w.move(true)
		w.show(args[n-1])
	case op == "Tj" && n == 1:
		w.show(args[0])
	case op == "TJ" && n == 1:
		w.showKerned(args[0])
	case op == "Do" && n == 1:
		w.form(args[0].Name())
	}
}

func (w *pdfWriter) setFont(name string) {
	if _, ok := w.fonts[name]; !ok {
		f := pdf.Font{V: w.resources.Key("Font").Key(name)}
		w.fonts[name] = font{f.Encoder(), widthsOf(f.V)}
	}
	w.font, w.pen.widths = w.fonts[name].encoding, w.fonts[name].widths
}

func (w *pdfWriter) move(line bool) {
	if line {
		w.between = append(w.between, '\n')
	} else {
		w.between = append(w.between, ' ')
	}
}

// space writes the white space before the next text.
func (w *pdfWriter) space() {
	w.out.Write(w.between)
	w.between = w.between[:0]
}

func (w *pdfWriter) show(v pdf.Value) {
	if w.font == nil {
		return
	}
	if w.pen.follows() {
		w.between = w.between[:0]
	}
	w.space()
	w.out.WriteString(w.font.Decode(v.RawString()))
	w.pen.show(v.RawString())
}

func (w *pdfWriter) showKerned(array pdf.Value) {
	for i := range array.Len() {
		switch v := array.Index(i); {
		case v.Kind() == pdf.String:
			w.show(v)
		default:
			if v.Float64() < -wordKern { // negative numbers move on (§9.4.3, table 109)
				w.move(false)
			}
			w.pen.kern(v.Float64())
		}
	}
}
