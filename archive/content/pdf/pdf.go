package pdf

import (
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
	// wordKern is the least move, in thousandths of the font size, that counts as a space: many PDFs have no other
	// spaces. Kerning inside a word stays well below.
	wordKern = 180
)

// Text returns the text of a PDF file in the file's order, with an empty line between pages. Encrypted files, and files of pictures, have
// none. A hostile file may keep the parser busy forever: run it in a process that can be killed, as varve pdf-text does.
func Text(r io.ReaderAt, size int64) (string, error) {
	var b strings.Builder
	if err := write(&b, r, size); err != nil {
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

// write writes the text of a file to b.
func write(b *strings.Builder, r io.ReaderAt, size int64) (err error) {
	defer func() {
		if p := recover(); p != nil && p != error(errLong) { // the parser panics on what it does not expect
			err = fmt.Errorf("broken PDF: %v", p)
		}
	}()
	doc, err := pdf.NewReader(r, size)
	if err != nil {
		return fmt.Errorf("broken PDF: %w", err)
	}
	read := 0
	for page := range pages(doc) {
		if read++; read > maxPDFPages {
			break
		}
		if !page.V.Key("Contents").IsNull() {
			w := pdfWriter{out: b, page: page, fonts: map[string]pdf.TextEncoding{}}
			pdf.Interpret(page.V.Key("Contents"), w.operator)
			b.WriteString("\n\n")
		}
	}
	return nil
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
	out   *strings.Builder
	page  pdf.Page
	fonts map[string]pdf.TextEncoding // by name, because reading an encoding is slow
	font  pdf.TextEncoding
	y     float64 // of the line, as far as the operators tell
}

func (w *pdfWriter) operator(stack *pdf.Stack, op string) {
	if w.out.Len() > maxPDFText {
		panic(errLong)
	}
	args := make([]pdf.Value, stack.Len())
	for i := len(args) - 1; i >= 0; i-- {
		args[i] = stack.Pop()
	}
	n := len(args)
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
	}
}

func (w *pdfWriter) setFont(name string) {
	if _, ok := w.fonts[name]; !ok {
		font := w.page.Font(name)
		w.fonts[name] = font.Encoder()
	}
	w.font = w.fonts[name]
}

func (w *pdfWriter) move(line bool) {
	if line {
		w.out.WriteByte('\n')
	} else {
		w.out.WriteByte(' ')
	}
}

func (w *pdfWriter) show(v pdf.Value) {
	if w.font != nil {
		w.out.WriteString(w.font.Decode(v.RawString()))
	}
}

func (w *pdfWriter) showKerned(array pdf.Value) {
	for i := range array.Len() {
		switch v := array.Index(i); {
		case v.Kind() == pdf.String:
			w.show(v)
		case v.Float64() < -wordKern: // negative numbers move on (§9.4.3, table 109)
			w.out.WriteByte(' ')
		}
	}
}
