// Package pdftest writes small PDF files for tests.
package pdftest

import (
	"bytes"
	"fmt"
)

// Page returns a PDF of one page with the font F1. content is its operators; filters are the dictionary entries that say how these are
// encoded, "" if they aren't.
func Page(content []byte, filters string) []byte {
	return File(
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		Stream(filters, string(content)),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	)
}

// Stream returns an object with content. entries are those of its dictionary beside its length.
func Stream(entries, content string) string {
	return fmt.Sprintf("<< /Length %d %s >>\nstream\n%s\nendstream", len(content), entries, content)
}

// File returns a PDF of objects, numbered from 1. The first is the catalog.
func File(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var offsets []int
	for i, o := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, xref)
	return b.Bytes()
}
