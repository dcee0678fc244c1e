package office

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/office/officetest"
)

func TestPageOf(t *testing.T) {
	t.Parallel()
	book := map[string]string{
		"META-INF/container.xml": `<container><rootfiles><rootfile full-path="OEBPS/a.opf"/></rootfiles></container>`,
		"OEBPS/a.opf": `<package xmlns:dc="urn:dc"><metadata><dc:title>The</dc:title><dc:title>mill</dc:title></metadata><manifest>` +
			`<item id="b" href="two%20b.xhtml"/><item id="a" href="text/one.xhtml"/>` +
			`<item id="c" href="c.xhtml"/><item id="d" href="d.xhtml"/><item id="e" href="e.xhtml"/></manifest><spine>` +
			`<itemref idref="a"/><itemref idref="b"/><itemref idref="none"/>` +
			`<itemref idref="c"/><itemref idref="d"/><itemref idref="e"/></spine></package>`,
		"OEBPS/text/one.xhtml": `<html><head><title>x</title><style>p {}</style></head><body onload="x">` +
			`<h1 id="i">One</h1><p>A &amp; b</p></body></html>`,
		"OEBPS/two b.xhtml": `<html><body><p>Two<script>alert(1)</script></p></body></html>`,
		"OEBPS/c.xhtml": `<html><head><title/><style/><script src="x"/></head><body><p>Three<script/> c</p><iframe/><p/>` +
			`<svg><title/><path/></svg><br/>d<![CDATA[ & e]]></body></html>`,
		"OEBPS/d.xhtml":      "<?xml version='1.0' encoding='ISO-8859-1'?><html><body>caf\xe9</body></html>",
		"OEBPS/e.xhtml":      "\x9c\x03encrypted<p>\xff",
		"OEBPS/unused.xhtml": `<p>not in the spine</p>`,
	}
	for name, tt := range map[string]struct {
		mime string
		file []byte
		want string
	}{
		"a book": {
			"application/epub+zip", officetest.Zip(book),
			"<title>The mill</title>\n<hr><h1>One</h1><p>A &amp; b</p><hr><p>Two</p><hr><p>Three c</p><iframe></iframe><p></p>" +
				"<svg><title/><path/></svg><br/>d &amp; e<hr>café",
		},
		"Rich Text": {
			"application/rtf", []byte(`{\rtf1\ansi\ansicpg1251\deff0{\fonttbl{\f0 Arial;}}{\info{\title \'cc\'eb\'e8\'ed}{\author A}}` +
				"{\\*\\generator x;}\\pard One\\tab two {\\b bold}\\par\r\n\\u8220?quoted\\u8221? \\'cc\\{x\\}\\par " +
				"{\\field{\\*\\fldinst HYPERLINK \"x\"}" +
				`{\fldrslt a link}} {\v hidden}\uc2\u-10179\'3f\'3f\u-8704\'3f\'3f end}`),
			"<title>Млин</title>\n<p>One two bold</p>\n<p>“quoted” М{x}</p>\n<p>a link 😀 end</p>\n",
		},
		"Rich Text with signs": {
			"text/rtf", []byte(`{\rtf1\mac caf\'8e\emdash b\endash\lquote d\rquote\ldblquote f\rdblquote\bullet\line{\v0 shown}{\v hid}\~` +
				"\\\ndone\\{\\}\\\\ \\ZZ9 \\bin4 \\par\\'zz\\'e}"),
			"<p>café—b–‘d’“f”•</p>\n<p>shown</p>\n<p>done{}\\</p>\n",
		},
		"Rich Text with a note and a deletion": {
			"text/rtf", []byte(`{\rtf1 One{\footnote two} {\deleted gone}three}`), "<p>One two three</p>\n",
		},
		"Rich Text that is hidden and shown again": {
			"text/rtf", []byte(`{\rtf1 One \v gone\par\v0 two \deleted gone \v gone \deleted0 gone\plain three {\*\x gone\v gone\v0 gone}\v gone}`),
			"<p>One two three</p>\n",
		},
		"Rich Text with halves of characters": {
			"text/rtf", []byte(`{\rtf1 \uc0 a\u-10179 b\u-8704 c\u-10179\u-10179\u-8704 d\u-10179\'e9\u-10179\par e}`),
			"<p>a\ufffdb\ufffdc\ufffd😀d\ufffdé\ufffd</p>\n<p>e</p>\n",
		},
		"Rich Text in the charsets of fonts": {
			"text/rtf", []byte(`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil\fcharset0 Arial;}{\f1\fnil\fcharset204{\*\fname Arial;}Arial Cyr;}` +
				`\f7\fcharset161 Arial Greek;}\'e4\f1\'cc\'eb{\f7\'e1}\'e8\f0\'e4\f7\'e2\plain\'f6\f99\'fc\f1\'ed\par\'cc}`),
			"<p>äМлαиäβöüн</p>\n<p>М</p>\n",
		},
		"Rich Text whose first font is not Latin": {
			"text/rtf", []byte(`{\rtf1\ansi\ansicpg1252\deff3{\fonttbl{\f3\fcharset204 Arial;}}\'cc{\f0\'e4}\plain\'eb}`), "<p>Мäл</p>\n",
		},
		"Rich Text with hyphens":                   {"text/rtf", []byte(`{\rtf1 well\_known syl\-lables}`), "<p>well-known syllables</p>\n"},
		"Rich Text with more ends than beginnings": {"text/rtf", []byte(`{\rtf1 \uc0 a\u-10179}}}`), "<p>a\ufffd</p>\n"},
		"Rich Text that is cut off":                {"text/rtf", []byte(`{\rtf1 One\par two {\b th`), "<p>One</p>\n<p>two th</p>\n"},
		"Rich Text with odd numbers": {
			"text/rtf",
			[]byte(`{\rtf1 \uc9 a\u233 12345678b\uc-3\u233 c\u d\bin-5 e\b0000000000123\` + strings.Repeat("b", 40) + `f\bin99 g}`),
			"<p>aébécde3f</p>\n",
		},
		"Rich Text with a title in its text": {"text/rtf", []byte(`{\rtf1 {\title One} two}`), "<p>One two</p>\n"},
		"Rich Text by an old name":           {"application/x-rtf", []byte(`{\rtf1 One}`), "<p>One</p>\n"},
		"Word by an old name":                {"application/x-msword", officetest.Word("One\r", ""), "<p>One</p>\n"},
		"Word by its maker's name":           {"application/vnd.ms-word", officetest.Word("One\r", ""), "<p>One</p>\n"},
		"Rich Text behind a byte order mark": {"text/rtf", []byte("\ufeff \r\n" + `{\rtf1 One}`), "<p>One</p>\n"},
		"Word": {
			"application/msword", officetest.Word("The mill\rA\x07B\x07\x07\x13 PAGE \x14"+"7\x15 left\r", "Млин & “x”\r"),
			"<p>The mill</p>\n<p>A</p>\n<p>B</p>\n<p>7 left</p>\n<p>Млин &amp; “x”</p>\n",
		},
		"Word with notes": {
			"application/msword", officetest.Word("The mill\r", "Млин\r", "a note\r", "a header\r", "a macro", "a comment\r", "an endnote\r"),
			"<p>The mill</p>\n<p>Млин</p>\n<p>a note</p>\n<p>an endnote</p>\n",
		},
		"Word with a text box": {
			"application/msword", officetest.Word("well\x1eknown\r", "", "", "a header\r", "", "", "", "a box\r"),
			"<p>well-known</p>\n<p>a box</p>\n",
		},
		"Rich Text with a text box": {
			"text/rtf", []byte(`{\rtf1 One{\shp{\*\shpinst{\sp{\sn wrap}{\sv 1}}{\shptxt\pard a box\par}}{\shprslt{\*\do x}}}` +
				`two\par{\header{\shp{\*\shpinst{\shptxt no}}}}three}`),
			"<p>One</p>\n<p>a box</p>\n<p>two</p>\n<p>three</p>\n",
		},
		"Rich Text with a table in a table": {
			"text/rtf", []byte(`{\rtf1 one\nestcell two\nestcell\nestrow three\cell\row}`),
			"<p>one two</p>\n<p>three</p>\n",
		},
		"Rich Text with named substitutes": {
			"text/rtf",
			[]byte(`{\rtf1 a\u8212\emdash b\uc0\u8212 \emdash c \u1605 \u1740 \zwnj\u1585 }`),
			"<p>a—b——c می\u200cر</p>\n",
		},
		"Rich Text that is called Word": {"application/msword", []byte(`{\rtf1 One}`), "<p>One</p>\n"},
		"a page that is called Word": {
			"application/msword", []byte("\n<html><meta charset=windows-1251><p>\xcc\xeb\xe8\xed</p>"),
			"\n<html><meta charset=windows-1251><p>Млин</p>",
		},
		"an archive of a page that is called Word": {
			"application/msword", []byte("Date: today\r\nMime-Version: 1.0\r\nContent-Type: multipart/related; boundary=a\r\n\r\n--a\r\n" +
				"Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nno\r\n--b\r\n" +
				"Content-Type: text/html; charset=windows-1251\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" +
				"<p>=CC=\r\n=EB</p>\r\n--b--\r\n--a--\r\n"),
			"<p>Мл</p>",
		},
		"such an archive in base64": {
			"application/msword",
			[]byte("MIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPHA+T25\nlPC9wPg==\n"),
			"<p>One</p>",
		},
		"a ZIP that is called Word": {"application/msword", officetest.Document("", "One"), "<p>One</p>\n"},
	} {
		got, err := PageOf(tt.mime, tt.file)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %v\ngot  %q\nwant %q", name, err, got, tt.want)
		}
		if !Is(tt.mime) {
			t.Errorf("%s is not read", tt.mime)
		}
	}
}

func TestCodePagesOfRichText(t *testing.T) {
	t.Parallel()
	for page, tt := range map[string][2]string{
		"437": {`\'80`, "Ç"}, "850": {`\'9b`, "ø"}, "866": {`\'80`, "А"}, "874": {`\'a1`, "ก"}, "932": {`\'82\'a0`, "あ"},
		"936": {`\'c4\'e3`, "你"},
		"949": {`\'b0\'a1`, "가"}, "950": {`\'a4\'a4`, "中"}, "1250": {`\'b9`, "ą"}, "1251": {`\'c4`, "Д"}, "1253": {`\'e1`, "α"},
		"1254": {`\'fe`, "ş"}, "1255": {`\'f9`, "ש"}, "1256": {`\'c8`, "ب"}, "1257": {`\'e0`, "ą"}, "1258": {`\'fe`, "₫"},
		"1252": {`\'e4`, "ä"}, "7777": {`\'e4`, "ä"},
	} {
		got, err := PageOf("text/rtf", []byte(`{\rtf1\ansi\ansicpg`+page+" "+tt[0]+`}`))
		if want := "<p>" + tt[1] + "</p>\n"; err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", page, got, err, want)
		}
	}
}

