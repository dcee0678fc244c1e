package office

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/office/officetest"
)

func TestPage(t *testing.T) {
	for _, tt := range []struct {
		name    string
		members map[string]string
		want    string
	}{
		{
			"a text document",
			map[string]string{
				"docProps/core.xml": `<c xmlns:dc="urn:dc"><dc:title>Flood &amp; mill</dc:title><dc:creator>A. Miller</dc:creator></c>`,
				"word/document.xml": `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="urn:w"><w:body>` +
					`<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Gauges</w:t></w:r></w:p>` +
					`<w:p><w:r><w:t xml:space="preserve">The ri</w:t></w:r><w:r><w:t>ver</w:t><w:br/><w:t>rose</w:t></w:r>` +
					`<w:del><w:r><w:delText>fell</w:delText><w:t>sank</w:t></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>` +
					`<w:tbl><w:tr><w:tc><w:p><w:r><w:t>one</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>two</w:t></w:r></w:p></w:tc></w:tr></w:tbl>` +
					`</w:body></w:document>`,
				"word/footnotes.xml": `<w:f xmlns:w="urn:w"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:f>`,
				"word/media/a.xml":   `<t>not text</t>`,
			},
			"<title>Flood &amp; mill</title>\n<h2>Gauges</h2>\n<p>The river rose</p>\n<p>one</p>\n<p>two</p>\n<p>A note.</p>\n",
		},
		{
			"drawings are read once",
			map[string]string{
				"word/document.xml": `<w xmlns:mc="urn:mc"><p><r><mc:AlternateContent><mc:Choice><p><t>box</t></p></mc:Choice>` +
					`<mc:Fallback><p><t>box</t></p></mc:Fallback></mc:AlternateContent><t>after</t></r></p></w>`,
			},
			"<p>box</p>\n<p>after</p>\n",
		},
		{
			"slides in their order",
			map[string]string{
				"ppt/slides/slide10.xml":      `<p:sld xmlns:p="urn:p" xmlns:a="urn:a"><a:p><a:r><a:t>ten</a:t></a:r></a:p></p:sld>`,
				"ppt/slides/slide2.xml":       `<p:sld xmlns:p="urn:p" xmlns:a="urn:a"><a:p><a:r><a:t>two</a:t></a:r></a:p></p:sld>`,
				"ppt/slides/_rels/slide2.xml": `<a:t xmlns:a="urn:a">no</a:t>`,
			},
			"<p>two</p>\n<p>ten</p>\n",
		},
		{
			"a workbook",
			map[string]string{
				"xl/workbook.xml":      `<workbook><sheets><sheet name="Levels" sheetId="1"/></sheets></workbook>`,
				"xl/sharedStrings.xml": `<sst><si><t>gauge</t></si><si><r><t>up</t></r><r><t>stream</t></r><rPh><t>x</t></rPh></si></sst>`,
				"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>7</v></c></row>` +
					`<row><c><v>4.2</v></c><c t="inlineStr"><is><t>metres</t></is></c><c><f>A1</f></c></row></sheetData></worksheet>`,
			},
			"<h2>Levels</h2>\n<table><tr><td>gauge</td><td>upstream</td></tr></table>\n<table><tr><td>4.2</td><td>metres</td></tr></table>\n",
		},
		{
			"a workbook with odd cells, and a sheet more than names",
			map[string]string{
				"xl/workbook.xml":      `<workbook><sheets><sheet name="Levels" sheetId="1"/></sheets></workbook>`,
				"xl/sharedStrings.xml": `<sst><si><t> gauge </t></si><si><t>last</t>not text</si></sst>`,
				"xl/worksheets/sheet1.xml": `<sheetData><row><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>-1</v></c>` +
					`<c t="s"><v>x</v></c><c t="s"><v> 0 </v></c>beside<c/></row><row/><row><c><v> 7 </v></c></row></sheetData>`,
				"xl/worksheets/sheet2.xml": `<sheetData><row><c><v>cut</v></c><c><v>off`,
			},
			"<h2>Levels</h2>\n<table><tr><td>last</td><td>gauge</td></tr></table>\n<table><tr><td>7</td></tr></table>\n" +
				"<table><tr><td>cut</td></tr></table>\n",
		},
		{
			"more paragraphs than levels",
			map[string]string{"word/document.xml": `<w>` + strings.Repeat(`<p><t>a</t></p>`, maxDepth) + `<p><t>last</t></p></w>`},
			strings.Repeat("<p>a</p>\n", maxDepth) + "<p>last</p>\n",
		},
		{
			"an OpenDocument text",
			map[string]string{
				"mimetype":   "application/vnd.oasis.opendocument.text",
				"meta.xml":   `<o xmlns:dc="urn:dc"><dc:title>Weirs</dc:title></o>`,
				"styles.xml": `<text:p xmlns:text="urn:t">not text</text:p>`,
				"content.xml": `<o xmlns:text="urn:t"><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>` +
					`<x:annotation><text:p>a comment</text:p></x:annotation>` +
					`<text:h text:outline-level="3">Head</text:h><text:p>One<text:s/>two<text:span>three</text:span></text:p><table>x</table></o>`,
			},
			"<title>Weirs</title>\n<h3>Head</h3>\n<p>One twothree</p>\n",
		},
		{
			"an OpenDocument text with a container",
			map[string]string{
				"META-INF/container.xml": `<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>`,
				"content.xml":            `<o><p>One</p></o>`,
			},
			"<p>One</p>\n",
		},
		{
			"a document of another name",
			map[string]string{"word/document2.xml": `<w><p><t>One</t></p></w>`},
			"<p>One</p>\n",
		},
		{
			"one that ends too early",
			map[string]string{"word/document.xml": `<w><p><t>first</t></p><p><t>second`},
			"<p>first</p>\n<p>second</p>\n",
		},
		{"mark-up in texts", map[string]string{"word/document.xml": `<w><p><t>&lt;script&gt;</t></p></w>`}, "<p>&lt;script&gt;</p>\n"},
	} {
		got, err := Page(officetest.Zip(tt.members))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %v\ngot  %q\nwant %q", tt.name, err, got, tt.want)
		}
	}
}

