package visible

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

var visibleTests = []struct{ name, html, want string }{
	{"inline tags vanish", `a<b>b</b>`, "ab"},
	{"other tags part words", `a<p>b`, "a b"},
	{
		"inline tags that their style makes blocks part words",
		`a<span style="display: block">b</span>c<a class=x style='color:red;DISPLAY:flex'>d<b>e</b></a>f<a style=display:table>g`, "a b c de f g",
	},
	{
		"such tags end where they end",
		`<span style="display:block">a<span>b</span>c<span style="display:block">d</span></span>e<p>f<span>g</span>h`,
		"abc d e fgh",
	},
	{"such a tag ends with its block", `<p>a<span style="display:block">b<p>c<span>d</span>e</span>f`, "a b cdef"},
	{
		"other styles part no words", `a<span style="display:inline-block">b</span>c<i style="color:red">d</i>e<b style="display:none">f</b>` +
			`<i style="display">g</i><i style="displays:block">h</i><i style="">i</i>`, "abcdefghi",
	},
	{"images and breaks part words", `a<br>b<img src=x>c<wbr>d`, "a b cd"},
	{"white space collapses, no-break space too", "a \t\r\n b\u00a0\u3000&nbsp;c", "a b c"},
	{"entities are decoded", `&lt;p&gt; &amp;amp; &eacute;&#233;&#xe9; &copy &notanentity;`, "<p> &amp; ééé © ¬anentity;"},
	{"comments vanish", `a<!-- b -->c<!---->d<!-- <p> --> e`, "acd e"},
	{"the title stands first", `<title>T</title><body>b`, "T b"},
	{
		"scripts, styles, templates and noscript have no text",
		`a<script>if (a<b) "</p>"</script><style>p{}</style><noscript>n<p>m</noscript><template><p>t<template>u</template>v</template>b`, "a b",
	},
	{
		"a declared shadow root shows", `a<x-b><template shadowrootmode="open">b<style>p{}</style><template>c</template></template>d</x-b>` +
			`<x-c><TEMPLATE ShadowRootMode=closed>e</TEMPLATE></x-c><template shadowrootmode>f</template>g`,
		"a b d e g",
	},
	{"a template that has a shadow root", `a<template><template shadowrootmode=open>b</template>c</template>d`, "a d"},
	{"a noscript that never ends hides nothing", `a <noscript> b`, "a b"},
	{"a noscript is raw text to its end tag", `a<noscript><iframe src=x /></noscript>b<noscript><!-- ` +
		`</noscript>c<noscript><style></noscript>d`, "a b c d"},
	{"a noscript in the head", `<head><noscript><img src=x><div></noscript><title>T</title></head><body>b`, "T b"},
	{"a noscript and its end in capitals", `a<NOSCRIPT><iframe/></NoScript >b`, "a b"},
	{"no end of a noscript but one of a longer name", `a<noscript></noscripts>b</noscript>c`, "a c"},
	{"an iframe is raw text", `a<iframe><p>b</iframe>c<iframe src=x></iframe>d`, "a c d"},
	{"an iframe that never ends hides the rest", `a<iframe src=x />b`, "a"},
	{"what xmp shows as it stands", `a<xmp><b>&amp;</b></xmp>c`, "a <b>&amp;</b> c"},
	{"plain text has no end", `a<plaintext><b>c</plaintext>&amp;`, "a <b>c</plaintext>&amp;"},
	{"a text field shows tags and decodes entities", `a<textarea><p>b&amp;</textarea>c`, "a <p>b& c"},
	{"a title shows tags", `<title><b>T</b></title>c`, "<b>T</b> c"},
	{"a title at the end", `a<title>T</title>`, "a T"},
	{"options that are not closed", `a<select><option>b<option>c<optgroup label=d><option>e</select>f`, "a b c e f"},
	{"a script that never ends hides the rest", `a <script> b`, "a"},
	{"attribute values are not visible", `<p title="x > y" alt='z'>a</p>`, "a"},
	{"tags in the text of SVG and MathML", `a<svg><text>b</text></svg><math><mi>c</mi></math>d`, "a b c d"},
	{"an SVG that never ends", `a<svg/><p>b</p>`, "a b"},
	{"an SVG cut off in its name", `a<b>b</b><svg`, "ab"},
	{"a formula cut off behind it", `a<math `, "a"},
	{"nested SVGs", `a<svg><svg><title>b</title></svg></svg>c`, "a b c"},
	{"CDATA is a comment in HTML", `a<![CDATA[b]]>c`, "ac"},
	{"such a comment ends as others do", `a<![CDATA[<b>b</b>]]>c`, "ab]]>c"},
	{"CDATA that never ends", `<p>a</p><![CDATA[<p>b</p>`, "a b"},
	{"CDATA is text in a drawing", `<svg><text><![CDATA[1 &lt; 2]]></text></svg>b`, "1 &lt; 2 b"},
	{"CDATA is text in a formula", `<math><mi><![CDATA[x]]></mi></math>`, "x"},
	{"empty comments of few characters", `a<!-->b<!--->c<!---->d`, "abcd"},
	{"no comments in titles and fields", `<title><!-->a</title><textarea><!--->b</textarea>`, "<!-->a <!--->b"},
	{"doctype and processing instructions vanish", `<?xml version="1.0"?><!DOCTYPE html><p>a`, "a"},
	{
		"form fields show their labels, not their values", `<input value=v><button>b</button><textarea>c &amp; d</textarea><option>e`,
		"b c & d e",
	},
	{"a less-than sign is text", `1 < 2 and <3`, "1 < 2 and <3"},
	{"tags in capitals", `<TITLE>A</TITLE><SCRIPT>x</SCRIPT><P>b<B>c</B>`, "A bc"},
	{"a slash after the name", `<p/class=x>a<br/>b`, "a b"},
	{"nothing", ``, ""},
	{"bytes that are wrong in UTF-8", "a\xffb<meta charset=utf-8>", "a\ufffdb"},
}

