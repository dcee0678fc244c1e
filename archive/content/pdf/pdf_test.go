package pdf

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/pdf/pdftest"
)

// writePDF makes a one-page PDF that shows lines, without compression.
func writePDF(lines ...string) []byte {
	var content strings.Builder
	content.WriteString("BT /F1 12 Tf 72 720 Td ")
	for _, l := range lines {
		fmt.Fprintf(&content, "(%s) Tj 0 -14 Td ", l)
	}
	return pdftest.Page([]byte(content.String()+"ET"), "")
}

func TestPDFGivesItsLines(t *testing.T) {
	b := writePDF("The river rose", "above the gauge.")
	text, err := Text(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(strings.Fields(text), " "); got != "The river rose above the gauge." {
		t.Errorf("got %q", got)
	}
}

// A word that is divided at the end of a line is one word.
func TestDividedWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a divi-\nded word":            "a divided word",
		"a divi- \n\n ded word":        "a divided word",
		"a divi\u00ad\nded word":       "a divided word",
		"a divi\u2010\nded word":       "a divided word",
		"die Größen-\nänderung":        "die Größenänderung",
		"divi-\nded and divi-\nded":    "divided and divided",
		"Ein- und\nAusgang":            "Ein- und\nAusgang",
		"Nord-\nund Süd, pre-\nor so":  "Nord-\nund Süd, pre-\nor so",
		"Ein-\nund\nAusgang":           "Ein-\nund\nAusgang",
		"1939-\n1945 CO-\nbased A-\nB": "1939-\n1945 CO-\nbased A-\nB",
		"a -\nb, --\nc -":              "a -\nb, --\nc -",
		"x\na\u2010b":                  "x\na\u2010b",
	} {
		if got := withoutDivisions(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	b := writePDF("The river ro-", "se above the gauge.")
	if text, err := Text(bytes.NewReader(b), int64(len(b))); err != nil || !strings.Contains(text, "river rose above") {
		t.Errorf("%q, %v", text, err)
	}
}

// Viewers open files whatever stands before the header and behind the end, and of whatever version.
func TestFilesThatViewersOpen(t *testing.T) {
	t.Parallel()
	whole := string(writePDF("The river rose"))
	for name, file := range map[string]string{
		"PDF 2.0":            strings.Replace(whole, "%PDF-1.4", "%PDF-2.0", 1),
		"a space":            strings.Replace(strings.Replace(whole, "%PDF-1.4\n", "%PDF-1.4 \n", 1), "%PDF-1.4 \n1", "%PDF-1.4 1", 1),
		"mail before it":     "Content-Type: application/pdf\r\n\r\n" + whole,
		"zeros behind it":    whole + strings.Repeat("\x00", 60_000),
		"a page behind it":   whole + "<!-- cached at 12:00 -->\n",
		"nothing else":       whole,
		"no line at the end": strings.TrimSpace(whole),
	} {
		if text, err := Text(strings.NewReader(file), int64(len(file))); err != nil || strings.TrimSpace(text) != "The river rose" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for _, far := range []string{strings.Repeat("x", 1020) + whole, whole + strings.Repeat("\x00", 65_531)} {
		if text, err := Text(strings.NewReader(far), int64(len(far))); err == nil {
			t.Errorf("%q", text)
		}
	}
}

// A page that can't be read does not hide the others.
func TestABrokenPage(t *testing.T) {
	t.Parallel()
	page := func(contents int) string {
		return fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Contents %d 0 R /Resources << /Font << /F1 8 0 R >> >> >>", contents)
	}
	file := func(first, second string) string {
		return string(pdftest.File("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>", page(5), page(6),
			pdftest.Stream("", first), pdftest.Stream("", second), "null", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"))
	}
	const good, bad = "BT /F1 12 Tf (The river rose) Tj ET", `BT /F1 12 Tf (50 \+ 1) Tj ET`
	for _, whole := range []string{file(good, bad), file(bad, good)} {
		if text, err := Text(strings.NewReader(whole), int64(len(whole))); err != nil || strings.TrimSpace(text) != "The river rose" {
			t.Errorf("%q, %v", text, err)
		}
	}
	cut := strings.Replace(file(good, good), "4 0 obj\n<<", "4 0 obj\n((", 1)
	if text, err := Text(strings.NewReader(cut), int64(len(cut))); err != nil || strings.TrimSpace(text) != "The river rose" {
		t.Errorf("%q, %v", text, err)
	}
	whole := file(bad, bad)
	if text, err := Text(strings.NewReader(whole), int64(len(whole))); err == nil {
		t.Errorf("%q", text)
	}
}

// A form is a part of a page's content that is stored by itself (ISO 32000-1 §8.10), with fonts of its own or the page's. One that contains
// itself has an end.
func TestForms(t *testing.T) {
	t.Parallel()
	form := func(resources, s string) string {
		return pdftest.Stream("/Type /XObject /Subtype /Form "+resources, s)
	}
	whole := pdftest.File("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 8 0 R >> /XObject << /A 5 0 R /B 6 0 R /C 7 0 R >> >> >>",
		form("", "BT /F1 12 Tf (one) Tj ET /A Do /C Do BT /F1 12 Tf (four) Tj ET"),
		form("/Resources << /Font << /F2 8 0 R >> /XObject << /B 6 0 R >> >>", "BT /F2 12 Tf (two) Tj ET /B Do"),
		form("", "BT /F2 12 Tf (three) Tj ET /B Do /X Do"),
		pdftest.Stream("/Type /XObject /Subtype /Image /Width 1 /Height 1", "x"),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
	text, err := Text(bytes.NewReader(whole), int64(len(whole)))
	words := slices.Compact(strings.Fields(text))
	if err != nil || !slices.Equal(words, []string{"one", "two", "three", "four"}) {
		t.Errorf("%q, %v", words, err)
	}
}

func TestBrokenPDFIsAnError(t *testing.T) {
	whole := writePDF("The river rose")
	for _, b := range [][]byte{
		nil, []byte("%PDF-1.4"), whole[:len(whole)/2],
		bytes.ReplaceAll(whole, []byte("/Pages 2 0 R"), []byte("/Pages 9 0 R")), []byte("not a PDF"),
	} {
		if text, err := Text(bytes.NewReader(b), int64(len(b))); err == nil && strings.TrimSpace(text) != "" {
			t.Errorf("%.20q… gives %q", b, text)
		}
	}
}

// Pages come in the order of their tree (ISO 32000-1 §7.7.3), and a tree that contains itself has an end.
func TestPagesOfTrees(t *testing.T) {
	page := func(parent, content int) string {
		return fmt.Sprintf("<< /Type /Page /Parent %d 0 R /Contents %d 0 R /Resources << /Font << /F1 10 0 R >> >> >>", parent, content)
	}
	text := func(s string) string {
		return pdftest.Stream("", "BT /F1 12 Tf ("+s+") Tj ET")
	}
	for name, tt := range map[string]struct{ root, inner, want string }{
		"a tree in a tree":    {"[4 0 R 3 0 R 6 0 R]", "[5 0 R]", "one two three"},
		"itself":              {"[4 0 R 2 0 R]", "[5 0 R]", "one"},
		"its parent":          {"[4 0 R 3 0 R]", "[5 0 R 2 0 R]", "one two"},
		"nothing":             {"[]", "[]", ""},
		"what does not exist": {"[4 0 R 99 0 R 6 0 R]", "[]", "one three"},
	} {
		b := pdftest.File(
			"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 3 /Kids "+tt.root+" >>",
			"<< /Type /Pages /Count 1 /Parent 2 0 R /Kids "+tt.inner+" >>",
			page(2, 7), page(3, 8), page(2, 9), text("one"), text("two"), text("three"),
			"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
		)
		got, err := Text(bytes.NewReader(b), int64(len(b)))
		if words := strings.Join(strings.Fields(got), " "); err != nil || !strings.HasPrefix(words, tt.want) || tt.want == "" && words != "" {
			t.Errorf("%s: %.80q, %v; want %q", name, words, err, tt.want)
		}
	}
	b := pdftest.File(
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1 /Parent 2 0 R /Kids [3 0 R] >>",
		page(2, 4), text("one"),
	)
	if got, err := Text(bytes.NewReader(b), int64(len(b))); err != nil || strings.TrimSpace(got) != "" {
		t.Errorf("parents without end: %q, %v", got, err)
	}
}

// Files that hold more than anybody reads are read up to their limits.
func TestLimitsOfFiles(t *testing.T) {
	font := "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
	page := func(parent string) string {
		return "<< /Type /Page " + parent + " /Contents 3 0 R /Resources << /Font << /F1 4 0 R >> >> >>"
	}
	file := func(content string, pages ...string) []byte {
		stream := pdftest.Stream("", content)
		return pdftest.File(append([]string{"<< /Type /Catalog /Pages 5 0 R >>", "null", stream, font}, pages...)...)
	}
	kids := func(before, n int) []byte {
		list := strings.Repeat("99 0 R ", before) + strings.Repeat("6 0 R ", n)
		return file("BT /F1 12 Tf (x) Tj ET", "<< /Type /Pages /Kids ["+list+"] >>", page(""))
	}
	nested := func(n int) []byte { // below the first
		var pages []string
		for i := range n + 1 {
			pages = append(pages, fmt.Sprintf("<< /Type /Pages /Kids [%d 0 R] >>", 6+i))
		}
		return file("BT /F1 12 Tf (x) Tj ET", append(pages, page(""))...)
	}
	parents := func(n int) []byte {
		pages := []string{"<< /Type /Pages /Kids [6 0 R] >>", page("/Parent 7 0 R")}
		for i := range n - 1 {
			pages = append(pages, fmt.Sprintf("<< /Type /Pages /Parent %d 0 R >>", 8+i))
		}
		return file("BT /F1 12 Tf (x) Tj ET", append(pages, "<< /Type /Pages >>")...)
	}
	twice := func(length int) []byte { // each page adds three newlines
		return file("BT /F1 12 Tf ("+strings.Repeat("y", length-1)+"x) Tj ET", "<< /Type /Pages /Kids [6 0 R 6 0 R] >>", page(""))
	}
	long := func(length int) []byte { // one newline comes before it
		content := "BT /F1 12 Tf (" + strings.Repeat("y", length) + ") Tj (x) Tj ET"
		return file(content, "<< /Type /Pages /Kids [6 0 R] >>", page(""))
	}
	for _, tt := range []struct {
		name string
		file []byte
		want int // x
	}{
		{"pages", kids(0, 1000), 1000},
		{"one page more", kids(0, 1001), 1000},
		{"nodes", kids(9_999, 1), 1},
		{"one node more", kids(10_000, 1), 0},
		{"trees in trees", nested(64), 1},
		{"one tree more", nested(65), 0},
		{"parents", parents(64), 1},
		{"one parent more", parents(65), 0},
		{"text before the last page", twice(8<<20 - 4), 2},
		{"one letter more", twice(8<<20 - 3), 1},
		{"text of a page", long(8<<20 - 1), 1},
		{"one letter more in it", long(8 << 20), 0},
	} {
		text, err := Text(bytes.NewReader(tt.file), int64(len(tt.file)))
		if got := strings.Count(text, "x"); got != tt.want || err != nil {
			t.Errorf("%s: %d times, %v; want %d", tt.name, got, err, tt.want)
		}
	}
}

// Operators place text: a new line where the place moves down, a space where it moves on (ISO 32000-1 §9.4).
func TestOperators(t *testing.T) {
	for content, want := range map[string]string{
		"(one) Tj 0 -14 Td (two) Tj":                           "one|two",
		"(one) Tj 20 0 Td (two) Tj":                            "one two",
		"(one) Tj 0 -14 TD (two) Tj":                           "one|two",
		"(one) Tj T* (two) Tj":                                 "one|two",
		"(one) Tj (two) '":                                     "one|two",
		"(one) Tj 1 2 (two) \"":                                "one|two",
		"1 0 0 1 9 700 Tm (one) Tj 1 0 0 1 50 700 Tm (two) Tj": "one two",
		"1 0 0 1 9 700 Tm (one) Tj 1 0 0 1 9 650 Tm (two) Tj":  "one|two",
		"[(o) -20 (ne) -181 (two)] TJ":                         "one two",
		"[(o) -180 (ne) 500 (two)] TJ":                         "onetwo",
		"(one) Tj ET BT /F1 9 Tf (two) Tj":                     "one|two",
		"0 Td (one) Tj 1 Tm (two) Tj ' \" TJ":                  "onetwo", // operands are missing
	} {
		b := pdftest.Page([]byte("BT /F1 12 Tf "+content+" ET"), "")
		text, err := Text(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Errorf("%s: %v", content, err)
		}
		var lines []string
		for l := range strings.Lines(text) {
			if l = strings.Join(strings.Fields(l), " "); l != "" {
				lines = append(lines, l)
			}
		}
		if got := strings.Join(lines, "|"); got != want {
			t.Errorf("%s: %q, want %q", content, got, want)
		}
	}
}

// A file of any bytes gives a text of bounded length or an error. How long the parser may take is for its process to say.
func FuzzText(f *testing.F) {
	f.Add(writePDF("The river rose", "above the gauge."))
	f.Add(pdftest.Page([]byte("BT /F1 12 Tf [(o) -20 <6e65> -181 (two)] TJ (x) ' T* ET"), ""))
	f.Add([]byte("%PDF-1.4\ntrailer <</Root 1 0 R>>\nstartxref\n9\n%%EOF"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if text, err := Text(bytes.NewReader(b), int64(len(b))); err == nil && len(text) > maxPDFText+1<<20 {
			t.Errorf("%d bytes of text", len(text))
		}
	})
}