// A font has the charset of its table's entry.
func TestCharsetsOfFonts(t *testing.T) {
	t.Parallel()
	for charset, tt := range map[string][2]string{
		"0": {`\'e4`, "ä"}, "1": {`\'e4`, "ä"}, "77": {`\'8e`, "é"}, "128": {`\'82\'a0`, "あ"}, "129": {`\'b0\'a1`, "가"}, "134": {`\'c4\'e3`, "你"},
		"136": {`\'a4\'a4`, "中"}, "161": {`\'e1`, "α"}, "162": {`\'fe`, "ş"}, "163": {`\'fe`, "₫"}, "177": {`\'f9`, "ש"}, "178": {`\'c8`, "ب"},
		"186": {`\'e0`, "ą"}, "204": {`\'c4`, "Д"}, "222": {`\'a1`, "ก"}, "238": {`\'b9`, "ą"}, "254": {`\'80`, "Ç"}, "255": {`\'9b`, "ø"},
	} {
		got, err := PageOf("text/rtf", []byte(`{\rtf1\ansi{\fonttbl{\f5\fcharset`+charset+" Arial;}}\\f5 "+tt[0]+`}`))
		if want := "<p>" + tt[1] + "</p>\n"; err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", charset, got, err, want)
		}
	}
}

func TestFilesWithoutText(t *testing.T) {
	t.Parallel()
	whole := officetest.Word("One\r", "")
	locked := bytes.Clone(whole)
	locked[512*3+0x0B] |= 1
	for name, tt := range map[string]struct {
		mime string
		file []byte
	}{
		"no Rich Text":           {"text/rtf", []byte("One")},
		"Rich Text of a picture": {"text/rtf", []byte(`{\rtf1{\pict 00ff}}`)},
		"a Word file cut off":    {"application/msword", whole[:700]},
		"an encrypted Word file": {"application/msword", locked},
		"an archive of no page":  {"application/msword", []byte("MIME-Version: 1.0\nContent-Type: text/plain\n\nOne")},
		"an archive cut off": {
			"application/msword", []byte("MIME-Version: 1.0\nContent-Type: multipart/related; boundary=a\n\n--a\nContent-Type: image/png\n\nOne"),
		},
		"an archive without a body": {"application/msword", []byte("One\nMIME-Version: 1.0")},
		"another compound file":     {"application/msword", officetest.Compound([]string{"Workbook"}, make([]byte, 4096))},
		"a book without a spine":    {"application/epub+zip", officetest.Zip(map[string]string{"META-INF/container.xml": "<container/>"})},
	} {
		if page, err := PageOf(tt.mime, tt.file); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %q, %v", name, page, err)
		}
	}
}

