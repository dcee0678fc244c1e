package rewrite

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/varve-archive/varve/rewrite/uses"
)

// A path leads nowhere from a data: URL, nor, in Chromium, from an XSLT style sheet to what it imports.
func TestPathsBehindTheServer(t *testing.T) {
	for _, tt := range []struct {
		name     string
		f        rewriter
		in, want string
	}{
		{
			"a style sheet", HTML, `<link rel=stylesheet href="data:text/css,@import '/a';@import 'http://example.com/b';"><a href=/c>`,
			`<link rel=stylesheet href="data:text/css,@import '/a';@import 'http://archive.test/web/cs_/b';"><a href=/web//c>`,
		},
		{
			"a style sheet in base64", CSS, inBase64(`@import "data:text/css;base64,{@import 'http://example.com/b';}"; @import "/c"`),
			inBase64(`@import "data:text/css;base64,{@import 'http://archive.test/web/cs_/b';}"; @import "/web/cs_/c"`),
		},
		{
			"a module", HTML, `<script type=module src="data:text/javascript,import 'http://example.com/b'"></script>`,
			`<script type=module src="data:text/javascript,import 'http://archive.test/web/esm_/b'"></script>`,
		},
		{
			"a transformation", XML, `<xsl:stylesheet><xsl:import href="a"/><xsl:include href="/b"/><img src="/c"/></xsl:stylesheet>`,
			`<xsl:stylesheet><xsl:import href="http://archive.test/web/oe_/dir/a"/><xsl:include href="http://archive.test/web/oe_/b"/>` +
				`<img src="/web/im_/c"/></xsl:stylesheet>`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{Server: "http://archive.test", Resolve: func(refs []uses.Ref) []string {
				out := make([]string, len(refs))
				for i, r := range refs {
					out[i] = "/web/" + r.Use.String() + strings.TrimPrefix(r.URI, "http://example.com")
				}
				return out
			}}
			if got := run(t, tt.f, tt.in, o); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestStyleSheetsInDataURLs(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{
			"in a link", `<link rel=stylesheet href="data:text/css,b{background:url(http://example.com/a.png)}">`,
			`<link rel=stylesheet href="data:text/css,b{background:url(@/a.png)}">`,
		},
		{
			"encoded", `<link rel="stylesheet" href='data:text/css;charset=utf-8,b%7B` +
				`background:url(%22http://example.com/a%2520b.png?c=%25%22)%7D'>`,
			`<link rel="stylesheet" href='data:text/css;charset=utf-8,b%7Bbackground:url(%22@/a%2520b.png?c=%25%22)%7D'>`,
		},
		{
			"encoded in small letters", `<link rel=stylesheet href="data:text/css,b%7bbackground:url(http:%2f%2fexample%2ecom%2fa.png)%7d">`,
			`<link rel=stylesheet href="data:text/css,b%7bbackground:url(@/a.png)%7d">`,
		},
		{
			"with references", `<link rel=stylesheet href="data:text/css,b{content:url(&quot;http://example.com/a.png?x&amp;y&quot;)}">`,
			`<link rel=stylesheet href="data:text/css,b{content:url(&quot;@/a.png?x&amp;y&quot;)}">`,
		},
		{
			"imported", `<style>@import "data:text/css,b{background:url(http://example.com/a.png)}";</style>`,
			`<style>@import "data:text/css,b{background:url(@/a.png)}";</style>`,
		},
		{
			"relative to nothing", `<link rel=stylesheet href="data:text/css,b{background:url(a.png)}">`,
			`<link rel=stylesheet href="data:text/css,b{background:url(a.png)}">`,
		},
		{
			"in base64", inBase64(`<link rel=stylesheet href="data:text/css;base64,{b{background:url(http://example.com/a.png)}}">`),
			inBase64(`<link rel=stylesheet href="data:text/css;base64,{b{background:url(@/a.png)}}">`),
		},
		{
			"in base64, several", inBase64(`<link rel=stylesheet href='data:text/css;charset=utf-8; BASE64,` +
				`{@import "http://example.com/i.css"; i{background:url("http://example.com/b.png?x&y")}}'>`),
			inBase64(`<link rel=stylesheet href='data:text/css;charset=utf-8; BASE64,{@import "@/i.css"; i{background:url("@/b.png?x&y")}}'>`),
		},
		{
			"in base64, with spaces, signs and a fragment", `<link rel=stylesheet href="data:text/css;base64,YntiYWNrZ3JvdW5kOnVy
				bChodHRwOi8vZXhhbXBsZS5jb20vYS5wbmcpfQ%3D%3d#x">`,
			inBase64(`<link rel=stylesheet href="data:text/css;base64,{b{background:url(@/a.png)}}">`),
		},
		{
			"in base64, imported", inBase64(`<style>@import url(data:text/css;base64,{b{background:url(http://example.com/a.png)}});</style>`),
			inBase64(`<style>@import url(data:text/css;base64,{b{background:url(@/a.png)}});</style>`),
		},
		{
			"in base64, with nothing to do", `<link rel=stylesheet href="data:text/css;base64,Yns gfQ">`,
			`<link rel=stylesheet href="data:text/css;base64,Yns gfQ">`,
		},
		{
			"in no base64", `<link rel=stylesheet href="data:text/css;base64,dXJsKGh0dHA6Ly9leGFtcGxlLmNvbS9hKQ!">`,
			`<link rel=stylesheet href="data:text/css;base64,dXJsKGh0dHA6Ly9leGFtcGxlLmNvbS9hKQ!">`,
		},
		{
			"with a selector by address", `<link rel=stylesheet href="data:text/css,a[href^='http']{b:url(http://example.com/a.png)}">`,
			`<link rel=stylesheet href="data:text/css,a[href^='http']{b:url(@/a.png)}">`,
		},
		{"another type", `<link rel=stylesheet href="data:text/plain,url(http://example.com/a)">`, `<link rel=stylesheet ` +
			`href="data:text/plain,url(http://example.com/a)">`},
		{"no data", `<link rel=stylesheet href="data:text/css">`, `<link rel=stylesheet href="data:text/css">`},
		{"no sheet", `<a href="data:text/css,b{background:url(http://example.com/a.png)}">`, `<a ` +
			`href="data:text/css,b{background:url(http://example.com/a.png)}">`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			o := Options{Base: "http://example.com/dir/", Use: uses.Page, Resolve: relative}
			if err := HTML(&b, strings.NewReader(tt.in), o); err != nil || b.String() != tt.want {
				t.Errorf("%v\n got %s\nwant %s", err, b.String(), tt.want)
			}
		})
	}
}

// inBase64 encodes what is between the outermost braces.
func inBase64(text string) string {
	return regexp.MustCompile(`(?s)\{.*\}`).ReplaceAllStringFunc(text, func(s string) string {
		return base64.StdEncoding.EncodeToString([]byte(s[1 : len(s)-1]))
	})
}

func TestScriptsInDataURLs(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{
			"plain", `<script src="data:text/javascript,f(location.href,%20'a')"></script>`,
			`<script src="data:text/javascript,f(_varve_.location.href,%20'a')"></script>`,
		},
		{
			"in base64", inBase64(`<script src="data:application/javascript;base64,{f(top, "<a>")}"></script>`),
			inBase64(`<script src="data:application/javascript;base64,{f(_varve_.top, "<a>")}"></script>`),
		},
		{"of no type", `<script src="data:,top.x"></script>`, `<script src="data:,_varve_.top.x"></script>`},
		{
			"a module", inBase64(`<script type=module src="data:text/javascript;base64,{import 'http://example.com/m.js'; self.x}"></script>`),
			inBase64(`<script type=module src="data:text/javascript;base64,{import '@/m.js'; _varve_.self.x}"></script>`),
		},
		{
			"without any of the names", `<script src="data:text/javascript;base64,Zi gp"></script>`,
			`<script src="data:text/javascript;base64,Zi gp"></script>`,
		},
		{"a module of no type", `<script type=module src="data:,top.x"></script>`, `<script type=module src="data:,top.x"></script>`},
		{"that none runs", `<script src="data:image/png,top"></script>`, `<script src="data:image/png,top"></script>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{JS: true, Resolve: relative, Head: []byte("<!---->")}
			if got := run(t, HTML, tt.in, o); got != "<!---->"+tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}
