package rewrite

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/growth"
	"github.com/varve-archive/varve/rewrite/header"
	"github.com/varve-archive/varve/rewrite/uses"
)

// dimensions are inputs that have n of something, for each format.
var dimensions = map[Format]map[string]func(n int) string{
	FormatHTML: {
		"scripts that are open":  func(n int) string { return strings.Repeat("<script/><script>'<frame'</script>", n) },
		"text":                   func(n int) string { return strings.Repeat("text ", n) },
		"elements":               func(n int) string { return strings.Repeat("<p>x</p>", n) },
		"nesting":                func(n int) string { return strings.Repeat("<div>", n) },
		"links":                  func(n int) string { return strings.Repeat("<a href=x>y</a>", n) },
		"open fallbacks":         func(n int) string { return strings.Repeat("<noscript>", n) },
		"bases":                  func(n int) string { return strings.Repeat("<base href=/x/><a href=y>", n) },
		"attributes":             func(n int) string { return "<a " + strings.Repeat("b=c ", n) + ">" },
		"attributes without end": func(n int) string { return "<a " + strings.Repeat("b=c ", n) },
		"slashes in a tag":       func(n int) string { return "<a " + strings.Repeat("/", n) + ">" },
		"a long value":           func(n int) string { return `<a title="` + strings.Repeat("x", n) + `">` },
		"entities":               func(n int) string { return `<a href="` + strings.Repeat("&amp;", n) + `">` },
		"entities without end":   func(n int) string { return `<a style="` + strings.Repeat("&", n) + `">` },
		"opened comments":        func(n int) string { return strings.Repeat("<!--", n) },
		"comments":               func(n int) string { return strings.Repeat("<!-- x -->", n) },
		"conditional comments":   func(n int) string { return strings.Repeat("<!--[if IE]><a href=x><![endif]-->", n) },
		"conditions in comments": func(n int) string { return strings.Repeat("<!--[if IE]>", n) + strings.Repeat("<![endif]-->", n) },
		"lone brackets":          func(n int) string { return strings.Repeat("<", n) },
		"lone ends":              func(n int) string { return strings.Repeat("</", n) },
		"sections":               func(n int) string { return strings.Repeat("<![CDATA[", n) },
		"scripts":                func(n int) string { return strings.Repeat("<script>a</script>", n) },
		"opened scripts":         func(n int) string { return strings.Repeat("<script>", n) },
		"escaped scripts":        func(n int) string { return "<script>" + strings.Repeat("<!--<script>", n) },
		"styles":                 func(n int) string { return strings.Repeat("<style>a{}</style>", n) },
		"opened titles":          func(n int) string { return strings.Repeat("<title>", n) },
		"opened drawings":        func(n int) string { return strings.Repeat("<svg>", n) },
		"templates":              func(n int) string { return strings.Repeat("<template>", n) },
		"srcsets":                func(n int) string { return `<img srcset="` + strings.Repeat("a 1x,", n) + `">` },
		"brackets in a srcset":   func(n int) string { return `<img srcset="a ` + strings.Repeat("(", n) + `">` },
		"pings":                  func(n int) string { return `<a ping="` + strings.Repeat("a ", n) + `">` },
		"documents in documents": func(n int) string { return `<iframe srcdoc="` + strings.Repeat("&lt;iframe srcdoc=", n) },
		"meta":                   func(n int) string { return strings.Repeat("<meta name=a content=b>", n) },
		"refreshes":              func(n int) string { return strings.Repeat(`<meta http-equiv=refresh content="0;url=x">`, n) },
		"a refresh of spaces":    func(n int) string { return `<meta http-equiv=refresh content="0;` + strings.Repeat(" ", n) + `">` },
		"NULs":                   func(n int) string { return strings.Repeat("\x00", n) },
		"quotes":                 func(n int) string { return "<a " + strings.Repeat("'\"", n) },
		"odd references":         func(n int) string { return strings.Repeat(`<a href="ä b">`, n) },
		"long odd references":    func(n int) string { return `<a href="` + strings.Repeat("ä ", n) + `">` },
		"invalid references":     func(n int) string { return strings.Repeat(`<a href="http://[x">`, n) },
	},
	FormatCSS: {
		"rules":         func(n int) string { return strings.Repeat("a{b:url(c)}", n) },
		"opened rules":  func(n int) string { return strings.Repeat("a{", n) },
		"imports":       func(n int) string { return strings.Repeat("@import 'a';", n) },
		"comments":      func(n int) string { return strings.Repeat("/**/", n) },
		"open comments": func(n int) string { return strings.Repeat("/*", n) },
		"brackets":      func(n int) string { return strings.Repeat("(", n) },
		"image sets":    func(n int) string { return "a{b:" + strings.Repeat("image-set(", n) },
		"escapes":       func(n int) string { return `a{b:url("` + strings.Repeat(`\41 `, n) + `")}` },
		"open strings":  func(n int) string { return strings.Repeat("'", n) },
		"open urls":     func(n int) string { return strings.Repeat("url(", n) },
		"backslashes":   func(n int) string { return strings.Repeat(`\`, n) },
	},
	FormatJS: {
		"statements":    func(n int) string { return strings.Repeat("location;", n) },
		"functions":     func(n int) string { return strings.Repeat("function f(a){return location}", n) },
		"nesting":       func(n int) string { return strings.Repeat("{", n) },
		"closed nests":  func(n int) string { return strings.Repeat("(()=>{", n) + strings.Repeat("})()", n) },
		"brackets":      func(n int) string { return strings.Repeat("(", n) },
		"arrows":        func(n int) string { return strings.Repeat("a=>", n) + "1" },
		"templates":     func(n int) string { return strings.Repeat("`${", n) },
		"expressions":   func(n int) string { return "x=" + strings.Repeat("/a/ /", n) },
		"declarations":  func(n int) string { return strings.Repeat("var location;let top;", n) },
		"imports":       func(n int) string { return strings.Repeat("import './a';", n) },
		"open comments": func(n int) string { return strings.Repeat("/*", n) },
		"strings":       func(n int) string { return strings.Repeat("'a';", n) },
		"lines":         func(n int) string { return strings.Repeat("\n", n) },
		"destructuring": func(n int) string { return "var " + strings.Repeat("{a:[", n) },
		"classes":       func(n int) string { return strings.Repeat("class a{b(){", n) },
		"labels":        func(n int) string { return strings.Repeat("a:", n) },
		"ternaries":     func(n int) string { return strings.Repeat("a?", n) },
		"HTML comments": func(n int) string { return strings.Repeat("<!--\n", n) },
	},
	FormatJSON: {
		"members":   func(n int) string { return "{" + strings.Repeat(`"a":"http://b/",`, n) },
		"nesting":   func(n int) string { return strings.Repeat("[", n) },
		"escapes":   func(n int) string { return `["http:` + strings.Repeat(`\/`, n) + `"]` },
		"quotes":    func(n int) string { return strings.Repeat(`"`, n) },
		"spaces":    func(n int) string { return `{"a"` + strings.Repeat(" ", n) + `:1}` },
		"callbacks": func(n int) string { return strings.Repeat("a(", n) },
	},
	FormatXML: {
		"elements":    func(n int) string { return "<a>" + strings.Repeat("<b href='c'/>", n) + "</a>" },
		"nesting":     func(n int) string { return strings.Repeat("<a>", n) },
		"bases":       func(n int) string { return strings.Repeat("<a xml:base='b/'>", n) },
		"attributes":  func(n int) string { return "<a " + strings.Repeat("b='c' ", n) + "/>" },
		"mark-up":     func(n int) string { return "<description>" + strings.Repeat("&lt;a href=x&gt;", n) + "</description>" },
		"white space": func(n int) string { return "<link>" + strings.Repeat("&#32;", n) + "http://a/</link>" },
		"blanks": func(n int) string {
			return "<link>" + strings.Repeat(" ", n) + "http://a/" + strings.Repeat(" ", n) + "</link>"
		},
		"open sections": func(n int) string { return strings.Repeat("<![CDATA[", n) },
		"declarations":  func(n int) string { return "<!DOCTYPE a [" + strings.Repeat("<!ENTITY a 'b'>", n) },
		"instructions":  func(n int) string { return strings.Repeat("<?a b?>", n) },
		"open tags":     func(n int) string { return strings.Repeat("<", n) },
	},
	FormatHLS: {
		"lines":      func(n int) string { return "#EXTM3U\n" + strings.Repeat("a.ts\n", n) },
		"attributes": func(n int) string { return "#EXTM3U\n#EXT-X-KEY:" + strings.Repeat(`URI="a",`, n) },
		"blanks":     func(n int) string { return "#EXTM3U\n" + strings.Repeat(" ", n) },
	},
}

// The work grows with the input, whatever the input has more of.
func TestRewritingGrowsWithItsInput(t *testing.T) {
	o := Options{
		Base: "http://example.com/dir/page.html", JS: true, Head: []byte("<h>"), Banner: []byte("<b>"),
		FramesetBanner: func() []byte { return []byte("<f>") },
		Resolve:        func(refs []uses.Ref) []string { return make([]string, len(refs)) },
	}
	for format, inputs := range dimensions {
		for name, input := range inputs {
			growth.Linear(t, format.String()+": "+name, input, func(in string) {
				if err := format.Rewrite(io.Discard, strings.NewReader(in), o); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestOtherReadersGrowWithTheirInput(t *testing.T) {
	repeat := func(s string) func(int) string { return func(n int) string { return strings.Repeat(s, n) } }
	for _, charset := range []string{"utf-16le", "shift_jis", "iso-2022-jp", "gb18030", "windows-1252", "utf-8"} {
		growth.Linear(t, "charset "+charset, repeat("\x1b$B<a href=\xe4\xf6>\x00"), func(in string) {
			_ = HTML(io.Discard, strings.NewReader(in), Options{Base: "http://a.example/", Resolve: nothing, Charset: charset})
		})
	}
	for name, value := range map[string]string{"links": "<a>; rel=preload, ", "parameters": `;a="b"`, "quotes": `"`} {
		growth.Linear(t, "Link "+name, repeat(value), func(in string) {
			header.Rewrite(http.Header{"Link": {"<a>" + in}}, header.Options{Base: "http://a.example/", Resolve: nothing})
		})
	}
	growth.Linear(t, "cookie", repeat(";a=b"), func(in string) {
		header.Rewrite(http.Header{"Set-Cookie": {"a=b" + in}}, header.Options{Base: "http://a.example/", Resolve: nothing, CookiePrefix: "/x/"})
	})
	growth.Linear(t, "names of Connection", repeat("a,"), func(in string) {
		header.Rewrite(http.Header{"Connection": {in}}, header.Options{Base: "http://a.example/", Resolve: nothing})
	})
	growth.Linear(t, "the type of a body", repeat("<!-- x -->"), func(in string) {
		Sniff("text/html", uses.Script, bytes.Clone([]byte(in)))
	})
}