// Of a Word file whose parts don't fit each other nothing is read; one whose text is cut off is read as far as it goes.
func TestBrokenWordFiles(t *testing.T) {
	t.Parallel()
	const clx = fibClx
	put := func(at int, v uint32) func(doc, table []byte) ([]byte, []byte) {
		return func(doc, table []byte) ([]byte, []byte) {
			binary.LittleEndian.PutUint32(doc[at:], v)
			return doc, table
		}
	}
	for name, tt := range map[string]struct {
		harm func(doc, table []byte) ([]byte, []byte)
		want string // "" for an error
	}{
		"none":                       {func(doc, table []byte) ([]byte, []byte) { return doc, table }, "The mill"},
		"another ident":              {put(0, 0xA5DC), ""},
		"a head that is cut off":     {func(doc, table []byte) ([]byte, []byte) { return doc[:fibLen-1], table }, ""},
		"pieces of no length":        {put(clx+4, 0), ""},
		"pieces behind their stream": {put(clx, 1<<31), ""},
		"pieces beyond their stream": {put(clx+4, 1<<20), ""},
		"pieces that are cut off":    {put(clx+4, 9), ""},
		"their head, cut off":        {put(clx+4, 4), ""},
		"their kind alone":           {put(clx+4, 2), ""},
		"another kind of pieces":     {func(doc, table []byte) ([]byte, []byte) { table[0] = 7; return doc, table }, ""},
		"the other stream of pieces": {put(fibFlags, 0), ""},
		"no stream of pieces":        {func(doc, _ []byte) ([]byte, []byte) { return doc, nil }, ""},
		"formats before the pieces": {func(doc, table []byte) ([]byte, []byte) {
			return moved(doc, append([]byte{1, 3, 0, 9, 9, 9}, table...), 6)
		}, "The mill"},
		"formats longer than the stream": {
			func(doc, table []byte) ([]byte, []byte) { return moved(doc, append([]byte{1, 255, 255}, table...), 3) }, "",
		},
		"a text that is cut off": {func(doc, table []byte) ([]byte, []byte) { return doc[:1024+3], table }, "The"},
	} {
		streams, err := streamsOf(officetest.Word("The mill", ""), "WordDocument", "1Table")
		if err != nil {
			t.Fatal(err)
		}
		doc, table := tt.harm(streams["WordDocument"], streams["1Table"])
		got, err := wordText(map[string][]byte{"WordDocument": doc, "1Table": table})
		if got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tt.want)
		}
	}
}

