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
			"a text document that hides, breaks and names things",
			map[string]string{
				"word/document.xml": `<w><p><pPr><rPr><vanish/></rPr></pPr><r><t>re</t><noBreakHyphen/><t>elect</t></r>` +
					`<r><rPr><vanish/></rPr><t>gone</t></r><r><rPr><vanish val="0"/></rPr><t xml:space="preserve"> left</t><sym/><t>right</t></r></p>` +
					`<p><r><t>see </t><fldChar fldCharType="begin"/><instrText>REF a</instrText><noBreakHyphen/><instrText>b</instrText>` +
					`<fldChar fldCharType="begin"/><instrText>PAGE</instrText><fldChar fldCharType="separate"/><t>no</t><fldChar fldCharType="end"/>` +
					`<fldChar fldCharType="separate"/><t>page 7</t><fldChar fldCharType="end"/><t>.</t></r></p>` +
					`<p><fldChar fldCharType="begin"/><t>no</t></p><p><t>after an open field</t><fldChar fldCharType="end"/></p>` +
					`<p><r><ruby><rt><r><t>かわ</t></r></rt><rubyBase><r><t>川</t></r></rubyBase></ruby></r></p></w>`,
			},
			"<p>re-elect left right</p>\n<p>see page 7.</p>\n<p>after an open field</p>\n<p>川</p>\n",
		},
		{
			"a text document of other names, with a diagram and a chart",
			map[string]string{
				"_rels/.rels":   rels(`a officeDocument /word/Main.xml`),
				`word\main.xml`: `<document><p><t>One</t></p></document>`,
				"word/_rels/Main.xml.rels": rels(`b chart charts/c%201.xml`, `c diagramData diagrams/data1.xml`,
					`d footnotes notes.xml`, `e diagramDrawing no.xml`),
				"word/notes.xml":          `<w><p><t>A note</t></p></w>`,
				"word/no.xml":             `<w><p><t>top</t></p></w>`,
				"word/diagrams/data1.xml": `<d:dataModel xmlns:d="urn:d" xmlns:a="urn:a"><d:t><a:p><a:t>top</a:t></a:p></d:t></d:dataModel>`,
				"word/charts/c 1.xml": `<c><title><p><t>Levels</t></p></title><tx><strCache><pt><v>Gauge</v></pt></strCache></tx>` +
					`<cat><strCache><pt><v>May</v></pt></strCache></cat><cat><strCache><pt><v>May</v></pt></strCache></cat>` +
					`<numCache><pt><v>7</v></pt></numCache></c>`,
			},
			"<p>One</p>\n<p>A note</p>\n<p>top</p>\n<p>Levels</p>\n<p>Gauge</p>\n<p>May</p>\n",
		},
		{
			"a text document that has pages in it",
			map[string]string{
				"word/document.xml":            `<document><altChunk id="a"/></document>`,
				"word/_rels/document.xml.rels": rels(`a aFChunk /word/a.htm`, `b aFChunk b.mht`, `c aFChunk c.bin`, `d aFChunk gone`),
				"word/a.htm":                   `<html><head><title>no</title></head><body class="x"><p>One</p></body></html>`,
				"word/b.mht":                   "MIME-Version: 1.0\nContent-Type: text/html\n\n<p>two",
				"word/c.bin":                   "three",
			},
			"<hr><p>One</p><hr><p>two",
		},
		{
			"slides in the order of the presentation, with notes",
			map[string]string{
				"ppt/presentation.xml": `<presentation ` + relationsOf + `>` +
					`<sldId r:id="y"/><sldId r:id="gone"/><sldId r:id="x"/></presentation>`,
				"ppt/_rels/presentation.xml.rels": rels(`x slide slides/slide1.xml`, `y slide slides/last.xml`),
				"ppt/slides/slide1.xml":           `<sld><p><t>one</t></p><p><fld type="slidenum"><t>2</t></fld></p></sld>`,
				"ppt/slides/last.xml":             `<sld><p><t>last</t></p></sld>`,
				"ppt/slides/slide2.xml":           `<sld><p><t>no slide of it</t></p></sld>`,
				"ppt/slides/_rels/last.xml.rels":  rels(`a notesSlide ../notesSlides/notesSlide7.xml`),
				"ppt/notesSlides/notesSlide7.xml": `<notes><p><t>say this</t></p><p><fld type="slidenum"><t>1</t></fld></p></notes>`,
			},
			"<p>last</p>\n<p>say this</p>\n<p>one</p>\n",
		},
		{
			"a workbook whose sheets have other numbers",
			map[string]string{
				"xl/workbook.xml": `<workbook ` + relationsOf + `><workbookPr/><sheets><sheet name="Chart" r:id="c"/><sheet name="Second" r:id="b"/>` +
					`<sheet name="First" r:id="a"/></sheets></workbook>`,
				"xl/_rels/workbook.xml.rels": rels(`a worksheet worksheets/sheet1.xml`, `b worksheet /xl/worksheets/sheet2.xml`,
					`c chartsheet chartsheets/sheet1.xml`, `d sharedStrings Texts.xml`),
				"xl/Texts.xml":                         `<sst><si><t>two_x000D_lines, _x005F_x000D_ and _x_x0</t></si></sst>`,
				"xl/chartsheets/sheet1.xml":            `<chartsheet/>`,
				"xl/chartsheets/_rels/sheet1.xml.rels": rels(`a drawing ../drawings/drawing1.xml`),
				"xl/drawings/drawing1.xml":             `<d><p><t>a box</t></p></d>`,
				"xl/drawings/_rels/drawing1.xml.rels":  rels(`a chart ../charts/chart1.xml`),
				"xl/charts/chart1.xml":                 `<c><p><t>Levels</t></p></c>`,
				"xl/worksheets/sheet1.xml":             `<worksheet><row><c t="s"><v>0</v></c></row></worksheet>`,
				"xl/worksheets/sheet2.xml": `<worksheet><row><c t="b"><v>1</v></c><c t="b"><v>0</v></c>` +
					`<c t="e"><v>#N/A</v></c></row></worksheet>`,
			},
			"<h2>Chart</h2>\n<p>a box</p>\n<p>Levels</p>\n<h2>Second</h2>\n<table><tr><td>TRUE</td><td>FALSE</td><td>#N/A</td></tr></table>\n" +
				"<h2>First</h2>\n<table><tr><td>two\rlines, _x000D_ and _x_x0</td></tr></table>\n",
		},
		{
			"a workbook with formats, from 1904",
			map[string]string{
				"xl/workbook.xml": `<workbook><workbookPr date1904="1"/></workbook>`,
				"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="d/m/yy"/></numFmts>` +
					`<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>` +
					`<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="9"/></cellXfs></styleSheet>`,
				"xl/worksheets/sheet1.xml": `<worksheet><row><c s="1"><v>43831</v></c><c s="2"><v>0.5</v></c>` +
					`<c s="0"><v>0.5</v></c><c s="3"><v>1</v></c>` +
					`<c s="1" t="str"><v>7</v></c></row></worksheet>`,
			},
			"<table><tr><td>2024-01-02</td><td>50%</td><td>0.5</td><td>1</td><td>7</td></tr></table>\n",
		},
		{
			"a spreadsheet of OpenDocument",
			map[string]string{
				"content.xml": `<o><spreadsheet><table name="Levels"><table-cell><p>4.2</p></table-cell></table></spreadsheet></o>`,
			},
			"<h2>Levels</h2>\n<p>4.2</p>\n",
		},
		{
			"an OpenDocument text with a drawing, a note, a reading and a field",
			map[string]string{
				"content.xml": `<o xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:text="urn:t"><text:p>The ri` +
					`<frame><image><binary-data>AAAA</binary-data></image><svg:title>a boat</svg:title><svg:desc>on it</svg:desc></frame>ver` +
					`<note><note-citation>1</note-citation><note-body><text:p>a note</text:p></note-body></note> of <text:title>Weirs</text:title>` +
					`<ruby><ruby-base>川</ruby-base><ruby-text>かわ</ruby-text></ruby></text:p></o>`,
			},
			"<p>The river</p>\n<p>a note</p>\n<p>of Weirs川</p>\n",
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

// relationsOf declares the namespace of IDs of relations.
const relationsOf = `xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`

// rels returns a part with relations, each given as its ID, kind and target.
func rels(all ...string) string {
	var b strings.Builder
	for _, one := range all {
		f := strings.Fields(one)
		fmt.Fprintf(&b, `<Relationship Id="%s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"/>`,
			f[0], f[1], f[2])
	}
	return "<Relationships>" + b.String() + "</Relationships>"
}

// Numbers are shown as the codes of their formats say, and dates as in ISO 8601.
func TestFormats(t *testing.T) {
	t.Parallel()
	for _, tt := range [][3]string{
		{"", "0.30000000000000004", "0.3"},
		{"", "12345678901234567", "12345678901234567"},
		{"General", "45365", "45365"},
		{"general\" days\"", "3", "3"},
		{"@", "0012", "0012"},
		{"yyyy-mm-dd", "45365", "2024-03-14"},
		{"m/d/yy h:mm", "45365.5", "2024-03-14 12:00"},
		{`[$-409]d\-mmm\-yy;@`, "45000", "2023-03-15"},
		{`yyyy"年"m"月"`, "45000", "2023-03-15"},
		{"h:mm:ss AM/PM", "0.999999", "00:00:00"},
		{"[h]:mm", "1.25", "30:00"},
		{"yyyy", "1", "1900-01-01"},
		{"yyyy", "-1", "-1"},
		{"yyyy", "NaN", "NaN"},
		{"yyyy", "soon", "soon"},
		{`"yes";"no"`, "1", "1"},
		{`0.00" days"`, "2.5", "2.50"},
		{`#,##0,,\" M\"`, "12500000", "12500000"},
		{"0.00%", "0.157", "15.70%"},
		{"0.0 %", "0.157", "15.7%"},
		{`_-* #,##0.00\ "€"_-;\-* #,##0.00`, "1234567.891", "1234567.89"},
		{"[Red]#,##0", "1234.5", "1234"},
		{"# ?/?", "0.5", "0.5"},
		{"0.00E+00", "12345", "12345"},
		{"0.0.0", "1.5", "1.5"},
	} {
		if got := formatOf(tt[0]).number(tt[1], false); got != tt[2] {
			t.Errorf("%s as %s: %s, want %s", tt[1], tt[0], got, tt[2])
		}
	}
	for id, want := range map[string]string{
		"0": "", "1": "0", "4": "0.00", "9": "0%", "10": "0.00%", "14": "yyyy-mm-dd", "18": "h:mm", "21": "h:mm:ss", "22": "yyyy-mm-dd h:mm",
		"46": "[h]:mm:ss", "57": "yyyy-mm-dd", "x": "",
	} {
		if got := builtIn(id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

func TestIs(t *testing.T) {
	for mime, want := range map[string]bool{
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document": true,
		"application/vnd.oasis.opendocument.spreadsheet":                          true,
		"application/vnd.sun.xml.writer":                                          true,
		"application/vnd.ms-excel.sheet.macroenabled.12":                          true,
		"application/vnd.ms-word.document.macroenabled.12":                        true,
		"application/vnd.ms-powerpoint.presentation.macroenabled.12":              true,
		"application/vnd.ms-powerpoint.slideshow.macroenabled.12":                 true,
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