func TestIs(t *testing.T) {
	for mime, want := range map[string]bool{
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document": true,
		"application/vnd.oasis.opendocument.spreadsheet":                          true,
		"application/vnd.ms-excel.sheet.macroenabled.12":                          true,
		"application/vnd.ms-word.document.macroenabled.12":                        true,
		"application/vnd.ms-powerpoint.presentation.macroenabled.12":              true,
		"application/msword": true, "application/vnd.ms-excel": false, "application/zip": false, "": false,
	} {
		if Is(mime) != want {
			t.Errorf("%s: %t", mime, !want)
		}
	}
}

func TestWithoutText(t *testing.T) {
	whole := officetest.Document("T", "text")
	for name, file := range map[string][]byte{
		"nothing": nil, "no ZIP": []byte("%PDF-1.4"), "cut off": whole[:len(whole)/2],
		"no office file": officetest.Zip(map[string]string{"a": "b"}),
		"no words":       officetest.Document("", " "),
	} {
		if page, err := Page(file); err == nil {
			t.Errorf("%s: %q", name, page)
		}
	}
}

// endless is a member that inflates to far more than it takes.
func endless(t *testing.T, before, unit string, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	f, err := w.Create("word/document.xml")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(f, before)
	chunk := strings.Repeat(unit, 1+(1<<16)/len(unit))
	for i := 0; i < n; i += len(chunk) {
		_, _ = io.WriteString(f, chunk)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Files that inflate without end have a text of bounded length, and no element takes more memory than the bound.
func TestHostileFilesAreBounded(t *testing.T) {
	const before = "<w><p><t>first</t></p>"
	for _, tt := range []struct {
		name, unit string
		size       int
	}{
		{"paragraphs", "<p><t>" + strings.Repeat("words of a paragraph ", 50) + "</t></p>", 8<<20 + 2<<20},
		{"depth", "<x>", 1 << 20},
		{"no paragraphs", "<x>" + strings.Repeat("words of no paragraph ", 400) + "</x>", 32<<20 + 1<<20},
	} {
		page, err := Page(endless(t, before, tt.unit, tt.size))
		if err != nil || !bytes.HasPrefix(page, []byte("<p>first</p>")) || len(page) > 8<<20+1<<20 {
			t.Errorf("%s: %d bytes, %v", tt.name, len(page), err)
		}
	}
	for name, opening := range map[string]string{"attributes": "<x ", "text": "<p><t>", "a comment": "<!--", "a name": "<"} {
		unit := map[string]string{"attributes": `a="b" `}[name]
		if unit == "" {
			unit = "words"
		}
		page, err := Page(endless(t, before+opening, unit, 4<<20))
		if err != nil || !bytes.HasPrefix(page, []byte("<p>first</p>\n")) || len(page) > 1<<20+1<<14 {
			t.Errorf("%s: %d bytes, %v", name, len(page), err)
		}
	}
	many := map[string]string{}
	for i := range 10_001 {
		many[fmt.Sprintf("word/%d", i)] = ""
	}
	if _, err := Page(officetest.Zip(many)); err == nil {
		t.Error("any number of members is listed")
	}
}

func FuzzPage(f *testing.F) {
	f.Add(officetest.Document("Title", "one", "two"))
	f.Add(officetest.Zip(map[string]string{"content.xml": `<o><h outline-level="9">x</h><p>y<p>z</p></p></o>`, "meta.xml": "<title>t"}))
	f.Add(officetest.Zip(map[string]string{
		"xl/workbook.xml": `<sheet name="a"/>`, "xl/sharedStrings.xml": "<si><t>s</t></si>",
		"xl/worksheets/sheet1.xml": `<row><c t="s"><v>0</v></c></row>`,
	}))
	f.Add([]byte("PK"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if page, err := Page(file); (err == nil) != (len(page) > 0) {
			t.Errorf("%d bytes, %v", len(page), err)
		}
	})
}
