package change

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/ledongthuc/pdf"
)

const (
	maxPDFPages = 1000
	maxPDFText  = 8 << 20
	// wordGap and lineGap are, in parts of the font size, how far apart letters stand in two words and
	// lines in two paragraphs. Many PDFs have no spaces, only gaps.
	wordGap = 0.13
	lineGap = 1.7
)

// PDF returns the text of a PDF file, a line of the file a line, with an empty line where a paragraph ends. Encrypted files
// and those of pictures alone have none. A hostile file may keep the parser busy for ever: give it to
// a process that can be ended, as varve pdf-text is.
func PDF(r io.ReaderAt, size int64) (text string, err error) {
	defer func() {
		if p := recover(); p != nil { // the parser panics on what it does not expect
			err = fmt.Errorf("broken PDF: %v", p)
		}
	}()
	doc, err := pdf.NewReader(r, size)
	if err != nil {
		return "", fmt.Errorf("broken PDF: %w", err)
	}
	var b strings.Builder
	for i := 1; i <= min(doc.NumPage(), maxPDFPages) && b.Len() < maxPDFText; i++ {
		page := doc.Page(i)
		if page.V.IsNull() {
			continue
		}
		writePDFPage(&b, page.Content().Text)
		b.WriteString("\n\n")
	}
	return b.String(), nil
}

// writePDFPage sets the pieces of a page, which come with their places, into lines and words.
func writePDFPage(b *strings.Builder, pieces []pdf.Text) {
	var last pdf.Text
	for i, p := range pieces {
		size := max(p.FontSize, 1)
		drop := math.Abs(last.Y - p.Y)
		switch {
		case i == 0:
		case drop > lineGap*size:
			b.WriteString("\n\n")
		case drop > size/2:
			b.WriteByte('\n')
		case p.X-last.X-last.W > wordGap*size:
			b.WriteByte(' ')
		}
		b.WriteString(p.S)
		last = p
	}
}