func TestVisibleText(t *testing.T) {
	var e Extractor
	for _, test := range visibleTests {
		t.Run(test.name, func(t *testing.T) {
			text := e.Extract([]byte(test.html), "text/html")
			if got := text.String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestCharsets(t *testing.T) {
	enc := func(e interface{ String(string) (string, error) }, s string) string {
		out, err := e.String(s)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, test := range []struct{ name, body, contentType, want string }{
		{
			"the header before the meta element", enc(charmap.KOI8R.NewEncoder(), `<meta charset=utf-8><p>Привет`), "text/html; charset=koi8-r",
			"Привет",
		},
		{
			"a header that is badly written", enc(charmap.KOI8R.NewEncoder(), `<p>Привет`), "text/html; charset=koi8-r; x", "Привет",
		},
		{"the byte-order mark before the header", "\xef\xbb\xbf<p>ж", "text/html; charset=koi8-r", "ж"},
		{"the meta element", enc(japanese.ShiftJIS.NewEncoder(), `<meta charset=shift_jis><p>日本語`), "text/html", "日本語"},
		{"meta http-equiv", enc(charmap.Windows1251.NewEncoder(),
			`<meta http-equiv=content-type content="text/html; charset=windows-1251"><p>Україна`), "", "Україна"},
		{"both in one meta element, far down", enc(charmap.Windows1251.NewEncoder(), "<!--"+strings.Repeat(".", 2000)+
			`--><meta charset=windows-1251 http-equiv=content-type content="text/html; charset=koi8-r"><p>Україна`), "", "Україна"},
		{
			"the XML declaration", enc(charmap.ISO8859_2.NewEncoder(), `<?xml version="1.0" encoding="iso-8859-2"?><p>žluť</p>`),
			"application/xhtml+xml", "žluť",
		},
		{"UTF-8 that nothing names, far down", "<p>" + strings.Repeat("a ", 2000) + "ж", "text/html", strings.Repeat("a ", 2000) + "ж"},
		{"windows-1252 that nothing names", "<p>caf\xe9 \x80", "text/html", "café €"},
		{"UTF-16 by its mark", enc(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder(), `<p>ж`), "", "ж"},
		{"a charset that no one knows", "<p>a", "text/html; charset=x-none", "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var e Extractor
			text := e.Extract([]byte(test.body), test.contentType)
			if got := text.String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestPlainTextIsTakenAsItIs(t *testing.T) {
	var e Extractor
	text := e.Extract([]byte("One <b>two</b>\n  &amp; three\n\nfour"), "text/plain; charset=utf-8")
	if len(text.Blocks) != 2 || text.Blocks[0].Text != "One <b>two</b> &amp; three" || text.Blocks[1].Text != "four" {
		t.Errorf("got %+v", text.Blocks)
	}
}

// Where line feeds show, an empty line ends a block, as in plain text.
func TestEmptyLinesEndBlocks(t *testing.T) {
	for page, want := range map[string]string{
		"<pre>\na\nb\n\nc &amp;\n \t\r\nd\n</pre>e\n\nf": "a b|c &|d|e f",
		"<pre>a<b>b</b>\nc <i>d</i>\n\ne<i>\nf\n\n</i>g": "ab c d|e f|g",
		"<pre><code>a\n\nb</code></pre>":                 "a|b",
		"<xmp>a\n\n&amp;</xmp>":                          "a|&amp;",
		"<textarea>a\n\nb</textarea>":                    "a|b",
		"<title>a\n\nb</title><p>c\n\nd":                 "a b|c d",
		"<pre>a<![CDATA[\n\n]]>b":                        "ab",
		"<pre>a<p>b\n\nc</p>\n\nd":                       "a|b c|d",
	} {
		var e Extractor
		var got []string
		text := e.Extract([]byte(page), "text/html")
		for _, b := range text.Blocks {
			got = append(got, b.Text)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %s", page, got, want)
		}
	}
}

var regionTests = []struct {
	name, html string
	want       Region
}{
	{"plain", `<p>x`, Main},
	{"a nav element", `<nav><ul><li>x</ul></nav>`, Nav},
	{"the footer of the page", `<footer><p>x</footer>`, Footer},
	{"the footer of an article", `<article><footer>x</footer></article>`, Main},
	{"the header of main", `<main><header>x</header></main>`, Main},
	{"an aside beside the text", `<aside>x</aside>`, Aside},
	{"an aside in an article", `<article><aside>x</aside></article>`, Main},
	{"a headline in the page's header", `<header><h1>x</h1></header>`, Main},
	{"a role", `<div role=navigation>x</div>`, Nav},
	{"a role before a name", `<div role=main class=sidebar>x</div>`, Main},
	{"the title behind a drawing", `<svg><path/></svg><title>x</title>`, Title},
	{"the description of a drawing", `<svg><desc>x</desc><path/></svg>`, Label},
	{"metadata of a drawing", `<svg><metadata><rdf:RDF><dc:format>x</dc:format></rdf:RDF></metadata></svg>`, Label},
	{"the text of a drawing behind them", `<svg><desc>a</desc><metadata/><text>x</text></svg>`, Main},
	{"an element of this name in HTML", `<desc>x</desc>`, Main},
	{"what is behind an empty title of a drawing", `<main><svg><title/><path/></svg><p>x</main>`, Main},
	{"what is behind a title of a drawing that never ends", `<main><svg><title>a</svg><p>x</main>`, Main},
	{"a name behind a long one", `<div class="` + strings.Repeat("a", 70) + ` site-footer">x</div>`, Footer},
	{"a name of many words", `<div class="` + strings.Repeat("nav-", maxNameTokens-1) + `">x</div>`, Nav},
	{"a name of more", `<div class="` + strings.Repeat("nav-", maxNameTokens) + `">x</div>`, Main},
	{"a name of one word", `<div id=footer>x</div>`, Footer},
	{"a name with padding", `<div class="c2 site-footer-wrapper">x</div>`, Footer},
	{"a name in camel case", `<div class="leftSideBar navBar">x</div>`, Nav},
	{"a name that says more", `<div class="card-header">x</div>`, Main},
	{"a name that denies it", `<div class="no-sidebar">x</div>`, Main},
	{"a line of links above the page in DocBook", `<div class="navheader"><table><tr><td>x</table></div>`, Nav},
	{"a menu in a table", `<table class="nav_table"><tr><td>x</table>`, Nav},
	{"comments in a section of a main element", `<main><p>much text</p><div id=comments_section>x</div></main>`, Aside},
	{"the end of a page of Doxygen", `<address class="footer"><small>x</small></address>`, Footer},
	{"an address in the text", `<address>x</address>`, Main},
	{"a menu of languages", `<div class="nav lang-box">x</div>`, Nav},
	{"the language of a page", `<div class="page-12 language-0">x</div>`, Main},
	{"a class of the whole page", `<body class=sidebar><p>x`, Main},
	{"a numbered advertisement", `<div class="ad-slot" id="ad-5336"><a>x</a></div>`, Ad},
	{"links to share an article in it", `<article><p>much text</p><div class=share>x</div></article>`, Aside},
	{"links to share it of a plug-in", `<article><p>much text</p><div class="robots-nocontent sd-block">x</div></article>`, Aside},
	{"a form for comments", `<article><p>much text</p><div id=respond class=comment-respond>x</div></article>`, Aside},
	{"its comments", `<article><p>much text</p><div class=article-comments>x</div></article>`, Aside},
	{"its header", `<article><p>much text</p><div class=article-header>x</div></article>`, Main},
	{"an aside with what is related to it", `<article><p>much text</p><aside class=entry__related>x</aside></article>`, Aside},
	{"a comment", `<article><p>much text</p><div class=comment-content>x</div></article>`, Main},
	{"comments in a main element", `<main><p>much text</p><div id=comments>x</div></main>`, Aside},
	{"comments in a section", `<section class=comments>x</section>`, Aside},
	{"its latest posts", `<main><p>much text</p><div class=recent-posts>x</div></main>`, Main},
	{"an article whose pictures open above it", `<article><div class=lightbox-content>x</div></article>`, Main},
	{"a box above an article", `<article><p>much text</p><div class=lightbox-content>x</div></article>`, Notice},
	{"an article for subscribers", `<article><p>much text</p><div class=subscription-content>x</div></article>`, Main},
	{"an article that can be shared", `<article><div class="entry share">x</div></article>`, Main},
	{"an advertisement in an article", `<article><div class=ads>x</div></article>`, Ad},
	{"a cookie notice", `<div id="cookie-consent">x</div>`, Notice},
	{"main in a named wrapper", `<div class=header><main>x</main></div>`, Main},
	{"a heading whose anchor is a word for furniture", `<h2 id=navigation>x</h2>`, Main},
	{"a section about navigation", `<div class=section id=navigation>x</div>`, Main},
	{"a section element about cookies", `<section id=cookies>x</section>`, Main},
	{"after the end of furniture", `<nav><ul><li>a</nav>x`, Main},
	{"after furniture that was never closed", `<body><div class=nav><p>a</body>`, Nav},
}

func TestRegions(t *testing.T) {
	filler := "<p>" + strings.Repeat("long text of the page ", 10) + "</p>"
	for _, test := range regionTests {
		t.Run(test.name, func(t *testing.T) {
			var e Extractor
			text := e.Extract([]byte(filler+test.html), "text/html")
			if got := text.Blocks[len(text.Blocks)-1].Region; got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestFurnitureThatHoldsMostOfThePageIsNone(t *testing.T) {
	var e Extractor
	text := e.Extract([]byte(`<div class=sidebar>`+strings.Repeat("much text ", 20)+`</div><p>little`), "text/html")
	if text.Blocks[0].Region != Main {
		t.Errorf("got %s, want main", text.Blocks[0].Region)
	}
}

func TestBlocksKnowTheirLinksAndHeadings(t *testing.T) {
	var e Extractor
	text := e.Extract([]byte(`<title>T</title><h2>head</h2><ul><li><a href=x>link</a></li></ul><p>abcd <a>efgh</a>`), "text/html")
	if text.Title != "T" || text.Blocks[1].Heading != 2 || text.Blocks[2].Links != 1 {
		t.Errorf("got title %q, blocks %+v", text.Title, text.Blocks)
	}
	if l := text.Blocks[3].Links; l < 0.4 || l > 0.6 {
		t.Errorf("links of half a paragraph are %v of it", l)
	}
}

func FuzzExtract(f *testing.F) {
	for _, test := range visibleTests {
		f.Add([]byte(test.html), "text/html")
	}
	for _, test := range regionTests {
		f.Add([]byte(test.html), "text/html; charset=utf-8")
	}
	f.Add([]byte("a\n\nb"), "text/plain")
	var e Extractor
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		text := e.Extract(body, contentType)
		if got := strings.Join(strings.Fields(text.String()), " "); got != text.String() {
			t.Errorf("not collapsed: %q", text.String())
		}
		var parts []string
		for _, b := range text.Blocks {
			if b.Text == "" || b.Region >= Regions || b.Links < 0 || b.Links > 1 {
				t.Errorf("block %+v", b)
			}
			parts = append(parts, b.Text)
		}
		if strings.Join(parts, " ") != text.String() {
			t.Errorf("blocks %q do not make up %q", parts, text.String())
		}
	})
}

// Eight bytes at a time or one: words with single spaces between them must end in the same place.
func FuzzWordsLen(f *testing.F) {
	for _, s := range []string{
		"a", "one two three four", "one two  three", "sixteen bytes ab\ncd", "seven b  ", "1234567 1234567 \t",
		"caf\u00e9 au\u00a0lait, s'il te pla\u00eet",
		"\u4e2d\u6587\u3000\u6587\u5b57", "\u043f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440 \u2003", "a\x01b\x7fc d e f g h i j",
		"a\u2019s \u201cquoted\u201d word \u2026", "abcdefg  h", "abcdefg h",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return
		}
		want := 1
		for want < len(b) && (!spaceStart[b[want]] || singleSpace(b[want:])) {
			want++
		}
		if got := wordsLen(b); got != want {
			t.Errorf("the words of %q end at %d, want %d", b, got, want)
		}
	})
}

func ExampleExtractor_Extract() {
	var e Extractor
	text := e.Extract([]byte(`<title>Varves</title><nav>Home</nav><p>Layers of <b>clay</b>.`), "text/html")
	for _, b := range text.Blocks {
		fmt.Println(b.Region, b.Text)
	}
	// Output:
	// title Varves
	// nav Home
	// main Layers of clay.
}

// A charset may be declared behind what browsers sniff.
func TestCharsetsAreDeclaredLate(t *testing.T) {
	const word = "девяти"
	encoded, err := charmap.Windows1251.NewEncoder().String(word)
	if err != nil {
		t.Fatal(err)
	}
	filler := "<script>" + strings.Repeat("/* <meta charset=koi8-r> */", 60) + "</script>"
	for _, meta := range []string{
		"<meta charset=windows-1251>", `<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1251">`,
	} {
		body := "<html><head>" + filler + meta + "</head><p>" + encoded
		text := new(Extractor).Extract([]byte(body), "text/html")
		if got := text.String(); got != word {
			t.Errorf("%s: %q", meta, got)
		}
	}
}
