package pdf

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/pdf/pdftest"
)

// Programs may place each glyph by itself (ISO 32000-1 §9.4.2). A text that begins where the last one ended goes on with its word.
func TestGlyphsPlacedByThemselves(t *testing.T) {
	t.Parallel()
	const (
		simple = "<< /Type /Font /Subtype /TrueType /BaseFont /A /Encoding /WinAnsiEncoding /FirstChar 97 /Widths [500 600 700] >>"
		pairs  = "<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /ToUnicode 7 0 R " +
			"/DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /DW 700 /W [97 [500] 98 98 600] >>] >>"
		unknown = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
		toText  = "1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0061> <0063> <0061> endbfrange"
	)
	show := func(content, font string) string {
		file := pdftest.File("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
			"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
			pdftest.Stream("", content), font, "null", pdftest.Stream("", toText))
		text, err := Text(strings.NewReader(string(file)), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(text), " ")
	}
	for _, test := range []struct{ name, content, want string }{
		{"one after the other", "(a) Tj 5 0 Td (b) Tj 6 0 Td (c) Tj", "abc"},
		{"kerned", "(a) Tj 4.5 0 Td (b) Tj 6.5 0 Td (c) Tj", "abc"},
		{"a space between", "(a) Tj 6.8 0 Td (b) Tj", "a b"},
		{"back at the beginning", "(abc) Tj 0 0 Td (b) Tj", "abc b"},
		{"on another line", "(a) Tj 5 -12 Td (b) Tj", "a b"},
		{"back on the line", "(a) Tj 5 -12 TD 0 12 TD (b) Tj", "ab"},
		{"lines by their distance", "12 TL (a) Tj T* 5 12 Td (b) Tj", "ab"},
		{"by matrices", "1 0 0 1 90 700 Tm (a) Tj 1 0 0 1 95 700 Tm (b) Tj 1 0 0 1 108 700 Tm (c) Tj", "ab c"},
		{"in a scale", "2 0 0 2 90 700 Tm (a) Tj 2 0 0 2 100 700 Tm (b) Tj", "ab"},
		{"turned", "0 1 -1 0 90 700 Tm (a) Tj 0 1 -1 0 90 705 Tm (b) Tj", "a b"},
		{"upside down", "1 0 0 -1 90 700 Tm (a) Tj 5 0 Td (b) Tj", "ab"},
		{"in texts of their own", "(a) Tj ET BT 5 0 Td (b) Tj", "ab"},
		{"in other coordinates", "(a) Tj ET 1 0 0 1 9 0 cm BT 5 0 Td (b) Tj", "a b"},
		{"in the former coordinates", "(a) Tj ET q 1 0 0 1 9 0 cm Q BT 5 0 Td (b) Tj", "ab"},
		{"spaced", "2 Tc (a) Tj 7 0 Td (b) Tj", "ab"},
		{"narrowed", "50 Tz (a) Tj 2.5 0 Td (b) Tj", "ab"},
		{"in an array", "[(a) 50 (b) -181 (c)] TJ", "ab c"},
		{"behind an array", "[(a) -100 (b)] TJ 12 0 Td (c) Tj", "abc"},
		{"in another size", "(a) Tj /F1 20 Tf 5 0 Td (b) Tj 12 0 Td (c) Tj", "abc"},
		{"at a quotation mark", "12 TL (a) Tj 5 12 Td (b) '", "ab"},
	} {
		if got := show("BT /F1 10 Tf "+test.content+" ET", simple); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	const (
		placed = "BT /F1 10 Tf (a) Tj 5 0 Td (b) Tj 6 0 Td (c) Tj ET"
		two    = "BT /F1 10 Tf <0061> Tj 5 0 Td <0062> Tj 6 0 Td <0063> Tj 11 0 Td <0063> Tj ET"
	)
	for _, test := range []struct{ content, font, want string }{
		{two, pairs, "abc c"},
		{placed, unknown, "a b c"},
		{two, strings.Replace(pairs, "/DW 700", "", 1), "abcc"}, // it is 1000
	} {
		if got := show(test.content, test.font); got != test.want {
			t.Errorf("%s: %q, want %q", test.font, got, test.want)
		}
	}
}
