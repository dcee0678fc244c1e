package rewrite

import (
	"strings"
	"testing"
)

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
			"in base64", `<link rel=stylesheet href="data:text/css;base64,YntiYWNrZ3JvdW5kOnVybChodHRwOi8vZXhhbXBsZS5jb20vYS5wbmcpfQ==">`,
			`<link rel=stylesheet href="data:text/css;base64,YntiYWNrZ3JvdW5kOnVybChodHRwOi8vZXhhbXBsZS5jb20vYS5wbmcpfQ==">`,
		},
		{"another type", `<link rel=stylesheet href="data:text/plain,url(http://example.com/a)">`, `<link rel=stylesheet ` +
			`href="data:text/plain,url(http://example.com/a)">`},
		{"no data", `<link rel=stylesheet href="data:text/css">`, `<link rel=stylesheet href="data:text/css">`},
		{"no sheet", `<a href="data:text/css,b{background:url(http://example.com/a.png)}">`, `<a ` +
			`href="data:text/css,b{background:url(http://example.com/a.png)}">`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			o := Options{Base: "http://example.com/dir/", Use: Page, Resolve: relative}
			if err := HTML(&b, strings.NewReader(tt.in), o); err != nil || b.String() != tt.want {
				t.Errorf("%v\n got %s\nwant %s", err, b.String(), tt.want)
			}
		})
	}
}