// moved is a document whose list of pieces is longer by n bytes.
func moved(doc, table []byte, n uint32) ([]byte, []byte) {
	at := doc[fibClx+4:]
	binary.LittleEndian.PutUint32(at, binary.LittleEndian.Uint32(at)+n)
	return doc, table
}

// What would be endless ends.
func TestHostileFormatsAreBounded(t *testing.T) {
	t.Parallel()
	chapter := "<html><body>" + strings.Repeat("<p>again and again</p>", 1<<20)
	book := map[string]string{
		"META-INF/container.xml": `<rootfile full-path="a.opf"/>`, "a.xhtml": chapter,
		"a.opf": `<p><item id="a" href="a.xhtml"/>` + strings.Repeat(`<itemref idref="a"/>`, 100_000) + "</p>",
	}
	for mime, file := range map[string][]byte{
		"application/epub+zip": officetest.Zip(book),
		"text/rtf":             append([]byte(`{\rtf1 One\par `), bytes.Repeat([]byte("{"), 8<<20)...),
		"application/rtf":      append([]byte(`{\rtf1 `), bytes.Repeat([]byte(`word\par `), 2<<20)...),
	} {
		if page, err := PageOf(mime, file); err != nil || len(page) > 8<<20+2<<20 {
			t.Errorf("%s: %d bytes, %v", mime, len(page), err)
		}
	}
}

func FuzzPageOf(f *testing.F) {
	f.Add(officetest.Word("One\r\x13 x \x14y\x15\r", "Млин"))
	f.Add([]byte(`{\rtf1\ansi\ansicpg932{\info{\title x}}\'82\'a0\u8220?\uc2\par{\*\x y}\bin3 abc}`))
	f.Add(officetest.Zip(map[string]string{
		"META-INF/container.xml": `<rootfile full-path="a.opf"/>`, "a.opf": `<p><item id="a" href="a.xhtml"/><itemref idref="a"/></p>`,
		"a.xhtml": "<p>x</p>",
	}))
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, mime := range []string{"application/msword", "text/rtf", epubType} {
			page, err := PageOf(mime, file)
			if (err != nil) != (page == nil) || len(page) > 8<<20+2<<20 {
				t.Errorf("%s: %d bytes, %v", mime, len(page), err)
			}
		}
	})
}
