package rewrite

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
	"github.com/tdewolff/parse/v2/html"
	"github.com/tdewolff/parse/v2/js"
	"github.com/tdewolff/parse/v2/xml"

	"github.com/varve-archive/varve/rewrite/uses"
)

// answers returns the cheapest possible Resolver, so that the benchmark measures the rewriter.
func answers() uses.Resolver {
	var out []string
	return func(refs []uses.Ref) []string {
		out = out[:0]
		for range refs {
			out = append(out, "/web/20200101000000im_/http://example.com/some/path/image.png")
		}
		return out
	}
}

// The samples mix markup, text and URIs as common pages do: the page has 300 URIs in 60 KB.
func samplePage() []byte {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><html><head><title>Sample</title><link rel="stylesheet" href="/css/main.css?v=2"><meta ` +
		`charset=utf-8></head><body class="home page">`)
	for i := range 100 {
		fmt.Fprintf(&b, `<div class="item item-%d" id="i%d"><h2><a href="/articles/%d/some-title.html" title="Some title">Some title `+
			`&amp; more</a></h2>`+
			`<img src="../images/%d.jpg" alt="An image" width="640" height="480"><p>Lorem ipsum dolor sit amet, consectetur adipiscing elit, `+
			`sed do eiusmod tempor `+
			`incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip `+
			`ex ea commodo consequat. `+
			`<a class="more" href="http://www.example.org/more?id=%d&amp;ref=home#top">More</a></p></div>`+"\n", i, i, i, i, i)
	}
	b.WriteString(`</body></html>`)
	return []byte(b.String())
}

func sampleSheet() []byte {
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, ".block-%d > a:hover, .block-%d li { margin: 0 auto; padding: %dpx 2em; color: #3a%02x00; font: bold 12px/1.5 "+
			"sans-serif }\n", i, i, i, i%256)
		if i%10 == 0 {
			fmt.Fprintf(&b, ".icon-%d { background: url(../img/icon-%d.png) no-repeat }\n", i, i)
		}
	}
	return []byte(b.String())
}

func sampleScript() []byte {
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "function f%d(a, b) { if (a > b) { return this.items[a] / 2; } // a comment\n  var s = \"a string\" + a + "+
			"'another'; document.getElementById(s).value = b; return /re[g]ex/.test(s) ? a : b; }\n", i)
	}
	return []byte(b.String())
}

func sampleFeed() []byte {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><rss version="2.0"><channel>`)
	for i := range 200 {
		fmt.Fprintf(&b, "<item><title>Some "+
			"title</title><link>http://example.com/articles/%d.html</link><category>News</category><author>someone@example.com<"+
			"/author><enclosure url=\"http://example.com/%d.mp3\" type=\"audio/mpeg\"/></item>\n", i, i)
	}
	b.WriteString(`</channel></rss>`)
	return []byte(b.String())
}

func sampleJSON() []byte {
	var b strings.Builder
	b.WriteString("[")
	for i := range 400 {
		fmt.Fprintf(&b, `{"id":%d,"title":"Some title with `+
			`\"quotes\"","url":"http:\/\/example.com\/articles\/%d.html","tags":["a","b"],"score":1.5},`, i, i)
	}
	b.WriteString("null]")
	return []byte(b.String())
}

func lexHTML(b []byte) {
	l := html.NewLexer(parse.NewInputBytes(b))
	for tt, _ := l.Next(); tt != html.ErrorToken; tt, _ = l.Next() {
	}
}

func lexCSS(b []byte) {
	l := css.NewLexer(parse.NewInputBytes(b))
	for tt, _ := l.Next(); tt != css.ErrorToken; tt, _ = l.Next() {
	}
}

func lexXML(b []byte) {
	l := xml.NewLexer(parse.NewInputBytes(b))
	for tt, _ := l.Next(); tt != xml.ErrorToken; tt, _ = l.Next() {
	}
}

func lexJS(b []byte) {
	l := js.NewLexer(parse.NewInputBytes(b))
	prev := js.ErrorToken
	for {
		tt, _ := l.Next()
		if tt == js.DivToken && prev == js.ReturnToken {
			tt, _ = l.RegExp()
		}
		if tt == js.ErrorToken {
			return
		}
		if tt != js.WhitespaceToken {
			prev = tt
		}
	}
}

// BenchmarkRewrite measures copying, lexing alone, and rewriting in one run.
func BenchmarkRewrite(b *testing.B) {
	for _, bb := range []struct {
		name   string
		format Format
		sample []byte
		lex    func([]byte)
		client bool
	}{
		{"html", FormatHTML, samplePage(), lexHTML, false},
		{"html-client", FormatHTML, samplePage(), lexHTML, true},
		{"css", FormatCSS, sampleSheet(), lexCSS, false},
		{"js", FormatJS, sampleScript(), lexJS, false},
		{"js-client", FormatJS, sampleScript(), lexJS, true},
		{"json", FormatJSON, sampleJSON(), nil, false},
		{"xml", FormatXML, sampleFeed(), lexXML, false},
	} {
		run := func(name string, f func()) {
			b.Run(bb.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(bb.sample)))
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		run("copy", func() {
			_, _ = io.Copy(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{bytes.NewReader(bb.sample)})
		})
		if bb.lex != nil {
			scratch := make([]byte, len(bb.sample), len(bb.sample)+1)
			run("lex", func() {
				copy(scratch, bb.sample)
				bb.lex(scratch)
			})
		}
		o := Options{Base: "http://example.com/dir/page.html", Resolve: answers(), JS: bb.client, Spelling: bb.client}
		o.Use = useOfFormat(bb.format)
		run("rewrite", func() {
			if err := bb.format.Rewrite(io.Discard, bytes.NewReader(bb.sample), o); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func useOfFormat(f Format) uses.Use {
	if f == FormatJS {
		return uses.Script
	}
	return uses.Link
}
